// SPDX-License-Identifier: GPL-2.0
// Command line and environment of a driver.
#ifndef CFSLB_OPTIONS_H
#define CFSLB_OPTIONS_H

#include <optional>
#include <string>
#include <vector>

namespace cfslb {

// Environment names that the lab sets.
constexpr char kEnvJson[] = "CFSLB_JSON";
constexpr char kEnvSeed[] = "CFSLB_SEED";
constexpr char kEnvTopology[] = "CFSLB_TOPOLOGY";
constexpr char kEnvTopologyConf[] = "CFSLB_TOPOLOGY_CONF";

constexpr int kDefaultSeconds = 4;
constexpr int kMaxSeconds = 3600;
constexpr int kMaxSeed = 1000000;
constexpr int kMaxWasteMs = 1000000000;

struct Options {
    bool help = false;
    bool list = false;
    std::vector<std::string> cases;  // empty: all
    int seconds = kDefaultSeconds;   // a whole case, settling included
    int seed = 1;
    std::string json;                  // empty: no JSON lines
    std::optional<int> most_waste_ms;  // that the module may count in a case; none: any
    std::string topology = "host";
};

// Options given override the environment, except that CFSLB_JSON wins over --json.
// Throws std::invalid_argument with one line that names the option at fault.
Options parse_options(int argc, char* const argv[]);

}  // namespace cfslb

#endif
