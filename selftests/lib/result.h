// SPDX-License-Identifier: GPL-2.0
// What one case found.
#ifndef CFSLB_RESULT_H
#define CFSLB_RESULT_H

#include <string>
#include <vector>

#include "ktap.h"

namespace cfslb {

enum class Better { lower, higher, none };

struct Metric {
    std::string name;
    double value = 0;
    std::string unit;
    Better better = Better::none;
};

// A result passes until something fails it.
struct Result {
    Verdict verdict = Verdict::pass;
    std::string reason;  // empty when passed; several reasons are joined by "; "
    std::vector<Metric> metrics;
    std::vector<std::string> notes;      // KTAP diagnostics
    std::vector<double> tasks_per_node;  // mean number of judged tasks; may be empty
    std::vector<double> tasks_per_cpu;
    double timeline_step_ms = 0;
    std::vector<std::vector<int>> timeline;  // tasks on each CPU at each step; may be empty

    void fail(const std::string& why) {
        verdict = Verdict::fail;
        reason += (reason.empty() ? "" : "; ") + why;
    }
    static Result skipped(const std::string& missing) {
        Result result;
        result.verdict = Verdict::skip;
        result.reason = missing;
        return result;
    }
};

}  // namespace cfslb

#endif
