// SPDX-License-Identifier: GPL-2.0
#include "scenario.h"

#include <cstdio>

#include "affinity.h"
#include "deadline.h"
#include "errors.h"
#include "limits.h"
#include "waste.h"

namespace cfslb {

namespace {

TrackedWorker tracked(const WorkerSpec& spec) {
    TrackedWorker worker;
    worker.judged = spec.group == Group::judged;
    worker.realtime_priority = spec.policy == Policy::fifo ? spec.priority : 0;
    worker.affinity.push_back({0, spec.affinity});
    return worker;
}

// The sampling loop and what it must keep in mind between two samples.
class Run {
  public:
    Run(const Scenario& scenario, Workers& workers, Recording& recording)
        : scenario_(scenario), workers_(workers), recording_(recording) {}

    void loop() {
        start_ns_ = now_ns();
        workers_.release();
        int64_t end_ns = scenario_.run_ms * kNsPerMs;
        for (int64_t next_ns = 0; next_ns <= end_ns && !recording_.samples.full();) {
            sleep_until_ns(start_ns_ + next_ns);
            if (stop_requested()) throw Interrupted();
            int64_t time_ns = now_ns() - start_ns_;
            if (time_ns < next_ns) continue;  // some other signal
            take_sample(workers_, time_ns, recording_.samples);
            apply_due_changes();
            apply_due_holds();
            read_due_cpu_use(time_ns);
            if (idle_before_.empty() && time_ns >= scenario_.judged_from_ms * kNsPerMs) {
                idle_before_ = read_idle_times();
                idle_from_ns_ = now_ns();
                cpu_before_ = cpu_times();
                waste_before_ = read_waste_ms();
            }
            // On a grid of fixed steps; what a late sample missed is left out.
            int64_t step_ns = kSampleMs * kNsPerMs;
            next_ns = ((now_ns() - start_ns_) / step_ns + 1) * step_ns;
        }
        read_idle_share();
        read_cpu_times();
        read_waste();
        for (size_t w = 0; w < workers_.size(); w++) {
            recording_.first_cpus.push_back(workers_.slot(w).first_cpu.load());
        }
    }

  private:
    void apply_due_changes() {
        for (; next_change_ < scenario_.changes.size(); next_change_++) {
            const AffinityChange& change = scenario_.changes[next_change_];
            if (now_ns() - start_ns_ < change.at_ms * kNsPerMs) return;
            workers_.set_affinity(change.worker, change.cpus);
            recording_.workers[change.worker].affinity.push_back(
                {now_ns() - start_ns_, change.cpus});
        }
    }

    void apply_due_holds() {
        for (; next_hold_ < scenario_.holds.size(); next_hold_++) {
            const HoldChange& change = scenario_.holds[next_hold_];
            if (now_ns() - start_ns_ < change.at_ms * kNsPerMs) return;
            workers_.hold(change.worker, change.held);
        }
    }

    void read_due_cpu_use(int64_t time_ns) {
        int64_t second = static_cast<int64_t>(recording_.cpu_use.size());
        if (!scenario_.measure_cpu_use || time_ns < second * kNsPerSecond) return;
        recording_.cpu_use.push_back(read_cpu_use());
    }

    std::vector<double> cpu_times() const {
        std::vector<double> times;
        for (size_t w = 0; scenario_.measure_cpu_time && w < workers_.size(); w++) {
            times.push_back(workers_.cpu_ms(w));
        }
        return times;
    }

    void read_cpu_times() {
        recording_.cpu_ms = cpu_times();
        for (size_t w = 0; w < cpu_before_.size(); w++) recording_.cpu_ms[w] -= cpu_before_[w];
    }

    void read_idle_share() {
        if (idle_before_.empty()) return;
        recording_.idle_ms = idle_between(idle_before_, read_idle_times());
        double span_ms = static_cast<double>(now_ns() - idle_from_ns_) / kNsPerMs;
        recording_.idle_pct = idle_percent(recording_.idle_ms, span_ms);
        recording_.idle_resolution_pct = 100.0 * idle_resolution_ms() / span_ms;
    }

    void read_waste() {
        if (!waste_before_) return;
        std::optional<double> now = read_waste_ms();
        // Less than before: someone made a mark meanwhile.
        if (now && *now >= *waste_before_) recording_.waste_ms = *now - *waste_before_;
    }

    const Scenario& scenario_;
    Workers& workers_;
    Recording& recording_;
    int64_t start_ns_ = 0;
    size_t next_change_ = 0;
    size_t next_hold_ = 0;
    IdleTimes idle_before_;
    std::optional<double> waste_before_;
    int64_t idle_from_ns_ = 0;
    std::vector<double> cpu_before_;
};

// Keeps the caller on one CPU for as long as the object lives.
class PinnedScope {
  public:
    explicit PinnedScope(int cpu) : before_(own_affinity()) {
        int error = set_affinity_of(0, {cpu});
        if (error) throw SystemError("run the sampler on CPU", std::to_string(cpu), error);
    }
    ~PinnedScope() { set_affinity_of(0, before_); }
    PinnedScope(const PinnedScope&) = delete;
    PinnedScope& operator=(const PinnedScope&) = delete;

  private:
    CpuList before_;
};

void record(const Scenario& scenario, const Context& context, Recording& recording) {
    // Real-time from before the fork until after the kill: a FIFO worker must not keep the parent
    // from either. The workers do not inherit it.
    RealtimeScope realtime;
    recording.realtime_sampler = realtime.granted();
    Workers workers(scenario.workers);
    // After the fork: the workers would inherit the pin.
    PinnedScope pinned(scenario.sampler_cpu >= 0 ? scenario.sampler_cpu
                                                 : context.topology.online.front());
    sleep_until_ns(now_ns() + seed_offset_ns(context.options.seed));
    Run(scenario, workers, recording).loop();
    workers.check_alive();
}

}  // namespace

Scenario timed_scenario(const Context& context) {
    Scenario scenario;
    int run_ms = context.options.seconds * 1000;
    scenario.run_ms = run_ms;
    scenario.judged_from_ms = settle_ms(context.topology.nr_cpus(), run_ms);
    return scenario;
}

Recording run_scenario(const Scenario& scenario, const Context& context) {
    size_t capacity = static_cast<size_t>(scenario.run_ms / kSampleMs) + 1;
    Recording recording{
        Samples(scenario.workers.size(), capacity), {}, {}, {}, {}, 0, 0, false, {}, {}, {}, {}};
    recording.judged.from_ns = scenario.judged_from_ms * kNsPerMs;
    for (const WorkerSpec& spec : scenario.workers) recording.workers.push_back(tracked(spec));
    fflush(stdout);
    record(scenario, context, recording);
    recording.lost =
        bounded_by_idle_time(idle_while_waiting(recording.samples, recording.workers,
                                                context.topology.online, recording.judged),
                             recording.idle_ms, idle_resolution_ms());
    return recording;
}

}  // namespace cfslb
