// SPDX-License-Identifier: GPL-2.0
// CPU lists ("0-3,8-11") and CPU masks ("00000000,0000000f") as the kernel prints them.
#ifndef CFSLB_CPULIST_H
#define CFSLB_CPULIST_H

#include <optional>
#include <string>
#include <vector>

namespace cfslb {

// CPU numbers, ascending, each once.
using CpuList = std::vector<int>;

// More CPUs than any kernel supports today (CONFIG_NR_CPUS of 8192): rejects nonsense early.
constexpr int kMaxCpus = 8192;

// "0-3,8" -> {0,1,2,3,8}; "" -> {}. Nothing for anything else, such as "3-1" or "0,,1".
std::optional<CpuList> parse_cpu_list(const std::string& text);

// A mask of comma-separated 32-bit hexadecimal words, the highest first.
std::optional<CpuList> parse_cpu_mask(const std::string& text);

// {0,1,2,3,8} -> "0-3,8".
std::string format_cpu_list(const CpuList& cpus);

bool contains(const CpuList& cpus, int cpu);

}  // namespace cfslb

#endif
