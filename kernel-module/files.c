// SPDX-License-Identifier: GPL-2.0
/*
 * Rows of the statistics files. Columns that are sums or differences are worked
 * out here from parts that were counted apart.
 */
#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/nodemask.h>
#include "counters.h"
#include "domains.h"
#include "files.h"
#include "main.h"
#include "topo.h"

static const char *const reason_names[CFSLB_NR_REASONS] = {
	[CFSLB_WAKE] = "wake", [CFSLB_EXEC] = "exec", [CFSLB_NEWIDLE] = "newidle",
	[CFSLB_PERIODIC_BUSY] = "periodic_busy", [CFSLB_PERIODIC_IDLE] = "periodic_idle",
	[CFSLB_NOHZ] = "nohz", [CFSLB_ACTIVE] = "active", [CFSLB_NUMA_MOVE] = "numa_move",
	[CFSLB_NUMA_SWAP] = "numa_swap", [CFSLB_AFFINITY] = "affinity",
	[CFSLB_HOTPLUG] = "hotplug", [CFSLB_CORE] = "core", [CFSLB_RT_DL] = "rt_dl",
	[CFSLB_OTHER] = "other",
};

static const char *const distance_names[CFSLB_NR_DISTANCES] = {
	[CFSLB_SAME_CORE] = "same_core", [CFSLB_SAME_LLC] = "same_llc",
	[CFSLB_SAME_NODE] = "same_node", [CFSLB_REMOTE_NEAR] = "remote_near",
	[CFSLB_REMOTE_FAR] = "remote_far",
};

static const char *const kind_names[CFSLB_NR_PLACE_KINDS] = {
	[CFSLB_PLACE_WAKE] = "wake", [CFSLB_PLACE_FORK] = "fork", [CFSLB_PLACE_EXEC] = "exec",
};

static const char *const waitlat_names[CFSLB_NR_WAITLAT_KINDS] = {
	[CFSLB_KEPT_PREV] = "kept_prev", [CFSLB_TO_WAKER] = "to_waker",
	[CFSLB_MOVED] = "moved", [CFSLB_WAITLAT_FORK] = "fork",
};

static const char *const idle_names[CFSLB_NR_IDLE_TYPES] = {
	[CFSLB_IDLE_BUSY] = "busy", [CFSLB_IDLE_IDLE] = "idle", [CFSLB_IDLE_NEWIDLE] = "newidle",
};

static const u64 *row_of(const struct cfslb_view *view, enum cfslb_table_id id, u32 row)
{
	return view->table[id] + row * cfslb_tables[id].cols;
}

static void put_values(struct cfslb_text *text, const u64 *values, unsigned int nr)
{
	while (nr--)
		cfslb_text_value(text, *values++);
}

static void info_rows(struct cfslb_text *text, const struct cfslb_view *view)
{
	cfslb_text_label(text, CFSLB_VERSION);
	cfslb_text_label(text, cfslb_level_name(cfslb_level_get()));
	cfslb_text_label(text, cfslb_lb_get() ? "on" : "off");
	cfslb_text_label(text, "local_clock");
	cfslb_text_label(text, cfslb_topo_llc_source());
	cfslb_text_value(text, num_possible_cpus());
	cfslb_text_value(text, cfslb_nr_nodes);
	cfslb_text_value(text, view->t_ns - view->epoch_ns);
}

static void schema_rows(struct cfslb_text *text, const struct cfslb_view *view)
{
	const struct cfslb_column *column;

	for (column = cfslb_columns; column->file; column++) {
		cfslb_text_label(text, column->file);
		cfslb_text_label(text, column->name);
		cfslb_text_label(text, column->kind);
		cfslb_text_label(text, column->unit);
		cfslb_text_label(text, cfslb_scope_of(column->file));
		cfslb_text_label(text, column->meaning);
	}
}

static void migrate_rows(struct cfslb_text *text, const struct cfslb_view *view)
{
	int cpu;

	for_each_present_cpu(cpu) {
		cfslb_text_value(text, cpu);
		cfslb_text_value(text, cfslb_node_of(cpu));
		put_values(text, row_of(view, CFSLB_T_MIGRATE, cpu), CFSLB_NR_REASONS);
	}
}

static void distance_rows(struct cfslb_text *text, const struct cfslb_view *view)
{
	int reason;

	for (reason = 0; reason < CFSLB_NR_REASONS; reason++) {
		cfslb_text_label(text, reason_names[reason]);
		put_values(text, row_of(view, CFSLB_T_DISTANCE, reason), CFSLB_NR_DISTANCES);
	}
}

static void matrix_rows(struct cfslb_text *text, const struct cfslb_view *view)
{
	int from, to, reason;

	for_each_online_node(from) {
		for_each_online_node(to) {
			const u64 *row = row_of(view, CFSLB_T_MATRIX, from * cfslb_nr_nodes + to);

			for (reason = 0; reason < CFSLB_NR_REASONS; reason++) {
				cfslb_text_value(text, from);
				cfslb_text_value(text, to);
				cfslb_text_label(text, reason_names[reason]);
				cfslb_text_value(text, row[reason]);
			}
		}
	}
}

/* Wake-ups and execs need level 1, forks only level 0, which the schema says. */
static void place_row(struct cfslb_text *text, const u64 *row, bool measured)
{
	u64 by_placement[CFSLB_NR_PLACEMENTS] = { 0 }, by_state[CFSLB_NR_CPU_STATES] = { 0 };
	unsigned int placement, state;

	for (state = 0; state < CFSLB_NR_CPU_STATES; state++) {
		for (placement = 0; placement < CFSLB_NR_PLACEMENTS; placement++) {
			u64 n = row[CFSLB_PLACE_FIRST + placement * CFSLB_NR_CPU_STATES + state];

			/*
			 * A wake-up that moves while the cells are read, or was about
			 * to at the mark, may be in the second of them only.
			 */
			if (placement == CFSLB_KEPT_PREV)
				n -= min(n, row[CFSLB_PLACE_NOT_KEPT + state]);
			by_placement[placement] += n;
			by_state[state] += n;
		}
	}
	if (!measured) {
		for (state = 0; state < 8 + CFSLB_NR_HOW + 1; state++)
			cfslb_text_absent(text);
		return;
	}
	cfslb_text_value(text, by_placement[CFSLB_KEPT_PREV] + by_placement[CFSLB_TO_WAKER] +
			       by_placement[CFSLB_MOVED]);
	put_values(text, by_placement, CFSLB_NR_PLACEMENTS);
	cfslb_text_value(text, by_state[CFSLB_CPU_IDLE]);
	cfslb_text_value(text, by_state[CFSLB_CPU_BUSY] + by_state[CFSLB_CPU_BUSY_LLC_IDLE]);
	cfslb_text_value(text, by_state[CFSLB_CPU_BUSY_LLC_IDLE]);
	cfslb_text_value(text, by_state[CFSLB_CPU_UNKNOWN]);
	put_values(text, row + CFSLB_PLACE_HOW_FIRST, CFSLB_NR_HOW);
	cfslb_text_value(text, row[CFSLB_PLACE_SCANNED]);
}

static void place_rows(struct cfslb_text *text, const struct cfslb_view *view)
{
	bool level1 = cfslb_feature_on(view->measured, CFSLB_F_PLACE);
	int cpu, kind;

	for_each_present_cpu(cpu) {
		for (kind = 0; kind < CFSLB_NR_PLACE_KINDS; kind++) {
			u32 row = cpu * CFSLB_NR_PLACE_KINDS + kind;

			cfslb_text_value(text, cpu);
			cfslb_text_label(text, kind_names[kind]);
			place_row(text, row_of(view, CFSLB_T_PLACE, row),
				  level1 || kind == CFSLB_PLACE_FORK);
		}
	}
}

static void lb_row(struct cfslb_text *text, const u64 *row)
{
	cfslb_text_value(text, row[CFSLB_LB_CALLS]);
	cfslb_text_value(text, row[CFSLB_LB_NOT_DESIGNATED]);
	cfslb_text_value(text, row[CFSLB_LB_NOT_DESIGNATED] + row[CFSLB_LB_NO_GROUP] +
			       row[CFSLB_LB_NO_QUEUE] + row[CFSLB_LB_ALL_PINNED]);
	cfslb_text_value(text, row[CFSLB_LB_NO_GROUP]);
	cfslb_text_value(text, row[CFSLB_LB_NO_QUEUE]);
	cfslb_text_value(text, row[CFSLB_LB_PULLED_CALLS]);
	cfslb_text_value(text, row[CFSLB_LB_PULLED_TASKS]);
	cfslb_text_value(text, row[CFSLB_LB_FAILED]);
	cfslb_text_value(text, row[CFSLB_LB_ALL_PINNED]);
	cfslb_text_value(text, row[CFSLB_LB_ALB_KICK]);
	cfslb_text_value(text, row[CFSLB_LB_ALB_OK]);
	cfslb_text_value(text, row[CFSLB_LB_ALB_FAIL]);
	put_values(text, row + CFSLB_LB_IMB_FIRST, 2 * CFSLB_NR_IMB_KINDS);
	cfslb_text_value(text, row[CFSLB_LB_TIME_NS]);
	cfslb_text_value(text, row[CFSLB_LB_UNEXPLAINED]);
	cfslb_text_value(text, row[CFSLB_LB_SCANNED]);
	put_values(text, row + CFSLB_LB_STAY_FIRST, CFSLB_NR_STAYS);
}

/* Most CPUs have few levels: rows without a pass in this epoch are left out. */
static void lb_rows(struct cfslb_text *text, const struct cfslb_view *view)
{
	u32 row = 0, level;
	int cpu, idle;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		for (level = 0; level < CFSLB_NR_LEVELS; level++) {
			for (idle = 0; idle < CFSLB_NR_IDLE_TYPES; idle++, row++) {
				const u64 *cells = row_of(view, CFSLB_T_LB, row);

				if (!cells[CFSLB_LB_CALLS] && !cells[CFSLB_LB_ALB_KICK])
					continue;
				cfslb_text_value(text, cpu);
				cfslb_text_value(text, level);
				cfslb_text_label(text, idle_names[idle]);
				cfslb_text_label(text, cfslb_domain_name(level));
				lb_row(text, cells);
			}
		}
	}
}

static void newidle_rows(struct cfslb_text *text, const struct cfslb_view *view)
{
	int cpu;

	for_each_present_cpu(cpu) {
		const u64 *row = row_of(view, CFSLB_T_NEWIDLE, cpu);

		cfslb_text_value(text, cpu);
		cfslb_text_value(text, row[CFSLB_NEWIDLE_TRIES]);
		cfslb_text_value(text, row[CFSLB_NEWIDLE_NOT_OVERLOADED]);
		cfslb_text_value(text, row[CFSLB_NEWIDLE_SHORT_IDLE]);
		cfslb_text_value(text, row[CFSLB_NEWIDLE_PULLED]);
		cfslb_text_value(text, row[CFSLB_NEWIDLE_TIME_NS]);
		cfslb_text_value(text, row[CFSLB_NEWIDLE_SKIPPED]);
	}
}

static void nohz_rows(struct cfslb_text *text, const struct cfslb_view *view)
{
	int cpu;

	for_each_present_cpu(cpu) {
		const u64 *row = row_of(view, CFSLB_T_NOHZ, cpu);

		cfslb_text_value(text, cpu);
		put_values(text, row + CFSLB_NOHZ_KICK_LOAD, 5);
		cfslb_text_value(text, row[CFSLB_NOHZ_RUNS]);
		cfslb_text_value(text, row[CFSLB_NOHZ_CPUS_SERVED]);
	}
}

static void numa_rows(struct cfslb_text *text, const struct cfslb_view *view)
{
	int from, to;

	for_each_online_node(from) {
		for_each_online_node(to) {
			cfslb_text_value(text, from);
			cfslb_text_value(text, to);
			put_values(text, row_of(view, CFSLB_T_NUMA, from * cfslb_nr_nodes + to),
				   CFSLB_NR_NUMA_COLUMNS);
		}
	}
}

static void waste_row(struct cfslb_text *text, const u64 *row)
{
	cfslb_text_value(text, row[CFSLB_WASTE_IDLE_NS]);
	cfslb_text_value(text, row[CFSLB_WASTE_SAME_NODE_NS]);
	cfslb_text_value(text, row[CFSLB_WASTE_IDLE_NS] - row[CFSLB_WASTE_SAME_NODE_NS]);
	cfslb_text_value(text, row[CFSLB_WASTE_EPISODES_10MS]);
	cfslb_text_value(text, row[CFSLB_WASTE_EPISODES_100MS]);
	cfslb_text_value(text, row[CFSLB_WASTE_ANY_NS]);
}

static void waste_rows(struct cfslb_text *text, const struct cfslb_view *view)
{
	int node;

	for_each_online_node(node) {
		cfslb_text_value(text, node);
		waste_row(text, row_of(view, CFSLB_T_WASTE, node));
	}
	cfslb_text_label(text, "all");
	waste_row(text, row_of(view, CFSLB_T_WASTE, cfslb_nr_nodes));
}

static void waitlat_rows(struct cfslb_text *text, const struct cfslb_view *view)
{
	int kind, distance;

	for (kind = 0; kind < CFSLB_NR_WAITLAT_KINDS; kind++) {
		for (distance = 0; distance < CFSLB_NR_DISTANCES; distance++) {
			cfslb_text_label(text, waitlat_names[kind]);
			cfslb_text_label(text, distance_names[distance]);
			put_values(text, row_of(view, CFSLB_T_WAITLAT,
						kind * CFSLB_NR_DISTANCES + distance),
				   CFSLB_NR_WAIT_BUCKETS);
		}
	}
}

const struct cfslb_file cfslb_files[] = {
	{ "info", 0, info_rows },
	{ "caps", 0, cfslb_caps_rows },
	{ "schema", 0, schema_rows },
	{ "migrate", BIT(CFSLB_T_MIGRATE), migrate_rows },
	{ "distance", BIT(CFSLB_T_DISTANCE), distance_rows },
	{ "matrix", BIT(CFSLB_T_MATRIX), matrix_rows },
	{ "place", BIT(CFSLB_T_PLACE), place_rows },
	{ "lb", BIT(CFSLB_T_LB), lb_rows },
	{ "newidle", BIT(CFSLB_T_NEWIDLE), newidle_rows },
	{ "nohz", BIT(CFSLB_T_NOHZ), nohz_rows },
	{ "numa", BIT(CFSLB_T_NUMA), numa_rows },
	{ "waste", BIT(CFSLB_T_WASTE), waste_rows },
	{ "waitlat", BIT(CFSLB_T_WAITLAT), waitlat_rows },
	{ NULL }
};
