// SPDX-License-Identifier: GPL-2.0
#include "placement.h"

#include <algorithm>
#include <stdexcept>

namespace cfslb {

namespace {

constexpr double kNsPerMs = 1e6;
constexpr int kLeastNice = -20;

// sched_prio_to_weight, from nice -20 on.
constexpr int kWeights[] = {88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
                            9548,  7620,  6100,  4904,  3906,  3121,  2501,  1991,  1586,  1277,
                            1024,  820,   655,   526,   423,   335,   272,   215,   172,   137,
                            110,   87,    70,    56,    45,    36,    29,    23,    18,    15};

bool active_on(const WorkerSample& state, const CpuList& cpus) {
    return !state.sleeping && state.cpu >= 0 && contains(cpus, state.cpu);
}

// From FROM_NS to the first sample K for which FOUND(K) holds, in ms.
template <typename Found>
std::optional<double> ms_until(const Samples& samples, int64_t from_ns, Found found) {
    for (size_t k = 0; k < samples.count(); k++) {
        if (samples.time_ns(k) < from_ns || !found(k)) continue;
        return static_cast<double>(samples.time_ns(k) - from_ns) / kNsPerMs;
    }
    return std::nullopt;
}

double percent(long part, long whole) {
    return whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

bool any_active_on(const Samples& samples, size_t k, const std::vector<size_t>& workers, int cpu) {
    return std::any_of(workers.begin(), workers.end(),
                       [&](size_t w) { return active_on(samples.at(k, w), {cpu}); });
}

}  // namespace

int weight_of_nice(int nice) {
    size_t at = static_cast<size_t>(nice - kLeastNice);
    if (nice < kLeastNice || at >= sizeof(kWeights) / sizeof(kWeights[0])) {
        throw std::out_of_range("nice " + std::to_string(nice));
    }
    return kWeights[at];
}

std::vector<double> mean_weight_per_cpu(const Samples& samples, const std::vector<int>& weights,
                                        int cpu_limit, const Span& span) {
    std::vector<double> mean(static_cast<size_t>(cpu_limit));
    long looks = 0;
    for (size_t k = 0; k < samples.count(); k++) {
        if (!span.holds(samples.time_ns(k))) continue;
        looks++;
        for (size_t w = 0; w < samples.workers(); w++) {
            const WorkerSample& state = samples.at(k, w);
            if (state.sleeping || state.cpu < 0 || state.cpu >= cpu_limit) continue;
            mean[static_cast<size_t>(state.cpu)] += weights[w];
        }
    }
    for (double& value : mean) value /= looks > 0 ? static_cast<double>(looks) : 1;
    return mean;
}

std::optional<double> ms_until_on(const Samples& samples, size_t worker, const CpuList& cpus,
                                  int64_t from_ns) {
    return ms_until(samples, from_ns,
                    [&](size_t k) { return active_on(samples.at(k, worker), cpus); });
}

bool on_before(const Samples& samples, size_t worker, size_t other, const CpuList& cpus) {
    for (size_t k = 0; k < samples.count(); k++) {
        if (contains(cpus, samples.at(k, other).cpu)) return false;
        if (contains(cpus, samples.at(k, worker).cpu)) return true;
    }
    return false;
}

std::optional<double> ms_until_all_busy(const Samples& samples, const CpuList& cpus,
                                        int64_t from_ns) {
    std::vector<size_t> all(samples.workers());
    for (size_t w = 0; w < all.size(); w++) all[w] = w;
    return ms_until(samples, from_ns, [&](size_t k) {
        return std::all_of(cpus.begin(), cpus.end(),
                           [&](int cpu) { return any_active_on(samples, k, all, cpu); });
    });
}

double percent_on(const Samples& samples, const std::vector<size_t>& workers, const CpuList& cpus,
                  const Span& span) {
    long active = 0;
    long there = 0;
    for (size_t k = 0; k < samples.count(); k++) {
        if (!span.holds(samples.time_ns(k))) continue;
        for (size_t w : workers) {
            active += !samples.at(k, w).sleeping;
            there += active_on(samples.at(k, w), cpus);
        }
    }
    return percent(there, active);
}

double percent_beside(const Samples& samples, const std::vector<size_t>& guests,
                      const std::vector<size_t>& hosts, const Span& span) {
    long active = 0;
    long beside = 0;
    for (size_t k = 0; k < samples.count(); k++) {
        if (!span.holds(samples.time_ns(k))) continue;
        for (size_t guest : guests) {
            const WorkerSample& state = samples.at(k, guest);
            if (state.sleeping || state.cpu < 0) continue;
            active++;
            beside += any_active_on(samples, k, hosts, state.cpu);
        }
    }
    return percent(beside, active);
}

double percent_together(const Samples& samples, size_t a, size_t b, const Topology& topology,
                        const Span& span) {
    long looks = 0;
    long together = 0;
    for (size_t k = 0; k < samples.count(); k++) {
        int cpu_a = samples.at(k, a).cpu;
        int cpu_b = samples.at(k, b).cpu;
        if (!span.holds(samples.time_ns(k)) || cpu_a < 0 || cpu_b < 0) continue;
        looks++;
        together += topology.cpu(cpu_a).node == topology.cpu(cpu_b).node;
    }
    return percent(together, looks);
}

long moves_of(const Samples& samples, size_t worker, const Span& span) {
    long moves = 0;
    for (size_t k = 1; k < samples.count(); k++) {
        if (!span.holds(samples.time_ns(k - 1)) || !span.holds(samples.time_ns(k))) continue;
        int before = samples.at(k - 1, worker).cpu;
        moves += before >= 0 && samples.at(k, worker).cpu != before;
    }
    return moves;
}

long node_moves_of(const Samples& samples, size_t worker, const Topology& topology,
                   const Span& span) {
    long moves = 0;
    for (size_t k = 1; k < samples.count(); k++) {
        int before = samples.at(k - 1, worker).cpu;
        int after = samples.at(k, worker).cpu;
        if (!span.holds(samples.time_ns(k - 1)) || !span.holds(samples.time_ns(k))) continue;
        moves += before >= 0 && topology.cpu(after).node != topology.cpu(before).node;
    }
    return moves;
}

std::vector<double> count_per_node(const std::vector<int>& cpus, const std::vector<Node>& nodes) {
    std::vector<double> counts;
    for (const Node& node : nodes) {
        if (node.cpus.empty()) continue;
        counts.push_back(static_cast<double>(std::count_if(
            cpus.begin(), cpus.end(), [&](int cpu) { return contains(node.cpus, cpu); })));
    }
    return counts;
}

}  // namespace cfslb
