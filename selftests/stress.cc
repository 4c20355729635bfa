// SPDX-License-Identifier: GPL-2.0
// stress: the balancer under everything that changes its inputs at once. For kernels built with
// lockdep, KASAN, UBSAN and DEBUG_PREEMPT (scripts/check/variants/debug.config).
//
//   fork        processes that fork and reap as fast as they can, chains of them
//   affinity    the affinity of busy tasks changes all the time
//   policy      so do their policy and nice value: OTHER, BATCH, IDLE, FIFO
//   cgroup      busy tasks change cgroups, which come, go and change their weight
//   hotplug     CPUs go offline and come back
//   all         all of these together
//
// Right:  the kernel's log says nothing, and every task is alive at the end.
// Wrong:  a report of one of the kernel's checkers in the log, a crash or a hang.
// Seen failing on: any kernel, under harness/kmsg_fault.sh, which writes "BUG: ..." to /dev/kmsg.
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <random>

#include "lib/affinity.h"
#include "lib/burn.h"
#include "lib/cgroup.h"
#include "lib/deadline.h"
#include "lib/driver.h"
#include "lib/errors.h"
#include "lib/files.h"
#include "lib/judge.h"
#include "lib/kernel_log.h"
#include "lib/workers.h"

namespace {

using namespace cfslb;

using Random = std::minstd_rand;

constexpr int kForkChain = 8;
constexpr int kBurstChunks = 200;
constexpr size_t kMostOffline = 2;  // at a time: some CPUs must be left to run on
constexpr int kGroups = 4;
const char kOwnGroup[] = "own-";
const char kCpuFolder[] = "/sys/devices/system/cpu/cpu";

int below_n(Random& random, size_t n) { return static_cast<int>(random() % n); }

// ---- what each kind of churn does, for ever ----------------------------------

void fork_chain(Slot& slot, int length) {
    pid_t pid = fork();
    if (pid == 0) {
        for (int i = 0; i < kBurstChunks; i++) burn_chunk(slot);
        if (length > 1) fork_chain(slot, length - 1);
        _exit(0);
    }
    if (pid > 0) waitpid(pid, nullptr, 0);
}

[[noreturn]] void churn_forks(Slot& slot) {
    for (;;) fork_chain(slot, kForkChain);
}

CpuList some_cpus(Random& random, const CpuList& online) {
    CpuList cpus;
    for (int cpu : online) {
        if (random() % 2) cpus.push_back(cpu);
    }
    return cpus.empty() ? CpuList{online[static_cast<size_t>(below_n(random, online.size()))]}
                        : cpus;
}

[[noreturn]] void churn_affinity(Slot& slot, Random random, const CpuList& online) {
    for (;;) {
        // Fails when the CPUs are just offline: so be it.
        set_affinity_of(0, some_cpus(random, online));
        for (int i = below_n(random, kBurstChunks); i >= 0; i--) burn_chunk(slot);
    }
}

[[noreturn]] void churn_policy(Slot& slot, Random random) {
    static const int kPolicies[] = {SCHED_OTHER, SCHED_BATCH, SCHED_IDLE, SCHED_FIFO};
    for (;;) {
        int policy = kPolicies[below_n(random, 4)];
        sched_param parameter = {};
        parameter.sched_priority = policy == SCHED_FIFO ? 1 : 0;
        sched_setscheduler(0, policy, &parameter);
        setpriority(PRIO_PROCESS, 0, below_n(random, 40) - 20);
        for (int i = below_n(random, kBurstChunks); i >= 0; i--) burn_chunk(slot);
        // A FIFO task must not starve those whose turn it is to change something.
        timespec pause = {0, 100000};
        nanosleep(&pause, nullptr);
    }
}

// Moves itself between groups; makes and removes one of its own.
[[noreturn]] void churn_cgroup(Slot& slot, Random random, const CpuController& controller,
                               const std::vector<std::string>& groups) {
    std::string own = groups[0] + "/" + kOwnGroup + std::to_string(getpid());
    for (;;) {
        const std::string& group = groups[static_cast<size_t>(below_n(random, groups.size()))];
        mkdir(own.c_str(), 0755);
        for (const std::string& path : {group + "/cgroup.procs", group + "/cpu.weight"}) {
            try {
                bool join = path.back() == 's';
                if (join || controller.version == 2) {
                    write_file(path, join ? "0" : std::to_string(1 + below_n(random, 10000)));
                }
            } catch (const SystemError&) {
                // Someone else was faster; that is the point.
            }
        }
        for (int i = below_n(random, kBurstChunks); i >= 0; i--) burn_chunk(slot);
        rmdir(own.c_str());
    }
}

// False when the kernel refuses: busy, or the last one.
bool set_online(int cpu, bool online) {
    try {
        write_file(kCpuFolder + std::to_string(cpu) + "/online", online ? "1" : "0");
        return true;
    } catch (const SystemError&) {
        return false;
    }
}

[[noreturn]] void churn_hotplug(Slot& slot, Random random, const CpuList& removable) {
    CpuList offline;
    for (;;) {
        int cpu = removable[static_cast<size_t>(below_n(random, removable.size()))];
        auto found = std::find(offline.begin(), offline.end(), cpu);
        if (found == offline.end() && offline.size() >= kMostOffline) found = offline.begin();
        if (found != offline.end()) {
            if (!set_online(*found, true)) continue;
            offline.erase(found);
        } else {
            if (!set_online(cpu, false)) continue;
            offline.push_back(cpu);
        }
        burn_chunk(slot);
    }
}

// ---- the cases ---------------------------------------------------------------

struct Churn {
    bool fork = false, affinity = false, policy = false, cgroup = false, hotplug = false;
};

CpuList removable_cpus(const CpuList& online) {
    CpuList cpus;
    for (int cpu : online) {
        if (read_file_if_there(kCpuFolder + std::to_string(cpu) + "/online")) cpus.push_back(cpu);
    }
    return cpus;
}

// Workers by kind. A kind that got nothing done would make the case a test of nothing.
struct Crowd {
    std::vector<WorkerSpec> specs;
    std::vector<std::string> kinds;  // of each worker
    std::map<std::string, uint64_t> done(const Workers& workers) const {
        std::map<std::string, uint64_t> beats;
        for (size_t w = 0; w < workers.size(); w++) beats[kinds[w]] += workers.slot(w).beats.load();
        return beats;
    }
};

// A quarter of the CPUs or two of KIND, or COUNT.
void add_kind(Crowd& crowd, const Context& context, const std::string& kind,
              std::function<void(Slot&, Random)> body, int count = 0) {
    if (!count) count = std::max(2, context.topology.nr_cpus() / 4);
    for (int i = 0; i < count; i++) {
        WorkerSpec spec;
        Random random(static_cast<unsigned>(context.options.seed * 1000) + crowd.specs.size() + 1);
        spec.body = [body, random](Slot& slot) { body(slot, random); };
        crowd.specs.push_back(spec);
        crowd.kinds.push_back(kind);
    }
}

// Brings back what a killed hotplug worker left offline.
struct OnlineAgain {
    CpuList cpus;
    ~OnlineAgain() {
        for (int cpu : cpus) set_online(cpu, true);
    }
};

// Removes the groups that killed workers left in PARENT.
struct OwnGroupsGone {
    std::string parent;
    ~OwnGroupsGone() {
        if (parent.empty()) return;
        for (const std::string& name : list_directory(parent)) {
            if (name.compare(0, strlen(kOwnGroup), kOwnGroup) == 0) {
                rmdir((parent + "/" + name).c_str());
            }
        }
    }
};

Result run_churn(const Churn& churn, const Context& context) {
    require_cpus(context, 2);
    KernelLog log;
    const CpuList& online = context.topology.online;
    OnlineAgain again;
    std::vector<std::unique_ptr<Cgroup>> groups;
    OwnGroupsGone own_groups;
    std::vector<std::string> paths;
    CpuController controller;
    Crowd crowd;
    if (churn.cgroup) {
        controller = find_cpu_controller();
        for (int i = 0; i < kGroups; i++) {
            groups.push_back(std::make_unique<Cgroup>(controller, "stress-" + std::to_string(i)));
            paths.push_back(groups.back()->path());
        }
        own_groups.parent = paths.front();
        add_kind(crowd, context, "cgroup",
                 [&](Slot& s, Random r) { churn_cgroup(s, r, controller, paths); });
    }
    if (churn.hotplug) {
        again.cpus = removable_cpus(online);
        if (again.cpus.empty())
            throw Skip("needs a CPU that can go offline (root, CONFIG_HOTPLUG_CPU)");
        add_kind(
            crowd, context, "hotplug", [&](Slot& s, Random r) { churn_hotplug(s, r, again.cpus); },
            1);
    }
    if (churn.fork) add_kind(crowd, context, "fork", [](Slot& s, Random) { churn_forks(s); });
    if (churn.affinity) {
        add_kind(crowd, context, "affinity",
                 [&](Slot& s, Random r) { churn_affinity(s, r, online); });
    }
    if (churn.policy) {
        require_realtime();
        add_kind(crowd, context, "policy", [](Slot& s, Random r) { churn_policy(s, r); });
    }
    // And some that only burn, as prey.
    add_kind(crowd, context, "prey", [](Slot& s, Random) { burn_for_ever(s); });

    Result result;
    {
        Workers workers(crowd.specs);
        workers.release();
        int64_t end_ns = now_ns() + context.options.seconds * kNsPerSecond;
        while (now_ns() < end_ns) {
            if (stop_requested()) throw Interrupted();
            sleep_until_ns(std::min(end_ns, now_ns() + 100 * kNsPerMs));
        }
        workers.check_alive();
        for (const auto& [kind, beats] : crowd.done(workers)) {
            result.metrics.push_back(
                {"done_" + kind, static_cast<double>(beats), "count", Better::none});
            if (!beats) result.fail(kind + ": got nothing done");
        }
    }
    std::vector<std::string> faults = kernel_faults(log.read_new());
    result.metrics.push_back(
        {"kernel_faults", static_cast<double>(faults.size()), "count", Better::lower});
    for (const std::string& fault : faults) result.fail("kernel: " + fault);
    std::string leaks = kernel_leaks();
    if (!leaks.empty()) result.fail("kmemleak: " + split_lines(leaks).front());
    return result;
}

std::vector<Case> cases(const Topology&) {
    auto churn = [](Churn kinds) {
        return [kinds](const Context& context) { return run_churn(kinds, context); };
    };
    return {
        {"fork", "fork storms", churn({true, false, false, false, false})},
        {"affinity", "affinities change", churn({false, true, false, false, false})},
        {"policy", "policies and nice values change", churn({false, false, true, false, false})},
        {"cgroup", "tasks change cgroups", churn({false, false, false, true, false})},
        {"hotplug", "CPUs go offline and come back", churn({true, false, false, false, true})},
        {"all", "all of these together", churn({true, true, true, true, true})}};
}

}  // namespace

int main(int argc, char* argv[]) {
    return cfslb::driver_main(argc, argv,
                              {"stress", "the kernel's checkers stay quiet under churn", cases});
}
