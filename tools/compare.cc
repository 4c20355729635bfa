// SPDX-License-Identifier: GPL-2.0
#include "compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lbtools {
namespace {

constexpr std::array<const char*, 4> kKeyMetrics = {
    "idle_while_waiting_ms", "longest_idle_while_waiting_ms", "idle_pct", "work_min_max_pct"};

// From the verdict most worth looking at to the least.
constexpr std::array<const char*, 10> kByImportance = {
    "regressed",    "fixed", "improved",     "still fails", "fails",
    "inconclusive", "mixed", "still passes", "passes",      "skipped"};

using Values = std::vector<std::pair<long, double>>;

Sample values_of(const Values& pairs) {
    Sample sample;
    for (const auto& [seed, value] : pairs) sample.push_back(value);
    return sample;
}

Outcomes count_outcomes(const Side& side, const CaseId& id) {
    Outcomes outcomes;
    const auto found = side.results.find(id);
    const auto starts = side.starts.find(id.driver);
    if (starts == side.starts.end()) return outcomes;
    for (const auto& [seed, file] : starts->second) {
        const CaseResult* result = nullptr;
        if (found != side.results.end()) {
            const auto at = found->second.find(seed);
            if (at != found->second.end()) result = &at->second;
        }
        if (result == nullptr) {
            ++outcomes.lost;
            ++outcomes.fail;
        } else {
            ++(result->verdict == "pass"   ? outcomes.pass
               : result->verdict == "fail" ? outcomes.fail
                                           : outcomes.skip);
        }
    }
    return outcomes;
}

bool all_pass(const Outcomes& o) { return o.pass > 0 && o.fail == 0; }
bool all_fail(const Outcomes& o) { return o.fail > 0 && o.pass == 0; }

std::string judge_one_side(const Outcomes& outcomes) {
    if (outcomes.judged() == 0) return "skipped";
    return all_pass(outcomes) ? "passes" : all_fail(outcomes) ? "fails" : "mixed";
}

std::string judge_pair(const Outcomes& before, const Outcomes& after, double p, bool replay) {
    if (before.judged() == 0 && after.judged() == 0) return "skipped";
    if (before.judged() == 0 || after.judged() == 0) return "one side only";
    const bool unanimous =
        (all_pass(before) || all_fail(before)) && (all_pass(after) || all_fail(after));
    const bool enough = before.judged() >= kMinSeeds && after.judged() >= kMinSeeds;
    const bool same = all_pass(before) == all_pass(after);
    // No test can show that nothing changed; enough equal outcomes say it plainly.
    if (unanimous && enough && same) return all_pass(after) ? "still passes" : "still fails";
    const bool settled = p < kSignificance || (unanimous && enough && replay);
    if (!settled) return "inconclusive";
    const bool up = after.pass * before.judged() > before.pass * after.judged();
    return !up ? "regressed" : all_pass(after) ? "fixed" : "improved";
}

Values collect(const Side& side, const CaseId& id, const std::string& metric) {
    Values values;
    const auto found = side.results.find(id);
    if (found == side.results.end()) return values;
    for (const auto& [seed, result] : found->second) {
        if (result.verdict == "skip") continue;
        for (const auto& [name, entry] : result.metrics) {
            if (name == metric) values.emplace_back(seed, entry.value);
        }
    }
    return values;
}

// Finds unit and direction of each metric of the case, in order of appearance.
void list_metrics(const Side& side, const CaseId& id, std::vector<MetricRow>& rows) {
    const auto found = side.results.find(id);
    if (found == side.results.end()) return;
    for (const auto& [seed, result] : found->second) {
        for (const auto& [name, entry] : result.metrics) {
            const bool known = std::any_of(rows.begin(), rows.end(),
                                           [&](const MetricRow& r) { return r.name == name; });
            if (known) continue;
            MetricRow row;
            row.name = name;
            row.unit = entry.unit;
            row.better = entry.better;
            row.key = std::find(kKeyMetrics.begin(), kKeyMetrics.end(), name) != kKeyMetrics.end();
            rows.push_back(std::move(row));
        }
    }
}

void measure(MetricRow& row) {
    const Sample before = values_of(row.before);
    const Sample after = values_of(row.after);
    if (!before.empty()) row.before_summary = summarize(before);
    if (!after.empty()) row.after_summary = summarize(after);
    if (before.empty() || after.empty()) return;
    row.change = median_change(before, after);
    row.test = mann_whitney(before, after);
    // With fewer seeds one side lies beyond the other by chance all the time.
    if (before.size() < kMinSeeds || after.size() < kMinSeeds) return;
    if (row.after_summary->max < row.before_summary->min) row.separated = -1;
    if (row.after_summary->min > row.before_summary->max) row.separated = 1;
}

bool surely_unchanged(const MetricRow& row) {
    const Summary& before = *row.before_summary;
    const Summary& after = *row.after_summary;
    if (before.n < kMinSeeds || after.n < kMinSeeds) return false;
    if (before.min == after.min && before.max == after.max && before.min == before.max) return true;
    if (!row.change->percent_ci) return false;
    return row.change->percent_ci->low >= -kNoChangePercent &&
           row.change->percent_ci->high <= kNoChangePercent;
}

std::string judge_metric(const MetricRow& row) {
    if (!row.test) return "";
    if (row.holm_p < kSignificance) {
        if (row.better == "none" || row.change->absolute == 0) return "changed";
        return (row.change->absolute < 0) == (row.better == "lower") ? "better" : "worse";
    }
    return surely_unchanged(row) ? "no change" : "inconclusive";
}

void collect_reasons(const Side& side, const CaseId& id,
                     std::vector<std::pair<long, std::string>>& reasons) {
    const auto found = side.results.find(id);
    if (found == side.results.end()) return;
    for (const auto& [seed, result] : found->second) {
        if (result.verdict != "pass") reasons.emplace_back(seed, result.reason);
    }
}

CaseRow build_row(const Comparison& comparison, const CaseId& id) {
    CaseRow row;
    row.id = id;
    for (const bool is_after : {false, true}) {
        if (is_after && !comparison.after) break;
        const Side& side = comparison.side(is_after);
        (is_after ? row.after : row.before) = count_outcomes(side, id);
        collect_reasons(side, id, is_after ? row.after_reasons : row.before_reasons);
        list_metrics(side, id, row.metrics);
        const auto found = side.results.find(id);
        if (found != side.results.end() && row.description.empty()) {
            row.description = found->second.begin()->second.description;
        }
    }
    for (MetricRow& metric : row.metrics) {
        metric.before = collect(comparison.before, id, metric.name);
        if (comparison.after) metric.after = collect(*comparison.after, id, metric.name);
        measure(metric);
    }
    if (!comparison.after) {
        row.verdict = judge_one_side(row.before);
        return row;
    }
    if (row.before.judged() != 0 && row.after.judged() != 0) {
        row.fisher_p =
            fisher_exact(row.before.pass, row.before.fail, row.after.pass, row.after.fail);
    }
    row.verdict = judge_pair(row.before, row.after, row.fisher_p.value_or(1), comparison.replay());
    return row;
}

void judge_metrics(std::vector<CaseRow>& rows) {
    std::vector<MetricRow*> tested;
    std::vector<double> p;
    for (CaseRow& row : rows) {
        for (MetricRow& metric : row.metrics) {
            if (!metric.test) continue;
            tested.push_back(&metric);
            p.push_back(metric.test->p);
        }
    }
    const std::vector<double> corrected = holm(p);
    for (std::size_t i = 0; i < tested.size(); ++i) {
        tested[i]->holm_p = corrected[i];
        tested[i]->verdict = judge_metric(*tested[i]);
    }
}

void warn_about_early_ends(const Side& side, std::vector<std::string>& warnings) {
    for (const auto& [driver, runs] : side.starts) {
        for (const auto& [seed, file] : runs) {
            const auto ends = side.ends.find(driver);
            if (ends != side.ends.end() && ends->second.count(seed) != 0) continue;
            warnings.push_back(fmt::format("{}, seed {}: {} ended early (no end line in {})",
                                           side.label, seed, driver, file));
        }
    }
}

void warn_about_seeds(const Side& side, std::vector<std::string>& warnings) {
    if (side.seeds.size() < kMinSeeds) {
        warnings.push_back(fmt::format("{}: {} seed{}, no verdict with fewer than {}", side.label,
                                       side.seeds.size(), side.seeds.size() == 1 ? "" : "s",
                                       kMinSeeds));
    }
}

std::size_t importance(const CaseRow& row) {
    return static_cast<std::size_t>(
        std::find(kByImportance.begin(), kByImportance.end(), row.verdict) - kByImportance.begin());
}

bool has_timeline(const Comparison& comparison, const CaseId& id) {
    return comparison.before.timelines.count(id) != 0 ||
           (comparison.after && comparison.after->timelines.count(id) != 0);
}

// How far the first key metric moved: of two repaired cases the plainer one is shown.
double movement(const CaseRow& row) {
    for (const MetricRow& metric : row.metrics) {
        if (metric.key && metric.change) return std::abs(metric.change->absolute);
    }
    return 0;
}

}  // namespace

bool MetricRow::loss() const {
    const bool wrong_way =
        (better == "lower" && separated > 0) || (better == "higher" && separated < 0);
    return verdict == "worse" || wrong_way;
}

Comparison compare(Side before, std::optional<Side> after) {
    Comparison comparison;
    comparison.before = std::move(before);
    comparison.after = std::move(after);
    std::vector<CaseId> order = comparison.before.order;
    if (comparison.after) {
        for (const CaseId& id : comparison.after->order) {
            if (std::find(order.begin(), order.end(), id) == order.end()) order.push_back(id);
        }
    }
    for (const CaseId& id : order) comparison.rows.push_back(build_row(comparison, id));
    judge_metrics(comparison.rows);
    for (const bool is_after : {false, true}) {
        if (is_after && !comparison.after) break;
        warn_about_early_ends(comparison.side(is_after), comparison.warnings);
        if (comparison.after) warn_about_seeds(comparison.side(is_after), comparison.warnings);
    }
    return comparison;
}

std::string method_text() {
    return fmt::format(
        "Pass and fail: a case is settled when Fisher's exact test on its counts gives "
        "p < {0:.2g}, or when both sides are unanimous over at least {1} replay seeds: replay "
        "is deterministic, so the same kernel and seed can not come out differently, and each "
        "seed is another schedule. On real hardware (topology \"host\") a change needs Fisher's "
        "test. Anything else is inconclusive; improved means settled, but not every seed passes. "
        "A case whose driver started and never reported it counts as failed. "
        "Metrics: medians over seeds with quartiles, change of the median with a 95 % bootstrap "
        "interval (fixed generator seed), Mann-Whitney U test (exact for up to 40 values) with "
        "Holm's correction over all metric rows of the report. Better, worse or changed: "
        "corrected p < {0:.2g}. No change: at least {1} seeds a side and the interval within "
        "+-{2:.0f} %, or all values equal. A star marks rows where every seed of one side lies "
        "beyond every seed of the other (at least {1} a side) but the test does not settle it.",
        kSignificance, kMinSeeds, kNoChangePercent);
}

Tone tone(const std::string& verdict) {
    if (verdict == "fixed" || verdict == "better" || verdict == "improved" ||
        verdict == "still passes" || verdict == "passes") {
        return Tone::kGood;
    }
    if (verdict == "regressed" || verdict == "worse" || verdict == "still fails" ||
        verdict == "fails") {
        return Tone::kBad;
    }
    if (verdict == "inconclusive" || verdict == "mixed" || verdict == "one side only") {
        return Tone::kUnsure;
    }
    return Tone::kNeutral;
}

const CaseRow* most_important(const Comparison& comparison) {
    const CaseRow* best = nullptr;
    for (const CaseRow& row : comparison.rows) {
        if (!has_timeline(comparison, row.id)) continue;
        const bool wins = best == nullptr || importance(row) < importance(*best) ||
                          (importance(row) == importance(*best) && movement(row) > movement(*best));
        if (wins) best = &row;
    }
    return best;
}

}  // namespace lbtools
