// SPDX-License-Identifier: GPL-2.0
/*
 * A model of the run queues. Each CPU's queue has a lock of its own: the kernel's
 * run queue lock orders most events, but not a task's arrival by migration. Only
 * changes of what a CPU shows to its node touch shared memory.
 */
#include <linux/cpu.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include "compat_task.h"
#include "queues.h"
#include "sources.h"
#include "topo.h"
#include "waste.h"

struct queue {
	raw_spinlock_t lock;
	bool online;
	bool idle_runs;			/* the idle task */
	bool shows_idle;		/* counted in the node's idle CPUs */
	bool shows_waiting;		/* its tasks are counted in the node's */
	u16 node;			/* as at load: sums must not change sides */
	u32 total;			/* tasks of any class */
	u32 nr[CFSLB_NR_CLASSES];
};

/* What changed for the node. */
enum { CHANGED_IDLE = 1, CHANGED_WAITING = 2 };

static DEFINE_PER_CPU_SHARED_ALIGNED(struct queue, queues);

struct cfslb_node *cfslb_nodes;

/* Nodes with an idle CPU, with a waiting task: is there anything to compare? */
static atomic_t idle_nodes;
static atomic_t waiting_nodes;

int cfslb_queues_init(void)
{
	unsigned int i;
	int cpu;

	cfslb_nodes = kcalloc(cfslb_nr_nodes, sizeof(*cfslb_nodes), GFP_KERNEL);
	if (!cfslb_nodes)
		return -ENOMEM;
	for (i = 0; i < cfslb_nr_nodes; i++) {
		if (!zalloc_cpumask_var(&cfslb_nodes[i].idle_cpus, GFP_KERNEL)) {
			cfslb_queues_exit();
			return -ENOMEM;
		}
	}
	for_each_possible_cpu(cpu) {
		raw_spin_lock_init(&per_cpu(queues, cpu).lock);
		per_cpu(queues, cpu).node = cfslb_node_of(cpu);
	}
	return 0;
}

void cfslb_queues_exit(void)
{
	unsigned int i;

	for (i = 0; i < cfslb_nr_nodes; i++)
		free_cpumask_var(cfslb_nodes[i].idle_cpus);
	kfree(cfslb_nodes);
}

/* Counts nodes whose sum is not zero; @now is the sum after a change by @by. */
static void count_node(atomic_t *nodes, int now, int by)
{
	if (!now)
		atomic_dec(nodes);
	else if (now == by)
		atomic_inc(nodes);
}

static int change_idle(struct queue *queue, int cpu, bool idle)
{
	struct cfslb_node *node = &cfslb_nodes[queue->node];
	int by = idle ? 1 : -1;

	WRITE_ONCE(queue->shows_idle, idle);
	if (idle)
		cpumask_set_cpu(cpu, node->idle_cpus);
	else
		cpumask_clear_cpu(cpu, node->idle_cpus);
	count_node(&idle_nodes, atomic_add_return(by, &node->idle), by);
	return CHANGED_IDLE;
}

static int show_idle(struct queue *queue, int cpu)
{
	bool idle = queue->online && queue->idle_runs && !queue->total;

	return idle == queue->shows_idle ? 0 : change_idle(queue, cpu, idle);
}

static int show_tasks(struct queue *queue, int class, int by)
{
	struct cfslb_node *node = &cfslb_nodes[queue->node];

	if (class < CFSLB_CLASS_ANY || !by)
		return 0;
	atomic_add(by, &node->by_class[class]);
	count_node(&waiting_nodes, atomic_add_return(by, &node->waiting), by);
	return CHANGED_WAITING;
}

static int change(struct queue *queue, int class, int by)
{
	if (class == CFSLB_NO_CLASS)
		return 0;
	queue->total += by;
	queue->nr[class] += by;
	return queue->shows_waiting ? show_tasks(queue, class, by) : 0;
}

/* After any change of the queue. */
static int show(struct queue *queue, int cpu)
{
	int class, changed = show_idle(queue, cpu);

	if (queue->shows_waiting != queue->idle_runs)
		return changed;
	queue->shows_waiting = !queue->idle_runs;
	if (!queue->total)
		return changed;
	for (class = CFSLB_CLASS_ANY; class < CFSLB_NR_CLASSES; class++)
		changed |= show_tasks(queue, class, queue->shows_waiting ? queue->nr[class] :
							      -(int)queue->nr[class]);
	return changed;
}

/*
 * Waste changes only where idle CPUs and waiting tasks meet. Whoever changes one
 * of two looks at the other afterwards (the atomics are full barriers), so of two
 * concurrent changes at least one sees both.
 */
static void compare(int changed)
{
	if (likely(!changed))
		return;
	if (((changed & CHANGED_IDLE) && atomic_read(&waiting_nodes)) ||
	    ((changed & CHANGED_WAITING) && atomic_read(&idle_nodes)) ||
	    cfslb_waste_now())
		cfslb_waste_update();
}

static int add(int cpu, int class, int by)
{
	struct queue *queue = per_cpu_ptr(&queues, cpu);
	int changed;

	raw_spin_lock(&queue->lock);
	changed = change(queue, class, by);
	changed |= show_idle(queue, cpu);
	raw_spin_unlock(&queue->lock);
	return changed;
}

void cfslb_queue_enter(int cpu, int class)
{
	compare(add(cpu, class, 1));
}

void cfslb_queue_leave(int cpu, int class)
{
	compare(add(cpu, class, -1));
}

void cfslb_queue_move(int from, int leave, int to, int enter)
{
	/* One comparison for both: halfway, the task would be missing or be there twice. */
	int changed = add(to, enter, 1);

	compare(changed | add(from, leave, -1));
}

void cfslb_queue_switch(int leave, int enter, bool idle)
{
	struct queue *queue = this_cpu_ptr(&queues);
	int cpu = smp_processor_id(), changed = 0;

	raw_spin_lock(&queue->lock);
	if (leave != enter) {
		changed |= change(queue, leave, -1);
		changed |= change(queue, enter, 1);
	}
	queue->idle_runs = idle;
	changed |= show(queue, cpu);
	raw_spin_unlock(&queue->lock);
	compare(changed);
}

static void report(void *unused)
{
	cfslb_queue_switch(CFSLB_NO_CLASS, CFSLB_NO_CLASS, cfslb_is_idle(current));
}

void cfslb_queues_start(void)
{
	on_each_cpu(report, NULL, 1);
}

void cfslb_queues_stop(void)
{
	unsigned int i;
	int cpu;

	/* CPU hotplug is the last to change the model. */
	cpus_read_lock();
	for_each_possible_cpu(cpu) {
		struct queue *queue = &per_cpu(queues, cpu);

		queue->idle_runs = false;
		queue->shows_idle = false;
		queue->shows_waiting = false;
		queue->total = 0;
		memset(queue->nr, 0, sizeof(queue->nr));
	}
	for (i = 0; i < cfslb_nr_nodes; i++) {
		struct cfslb_node *node = &cfslb_nodes[i];
		int class;

		atomic_set(&node->idle, 0);
		atomic_set(&node->waiting, 0);
		for (class = 0; class < CFSLB_NR_CLASSES; class++)
			atomic_set(&node->by_class[class], 0);
		cpumask_clear(node->idle_cpus);
	}
	atomic_set(&idle_nodes, 0);
	atomic_set(&waiting_nodes, 0);
	cpus_read_unlock();
}

void cfslb_queue_online(int cpu, bool online)
{
	struct queue *queue = per_cpu_ptr(&queues, cpu);
	unsigned long flags;
	int changed;

	local_irq_save(flags);
	raw_spin_lock(&queue->lock);
	queue->online = online;
	changed = show_idle(queue, cpu);
	raw_spin_unlock(&queue->lock);
	compare(changed);
	local_irq_restore(flags);
}

enum cfslb_cpu_state cfslb_queue_state(int cpu, const struct cpumask *allowed)
{
	const struct queue *queue = &per_cpu(queues, cpu);
	const struct cfslb_node *node = &cfslb_nodes[queue->node];
	unsigned int other, llc = cfslb_places[cpu].llc;

	if (!static_branch_unlikely(&cfslb_wait_on))
		return CFSLB_CPU_UNKNOWN;
	if (READ_ONCE(queue->shows_idle))
		return CFSLB_CPU_IDLE;
	if (!atomic_read(&node->idle))
		return CFSLB_CPU_BUSY;
	for_each_cpu_and(other, node->idle_cpus, allowed)
		if (cfslb_places[other].llc == llc)
			return CFSLB_CPU_BUSY_LLC_IDLE;
	return CFSLB_CPU_BUSY;
}
