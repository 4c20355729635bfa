// SPDX-License-Identifier: GPL-2.0
#include "top_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "text.h"

namespace cfslbstat {
namespace {

constexpr std::size_t kLongestBar = 40;
// Places that the figures of a line about a node need beside its two bars.
constexpr std::size_t kNodeFigures = 48;
constexpr std::size_t kShortestBar = 4;
// Share of a node's CPUs that is wasted: from here on it is no noise, and no detail.
constexpr double kWarmFrom = 0.02, kHotFrom = 0.15;

std::optional<double> share_of(const Cell& part, const std::optional<double>& whole) {
    if (!part || !whole || *whole <= 0) return std::nullopt;
    return static_cast<double>(*part) / *whole;
}

std::optional<double> largest(const Table& table, std::string_view column) {
    const auto at = table.value_at(column);
    std::optional<double> most;
    for (const Row& row : table.rows) {
        if (at && row.values[*at]) {
            most = std::max(most.value_or(0), static_cast<double>(*row.values[*at]));
        }
    }
    return most;
}

Line node_line(const Summary& summary, const Row& row, const std::optional<double>& most_moves,
               std::size_t bar_width) {
    const std::uint64_t span = summary.about.span_ns;
    const Table& nodes = summary.nodes;
    const auto at = [&](const char* column) {
        const auto found = nodes.value_at(column);
        return found ? row.values[*found] : Cell();
    };
    const Cell wasted = cell(summary.waste, row.labels[0], "idle_with_queue_ns");
    const Cell cpus = at("cpus"), moves = at("moved_in");
    std::optional<double> available;
    if (cpus) available = static_cast<double>(*cpus) * static_cast<double>(span);
    Line line = {{fmt::format("{:<5}{:>5} ", row.labels[0], count_text(cpus, 4))}};
    line.push_back(bar(share_of(wasted, available), bar_width));
    line.push_back({fmt::format("{:>8} ", ratio_text(wasted, span, 2))});
    Piece moved = bar(share_of(moves, most_moves), bar_width);
    // How much moves is no fault by itself.
    if (moved.colour != Colour::kPlain) moved.colour = Colour::kCool;
    line.push_back(moved);
    line.push_back({fmt::format("{:>8}{:>13}", rate_text(moves, span),
                                rate_text(at("from_other_nodes"), span))});
    return line;
}

void put_nodes(const Summary& summary, std::size_t width, std::size_t room,
               std::vector<Line>* lines) {
    const std::size_t bar_width = width < kNodeFigures + 2 * kShortestBar
                                      ? kShortestBar
                                      : std::min(kLongestBar, (width - kNodeFigures) / 2);
    lines->push_back(
        {{fmt::format("{:<5}{:>5} {:<{}}{:>8} {:<{}}{:>8}{:>13}", "node", "CPUs", "wasted",
                      bar_width, "CPUs", "moves in", bar_width, "/s", "from others"),
          Colour::kBold}});
    const auto most_moves = largest(summary.nodes, "moved_in");
    const std::size_t nr = summary.nodes.rows.size();
    const std::size_t shown = nr <= room ? nr : std::max<std::size_t>(room, 1) - 1;
    for (std::size_t i = 0; i < shown; ++i) {
        lines->push_back(node_line(summary, summary.nodes.rows[i], most_moves, bar_width));
    }
    if (shown < nr) lines->push_back({{fmt::format("... and {} more nodes", nr - shown)}});
    const Cell all = cell(summary.waste, "all", "idle_with_queue_ns");
    lines->push_back({{fmt::format(
        "machine: {} CPUs wasted, {} of it across nodes; {} and {} "
        "stretches of 10 and 100 ms",
        ratio_text(all, summary.about.span_ns, 2),
        ratio_text(cell(summary.waste, "all", "cross_node_ns"), summary.about.span_ns, 2),
        count_text(cell(summary.waste, "all", "episodes_10ms"), 6),
        count_text(cell(summary.waste, "all", "episodes_100ms"), 6))}});
}

void put_reasons(const Summary& summary, std::vector<Line>* lines) {
    const Table& moves = summary.migrations;
    const std::uint64_t span = summary.about.span_ns;
    std::vector<const Row*> rows;
    for (const Row& row : moves.rows) {
        if (row.values[0].value_or(1) > 0) rows.push_back(&row);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row* a, const Row* b) {
        return a->values[0].value_or(0) > b->values[0].value_or(0);
    });
    const auto near = moves.value_at("remote_near"), far = moves.value_at("remote_far");
    const auto line = [&](const std::string& name, const Row& row) {
        const Cell remote = near && far ? plus(row.values[*near], row.values[*far]) : std::nullopt;
        return Line{{fmt::format("{:<15}{:>9}{:>9}", name, rate_text(row.values[0], span),
                                 percent_text(remote, row.values[0]))}};
    };
    lines->push_back({{fmt::format("{:<15}{:>9}{:>9}", "moves", "/s", "remote%"), Colour::kBold}});
    lines->push_back(line("all", group_by(moves, {}).rows[0]));
    for (const Row* const row : rows) lines->push_back(line("  " + row->labels[0], *row));
}

Line wait_line(const Latency& latency, std::uint64_t span) {
    std::string text =
        fmt::format("{:<15}{:>9}", "  " + latency.name, rate_text(latency.tasks, span));
    for (const auto& bound : latency.at) text += fmt::format("{:>9}", wait_text(bound));
    return {{text}};
}

void put_balance(const Summary& summary, std::vector<Line>* lines) {
    const auto rate = [&](const Table& table, const char* column) {
        return rate_text(cell(table, column), summary.about.span_ns);
    };
    const Table& all = summary.balance_all;
    lines->push_back(
        {{fmt::format("balance/s: {} passes pulled {}, failed {}; newidle: {} pulled {}; nohz: {}",
                      rate(all, "calls"), rate(all, "pulled_tasks"), rate(all, "failed"),
                      rate(summary.newidle, "tries"), rate(summary.newidle, "pulled"),
                      rate(summary.nohz, "runs"))}});
}

void put_waits(const Summary& summary, std::vector<Line>* lines) {
    const std::uint64_t span = summary.about.span_ns;
    std::string heading = fmt::format("{:<15}{:>9}", "waits", "/s");
    for (const char* const name : kQuantileNames) heading += fmt::format("{:>9}", name);
    lines->push_back({{heading, Colour::kBold}});
    lines->push_back(wait_line(summary.all_waits, span));
    for (const Latency& latency : summary.by_placement) {
        if (latency.tasks.value_or(0) > 0) lines->push_back(wait_line(latency, span));
    }
}

void cut(std::size_t width, Line* line) {
    std::size_t room = width;
    for (Piece& piece : *line) {
        if (piece.text.size() > room) piece.text.resize(room);
        room -= piece.text.size();
    }
}

}  // namespace

Piece bar(std::optional<double> share, std::size_t width) {
    if (!share) return {std::string(width, ' ')};
    const double part = std::clamp(*share, 0.0, 1.0);
    auto full = static_cast<std::size_t>(std::lround(part * static_cast<double>(width)));
    // What is not zero must be seen.
    if (full == 0 && part > 0) full = std::min<std::size_t>(1, width);
    Piece piece = {std::string(full, '#') + std::string(width - full, '.'), Colour::kCool};
    if (part >= kWarmFrom) piece.colour = Colour::kWarm;
    if (part >= kHotFrom) piece.colour = Colour::kHot;
    return piece;
}

std::vector<Line> top_lines(const Summary& summary, const std::string& note, std::size_t width,
                            std::size_t height) {
    const About& about = summary.about;
    std::vector<Line> lines;
    lines.push_back(
        {{fmt::format("cfslbstat  {}  level {}, lb {}  epoch {}  {}  (q quits, p pauses)",
                      about.kernel, about.level, about.lb, about.epoch.number,
                      time_text(about.span_ns)),
          Colour::kBold}});
    lines.push_back({{note, Colour::kWarm}});
    // Nodes give way to the rest, but not entirely.
    constexpr std::size_t kRest = 16;
    put_nodes(summary, width, height > kRest + 3 ? height - kRest : 3, &lines);
    put_balance(summary, &lines);
    lines.push_back({});
    put_waits(summary, &lines);
    lines.push_back({});
    // The last, because what a small window cuts off is what counts least.
    put_reasons(summary, &lines);
    if (lines.size() > height) lines.resize(height);
    for (Line& line : lines) cut(width, &line);
    return lines;
}

}  // namespace cfslbstat
