// SPDX-License-Identifier: GPL-2.0
#include "workers.h"

#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#define CFSLB_HAS_RSEQ 1
#endif

#include <cerrno>
#include <climits>
#include <new>

#include "affinity.h"
#include "burn.h"
#include "deadline.h"
#include "errors.h"
#include "files.h"

namespace cfslb {

namespace {

// 160 emulated CPUs fork 200 workers in seconds; a minute without them means a hang.
constexpr int kReadyDeadlineMs = 60000;
constexpr int kReapDeadlineMs = 20000;

const char* const kSteps[] = {"die with the parent",       "join the cgroup",
                              "set the affinity",          "set the nice value",
                              "set the scheduling policy", "fork"};
enum Step { kStepDeathSignal, kStepCgroup, kStepAffinity, kStepNice, kStepPolicy, kStepFork };

long futex(std::atomic<uint32_t>* word, int operation, uint32_t value, const timespec* timeout) {
    return syscall(SYS_futex, reinterpret_cast<uint32_t*>(word), operation, value, timeout, nullptr,
                   0);
}

int set_policy(const WorkerSpec& spec) {
    sched_param param = {};
    int policy = SCHED_OTHER;
    if (spec.policy == Policy::batch) policy = SCHED_BATCH;
    if (spec.policy == Policy::idle) policy = SCHED_IDLE;
    if (spec.policy == Policy::fifo) {
        policy = SCHED_FIFO;
        param.sched_priority = spec.priority;
    }
    return sched_setscheduler(0, policy, &param) == 0 ? 0 : errno;
}

int join_cgroup(const WorkerSpec& spec) {
    if (spec.cgroup_procs.empty()) return 0;
    try {
        write_file(spec.cgroup_procs, "0");
    } catch (const SystemError& e) {
        return e.error();
    }
    return 0;
}

int set_nice(const WorkerSpec& spec) {
    if (spec.nice == 0) return 0;
    return setpriority(PRIO_PROCESS, 0, spec.nice) == 0 ? 0 : errno;
}

// Returns the errno of the step that failed (left in STEP), or 0.
int set_up(const WorkerSpec& spec, pid_t parent, int& step) {
    step = kStepDeathSignal;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;
    if (getppid() != parent) return ESRCH;  // it died before the signal was armed
    step = kStepCgroup;
    if (int error = join_cgroup(spec)) return error;
    step = kStepAffinity;
    if (int error = spec.affinity.empty() ? 0 : set_affinity_of(0, spec.affinity)) return error;
    step = kStepNice;
    if (int error = set_nice(spec)) return error;
    step = kStepPolicy;
    return set_policy(spec);
}

}  // namespace

struct alignas(128) Workers::Gate {
    std::atomic<uint32_t> ready;  // workers at the gate, or failed on the way
    std::atomic<uint32_t> open;
};

Workers::Workers(const std::vector<WorkerSpec>& specs) : specs_(specs) {
    memory_size_ = sizeof(Gate) + specs_.size() * sizeof(Slot);
    memory_ = mmap(nullptr, memory_size_, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory_ == MAP_FAILED) throw SystemError("map shared memory", "", errno);
    gate_ = new (memory_) Gate{};
    slots_ = reinterpret_cast<Slot*>(static_cast<char*>(memory_) + sizeof(Gate));
    for (size_t i = 0; i < specs_.size(); i++) {
        Slot* slot = new (&slots_[i]) Slot{};
        slot->cpu = -1;
        slot->failed_step = -1;
        slot->first_cpu = -1;
        slot->held = specs_[i].held;
        // Neither waits for a CPU yet.
        slot->sleeping = specs_[i].held || specs_[i].forked_by >= 0;
        own_children_ += specs_[i].forked_by < 0;
    }
    // Forked workers lose their parent when it is killed; they are to be reaped here.
    if (own_children_ < specs_.size()) prctl(PR_SET_CHILD_SUBREAPER, 1);
    try {
        for (size_t i = 0; i < specs_.size(); i++) fork_one(i);
        wait_until_ready();
    } catch (...) {
        kill_and_reap();
        munmap(memory_, memory_size_);
        throw;
    }
}

Workers::~Workers() {
    kill_and_reap();
    munmap(memory_, memory_size_);
}

void Workers::fork_one(size_t worker) {
    if (specs_[worker].forked_by >= 0) {
        pids_.push_back(-1);
        return;
    }
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid < 0) throw SystemError("fork worker", std::to_string(worker), errno);
    if (pid == 0) run_child(worker, parent);
    pids_.push_back(pid);
}

void Workers::run_child(size_t worker, pid_t parent) {
    const WorkerSpec& spec = specs_[worker];
    Slot& slot = slots_[worker];
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    int step = 0;
    int error = set_up(spec, parent, step);
    if (error) {
        slot.failed_errno = error;
        slot.failed_step = step;
    }
    gate_->ready.fetch_add(1);
    futex(&gate_->ready, FUTEX_WAKE, 1, nullptr);
    if (error) _exit(1);
    Deadline deadline(kReadyDeadlineMs);
    while (gate_->open.load() == 0) {
        timespec left = to_timespec(deadline.left_ns());
        futex(&gate_->open, FUTEX_WAIT, 0, &left);
        if (deadline.passed()) _exit(1);
    }
    if (slot.held.load()) sleep_while_held(slot);
    fork_own(worker);
    work(worker);
}

void Workers::fork_own(size_t worker) {
    pid_t parent = getpid();
    for (size_t i = 0; i < specs_.size(); i++) {
        if (specs_[i].forked_by != static_cast<int>(worker)) continue;
        slots_[i].sleeping = 0;  // from now on it wants to run
        pid_t pid = fork();
        if (pid == 0) run_forked(i, parent);
        if (pid > 0) {
            slots_[i].pid = pid;
            continue;
        }
        slots_[i].failed_errno = errno;
        slots_[i].failed_step = kStepFork;
        _exit(1);
    }
}

void Workers::run_forked(size_t worker, pid_t parent) {
    slots_[worker].first_cpu = sched_getcpu();
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(1);
    work(worker);
}

void Workers::work(size_t worker) {
    const WorkerSpec& spec = specs_[worker];
    Slot& slot = slots_[worker];
    if (spec.only_forks) {
        slot.sleeping = 1;
        for (;;) pause();
    }
    if (spec.body) {
        spec.body(slot);
        _exit(1);
    }
    if (spec.run_us > 0) {
        burn_in_bursts(slot, spec.run_us, spec.period_us, spec.start_us);
    }
    burn_for_ever(slot);
}

void Workers::wait_until_ready() {
    Deadline deadline(kReadyDeadlineMs);
    for (;;) {
        uint32_t ready = gate_->ready.load();
        if (ready == own_children_) break;
        if (deadline.passed()) {
            throw std::runtime_error("only " + std::to_string(ready) + " of " +
                                     std::to_string(own_children_) +
                                     " workers came up within a minute");
        }
        check_alive();
        // Wakes early at each arrival; 100 ms bounds the wait for a worker that was killed.
        timespec wait = to_timespec(100 * kNsPerMs);
        futex(&gate_->ready, FUTEX_WAIT, ready, &wait);
    }
    throw_if_failed();
}

void Workers::throw_if_failed() {
    for (size_t i = 0; i < specs_.size(); i++) {
        int step = slots_[i].failed_step.load();
        if (step < 0) continue;
        throw SystemError(kSteps[step], "as worker " + std::to_string(i), slots_[i].failed_errno);
    }
}

void Workers::release() {
    gate_->open.store(1);
    futex(&gate_->open, FUTEX_WAKE, INT_MAX, nullptr);
}

pid_t Workers::pid_of(size_t worker) const {
    return specs_[worker].forked_by < 0 ? pids_[worker] : slots_[worker].pid.load();
}

void Workers::set_affinity(size_t worker, const CpuList& cpus) {
    int error = set_affinity_of(pid_of(worker), cpus);
    if (error) throw SystemError("set the affinity of worker", std::to_string(worker), error);
}

void Workers::hold(size_t worker, bool held) {
    slots_[worker].held = held;
    if (!held) futex(&slots_[worker].held, FUTEX_WAKE, 1, nullptr);
}

double Workers::cpu_ms(size_t worker) const {
    pid_t pid = pid_of(worker);
    if (pid <= 0) return 0;
    clockid_t clock;
    timespec used;
    int error = clock_getcpuclockid(pid, &clock);
    if (!error && clock_gettime(clock, &used) != 0) error = errno;
    if (error) throw SystemError("read the CPU time of worker", std::to_string(worker), error);
    return static_cast<double>(used.tv_sec * kNsPerSecond + used.tv_nsec) / kNsPerMs;
}

void Workers::check_alive() {
    for (size_t i = 0; i < pids_.size(); i++) {
        int status = 0;
        if (pids_[i] <= 0 || waitpid(pids_[i], &status, WNOHANG) != pids_[i]) continue;
        pids_[i] = -1;
        throw_if_failed();
        throw std::runtime_error("worker " + std::to_string(i) + " died with status " +
                                 std::to_string(status));
    }
}

void Workers::kill_and_reap() {
    for (pid_t pid : pids_) {
        if (pid > 0) kill(pid, SIGKILL);
    }
    Deadline deadline(kReapDeadlineMs);
    for (pid_t pid : pids_) {
        if (pid <= 0) continue;
        while (waitpid(pid, nullptr, WNOHANG) == 0 && !deadline.passed()) deadline.pause();
    }
    pids_.clear();
    if (own_children_ < specs_.size()) reap_forked();
}

// Their parents are gone: they have been signalled and are this process's children now.
void Workers::reap_forked() {
    for (size_t i = 0; i < specs_.size(); i++) {
        pid_t pid = slots_[i].pid.load();
        if (pid > 0) kill(pid, SIGKILL);
    }
    for (Deadline deadline(kReapDeadlineMs); !deadline.passed();) {
        pid_t pid = waitpid(-1, nullptr, WNOHANG);
        if (pid < 0 && errno == ECHILD) break;
        if (pid == 0) deadline.pause();
    }
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

bool cpu_number_is_cheap() {
#ifdef CFSLB_HAS_RSEQ
    if (__rseq_size > 0) return true;
#endif
#ifdef __x86_64__
    return getauxval(AT_SYSINFO_EHDR) != 0;
#else
    return false;  // arm64 has no getcpu in its vDSO
#endif
}

void require_realtime() {
    sched_param before = {};
    int policy = sched_getscheduler(0);
    sched_getparam(0, &before);
    sched_param param = {};
    param.sched_priority = 1;
    if (sched_setscheduler(0, SCHED_FIFO, &param) != 0) {
        throw Skip("needs CAP_SYS_NICE (root) for SCHED_FIFO");
    }
    sched_setscheduler(0, policy, &before);
}

}  // namespace cfslb
