// SPDX-License-Identifier: GPL-2.0
/*
 * Where CPUs are. The last level cache is the one thing that no kernel tells
 * modules in the same way: in this order it comes from the loader's map, from
 * domains seen by the balancer's probe, from the architecture, from the package.
 */
#include <linux/mm.h>
#include <linux/nodemask.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>
#include "compat_topology.h"
#include "topo.h"

struct cfslb_cpu_place *cfslb_places;
unsigned int cfslb_nr_nodes;
u8 *cfslb_node_class;

static bool llc_given;
static bool llc_learnt;

const char *cfslb_topo_llc_source(void)
{
	if (llc_given)
		return "parameter";
	return READ_ONCE(llc_learnt) ? "domains" : CFSLB_LLC_SOURCE;
}

static unsigned int node_of(int cpu)
{
	int node = cpu_to_node(cpu);

	return node < 0 ? 0 : min_t(unsigned int, node, cfslb_nr_nodes - 1);
}

static void set_distances(void)
{
	unsigned int from, to;

	for (from = 0; from < cfslb_nr_nodes; from++) {
		int nearest = INT_MAX;

		for (to = 0; to < cfslb_nr_nodes; to++)
			if (to != from && node_online(from) && node_online(to))
				nearest = min(nearest, node_distance(from, to));
		for (to = 0; to < cfslb_nr_nodes; to++) {
			u8 *class = &cfslb_node_class[from * cfslb_nr_nodes + to];

			if (from == to)
				*class = CFSLB_SAME_NODE;
			else if (node_online(from) && node_online(to) &&
				 node_distance(from, to) <= nearest)
				*class = CFSLB_REMOTE_NEAR;
			else
				*class = CFSLB_REMOTE_FAR;
		}
	}
}

/* The lowest CPU with the same id on the same node. */
static unsigned int llc_name(int cpu)
{
	unsigned int id = cfslb_arch_llc(cpu), node = node_of(cpu);
	int other;

	for_each_present_cpu(other) {
		if (other >= cpu)
			break;
		if (node_of(other) != node)
			continue;
		if (id == CFSLB_NO_LLC_ID ?
		    topology_physical_package_id(other) == topology_physical_package_id(cpu) :
		    cfslb_arch_llc(other) == id)
			return other;
	}
	return cpu;
}

void cfslb_topo_update(int cpu)
{
	struct cfslb_cpu_place *place = &cfslb_places[cpu];
	unsigned int core = cpumask_first(topology_sibling_cpumask(cpu));

	place->core = core < nr_cpu_ids ? core : cpu;
	place->node = node_of(cpu);
	if (!llc_given && !place->llc_level)
		place->llc = llc_name(cpu);
}

void cfslb_topo_learn_llc(int cpu, const struct cpumask *span, int level)
{
	struct cfslb_cpu_place *place = &cfslb_places[cpu];

	/* The largest domain that shares a cache is the last level's. */
	if (llc_given || level + 1 < place->llc_level)
		return;
	place->llc_level = level + 1;
	place->llc = cpumask_first(span);
	if (!READ_ONCE(llc_learnt))
		WRITE_ONCE(llc_learnt, true);
}

static int read_llc_map(const char *map)
{
	cpumask_var_t span;
	char *copy, *rest, *list;
	int cpu, err = 0;

	if (!alloc_cpumask_var(&span, GFP_KERNEL))
		return -ENOMEM;
	copy = kstrdup(map, GFP_KERNEL);
	if (!copy) {
		err = -ENOMEM;
		goto free_span;
	}
	rest = copy;
	while (!err && (list = strsep(&rest, ";"))) {
		err = cpulist_parse(list, span);
		if (!err && !cpumask_subset(span, cpu_possible_mask))
			err = -EINVAL;
		if (!err)
			for_each_cpu(cpu, span)
				cfslb_places[cpu].llc = cpumask_first(span);
	}
	if (!err)
		llc_given = true;
	kfree(copy);
free_span:
	free_cpumask_var(span);
	return err;
}

int cfslb_topo_init(const char *llc_map)
{
	int cpu, err = 0;

	cfslb_nr_nodes = nr_node_ids;
	cfslb_places = kvcalloc(nr_cpu_ids, sizeof(*cfslb_places), GFP_KERNEL);
	if (!cfslb_places)
		return -ENOMEM;
	cfslb_node_class = kcalloc(cfslb_nr_nodes * cfslb_nr_nodes, 1, GFP_KERNEL);
	if (!cfslb_node_class) {
		err = -ENOMEM;
		goto free_places;
	}
	set_distances();
	for_each_possible_cpu(cpu) {
		cfslb_places[cpu].core = cpu;
		cfslb_places[cpu].llc = cpu;
		cfslb_places[cpu].node = node_of(cpu);
	}
	if (llc_map && *llc_map)
		err = read_llc_map(llc_map);
	if (err)
		goto free_class;
	return 0;

free_class:
	kfree(cfslb_node_class);
free_places:
	kvfree(cfslb_places);
	return err;
}

void cfslb_topo_exit(void)
{
	kfree(cfslb_node_class);
	kvfree(cfslb_places);
}
