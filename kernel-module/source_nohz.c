// SPDX-License-Identifier: GPL-2.0
/*
 * The nohz balancer: one idle CPU balances for the others, whose ticks are
 * stopped. Kprobes count its runs; whom it serves shows in the balancer's probe.
 */
#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include "counters.h"
#include "domains.h"
#include "sources.h"

#define NAME "_nohz_idle_balance"

/*
 * A compiler that removes arguments (isra) or knows their values (constprop) makes
 * copies under such names. Each caller has its copy, so all that exist are probed;
 * arguments are not needed. A .part or .cold is not the function: only some of its
 * calls come there. Nor is nohz_idle_balance(), its caller, which mostly finds nothing
 * to do: without any of these names there is no count, rather than a wrong one.
 */
static const char *const names[] = {
	NAME,
	NAME ".isra.0",
	NAME ".constprop.0",
	NAME ".constprop.1",
	NAME ".isra.0.constprop.0",
	NAME ".isra.0.constprop.1",
	NAME ".constprop.0.isra.0",
	NAME ".constprop.1.isra.0",
};

static struct kprobe probes[ARRAY_SIZE(names)];
static DECLARE_BITMAP(attached, ARRAY_SIZE(names));
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

/* Return: 0 if any copy could be probed, or the error of the last. */
int cfslb_nohz_attach(void)
{
	int i, err = -ENOENT;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		memset(&probes[i], 0, sizeof(probes[i]));
		probes[i].symbol_name = names[i];
		probes[i].pre_handler = on_run;
		err = register_kprobe(&probes[i]);
		if (!err)
			__set_bit(i, attached);
	}
	return bitmap_empty(attached, ARRAY_SIZE(names)) ? err : 0;
}

void cfslb_nohz_detach(void)
{
	int i;

	for_each_set_bit(i, attached, ARRAY_SIZE(names))
		unregister_kprobe(&probes[i]);
	bitmap_zero(attached, ARRAY_SIZE(names));
}

u64 cfslb_nohz_missed(void)
{
	u64 missed = 0;
	int i;

	for_each_set_bit(i, attached, ARRAY_SIZE(names))
		missed += probes[i].nmissed;
	return missed;
}

/* The first copy stands for all. */
const char *cfslb_nohz_symbol(void)
{
	unsigned long i = find_first_bit(attached, ARRAY_SIZE(names));

	return i < ARRAY_SIZE(names) ? names[i] : NULL;
}
