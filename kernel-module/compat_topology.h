/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The last level cache of a CPU, as far as this kernel tells modules.
 */
#ifndef CFSLB_COMPAT_TOPOLOGY_H
#define CFSLB_COMPAT_TOPOLOGY_H

#include <linux/topology.h>
#include "requires.h"

#if defined(CONFIG_X86)
#include <asm/processor.h>
#include <asm/smp.h>

#define CFSLB_NO_LLC_ID 0xffffu

#if defined(CFSLB_HAVE_PER_CPU_LLC_ID)
#define CFSLB_LLC_SOURCE "cpuid"
static inline unsigned int cfslb_arch_llc(int cpu)
{
	return per_cpu_llc_id(cpu) & 0xffff;
}
#elif defined(CFSLB_HAVE_GET_LLC_ID)
#define CFSLB_LLC_SOURCE "cpuid"
static inline unsigned int cfslb_arch_llc(int cpu)
{
	return get_llc_id(cpu);
}
#else
#define CFSLB_LLC_SOURCE "package"
static inline unsigned int cfslb_arch_llc(int cpu)
{
	return topology_physical_package_id(cpu);
}
#endif

#elif defined(CONFIG_GENERIC_ARCH_TOPOLOGY) && defined(CFSLB_HAVE_LLC_SIBLING)
#include <linux/arch_topology.h>

#define CFSLB_LLC_SOURCE "acpi"
#define CFSLB_NO_LLC_ID ((unsigned int)nr_cpu_ids)
static inline unsigned int cfslb_arch_llc(int cpu)
{
	return cpumask_first(&cpu_topology[cpu].llc_sibling);
}

#else
#define CFSLB_LLC_SOURCE "package"
#define CFSLB_NO_LLC_ID 0xffffu
static inline unsigned int cfslb_arch_llc(int cpu)
{
	return topology_physical_package_id(cpu) & 0xffff;
}
#endif

#endif
