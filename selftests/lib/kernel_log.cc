// SPDX-License-Identifier: GPL-2.0
#include "kernel_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "errors.h"
#include "files.h"

namespace cfslb {

namespace {

// The longest record of /dev/kmsg (CONSOLE_EXT_LOG_MAX in kernel/printk).
constexpr size_t kRecordBytes = 8192;

// How the kernel's checkers begin what they report.
const std::array<const char*, 12> kMarks = {
    "BUG: ",
    "WARNING: ",
    "UBSAN: ",
    "INFO: possible",
    "INFO: task ",
    "INFO: rcu",
    "rcu: INFO:",
    "kmemleak: ",
    "suspicious RCU usage",
    "inconsistent lock state",
    "general protection fault",
    "unable to handle",
};

// kmemleak also reports that it works.
const std::array<const char*, 2> kHarmless = {"kmemleak: Kernel memory leak detector initialized",
                                              "kmemleak: Automatic memory scanning thread started"};

template <size_t N>
bool holds_any(const std::string& line, const std::array<const char*, N>& texts) {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const char* text) { return line.find(text) != std::string::npos; });
}

}  // namespace

std::vector<std::string> kernel_faults(const std::string& text) {
    std::vector<std::string> faults;
    for (const std::string& line : split_lines(text)) {
        if (holds_any(line, kMarks) && !holds_any(line, kHarmless)) faults.push_back(line);
    }
    return faults;
}

std::string kernel_leaks() {
    const char path[] = "/sys/kernel/debug/kmemleak";
    if (!read_file_if_there(path)) return "";
    write_file(path, "scan");
    return read_file(path);
}

KernelLog::KernelLog() : fd_(open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
    if (fd_ < 0) throw Skip("needs to read /dev/kmsg (root)");
    lseek(fd_, 0, SEEK_END);
}

KernelLog::~KernelLog() { close(fd_); }

std::string KernelLog::read_new() {
    std::string text;
    char record[kRecordBytes];
    for (;;) {
        ssize_t got = read(fd_, record, sizeof(record));
        if (got > 0) {
            // "priority,number,time,flags;message"
            std::string line(record, static_cast<size_t>(got));
            size_t message = line.find(';');
            text += message == std::string::npos ? line : line.substr(message + 1);
        } else if (got < 0 && errno == EPIPE) {
            text += "WARNING: messages were lost\n";
        } else if (got < 0 && errno == EAGAIN) {
            return text;
        } else if (got < 0 && errno != EINTR) {
            throw SystemError("read", "/dev/kmsg", errno);
        }
    }
}

}  // namespace cfslb
