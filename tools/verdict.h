// SPDX-License-Identifier: GPL-2.0
//
// From the log of one guest run to one verdict and one exit code.
#pragma once

#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "ktap.h"

namespace lbtools {

// The lab's exit codes. 3 (build or set-up failed) and 130 (interrupted) exist
// too and are given by the scripts.
enum ExitCode : int {
    kExitPass = 0,
    kExitFail = 1,
    kExitUsage = 2,
    kExitAllSkipped = 4,
    kExitPanic = 10,
    kExitNoResults = 11,
    kExitPlan = 12,
    kExitCutOff = 13,
    kExitHang = 124,
};

// The cases that are known to fail on the kernel under test.
struct Expectations {
    std::vector<std::string> must_fail;
    std::vector<std::string> may_fail;  // "?driver/case"
};

// What is known about the run beside its results file.
struct RunContext {
    std::optional<std::string> console;  // text of the console log
    bool killed_by_timeout = false;
    std::optional<int> qemu_exit;  // exit status of QEMU, 0 to 255
    std::optional<Expectations> expect;
};

struct Verdict {
    int code = kExitPass;
    std::string line;                  // one line, for people
    std::vector<std::string> details;  // one finding each
};

// Reads "driver/case" and "?driver/case" lines; "#" starts a comment.
// Throws std::runtime_error "NAME:LINE: why" on anything else.
Expectations parse_expectations(std::istream& in, const std::string& name);

// Parses each JSON line; the findings carry line numbers of the raw file.
// `good` receives the lines that are sound, for the caller to write out.
std::vector<std::string> check_json(const RunLog& log, std::vector<std::string>* good = nullptr);

// Several may apply; the first of 124, 10, 11, 13, 12, 1, 4, 0 is reported.
Verdict decide(const RunLog& log, const RunContext& context);

}  // namespace lbtools
