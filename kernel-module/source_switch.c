// SPDX-License-Identifier: GPL-2.0
/*
 * sched_switch and sched_wakeup: what runs and what waits. The run queue's lock
 * is held, except where a task wakes itself.
 */
#include <linux/moduleparam.h>
#include <linux/tracepoint.h>
#include "compat_trace.h"
#include "queues.h"
#include "sources.h"
#include "trace.h"
#include "waiters.h"
#include "waste.h"

static unsigned int max_waiters = 65536;
module_param_named(waiters, max_waiters, uint, 0444);
MODULE_PARM_DESC(waiters, "level 2: tasks that may wait at a time (default 65536, 32 bytes each)");

DEFINE_STATIC_KEY_FALSE(cfslb_wait_on);

static void on_switch(void *data, bool preempt, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state)
{
	cfslb_waiter_switch(prev, next);
}

/* Before 5.18. */
static void on_switch_short(void *data, bool preempt, struct task_struct *prev,
			    struct task_struct *next)
{
	cfslb_waiter_switch(prev, next);
}

static void on_wakeup(void *data, struct task_struct *p)
{
	cfslb_waiter_woken(p);
}

/* sched_switch first: whoever starts to wait is seen when it runs. */
static struct cfslb_probe probes[] = {
	{ .event = "sched_switch" },
	{ .event = "sched_wakeup" },
};

int cfslb_switch_attach(void)
{
	int err = cfslb_waiters_alloc(clamp(max_waiters, 64u, 1u << 22));

	if (err)
		return err;
	probes[0].probe = CFSLB_PROBE2(sched_switch, on_switch, on_switch_short);
	probes[1].probe = CFSLB_PROBE(sched_wakeup, on_wakeup);
	err = cfslb_trace_attach(probes, ARRAY_SIZE(probes));
	if (err) {
		tracepoint_synchronize_unregister();
		cfslb_switch_forget();
		return err;
	}
	static_branch_enable(&cfslb_wait_on);
	cfslb_queues_start();
	return 0;
}

void cfslb_switch_detach(void)
{
	static_branch_disable(&cfslb_wait_on);
	cfslb_trace_detach(probes, ARRAY_SIZE(probes));
}

void cfslb_switch_forget(void)
{
	cfslb_waste_stop();
	cfslb_queues_stop();
	cfslb_waiters_free();
}
