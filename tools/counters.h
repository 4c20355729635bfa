// SPDX-License-Identifier: GPL-2.0
//
// What the module counted while the drivers ran, before against after.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compare.h"

namespace lbtools {

struct CounterRow {
    std::string name, unit;
    std::vector<std::pair<long, double>> before, after;  // seed and sum over the drivers
};

struct CounterTable {
    std::vector<std::string> drivers;  // counted on every seed of both sides
    std::vector<CounterRow> rows;      // reasons that moved a task, then the rest
};

// No rows when the module was not loaded.
CounterTable counter_table(const Comparison& comparison);

// For a terminal and the page; empty without rows.
std::string render_counters(const Comparison& comparison);

}  // namespace lbtools
