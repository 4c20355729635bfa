// SPDX-License-Identifier: GPL-2.0
#include "pairs.h"

#include <algorithm>

namespace cfslb {

namespace {

constexpr size_t kPair = 2;

// The node nearest to FROM that has two CPUs; the first of equally near ones.
const Node* nearest(const Topology& topology, size_t from) {
    const Node* best = nullptr;
    int best_distance = 0;
    for (size_t n = 0; n < topology.nodes.size(); n++) {
        if (n == from || topology.nodes[n].cpus.size() < kPair) continue;
        int distance = topology.nodes[from].distances[n];
        if (best && distance >= best_distance) continue;
        best = &topology.nodes[n];
        best_distance = distance;
    }
    return best;
}

// First threads of the node's cores.
CpuList first_threads(const Topology& topology, const Node& node) {
    CpuList cpus;
    for (int cpu : node.cpus) {
        if (topology.cpu(cpu).threads.front() == cpu) cpus.push_back(cpu);
    }
    return cpus;
}

// Nodes with those that hold CPU 0 put last.
std::vector<Node> avoiding_cpu0(std::vector<Node> nodes) {
    std::stable_partition(nodes.begin(), nodes.end(),
                          [](const Node& node) { return !contains(node.cpus, 0); });
    return nodes;
}

CpuList sorted(CpuList cpus) {
    std::sort(cpus.begin(), cpus.end());
    return cpus;
}

}  // namespace

CpuList Pairs::widened() const {
    CpuList cpus = start;
    cpus.push_back(q);
    cpus.push_back(p);
    return sorted(cpus);
}

std::optional<Pairs> whole_nodes(const Topology& topology) {
    for (size_t n = 0; n < topology.nodes.size(); n++) {
        const CpuList& mine = topology.nodes[n].cpus;
        const Node* other = mine.size() >= kPair ? nearest(topology, n) : nullptr;
        if (other) return Pairs{mine, other->cpus[0], other->cpus[1]};
    }
    return std::nullopt;
}

std::optional<Pairs> pairs_cross_node(const Topology& topology) {
    for (size_t n = 0; n < topology.nodes.size(); n++) {
        const CpuList& mine = topology.nodes[n].cpus;
        const Node* other = mine.size() >= kPair ? nearest(topology, n) : nullptr;
        if (!other) continue;
        return Pairs{
            {mine[mine.size() - 2], mine[mine.size() - 1]}, other->cpus[0], other->cpus[1]};
    }
    return std::nullopt;
}

std::optional<Pairs> pairs_same_node(const Topology& topology) {
    for (const Node& node : avoiding_cpu0(topology.nodes)) {
        CpuList cores = first_threads(topology, node);
        if (cores.size() < 2 * kPair) continue;
        // The last four: CPU 0 drops out of a single larger node too.
        size_t at = cores.size() - 2 * kPair;
        return Pairs{{cores[at], cores[at + 1]}, cores[at + 2], cores[at + 3]};
    }
    return std::nullopt;
}

std::optional<Pairs> pairs_smt(const Topology& topology) {
    for (const Node& node : avoiding_cpu0(topology.nodes)) {
        CpuList cores;
        for (int cpu : first_threads(topology, node)) {
            if (topology.cpu(cpu).threads.size() >= kPair) cores.push_back(cpu);
        }
        if (cores.size() < kPair) continue;
        const CpuList& x = topology.cpu(cores[cores.size() - 2]).threads;
        const CpuList& y = topology.cpu(cores[cores.size() - 1]).threads;
        return Pairs{{x[0], x[1]}, y[0], y[1]};
    }
    return std::nullopt;
}

int cpu_away_from(const Topology& topology, const CpuList& cpus) {
    int outside = -1;
    int far = -1;
    for (const Node& node : topology.nodes) {
        bool holds_any = std::any_of(node.cpus.begin(), node.cpus.end(),
                                     [&](int cpu) { return contains(cpus, cpu); });
        for (int cpu : node.cpus) {
            if (contains(cpus, cpu)) continue;
            outside = cpu;
            if (!holds_any) far = cpu;
        }
    }
    return far >= 0 ? far : outside;
}

}  // namespace cfslb
