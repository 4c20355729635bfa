// SPDX-License-Identifier: GPL-2.0
#include "analysis.h"

#include <algorithm>

namespace cfslb {

namespace {

constexpr double kNsPerMs = 1e6;

bool counts(const TrackedWorker& worker, Who who) { return who == Who::all || worker.judged; }

bool may_run_on(const TrackedWorker& worker, int cpu, int64_t time_ns) {
    const CpuList* cpus = nullptr;
    for (const AffinityFrom& change : worker.affinity) {
        if (change.from_ns <= time_ns) cpus = &change.cpus;
    }
    return !cpus || cpus->empty() || contains(*cpus, cpu);
}

// One window between samples k - 1 and k.
class Window {
  public:
    Window(const Samples& samples, const std::vector<TrackedWorker>& workers, size_t k,
           int cpu_limit)
        : samples_(samples),
          workers_(workers),
          k_(k),
          busy_(static_cast<size_t>(cpu_limit)),
          active_(static_cast<size_t>(cpu_limit)),
          top_priority_(static_cast<size_t>(cpu_limit)),
          at_top_(static_cast<size_t>(cpu_limit)) {
        for (size_t w = 0; w < samples_.workers(); w++) locate(w);
    }

    bool idle(int cpu) const { return !busy_[index(cpu)] && active_[index(cpu)] == 0; }

    bool waits(size_t w) const {
        const WorkerSample& before = samples_.at(k_ - 1, w);
        const WorkerSample& after = samples_.at(k_, w);
        if (before.sleeping || after.sleeping) return false;
        if (after.cpu < 0) return true;
        size_t cpu = index(after.cpu);
        if (active_[cpu] < 2) return false;
        int priority = workers_[w].realtime_priority;
        bool alone_at_top = priority > 0 && priority == top_priority_[cpu] && at_top_[cpu] == 1;
        return !alone_at_top;
    }

    // Active workers above one per CPU: as many idle CPUs could be filled at once.
    int excess() const {
        int sum = unlocated_;
        for (int count : active_) sum += count > 1 ? count - 1 : 0;
        return sum;
    }

  private:
    static size_t index(int cpu) { return static_cast<size_t>(cpu); }

    void locate(size_t w) {
        const WorkerSample& before = samples_.at(k_ - 1, w);
        const WorkerSample& after = samples_.at(k_, w);
        if (after.beats > before.beats) {
            if (after.cpu >= 0) busy_[index(after.cpu)] = true;
            if (before.cpu >= 0) busy_[index(before.cpu)] = true;
        }
        if (after.sleeping) return;
        if (after.cpu < 0) {
            unlocated_++;
            return;
        }
        size_t cpu = index(after.cpu);
        active_[cpu]++;
        int priority = workers_[w].realtime_priority;
        if (priority > top_priority_[cpu]) {
            top_priority_[cpu] = priority;
            at_top_[cpu] = 0;
        }
        if (priority > 0 && priority == top_priority_[cpu]) at_top_[cpu]++;
    }

    const Samples& samples_;
    const std::vector<TrackedWorker>& workers_;
    size_t k_;
    std::vector<bool> busy_;         // someone located here made progress
    std::vector<int> active_;        // active workers located here
    std::vector<int> top_priority_;  // highest real-time priority here, 0: none
    std::vector<int> at_top_;        // workers that have it
    int unlocated_ = 0;              // active workers that have not run yet
};

int cpu_limit_of(const Samples& samples, const CpuList& cpus) {
    int limit = cpus.empty() ? 0 : cpus.back() + 1;
    for (size_t k = 0; k < samples.count(); k++) {
        for (size_t w = 0; w < samples.workers(); w++) {
            limit = std::max(limit, samples.at(k, w).cpu + 1);
        }
    }
    return limit;
}

CpuList violating(const Window& window, const Samples& samples,
                  const std::vector<TrackedWorker>& workers, const CpuList& cpus, size_t k) {
    std::vector<size_t> waiting;
    for (size_t w = 0; w < samples.workers(); w++) {
        if (window.waits(w)) waiting.push_back(w);
    }
    CpuList found;
    for (int cpu : cpus) {
        if (waiting.empty() || !window.idle(cpu)) continue;
        // The affinity must have held for the whole window, so look at its start.
        int64_t start = samples.time_ns(k - 1);
        bool wanted = std::any_of(waiting.begin(), waiting.end(),
                                  [&](size_t w) { return may_run_on(workers[w], cpu, start); });
        if (wanted) found.push_back(cpu);
    }
    return found;
}

// First and last sample within SPAN; false when there are none.
bool ends(const Samples& samples, const Span& span, size_t& first, size_t& last) {
    bool any = false;
    for (size_t k = 0; k < samples.count(); k++) {
        if (!span.holds(samples.time_ns(k))) continue;
        if (!any) first = k;
        last = k;
        any = true;
    }
    return any;
}

}  // namespace

std::vector<double> mean_tasks_per_cpu(const Samples& samples,
                                       const std::vector<TrackedWorker>& workers, int cpu_limit,
                                       const Span& span, Who who) {
    std::vector<double> mean(static_cast<size_t>(cpu_limit));
    long looks = 0;
    for (size_t k = 0; k < samples.count(); k++) {
        if (!span.holds(samples.time_ns(k))) continue;
        looks++;
        for (size_t w = 0; w < samples.workers(); w++) {
            const WorkerSample& state = samples.at(k, w);
            if (!counts(workers[w], who) || state.sleeping) continue;
            if (state.cpu < 0 || state.cpu >= cpu_limit) continue;
            mean[static_cast<size_t>(state.cpu)] += 1;
        }
    }
    for (double& value : mean) value /= looks > 0 ? static_cast<double>(looks) : 1;
    return mean;
}

std::vector<double> per_node(const std::vector<double>& per_cpu, const std::vector<Node>& nodes) {
    std::vector<double> sums;
    for (const Node& node : nodes) {
        if (node.cpus.empty()) continue;
        double sum = 0;
        for (int cpu : node.cpus) {
            if (static_cast<size_t>(cpu) < per_cpu.size()) sum += per_cpu[static_cast<size_t>(cpu)];
        }
        sums.push_back(sum);
    }
    return sums;
}

std::vector<double> work_shares(const Samples& samples, const std::vector<TrackedWorker>& workers,
                                const Span& span) {
    std::vector<double> shares;
    size_t first = 0;
    size_t last = 0;
    if (!ends(samples, span, first, last)) return shares;
    double sum = 0;
    for (size_t w = 0; w < samples.workers(); w++) {
        if (!workers[w].judged) continue;
        uint64_t beats = samples.at(last, w).beats - samples.at(first, w).beats;
        shares.push_back(static_cast<double>(beats));
        sum += static_cast<double>(beats);
    }
    for (double& share : shares) share = sum > 0 ? 100.0 * share / sum : 0;
    return shares;
}

double min_max_percent(const std::vector<double>& shares) {
    if (shares.empty()) return 100;
    auto [least, most] = std::minmax_element(shares.begin(), shares.end());
    return *most > 0 ? 100.0 * *least / *most : 0;
}

long observed_moves(const Samples& samples, const std::vector<TrackedWorker>& workers,
                    const Span& span, Who who) {
    long moves = 0;
    for (size_t k = 1; k < samples.count(); k++) {
        if (!span.holds(samples.time_ns(k - 1)) || !span.holds(samples.time_ns(k))) continue;
        for (size_t w = 0; w < samples.workers(); w++) {
            int before = samples.at(k - 1, w).cpu;
            int after = samples.at(k, w).cpu;
            if (counts(workers[w], who) && before >= 0 && after != before) moves++;
        }
    }
    return moves;
}

IdleWhileWaiting idle_while_waiting(const Samples& samples,
                                    const std::vector<TrackedWorker>& workers, const CpuList& cpus,
                                    const Span& span) {
    IdleWhileWaiting result;
    int limit = cpu_limit_of(samples, cpus);
    std::map<int, double> running;  // unbroken violation of each CPU up to this window
    for (size_t k = 1; k < samples.count(); k++) {
        if (!span.holds(samples.time_ns(k - 1)) || !span.holds(samples.time_ns(k))) continue;
        double window_ms =
            static_cast<double>(samples.time_ns(k) - samples.time_ns(k - 1)) / kNsPerMs;
        Window window(samples, workers, k, limit);
        std::map<int, double> still;
        for (int cpu : violating(window, samples, workers, cpus, k)) {
            double run_ms = running.count(cpu) ? running[cpu] + window_ms : window_ms;
            still[cpu] = run_ms;
            double& longest = result.longest_ms_per_cpu[cpu];
            longest = std::max(longest, run_ms);
            if (run_ms > result.longest_ms) {
                result.longest_ms = run_ms;
                result.longest_cpu = cpu;
            }
        }
        int lost = std::min(static_cast<int>(still.size()), window.excess());
        result.total_ms += lost * window_ms;
        running.swap(still);
    }
    return result;
}

IdleWhileWaiting bounded_by_idle_time(const IdleWhileWaiting& lost,
                                      const std::map<int, double>& idle_ms, double resolution_ms) {
    IdleWhileWaiting result;
    double most_total_ms = 0;
    for (const auto& [cpu, longest_ms] : lost.longest_ms_per_cpu) {
        double most_ms = lost.total_ms;
        auto idle = idle_ms.find(cpu);
        if (idle != idle_ms.end()) most_ms = idle->second + resolution_ms;
        most_total_ms += most_ms;
        double run_ms = std::min(longest_ms, most_ms);
        result.longest_ms_per_cpu[cpu] = run_ms;
        if (run_ms > result.longest_ms) {
            result.longest_ms = run_ms;
            result.longest_cpu = cpu;
        }
    }
    result.total_ms = std::min(lost.total_ms, most_total_ms);
    return result;
}

std::vector<std::vector<int>> timeline(const Samples& samples, int cpu_limit, int64_t step_ms) {
    std::vector<std::vector<int>> steps;
    if (samples.count() == 0) return steps;
    int64_t step_ns = step_ms * static_cast<int64_t>(kNsPerMs);
    int64_t last_ns = samples.time_ns(samples.count() - 1);
    size_t k = 0;
    for (int64_t at = samples.time_ns(0); at <= last_ns; at += step_ns) {
        while (k + 1 < samples.count() && samples.time_ns(k + 1) <= at) k++;
        std::vector<int> tasks(static_cast<size_t>(cpu_limit));
        for (size_t w = 0; w < samples.workers(); w++) {
            const WorkerSample& state = samples.at(k, w);
            if (state.sleeping || state.cpu < 0 || state.cpu >= cpu_limit) continue;
            tasks[static_cast<size_t>(state.cpu)]++;
        }
        steps.push_back(std::move(tasks));
    }
    return steps;
}

}  // namespace cfslb
