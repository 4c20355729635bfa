// SPDX-License-Identifier: GPL-2.0
#include "options.h"

#include <getopt.h>

#include <cstdlib>
#include <optional>
#include <stdexcept>

#include "files.h"

namespace cfslb {

static int number_for(const std::string& name, const std::string& text, long min, long max) {
    std::optional<long> value = parse_number(text, min, max);
    if (!value) {
        throw std::invalid_argument(name + ": \"" + text + "\" is not a number from " +
                                    std::to_string(min) + " to " + std::to_string(max));
    }
    return static_cast<int>(*value);
}

static std::string environment(const char* name) {
    const char* value = getenv(name);
    return value ? value : "";
}

Options parse_options(int argc, char* const argv[]) {
    static const option kLong[] = {{"help", no_argument, nullptr, 'h'},
                                   {"list", no_argument, nullptr, 'l'},
                                   {"case", required_argument, nullptr, 'c'},
                                   {"seconds", required_argument, nullptr, 's'},
                                   {"json", required_argument, nullptr, 'j'},
                                   {"seed", required_argument, nullptr, 'r'},
                                   {"most-waste", required_argument, nullptr, 'w'},
                                   {nullptr, 0, nullptr, 0}};
    Options options;
    std::string seed = environment(kEnvSeed);
    if (!seed.empty()) options.seed = number_for(kEnvSeed, seed, 0, kMaxSeed);
    std::string topology = environment(kEnvTopology);
    if (!topology.empty()) options.topology = topology;
    optind = 0;  // a full restart, so that tests can call this again
    opterr = 0;
    for (;;) {
        int at = optind > 0 ? optind : 1;
        int found = getopt_long(argc, argv, ":h", kLong, nullptr);
        if (found == -1) break;
        switch (found) {
            case 'h':
                options.help = true;
                break;
            case 'l':
                options.list = true;
                break;
            case 'c':
                options.cases.push_back(optarg);
                break;
            case 's':
                options.seconds = number_for("--seconds", optarg, 1, kMaxSeconds);
                break;
            case 'j':
                options.json = optarg;
                break;
            case 'r':
                options.seed = number_for("--seed", optarg, 0, kMaxSeed);
                break;
            case 'w':
                options.most_waste_ms = number_for("--most-waste", optarg, 0, kMaxWasteMs);
                break;
            case ':':
                throw std::invalid_argument(std::string(argv[at]) + " needs a value");
            default:
                throw std::invalid_argument("unknown option " + std::string(argv[at]));
        }
    }
    if (optind < argc) {
        throw std::invalid_argument("unexpected argument \"" + std::string(argv[optind]) + "\"");
    }
    std::string json = environment(kEnvJson);
    if (!json.empty()) options.json = json;
    return options;
}

}  // namespace cfslb
