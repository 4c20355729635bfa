/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tasks that wait for a CPU, from the moment that a wake-up or fork begins or that
 * they are preempted, until they run. All but init functions run in probes.
 */
#ifndef CFSLB_WAITERS_H
#define CFSLB_WAITERS_H

#include <linux/sched.h>

/* Room for @nr tasks at a time. Return: 0 or -ENOMEM. May sleep. */
int cfslb_waiters_alloc(unsigned int nr);
void cfslb_waiters_free(void);

/* Tasks that were left out because there was no room. */
u64 cfslb_waiters_missed(void);

/* A wake-up begins on this CPU. */
void cfslb_waiter_waking(struct task_struct *p);

/* It put @p on a queue, whose lock is held, or found it there. */
void cfslb_waiter_woken(struct task_struct *p);

/* A new task is on its first queue, whose lock is held; its parent was on @prev. */
void cfslb_waiter_fork(struct task_struct *p, int prev);

/* @p is about to change to the queue of @dst. */
void cfslb_waiter_migrate(struct task_struct *p, int dst);

/* This CPU switches from @prev to @next. */
void cfslb_waiter_switch(struct task_struct *prev, struct task_struct *next);

#endif
