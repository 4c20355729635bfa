// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cfslbstat {

struct Options {
    std::string root;
    std::string output;              // file; empty: stdout, or stderr for a command
    std::optional<double> interval;  // s
    std::optional<long> count;
    bool json = false;
    bool rows = false;
    bool openmetrics = false;
    bool top = false;
    std::vector<std::string> command;
};

// Nothing if help was asked for and printed. Throws InputError.
std::optional<Options> parse_options(int argc, char** argv);

}  // namespace cfslbstat
