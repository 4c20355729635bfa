/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What kernels store differently in struct task_struct. Kbuild looks into the
 * headers and defines CFSLB_HAVE_*.
 */
#ifndef CFSLB_COMPAT_TASK_H
#define CFSLB_COMPAT_TASK_H

#include <linux/cpumask.h>
#include <linux/sched.h>
#include <linux/sched/prio.h>
#include "requires.h"

static inline unsigned int cfslb_task_state(const struct task_struct *p)
{
#ifdef CFSLB_HAVE_TASK___STATE
	return READ_ONCE(p->__state);
#else
	return READ_ONCE(p->state);
#endif
}

/* Blocked, but left on its queue until the queue would pick it. */
static inline bool cfslb_task_delayed(const struct task_struct *p)
{
#ifdef CFSLB_HAVE_SCHED_DELAYED
	return p->se.sched_delayed;
#else
	return false;
#endif
}

/* On a run queue and wanting to run. */
static inline bool cfslb_task_runnable(const struct task_struct *p)
{
	return READ_ONCE(p->on_rq) && !cfslb_task_delayed(p);
}

static inline bool cfslb_task_core_cookie(const struct task_struct *p)
{
#if defined(CFSLB_HAVE_CORE_COOKIE) && defined(CONFIG_SCHED_CORE)
	return p->core_cookie;
#else
	return false;
#endif
}

static inline bool cfslb_task_in_execve(const struct task_struct *p)
{
#ifdef CFSLB_HAVE_IN_EXECVE
	return p->in_execve;
#else
	return false;
#endif
}

/* migrate_disable() points cpus_ptr away from the task's own mask. */
static inline bool cfslb_task_pinned(const struct task_struct *p)
{
	return p->nr_cpus_allowed == 1 || p->cpus_ptr != &p->cpus_mask;
}

/* A throttled group's entity is off its queue; its tasks still look runnable. */
static inline bool cfslb_task_throttled(const struct task_struct *p)
{
#ifdef CONFIG_FAIR_GROUP_SCHED
	const struct sched_entity *se;

	for (se = p->se.parent; se; se = se->parent)
		if (!READ_ONCE(se->on_rq))
			return true;
#endif
	return false;
}

/* Of the real-time or deadline class now, by priority inheritance too. */
static inline bool cfslb_task_rt(const struct task_struct *p)
{
	return p->prio < MAX_RT_PRIO;
}

static inline bool cfslb_is_idle(const struct task_struct *p)
{
	return !p->pid;
}

#endif
