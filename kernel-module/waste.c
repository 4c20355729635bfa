// SPDX-License-Identifier: GPL-2.0
/*
 * Waste. The number of wasted CPUs is a step function of time; each step adds the
 * time since the last one, times the number until then. One lock for the machine,
 * taken only for steps: see compare() in queues.c.
 */
#include <linux/sched/clock.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/time64.h>
#include "counters.h"
#include "queues.h"
#include "topo.h"
#include "waste.h"

/* Shorter breaks do not end an episode: a housekeeping thread wakes and sleeps in less. */
#define EPISODE_GAP_NS NSEC_PER_MSEC

/* One node, or the machine. */
struct row {
	u32 fill;	/* idle CPUs here that tasks waiting anywhere could use */
	u32 same;	/* the part that tasks of the same node could use */
	bool episode;
	u64 begin, end;	/* of the episode; it goes on while fill is not zero */
	u64 ns[CFSLB_NR_WASTE_COLUMNS];
};

static struct {
	raw_spinlock_t lock;
	bool now;
	u64 last;	/* time of the last step */
	struct row *rows;
	cpumask_var_t left;	/* scratch: idle CPUs without a task so far */
	u8 order[CFSLB_NR_CLASSES];
	u32 nr_order;
} waste = {
	.lock = __RAW_SPIN_LOCK_UNLOCKED(waste.lock),
};

int cfslb_waste_init(void)
{
	waste.rows = kcalloc(cfslb_nr_nodes + 1, sizeof(*waste.rows), GFP_KERNEL);
	if (!waste.rows)
		return -ENOMEM;
	if (!zalloc_cpumask_var(&waste.left, GFP_KERNEL)) {
		kfree(waste.rows);
		return -ENOMEM;
	}
	return 0;
}

void cfslb_waste_exit(void)
{
	free_cpumask_var(waste.left);
	kfree(waste.rows);
}

bool cfslb_waste_now(void)
{
	return READ_ONCE(waste.now);
}

static void end_episode(struct row *row)
{
	u64 length = row->end - row->begin;

	row->episode = false;
	if (length >= 10 * NSEC_PER_MSEC)
		row->ns[CFSLB_WASTE_EPISODES_10MS]++;
	if (length >= 100 * NSEC_PER_MSEC)
		row->ns[CFSLB_WASTE_EPISODES_100MS]++;
}

/* Brings all rows to this moment. Return: the moment. */
static u64 advance(void)
{
	u64 now = local_clock(), dt;
	unsigned int i;

	/* Clocks of two CPUs may be a little apart. */
	if ((s64)(now - waste.last) < 0)
		now = waste.last;
	dt = now - waste.last;
	waste.last = now;
	for (i = 0; i <= cfslb_nr_nodes; i++) {
		struct row *row = &waste.rows[i];

		if (row->fill) {
			row->ns[CFSLB_WASTE_IDLE_NS] += dt * row->fill;
			row->ns[CFSLB_WASTE_SAME_NODE_NS] += dt * row->same;
			row->ns[CFSLB_WASTE_ANY_NS] += dt;
			row->end = now;
		} else if (row->episode && now - row->end >= EPISODE_GAP_NS) {
			end_episode(row);
		}
	}
	return now;
}

static void set_row(struct row *row, u64 now, u32 fill, u32 same)
{
	if (fill && !row->episode) {
		row->episode = true;
		row->begin = now;
		row->end = now;
	}
	row->fill = fill;
	row->same = min(same, fill);
}

/*
 * How many CPUs of waste.left could be given one of @tasks (by class). The tasks
 * with the least choice go first, which is best when any two sets of CPUs are
 * apart or one within the other.
 */
static u32 match(const u32 *tasks)
{
	u32 i, found = 0;

	for (i = 0; i < waste.nr_order; i++) {
		unsigned int class = waste.order[i], cpu;
		u32 want = tasks[class];

		for_each_cpu_and(cpu, waste.left, cfslb_class_cpus(class)) {
			if (!want)
				break;
			__cpumask_clear_cpu(cpu, waste.left);
			want--;
			found++;
		}
	}
	return found;
}

static void read_tasks(const struct cfslb_node *node, u32 *tasks)
{
	int class;

	for (class = CFSLB_CLASS_ANY; class < CFSLB_NR_CLASSES; class++)
		tasks[class] += atomic_read(&node->by_class[class]);
}

/* All tasks may run everywhere, or there are none. */
static void step_any(u64 now, u32 waiting)
{
	struct row *all = &waste.rows[cfslb_nr_nodes];
	u32 i, idle = 0, same = 0;

	for (i = 0; i < cfslb_nr_nodes; i++) {
		const struct cfslb_node *node = &cfslb_nodes[i];
		u32 idle_here = atomic_read(&node->idle);
		u32 waiting_here = atomic_read(&node->by_class[CFSLB_CLASS_ANY]);
		u32 same_here = min(idle_here, waiting_here);

		set_row(&waste.rows[i], now, min(idle_here, waiting), same_here);
		idle += idle_here;
		same += same_here;
	}
	set_row(all, now, min(idle, waiting), same);
}

static void step_masks(u64 now, const u32 *tasks)
{
	struct row *all = &waste.rows[cfslb_nr_nodes];
	u32 i, same = 0;

	for (i = 0; i < cfslb_nr_nodes; i++) {
		const struct cfslb_node *node = &cfslb_nodes[i];
		u32 tasks_here[CFSLB_NR_CLASSES] = { 0 }, same_here;

		read_tasks(node, tasks_here);
		cpumask_copy(waste.left, node->idle_cpus);
		same_here = match(tasks_here);
		cpumask_copy(waste.left, node->idle_cpus);
		set_row(&waste.rows[i], now, match(tasks), same_here);
		same += same_here;
	}
	cpumask_clear(waste.left);
	for (i = 0; i < cfslb_nr_nodes; i++)
		cpumask_or(waste.left, waste.left, cfslb_nodes[i].idle_cpus);
	set_row(all, now, match(tasks), same);
}

static void step(u64 now)
{
	u32 tasks[CFSLB_NR_CLASSES] = { 0 }, i, class, with_mask = 0;

	for (i = 0; i < cfslb_nr_nodes; i++)
		if (atomic_read(&cfslb_nodes[i].waiting))
			read_tasks(&cfslb_nodes[i], tasks);
	for (class = CFSLB_CLASS_FIRST_MASK; class < CFSLB_NR_CLASSES; class++)
		with_mask += tasks[class];
	if (with_mask) {
		waste.nr_order = cfslb_classes_order(waste.order);
		step_masks(now, tasks);
	} else {
		step_any(now, tasks[CFSLB_CLASS_ANY]);
	}
}

void cfslb_waste_update(void)
{
	raw_spin_lock(&waste.lock);
	WRITE_ONCE(waste.now, true);
	/* Flag before look: who changes the model after our look comes here too. */
	smp_mb();
	step(advance());
	WRITE_ONCE(waste.now, waste.rows[cfslb_nr_nodes].fill);
	raw_spin_unlock(&waste.lock);
}

void cfslb_waste_stop(void)
{
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&waste.lock, flags);
	advance();
	for (i = 0; i <= cfslb_nr_nodes; i++) {
		struct row *row = &waste.rows[i];

		row->fill = 0;
		if (row->episode)
			end_episode(row);
	}
	waste.now = false;
	raw_spin_unlock_irqrestore(&waste.lock, flags);
}

u64 cfslb_waste_read(u64 *to)
{
	unsigned long flags;
	unsigned int i;
	u64 now;

	raw_spin_lock_irqsave(&waste.lock, flags);
	now = advance();
	for (i = 0; i <= cfslb_nr_nodes; i++)
		memcpy(to + i * CFSLB_NR_WASTE_COLUMNS, waste.rows[i].ns, sizeof(waste.rows[i].ns));
	raw_spin_unlock_irqrestore(&waste.lock, flags);
	return now;
}
