// SPDX-License-Identifier: GPL-2.0
#include <nlohmann/json.hpp>

#include "counters.h"
#include "report.h"

namespace lbtools {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json optional(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json to_json(const Interval& interval) { return {interval.low, interval.high}; }

Json to_json(const Outcomes& outcomes) {
    return {{"pass", outcomes.pass},
            {"fail", outcomes.fail},
            {"skip", outcomes.skip},
            {"lost", outcomes.lost}};
}

Json to_json(const std::vector<std::pair<long, double>>& values,
             const std::optional<Summary>& summary) {
    Json json;
    json["values"] = Json::array();
    for (const auto& [seed, value] : values) {
        json["values"].push_back({{"seed", seed}, {"value", value}});
    }
    json["n"] = values.size();
    if (!summary) return json;
    json["min"] = summary->min;
    json["q1"] = summary->q1;
    json["median"] = summary->median;
    json["q3"] = summary->q3;
    json["max"] = summary->max;
    json["mean"] = summary->mean;
    json["cv"] = optional(summary->cv);
    return json;
}

Json to_json(const Change& change) {
    return {{"absolute", change.absolute},
            {"absolute_ci95", to_json(change.absolute_ci)},
            {"percent", optional(change.percent)},
            {"percent_ci95", change.percent_ci ? to_json(*change.percent_ci) : Json(nullptr)}};
}

Json to_json(const MetricRow& row, bool two_sides) {
    Json json = {{"name", row.name}, {"unit", row.unit}, {"better", row.better}};
    json["before"] = to_json(row.before, row.before_summary);
    if (!two_sides) return json;
    json["after"] = to_json(row.after, row.after_summary);
    json["change"] = row.change ? to_json(*row.change) : Json(nullptr);
    if (row.test) {
        json["mann_whitney_p"] = row.test->p;
        json["exact"] = row.test->exact;
        json["smallest_possible_p"] = row.test->min_p;
        json["holm_p"] = row.holm_p;
    }
    json["separated"] = row.separated;
    json["verdict"] = row.verdict;
    return json;
}

Json runs_to_json(const Side& side, const CaseId& id) {
    Json runs = Json::array();
    const auto found = side.results.find(id);
    if (found == side.results.end()) return runs;
    for (const auto& [seed, result] : found->second) {
        runs.push_back({{"seed", seed},
                        {"verdict", result.verdict},
                        {"reason", result.reason},
                        {"tasks_per_node", result.tasks_per_node}});
    }
    return runs;
}

Json to_json(const CaseRow& row, const Comparison& comparison, const Pictures& pictures) {
    const bool two_sides = comparison.after.has_value();
    Json json = {{"driver", row.id.driver},
                 {"case", row.id.name},
                 {"description", row.description},
                 {"verdict", row.verdict},
                 {"before", to_json(row.before)}};
    if (two_sides) {
        json["after"] = to_json(row.after);
        json["fisher_p"] = optional(row.fisher_p);
    }
    json["metrics"] = Json::array();
    for (const MetricRow& metric : row.metrics) {
        json["metrics"].push_back(to_json(metric, two_sides));
    }
    json["runs"]["before"] = runs_to_json(comparison.before, row.id);
    if (two_sides) json["runs"]["after"] = runs_to_json(*comparison.after, row.id);
    const auto picture = pictures.find(row.id);
    if (picture != pictures.end()) {
        json["picture"] = picture->second.file;
        for (const auto& [label, seed] : picture->second.shown) {
            json["picture_seeds"].push_back(seed);
        }
    }
    return json;
}

Json to_json(const Side& side) {
    return {{"label", side.label}, {"kernel", side.machine->kernel}, {"seeds", side.seeds}};
}

Json to_json(const std::vector<std::pair<long, double>>& values) {
    Json json = Json::array();
    for (const auto& [seed, value] : values) json.push_back({{"seed", seed}, {"value", value}});
    return json;
}

Json to_json(const CounterTable& table, bool two_sides) {
    Json json = {{"drivers", table.drivers}, {"rows", Json::array()}};
    for (const CounterRow& row : table.rows) {
        Json values = {{"name", row.name}, {"unit", row.unit}, {"before", to_json(row.before)}};
        if (two_sides) values["after"] = to_json(row.after);
        json["rows"].push_back(values);
    }
    return json;
}

}  // namespace

std::string json_report(const Comparison& comparison, const Pictures& pictures,
                        const ReportText& text) {
    const Machine& machine = *comparison.before.machine;
    Json json = {{"schema", 1}, {"title", text.title}, {"command", text.command}};
    json["machine"] = {{"machine", machine.machine},
                       {"topology", machine.topology},
                       {"nr_cpus", machine.nr_cpus},
                       {"nodes", machine.nodes}};
    json["scope"] = scope_text(comparison);
    json["method"] = method_text();
    json["before"] = to_json(comparison.before);
    if (comparison.after) json["after"] = to_json(*comparison.after);
    json["warnings"] = comparison.warnings;
    json["rows"] = Json::array();
    for (const CaseRow& row : comparison.rows) {
        json["rows"].push_back(to_json(row, comparison, pictures));
    }
    json["counters"] = to_json(counter_table(comparison), comparison.after.has_value());
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lbtools
