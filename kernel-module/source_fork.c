// SPDX-License-Identifier: GPL-2.0
/*
 * sched_wakeup_new: a new task is on its first run queue, whose lock is held.
 * Its placement is no migration for the kernel: sched_migrate_task is silent.
 */
#include "compat_task.h"
#include "compat_trace.h"
#include "place.h"
#include "sources.h"
#include "trace.h"
#include "waiters.h"

static void on_wakeup_new(void *data, struct task_struct *p)
{
	/* Set to the parent's CPU just before a CPU is chosen. */
	int prev = p->recent_used_cpu;

	if (!cfslb_task_rt(p))
		cfslb_place_fork(p, prev);
	if (static_branch_unlikely(&cfslb_wait_on))
		cfslb_waiter_fork(p, prev);
}

static struct cfslb_probe probe = { .event = "sched_wakeup_new" };

int cfslb_fork_attach(void)
{
	probe.probe = CFSLB_PROBE(sched_wakeup_new, on_wakeup_new);
	return cfslb_trace_attach(&probe, 1);
}

void cfslb_fork_detach(void)
{
	cfslb_trace_detach(&probe, 1);
}
