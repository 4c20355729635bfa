// SPDX-License-Identifier: GPL-2.0
#include "counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ktap.h"
#include "table.h"

namespace lbtools {
namespace {

constexpr double kNsPerMs = 1e6;
constexpr std::size_t kNameWidth = 34;
constexpr std::size_t kValueWidth = 26;

bool counted_everywhere(const Side& side, const std::string& driver) {
    const auto found = side.counters.find(driver);
    return found != side.counters.end() &&
           std::all_of(side.seeds.begin(), side.seeds.end(),
                       [&](long seed) { return found->second.count(seed) != 0; });
}

std::vector<std::string> common_drivers(const Comparison& comparison) {
    std::vector<std::string> drivers;
    for (const auto& [driver, runs] : comparison.before.counters) {
        if (counted_everywhere(comparison.before, driver) &&
            (!comparison.after || counted_everywhere(*comparison.after, driver))) {
            drivers.push_back(driver);
        }
    }
    return drivers;
}

// Sums over the drivers, by row name and seed; names in the order of the files.
class Sums {
  public:
    void add(const std::string& name, const std::string& unit, long seed, bool after,
             double value) {
        const auto found = std::find_if(rows_.begin(), rows_.end(),
                                        [&](const Row& row) { return row.name == name; });
        Row& row = found == rows_.end() ? rows_.emplace_back(Row{name, unit, {}, {}}) : *found;
        (after ? row.after : row.before)[seed] += value;
    }

    // Rows in which nothing was counted are left out.
    std::vector<CounterRow> rows() const {
        std::vector<CounterRow> rows;
        for (const Row& row : rows_) {
            const auto counted = [](const auto& cell) { return cell.second != 0; };
            if (std::any_of(row.before.begin(), row.before.end(), counted) ||
                std::any_of(row.after.begin(), row.after.end(), counted)) {
                rows.push_back({row.name,
                                row.unit,
                                {row.before.begin(), row.before.end()},
                                {row.after.begin(), row.after.end()}});
            }
        }
        return rows;
    }

  private:
    struct Row {
        std::string name, unit;
        std::map<long, double> before, after;
    };
    std::vector<Row> rows_;
};

void add_side(const Side& side, bool after, const std::vector<std::string>& drivers, Sums& sums) {
    for (const std::string& driver : drivers) {
        for (const auto& [seed, counters] : side.counters.at(driver)) {
            for (const auto& [reason, tasks] : counters.migrations) {
                sums.add("moved: " + reason, "tasks", seed, after, tasks);
            }
        }
    }
    for (const std::string& driver : drivers) {
        for (const auto& [seed, counters] : side.counters.at(driver)) {
            sums.add("moved to another node", "tasks", seed, after, counters.other_node);
            sums.add("waste", "CPU ms", seed, after, counters.waste_ns / kNsPerMs);
        }
    }
}

std::string cell(const std::vector<std::pair<long, double>>& values) {
    if (values.empty()) return "-";
    Sample sample;
    for (const auto& [seed, value] : values) sample.push_back(value);
    return summary_text(summarize(sample));
}

}  // namespace

CounterTable counter_table(const Comparison& comparison) {
    CounterTable table;
    table.drivers = common_drivers(comparison);
    Sums sums;
    add_side(comparison.before, false, table.drivers, sums);
    if (comparison.after) add_side(*comparison.after, true, table.drivers, sums);
    table.rows = sums.rows();
    return table;
}

std::string render_counters(const Comparison& comparison) {
    const CounterTable table = counter_table(comparison);
    if (table.rows.empty()) return "";
    std::string text = fmt::format(
        "counters of the module, sum over {} driver{}, median (quartiles) of the seeds\n",
        table.drivers.size(), table.drivers.size() == 1 ? "" : "s");
    text += fmt::format("{:<{}}  {:<{}}  {}\n", "", kNameWidth, "before", kValueWidth,
                        comparison.after ? "after" : "");
    for (const CounterRow& row : table.rows) {
        text += fmt::format("{:<{}}  {:<{}}  {}\n",
                            printable(row.name, kNameWidth - 10) + ", " + row.unit, kNameWidth,
                            cell(row.before), kValueWidth, comparison.after ? cell(row.after) : "");
    }
    return text;
}

}  // namespace lbtools
