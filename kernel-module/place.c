// SPDX-License-Identifier: GPL-2.0
/*
 * Where wake-ups, forks and execs put tasks.
 *
 * No event says that a wake-up stays on the task's last CPU. So each wake-up
 * counts as kept when it starts; one that moves follows at once on this CPU,
 * counts as moved and is subtracted. Counters never go back.
 */
#include <linux/percpu.h>
#include "compat_task.h"
#include "counters.h"
#include "marks.h"
#include "place.h"
#include "queues.h"

/* The last wake-up that this CPU began, and the state of the task's last CPU then. */
struct wakeup {
	const struct task_struct *task;
	enum cfslb_cpu_state state;
};

static DEFINE_PER_CPU(struct wakeup, last_wakeup);

static void count(enum cfslb_place_kind kind, enum cfslb_placement placement,
		  enum cfslb_cpu_state state)
{
	cfslb_inc(CFSLB_T_PLACE, kind, CFSLB_PLACE_FIRST + placement * CFSLB_NR_CPU_STATES + state);
}

void cfslb_place_waking(const struct task_struct *p)
{
	struct wakeup *last = this_cpu_ptr(&last_wakeup);

	if (p == current || cfslb_task_runnable(p) || cfslb_task_rt(p)) {
		last->task = NULL;
		return;
	}
	last->task = p;
	last->state = cfslb_queue_state(task_cpu(p), p->cpus_ptr);
	count(CFSLB_PLACE_WAKE, CFSLB_KEPT_PREV, last->state);
}

void cfslb_place_moved(const struct task_struct *p, int dst)
{
	struct wakeup *last = this_cpu_ptr(&last_wakeup);

	if (cfslb_task_rt(p))
		return;
	if (last->task == p) {
		cfslb_inc(CFSLB_T_PLACE, CFSLB_PLACE_WAKE, CFSLB_PLACE_NOT_KEPT + last->state);
		last->task = NULL;
	}
	count(CFSLB_PLACE_WAKE, dst == smp_processor_id() ? CFSLB_TO_WAKER : CFSLB_MOVED,
	      cfslb_queue_state(dst, p->cpus_ptr));
}

void cfslb_place_fork(const struct task_struct *p, int prev)
{
	int cpu = task_cpu(p);
	enum cfslb_placement placement = CFSLB_MOVED;

	if (cpu == prev)
		placement = CFSLB_KEPT_PREV;
	else if (cpu == smp_processor_id())
		placement = CFSLB_TO_WAKER;
	count(CFSLB_PLACE_FORK, placement, cfslb_queue_state(cpu, p->cpus_ptr));
}

void cfslb_place_exec_moved(const struct task_struct *p, int dst)
{
	count(CFSLB_PLACE_EXEC, CFSLB_MOVED, cfslb_queue_state(dst, p->cpus_ptr));
	cfslb_mark_set(p, CFSLB_MARK_EXEC, dst);
}

void cfslb_place_exec(const struct task_struct *p)
{
	if (cfslb_task_rt(p))
		return;
	if (cfslb_mark_take(p, task_cpu(p)) != CFSLB_MARK_EXEC)
		count(CFSLB_PLACE_EXEC, CFSLB_KEPT_PREV, CFSLB_CPU_UNKNOWN);
}
