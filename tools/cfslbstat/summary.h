// SPDX-License-Identifier: GPL-2.0
//
// The figures that the outputs show, worked out from a snapshot or an interval.
#pragma once

#include <string>
#include <vector>

#include "model.h"

namespace cfslbstat {

// Bounds of the bucket that holds a percentile: ge_ns <= wait < lt_ns.
struct WaitBound {
    std::uint64_t ge_ns = 0;
    Cell lt_ns;  // absent: no upper end
};

struct Latency {
    std::string name;
    Cell tasks;
    std::vector<std::optional<WaitBound>> at;  // in the order of kQuantiles; absent: no wait
};

inline constexpr double kQuantiles[] = {0.5, 0.9, 0.99, 0.999, 1.0};
inline constexpr const char* kQuantileNames[] = {"p50", "p90", "p99", "p999", "max"};
inline constexpr std::size_t kNrQuantiles = 5;

// The machine, which is not a matter of counting.
struct About {
    std::string module, level, lb, kernel;
    Cell cpus, nodes;
    std::string reason;        // exact, inferred, mixed, or empty: not known
    std::uint64_t missed = 0;  // events lost by all sources
    Epoch epoch;
    std::uint64_t t_ns = 0, span_ns = 0;
};

// Tables as in a snapshot, with sums over the rows that they leave out. A sum is absent if a part
// of it is.
struct Summary {
    About about;
    Table migrations;   // reason | tasks, then a column a distance
    Table nodes;        // node | cpus, moved_in, from_other_nodes
    Table placement;    // kind | columns of place
    Table balance;      // level, idle, name | columns of lb
    Table balance_all;  // | columns of lb
    Table newidle;      // | columns of newidle
    Table nohz;         // | columns of nohz
    Table numa;         // | columns of numa
    Table waste;        // node and "all" | columns of waste
    std::vector<Latency> by_placement, by_distance;
    Latency all_waits;
};

Summary summarize(const Snapshot& snapshot);

// Sums of the rows that agree in these labels, in the order of their first row. Without labels:
// one row, absent cells if the table has no row.
Table group_by(const Table& table, const std::vector<std::string>& labels);

// The cell of the first row whose first label is this; without label: of the first row.
Cell cell(const Table& table, const std::string& label, std::string_view column);
Cell cell(const Table& table, std::string_view column);
// Sum over all rows.
Cell sum(const Table& table, std::string_view column);
Cell plus(const Cell& a, const Cell& b);

}  // namespace cfslbstat
