// SPDX-License-Identifier: GPL-2.0
#include "conf.h"

#include <optional>

#include "errors.h"
#include "files.h"

namespace cfslb {

namespace {

CpuList range(int first, int count) {
    CpuList cpus;
    for (int i = 0; i < count; i++) cpus.push_back(first + i);
    return cpus;
}

std::vector<int> parse_row(const std::string& value, long min, long max) {
    std::vector<int> row;
    for (const std::string& word : split_words(value)) {
        std::optional<long> number = parse_number(word, min, max);
        if (!number) throw std::invalid_argument("\"" + word + "\" is not a number within range");
        row.push_back(static_cast<int>(*number));
    }
    if (row.empty()) throw std::invalid_argument("no value");
    return row;
}

int parse_count(const std::string& value, long max) {
    std::optional<long> number = parse_number(value, 1, max);
    if (!number) {
        throw std::invalid_argument("\"" + value + "\" is not a number from 1 to " +
                                    std::to_string(max));
    }
    return static_cast<int>(*number);
}

CpuList parse_list(const std::string& value) {
    std::optional<CpuList> cpus = parse_cpu_list(value);
    if (!cpus || cpus->empty()) throw std::invalid_argument("\"" + value + "\" is not a CPU list");
    return *cpus;
}

std::string one_of(const std::string& value, const std::string& a, const std::string& b) {
    if (value != a && value != b) {
        throw std::invalid_argument("\"" + value + "\" is neither " + a + " nor " + b);
    }
    return value;
}

std::vector<ExpectedDomain> parse_domains(const std::string& value) {
    std::vector<ExpectedDomain> domains;
    for (const std::string& word : split_words(value)) {
        size_t colon = word.find(':');
        std::optional<long> span;
        if (colon != std::string::npos && colon > 0) {
            span = parse_number(word.substr(colon + 1), 1, kMaxCpus);
        }
        if (!span) throw std::invalid_argument("\"" + word + "\" is not NAME:span");
        domains.push_back({word.substr(0, colon), static_cast<int>(*span)});
    }
    return domains;
}

void set_key(TopologyConf& conf, const std::string& key, const std::string& value) {
    if (key == "arch") {
        conf.arch = one_of(value, "x86_64", "arm64");
    } else if (key == "mode") {
        conf.mode = one_of(value, "replay", "fast");
    } else if (key == "sockets") {
        conf.sockets = parse_count(value, kMaxCpus);
    } else if (key == "cores") {
        conf.cores = parse_count(value, kMaxCpus);
    } else if (key == "threads") {
        conf.threads = parse_count(value, kMaxCpus);
    } else if (key == "node") {
        conf.nodes.push_back(parse_list(value));
    } else if (key == "nodes") {
        conf.node_count = parse_count(value, kMaxCpus);
    } else if (key == "distance") {
        conf.distances.push_back(parse_row(value, 1, 255));
    } else if (key == "capacity") {
        conf.capacities = parse_row(value, 1, 1 << 20);
    } else if (key == "cluster") {
        conf.clusters.push_back(parse_list(value));
    } else if (key == "memory") {
        conf.memory_mib = parse_count(value, 1 << 30);
    } else if (key == "domains") {
        conf.domains = parse_domains(value);
    } else {
        throw std::invalid_argument("unknown key \"" + key + "\"");
    }
}

// "nodes = N" means N equal, contiguous parts; without any line there is one node.
void split_nodes(TopologyConf& conf) {
    if (!conf.nodes.empty()) {
        if (conf.node_count == 0) return;
        throw std::invalid_argument("has both \"nodes\" and \"node\" lines");
    }
    int count = conf.node_count > 0 ? conf.node_count : 1;
    if (conf.nr_cpus() % count != 0) {
        throw std::invalid_argument(std::to_string(conf.nr_cpus()) + " CPUs do not split into " +
                                    std::to_string(count) + " equal nodes");
    }
    int size = conf.nr_cpus() / count;
    for (int n = 0; n < count; n++) conf.nodes.push_back(range(n * size, size));
}

void check_nodes(const TopologyConf& conf) {
    std::vector<int> owner(static_cast<size_t>(conf.nr_cpus()), -1);
    for (size_t n = 0; n < conf.nodes.size(); n++) {
        for (int cpu : conf.nodes[n]) {
            std::string name = "CPU " + std::to_string(cpu);
            if (cpu >= conf.nr_cpus()) throw std::invalid_argument(name + " does not exist");
            int& node = owner[static_cast<size_t>(cpu)];
            if (node >= 0) {
                throw std::invalid_argument(name + " is in node " + std::to_string(node) +
                                            " and in node " + std::to_string(n));
            }
            node = static_cast<int>(n);
        }
    }
    for (size_t cpu = 0; cpu < owner.size(); cpu++) {
        if (owner[cpu] < 0) {
            throw std::invalid_argument("CPU " + std::to_string(cpu) + " is in no node");
        }
    }
}

void check_distances(const TopologyConf& conf) {
    size_t count = conf.nodes.size();
    bool square = conf.distances.size() == count;
    for (const std::vector<int>& row : conf.distances) square = square && row.size() == count;
    if (!square) {
        throw std::invalid_argument("distances are not " + std::to_string(count) + " rows of " +
                                    std::to_string(count));
    }
    for (size_t a = 0; a < count; a++) {
        for (size_t b = 0; b < a; b++) {
            if (conf.distances[a][b] == conf.distances[b][a]) continue;
            throw std::invalid_argument("distance of nodes " + std::to_string(a) + " and " +
                                        std::to_string(b) + " is not symmetric");
        }
    }
}

void complete(TopologyConf& conf) {
    if (static_cast<long>(conf.sockets) * conf.cores > kMaxCpus || conf.nr_cpus() > kMaxCpus) {
        throw std::invalid_argument("more than " + std::to_string(kMaxCpus) + " CPUs");
    }
    split_nodes(conf);
    check_nodes(conf);
    if (conf.distances.empty()) {
        for (size_t a = 0; a < conf.nodes.size(); a++) {
            conf.distances.emplace_back(conf.nodes.size(), 20);
            conf.distances[a][a] = 10;
        }
    }
    check_distances(conf);
    if (!conf.capacities.empty() && static_cast<int>(conf.capacities.size()) != conf.nr_cpus()) {
        throw std::invalid_argument("capacity needs one value for each of " +
                                    std::to_string(conf.nr_cpus()) + " CPUs");
    }
}

}  // namespace

CpuList TopologyConf::core_cpus(int cpu) const { return range(cpu / threads * threads, threads); }

CpuList TopologyConf::socket_cpus(int cpu) const {
    int count = cores * threads;
    return range(cpu / count * count, count);
}

TopologyConf parse_conf(const std::string& text, const std::string& path) {
    TopologyConf conf;
    int number = 0;
    for (const std::string& line : split_lines(text)) {
        number++;
        std::string content = trimmed(line.substr(0, line.find('#')));
        if (content.empty()) continue;
        std::string where = path + ":" + std::to_string(number);
        size_t equals = content.find('=');
        if (equals == std::string::npos) throw FormatError(where, "not \"key = value\"");
        try {
            set_key(conf, trimmed(content.substr(0, equals)), trimmed(content.substr(equals + 1)));
        } catch (const std::invalid_argument& e) {
            throw FormatError(where, e.what());
        }
    }
    try {
        complete(conf);
    } catch (const std::invalid_argument& e) {
        throw FormatError(path, e.what());
    }
    return conf;
}

TopologyConf read_conf(const std::string& path) { return parse_conf(read_file(path), path); }

}  // namespace cfslb
