// SPDX-License-Identifier: GPL-2.0
//
// Figures for programs: JSON.
#pragma once

#include <string>
#include <vector>

#include "summary.h"

namespace cfslbstat {

struct JsonFrame {
    std::string kind;  // "total", "interval", "command"
    // Why counting began anew in this interval; empty: it did not.
    std::string restart;
    std::vector<std::string> command;
    std::optional<int> exit;        // of the command
    std::optional<double> seconds;  // "interval": since the start
};

// One object, one line, without a newline. `rows`: the rows of all files, or nullptr. Labels are
// strings, cells are whole numbers, and an absent one is null.
std::string to_json(const Summary& summary, const JsonFrame& frame, const Snapshot* rows);

// {"kind":"gone",...}: no figures, because the module is not loaded.
std::string gone_json(double seconds, const std::string& reason);

}  // namespace cfslbstat
