// SPDX-License-Identifier: GPL-2.0
//
// Signals as events between two steps, so that every exit is an ordinary one.
#pragma once

#include <sys/signalfd.h>

#include <chrono>
#include <csignal>
#include <optional>

namespace cfslbstat {

using Clock = std::chrono::steady_clock;

// While it lives, INT, QUIT, TERM, HUP and CHLD wait here to be taken.
class Signals {
  public:
    Signals();
    ~Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    struct Event {
        std::optional<signalfd_siginfo> signal;
        bool readable = false;  // the descriptor
    };
    // Waits for a signal, for `fd` (-1: none) to be readable, or for the time to come.
    Event wait(std::optional<Clock::time_point> until, int fd = -1);

    // The mask that was there before: what a command must run with.
    const sigset_t& old_mask() const { return old_; }

  private:
    sigset_t old_;
    int fd_;
};

// Did a terminal send it, and so to everybody in front of it?
bool from_terminal(const signalfd_siginfo& signal);

// Exit code of a program that a signal ended.
constexpr int exit_code_of_signal(int signal) { return 128 + signal; }

}  // namespace cfslbstat
