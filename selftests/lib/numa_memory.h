// SPDX-License-Identifier: GPL-2.0
// Workers that NUMA balancing wants near their memory.
#ifndef CFSLB_NUMA_MEMORY_H
#define CFSLB_NUMA_MEMORY_H

#include <cstdint>
#include <string>
#include <vector>

#include "workers.h"

namespace cfslb {

// A task has a preferred node after the second scan of its memory, each a second of its CPU time
// apart (sched_numa_balancing_scan_delay_ms): between 2 and 3 s were seen.
constexpr int64_t kPlacedMs = 3000;

// A worker's body: works on memory that belongs to the node where the worker was first.
[[noreturn]] void burn_with_memory(Slot& slot);

// Throws Skip when the kernel does not balance NUMA memory.
void require_numa_balancing();

// While it exists, the memory of a task is scanned ten times a second and not once: the task knows
// where its memory is after half a second, and tries that often to go there. Throws Skip where
// this cannot be set.
class QuickScans {
  public:
    QuickScans();
    ~QuickScans();
    QuickScans(const QuickScans&) = delete;
    QuickScans& operator=(const QuickScans&) = delete;

  private:
    struct Setting {
        std::string path;
        std::string before;
    };
    void restore();
    std::vector<Setting> changed_;
};

}  // namespace cfslb

#endif
