// SPDX-License-Identifier: GPL-2.0
#include "waste.h"

#include <algorithm>
#include <cerrno>
#include <vector>

#include "deadline.h"
#include "errors.h"
#include "files.h"

namespace cfslb {

namespace {

// Debugfs is closed to all but root on most machines: as good as not there.
std::optional<std::string> read_if_allowed(const std::string& path) {
    try {
        return read_file_if_there(path);
    } catch (const SystemError& error) {
        if (error.error() == EACCES || error.error() == EPERM) return std::nullopt;
        throw;
    }
}

}  // namespace

std::optional<double> read_waste_ms(const std::string& root) {
    std::string path = below(root, "/sys/kernel/debug/cfslb/waste");
    std::optional<std::string> text = read_if_allowed(path);
    if (!text) return std::nullopt;
    std::vector<std::string> lines = split_lines(*text);
    if (lines.size() < 2) throw FormatError(path, "has no column names");
    std::vector<std::string> names = split_words(lines[1]);
    size_t column = static_cast<size_t>(
        std::find(names.begin(), names.end(), "idle_with_queue_ns") - names.begin());
    for (size_t i = 2; i < lines.size(); i++) {
        std::vector<std::string> fields = split_words(lines[i]);
        if (fields.size() <= column || fields[0] != "all") continue;
        if (fields[column] == "-") return std::nullopt;
        std::optional<long> ns = parse_number(fields[column], 0, INT64_MAX);
        if (!ns) throw FormatError(path, "\"" + fields[column] + "\" is no number");
        return static_cast<double>(*ns) / static_cast<double>(kNsPerMs);
    }
    throw FormatError(path, "has no idle_with_queue_ns of all CPUs");
}

}  // namespace cfslb
