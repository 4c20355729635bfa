// SPDX-License-Identifier: GPL-2.0
//
// Figures for people.
#pragma once

#include <string>
#include <vector>

#include "summary.h"

namespace cfslbstat {

// "1234", "12.3M" if it needs more than `width` places, "-" if absent.
std::string count_text(const Cell& value, std::size_t width);
// Rate of a count over a time: "0.5", "362", "12.3k"; "-" if absent.
std::string rate_text(const Cell& count, std::uint64_t span_ns);
// "34.5ms", "1.20s": three digits; "-" if absent.
std::string time_text(const Cell& ns);
// Upper end of a bucket: "<16us", ">=17s"; "-" if there was no wait.
std::string wait_text(const std::optional<WaitBound>& bound);
// a / b with this many decimals; "-" if one is absent or b is zero.
std::string ratio_text(const Cell& a, const Cell& b, int decimals);
// "13 %"
std::string percent_text(const Cell& part, const Cell& whole);

// Part of the moves that went to another node.
Cell remote_moves(const Table& migrations);

// The whole summary, 100 columns at most.
std::string render_table(const Summary& summary, const std::string& period);

// One line an interval.
std::string live_header();
std::string live_line(const Summary& summary, double seconds);

}  // namespace cfslbstat
