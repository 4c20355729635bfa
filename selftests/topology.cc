// SPDX-License-Identifier: GPL-2.0
// topology: the kernel sees the box that its description names.
//
// With CFSLB_TOPOLOGY_CONF (a file of scripts/topologies/): CPUs, nodes, distances, siblings,
// cores, caches, capacities and the scheduling domains of CPU 0 are compared with it. Without
// it, as on real hardware, only what must hold on any box is checked and the rest is skipped.
//
// Right:  every fact is as described; else no verdict of the other drivers means anything.
// Seen failing on: a machine with 2 CPUs that is compared with smt-2x2x2: CPUs, nodes and threads
//         differ.
#include <algorithm>
#include <cstdlib>
#include <optional>

#include "lib/conf.h"
#include "lib/driver.h"
#include "lib/errors.h"

namespace {

using namespace cfslb;

// The kernel scales capacities so that the biggest CPU has 1024 (SCHED_CAPACITY_SCALE).
constexpr int kFullCapacity = 1024;

TopologyConf conf() {
    const char* path = getenv(kEnvTopologyConf);
    if (!path || !*path) throw Skip(std::string("needs ") + kEnvTopologyConf);
    return read_conf(path);
}

std::string shown(const CpuList& cpus) { return cpus.empty() ? "none" : format_cpu_list(cpus); }

void expect_cpus(Result& result, const std::string& what, const CpuList& found,
                 const CpuList& expected) {
    if (found != expected) {
        result.fail(what + " are " + shown(found) + ", expected " + shown(expected));
    }
}

Result check_cpus(const Context& context) {
    Result result;
    int expected = conf().nr_cpus();
    if (context.topology.nr_cpus() != expected) {
        result.fail(std::to_string(context.topology.nr_cpus()) + " CPUs online, expected " +
                    std::to_string(expected));
    }
    return result;
}

// On any box: nodes do not overlap and every online CPU is in one.
void check_disjoint(Result& result, const Topology& topology) {
    for (int cpu : topology.online) {
        long owners = std::count_if(topology.nodes.begin(), topology.nodes.end(),
                                    [&](const Node& node) { return contains(node.cpus, cpu); });
        if (owners == 1) continue;
        result.fail("CPU " + std::to_string(cpu) + " is in " + std::to_string(owners) + " nodes");
    }
}

Result check_nodes(const Context& context) {
    Result result;
    check_disjoint(result, context.topology);
    if (!getenv(kEnvTopologyConf)) return result;
    std::vector<CpuList> expected = conf().nodes;
    const std::vector<Node>& found = context.topology.nodes;
    if (found.size() != expected.size()) {
        result.fail(std::to_string(found.size()) + " nodes, expected " +
                    std::to_string(expected.size()));
        return result;
    }
    for (size_t n = 0; n < expected.size(); n++) {
        expect_cpus(result, "CPUs of node " + std::to_string(n), found[n].cpus, expected[n]);
    }
    return result;
}

Result check_distances(const Context& context) {
    Result result;
    const std::vector<Node>& nodes = context.topology.nodes;
    for (size_t a = 0; a < nodes.size(); a++) {
        for (size_t b = 0; b < a; b++) {
            if (nodes[a].distances[b] == nodes[b].distances[a]) continue;
            result.fail("distances of nodes " + std::to_string(a) + " and " + std::to_string(b) +
                        " differ by direction");
        }
    }
    if (!getenv(kEnvTopologyConf)) return result;
    std::vector<std::vector<int>> expected = conf().distances;
    for (size_t n = 0; n < nodes.size() && n < expected.size(); n++) {
        for (size_t m = 0; m < nodes.size() && m < expected[n].size(); m++) {
            if (nodes[n].distances[m] == expected[n][m]) continue;
            result.fail("distance of nodes " + std::to_string(n) + " and " + std::to_string(m) +
                        " is " + std::to_string(nodes[n].distances[m]) + ", expected " +
                        std::to_string(expected[n][m]));
        }
    }
    return result;
}

Result check_smt(const Context& context) {
    Result result;
    TopologyConf expected = conf();
    for (const Cpu& cpu : context.topology.cpus) {
        expect_cpus(result, "threads of CPU " + std::to_string(cpu.id), cpu.threads,
                    expected.core_cpus(cpu.id));
    }
    return result;
}

// A cluster of the description that holds CPU, or nothing.
CpuList cluster_of(const TopologyConf& description, int cpu) {
    for (const CpuList& cluster : description.clusters) {
        if (contains(cluster, cpu)) return cluster;
    }
    return {};
}

Result check_packages(const Context& context) {
    Result result;
    TopologyConf expected = conf();
    for (const Cpu& cpu : context.topology.cpus) {
        // arm64 before 5.19 takes the clusters of the cpu-map for packages.
        if (cpu.package_cpus == cluster_of(expected, cpu.id)) continue;
        expect_cpus(result, "package CPUs of CPU " + std::to_string(cpu.id), cpu.package_cpus,
                    expected.socket_cpus(cpu.id));
    }
    return result;
}

Result check_llc(const Context& context) {
    TopologyConf expected = conf();
    const std::vector<Cpu>& cpus = context.topology.cpus;
    bool none = std::all_of(cpus.begin(), cpus.end(), [](const Cpu& c) { return c.llc.empty(); });
    // QEMU's arm64 machine describes no caches, the lab adds one per cluster; x86 has one per
    // socket.
    if (none && expected.arch == "arm64") throw Skip("needs cache descriptions");
    Result result;
    for (const Cpu& cpu : cpus) {
        CpuList sharing = expected.socket_cpus(cpu.id);
        for (const CpuList& cluster : expected.clusters) {
            if (contains(cluster, cpu.id)) sharing = cluster;
        }
        expect_cpus(result, "CPUs sharing the last cache of CPU " + std::to_string(cpu.id), cpu.llc,
                    sharing);
    }
    return result;
}

Result check_capacities(const Context& context) {
    Result result;
    TopologyConf expected = conf();
    int most = kFullCapacity;
    if (!expected.capacities.empty()) {
        most = *std::max_element(expected.capacities.begin(), expected.capacities.end());
    }
    for (const Cpu& cpu : context.topology.cpus) {
        int want = kFullCapacity;
        if (static_cast<size_t>(cpu.id) < expected.capacities.size()) {
            want = expected.capacities[static_cast<size_t>(cpu.id)] * kFullCapacity / most;
        }
        if (cpu.capacity == want) continue;
        result.fail("capacity of CPU " + std::to_string(cpu.id) + " is " +
                    std::to_string(cpu.capacity) + ", expected " + std::to_string(want));
    }
    return result;
}

// 6.7 renamed DIE to PKG.
std::string domain_name(const std::string& name) { return name == "DIE" ? "PKG" : name; }

Result check_domains(const Context&) {
    std::vector<ExpectedDomain> expected = conf().domains;
    if (expected.empty()) throw Skip("needs a \"domains\" line in the description");
    std::vector<Domain> found = read_domains(0);
    Result result;
    std::string want;
    std::string have;
    bool same = found.size() == expected.size();
    for (size_t i = 0; i < expected.size(); i++) {
        want += expected[i].name + ":" + std::to_string(expected[i].span) + " ";
    }
    for (size_t i = 0; i < found.size(); i++) {
        int span = static_cast<int>(found[i].span.size());
        have += (found[i].name.empty() ? "?" : found[i].name) + ":" + std::to_string(span) + " ";
        same = same && domain_name(found[i].name) == domain_name(expected[i].name) &&
               span == expected[i].span;
    }
    if (same) return result;
    result.fail("domains of CPU 0 are " + (have.empty() ? "not shown " : have) + "and not " + want +
                "(names need debugfs or CONFIG_SCHED_DEBUG, from 6.4 also sched_verbose; "
                "spans CONFIG_SCHEDSTATS)");
    return result;
}

std::vector<Case> cases(const Topology&) {
    return {{"cpus", "as many CPUs online as described", check_cpus},
            {"nodes", "nodes are disjoint, cover all CPUs and are as described", check_nodes},
            {"distances", "distances are symmetric and as described", check_distances},
            {"smt_siblings", "threads of each core as described", check_smt},
            {"packages", "CPUs of each package as described", check_packages},
            {"llc", "one last-level cache per socket, or per cluster where there are clusters",
             check_llc},
            {"capacities", "capacities as described, scaled to 1024", check_capacities},
            {"domains", "scheduling domains of CPU 0 as described", check_domains}};
}

}  // namespace

int main(int argc, char* argv[]) {
    return cfslb::driver_main(
        argc, argv, {"topology", "the kernel sees the box that its description names", cases});
}
