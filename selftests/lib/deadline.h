// SPDX-License-Identifier: GPL-2.0
// Waiting with an end: nothing in the harness sleeps without one.
#ifndef CFSLB_DEADLINE_H
#define CFSLB_DEADLINE_H

#include <cstdint>
#include <ctime>

namespace cfslb {

constexpr int64_t kNsPerMs = 1000000;
constexpr int64_t kNsPerSecond = 1000000000;

inline timespec to_timespec(int64_t ns) {
    return {static_cast<time_t>(ns / kNsPerSecond), static_cast<long>(ns % kNsPerSecond)};
}

// CLOCK_MONOTONIC in nanoseconds.
inline int64_t now_ns() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * kNsPerSecond + now.tv_nsec;
}

// Sleeps until CLOCK_MONOTONIC reaches NS. False when a signal cut it short.
inline bool sleep_until_ns(int64_t ns) {
    timespec at = to_timespec(ns);
    return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr) == 0;
}

class Deadline {
  public:
    explicit Deadline(int64_t ms) : end_ns_(now_ns() + ms * kNsPerMs) {}
    bool passed() const { return now_ns() >= end_ns_; }
    int64_t left_ns() const {
        int64_t left = end_ns_ - now_ns();
        return left > 0 ? left : 0;
    }
    // One step of a polling loop: 1 ms, or less when the end is nearer.
    void pause() const {
        int64_t step = left_ns() < kNsPerMs ? left_ns() : kNsPerMs;
        timespec wait = to_timespec(step);
        nanosleep(&wait, nullptr);
    }

  private:
    int64_t end_ns_;
};

}  // namespace cfslb

#endif
