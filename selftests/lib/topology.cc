// SPDX-License-Identifier: GPL-2.0
#include "topology.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "errors.h"
#include "files.h"

namespace cfslb {

namespace {

const char kCpuDir[] = "/sys/devices/system/cpu";
const char kNodeDir[] = "/sys/devices/system/node";
const char kDebugDomains[] = "/sys/kernel/debug/sched/domains";
const char kSysctlDomains[] = "/proc/sys/kernel/sched_domain";
const char kSchedstat[] = "/proc/schedstat";

CpuList read_cpu_list(const std::string& path) {
    std::optional<CpuList> cpus = parse_cpu_list(read_file(path));
    if (!cpus) throw FormatError(path, "not a CPU list");
    return *cpus;
}

std::optional<CpuList> read_cpu_list_if_there(const std::string& path) {
    std::optional<std::string> text = read_file_if_there(path);
    if (!text) return std::nullopt;
    std::optional<CpuList> cpus = parse_cpu_list(*text);
    if (!cpus) throw FormatError(path, "not a CPU list");
    return cpus;
}

std::optional<int> read_number_if_there(const std::string& path) {
    std::optional<std::string> text = read_file_if_there(path);
    if (!text) return std::nullopt;
    std::optional<long> value = parse_number(trimmed(*text), -1, 1 << 30);
    if (!value) throw FormatError(path, "not a number");
    return static_cast<int>(*value);
}

// The number behind PREFIX in NAME ("cpu", "cpu12" -> 12), or nothing.
std::optional<int> numbered(const std::string& name, const std::string& prefix) {
    if (name.compare(0, prefix.size(), prefix) != 0) return std::nullopt;
    std::optional<long> value = parse_number(name.substr(prefix.size()), 0, 1 << 20);
    if (!value) return std::nullopt;
    return static_cast<int>(*value);
}

// Numbered entries of a directory in numerical order: "domain2" before "domain10".
std::map<int, std::string> numbered_entries(const std::string& dir, const std::string& prefix) {
    std::map<int, std::string> entries;
    for (const std::string& name : list_directory(dir)) {
        if (std::optional<int> number = numbered(name, prefix)) entries[*number] = name;
    }
    return entries;
}

CpuList intersection(const CpuList& a, const CpuList& b) {
    CpuList both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both;
}

void read_llc(const std::string& dir, const CpuList& online, Cpu& cpu) {
    for (const auto& [number, name] : numbered_entries(dir + "/cache", "index")) {
        (void)number;
        std::string index = dir + "/cache/" + name;
        std::optional<int> level = read_number_if_there(index + "/level");
        if (!level || *level <= cpu.llc_level) continue;
        std::optional<CpuList> shared = read_cpu_list_if_there(index + "/shared_cpu_list");
        if (!shared) continue;
        cpu.llc_level = *level;
        cpu.llc = intersection(*shared, online);
    }
}

Cpu read_cpu(const std::string& root, int id, const CpuList& online) {
    Cpu cpu;
    cpu.id = id;
    std::string dir = below(root, kCpuDir) + "/cpu" + std::to_string(id);
    cpu.package = read_number_if_there(dir + "/topology/physical_package_id").value_or(-1);
    cpu.core = read_number_if_there(dir + "/topology/core_id").value_or(-1);
    cpu.threads =
        read_cpu_list_if_there(dir + "/topology/thread_siblings_list").value_or(CpuList{});
    if (cpu.threads.empty()) cpu.threads = {id};
    cpu.package_cpus =
        read_cpu_list_if_there(dir + "/topology/core_siblings_list").value_or(CpuList{});
    if (cpu.package_cpus.empty()) cpu.package_cpus = online;
    read_llc(dir, online, cpu);
    if (std::optional<int> capacity = read_number_if_there(dir + "/cpu_capacity")) {
        cpu.capacity = *capacity;
        cpu.has_capacity = true;
    }
    return cpu;
}

std::vector<int> read_distances(const std::string& path) {
    std::vector<int> row;
    for (const std::string& word : split_words(read_file(path))) {
        std::optional<long> value = parse_number(word, 0, 255);
        if (!value) throw FormatError(path, "not a row of distances");
        row.push_back(static_cast<int>(*value));
    }
    return row;
}

std::vector<Node> read_nodes(const std::string& root, const CpuList& online) {
    std::vector<Node> nodes;
    for (const auto& [id, name] : numbered_entries(below(root, kNodeDir), "node")) {
        Node node;
        node.id = id;
        std::string dir = below(root, kNodeDir) + "/" + name;
        node.cpus = intersection(read_cpu_list(dir + "/cpulist"), online);
        node.distances = read_distances(dir + "/distance");
        nodes.push_back(node);
    }
    if (nodes.empty()) nodes.push_back(Node{0, online, {10}});
    for (const Node& node : nodes) {
        if (node.distances.size() == nodes.size()) continue;
        throw FormatError(below(root, kNodeDir) + "/node" + std::to_string(node.id) + "/distance",
                          "expected " + std::to_string(nodes.size()) + " distances");
    }
    return nodes;
}

std::vector<Domain> read_named_domains(const std::string& dir) {
    std::vector<Domain> domains;
    for (const auto& [number, entry] : numbered_entries(dir, "domain")) {
        (void)number;
        Domain domain;
        domain.name = trimmed(read_file_if_there(dir + "/" + entry + "/name").value_or(""));
        domain.flags =
            parse_domain_flags(read_file_if_there(dir + "/" + entry + "/flags").value_or(""));
        domains.push_back(domain);
    }
    return domains;
}

}  // namespace

const Cpu& Topology::cpu(int id) const {
    auto at = std::lower_bound(online.begin(), online.end(), id);
    if (at == online.end() || *at != id) {
        throw std::out_of_range("CPU " + std::to_string(id) + " is not online");
    }
    return cpus[static_cast<size_t>(at - online.begin())];
}

std::vector<Node> Topology::cpu_nodes() const {
    std::vector<Node> with_cpus;
    for (const Node& node : nodes) {
        if (node.cpus.empty()) continue;
        with_cpus.push_back(node);
        std::vector<int>& distances = with_cpus.back().distances;
        distances.clear();
        for (size_t n = 0; n < node.distances.size(); n++) {
            if (!nodes[n].cpus.empty()) distances.push_back(node.distances[n]);
        }
    }
    return with_cpus;
}

bool Topology::has_smt() const {
    return std::any_of(cpus.begin(), cpus.end(),
                       [](const Cpu& cpu) { return cpu.threads.size() > 1; });
}

Topology read_topology(const std::string& root) {
    Topology topology;
    std::string online_path = below(root, kCpuDir) + "/online";
    topology.online = read_cpu_list(online_path);
    if (topology.online.empty()) throw FormatError(online_path, "no CPU is online");
    for (int id : topology.online) topology.cpus.push_back(read_cpu(root, id, topology.online));
    topology.nodes = read_nodes(root, topology.online);
    for (Cpu& cpu : topology.cpus) {
        for (size_t n = 0; n < topology.nodes.size(); n++) {
            if (contains(topology.nodes[n].cpus, cpu.id)) cpu.node = static_cast<int>(n);
        }
    }
    return topology;
}

std::vector<CpuList> parse_schedstat_spans(const std::string& text, int cpu,
                                           const std::string& path) {
    std::vector<CpuList> spans;
    std::vector<std::string> lines = split_lines(text);
    bool mine = false;
    int version = 0;
    for (const std::string& line : lines) {
        std::vector<std::string> words = split_words(line);
        if (words.empty()) continue;
        if (words[0] == "version" && words.size() > 1) {
            version = static_cast<int>(parse_number(words[1], 0, 1000).value_or(0));
        } else if (numbered(words[0], "cpu")) {
            mine = numbered(words[0], "cpu") == cpu;
        } else if (mine && numbered(words[0], "domain")) {
            // Version 17 put the domain's name between number and mask.
            size_t at = version >= 17 ? 2 : 1;
            std::optional<CpuList> span;
            if (words.size() > at) span = parse_cpu_mask(words[at]);
            if (!span) throw FormatError(path, "no CPU mask in \"" + line.substr(0, 40) + "\"");
            spans.push_back(*span);
        }
    }
    return spans;
}

std::vector<std::string> parse_domain_flags(const std::string& text) {
    // include/linux/sched/topology.h of 5.4; from 5.10 on the kernel prints names itself.
    static const char* const kFlags54[] = {
        "SD_LOAD_BALANCE",        "SD_BALANCE_NEWIDLE",   "SD_BALANCE_EXEC",
        "SD_BALANCE_FORK",        "SD_BALANCE_WAKE",      "SD_WAKE_AFFINE",
        "SD_ASYM_CPUCAPACITY",    "SD_SHARE_CPUCAPACITY", "SD_SHARE_POWERDOMAIN",
        "SD_SHARE_PKG_RESOURCES", "SD_SERIALIZE",         "SD_ASYM_PACKING",
        "SD_PREFER_SIBLING",      "SD_OVERLAP",           "SD_NUMA"};
    std::vector<std::string> words = split_words(text);
    if (words.size() != 1) return words;
    std::optional<long> bits = parse_number(words[0], 0, 0x7fff);
    if (!bits) return words;
    std::vector<std::string> names;
    for (size_t bit = 0; bit < sizeof(kFlags54) / sizeof(kFlags54[0]); bit++) {
        if (*bits & (1L << bit)) names.push_back(kFlags54[bit]);
    }
    return names;
}

std::vector<Domain> read_domains(int cpu, const std::string& root) {
    std::string name = "/cpu" + std::to_string(cpu);
    std::vector<Domain> domains = read_named_domains(below(root, kDebugDomains) + name);
    if (domains.empty()) domains = read_named_domains(below(root, kSysctlDomains) + name);
    std::string path = below(root, kSchedstat);
    std::optional<std::string> schedstat = read_file_if_there(path);
    if (!schedstat) return domains;
    std::vector<CpuList> spans = parse_schedstat_spans(*schedstat, cpu, path);
    if (domains.empty()) domains.resize(spans.size());
    if (domains.size() != spans.size()) {
        throw FormatError(path, "cpu" + std::to_string(cpu) + " has " +
                                    std::to_string(spans.size()) + " domains, " +
                                    std::to_string(domains.size()) + " have a name");
    }
    for (size_t i = 0; i < spans.size(); i++) domains[i].span = spans[i];
    return domains;
}

}  // namespace cfslb
