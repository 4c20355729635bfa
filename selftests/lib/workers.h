// SPDX-License-Identifier: GPL-2.0
// Worker processes: made by fork, held at a gate, released all at once, killed and reaped by the
// destructor. Each publishes where it runs and how far it got in one slot of shared memory.
#ifndef CFSLB_WORKERS_H
#define CFSLB_WORKERS_H

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cpulist.h"

namespace cfslb {

enum class Policy { other, batch, idle, fifo };
enum class Group { judged, background };

struct Slot;

struct WorkerSpec {
    Group group = Group::judged;
    Policy policy = Policy::other;
    int priority = 1;          // FIFO only, 1..99
    int nice = 0;              // OTHER and BATCH, -20..19
    int64_t run_us = 0;        // 0: spins for ever; else CPU time burnt in every period
    int64_t period_us = 0;     // duty cycle only, wall time
    int64_t start_us = 0;      // duty cycle only: the first burst, after the gate opened
    CpuList affinity;          // empty: every CPU
    std::string cgroup_procs;  // Cgroup::procs() of the group to join; empty: stays
    bool held = false;         // sleeps when the gate opens, until Workers::hold() lets it go
    // A worker before this one in the list, which forks it as soon as that one runs. A forked
    // worker inherits policy, nice value, affinity and group; here they only describe it.
    int forked_by = -1;
    bool only_forks = false;  // sleeps for ever once the workers of its own are forked
    // What it does in place of burning; must not return.
    std::function<void(Slot&)> body;
};

// What a worker publishes. Two cache lines, so that neither writers nor the adjacent-line
// prefetcher make neighbours share one.
struct alignas(128) Slot {
    std::atomic<uint64_t> beats;       // chunks of work done: progress
    std::atomic<int32_t> cpu;          // CPU of the last chunk, -1 before the first
    std::atomic<uint32_t> sleeping;    // 1 between the bursts of a duty cycle
    std::atomic<int32_t> failed_step;  // set-up step that failed, -1 when none
    std::atomic<int32_t> failed_errno;
    std::atomic<uint32_t> held;      // 1: is to sleep; set by the parent
    std::atomic<int32_t> first_cpu;  // of a forked worker's first instruction, -1: not forked yet
    std::atomic<int32_t> pid;        // of a forked worker
};
static_assert(sizeof(Slot) == 128);

class Workers {
  public:
    // Forks one process per spec and waits until all stand at the gate. Throws SystemError with
    // the step that failed ("worker 3: cannot set the scheduling policy: ...").
    explicit Workers(const std::vector<WorkerSpec>& specs);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    size_t size() const { return specs_.size(); }
    const std::vector<WorkerSpec>& specs() const { return specs_; }
    const Slot& slot(size_t worker) const { return slots_[worker]; }

    // Opens the gate for all with one futex wake.
    void release();
    // Changes where a worker may run, from outside as taskset -p does. Throws SystemError.
    void set_affinity(size_t worker, const CpuList& cpus);
    // Puts a burning worker to sleep at the end of its chunk (bursts: of its period), or wakes it.
    void hold(size_t worker, bool held);
    // CPU time that a worker has used so far, in ms; 0 for one that is not forked yet. Throws
    // SystemError.
    double cpu_ms(size_t worker) const;
    // Throws std::runtime_error when a worker has died by itself.
    void check_alive();

  private:
    struct Gate;
    void fork_one(size_t worker);
    [[noreturn]] void run_child(size_t worker, pid_t parent);
    void fork_own(size_t worker);
    [[noreturn]] void run_forked(size_t worker, pid_t parent);
    [[noreturn]] void work(size_t worker);
    pid_t pid_of(size_t worker) const;
    void wait_until_ready();
    void throw_if_failed();
    void kill_and_reap();
    void reap_forked();

    std::vector<WorkerSpec> specs_;
    std::vector<pid_t> pids_;  // -1: reaped, or forked by another worker
    size_t own_children_ = 0;  // workers that this process forks
    void* memory_ = nullptr;
    size_t memory_size_ = 0;
    Gate* gate_ = nullptr;
    Slot* slots_ = nullptr;
};

// False when reading the CPU number enters the kernel on this machine (no rseq and no vDSO): the
// work loop then costs a system call a chunk.
bool cpu_number_is_cheap();

// Throws Skip when this process may not use SCHED_FIFO.
void require_realtime();

}  // namespace cfslb

#endif
