// SPDX-License-Identifier: GPL-2.0
#include "plot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <numeric>

#include "files.h"
#include "ktap.h"

extern char** environ;

namespace lbtools {
namespace {

// Pixels.
constexpr int kWidth = 1000;
constexpr int kTitleHeight = 36;
constexpr int kPanelFrame = 80;  // what of a panel is not heat map, title included
constexpr int kLegendHeight = 36;
constexpr int kMinMap = 130, kMaxMap = 440, kRow = 16;  // a heat map, a row of it
constexpr std::size_t kTicsForEach = 24;                // label every CPU up to this many

// Light to dark, told apart with any kind of colour vision and in grey.
constexpr std::array<int, 4> kColours = {0xf4f4f4, 0x9ecae1, 0xe69f00, 0x7a1f5c};
constexpr std::array<const char*, 4> kLegend = {"idle", "1 task", "2 tasks", "3 or more"};
// A colour that nothing else uses: svg_for_page turns it into the page's own.
constexpr const char* kInk = "#010203";
// Lies on the map, which stays light in a dark page.
constexpr const char* kNodeLine = "#303030";

// Single quotes: gnuplot substitutes nothing inside.
std::string quote(const std::string& text) {
    std::string quoted = "'";
    for (const char c : printable(text, 160))
        quoted += c == '\'' ? std::string("''") : std::string(1, c);
    return quoted + "'";
}

// CPU numbers from top to bottom, and where each node begins.
struct RowOrder {
    std::vector<int> cpus;
    std::vector<std::size_t> node_begin;
};

RowOrder order_rows(const std::vector<std::string>& nodes, std::size_t nr_cpus) {
    RowOrder order;
    std::vector<bool> placed(nr_cpus, false);
    for (const std::string& node : nodes) {
        order.node_begin.push_back(order.cpus.size());
        for (const int cpu : parse_cpu_list(node)) {
            const auto index = static_cast<std::size_t>(cpu);
            if (index >= nr_cpus || placed[index]) continue;
            placed[index] = true;
            order.cpus.push_back(cpu);
        }
    }
    for (std::size_t cpu = 0; cpu < nr_cpus; ++cpu) {
        if (!placed[cpu]) order.cpus.push_back(static_cast<int>(cpu));
    }
    return order;
}

std::size_t level(int tasks) {
    return static_cast<std::size_t>(std::clamp(tasks, 0, static_cast<int>(kColours.size()) - 1));
}

// One box for each stretch of equal numbers: sharp at any zoom, and far smaller than
// a cell for each sample. Idle stretches are the background.
std::string boxes(const Timeline& timeline, const RowOrder& order) {
    std::string text;
    const std::size_t steps = timeline.cpus.size();
    for (std::size_t row = 0; row < order.cpus.size(); ++row) {
        const auto cpu = static_cast<std::size_t>(order.cpus[row]);
        for (std::size_t from = 0; from < steps;) {
            const std::size_t now = level(timeline.cpus[from][cpu]);
            std::size_t to = from + 1;
            while (to < steps && level(timeline.cpus[to][cpu]) == now) ++to;
            if (now != 0) {
                text += fmt::format(
                    "{} {} {} {} {} {}\n",
                    timeline.start_ms + timeline.step_ms * static_cast<double>(from),
                    timeline.start_ms + timeline.step_ms * static_cast<double>(to), row,
                    static_cast<double>(row) - 0.5, static_cast<double>(row) + 0.5, kColours[now]);
            }
            from = to;
        }
    }
    // gnuplot refuses an empty data block; a box without width shows nothing.
    return text.empty() ? "0 0 0 0 0 0\n" : text;
}

int map_height(std::size_t nr_cpus) {
    return std::clamp(static_cast<int>(nr_cpus) * kRow, kMinMap, kMaxMap);
}

std::string row_tics(const RowOrder& order) {
    const bool each = order.cpus.size() <= kTicsForEach;
    std::string tics;
    for (std::size_t row = 0; row < order.cpus.size(); ++row) {
        const bool first_of_node = std::find(order.node_begin.begin(), order.node_begin.end(),
                                             row) != order.node_begin.end();
        if (!each && !first_of_node) continue;
        tics += fmt::format("{}'{}' {}", tics.empty() ? "" : ", ", order.cpus[row], row);
    }
    return tics;
}

std::string node_marks(const RowOrder& order) {
    std::string text = "unset arrow\nunset label\n";
    for (std::size_t node = 0; node < order.node_begin.size(); ++node) {
        const std::size_t begin = order.node_begin[node];
        const std::size_t end =
            node + 1 < order.node_begin.size() ? order.node_begin[node + 1] : order.cpus.size();
        if (begin == end) continue;  // a node of memory only
        text +=
            fmt::format("set label 'node {}' at graph 1.01, first {} left tc rgb '{}' font ',11'\n",
                        node, (static_cast<double>(begin + end) - 1) / 2, kInk);
        if (begin == 0) continue;
        text += fmt::format(
            "set arrow from graph 0, first {0} to graph 1, first {0} nohead front lw 2 lc rgb "
            "'{1}'\n",
            static_cast<double>(begin) - 0.5, kNodeLine);
    }
    return text;
}

double end_ms(const Timeline& timeline) {
    return timeline.start_ms + timeline.step_ms * static_cast<double>(timeline.cpus.size());
}

std::string legend_entries() {
    std::string text;
    for (std::size_t i = 0; i < kColours.size(); ++i) {
        text +=
            fmt::format(", keyentry with boxes fs solid border lc rgb '{}' fc rgb {} title '{}'",
                        kInk, kColours[i], kLegend[i]);
    }
    return text;
}

std::string terminal(const std::string& path, PictureFormat format, int height) {
    const bool svg = format == PictureFormat::kSvg;
    return fmt::format(
        "set terminal {} size {},{} noenhanced font 'sans-serif,12' {}\nset output {}\n",
        svg ? "svg" : "pngcairo", kWidth, height, svg ? "dynamic" : "background rgb 'white'",
        quote(path));
}

std::string common_settings(const std::vector<Panel>& panels) {
    double first = panels.front().timeline->start_ms;
    double last = end_ms(*panels.front().timeline);
    for (const Panel& panel : panels) {
        first = std::min(first, panel.timeline->start_ms);
        last = std::max(last, end_ms(*panel.timeline));
    }
    return fmt::format(
        "set border lc rgb '{0}'\n"
        "set tics nomirror out tc rgb '{0}' font ',10'\n"
        "set xrange [{1}:{2}]\n"
        "set lmargin at screen 0.06\n"
        "set rmargin at screen 0.92\n"
        "set style fill solid noborder\n"
        "set object 1 rectangle from graph 0,0 to graph 1,1 behind fc rgb {3} fs solid noborder\n"
        "set multiplot\n",
        kInk, first, last, kColours[0]);
}

std::string time_axis_and_legend(int height) {
    return fmt::format(
        "set xlabel 'time (ms)' tc rgb '{0}' offset 0,0.5\n"
        "set key at screen 0.49,screen {1} center center horizontal noopaque tc rgb '{0}' "
        "samplen 2 width 2\n",
        kInk, static_cast<double>(kLegendHeight) / 2 / height);
}

std::string panel_commands(const Panel& panel, const std::vector<std::string>& nodes,
                           std::size_t index, bool with_legend) {
    const Timeline& timeline = *panel.timeline;
    const RowOrder order = order_rows(nodes, timeline.cpus.front().size());
    return fmt::format(
               "$data{0} << EOD\n{1}EOD\n"
               "set title {2} tc rgb '{3}' font ',13' offset 0,-0.5\n"
               "set yrange [{4}:-0.5]\n"
               "set ytics ({5})\n"
               "set ylabel 'CPU' tc rgb '{3}' offset 1,0\n",
               index, boxes(timeline, order), quote(panel.title), kInk,
               static_cast<double>(order.cpus.size()) - 0.5, row_tics(order)) +
           node_marks(order) +
           fmt::format(
               "plot $data{} using 1:3:1:2:4:5:6 with boxxyerror lc rgb variable notitle{}\n",
               index, with_legend ? legend_entries() : "");
}

// Runs gnuplot with one argument and waits; returns its exit status, or throws.
int run_gnuplot(const char* argument) {
    std::string program = "gnuplot";
    std::string copy = argument;
    std::string defaults = "-d";  // no ~/.gnuplot: the same picture for everyone
    char* const argv[] = {program.data(), defaults.data(), copy.data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    // The table owns stdout.
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        throw PlotError(fmt::format("gnuplot: {}; install it with 'apt-get install gnuplot-nox'",
                                    std::strerror(error)));
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) throw PlotError(fmt::format("gnuplot: {}", std::strerror(errno)));
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
        text.replace(at, from.size(), to);
    }
}

void drop_elements(std::string& svg, const std::string& name) {
    const std::string close = "</" + name + ">";
    std::size_t at = 0;
    while ((at = svg.find("<" + name + ">", at)) != std::string::npos) {
        const std::size_t end = svg.find(close, at);
        if (end == std::string::npos) return;
        svg.erase(at, end + close.size() - at);
    }
}

}  // namespace

void check_gnuplot() {
    const int status = run_gnuplot("--version");
    // Some C libraries report a missing program only through the exit status.
    if (status == 127) {
        throw PlotError("gnuplot not found; install it with 'apt-get install gnuplot-nox'");
    }
    if (status != 0) throw PlotError(fmt::format("gnuplot --version failed with {}", status));
}

std::string panel_script(const std::vector<Panel>& panels, const std::vector<std::string>& nodes,
                         const std::string& path, PictureFormat format) {
    const int map = map_height(panels.front().timeline->cpus.front().size());
    const int panel_height = map + kPanelFrame;
    const int height = panel_height * static_cast<int>(panels.size()) + kLegendHeight;
    std::string script = terminal(path, format, height) + common_settings(panels);
    for (std::size_t i = 0; i < panels.size(); ++i) {
        const double top =
            1 - static_cast<double>(static_cast<int>(i) * panel_height + kTitleHeight) / height;
        script += fmt::format("set tmargin at screen {}\nset bmargin at screen {}\n", top,
                              top - static_cast<double>(map) / height);
        const bool is_last = i + 1 == panels.size();
        script += is_last ? time_axis_and_legend(height) : "unset xlabel\nunset key\n";
        script += panel_commands(panels[i], nodes, i, is_last);
    }
    return script + "unset multiplot\nunset output\n";
}

void draw_panels(const std::vector<Panel>& panels, const std::vector<std::string>& nodes,
                 const std::string& path, PictureFormat format) {
    const std::string script_path = path + ".gnuplot";
    write_file(script_path, panel_script(panels, nodes, path, format));
    const int status = run_gnuplot(script_path.c_str());
    std::remove(script_path.c_str());
    if (status != 0) throw PlotError(fmt::format("gnuplot failed with {} on {}", status, path));
}

std::string svg_for_page(std::string svg, const std::string& id_prefix) {
    const std::size_t root = svg.find("<svg");
    if (root == std::string::npos) return "";
    svg.erase(0, root);
    replace_all(svg, "id=\"", "id=\"" + id_prefix);
    replace_all(svg, "id='", "id='" + id_prefix);
    replace_all(svg, "url(#", "url(#" + id_prefix);
    replace_all(svg, "href='#", "href='#" + id_prefix);
    replace_all(svg, "href=\"#", "href=\"#" + id_prefix);
    for (const char* ink : {"rgb(  1,   2,   3)", "rgb(1,2,3)"})
        replace_all(svg, ink, "currentColor");
    // gnuplot sets a colour on every group and names them all: tooltips without meaning.
    replace_all(svg, " color=\"black\"", "");
    replace_all(svg, "fill=\"black\"", "fill=\"currentColor\"");
    for (const char* element : {"title", "desc"}) drop_elements(svg, element);
    return svg;
}

}  // namespace lbtools
