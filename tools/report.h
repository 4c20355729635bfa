// SPDX-License-Identifier: GPL-2.0
//
// The files of a report: numbers, pictures, page.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compare.h"

namespace lbtools {

struct Picture {
    std::string file;                                 // name inside the report's folder
    std::vector<std::pair<std::string, long>> shown;  // label and seed of each panel
    std::string svg;                                  // fit for the page
};
using Pictures = std::map<CaseId, Picture>;

struct ReportText {
    std::string title;
    std::string command;  // how the results, or this report, were made
};

// Draws one SVG for each case with a timeline, and summary.png of the most important one.
// Throws PlotError or std::system_error.
Pictures draw_pictures(const Comparison& comparison, const std::string& dir);

// All numbers, raw values of each seed included.
std::string json_report(const Comparison& comparison, const Pictures& pictures,
                        const ReportText& text);

// One page without outside resources.
std::string html_report(const Comparison& comparison, const Pictures& pictures,
                        const ReportText& text);

// What emulated time can not show, or where the numbers come from on a real machine.
std::string scope_text(const Comparison& comparison);

}  // namespace lbtools
