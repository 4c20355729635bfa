// SPDX-License-Identifier: GPL-2.0
// What all CPUs together did between two readings of /proc/stat, in the columns of mpstat.
#ifndef CFSLB_CPU_USE_H
#define CFSLB_CPU_USE_H

#include <array>
#include <cstdint>
#include <string>

namespace cfslb {

// Since boot, all CPUs: USER_HZ ticks in the order of /proc/stat (user nice system idle iowait irq
// softirq steal), and interrupts.
struct CpuUse {
    std::array<int64_t, 8> ticks{};
    int64_t interrupts = 0;
};

// Throws SystemError, FormatError.
CpuUse read_cpu_use(const std::string& root = "/");

// Heads of the columns of mpstat_line().
std::string mpstat_header();

// SECOND, then %user %nice %sys %iowait %irq %soft %steal %idle and interrupts between BEFORE and
// AFTER. Zeros when no tick passed.
std::string mpstat_line(int second, const CpuUse& before, const CpuUse& after);

}  // namespace cfslb

#endif
