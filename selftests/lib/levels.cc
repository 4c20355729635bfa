// SPDX-License-Identifier: GPL-2.0
#include "levels.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace cfslb {

namespace {

// RECLAIM_DISTANCE in include/linux/topology.h. Some EPYC boxes use 32; pairs of nodes that far
// from each other are left out.
constexpr int kReclaimDistance = 30;

bool has_flag(const Domain& domain, const std::string& flag) {
    return std::find(domain.flags.begin(), domain.flags.end(), flag) != domain.flags.end();
}

std::string level_name(const Domain& domain, size_t level) {
    std::string name = domain.name.empty() ? "level" + std::to_string(level) : domain.name;
    for (char& c : name) c = static_cast<char>(tolower(static_cast<unsigned char>(c)));
    return name + "_" + std::to_string(domain.span.size());
}

}  // namespace

std::vector<Gap> gaps_of(int q, const std::vector<Domain>& domains) {
    std::vector<Gap> gaps;
    CpuList group{q};
    const Domain* child = nullptr;
    for (size_t level = 0; level < domains.size(); level++) {
        const CpuList& span = domains[level].span;
        auto added = std::find_if(span.rbegin(), span.rend(),
                                  [&](int cpu) { return !contains(group, cpu); });
        if (added == span.rend()) continue;
        Gap gap;
        gap.name = level_name(domains[level], level);
        gap.q = q;
        gap.p = *added;
        gap.group_cpus = static_cast<int>(group.size());
        gap.spreads = child && has_flag(*child, "SD_PREFER_SIBLING");
        gaps.push_back(gap);
        group = span;
        child = &domains[level];
    }
    return gaps;
}

int numa_levels(const Topology& topology) {
    std::set<int> distances;
    std::vector<Node> nodes = topology.cpu_nodes();
    for (size_t from = 0; from < nodes.size(); from++) {
        for (size_t to = 0; to < nodes[from].distances.size(); to++) {
            if (to != from) distances.insert(nodes[from].distances[to]);
        }
    }
    return static_cast<int>(distances.size());
}

bool reached_by_fork(const Topology& topology, size_t from, size_t to) {
    return topology.nodes[from].distances[to] <= kReclaimDistance;
}

std::optional<TwoNodes> nodes_joined_by_fork(const Topology& topology) {
    for (size_t home = topology.nodes.size(); home-- > 1;) {
        for (size_t other = 0; other < home; other++) {
            const Node& a = topology.nodes[home];
            const Node& b = topology.nodes[other];
            if (a.cpus.size() < 2 || b.cpus.size() < 2) continue;
            if (reached_by_fork(topology, home, other)) return TwoNodes{a, b};
        }
    }
    return std::nullopt;
}

std::optional<CpuSizes> cpu_sizes(const Topology& topology) {
    auto [least, most] =
        std::minmax_element(topology.cpus.begin(), topology.cpus.end(),
                            [](const Cpu& a, const Cpu& b) { return a.capacity < b.capacity; });
    if (least == topology.cpus.end() || least->capacity == most->capacity) return std::nullopt;
    CpuSizes sizes;
    for (const Cpu& cpu : topology.cpus) {
        if (cpu.capacity == least->capacity) sizes.little.push_back(cpu.id);
        if (cpu.capacity == most->capacity) sizes.big.push_back(cpu.id);
    }
    return sizes;
}

}  // namespace cfslb
