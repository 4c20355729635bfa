/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where wake-ups, forks and execs put tasks. Tasks of the fair class only.
 */
#ifndef CFSLB_PLACE_H
#define CFSLB_PLACE_H

#include <linux/sched.h>

/* From sched_waking: a CPU will be chosen for @p, unless it never left its queue. */
void cfslb_place_waking(const struct task_struct *p);

/* From sched_migrate_task: the wake-up of @p chose @dst, which is not its last CPU. */
void cfslb_place_moved(const struct task_struct *p, int dst);

void cfslb_place_fork(const struct task_struct *p, int prev);

/* From sched_migrate_task: exec moves @p. */
void cfslb_place_exec_moved(const struct task_struct *p, int dst);

/* From sched_process_exec: it was moved before or stays here. */
void cfslb_place_exec(const struct task_struct *p);

#endif
