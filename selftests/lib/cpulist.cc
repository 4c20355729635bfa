// SPDX-License-Identifier: GPL-2.0
#include "cpulist.h"

#include <algorithm>
#include <cctype>

#include "files.h"

namespace cfslb {

static bool append_range(const std::string& part, CpuList& cpus) {
    size_t dash = part.find('-');
    std::optional<long> first = parse_number(part.substr(0, dash), 0, kMaxCpus - 1);
    if (!first) return false;
    std::optional<long> last = first;
    if (dash != std::string::npos) last = parse_number(part.substr(dash + 1), 0, kMaxCpus - 1);
    if (!last || *last < *first) return false;
    for (long cpu = *first; cpu <= *last; cpu++) cpus.push_back(static_cast<int>(cpu));
    return true;
}

std::optional<CpuList> parse_cpu_list(const std::string& text) {
    CpuList cpus;
    std::string rest = trimmed(text);
    while (!rest.empty()) {
        size_t comma = rest.find(',');
        if (!append_range(rest.substr(0, comma), cpus)) return std::nullopt;
        if (comma == std::string::npos) break;
        rest = rest.substr(comma + 1);
        if (rest.empty()) return std::nullopt;
    }
    std::sort(cpus.begin(), cpus.end());
    cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
    return cpus;
}

std::optional<CpuList> parse_cpu_mask(const std::string& text) {
    std::string digits;
    for (char c : trimmed(text)) {
        if (c == ',') continue;
        if (!isxdigit(static_cast<unsigned char>(c))) return std::nullopt;
        digits += c;
    }
    if (digits.empty()) return std::nullopt;
    CpuList cpus;
    for (size_t i = 0; i < digits.size(); i++) {
        char c = digits[digits.size() - 1 - i];
        int value = isdigit(static_cast<unsigned char>(c)) ? c - '0' : (c | 0x20) - 'a' + 10;
        for (int bit = 0; bit < 4; bit++) {
            if (value & (1 << bit)) cpus.push_back(static_cast<int>(4 * i) + bit);
        }
    }
    return cpus;
}

std::string format_cpu_list(const CpuList& cpus) {
    std::string text;
    for (size_t i = 0; i < cpus.size();) {
        size_t end = i;
        while (end + 1 < cpus.size() && cpus[end + 1] == cpus[end] + 1) end++;
        if (!text.empty()) text += ',';
        text += std::to_string(cpus[i]);
        if (end > i) text += '-' + std::to_string(cpus[end]);
        i = end + 1;
    }
    return text;
}

bool contains(const CpuList& cpus, int cpu) {
    return std::binary_search(cpus.begin(), cpus.end(), cpu);
}

}  // namespace cfslb
