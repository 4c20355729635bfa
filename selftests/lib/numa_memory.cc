// SPDX-License-Identifier: GPL-2.0
#include "numa_memory.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <optional>
#include <string>

#include "burn.h"
#include "errors.h"
#include "files.h"

namespace cfslb {

namespace {

constexpr size_t kMemoryBytes = 256 * 1024;
constexpr int kChunksPerPage = 4;
constexpr char kScanMs[] = "100";
// The delay first: it is the start of each new task.
const char* const kScanSettings[] = {"scan_delay", "scan_period_min", "scan_period_max"};

// Before 5.13, and since then.
std::string setting_path(const std::string& name) {
    std::string sysctl = "/proc/sys/kernel/numa_balancing_" + name + "_ms";
    if (access(sysctl.c_str(), F_OK) == 0) return sysctl;
    return "/sys/kernel/debug/sched/numa_balancing/" + name + "_ms";
}

}  // namespace

void burn_with_memory(Slot& slot) {
    // The thread that only sleeps is there because the kernel does not look where the memory of a
    // single thread is that is near it.
    pthread_t sleeper;
    auto sleep = [](void*) -> void* {
        for (;;) pause();
    };
    if (pthread_create(&sleeper, nullptr, sleep, nullptr) != 0) _exit(1);
    void* memory =
        mmap(nullptr, kMemoryBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) _exit(1);
    size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    for (size_t at = 0;; at = (at + page) % kMemoryBytes) {
        static_cast<volatile char*>(memory)[at]++;
        for (int i = 0; i < kChunksPerPage; i++) burn_chunk(slot);
    }
}

void require_numa_balancing() {
    std::optional<std::string> state = read_file_if_there("/proc/sys/kernel/numa_balancing");
    if (!state || state->substr(0, 1) == "0")
        throw Skip("needs NUMA balancing (kernel.numa_balancing=1)");
}

QuickScans::QuickScans() {
    for (const char* name : kScanSettings) {
        std::string path = setting_path(name);
        try {
            std::string before = read_file(path);
            write_file(path, kScanMs);
            changed_.push_back({path, before});
        } catch (const SystemError& e) {
            restore();
            throw Skip(std::string("needs root and debugfs: ") + e.what());
        }
    }
}

QuickScans::~QuickScans() { restore(); }

void QuickScans::restore() {
    for (const Setting& setting : changed_) {
        try {
            write_file(setting.path, setting.before);
        } catch (const SystemError&) {
            // It could be written before; there is nothing else to try.
        }
    }
    changed_.clear();
}

}  // namespace cfslb
