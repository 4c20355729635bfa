/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Notes on single tasks that one event leaves for a later one.
 */
#ifndef CFSLB_MARKS_H
#define CFSLB_MARKS_H

#include <linux/sched.h>

enum cfslb_mark {
	CFSLB_MARK_NONE,
	CFSLB_MARK_NUMA_MOVE,	/* NUMA balancing asked for this move */
	CFSLB_MARK_NUMA_SWAP,
	CFSLB_MARK_EXEC,	/* exec moved it */
};

/*
 * A later note on the same task replaces this one, and so may one on another
 * task: notes are few and live for microseconds. Any context.
 */
void cfslb_mark_set(const struct task_struct *p, enum cfslb_mark mark, int cpu);

/* The note on @p if it is about @cpu; it is gone afterwards. */
enum cfslb_mark cfslb_mark_take(const struct task_struct *p, int cpu);

#endif
