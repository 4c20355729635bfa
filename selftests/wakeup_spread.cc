// SPDX-License-Identifier: GPL-2.0
// wakeup_spread: tasks that sleep most of the time wake up on idle CPUs, not behind hogs.
//
// A hog is pinned to every second CPU. A quarter as many light tasks as CPUs run 3 ms in every 13:
// they start on the hogs' CPUs and are then free.
//
// Right:  their bursts run on idle CPUs.
// Wrong:  they wake up where they ran last and wait there behind the hog.
// Seen failing on: only without load balancing, numa-4x4, seed 1: 100 % beside a hog.
#include <algorithm>

#include "lib/driver.h"
#include "lib/errors.h"
#include "lib/judge.h"
#include "lib/limits.h"
#include "lib/placement.h"
#include "lib/scenario.h"

namespace {

using namespace cfslb;

constexpr int kMinCpus = 4;
constexpr int kRunMs = 1500;
constexpr int64_t kBurstUs = 3000;
// No multiple of the sample step of 10 ms, which would see the same phase each time.
constexpr int64_t kPeriodUs = 13000;
// A light task that has waited once behind a hog stays there for that burst; one in ten of them
// is noise, one that does not find the idle CPU is beside the hog in all of its samples.
constexpr double kMostBesidePct = 10;

Result run_sleepers(const Context& context) {
    require_cpus(context, kMinCpus);
    require_whole_box(context);
    const CpuList& online = context.topology.online;
    Scenario scenario;
    scenario.run_ms = std::min(kRunMs, context.options.seconds * 1000);
    scenario.judged_from_ms = std::min<int64_t>(
        after_confinement_limit_ms(context.topology.nr_cpus(), kConfinedMs), scenario.run_ms / 2);
    CpuList hog_cpus;
    for (size_t i = 1; i < online.size(); i += 2) hog_cpus.push_back(online[i]);
    WorkerSpec hog;
    hog.group = Group::background;
    add_pinned_workers(scenario, hog_cpus, hog);
    std::vector<size_t> hogs;
    for (size_t i = 0; i < hog_cpus.size(); i++) hogs.push_back(i);
    WorkerSpec light;
    light.run_us = kBurstUs;
    light.period_us = kPeriodUs;
    std::vector<size_t> sleepers;
    for (size_t i = 0; i < hog_cpus.size(); i += 2) {
        sleepers.push_back(scenario.workers.size());
        add_pinned_workers(scenario, {hog_cpus[i]}, light);
    }
    release_workers(scenario, kConfinedMs, sleepers.front(), sleepers.size(), online);
    Recording recording = run_scenario(scenario, context);
    Result result = measured(recording, context);
    double beside = percent_beside(recording.samples, sleepers, hogs, recording.judged);
    result.metrics.push_back({"beside_hogs_pct", beside, "%", Better::lower});
    result.notes.push_back(decimal(beside) + " % of the light tasks' bursts beside a hog");
    double bursts = 0;
    for (double tasks : result.tasks_per_node) bursts += tasks;
    if (bursts == 0) result.fail("no burst of a light task was seen");
    if (beside > kMostBesidePct) {
        result.fail(decimal(beside) + " % of the light tasks' bursts beside a hog, limit " +
                    decimal(kMostBesidePct) + " %");
    }
    return result;
}

std::vector<Case> cases(const Topology&) {
    return {
        {"sleepers", "light tasks keep away from hogs while there are idle CPUs", run_sleepers}};
}

}  // namespace

int main(int argc, char* argv[]) {
    return cfslb::driver_main(
        argc, argv, {"wakeup_spread", "tasks wake up on idle CPUs, not behind hogs", cases});
}
