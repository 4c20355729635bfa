// SPDX-License-Identifier: GPL-2.0
//
// One line an interval.
#include <fmt/format.h>

#include "text.h"

namespace cfslbstat {
namespace {

struct Title {
    const char* text;
    std::size_t width;
};

constexpr Title kColumns[] = {{"time", 7},    {"moves", 8},  {"wake", 7},   {"newidle", 8},
                              {"tick", 6},    {"nohz", 6},   {"numa", 6},   {"other", 6},
                              {"remote%", 8}, {"passes", 7}, {"pulled", 7}, {"waste", 7},
                              {"p50", 7},     {"p99", 7}};

Cell all_of(const Table& moves, std::initializer_list<const char*> reasons) {
    Cell total = 0;
    for (const char* const reason : reasons) total = plus(total, cell(moves, reason, "tasks"));
    return total;
}

}  // namespace

std::string live_header() {
    std::string line;
    for (const Title& column : kColumns) line += fmt::format("{:>{}}", column.text, column.width);
    return line;
}

std::string live_line(const Summary& summary, double seconds) {
    const std::uint64_t span = summary.about.span_ns;
    const Table& moves = summary.migrations;
    const Cell all = sum(moves, "tasks"), wake = all_of(moves, {"wake"}),
               newidle = all_of(moves, {"newidle"}),
               tick = all_of(moves, {"periodic_busy", "periodic_idle"}),
               nohz = all_of(moves, {"nohz"}), numa = all_of(moves, {"numa_move", "numa_swap"});
    Cell other = all;
    for (const Cell& part : {wake, newidle, tick, nohz, numa}) {
        other = other && part ? Cell(*other - *part) : std::nullopt;
    }
    const std::string texts[] = {
        fmt::format("{:.1f}", seconds),
        rate_text(all, span),
        rate_text(wake, span),
        rate_text(newidle, span),
        rate_text(tick, span),
        rate_text(nohz, span),
        rate_text(numa, span),
        rate_text(other, span),
        percent_text(remote_moves(moves), all),
        rate_text(cell(summary.balance_all, "calls"), span),
        rate_text(cell(summary.balance_all, "pulled_tasks"), span),
        ratio_text(cell(summary.waste, "all", "idle_with_queue_ns"), span, 2),
        wait_text(summary.all_waits.at[0]),
        wait_text(summary.all_waits.at[2]),
    };
    std::string line;
    for (std::size_t i = 0; i < std::size(kColumns); ++i) {
        line += fmt::format("{:>{}}", texts[i], kColumns[i].width);
    }
    return line;
}

}  // namespace cfslbstat
