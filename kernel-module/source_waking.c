// SPDX-License-Identifier: GPL-2.0
/*
 * sched_waking: a wake-up begins on this CPU, no CPU is chosen yet; the task's
 * pi_lock is held unless it wakes itself. sched_process_exec: an exec succeeded.
 */
#include "compat_trace.h"
#include "place.h"
#include "sources.h"
#include "trace.h"
#include "waiters.h"

DEFINE_STATIC_KEY_FALSE(cfslb_place_on);

static void on_waking(void *data, struct task_struct *p)
{
	cfslb_place_waking(p);
	if (static_branch_unlikely(&cfslb_wait_on))
		cfslb_waiter_waking(p);
}

static void on_exec(void *data, struct task_struct *p, pid_t old_pid, struct linux_binprm *bprm)
{
	cfslb_place_exec(p);
}

static struct cfslb_probe probes[] = {
	{ .event = "sched_waking" },
	{ .event = "sched_process_exec" },
};

int cfslb_waking_attach(void)
{
	int err;

	probes[0].probe = CFSLB_PROBE(sched_waking, on_waking);
	probes[1].probe = CFSLB_PROBE(sched_process_exec, on_exec);
	err = cfslb_trace_attach(probes, ARRAY_SIZE(probes));
	if (!err)
		static_branch_enable(&cfslb_place_on);
	return err;
}

void cfslb_waking_detach(void)
{
	static_branch_disable(&cfslb_place_on);
	cfslb_trace_detach(probes, ARRAY_SIZE(probes));
}
