// SPDX-License-Identifier: GPL-2.0
#include "burn.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "deadline.h"
#include "workers.h"

namespace cfslb {

namespace {

// Rounds of the generator in a chunk, about 8 instructions each: some 500 instructions a chunk.
// 160 emulated CPUs share 500 million instructions a second, 3 million each; a 10 ms sample
// window then still holds 60 chunks, and publishing (some 20 instructions) costs 4 %.
constexpr int kRounds = 64;

volatile uint64_t sink;

}  // namespace

void burn_chunk(Slot& slot) {
    uint64_t x = sink | 1;
    for (int i = 0; i < kRounds; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    sink = x;
    slot.cpu.store(sched_getcpu(), std::memory_order_relaxed);
    // One writer: a plain load and store, no locked instruction.
    uint64_t beats = slot.beats.load(std::memory_order_relaxed);
    slot.beats.store(beats + 1, std::memory_order_release);
}

void sleep_while_held(Slot& slot) {
    slot.sleeping.store(1, std::memory_order_relaxed);
    while (slot.held.load() != 0) {
        syscall(SYS_futex, reinterpret_cast<uint32_t*>(&slot.held), FUTEX_WAIT, 1, nullptr, nullptr,
                0);
    }
    slot.sleeping.store(0, std::memory_order_relaxed);
}

namespace {

int64_t cpu_time_ns() {
    timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return used.tv_sec * kNsPerSecond + used.tv_nsec;
}

void sleep_between_bursts(Slot& slot, int64_t until_ns) {
    slot.sleeping.store(1, std::memory_order_relaxed);
    sleep_until_ns(until_ns);
    slot.sleeping.store(0, std::memory_order_relaxed);
}

}  // namespace

// The CPU clock is a system call, thousands of emulated instructions: after each look, half of
// the chunks that are thought to be left run before the next one.
void burn_cpu_time(Slot& slot, int64_t run_ns) {
    int64_t start = cpu_time_ns();
    int64_t done = 0;
    int64_t batch = 1;
    for (;;) {
        for (int64_t i = 0; i < batch; i++) burn_chunk(slot);
        done += batch;
        int64_t used = cpu_time_ns() - start;
        if (used >= run_ns) return;
        int64_t chunk_ns = std::max<int64_t>(used / done, 1);
        batch = std::max<int64_t>((run_ns - used) / chunk_ns / 2, 1);
    }
}

void burn_for_ever(Slot& slot) {
    for (;;) {
        burn_chunk(slot);
        if (slot.held.load(std::memory_order_relaxed)) sleep_while_held(slot);
    }
}

void burn_in_bursts(Slot& slot, int64_t run_us, int64_t period_us, int64_t start_us) {
    int64_t next = now_ns() + start_us * 1000;
    if (start_us > 0) sleep_between_bursts(slot, next);
    for (;;) {
        if (slot.held.load(std::memory_order_relaxed)) {
            sleep_while_held(slot);
            next = now_ns();
        }
        burn_cpu_time(slot, run_us * 1000);
        next += period_us * 1000;
        int64_t now = now_ns();
        if (next <= now) {  // overloaded: start the next burst at once, do not pile up debt
            next = now;
            continue;
        }
        sleep_between_bursts(slot, next);
    }
}

}  // namespace cfslb
