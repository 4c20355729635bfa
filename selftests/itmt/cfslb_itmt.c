// SPDX-License-Identifier: GPL-2.0
/*
 * Gives the CPUs of an emulated x86 box priorities: the higher a CPU's number, the more it is
 * preferred. For tests of asym packing; the box needs CONFIG_SCHED_MC_PRIO.
 *
 * On hardware intel_pstate does that when the firmware tells which cores boost higher (ITMT). An
 * emulated CPU has no such firmware, so this module calls the same two functions. They are not
 * exported; a kprobe finds them on every kernel, unlike kallsyms_lookup_name(), which modules
 * lost in 5.7.
 */
#include <linux/cpumask.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/topology.h>

static void (*clear_support)(void);

static void *address_of(const char *name)
{
	struct kprobe probe = { .symbol_name = name };
	void *address;

	if (register_kprobe(&probe))
		return NULL;
	address = probe.addr;
	unregister_kprobe(&probe);
	return address;
}

static int __init cfslb_itmt_init(void)
{
	void (*set_core_prio)(int prio, int core_cpu) = address_of("sched_set_itmt_core_prio");
	int (*set_support)(void) = address_of("sched_set_itmt_support");
	int cpu;

	clear_support = address_of("sched_clear_itmt_support");
	if (!set_core_prio || !set_support || !clear_support)
		return -ENOENT;
	for_each_possible_cpu(cpu) {
		/* It derives the priorities of the other threads of a core. */
		if (cpu == cpumask_first(topology_sibling_cpumask(cpu)))
			set_core_prio(cpu + 1, cpu);
	}
	/* Rebuilds the domains, now with SD_ASYM_PACKING below the NUMA levels. */
	return set_support();
}

static void __exit cfslb_itmt_exit(void)
{
	clear_support();
}

module_init(cfslb_itmt_init);
module_exit(cfslb_itmt_exit);
MODULE_DESCRIPTION("Priorities of CPUs for tests of asym packing");
MODULE_LICENSE("GPL");
