// SPDX-License-Identifier: GPL-2.0
#include "options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "model.h"
#include "reader.h"

namespace cfslbstat {
namespace {

constexpr double kShortest = 0.01, kLongest = 86400;  // s
constexpr double kDefaultTop = 1;                     // s

constexpr const char* kDescription =
    R"(cfslbstat - what the load balancer did, from the counters of the module cfslb

  cfslbstat [--json|--openmetrics]          since the module was loaded or marked
  cfslbstat -i S [-n N] [--json]            one line every S seconds, figures a second
  cfslbstat [--json] -- COMMAND [ARGS]...   while COMMAND runs; on stderr
  cfslbstat --top [-i S]                    full screen: q quits, p stops and goes on
)";

constexpr const char* kFooter =
    R"(A dash (in JSON null, in OpenMetrics no sample) is a figure that nothing measured:
  echo "level 2" >/sys/kernel/debug/cfslb/control     wasted idle time, waits
  echo "lb on" >/sys/kernel/debug/cfslb/control       balance passes
When somebody writes "mark" or loads the module again, cfslbstat says so and counts anew.

Columns of -i, all but time, remote%, waste, p50 and p99 a second:
  time     seconds since the start          moves    tasks that changed their CPU
  wake     of these, at a wake-up           newidle  pulled by a CPU about to go idle
  tick     pulled by the tick's balancer    nohz     pulled for an idle CPU without tick
  numa     moved by NUMA balancing          other    all other reasons
  remote%  part that changed its node       passes   balance passes over a domain
  pulled   tasks that they moved            waste    idle CPUs that waiting tasks could use
  p50 p99  wait from wake-up to run: upper end of the bucket

Exit codes:
  0    done; with a command: the command's own, 126 or 127 if it cannot be started,
       128 + N if signal N ended it
  2    bad usage, or files that are not the module's
  3    the files cannot be read (the message says what to do), or the output not written
  130  interrupted (143: terminated)
The whole story: Documentation/cfslbstat.md; what is counted: Documentation/counters.md.)";

void declare(CLI::App& app, Options& options) {
    app.add_option("-i,--interval", options.interval, "seconds between two lines (0.01 to 86400)");
    app.add_option("-n,--count", options.count, "lines; without it: until interrupted");
    app.add_flag("--json", options.json, "one JSON object; with -i: one a line");
    app.add_flag("--rows", options.rows, "with --json: also all rows of all files");
    app.add_flag("--openmetrics", options.openmetrics, "OpenMetrics text, for monitoring");
    app.add_flag("--top", options.top, "full screen");
    app.add_option("-o,--output", options.output, "write to this file");
    app.add_option("--root", options.root, "folder with the module's files")
        ->default_str(kDefaultRoot);
    app.footer(kFooter);
}

void require(bool condition, const std::string& message) {
    if (!condition) throw InputError(message + " (see cfslbstat --help)");
}

void check(Options& options) {
    const bool command = !options.command.empty();
    require(options.json + options.openmetrics + options.top <= 1,
            "--json, --openmetrics and --top exclude each other");
    require(!command || (!options.interval && !options.count),
            "-i and -n do not go with a command");
    require(!command || (!options.openmetrics && !options.top),
            "--openmetrics and --top do not go with a command");
    require(!options.openmetrics || !options.interval,
            "--openmetrics does not go with -i: who scrapes it takes the differences");
    require(!options.top || options.output.empty(), "--top does not go with -o");
    require(!options.rows || options.json, "--rows needs --json");
    if (options.top && !options.interval) options.interval = kDefaultTop;
    require(!options.count || options.interval, "-n needs -i or --top");
    require(!options.count || *options.count > 0, "-n must be 1 or more");
    // Written so that it refuses "nan" too.
    require(!options.interval || (*options.interval >= kShortest && *options.interval <= kLongest),
            fmt::format("-i must be {} to {:.0f} seconds", kShortest, kLongest));
    require(!options.root.empty(), "--root must not be empty");
}

}  // namespace

std::optional<Options> parse_options(int argc, char** argv) {
    Options options;
    options.root = kDefaultRoot;
    int own = 1;
    while (own < argc && std::string(argv[own]) != "--") ++own;
    if (own < argc) {
        options.command.assign(argv + own + 1, argv + argc);
        require(!options.command.empty(), "no command after --");
    }
    CLI::App app(kDescription, "cfslbstat");
    declare(app, options);
    try {
        app.parse(own, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {  // --help
            app.exit(error);
            return std::nullopt;
        }
        throw InputError(
            fmt::format("{} (see cfslbstat --help; a command comes after --)", error.what()));
    }
    check(options);
    return options;
}

}  // namespace cfslbstat
