// SPDX-License-Identifier: GPL-2.0
/*
 * Tasks that wait for a CPU: a hash table of fixed size, because probes cannot
 * allocate. Events of one task are ordered by its pi_lock and its run queue's
 * lock, so its entry has one user at a time; only free places are contended.
 * The task pointer is a key and is dereferenced only for a task that the kernel
 * handed to the probe.
 */
#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched/clock.h>
#include "classes.h"
#include "compat_task.h"
#include "counters.h"
#include "queues.h"
#include "topo.h"
#include "waiters.h"

#define WAYS 4		/* entries that share a hash */
#define NOT_QUEUED -1

struct waiter {
	unsigned long task;	/* 0: free */
	u64 since;		/* the wake-up or fork began; 0: preempted, or not fair */
	s16 cpu;		/* of the queue, or NOT_QUEUED */
	s16 prev;		/* CPU before the wake-up */
	s16 waker;		/* CPU of the wake-up */
	u8 class;
	u8 row;			/* of the table waitlat */
} __aligned(32);

static struct waiter *waiters;
static unsigned int hash_bits;
static atomic64_t missed;

int cfslb_waiters_alloc(unsigned int nr)
{
	unsigned int sets = roundup_pow_of_two(max(nr / WAYS, 1u));

	waiters = kvcalloc(sets * WAYS, sizeof(*waiters), GFP_KERNEL);
	hash_bits = ilog2(sets);
	return waiters ? 0 : -ENOMEM;
}

void cfslb_waiters_free(void)
{
	kvfree(waiters);
	waiters = NULL;
}

u64 cfslb_waiters_missed(void)
{
	return atomic64_read(&missed);
}

static struct waiter *set_of(const struct task_struct *p)
{
	/* hash_ptr() with no bits would shift by the width of its type. */
	return waiters + (hash_bits ? hash_ptr((void *)p, hash_bits) : 0) * WAYS;
}

static struct waiter *find(const struct task_struct *p)
{
	struct waiter *waiter = set_of(p);
	int i;

	for (i = 0; i < WAYS; i++, waiter++)
		if (READ_ONCE(waiter->task) == (unsigned long)p)
			return waiter;
	return NULL;
}

/* The entry of @p, or a new one that belongs to no queue, or NULL if there is no room. */
static struct waiter *find_or_add(const struct task_struct *p)
{
	struct waiter *first = set_of(p), *waiter, *free = NULL;

	for (waiter = first; waiter < first + WAYS; waiter++) {
		unsigned long task = READ_ONCE(waiter->task);

		if (task == (unsigned long)p)
			return waiter;
		if (!task && !free)
			free = waiter;
	}
	/* Others look for a place as well; nobody else adds this task. */
	for (waiter = free; waiter && waiter < first + WAYS; waiter++) {
		if (cmpxchg(&waiter->task, 0, (unsigned long)p))
			continue;
		waiter->cpu = NOT_QUEUED;
		waiter->since = 0;
		return waiter;
	}
	atomic64_inc(&missed);
	return NULL;
}

static void drop(struct waiter *waiter)
{
	/* Pairs with cmpxchg() in find_or_add(): this user is done first. */
	smp_store_release(&waiter->task, 0);
}

static void leave_queue(struct waiter *waiter)
{
	if (waiter->cpu != NOT_QUEUED)
		cfslb_queue_leave(waiter->cpu, waiter->class);
	waiter->cpu = NOT_QUEUED;
}

static void enter_queue(struct waiter *waiter, const struct task_struct *p, int cpu)
{
	waiter->class = cfslb_class_of(p);
	waiter->cpu = cpu;
	cfslb_queue_enter(cpu, waiter->class);
}

void cfslb_waiter_waking(struct task_struct *p)
{
	struct waiter *waiter;

	if (p == current || cfslb_task_runnable(p))
		return;
	waiter = find_or_add(p);
	if (!waiter)
		return;
	leave_queue(waiter);
	waiter->since = cfslb_task_rt(p) ? 0 : local_clock();
	waiter->prev = task_cpu(p);
	waiter->waker = smp_processor_id();
}

static void set_row(struct waiter *waiter, int kind, int cpu)
{
	waiter->row = kind * CFSLB_NR_DISTANCES + cfslb_distance(waiter->prev, cpu);
}

void cfslb_waiter_woken(struct task_struct *p)
{
	int cpu = task_cpu(p), kind = CFSLB_MOVED;
	struct waiter *waiter;

	/* It slept in name only: it still runs. */
	if (p == current || READ_ONCE(p->on_cpu))
		return;
	waiter = find_or_add(p);
	if (!waiter || waiter->cpu != NOT_QUEUED)
		return;
	if (waiter->since) {
		if (cpu == waiter->prev)
			kind = CFSLB_KEPT_PREV;
		else if (cpu == waiter->waker)
			kind = CFSLB_TO_WAKER;
		set_row(waiter, kind, cpu);
	}
	enter_queue(waiter, p, cpu);
}

void cfslb_waiter_fork(struct task_struct *p, int prev)
{
	struct waiter *waiter = find_or_add(p);

	if (!waiter)
		return;
	leave_queue(waiter);
	waiter->since = cfslb_task_rt(p) ? 0 : local_clock();
	waiter->prev = prev;
	set_row(waiter, CFSLB_WAITLAT_FORK, task_cpu(p));
	enter_queue(waiter, p, task_cpu(p));
}

void cfslb_waiter_migrate(struct task_struct *p, int dst)
{
	struct waiter *waiter = find(p);
	int src, class;

	if (!waiter || waiter->cpu == NOT_QUEUED)
		return;
	src = waiter->cpu;
	class = waiter->class;
	waiter->cpu = dst;
	waiter->class = cfslb_class_of(p);
	cfslb_queue_move(src, class, dst, waiter->class);
}

static void count_latency(const struct waiter *waiter)
{
	s64 ns = local_clock() - waiter->since;
	int bucket = ns > 0 ? fls64(ns) - CFSLB_WAIT_SHIFT : 0;

	cfslb_inc(CFSLB_T_WAITLAT, waiter->row, clamp(bucket, 0, CFSLB_NR_WAIT_BUCKETS - 1));
}

/* Return: the class that leaves this CPU's queue, or CFSLB_NO_CLASS. */
static int start_running(struct task_struct *p)
{
	struct waiter *waiter = find(p);
	int class = CFSLB_NO_CLASS;

	if (!waiter)
		return class;
	if (waiter->since)
		count_latency(waiter);
	if (waiter->cpu == smp_processor_id())
		class = waiter->class;
	else
		leave_queue(waiter);
	drop(waiter);
	return class;
}

/* Return: the class that enters this CPU's queue, or CFSLB_NO_CLASS. */
static int stop_running(struct task_struct *p)
{
	struct waiter *waiter;

	if (!cfslb_task_runnable(p))
		return CFSLB_NO_CLASS;
	waiter = find_or_add(p);
	if (!waiter)
		return CFSLB_NO_CLASS;
	leave_queue(waiter);
	waiter->since = 0;
	waiter->cpu = smp_processor_id();
	waiter->class = cfslb_class_of(p);
	return waiter->class;
}

void cfslb_waiter_switch(struct task_struct *prev, struct task_struct *next)
{
	int leave = CFSLB_NO_CLASS, enter = CFSLB_NO_CLASS;

	if (!cfslb_is_idle(next))
		leave = start_running(next);
	if (!cfslb_is_idle(prev))
		enter = stop_running(prev);
	cfslb_queue_switch(leave, enter, cfslb_is_idle(next));
}
