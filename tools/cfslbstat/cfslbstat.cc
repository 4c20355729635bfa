// SPDX-License-Identifier: GPL-2.0
//
// cfslbstat: what the load balancer did, from the counters of the module cfslb.
#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "modes.h"

namespace {

enum ExitCode : int { kExitInput = 2, kExitSetup = 3 };

int run(const cfslbstat::Options& options) {
    cfslbstat::Reader reader(options.root);
    if (!options.command.empty()) return cfslbstat::run_command(options, &reader);
    if (options.top) return cfslbstat::run_top(options, &reader);
    return options.interval ? cfslbstat::run_live(options, &reader)
                            : cfslbstat::run_total(options, &reader);
}

int complain(const std::exception& error, int code) {
    fmt::print(stderr, "cfslbstat: {}\n", error.what());
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    std::string root = cfslbstat::kDefaultRoot;
    try {
        const auto options = cfslbstat::parse_options(argc, argv);
        if (!options) return 0;
        root = options->root;
        return run(*options);
    } catch (const cfslbstat::InputError& error) {
        return complain(error, kExitInput);
    } catch (const cfslbstat::GoneError& error) {
        // A folder that was named and has no such files is bad input.
        return complain(error, root == cfslbstat::kDefaultRoot ? kExitSetup : kExitInput);
    } catch (const std::exception& error) {
        return complain(error, kExitSetup);
    }
}
