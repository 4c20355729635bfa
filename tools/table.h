// SPDX-License-Identifier: GPL-2.0
//
// The comparison as a table for a terminal.
#pragma once

#include <string>

#include "compare.h"

namespace lbtools {

struct TableOptions {
    bool all_metrics = false;
    bool colour = false;
};

std::string render_table(const Comparison& comparison, const TableOptions& options);

// "4000", "91.2", "0.031": about four digits, never an exponent for usual sizes.
std::string short_number(double value);
// "3/3 pass", "2 skipped", "-"
std::string outcome_text(const Outcomes& outcomes);
// "4000 (3990-4010)"; only the median when all values are equal
std::string summary_text(const std::optional<Summary>& summary);
// "-95.2 % [-97, -90]", or the absolute change when the median before is 0
std::string change_text(const MetricRow& row);
// Verdict, with a star for a separated row that the test could not settle.
std::string metric_verdict(const MetricRow& row);
// "2 fixed, 1 regressed": how often each verdict was given, for headings.
std::string verdict_counts(const Comparison& comparison);
// What a starred row means for these samples; empty when no row is starred.
std::string star_text(const Comparison& comparison);

}  // namespace lbtools
