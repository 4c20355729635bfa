// SPDX-License-Identifier: GPL-2.0
/*
 * Why a task changes its CPU. The kernel does not say; who moves it, from which
 * context, and whether the task may stay where it is, do. First match wins.
 */
#include <linux/preempt.h>
#include <linux/string.h>
#include "compat_task.h"
#include "marks.h"
#include "reason.h"

DEFINE_PER_CPU(struct cfslb_pass, cfslb_pass);

/*
 * The per-CPU threads that run stop_one_cpu() work; no other thread has this name. One
 * that has none left and goes to sleep is like any other task.
 */
static bool current_is_stopper(void)
{
	return (current->flags & PF_KTHREAD) && !current->prio &&
	       cfslb_task_state(current) == TASK_RUNNING &&
	       !memcmp(current->comm, "migration/", 10);
}

static enum cfslb_reason pass_reason(const struct cfslb_pass *pass)
{
	if (pass->idle == CFSLB_IDLE_NEWIDLE)
		return CFSLB_NEWIDLE;
	if (pass->cpu != smp_processor_id())
		return CFSLB_NOHZ;
	return pass->idle == CFSLB_IDLE_IDLE ? CFSLB_PERIODIC_IDLE : CFSLB_PERIODIC_BUSY;
}

/* Without the balancer's probe: a pass for another CPU is the nohz balancer's. */
static enum cfslb_reason softirq_reason(int dst)
{
	if (dst != smp_processor_id())
		return CFSLB_NOHZ;
	return cfslb_is_idle(current) ? CFSLB_PERIODIC_IDLE : CFSLB_PERIODIC_BUSY;
}

static enum cfslb_reason stopper_reason(struct task_struct *p, int src, int dst)
{
	enum cfslb_mark mark;

	if (!cpu_active(src))
		return CFSLB_HOTPLUG;
	if (!cpumask_test_cpu(src, p->cpus_ptr))
		return CFSLB_AFFINITY;
	mark = cfslb_mark_take(p, dst);
	if (mark == CFSLB_MARK_NUMA_MOVE)
		return CFSLB_NUMA_MOVE;
	if (mark == CFSLB_MARK_NUMA_SWAP)
		return CFSLB_NUMA_SWAP;
	return cfslb_task_in_execve(p) ? CFSLB_EXEC : CFSLB_ACTIVE;
}

/* This CPU is about to go idle: nothing else pulls to it outside softirqs. */
static bool newly_idle(void)
{
	return cfslb_is_idle(current) || cfslb_task_state(current) != TASK_RUNNING ||
	       cfslb_task_throttled(current);
}

enum cfslb_reason cfslb_reason_of(struct task_struct *p, int src, int dst)
{
	const struct cfslb_pass *pass = this_cpu_ptr(&cfslb_pass);

	if (cfslb_task_rt(p))
		return CFSLB_RT_DL;
	if (cfslb_task_state(p) == TASK_WAKING)
		return CFSLB_WAKE;
	if (pass->task == current)
		return pass_reason(pass);
	if (in_serving_softirq())
		return softirq_reason(dst);
	if (current_is_stopper())
		return stopper_reason(p, src, dst);
	if (!cpu_active(src))
		return CFSLB_HOTPLUG;
	if (!cpumask_test_cpu(src, p->cpus_ptr))
		return CFSLB_AFFINITY;
	if (dst == smp_processor_id() && newly_idle())
		return CFSLB_NEWIDLE;
	return cfslb_task_core_cookie(p) ? CFSLB_CORE : CFSLB_OTHER;
}
