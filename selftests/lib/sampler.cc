// SPDX-License-Identifier: GPL-2.0
#include "sampler.h"

#include <sched.h>
#include <unistd.h>

#include "errors.h"
#include "files.h"

namespace cfslb {

void take_sample(const Workers& workers, int64_t time_ns, Samples& samples) {
    WorkerSample* row = samples.append(time_ns);
    for (size_t i = 0; i < workers.size(); i++) {
        const Slot& slot = workers.slot(i);
        // A worker stores the CPU first and counts then, so read in the other order: the CPU is
        // at least as new as the count.
        row[i].beats = slot.beats.load(std::memory_order_acquire);
        row[i].cpu = static_cast<int16_t>(slot.cpu.load(std::memory_order_relaxed));
        row[i].sleeping = slot.sleeping.load(std::memory_order_relaxed) != 0;
    }
}

RealtimeScope::RealtimeScope() {
    sched_param param = {};
    param.sched_priority = kSamplerPriority;
    granted_ = sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param) == 0;
}

RealtimeScope::~RealtimeScope() {
    sched_param param = {};
    // Clearing the reset flag needs a privilege that a plain RLIMIT_RTPRIO does not give: keep it.
    if (granted_) sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &param);
}

IdleTimes parse_idle_times(const std::string& proc_stat, long user_hz, const std::string& path) {
    constexpr size_t kIdleField = 4;  // cpuN user nice system idle iowait ...
    IdleTimes times;
    for (const std::string& line : split_lines(proc_stat)) {
        std::vector<std::string> words = split_words(line);
        if (words.empty() || words[0].compare(0, 3, "cpu") != 0) break;
        std::optional<long> cpu = parse_number(words[0].substr(3), 0, kMaxCpus);
        if (!cpu) continue;  // the first line sums up all CPUs
        double ticks = 0;
        for (size_t field = kIdleField; field < kIdleField + 2; field++) {
            std::optional<long> value;
            if (field < words.size()) value = parse_number(words[field], 0, __LONG_MAX__);
            if (!value) throw FormatError(path, "no idle time in \"" + line + "\"");
            ticks += static_cast<double>(*value);
        }
        times[static_cast<int>(*cpu)] = ticks * 1000.0 / static_cast<double>(user_hz);
    }
    if (times.empty()) throw FormatError(path, "no line for any CPU");
    return times;
}

IdleTimes read_idle_times(const std::string& root) {
    std::string path = below(root, "/proc/stat");
    return parse_idle_times(read_file(path), sysconf(_SC_CLK_TCK), path);
}

double idle_resolution_ms() { return 1000.0 / static_cast<double>(sysconf(_SC_CLK_TCK)); }

IdleTimes idle_between(const IdleTimes& before, const IdleTimes& after) {
    IdleTimes between;
    for (const auto& [cpu, start] : before) {
        auto end = after.find(cpu);
        bool grew = end != after.end() && end->second > start;
        between[cpu] = grew ? end->second - start : 0;
    }
    return between;
}

double idle_percent(const IdleTimes& between, double span_ms) {
    double idle_ms = 0;
    for (const auto& [cpu, ms] : between) {
        (void)cpu;
        idle_ms += ms;
    }
    if (between.empty() || span_ms <= 0) return 0;
    return 100.0 * idle_ms / (span_ms * static_cast<double>(between.size()));
}

}  // namespace cfslb
