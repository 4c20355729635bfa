// SPDX-License-Identifier: GPL-2.0
#include "levels.h"

#include <algorithm>
#include <cctype>

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

bool reached_by_fork(const Topology& topology, size_t from, size_t to) {
    return topology.nodes[from].distances[to] <= kReclaimDistance;
}

}  // namespace cfslb
