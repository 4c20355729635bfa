// SPDX-License-Identifier: GPL-2.0
// Chooses CPUs by the scheduling domains that join them. Pure functions of domains and topology.
#ifndef CFSLB_LEVELS_H
#define CFSLB_LEVELS_H

#include <optional>
#include <string>
#include <vector>

#include "topology.h"

namespace cfslb {

// An idle CPU q and a CPU p whose lowest common domain is the one named: q finds p's tasks at that
// level only.
struct Gap {
    std::string name;  // of the level with its CPUs, in lower case: "mc_4", "numa_16"
    int q = 0;
    int p = 0;
    int group_cpus = 1;    // in q's group of the level
    bool spreads = false;  // the groups' own domains have SD_PREFER_SIBLING: tasks are levelled
};

// A gap for each level of Q's DOMAINS that adds CPUs, the lowest first; p is the last CPU that the
// level adds.
std::vector<Gap> gaps_of(int q, const std::vector<Domain>& domains);

// Levels of nodes: how many distances there are between different nodes that have CPUs.
int numa_levels(const Topology& topology);

// True when fork and exec may put a task of node FROM on node TO (indices): the kernel balances
// these over distances up to node_reclaim_distance only.
bool reached_by_fork(const Topology& topology, size_t from, size_t to);

// Two nodes of two CPUs or more between which fork and exec balance.
struct TwoNodes {
    Node home;  // the last one that has such a neighbour: CPU 0 keeps the time
    Node other;
};
std::optional<TwoNodes> nodes_joined_by_fork(const Topology& topology);

// CPUs of the least and of the most capacity; none when all are alike.
struct CpuSizes {
    CpuList little;
    CpuList big;
};
std::optional<CpuSizes> cpu_sizes(const Topology& topology);

}  // namespace cfslb

#endif
