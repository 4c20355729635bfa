// SPDX-License-Identifier: GPL-2.0
//
// lbreport: results of two kernels in, table, pictures and page out.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <sstream>

#include "compare.h"
#include "counters.h"
#include "files.h"
#include "plot.h"
#include "report.h"
#include "table.h"

namespace {

enum ExitCode : int { kExitMade = 0, kExitInput = 2, kExitNotMade = 3 };

struct Options {
    std::vector<std::string> before, after;
    std::string before_label = "before";
    std::string after_label = "after";
    std::string out;
    std::string title;
    std::string command;
    bool all_metrics = false;
    bool no_pictures = false;
};

// Breaks at spaces so that no line is longer than `width`.
std::string wrap(const std::string& text, std::size_t width) {
    std::istringstream words(text);
    std::string result, line, word;
    while (words >> word) {
        if (!line.empty() && line.size() + 1 + word.size() > width) {
            result += line + "\n";
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
    }
    return result + line;
}

void declare_options(CLI::App& app, Options& options) {
    app.add_option("--before", options.before,
                   "JSON-lines files of one kernel, one a seed or boot; alone: a one-sided table")
        ->required()
        ->expected(1, -1);
    app.add_option("--after", options.after, "the same of the other kernel")->expected(1, -1);
    app.add_option("--before-label", options.before_label, "name of the first kernel");
    app.add_option("--after-label", options.after_label, "name of the second kernel");
    app.add_option("--out", options.out, "folder for report.html, report.json and the pictures")
        ->required();
    app.add_option("--title", options.title, "heading of the page");
    app.add_option("--command", options.command,
                   "command that made the results, for the page (default: this one)");
    app.add_flag("--all-metrics", options.all_metrics, "show every metric in the table");
    app.add_flag("--no-pictures", options.no_pictures, "draw nothing (gnuplot is not needed)");
    app.footer(wrap(lbtools::method_text(), 96) +
               "\n\nExit codes: 0 report made, 2 bad usage or input, 3 report could not be "
               "written or drawn.");
}

bool want_colour() {
    const char* const no_color = std::getenv("NO_COLOR");
    const char* const term = std::getenv("TERM");
    return isatty(STDOUT_FILENO) != 0 && (no_color == nullptr || *no_color == '\0') &&
           (term == nullptr || std::string(term) != "dumb");
}

std::string shell_quote(const std::string& word) {
    const char* const plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string command_line(int argc, char** argv) {
    std::string text;
    for (int i = 0; i < argc; ++i) text += (i == 0 ? "" : " ") + shell_quote(argv[i]);
    return text;
}

lbtools::Comparison load(const Options& options) {
    lbtools::Side before = lbtools::load_side(options.before, options.before_label);
    std::optional<lbtools::Side> after;
    if (!options.after.empty()) {
        after = lbtools::load_side(options.after, options.after_label);
        lbtools::check_comparable(before, *after);
    }
    return lbtools::compare(std::move(before), std::move(after));
}

void print_result(const lbtools::Comparison& comparison, const Options& options) {
    lbtools::TableOptions table;
    table.all_metrics = options.all_metrics;
    table.colour = want_colour();
    fmt::print("{}", lbtools::render_table(comparison, table));
    const std::string counters = lbtools::render_counters(comparison);
    if (!counters.empty()) fmt::print("\n{}\n", counters);
    for (const std::string& warning : comparison.warnings) fmt::print("warning: {}\n", warning);
    fmt::print("{}\n", wrap(lbtools::scope_text(comparison), 100));
}

void write_report(const lbtools::Comparison& comparison, const Options& options,
                  const lbtools::ReportText& text) {
    const std::string& dir = options.out;
    std::filesystem::create_directories(dir);
    // A report that fails half way must not leave an older one to be read as new.
    for (const char* name : {"report.html", "report.json", "summary.png"}) {
        std::filesystem::remove(dir + "/" + name);
    }
    lbtools::Pictures pictures;
    if (!options.no_pictures) pictures = lbtools::draw_pictures(comparison, dir);
    lbtools::write_file(dir + "/report.json", lbtools::json_report(comparison, pictures, text));
    lbtools::write_file(dir + "/report.html", lbtools::html_report(comparison, pictures, text));
    fmt::print("\npage:    {0}/report.html\nnumbers: {0}/report.json\n", dir);
    if (!pictures.empty()) fmt::print("picture: {}/summary.png\n", dir);
}

int run(const Options& options, const std::string& own_command) {
    const lbtools::Comparison comparison = load(options);
    print_result(comparison, options);
    lbtools::ReportText text;
    text.command = options.command.empty() ? own_command : options.command;
    text.title = options.title;
    if (text.title.empty()) {
        text.title = fmt::format("Load balancing on {}: {}", comparison.before.machine->topology,
                                 options.before_label);
        if (comparison.after) text.title += " against " + options.after_label;
    }
    write_report(comparison, options, text);
    if (std::fflush(stdout) != 0) throw std::runtime_error("can not write the table");
    return kExitMade;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        Options options;
        CLI::App app("Compares placement results of two kernels.", "lbreport");
        declare_options(app, options);
        try {
            app.parse(argc, argv);
        } catch (const CLI::ParseError& error) {
            if (error.get_exit_code() == 0) {  // --help
                app.exit(error);
                return kExitMade;
            }
            fmt::print(stderr, "lbreport: {} (see lbreport --help)\n", error.what());
            return kExitInput;
        }
        return run(options, command_line(argc, argv));
    } catch (const lbtools::InputError& error) {
        fmt::print(stderr, "lbreport: {}\n", error.what());
        return kExitInput;
    } catch (const std::exception& error) {
        fmt::print(stderr, "lbreport: {}\n", error.what());
    }
    return kExitNotMade;
}
