// SPDX-License-Identifier: GPL-2.0
#include "results.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <system_error>

#include "files.h"
#include "ktap.h"

namespace lbtools {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;
// CPU numbers above this are a damaged file (the kernel's largest NR_CPUS is 8192).
constexpr int kMaxCpus = 8192;

// Fills one Side, line by line. Errors are thrown without the place; the caller adds it.
class Loader {
  public:
    explicit Loader(Side& side) : side_(side) {}

    void file(const std::string& path);

  private:
    void line(const std::string& text);
    void start(const Json& json);
    void result(const Json& json);
    void timeline(const Json& json);
    void end(const Json& json);
    void counters(const Json& json);

    Side& side_;
    std::string path_;
    std::map<std::string, long> seed_of_;  // seed of the last start of each driver in this file
};

std::string describe(const Machine& machine) {
    return fmt::format("{} ({}, {} CPUs, {} node{})", machine.topology, machine.machine,
                       machine.nr_cpus, machine.nodes.size(), machine.nodes.size() == 1 ? "" : "s");
}

bool same_topology(const Machine& a, const Machine& b) {
    return a.topology == b.topology && a.machine == b.machine && a.nr_cpus == b.nr_cpus &&
           a.nodes == b.nodes;
}

std::string duplicate_seed(long seed, const std::string& what, const std::string& label) {
    return fmt::format(
        "seed {} appears twice for {} on the {} side; give each replay seed or boot its own "
        "CFSLB_SEED",
        seed, printable(what), label);
}

void Loader::file(const std::string& path) {
    path_ = path;
    seed_of_.clear();
    std::istringstream text;
    try {
        text.str(read_file(path));
    } catch (const std::system_error& error) {
        throw InputError(error.what());
    }
    std::string current;
    std::size_t lines = 0;
    for (std::size_t number = 1; std::getline(text, current); ++number) {
        if (current.find_first_not_of(" \t\r") == std::string::npos) continue;
        ++lines;
        try {
            line(current);
        } catch (const Json::parse_error&) {
            throw InputError(fmt::format("{}:{}: not JSON", path, number));
        } catch (const Json::exception& error) {
            // "[json.exception.out_of_range.403] key 'seed' not found": keep the last part.
            const std::string what = error.what();
            throw InputError(fmt::format("{}:{}: {}", path, number,
                                         printable(what.substr(what.find("] ") + 2))));
        } catch (const InputError& error) {
            throw InputError(fmt::format("{}:{}: {}", path, number, error.what()));
        }
    }
    if (lines == 0) throw InputError(path + ": no results in this file");
}

void Loader::line(const std::string& text) {
    const Json json = Json::parse(text);
    if (json.contains("schema") && json["schema"] != kSchema) {
        throw InputError(fmt::format("schema {}, this program knows {}",
                                     printable(json["schema"].dump()), kSchema));
    }
    const std::string type = json.at("type").get<std::string>();
    if (type == "start") {
        start(json);
    } else if (type == "result") {
        result(json);
    } else if (type == "timeline") {
        timeline(json);
    } else if (type == "end") {
        end(json);
    } else if (type == "counters") {
        counters(json);
    } else {
        throw InputError(fmt::format("unknown type '{}'", printable(type)));
    }
}

void Loader::start(const Json& json) {
    json.at("schema");
    Machine machine;
    machine.kernel = json.at("kernel").get<std::string>();
    machine.machine = json.at("machine").get<std::string>();
    machine.topology = json.at("topology").get<std::string>();
    machine.nr_cpus = json.at("nr_cpus").get<int>();
    machine.nodes = json.at("nodes").get<std::vector<std::string>>();
    if (machine.nr_cpus < 1 || machine.nr_cpus > kMaxCpus) throw InputError("nr_cpus out of range");
    for (const std::string& node : machine.nodes) parse_cpu_list(node);
    if (!side_.machine) {
        side_.machine = machine;
    } else if (!same_topology(*side_.machine, machine)) {
        throw InputError(fmt::format("topology {}, but the {} side began with {}",
                                     describe(machine), side_.label, describe(*side_.machine)));
    } else if (side_.machine->kernel != machine.kernel) {
        throw InputError(fmt::format("kernel {}, but the {} side began with {}",
                                     printable(machine.kernel), side_.label,
                                     printable(side_.machine->kernel)));
    }
    const std::string driver = json.at("driver").get<std::string>();
    const long seed = json.at("seed").get<long>();
    if (!side_.starts[driver].emplace(seed, path_).second) {
        throw InputError(duplicate_seed(seed, driver, side_.label));
    }
    seed_of_[driver] = seed;
}

void Loader::result(const Json& json) {
    CaseResult result;
    result.driver = json.at("driver").get<std::string>();
    result.name = json.at("case").get<std::string>();
    result.description = json.value("description", "");
    result.verdict = json.at("verdict").get<std::string>();
    result.reason = json.value("reason", "");
    result.seed = json.at("seed").get<long>();
    if (result.verdict != "pass" && result.verdict != "fail" && result.verdict != "skip") {
        throw InputError(
            fmt::format("verdict '{}' is not pass, fail or skip", printable(result.verdict)));
    }
    if (side_.starts.count(result.driver) == 0) {
        throw InputError(
            fmt::format("result of driver '{}' without a start line", printable(result.driver)));
    }
    const Json metrics = json.value("metrics", Json::object());
    for (const auto& [name, value] : metrics.items()) {
        result.metrics.emplace_back(
            name, Metric{value.at("value").get<double>(), value.at("unit").get<std::string>(),
                         value.at("better").get<std::string>()});
    }
    result.tasks_per_node = json.value("tasks_per_node", std::vector<double>());
    const CaseId id{result.driver, result.name};
    if (side_.results.count(id) == 0) side_.order.push_back(id);
    const long seed = result.seed;
    if (!side_.results[id].emplace(seed, std::move(result)).second) {
        throw InputError(duplicate_seed(seed, id.text(), side_.label));
    }
}

void Loader::timeline(const Json& json) {
    Timeline timeline;
    timeline.step_ms = json.at("step_ms").get<double>();
    timeline.start_ms = json.value("start_ms", 0.0);
    timeline.cpus = json.at("cpus").get<std::vector<std::vector<int>>>();
    if (!(timeline.step_ms > 0)) throw InputError("step_ms must be above 0");
    for (const std::vector<int>& step : timeline.cpus) {
        if (step.size() != timeline.cpus.front().size() || step.empty()) {
            throw InputError("timeline steps of different length");
        }
    }
    const CaseId id{json.at("driver").get<std::string>(), json.at("case").get<std::string>()};
    const long seed = json.at("seed").get<long>();
    if (!side_.timelines[id].emplace(seed, std::move(timeline)).second) {
        throw InputError(duplicate_seed(seed, "the timeline of " + id.text(), side_.label));
    }
}

void Loader::end(const Json& json) {
    const std::string driver = json.at("driver").get<std::string>();
    const auto seed = seed_of_.find(driver);
    if (seed == seed_of_.end()) {
        throw InputError(fmt::format("end of driver '{}' without a start line", printable(driver)));
    }
    side_.ends[driver][seed->second] = json.at("exit").get<int>();
}

// Written by the guest after the driver, also after one that said nothing.
void Loader::counters(const Json& json) {
    Counters counters;
    counters.waste_ns = json.at("waste_ns").get<double>();
    counters.other_node = json.at("other_node").get<double>();
    for (const auto& [reason, tasks] : json.at("migrations").items()) {
        counters.migrations.emplace_back(reason, tasks.get<double>());
    }
    const std::string driver = json.at("driver").get<std::string>();
    const long seed = json.at("seed").get<long>();
    if (!side_.counters[driver].emplace(seed, std::move(counters)).second) {
        throw InputError(duplicate_seed(seed, "the counters of " + driver, side_.label));
    }
}

}  // namespace

Side load_side(const std::vector<std::string>& files, const std::string& label) {
    Side side;
    side.label = label;
    Loader loader(side);
    for (const std::string& path : files) loader.file(path);
    if (!side.machine) throw InputError(fmt::format("no start line on the {} side", label));
    std::set<long> seeds;
    for (const auto& [driver, runs] : side.starts) {
        for (const auto& [seed, file] : runs) seeds.insert(seed);
    }
    side.seeds.assign(seeds.begin(), seeds.end());
    return side;
}

void check_comparable(const Side& before, const Side& after) {
    if (!same_topology(*before.machine, *after.machine)) {
        throw InputError(fmt::format("different topologies: before ran on {}, after on {}",
                                     describe(*before.machine), describe(*after.machine)));
    }
}

std::vector<int> parse_cpu_list(const std::string& text) {
    std::vector<int> cpus;
    std::istringstream in(text);
    std::string part;
    while (std::getline(in, part, ',')) {
        int first = 0;
        const char* const end = part.data() + part.size();
        std::from_chars_result read = std::from_chars(part.data(), end, first);
        int last = first;
        if (read.ec == std::errc() && read.ptr != end && *read.ptr == '-') {
            read = std::from_chars(read.ptr + 1, end, last);
        }
        if (read.ec != std::errc() || read.ptr != end || first < 0 || last < first ||
            last >= kMaxCpus) {
            throw InputError(fmt::format("bad CPU list '{}'", printable(text)));
        }
        for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
    }
    return cpus;
}

}  // namespace lbtools
