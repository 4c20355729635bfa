// SPDX-License-Identifier: GPL-2.0
/*
 * The nohz balancer: one idle CPU balances for the others, whose ticks are
 * stopped. A kprobe counts its runs; whom it serves shows in the balancer's probe.
 */
#include <linux/percpu.h>
#include <linux/preempt.h>
#include "counters.h"
#include "domains.h"
#include "probe.h"
#include "sources.h"

/* The compiler changes the arguments, which are not needed, and marks the name. */
static const char *const names[] = {
	"_nohz_idle_balance", "_nohz_idle_balance.isra.0",
	"_nohz_idle_balance.constprop.0", "nohz_idle_balance", NULL,
};

static const char *symbol;
static DEFINE_PER_CPU(int, last_served);

static int on_run(struct kprobe *kp, struct pt_regs *regs)
{
	/* Idle CPUs also call it to update statistics only, outside the softirq. */
	if (!in_serving_softirq())
		return 0;
	cfslb_inc(CFSLB_T_NOHZ, 0, CFSLB_NOHZ_RUNS);
	__this_cpu_write(last_served, -1);
	return 0;
}

void cfslb_nohz_pass(int cpu, unsigned long idle)
{
	if (idle == CPU_NEWLY_IDLE || cpu == smp_processor_id() ||
	    cpu == __this_cpu_read(last_served))
		return;
	__this_cpu_write(last_served, cpu);
	cfslb_inc(CFSLB_T_NOHZ, 0, CFSLB_NOHZ_CPUS_SERVED);
}

static struct kprobe probe = { .pre_handler = on_run };

int cfslb_nohz_attach(void)
{
	return cfslb_kprobe_attach(&probe, names, &symbol);
}

void cfslb_nohz_detach(void)
{
	if (symbol)
		unregister_kprobe(&probe);
	symbol = NULL;
}

u64 cfslb_nohz_missed(void)
{
	return symbol ? probe.nmissed : 0;
}

const char *cfslb_nohz_symbol(void)
{
	return symbol;
}
