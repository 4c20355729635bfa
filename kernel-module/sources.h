/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sources of events. Each attaches its probes or fails and leaves none.
 * All may sleep. After detach a probe may still be running until
 * tracepoint_synchronize_unregister() has returned, which levels.c calls.
 */
#ifndef CFSLB_SOURCES_H
#define CFSLB_SOURCES_H

#include <linux/jump_label.h>
#include <linux/types.h>

/* Level 0 */
int cfslb_migrate_attach(void);		/* sched_migrate_task */
void cfslb_migrate_detach(void);
int cfslb_fork_attach(void);		/* sched_wakeup_new */
void cfslb_fork_detach(void);
int cfslb_numa_attach(void);		/* sched_move_numa, sched_swap_numa, sched_stick_numa */
void cfslb_numa_detach(void);
bool cfslb_numa_tells_no_cpu(void);

/* Level 1 */
int cfslb_waking_attach(void);		/* sched_waking, sched_process_exec */
void cfslb_waking_detach(void);

/* Level 2 */
int cfslb_switch_attach(void);		/* sched_switch, sched_wakeup */
void cfslb_switch_detach(void);
void cfslb_switch_forget(void);		/* when no probe runs any more */

/* lb */
int cfslb_lb_attach(void);		/* load_balance or sched_balance_rq */
void cfslb_lb_detach(void);
u64 cfslb_lb_missed(void);
const char *cfslb_lb_symbol(void);	/* NULL while it is off */
int cfslb_newidle_attach(void);		/* newidle_balance or sched_balance_newidle */
void cfslb_newidle_detach(void);
u64 cfslb_newidle_missed(void);
const char *cfslb_newidle_symbol(void);
int cfslb_nohz_attach(void);		/* _nohz_idle_balance or nohz_idle_balance */
void cfslb_nohz_detach(void);
u64 cfslb_nohz_missed(void);
const char *cfslb_nohz_symbol(void);

/* On while the source that feeds them is: what the migration probe passes on. */
DECLARE_STATIC_KEY_FALSE(cfslb_place_on);
DECLARE_STATIC_KEY_FALSE(cfslb_wait_on);

#endif
