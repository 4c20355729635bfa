// SPDX-License-Identifier: GPL-2.0
// The frame of every driver: options, the table of cases, KTAP on stdout, JSON lines in a file.
#ifndef CFSLB_DRIVER_H
#define CFSLB_DRIVER_H

#include <functional>
#include <string>
#include <vector>

#include "options.h"
#include "result.h"
#include "topology.h"

namespace cfslb {

struct Context {
    Options options;
    Topology topology;
};

struct Case {
    std::string name;         // letters, digits, '_'
    std::string description;  // one line: what is right
    std::function<Result(const Context&)> run;
};

struct Driver {
    std::string name;
    std::string summary;  // one line
    // The table of cases; it may depend on the box (sizes in names, for instance).
    std::function<std::vector<Case>(const Topology&)> cases;
};

// Runs the whole program; returns its exit code (ktap.h). Exceptions of a case fail it (Skip
// skips it) and the next case runs; nothing escapes.
int driver_main(int argc, char* argv[], const Driver& driver);

// JSON lines, without the line end.
std::string start_line(const Driver& driver, const Context& context);
std::string result_line(const Driver& driver, const Context& context, const Case& c,
                        const Result& result);
std::string timeline_line(const Driver& driver, const Context& context, const Case& c,
                          const Result& result);
std::string end_line(const Driver& driver, int exit_code);

// True once SIGINT or SIGTERM has arrived.
bool stop_requested();

}  // namespace cfslb

#endif
