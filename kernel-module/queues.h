/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A model of the run queues, kept from events: which CPUs are idle, how many
 * tasks of which class wait where.
 *
 * A CPU is idle while its idle task runs and no task is on its queue. A task
 * waits while it is runnable and not running; one that waits on a CPU whose idle
 * task still runs is about to run, and is not counted as waiting.
 *
 * All functions but start, stop and online run in probes: interrupts are off.
 */
#ifndef CFSLB_QUEUES_H
#define CFSLB_QUEUES_H

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include "classes.h"
#include "uapi/cfslb.h"

#define CFSLB_NO_CLASS (-1)

/* Sums over a node's CPUs. */
struct cfslb_node {
	atomic_t idle;				/* CPUs */
	atomic_t waiting;			/* tasks of all judged classes */
	atomic_t by_class[CFSLB_NR_CLASSES];
	cpumask_var_t idle_cpus;
} ____cacheline_aligned_in_smp;

extern struct cfslb_node *cfslb_nodes;	/* cfslb_nr_nodes of them */

/* Needs topo. Return: 0 or -ENOMEM. */
int cfslb_queues_init(void);
void cfslb_queues_exit(void);

/* All CPUs report their state. Probes are attached. May sleep. */
void cfslb_queues_start(void);

/* Forgets everything. No probe runs any more. */
void cfslb_queues_stop(void);

/* From CPU hotplug. */
void cfslb_queue_online(int cpu, bool online);

void cfslb_queue_enter(int cpu, int class);
void cfslb_queue_leave(int cpu, int class);

/* A task that waited as @leave on @from waits as @enter on @to. */
void cfslb_queue_move(int from, int leave, int to, int enter);

/**
 * cfslb_queue_switch() - this CPU switches tasks
 * @leave: class of the task that starts to run, if it waited here, or CFSLB_NO_CLASS
 * @enter: class of the task that stops running, if it stays on the queue
 * @idle: the task that starts to run is the idle task
 */
void cfslb_queue_switch(int leave, int enter, bool idle);

/* What a task with these @allowed CPUs finds on @cpu. Any context. */
enum cfslb_cpu_state cfslb_queue_state(int cpu, const struct cpumask *allowed);

#endif
