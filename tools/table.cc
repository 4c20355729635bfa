// SPDX-License-Identifier: GPL-2.0
#include "table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "ktap.h"

namespace lbtools {
namespace {

constexpr std::size_t kColumns = 5;
constexpr std::size_t kTableWidth = 120;
// In a table that would be wider, a longer scenario name gets a line of its own.
constexpr std::size_t kNameWidth = 34;
constexpr std::size_t kLabelWidth = 20;

using Widths = std::array<std::size_t, kColumns>;

struct Line {
    std::array<std::string, kColumns> cells;
    Tone tone = Tone::kNeutral;
};

bool starred(const MetricRow& row) { return row.verdict == "inconclusive" && row.separated != 0; }

std::string colour_code(Tone tone) {
    switch (tone) {
        case Tone::kGood:
            return "\x1b[32m";
        case Tone::kBad:
            return "\x1b[1;31m";
        case Tone::kUnsure:
            return "\x1b[33m";
        case Tone::kNeutral:
            break;
    }
    return "";
}

bool long_label(const Comparison& comparison) {
    return comparison.before.label.size() > kLabelWidth ||
           (comparison.after && comparison.after->label.size() > kLabelWidth);
}

Line header(const Comparison& comparison) {
    const bool plain = long_label(comparison);
    Line line;
    line.cells = {"scenario and metric", plain ? "before" : printable(comparison.before.label), "",
                  "", "verdict"};
    if (comparison.after) {
        line.cells[2] = plain ? "after" : printable(comparison.after->label);
        line.cells[3] = "change [95 % CI], p";
    }
    return line;
}

// Labels too long for a column head stand above the table.
std::string label_lines(const Comparison& comparison) {
    if (!long_label(comparison)) return "";
    std::string text = fmt::format("before: {}\n", printable(comparison.before.label, 110));
    if (comparison.after) {
        text += fmt::format("after:  {}\n", printable(comparison.after->label, 110));
    }
    return text + "\n";
}

Line case_line(const CaseRow& row, bool two_sides) {
    Line line;
    line.cells = {printable(row.id.text(), kTableWidth), outcome_text(row.before), "", "",
                  row.verdict};
    if (two_sides) {
        line.cells[2] = outcome_text(row.after);
        if (row.fisher_p) line.cells[3] = fmt::format("Fisher p={:.2g}", *row.fisher_p);
    }
    line.tone = tone(row.verdict);
    return line;
}

Line metric_line(const MetricRow& row, bool two_sides) {
    Line line;
    line.cells = {"  " + printable(row.name, kNameWidth - 2), summary_text(row.before_summary), "",
                  "", metric_verdict(row)};
    if (two_sides) {
        line.cells[2] = summary_text(row.after_summary);
        line.cells[3] = change_text(row);
        if (row.test) line.cells[3] += fmt::format(", {:.2g}", row.holm_p);
    }
    line.tone = row.loss() ? Tone::kBad : tone(row.verdict);
    return line;
}

std::string render_line(const Line& line, const Widths& widths, bool colour) {
    std::string text;
    std::array<std::string, kColumns> cells = line.cells;
    if (cells[0].size() > widths[0]) {
        text += cells[0] + "\n";
        cells[0].clear();
    }
    for (std::size_t i = 0; i + 1 < kColumns; ++i) {
        if (widths[i] != 0) text += fmt::format("{:<{}}  ", cells[i], widths[i]);
    }
    const std::string code = colour ? colour_code(line.tone) : "";
    text += code.empty() ? cells.back() : code + cells.back() + "\x1b[0m";
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text + "\n";
}

std::size_t total_width(const Widths& widths) {
    return std::accumulate(widths.begin(), widths.end(), 2 * (kColumns - 1));
}

Widths measure_widths(const std::vector<Line>& lines, std::size_t name_limit = kTableWidth) {
    Widths widths = {};
    for (const Line& line : lines) {
        for (std::size_t i = 0; i < kColumns; ++i) {
            if (i == 0 && line.cells[0].size() > name_limit) continue;
            widths[i] = std::max(widths[i], line.cells[i].size());
        }
    }
    return widths;
}

std::string signed_number(double value) {
    const std::string text = short_number(value);
    return value > 0 && text != "0" ? "+" + text : text;
}

// One decimal is finer than any of these samples.
std::string signed_percent(double value) {
    const std::string text = fmt::format("{:+.1f}", value);
    return text == "+0.0" || text == "-0.0" ? "0" : text;
}

}  // namespace

std::string short_number(double value) {
    const double size = std::abs(value);
    const int decimals = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 3;
    std::string text =
        size >= 1e9 ? fmt::format("{:.3g}", value) : fmt::format("{:.{}f}", value, decimals);
    if (size < 1e9 && decimals > 0) {
        while (text.back() == '0') text.pop_back();
        if (text.back() == '.') text.pop_back();
    }
    return text == "-0" ? "0" : text;
}

std::string outcome_text(const Outcomes& outcomes) {
    if (outcomes.judged() == 0) {
        return outcomes.skip == 0 ? "not run" : fmt::format("{} skipped", outcomes.skip);
    }
    std::string text = fmt::format("{}/{} pass", outcomes.pass, outcomes.judged());
    if (outcomes.lost != 0) text += fmt::format(", {} lost", outcomes.lost);
    if (outcomes.skip != 0) text += fmt::format(", {} skip", outcomes.skip);
    return text;
}

std::string summary_text(const std::optional<Summary>& summary) {
    if (!summary) return "-";
    const std::string median = short_number(summary->median);
    if (summary->min == summary->max) return median;
    return fmt::format("{} ({}-{})", median, short_number(summary->q1), short_number(summary->q3));
}

std::string change_text(const MetricRow& row) {
    if (!row.change) return "-";
    const Change& change = *row.change;
    if (change.absolute == 0 && change.absolute_ci.low == 0 && change.absolute_ci.high == 0) {
        return "0";
    }
    if (change.percent && change.percent_ci) {
        return fmt::format("{} % [{}, {}]", signed_percent(*change.percent),
                           signed_percent(change.percent_ci->low),
                           signed_percent(change.percent_ci->high));
    }
    return fmt::format("{} [{}, {}]", signed_number(change.absolute),
                       signed_number(change.absolute_ci.low),
                       signed_number(change.absolute_ci.high));
}

std::string metric_verdict(const MetricRow& row) { return row.verdict + (starred(row) ? "*" : ""); }

std::string verdict_counts(const Comparison& comparison) {
    std::vector<std::pair<std::string, int>> counts;
    for (const CaseRow& row : comparison.rows) {
        const auto found = std::find_if(counts.begin(), counts.end(),
                                        [&](const auto& c) { return c.first == row.verdict; });
        if (found == counts.end()) {
            counts.emplace_back(row.verdict, 1);
        } else {
            ++found->second;
        }
    }
    std::string text;
    for (const auto& [verdict, count] : counts) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, verdict);
    }
    return text.empty() ? "no cases" : text;
}

std::string star_text(const Comparison& comparison) {
    double floor = 0;
    int count = 0;
    int tested = 0;
    for (const CaseRow& row : comparison.rows) {
        for (const MetricRow& metric : row.metrics) {
            tested += metric.test ? 1 : 0;
            if (!starred(metric)) continue;
            ++count;
            floor = std::max(floor, metric.test->min_p);
        }
    }
    if (count == 0) return "";
    return fmt::format(
        "* every seed of one side lies beyond every seed of the other, but these few seeds can\n"
        "  not give p below {:.2g} in one row, before the correction for {} rows: add seeds to "
        "settle it",
        floor, tested);
}

// A case that passes before and after needs no figures, unless one is a settled loss.
bool shown(const CaseRow& row, const MetricRow& metric, const TableOptions& options) {
    if (options.all_metrics || metric.loss()) return true;
    return metric.key && row.verdict != "still passes";
}

std::string render_table(const Comparison& comparison, const TableOptions& options) {
    const bool two_sides = comparison.after.has_value();
    std::vector<Line> lines = {header(comparison)};
    std::size_t hidden = 0;
    for (const CaseRow& row : comparison.rows) {
        lines.push_back(case_line(row, two_sides));
        for (const MetricRow& metric : row.metrics) {
            if (shown(row, metric, options)) {
                lines.push_back(metric_line(metric, two_sides));
            } else {
                ++hidden;
            }
        }
    }
    Widths widths = measure_widths(lines);
    if (total_width(widths) > kTableWidth) widths = measure_widths(lines, kNameWidth);
    std::string text = label_lines(comparison);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        text += render_line(lines[i], widths, options.colour);
        if (i == 0) text += std::string(std::min(total_width(widths), kTableWidth), '-') + "\n";
    }
    text += fmt::format("\n{}\n", verdict_counts(comparison));
    const std::string star = star_text(comparison);
    if (!star.empty()) text += star + "\n";
    if (hidden != 0)
        text += fmt::format("{} more metric{}: --all-metrics\n", hidden, hidden == 1 ? "" : "s");
    return text;
}

}  // namespace lbtools
