// SPDX-License-Identifier: GPL-2.0
/*
 * Counters: layout of the tables, memory, sums.
 */
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/topology.h>
#include "counters.h"
#include "topo.h"
#include "waste.h"

struct cfslb_table cfslb_tables[CFSLB_NR_TABLES];
u32 cfslb_nr_cells;

DEFINE_PER_CPU(u64 *, cfslb_cells);

static u32 nr_own_cells;

static void add_table(enum cfslb_table_id id, u32 rows, u32 cols, bool by_cpu)
{
	struct cfslb_table *table = &cfslb_tables[id];

	table->cols = cols;
	table->by_cpu = by_cpu;
	table->own_rows = rows;
	table->rows = by_cpu ? rows * nr_cpu_ids : rows;
	table->offset = cfslb_nr_cells;
	table->own_offset = nr_own_cells;
	cfslb_nr_cells += table->rows * table->cols;
	nr_own_cells += table->own_rows * table->cols;
}

static void lay_out(void)
{
	u32 nodes = cfslb_nr_nodes;

	cfslb_nr_cells = 0;
	nr_own_cells = 0;
	/* In the order of use: the first ones share cache lines with each event. */
	add_table(CFSLB_T_DISTANCE, CFSLB_NR_REASONS, CFSLB_NR_DISTANCES, false);
	add_table(CFSLB_T_PLACE, CFSLB_NR_PLACE_KINDS, CFSLB_NR_PLACE_COLUMNS, true);
	add_table(CFSLB_T_NEWIDLE, 1, CFSLB_NR_NEWIDLE_COLUMNS, true);
	add_table(CFSLB_T_NOHZ, 1, CFSLB_NR_NOHZ_COLUMNS, true);
	add_table(CFSLB_T_LB, CFSLB_NR_LEVELS * CFSLB_NR_IDLE_TYPES, CFSLB_NR_LB_COLUMNS, true);
	add_table(CFSLB_T_WAITLAT, CFSLB_NR_WAITLAT_KINDS * CFSLB_NR_DISTANCES,
		  CFSLB_NR_WAIT_BUCKETS, false);
	add_table(CFSLB_T_NUMA, nodes * nodes, CFSLB_NR_NUMA_COLUMNS, false);
	add_table(CFSLB_T_MATRIX, nodes * nodes, CFSLB_NR_REASONS, false);
	add_table(CFSLB_T_MIGRATE, nr_cpu_ids, CFSLB_NR_REASONS, false);
	/* The machine's waste is no sum over CPUs: waste.c keeps it. */
	add_table(CFSLB_T_WASTE, nodes + 1, CFSLB_NR_WASTE_COLUMNS, false);
}

/* What lies before a CPU's cells: a mark for each block, up to the next cache line. */
static size_t marks_size(void)
{
	return ALIGN(DIV_ROUND_UP(nr_own_cells, CFSLB_BLOCK_CELLS), SMP_CACHE_BYTES);
}

int cfslb_counters_init(void)
{
	int cpu;

	lay_out();
	for_each_possible_cpu(cpu) {
		void *marks = kvzalloc_node(marks_size() + array_size(nr_own_cells, sizeof(u64)),
					    GFP_KERNEL, cpu_to_node(cpu));

		if (!marks) {
			cfslb_counters_exit();
			return -ENOMEM;
		}
		per_cpu(cfslb_cells, cpu) = marks + marks_size();
	}
	return 0;
}

void cfslb_counters_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		void *cells = per_cpu(cfslb_cells, cpu);

		if (cells)
			kvfree(cells - marks_size());
		per_cpu(cfslb_cells, cpu) = NULL;
	}
}

/*
 * Adds the @nr cells from @first on to @sum. Downwards: what is subtracted from a cell
 * lies behind it and is written later.
 */
static void add_up(u64 *sum, u64 *cells, u32 first, u32 nr)
{
	u32 cell = first + nr, begin;

	for (; cell > first; cell = begin) {
		begin = max(first, round_down(cell - 1, CFSLB_BLOCK_CELLS));
		if (!READ_ONCE(*cfslb_mark_of(cells, begin)))
			continue;
		while (cell-- > begin)
			sum[cell - first] += READ_ONCE(cells[cell]);
	}
}

u64 cfslb_counters_sum(enum cfslb_table_id id, u64 *to)
{
	const struct cfslb_table *table = &cfslb_tables[id];
	u32 own = table->own_rows * table->cols;
	int cpu;

	if (id == CFSLB_T_WASTE)
		return cfslb_waste_read(to);
	for_each_possible_cpu(cpu) {
		add_up(table->by_cpu ? to + cpu * own : to,
		       per_cpu(cfslb_cells, cpu), table->own_offset, own);
		cond_resched();
	}
	return local_clock();
}
