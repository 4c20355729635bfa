// SPDX-License-Identifier: GPL-2.0
//
// Parser for what a guest writes on its results port: KTAP (nested, one level
// for each driver) mixed with JSON lines. The grammar is the kernel's
// Documentation/dev-tools/ktap.rst, version 1, plus the trailer of our init.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lbtools {

// The last line of a complete run.
inline constexpr std::string_view kTrailer = "# cfslb: end";

enum class Outcome { kPass, kFail, kSkip };

struct Test;

// One KTAP document: the whole run, or what one driver printed.
struct Block {
    std::size_t indent = 0;
    std::optional<long> plan;  // N of "1..N"
    std::vector<Test> tests;
};

// One "ok" or "not ok" line, with the nested document that stood before it.
struct Test {
    Outcome outcome = Outcome::kFail;
    long number = 0;        // 0: the line had none
    std::string name;       // without "- " and without the directive
    std::string directive;  // text after " # ", e.g. "SKIP needs 2 nodes" or "exit=124"
    std::size_t line = 0;   // 1-based, in the raw file
    std::vector<Block> nested;
};

struct JsonLine {
    std::size_t line = 0;  // 1-based, in the raw file
    std::string text;      // without indent and line end
};

// Everything found in one results file.
struct RunLog {
    Block top;
    std::vector<JsonLine> json;
    std::string ktap;          // the lines that are not JSON, "\n" line ends, cut-off line included
    bool trailer = false;      // kTrailer was seen
    std::size_t cut_line = 0;  // number of a last line without newline, 0: none
    std::size_t unknown_lines = 0;      // neither KTAP nor JSON nor blank
    std::vector<std::string> problems;  // why the plan does not hold, empty: it holds
};

// A case in the form that people name it: "driver/case", or "driver" alone for
// a driver that failed without a failing case (it crashed, or timed out).
struct Case {
    std::string name;
    Outcome outcome = Outcome::kFail;
    std::string directive;
};

// Takes any bytes: "\r\n" line ends, garbage, lines of any length. Never throws
// on content; what is wrong is described in RunLog::problems and cut_line.
RunLog parse_run(std::string_view raw);

// All cases of the run, in order.
std::vector<Case> list_cases(const Block& top);

// For messages: control and non-ASCII bytes as '?', at most `max` characters.
std::string printable(std::string_view text, std::size_t max = 80);

}  // namespace lbtools
