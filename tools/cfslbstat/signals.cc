// SPDX-License-Identifier: GPL-2.0
#include "signals.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace cfslbstat {
namespace {

int until_ms(std::optional<Clock::time_point> until) {
    if (!until) return -1;
    // Rounded up: waking too early would mean another round.
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until - Clock::now()).count();
    constexpr long long kLongest = 3600 * 1000;
    return static_cast<int>(std::clamp<long long>(left, 0, kLongest));
}

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

Signals::Signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&set, signal);
    if (sigprocmask(SIG_BLOCK, &set, &old_) != 0) fail("sigprocmask");
    fd_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd_ < 0) fail("signalfd");
}

Signals::~Signals() {
    close(fd_);
    sigprocmask(SIG_SETMASK, &old_, nullptr);
}

Signals::Event Signals::wait(std::optional<Clock::time_point> until, int fd) {
    for (;;) {
        pollfd polled[] = {{fd_, POLLIN, 0}, {fd, POLLIN, 0}};
        const int ready = poll(polled, fd < 0 ? 1 : 2, until_ms(until));
        if (ready < 0 && errno != EINTR) fail("poll");
        Event event;
        // A signal that is handled elsewhere (a new window size) may have left a key to read.
        if (ready < 0) event.readable = fd >= 0;
        if (ready > 0) {
            signalfd_siginfo info = {};
            if (read(fd_, &info, sizeof(info)) == sizeof(info)) event.signal = info;
            event.readable = fd >= 0 && polled[1].revents != 0;
        }
        if (event.signal || event.readable) return event;
        if (ready == 0 && until && Clock::now() >= *until) return event;
    }
}

bool from_terminal(const signalfd_siginfo& signal) { return signal.ssi_code == SI_KERNEL; }

}  // namespace cfslbstat
