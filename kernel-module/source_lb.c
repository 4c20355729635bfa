// SPDX-License-Identifier: GPL-2.0
/*
 * One balancing pass over one domain: load_balance() or, from 6.10,
 * sched_balance_rq(). Its arguments say which, its return value how many tasks
 * came; why none came shows in the domain's own counters while schedstats are on.
 */
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched/clock.h>
#include "compat_domain.h"
#include "counters.h"
#include "domains.h"
#include "levels.h"
#include "probe.h"
#include "reason.h"
#include "sources.h"
#include "topo.h"

/* int f(int this_cpu, struct rq *, struct sched_domain *, enum cpu_idle_type, int *) */
static const char *const names[] = { "load_balance", "sched_balance_rq", NULL };

struct call {
	struct sched_domain *sd;
	int *go_on;		/* the caller's variable: cleared if this CPU is not designated */
	u64 start;
	unsigned long idle;
	unsigned int nr_failed;
	int cpu;
	struct cfslb_sd_stats stats;
};

static const char *symbol;

static int on_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct cfslb_pass *pass = this_cpu_ptr(&cfslb_pass);
	struct call *call = (struct call *)ri->data;

	call->cpu = (int)regs_get_kernel_argument(regs, 0);
	call->sd = (struct sched_domain *)regs_get_kernel_argument(regs, 2);
	call->idle = (unsigned int)regs_get_kernel_argument(regs, 3);
	call->go_on = (int *)regs_get_kernel_argument(regs, 4);
	if (call->idle >= CPU_MAX_IDLE_TYPES)
		return 1;
	call->nr_failed = READ_ONCE(call->sd->nr_balance_failed);
	cfslb_sd_read(call->sd, call->idle, &call->stats);
	cfslb_nohz_pass(call->cpu, call->idle);

	pass->cpu = call->cpu;
	pass->idle = cfslb_idle_type(call->idle);
	pass->calls++;
	pass->task = current;
	call->start = local_clock();
	return 0;
}

/*
 * No task came: why. The kernel counts it in the domain, where the nohz balancer of
 * another CPU may pass at the same time; what this pass ended with is among the
 * differences in any case.
 */
static enum cfslb_lb_column outcome(const struct call *call, const struct cfslb_sd_stats *now)
{
	const struct cfslb_sd_stats *then = &call->stats;
	unsigned int ended;

	if (!READ_ONCE(*call->go_on))
		return CFSLB_LB_NOT_DESIGNATED;
	ended = (now->balanced - then->balanced) + (now->failed - then->failed);
	/* Schedstats are off: */
	if (!ended)
		return READ_ONCE(call->sd->nr_balance_failed) - call->nr_failed == 1 ?
		       CFSLB_LB_FAILED : CFSLB_LB_UNEXPLAINED;
	cfslb_saw(CFSLB_F_STATS);
	cfslb_saw(CFSLB_F_OUTCOME);
	/* One pass ended, this one, or all that did ended alike. */
	if (now->nobusyg - then->nobusyg == ended)
		return CFSLB_LB_NO_GROUP;
	if (now->nobusyq - then->nobusyq == ended)
		return CFSLB_LB_NO_QUEUE;
	if (now->failed - then->failed == ended)
		return CFSLB_LB_FAILED;
	if (ended == 1)
		return CFSLB_LB_ALL_PINNED;
	return CFSLB_LB_UNEXPLAINED;
}

static int on_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct call *call = (struct call *)ri->data;
	int moved = (int)regs_return_value(regs);
	struct cfslb_sd_stats now;
	u32 row;

	this_cpu_write(cfslb_pass.task, NULL);
	row = cfslb_domain_row(call->sd, cfslb_idle_type(call->idle));
	cfslb_inc(CFSLB_T_LB, row, CFSLB_LB_CALLS);
	cfslb_add(CFSLB_T_LB, row, CFSLB_LB_TIME_NS, local_clock() - call->start);
	cfslb_sd_read(call->sd, call->idle, &now);
	if (moved > 0) {
		cfslb_inc(CFSLB_T_LB, row, CFSLB_LB_PULLED_CALLS);
		cfslb_add(CFSLB_T_LB, row, CFSLB_LB_PULLED_TASKS, moved);
	} else {
		cfslb_inc(CFSLB_T_LB, row, outcome(call, &now));
	}
	cfslb_domain_seen(call->sd, call->cpu, &now);
	return 0;
}

static struct kretprobe probe = {
	.entry_handler = on_entry,
	.handler = on_return,
	.data_size = sizeof(struct call),
};

int cfslb_lb_attach(void)
{
	/* Two passes a CPU: one may interrupt another where softirqs are threads. */
	probe.maxactive = 2 * num_possible_cpus();
	return cfslb_kretprobe_attach(&probe, names, &symbol);
}

void cfslb_lb_detach(void)
{
	int cpu;

	if (!symbol)
		return;
	unregister_kretprobe(&probe);
	symbol = NULL;
	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu(cfslb_pass, cpu).task, NULL);
	cfslb_domains_forget();
}

u64 cfslb_lb_missed(void)
{
	return symbol ? probe.nmissed + probe.kp.nmissed : 0;
}

const char *cfslb_lb_symbol(void)
{
	return symbol;
}
