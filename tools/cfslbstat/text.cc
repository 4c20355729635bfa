// SPDX-License-Identifier: GPL-2.0
#include "text.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace cfslbstat {
namespace {

// Three digits and a suffix: 1.23, 12.3, 123.
std::string three_digits(double value, const char* suffix) {
    const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f}{}", value, decimals, suffix);
}

std::string scaled(double value) {
    // A rounded "1000k" would be a digit too long.
    const std::pair<double, const char*> scales[] = {
        {1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}, {1e15, "P"}};
    for (const auto& [scale, suffix] : scales) {
        if (value < 999.5 * scale) return three_digits(value / scale, suffix);
    }
    return three_digits(value / 1e18, "E");
}

}  // namespace

std::string count_text(const Cell& value, std::size_t width) {
    if (!value) return "-";
    const std::string exact = std::to_string(*value);
    return exact.size() <= width ? exact : scaled(static_cast<double>(*value));
}

std::string rate_text(const Cell& count, std::uint64_t span_ns) {
    if (!count || span_ns == 0) return "-";
    const double rate = static_cast<double>(*count) * 1e9 / static_cast<double>(span_ns);
    if (rate == 0) return "0";
    if (rate < 9.95) return fmt::format("{:.1f}", rate);
    return rate < 99999.5 ? fmt::format("{:.0f}", rate) : scaled(rate);
}

std::string time_text(const Cell& ns) {
    if (!ns) return "-";
    const double value = static_cast<double>(*ns);
    if (*ns == 0) return "0";
    if (value < 999.5) return fmt::format("{:.0f}ns", value);
    if (value < 999.5e3) return three_digits(value / 1e3, "us");
    if (value < 999.5e6) return three_digits(value / 1e6, "ms");
    if (value < 99999.5e9) return three_digits(value / 1e9, "s");
    return three_digits(value / 3600e9, "h");
}

std::string wait_text(const std::optional<WaitBound>& bound) {
    if (!bound) return "-";
    // Ends are powers of two: two digits say enough.
    const double end = static_cast<double>(bound->lt_ns.value_or(bound->ge_ns));
    const char* const sign = bound->lt_ns ? "<" : ">=";
    const auto text = [&](double value, const char* unit) {
        return fmt::format("{}{:.{}f}{}", sign, value, value < 9.95 ? 1 : 0, unit);
    };
    if (end < 999.5) return text(end, "ns");
    if (end < 999.5e3) return text(end / 1e3, "us");
    return end < 999.5e6 ? text(end / 1e6, "ms") : text(end / 1e9, "s");
}

std::string ratio_text(const Cell& a, const Cell& b, int decimals) {
    if (!a || !b || *b == 0) return "-";
    const double ratio = static_cast<double>(*a) / static_cast<double>(*b);
    return fmt::format("{:.{}f}", ratio, ratio < 1000 ? decimals : 0);
}

std::string percent_text(const Cell& part, const Cell& whole) {
    if (!part || !whole || *whole == 0) return "-";
    return fmt::format("{:.0f}", 100.0 * static_cast<double>(*part) / static_cast<double>(*whole));
}

Cell remote_moves(const Table& migrations) {
    return plus(sum(migrations, "remote_near"), sum(migrations, "remote_far"));
}

}  // namespace cfslbstat
