// SPDX-License-Identifier: GPL-2.0
//
// Pictures of tasks per CPU over time, drawn by the gnuplot program.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "results.h"

namespace lbtools {

// gnuplot is missing or failed; what() says what to do.
struct PlotError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// One heat map: x time in ms, y CPUs ordered by node, colour the number of tasks.
struct Panel {
    std::string title;
    const Timeline* timeline = nullptr;  // must hold at least one step
};

enum class PictureFormat { kSvg, kPng };

// Throws PlotError that names the Debian package when gnuplot can not be run.
void check_gnuplot();

// Draws the panels one above the other into the file `path`. `nodes` are the
// CPU lists of the machine. A temporary script stands beside `path` meanwhile.
void draw_panels(const std::vector<Panel>& panels, const std::vector<std::string>& nodes,
                 const std::string& path, PictureFormat format);

// The gnuplot script that draw_panels runs, for tests.
std::string panel_script(const std::vector<Panel>& panels, const std::vector<std::string>& nodes,
                         const std::string& path, PictureFormat format);

// Makes an SVG of gnuplot fit to stand in a page among others: no XML
// declaration, ids prefixed, text and axes in the page's own text colour.
std::string svg_for_page(std::string svg, const std::string& id_prefix);

}  // namespace lbtools
