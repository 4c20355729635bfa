// SPDX-License-Identifier: GPL-2.0
#include <fmt/format.h>

#include <cctype>

#include "counters.h"
#include "report.h"
#include "table.h"

namespace lbtools {
namespace {

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --fg: #1b1b1f; --bg: #ffffff; --soft: #5d5d66;
  --line: #d6d6dc; --panel: #f6f6f8; --good: #1a6e34; --bad: #b3261e; --unsure: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --fg: #e6e6ea; --bg: #17171b; --soft: #a3a3ad;
  --line: #3b3b44; --panel: #202026; --good: #7bd88f; --bad: #ff8a80; --unsure: #f0c060; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--fg); background: var(--bg);
  max-width: 75rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
h1 { font-size: 1.7rem; margin: 1rem 0 .25rem; line-height: 1.25; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .25rem; }
p, li { max-width: 48rem; }
.lead { font-size: 1.15rem; } .soft, figcaption { color: var(--soft); }
.note { border-left: 4px solid var(--unsure); background: var(--panel); padding: .6rem 1rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; white-space: nowrap; }
td.wrap { white-space: normal; overflow-wrap: anywhere; }
tr.case td, tr.case th { padding-top: .8rem; font-weight: 600; }
tr.metric td:first-child { padding-left: 1.2rem; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }
.unsure { color: var(--unsure); }
figure { margin: 1rem 0 2rem; } figure svg { width: 100%; height: auto; display: block; }
pre { background: var(--panel); padding: .8rem 1rem; overflow-x: auto; font-size: .85rem; }
code { overflow-wrap: anywhere; }
)";

std::string escape(const std::string& text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += c;
        }
    }
    return result;
}

const char* css_class(Tone tone) {
    switch (tone) {
        case Tone::kGood:
            return "good";
        case Tone::kBad:
            return "bad";
        case Tone::kUnsure:
            return "unsure";
        case Tone::kNeutral:
            break;
    }
    return "";
}

std::string seed_list(const Side& side) {
    std::string text;
    for (const long seed : side.seeds) text += fmt::format("{}{}", text.empty() ? "" : ", ", seed);
    return text;
}

std::string setup_table(const Comparison& comparison, const ReportText& text) {
    const Machine& machine = *comparison.before.machine;
    std::string nodes;
    for (std::size_t i = 0; i < machine.nodes.size(); ++i) {
        nodes += fmt::format("{}node {}: CPUs {}", i == 0 ? "" : "; ", i, machine.nodes[i]);
    }
    const auto row = [](const std::string& name, const std::string& value) {
        return fmt::format("<tr><th scope=\"row\">{}</th><td class=\"wrap\">{}</td></tr>\n",
                           escape(name), value);
    };
    std::string html = "<table>\n";
    html +=
        row("Machine", escape(fmt::format("{} ({}), {} CPUs, {} nodes", machine.topology,
                                          machine.machine, machine.nr_cpus, machine.nodes.size())));
    html += row("Nodes", escape(nodes));
    for (const bool is_after : {false, true}) {
        if (is_after && !comparison.after) break;
        const Side& side = comparison.side(is_after);
        html += row((is_after ? "After" : "Before"),
                    escape(fmt::format("{}: kernel {}, seeds {}", side.label, side.machine->kernel,
                                       seed_list(side))));
    }
    html += row("Command", "<code>" + escape(text.command) + "</code>");
    return html + "</table>\n";
}

std::string verdict_cell(const std::string& text, Tone tone) {
    return fmt::format("<td class=\"{}\">{}</td>", css_class(tone), escape(text));
}

std::string result_table(const Comparison& comparison) {
    const bool two = comparison.after.has_value();
    std::string html = "<div class=\"scroll\"><table>\n<thead><tr><th>Scenario and metric</th><th>";
    html += escape(comparison.before.label) + "</th>";
    if (two) {
        html += "<th>" + escape(comparison.after->label) +
                "</th><th>Change [95&nbsp;% interval]</th><th>p</th>";
    }
    html += "<th>Verdict</th></tr></thead>\n<tbody>\n";
    for (const CaseRow& row : comparison.rows) {
        html += fmt::format("<tr class=\"case\"><th scope=\"row\">{}</th><td>{}</td>",
                            escape(row.id.text()), outcome_text(row.before));
        if (two) {
            html += fmt::format("<td>{}</td><td>{}</td><td>{}</td>", outcome_text(row.after),
                                row.fisher_p ? "Fisher" : "",
                                row.fisher_p ? fmt::format("{:.2g}", *row.fisher_p) : "");
        }
        html += verdict_cell(row.verdict, tone(row.verdict)) + "</tr>\n";
        for (const MetricRow& metric : row.metrics) {
            if (!metric.key && !metric.loss()) continue;
            html += fmt::format("<tr class=\"metric\"><td>{}</td><td>{}</td>", escape(metric.name),
                                summary_text(metric.before_summary));
            if (two) {
                html += fmt::format("<td>{}</td><td>{}</td><td>{}</td>",
                                    summary_text(metric.after_summary), change_text(metric),
                                    metric.test ? fmt::format("{:.2g}", metric.holm_p) : "-");
            }
            html += verdict_cell(metric_verdict(metric),
                                 metric.loss() ? Tone::kBad : tone(metric.verdict)) +
                    "</tr>\n";
        }
    }
    return html + "</tbody>\n</table></div>\n";
}

std::string spread(const std::optional<Summary>& summary) {
    if (!summary) return "<td>-</td><td>-</td>";
    return fmt::format("<td>{}</td><td>{}</td>", short_number(summary->mean),
                       summary->cv ? fmt::format("{:.2f}", *summary->cv) : "-");
}

std::string raw_values(const std::vector<std::pair<long, double>>& values) {
    std::string text;
    for (const auto& [seed, value] : values) {
        text += fmt::format("{}{}", text.empty() ? "" : " ", short_number(value));
    }
    return text;
}

// Every metric, with mean, CV and the raw value of each seed.
std::string full_table(const Comparison& comparison) {
    const bool two = comparison.after.has_value();
    const char* const head = "<th>unit</th><th>better</th><th>mean</th><th>CV</th><th>values</th>";
    std::string html =
        "<details><summary>Every metric: mean, coefficient of variation, raw value of each "
        "seed</summary>\n<div class=\"scroll\"><table>\n<thead><tr><th>metric</th>";
    html += head;
    if (two) html += "<th>mean</th><th>CV</th><th>values</th><th>p</th><th>verdict</th>";
    html += "</tr></thead>\n<tbody>\n";
    for (const CaseRow& row : comparison.rows) {
        html += fmt::format("<tr class=\"case\"><th scope=\"row\" colspan=\"{}\">{}</th></tr>\n",
                            two ? 11 : 6, escape(row.id.text()));
        for (const MetricRow& metric : row.metrics) {
            html += fmt::format("<tr class=\"metric\"><td>{}</td><td>{}</td><td>{}</td>",
                                escape(metric.name), escape(metric.unit), escape(metric.better));
            html += spread(metric.before_summary) + "<td>" + raw_values(metric.before) + "</td>";
            if (two) {
                html += spread(metric.after_summary) + "<td>" + raw_values(metric.after) + "</td>";
                html += fmt::format("<td>{}</td>",
                                    metric.test ? fmt::format("{:.2g}", metric.test->p) : "-");
                html += verdict_cell(metric_verdict(metric), tone(metric.verdict));
            }
            html += "</tr>\n";
        }
    }
    return html + "</tbody>\n</table></div>\n</details>\n";
}

std::string reasons(const std::string& label,
                    const std::vector<std::pair<long, std::string>>& list) {
    std::string html;
    for (const auto& [seed, reason] : list) {
        html += fmt::format("<li>{}, seed {}: {}</li>\n", escape(label), seed,
                            reason.empty() ? "no reason given" : escape(reason));
    }
    return html;
}

std::string shown_text(const Picture& picture) {
    std::string text;
    for (const auto& [label, seed] : picture.shown) {
        text += fmt::format("{}{} (seed {})", text.empty() ? "" : " above ", escape(label), seed);
    }
    return text;
}

std::string upper_word(const std::string& text) {
    std::string word;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        word += std::isalnum(byte) != 0 || c == '.' || c == '+'
                    ? static_cast<char>(std::toupper(byte))
                    : '-';
    }
    return word;
}

// Phil Auld's layout: a row a run, then the distribution over runs and nodes.
std::string node_rows(const Side& side, const CaseId& id, std::string& distribution) {
    const auto found = side.results.find(id);
    if (found == side.results.end()) return "";
    std::string rows;
    Sample all;
    const std::string kind = upper_word(side.label);
    for (const auto& [seed, result] : found->second) {
        if (result.tasks_per_node.empty()) continue;
        rows += fmt::format("{:<44}", fmt::format("{}_{}_{}", id.name, kind, seed));
        for (const double tasks : result.tasks_per_node) {
            rows += fmt::format(" {:>7.2f}", tasks);
            all.push_back(tasks);
        }
        rows += "\n";
    }
    if (all.empty()) return rows;
    const Summary s = summarize(all);
    distribution += fmt::format("{:<44} {:>7.2f} {:>7.2f} {:>7.2f} {:>7.2f} {:>7.2f}\n",
                                id.name + "_" + kind, s.min, s.q1, s.median, s.q3, s.max);
    return rows;
}

std::string node_table(const Comparison& comparison, const CaseId& id) {
    std::string distribution;
    std::string rows = node_rows(comparison.before, id, distribution);
    if (comparison.after) rows += node_rows(*comparison.after, id, distribution);
    if (rows.empty()) return "";
    std::string head = fmt::format("{:<44}", "tasks per node (mean over the run)");
    for (std::size_t i = 0; i < comparison.before.machine->nodes.size(); ++i) {
        head += fmt::format(" {:>7}", fmt::format("node{}", i));
    }
    return "<pre>" +
           escape(head + "\n" + rows + "\n" +
                  fmt::format("{:<44} {:>7} {:>7} {:>7} {:>7} {:>7}\n", "over runs and nodes",
                              "min", "q1", "median", "q3", "max") +
                  distribution) +
           "</pre>\n";
}

std::string case_section(const Comparison& comparison, const CaseRow& row,
                         const Pictures& pictures) {
    std::string html =
        fmt::format("<h3>{}: <span class=\"{}\">{}</span></h3>\n", escape(row.id.text()),
                    css_class(tone(row.verdict)), row.verdict);
    if (!row.description.empty()) html += "<p>" + escape(row.description) + "</p>\n";
    std::string why = reasons(comparison.before.label, row.before_reasons);
    if (comparison.after) why += reasons(comparison.after->label, row.after_reasons);
    if (!why.empty()) html += "<ul class=\"soft\">\n" + why + "</ul>\n";
    const auto picture = pictures.find(row.id);
    if (picture != pictures.end()) {
        const std::string shown = shown_text(picture->second);
        html += fmt::format(
            "<figure role=\"img\" aria-label=\"Tasks on each CPU over time in {}: {}\">\n{}"
            "<figcaption>Tasks on each CPU over time, {}. Lines are node boundaries.</figcaption>"
            "\n</figure>\n",
            escape(row.id.text()), shown, picture->second.svg, shown);
    }
    return html + node_table(comparison, row.id);
}

std::string warning_list(const Comparison& comparison) {
    if (comparison.warnings.empty()) return "";
    std::string html = "<ul class=\"unsure\">\n";
    for (const std::string& warning : comparison.warnings) {
        html += "<li>" + escape(warning) + "</li>\n";
    }
    return html + "</ul>\n";
}

}  // namespace

std::string scope_text(const Comparison& comparison) {
    if (!comparison.replay()) {
        return "Measured on a real machine. Results differ across boots: judge by several boots a "
               "side, run in turn.";
    }
    return "Emulated machine: it shows where tasks are placed and how many instructions are "
           "executed, never speed. Times are virtual time, counted in guest instructions; no "
           "number here is a performance result.";
}

std::string html_report(const Comparison& comparison, const Pictures& pictures,
                        const ReportText& text) {
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n"
        "<p class=\"lead\">{2}</p>\n<p class=\"note\">{3}</p>\n",
        escape(text.title), kStyle, escape(verdict_counts(comparison)),
        escape(scope_text(comparison)));
    html += setup_table(comparison, text) + warning_list(comparison);
    html += "<h2>Results</h2>\n" + result_table(comparison);
    const std::string star = star_text(comparison);
    if (!star.empty()) html += "<p class=\"soft\">" + escape(star) + "</p>\n";
    html += full_table(comparison);
    const std::string counters = render_counters(comparison);
    if (!counters.empty()) html += "<h2>Counters</h2>\n<pre>" + escape(counters) + "</pre>\n";
    html += "<h2>Scenarios</h2>\n";
    for (const CaseRow& row : comparison.rows) html += case_section(comparison, row, pictures);
    html += "<h2>How rows are judged</h2>\n<p>" + escape(method_text()) + "</p>\n";
    return html + "</main>\n</body>\n</html>\n";
}

}  // namespace lbtools
