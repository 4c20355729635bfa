/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why a task changes its CPU, told from where the migration happens.
 */
#ifndef CFSLB_REASON_H
#define CFSLB_REASON_H

#include <linux/percpu.h>
#include <linux/sched.h>
#include "uapi/cfslb.h"

/*
 * The balancing pass that runs on this CPU, while the balancer's probe is on.
 * @task tells passes of a preempted task apart where softirqs are preemptible.
 */
struct cfslb_pass {
	const struct task_struct *task;	/* NULL: none */
	int cpu;			/* that the pass pulls for */
	enum cfslb_idle_type idle;
	u64 calls;			/* passes so far */
};

DECLARE_PER_CPU(struct cfslb_pass, cfslb_pass);

/*
 * From a probe of sched_migrate_task: @p goes from @src to @dst.
 */
enum cfslb_reason cfslb_reason_of(struct task_struct *p, int src, int dst);

#endif
