/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where CPUs are: core, last level cache, node, and how far two of them are.
 */
#ifndef CFSLB_TOPO_H
#define CFSLB_TOPO_H

#include <linux/cpumask.h>
#include <linux/types.h>
#include "uapi/cfslb.h"

/* Cores and LLCs are named by one CPU of theirs, so names from any source agree. */
struct cfslb_cpu_place {
	u16 core;
	u16 llc;
	u16 node;
	u8 llc_level;	/* domain level that taught us the LLC, plus 1; 0: not learnt */
};

extern struct cfslb_cpu_place *cfslb_places;	/* by CPU, nr_cpu_ids of them */
extern unsigned int cfslb_nr_nodes;
extern u8 *cfslb_node_class;			/* enum cfslb_distance by node * node */

/**
 * cfslb_topo_init() - allocate and fill the maps
 * @llc_map: LLCs as CPU lists with ';' between them, or NULL to ask the kernel
 *
 * Return: 0, -ENOMEM, or -EINVAL if the map is no map.
 */
int cfslb_topo_init(const char *llc_map);
void cfslb_topo_exit(void);

/* A CPU came up: its siblings are known now. May sleep. */
void cfslb_topo_update(int cpu);

/* From a domain that shares a cache, seen by a balancing pass. Any context. */
void cfslb_topo_learn_llc(int cpu, const struct cpumask *span, int level);

/* Where the LLC map comes from, in one word. */
const char *cfslb_topo_llc_source(void);

static inline unsigned int cfslb_node_of(int cpu)
{
	return cfslb_places[cpu].node;
}

static inline enum cfslb_distance cfslb_distance(int from, int to)
{
	const struct cfslb_cpu_place *a = &cfslb_places[from];
	const struct cfslb_cpu_place *b = &cfslb_places[to];

	if (a->core == b->core)
		return CFSLB_SAME_CORE;
	if (a->llc == b->llc)
		return CFSLB_SAME_LLC;
	return cfslb_node_class[a->node * cfslb_nr_nodes + b->node];
}

#endif
