// SPDX-License-Identifier: GPL-2.0
/*
 * sched_migrate_task: a task is about to change its CPU. Interrupts are off and
 * the run queue's lock or the task's pi_lock is held.
 */
#include "compat_task.h"
#include "compat_trace.h"
#include "counters.h"
#include "marks.h"
#include "place.h"
#include "reason.h"
#include "sources.h"
#include "topo.h"
#include "trace.h"
#include "waiters.h"

static void count_numa(enum cfslb_reason reason, u32 nodes)
{
	if (reason == CFSLB_NUMA_MOVE)
		cfslb_inc(CFSLB_T_NUMA, nodes, CFSLB_NUMA_MOVE_DONE);
	else if (reason == CFSLB_NUMA_SWAP)
		cfslb_inc(CFSLB_T_NUMA, nodes, CFSLB_NUMA_SWAP_DONE);
}

static void on_migrate(void *data, struct task_struct *p, int dst)
{
	int src = task_cpu(p);
	enum cfslb_reason reason = cfslb_reason_of(p, src, dst);
	u32 nodes = cfslb_node_of(src) * cfslb_nr_nodes + cfslb_node_of(dst);

	cfslb_inc(CFSLB_T_MIGRATE, dst, reason);
	cfslb_inc(CFSLB_T_DISTANCE, reason, cfslb_distance(src, dst));
	cfslb_inc(CFSLB_T_MATRIX, nodes, reason);
	count_numa(reason, nodes);

	/* The state of the new CPU counts without this task: place before wait. */
	if (static_branch_unlikely(&cfslb_place_on)) {
		if (cfslb_task_state(p) == TASK_WAKING)
			cfslb_place_moved(p, dst);
		else if (reason == CFSLB_EXEC)
			cfslb_place_exec_moved(p, dst);
	}
	if (static_branch_unlikely(&cfslb_wait_on))
		cfslb_waiter_migrate(p, dst);
}

static struct cfslb_probe probe = { .event = "sched_migrate_task" };

int cfslb_migrate_attach(void)
{
	probe.probe = CFSLB_PROBE(sched_migrate_task, on_migrate);
	return cfslb_trace_attach(&probe, 1);
}

void cfslb_migrate_detach(void)
{
	cfslb_trace_detach(&probe, 1);
}
