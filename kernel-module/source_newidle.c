// SPDX-License-Identifier: GPL-2.0
/*
 * A CPU about to go idle looks for work: newidle_balance() or
 * sched_balance_newidle(), which passes over its domains or decides not to.
 */
#include <linux/ptrace.h>
#include <linux/sched/clock.h>
#include "counters.h"
#include "probe.h"
#include "reason.h"
#include "sources.h"

/* int f(struct rq *, struct rq_flags *) */
static const char *const names[] = { "newidle_balance", "sched_balance_newidle", NULL };

struct call {
	u64 start;
	u64 passes;	/* of this CPU so far */
};

static const char *symbol;

static int on_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct call *call = (struct call *)ri->data;

	call->passes = this_cpu_read(cfslb_pass.calls);
	call->start = local_clock();
	return 0;
}

static int on_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct call *call = (struct call *)ri->data;

	cfslb_inc(CFSLB_T_NEWIDLE, 0, CFSLB_NEWIDLE_TRIES);
	cfslb_add(CFSLB_T_NEWIDLE, 0, CFSLB_NEWIDLE_TIME_NS, local_clock() - call->start);
	if (call->passes == this_cpu_read(cfslb_pass.calls))
		cfslb_inc(CFSLB_T_NEWIDLE, 0, CFSLB_NEWIDLE_SKIPPED);
	else if ((int)regs_return_value(regs) > 0)
		cfslb_inc(CFSLB_T_NEWIDLE, 0, CFSLB_NEWIDLE_PULLED);
	return 0;
}

static struct kretprobe probe = {
	.entry_handler = on_entry,
	.handler = on_return,
	.data_size = sizeof(struct call),
};

int cfslb_newidle_attach(void)
{
	probe.maxactive = 2 * num_possible_cpus();
	return cfslb_kretprobe_attach(&probe, names, &symbol);
}

void cfslb_newidle_detach(void)
{
	if (symbol)
		unregister_kretprobe(&probe);
	symbol = NULL;
}

u64 cfslb_newidle_missed(void)
{
	return symbol ? probe.nmissed + probe.kp.nmissed : 0;
}

const char *cfslb_newidle_symbol(void)
{
	return symbol;
}
