// SPDX-License-Identifier: GPL-2.0
#include "summary.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace cfslbstat {
namespace {

Column count_column(const std::string& name, const std::string& meaning) {
    return {name, Kind::kCounter, "tasks", meaning};
}

const Table& table_of(const Snapshot& snapshot, std::string_view name) {
    static const Table empty;
    const Table* const found = snapshot.find(name);
    return found == nullptr ? empty : *found;
}

// What every balance pass counts, whatever feeds the other columns of lb.
constexpr const char* kOfEveryPass[] = {"calls",        "not_designated", "pulled_calls",
                                        "pulled_tasks", "failed",         "time_ns"};

// lb has rows only where there was a pass: no row means zero while its source is on.
Table balance_all_of(const Snapshot& snapshot, bool on) {
    const Table& lb = table_of(snapshot, "lb");
    Table total = group_by(lb, {});
    if (!lb.rows.empty() || !on) return total;
    for (const char* const column : kOfEveryPass) {
        if (const auto at = total.value_at(column)) total.rows[0].values[*at] = 0;
    }
    return total;
}

Cell row_sum(const Row& row) {
    Cell total = 0;
    for (const Cell& value : row.values) total = plus(total, value);
    return total;
}

// Reason, all tasks, and the columns of distance.
Table migrations_of(const Snapshot& snapshot) {
    Table moves = table_of(snapshot, "distance");
    for (Row& row : moves.rows) row.values.insert(row.values.begin(), row_sum(row));
    moves.values.insert(moves.values.begin(), count_column("tasks", "tasks that moved"));
    moves.name = "migrations";
    return moves;
}

Table nodes_of(const Snapshot& snapshot) {
    const Table& migrate = table_of(snapshot, "migrate");
    const Table& matrix = table_of(snapshot, "matrix");
    const auto node = migrate.label_at("node");
    Table nodes;
    nodes.name = "nodes";
    nodes.labels = {{"node", Kind::kLabel, "-", "node"}};
    nodes.values = {{"cpus", Kind::kGauge, "CPUs", "CPUs that are present"},
                    count_column("moved_in", "tasks that came to its CPUs"),
                    count_column("from_other_nodes", "part that came from other nodes")};
    std::map<std::string, std::size_t> at;
    for (const Row& row : migrate.rows) {
        if (!node) break;
        const std::string& name = row.labels[*node];
        if (at.emplace(name, nodes.rows.size()).second) nodes.rows.push_back({{name}, {0, 0, {}}});
        Row& sum = nodes.rows[at[name]];
        *sum.values[0] += 1;
        sum.values[1] = plus(sum.values[1], row_sum(row));
    }
    const auto from = matrix.label_at("from"), to = matrix.label_at("to");
    const auto tasks = matrix.value_at("tasks");
    if (!from || !to || !tasks) return nodes;
    for (Row& row : nodes.rows) {
        row.values[2] = 0;
        for (const Row& way : matrix.rows) {
            if (way.labels[*to] == row.labels[0] && way.labels[*from] != row.labels[0]) {
                row.values[2] = plus(row.values[2], way.values[*tasks]);
            }
        }
    }
    return nodes;
}

// Upper ends of the buckets, in rising order, and where their columns are. The last one has none.
struct Buckets {
    std::vector<std::pair<Cell, std::size_t>> ends;
};

Buckets buckets_of(const Table& table) {
    Buckets buckets;
    for (std::size_t i = 0; i < table.values.size(); ++i) {
        const std::string& name = table.values[i].name;
        if (name.rfind("lt_", 0) == 0) {
            buckets.ends.emplace_back(std::strtoull(name.c_str() + 3, nullptr, 10), i);
        } else if (name == "more") {
            buckets.ends.emplace_back(std::nullopt, i);
        }
    }
    std::sort(buckets.ends.begin(), buckets.ends.end(), [](const auto& a, const auto& b) {
        return a.first && (!b.first || *a.first < *b.first);
    });
    return buckets;
}

std::optional<WaitBound> quantile(const Row& row, const Buckets& buckets, std::uint64_t tasks,
                                  double q) {
    if (tasks == 0) return std::nullopt;
    // Nearest rank: the smallest wait that at least this share does not exceed.
    const auto rank = std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(tasks))));
    std::uint64_t seen = 0, lower = 0;
    for (const auto& [end, at] : buckets.ends) {
        seen += *row.values[at];
        if (seen >= rank) return WaitBound{lower, end};
        if (end) lower = *end;
    }
    return std::nullopt;
}

Latency latency_of(const std::string& name, const Row& row, const Buckets& buckets) {
    Latency latency;
    latency.name = name;
    latency.tasks = 0;
    for (const auto& end : buckets.ends) {
        latency.tasks = plus(latency.tasks, row.values[end.second]);
    }
    if (buckets.ends.empty()) latency.tasks.reset();
    for (const double q : kQuantiles) {
        latency.at.push_back(latency.tasks ? quantile(row, buckets, *latency.tasks, q)
                                           : std::nullopt);
    }
    return latency;
}

std::vector<Latency> latencies(const Table& waits, const std::vector<std::string>& labels) {
    const Table grouped = group_by(waits, labels);
    const Buckets buckets = buckets_of(grouped);
    std::vector<Latency> all;
    for (const Row& row : grouped.rows) {
        all.push_back(latency_of(row.labels.empty() ? "all" : row.labels[0], row, buckets));
    }
    return all;
}

About about(const Snapshot& snapshot) {
    About about;
    const Table& info = table_of(snapshot, "info");
    const Table& caps = table_of(snapshot, "caps");
    about.module = info.first_label("module");
    about.level = info.first_label("level");
    about.lb = info.first_label("lb");
    about.kernel = snapshot.kernel;
    about.cpus = cell(info, "cpus");
    about.nodes = cell(info, "nodes");
    about.epoch = snapshot.epoch;
    about.t_ns = snapshot.t_ns;
    about.span_ns = snapshot.span_ns;
    const auto group = caps.label_at("group"), exact = caps.label_at("exact");
    for (const Row& row : caps.rows) {
        if (group && exact && row.labels[*group] == "reason") about.reason = row.labels[*exact];
    }
    about.missed = sum(caps, "missed").value_or(0);
    return about;
}

}  // namespace

Cell plus(const Cell& a, const Cell& b) { return a && b ? Cell(*a + *b) : std::nullopt; }

Table group_by(const Table& table, const std::vector<std::string>& labels) {
    Table grouped;
    grouped.name = table.name;
    grouped.scope = table.scope;
    grouped.values = table.values;
    std::vector<std::size_t> columns;
    for (const std::string& label : labels) {
        const auto at = table.label_at(label);
        if (!at) continue;
        columns.push_back(*at);
        grouped.labels.push_back(table.labels[*at]);
    }
    std::map<std::vector<std::string>, std::size_t> rows;
    for (const Row& row : table.rows) {
        std::vector<std::string> key;
        for (const std::size_t at : columns) key.push_back(row.labels[at]);
        const auto [found, is_new] = rows.emplace(key, grouped.rows.size());
        if (is_new) {
            grouped.rows.push_back({key, row.values});
            continue;
        }
        Row& sum = grouped.rows[found->second];
        for (std::size_t i = 0; i < row.values.size(); ++i) {
            sum.values[i] = plus(sum.values[i], row.values[i]);
        }
    }
    if (labels.empty() && grouped.rows.empty()) {
        grouped.rows.push_back({{}, std::vector<Cell>(table.values.size())});
    }
    return grouped;
}

Cell cell(const Table& table, const std::string& label, std::string_view column) {
    const auto at = table.value_at(column);
    if (!at) return std::nullopt;
    for (const Row& row : table.rows) {
        if (!row.labels.empty() && row.labels[0] == label) return row.values[*at];
    }
    return std::nullopt;
}

Cell cell(const Table& table, std::string_view column) {
    const auto at = table.value_at(column);
    return at && !table.rows.empty() ? table.rows[0].values[*at] : std::nullopt;
}

Cell sum(const Table& table, std::string_view column) {
    const auto at = table.value_at(column);
    if (!at || table.rows.empty()) return std::nullopt;
    Cell total = 0;
    for (const Row& row : table.rows) total = plus(total, row.values[*at]);
    return total;
}

Summary summarize(const Snapshot& snapshot) {
    Summary summary;
    summary.about = about(snapshot);
    summary.migrations = migrations_of(snapshot);
    summary.nodes = nodes_of(snapshot);
    summary.placement = group_by(table_of(snapshot, "place"), {"kind"});
    summary.balance = group_by(table_of(snapshot, "lb"), {"level", "idle", "name"});
    std::stable_sort(summary.balance.rows.begin(), summary.balance.rows.end(),
                     [](const Row& a, const Row& b) {
                         return !a.labels.empty() &&
                                std::atoi(a.labels[0].c_str()) < std::atoi(b.labels[0].c_str());
                     });
    summary.balance_all = balance_all_of(snapshot, summary.about.lb == "on");
    summary.newidle = group_by(table_of(snapshot, "newidle"), {});
    summary.nohz = group_by(table_of(snapshot, "nohz"), {});
    summary.numa = group_by(table_of(snapshot, "numa"), {});
    summary.waste = group_by(table_of(snapshot, "waste"), {"node"});
    const Table& waits = table_of(snapshot, "waitlat");
    summary.by_placement = latencies(waits, {"placement"});
    summary.by_distance = latencies(waits, {"distance"});
    summary.all_waits = latencies(waits, {}).front();
    return summary;
}

}  // namespace cfslbstat
