// SPDX-License-Identifier: GPL-2.0
//
// The comparison itself: what the table, the page and the JSON report show.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results.h"
#include "stats.h"

namespace lbtools {

// Fisher's test and Holm-corrected rank tests settle a row below this.
inline constexpr double kSignificance = 0.05;
// Unanimous outcomes settle a row from this many replay seeds a side on. The
// number is the project's minimum for any comparison (Documentation/testing).
inline constexpr unsigned kMinSeeds = 3;
// A median that moved less than this for certain (confidence interval) did not change.
inline constexpr double kNoChangePercent = 5.0;

struct Outcomes {
    unsigned pass = 0, fail = 0, skip = 0;
    unsigned lost = 0;  // driver started, case never reported: counted in fail too
    unsigned judged() const { return pass + fail; }
};

struct MetricRow {
    std::string name, unit, better;
    // Seed and value, by seed.
    std::vector<std::pair<long, double>> before, after;
    std::optional<Summary> before_summary, after_summary;
    std::optional<Change> change;
    std::optional<RankTest> test;
    double holm_p = 1;
    int separated =
        0;  // every value after is below (-1) or above (1) every one before, kMinSeeds a side
    bool key = false;     // one of the metrics that decide about placement
    std::string verdict;  // better, worse, changed, no change, inconclusive; "" with one side
    bool loss() const;    // worse, or every seed moved the wrong way
};

struct CaseRow {
    CaseId id;
    std::string description;
    Outcomes before, after;
    std::optional<double> fisher_p;  // none when one side has nothing to judge
    std::string verdict;
    std::vector<MetricRow> metrics;
    std::vector<std::pair<long, std::string>> before_reasons, after_reasons;  // not passed
};

struct Comparison {
    Side before;
    std::optional<Side> after;
    std::vector<CaseRow> rows;
    std::vector<std::string> warnings;  // e.g. a driver that ended early
    bool replay() const { return before.machine->topology != "host"; }
    const Side& side(bool is_after) const { return is_after ? *after : before; }
};

Comparison compare(Side before, std::optional<Side> after);

// How rows are judged, in whole sentences, for --help and the page.
std::string method_text();

// Kind of a verdict for colouring.
enum class Tone { kNeutral, kGood, kBad, kUnsure };
Tone tone(const std::string& verdict);

// The row that deserves the summary picture, among those with a timeline: losses
// first, then repairs. Null when no case has a timeline.
const CaseRow* most_important(const Comparison& comparison);

}  // namespace lbtools
