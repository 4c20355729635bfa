// SPDX-License-Identifier: GPL-2.0
// Chooses the CPUs of the local group imbalance cases: two neighbouring groups of CPUs.
// Pure functions of the topology.
#ifndef CFSLB_PAIRS_H
#define CFSLB_PAIRS_H

#include <optional>

#include "topology.h"

namespace cfslb {

struct Pairs {
    CpuList start;  // the group that the free hogs start on
    int q = 0;      // the pile's neighbour, to be filled
    int p = 0;      // carries the pile

    CpuList widened() const;  // start, q and p
};

// A whole node, and the first two CPUs of the node nearest to it.
std::optional<Pairs> whole_nodes(const Topology& topology);

// The last two CPUs of the first node that has two, and the first two of the node nearest to it:
// on 4 nodes of 4, (2,3) and (4,5). CPU 0, which keeps the time, stays out when it can.
std::optional<Pairs> pairs_cross_node(const Topology& topology);

// Four CPUs of one node, each on its own core; a node without CPU 0 when there is one.
std::optional<Pairs> pairs_same_node(const Topology& topology);

// The first two threads of each of two cores of one node; cores without CPU 0 when there are two.
std::optional<Pairs> pairs_smt(const Topology& topology);

// A CPU for the sampler: on a node that holds none of CPUS, else at least none of them, the last
// such CPU; -1 when CPUS are all there is.
int cpu_away_from(const Topology& topology, const CpuList& cpus);

}  // namespace cfslb

#endif
