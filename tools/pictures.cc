// SPDX-License-Identifier: GPL-2.0
#include <fmt/format.h>

#include <cctype>
#include <set>

#include "files.h"
#include "plot.h"
#include "report.h"

namespace lbtools {
namespace {

using Runs = std::map<long, Timeline>;

const Runs* runs_of(const Side& side, const CaseId& id) {
    const auto found = side.timelines.find(id);
    return found == side.timelines.end() ? nullptr : &found->second;
}

// The first seed that holds samples on this side, and on the other one too if any does.
const Runs::value_type* first_run(const Runs* runs, const Runs* other) {
    if (runs == nullptr) return nullptr;
    const Runs::value_type* first = nullptr;
    for (const auto& run : *runs) {
        if (run.second.cpus.empty()) continue;
        if (first == nullptr) first = &run;
        if (other != nullptr && other->count(run.first) != 0) return &run;
    }
    return first;
}

std::string file_name(const CaseId& id, std::set<std::string>& used) {
    std::string stem = id.driver + "-" + id.name;
    for (char& c : stem) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-') c = '_';
    }
    std::string name = stem + ".svg";
    for (int i = 2; !used.insert(name).second; ++i) name = fmt::format("{}-{}.svg", stem, i);
    return name;
}

// The label, with the kernel unless it is part of the label.
std::string side_name(const Side& side) {
    const std::string& kernel = side.machine->kernel;
    if (side.label.find(kernel) != std::string::npos) return side.label;
    return fmt::format("{} ({})", side.label, kernel);
}

std::vector<Panel> panels_of(const Comparison& comparison, const CaseId& id, Picture& picture) {
    const Runs* const before = runs_of(comparison.before, id);
    const Runs* const after = comparison.after ? runs_of(*comparison.after, id) : nullptr;
    std::vector<Panel> panels;
    for (const bool is_after : {false, true}) {
        const Runs::value_type* run =
            is_after ? first_run(after, before) : first_run(before, after);
        if (run == nullptr) continue;
        const Side& side = comparison.side(is_after);
        panels.push_back(
            {fmt::format("{}, {}, seed {}", id.text(), side_name(side), run->first), &run->second});
        picture.shown.emplace_back(side.label, run->first);
    }
    return panels;
}

}  // namespace

Pictures draw_pictures(const Comparison& comparison, const std::string& dir) {
    check_gnuplot();
    const CaseRow* const summary = most_important(comparison);
    const std::vector<std::string>& nodes = comparison.before.machine->nodes;
    Pictures pictures;
    std::set<std::string> used;
    for (const CaseRow& row : comparison.rows) {
        Picture picture;
        const std::vector<Panel> panels = panels_of(comparison, row.id, picture);
        if (panels.empty()) continue;
        picture.file = file_name(row.id, used);
        const std::string path = dir + "/" + picture.file;
        draw_panels(panels, nodes, path, PictureFormat::kSvg);
        picture.svg = svg_for_page(read_file(path), fmt::format("p{}-", pictures.size()));
        if (&row == summary) {
            draw_panels(panels, nodes, dir + "/summary.png", PictureFormat::kPng);
        }
        pictures.emplace(row.id, std::move(picture));
    }
    return pictures;
}

}  // namespace lbtools
