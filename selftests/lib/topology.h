// SPDX-License-Identifier: GPL-2.0
// What the kernel shows of the box: CPUs, nodes, distances, siblings, caches, capacities and
// scheduling domains. Everything is read below a root path, so that fixture trees can test it.
#ifndef CFSLB_TOPOLOGY_H
#define CFSLB_TOPOLOGY_H

#include <optional>
#include <string>
#include <vector>

#include "cpulist.h"

namespace cfslb {

// One scheduling domain of a CPU. The index in Cpu::domains is its level, the lowest first.
struct Domain {
    std::string name;                // "MC", "NUMA"; empty when the kernel shows no name
    std::vector<std::string> flags;  // "SD_NUMA", ...; empty when the kernel shows none
    CpuList span;                    // empty when there is no /proc/schedstat
};

struct Cpu {
    int id = 0;
    int node = 0;          // index into Topology::nodes
    int package = -1;      // physical_package_id; -1 when not shown
    int core = -1;         // core_id, unique within a package only
    CpuList threads;       // siblings of the same core, itself included
    CpuList package_cpus;  // all CPUs of the package
    CpuList llc;           // CPUs that share the highest cache level; empty when not shown
    int llc_level = 0;     // 0 when not shown
    int capacity = 1024;   // cpu_capacity, 1..1024; 1024 where the file does not exist
    bool has_capacity = false;
};

struct Node {
    int id = 0;
    CpuList cpus;                // online ones; may be empty (a memory-only node)
    std::vector<int> distances;  // to each node of Topology::nodes, same order
};

struct Topology {
    CpuList online;
    std::vector<Cpu> cpus;    // same order as online
    std::vector<Node> nodes;  // one node 0 with every CPU where the kernel has no NUMA

    int nr_cpus() const { return static_cast<int>(online.size()); }
    // Highest CPU number + 1: the length of arrays indexed by CPU number.
    int cpu_limit() const { return online.empty() ? 0 : online.back() + 1; }
    // Throws std::out_of_range for a CPU that is not online.
    const Cpu& cpu(int id) const;
    // Nodes that have CPUs, with the distances between these.
    std::vector<Node> cpu_nodes() const;
    bool has_smt() const;
};

// Reads all but the domains. Throws SystemError or FormatError with the path at fault.
Topology read_topology(const std::string& root = "/");

// Scheduling domains of one CPU. Names and flags come from debugfs sched/domains (5.13 on) or
// /proc/sys/kernel/sched_domain (before), both CONFIG_SCHED_DEBUG; spans from /proc/schedstat,
// CONFIG_SCHEDSTATS. What is not shown stays empty; no source at all gives an empty list.
// Throws FormatError.
std::vector<Domain> read_domains(int cpu, const std::string& root = "/");

// Domain spans of CPU in the text of /proc/schedstat, the lowest first. Throws FormatError.
std::vector<CpuList> parse_schedstat_spans(const std::string& text, int cpu,
                                           const std::string& path = "/proc/schedstat");

// "SD_LOAD_BALANCE SD_NUMA " as it stands, or the number that kernels before 5.10 print.
std::vector<std::string> parse_domain_flags(const std::string& text);

}  // namespace cfslb

#endif
