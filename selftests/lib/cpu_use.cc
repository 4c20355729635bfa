// SPDX-License-Identifier: GPL-2.0
#include "cpu_use.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "errors.h"
#include "files.h"

namespace cfslb {

namespace {

// Positions in /proc/stat of the columns that mpstat prints, in its order.
enum Field { user, nice, system, idle, iowait, irq, softirq, steal };
constexpr std::array<Field, 8> kColumns = {user, nice, system, iowait, irq, softirq, steal, idle};

int64_t number(const std::string& path, const std::string& word) {
    std::optional<long> value = parse_number(word, 0, INT64_MAX);
    if (!value) throw FormatError(path, "\"" + word + "\" is no number");
    return *value;
}

}  // namespace

CpuUse read_cpu_use(const std::string& root) {
    std::string path = below(root, "/proc/stat");
    CpuUse use;
    bool cpu = false, interrupts = false;
    for (const std::string& line : split_lines(read_file(path))) {
        std::vector<std::string> words = split_words(line);
        if (words.empty()) continue;
        if (words[0] == "cpu" && words.size() > use.ticks.size()) {
            for (size_t i = 0; i < use.ticks.size(); i++) use.ticks[i] = number(path, words[i + 1]);
            cpu = true;
        } else if (words[0] == "intr" && words.size() > 1) {
            use.interrupts = number(path, words[1]);
            interrupts = true;
        }
    }
    if (!cpu || !interrupts) throw FormatError(path, "has no \"cpu\" or no \"intr\" line");
    return use;
}

std::string mpstat_header() {
    return "     CPU   %user   %nice    %sys %iowait    %irq   %soft  %steal   %idle    intr/s";
}

std::string mpstat_line(int second, const CpuUse& before, const CpuUse& after) {
    std::array<double, 8> ticks{};
    for (size_t i = 0; i < ticks.size(); i++) {
        ticks[i] = static_cast<double>(after.ticks[i] - before.ticks[i]);
    }
    double sum = std::max(1.0, std::accumulate(ticks.begin(), ticks.end(), 0.0));
    char text[32];
    snprintf(text, sizeof(text), "%02d   all", second);
    std::string line = text;
    for (Field field : kColumns) {
        snprintf(text, sizeof(text), " %7.2f", 100 * ticks[field] / sum);
        line += text;
    }
    snprintf(text, sizeof(text), " %9.2f",
             static_cast<double>(after.interrupts - before.interrupts));
    return line + text;
}

}  // namespace cfslb
