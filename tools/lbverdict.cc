// SPDX-License-Identifier: GPL-2.0
//
// lbverdict: one guest run in, one verdict line and one exit code out.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <sstream>

#include "files.h"
#include "ktap.h"
#include "verdict.h"

namespace {

constexpr const char* kFooter =
    R"(Exit codes, the first that applies of 124, 10, 11, 13, 12, 1, 4, 0:
  0    every test passed (with --expect: exactly the listed cases failed)
  1    a test failed (with --expect: a surprise either way)
  2    bad usage or input
  4    everything was skipped
  10   the guest panicked
  11   no results at all
  12   a plan is missing or does not match
  13   cut off in the middle of a line, no trailer, or a damaged JSON line
  124  killed by the timeout
The scripts add 3 (build or set-up failed) and 130 (interrupted).)";

struct Options {
    std::string results;
    std::string console;
    std::string json_out;
    std::string ktap_out;
    std::string expect;
    bool killed_by_timeout = false;
    int qemu_exit = 0;
};

void declare_options(CLI::App& app, Options& options) {
    app.add_option("RESULTS", options.results, "raw log of the results port")->required();
    app.add_option("--console", options.console, "console log, searched for a kernel panic");
    app.add_flag("--killed-by-timeout", options.killed_by_timeout,
                 "the guest had to be killed: it hung");
    app.add_option("--qemu-exit", options.qemu_exit, "exit status of QEMU, for the message")
        ->check(CLI::Range(0, 255));
    app.add_option("--json-out", options.json_out, "write the sound JSON lines to this file");
    app.add_option("--ktap-out", options.ktap_out, "write the other lines to this file");
    app.add_option("--expect", options.expect,
                   "file of cases that must fail, 'driver/case' a line; '?driver/case' may fail");
    app.footer(kFooter);
}

int run(const Options& options) {
    const lbtools::RunLog log = lbtools::parse_run(lbtools::read_file(options.results));
    lbtools::RunContext context;
    if (!options.console.empty()) context.console = lbtools::read_file(options.console);
    if (!options.expect.empty()) {
        std::istringstream text(lbtools::read_file(options.expect));
        context.expect = lbtools::parse_expectations(text, options.expect);
    }
    context.killed_by_timeout = options.killed_by_timeout;
    context.qemu_exit = options.qemu_exit;

    if (!options.json_out.empty()) {
        std::vector<std::string> lines;
        lbtools::check_json(log, &lines);
        std::string text;
        for (const std::string& line : lines) text += line + "\n";
        lbtools::write_file(options.json_out, text);
    }
    if (!options.ktap_out.empty()) lbtools::write_file(options.ktap_out, log.ktap);

    const lbtools::Verdict verdict = lbtools::decide(log, context);
    // The verdict is the last line also when both streams go to one file.
    for (const std::string& detail : verdict.details) fmt::print(stderr, "  {}\n", detail);
    fmt::print("{}\n", verdict.line);
    if (std::fflush(stdout) != 0) throw std::runtime_error("can not write the verdict");
    return verdict.code;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        Options options;
        CLI::App app("Judges the results of one guest run.", "lbverdict");
        declare_options(app, options);
        try {
            app.parse(argc, argv);
        } catch (const CLI::ParseError& error) {
            if (error.get_exit_code() == 0) {  // --help
                app.exit(error);
                return lbtools::kExitPass;
            }
            fmt::print(stderr, "lbverdict: {} (see lbverdict --help)\n", error.what());
            return lbtools::kExitUsage;
        }
        return run(options);
    } catch (const std::exception& error) {
        fmt::print(stderr, "lbverdict: {}\n", error.what());
    }
    return lbtools::kExitUsage;
}
