// SPDX-License-Identifier: GPL-2.0
//
// Result files of the drivers (JSON lines, schema 1) as plain structures.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace lbtools {

// Input that can not be used; what() is one line, "FILE:LINE: why" where a line is known.
struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Metric {
    double value = 0;
    std::string unit;
    std::string better;  // "lower", "higher" or "none"
};

struct CaseResult {
    std::string driver, name;
    std::string description;
    std::string verdict;  // "pass", "fail" or "skip"
    std::string reason;   // empty when passed
    long seed = 0;
    std::vector<std::pair<std::string, Metric>> metrics;  // in the order of the file
    std::vector<double> tasks_per_node;                   // mean number of tasks
};

// Tasks on each CPU over time: cpus[step][cpu].
struct Timeline {
    double step_ms = 0, start_ms = 0;
    std::vector<std::vector<int>> cpus;
};

// What the module counted while a driver ran.
struct Counters {
    double waste_ns = 0;    // CPUs idle while a task waited that they could have run, times time
    double other_node = 0;  // tasks that moved to another node
    std::vector<std::pair<std::string, double>> migrations;  // tasks by reason
};

struct Machine {
    std::string kernel, machine, topology;
    int nr_cpus = 0;
    std::vector<std::string> nodes;  // CPU lists, e.g. "0-3,8-11"
};

struct CaseId {
    std::string driver, name;
    bool operator<(const CaseId& other) const {
        return std::tie(driver, name) < std::tie(other.driver, other.name);
    }
    bool operator==(const CaseId& other) const {
        return driver == other.driver && name == other.name;
    }
    std::string text() const { return driver + "/" + name; }
};

// All runs of one kernel.
struct Side {
    std::string label;
    std::optional<Machine> machine;
    std::vector<CaseId> order;  // of first appearance
    std::map<CaseId, std::map<long, CaseResult>> results;
    std::map<CaseId, std::map<long, Timeline>> timelines;
    std::map<std::string, std::map<long, std::string>> starts;  // driver, seed: file
    std::map<std::string, std::map<long, int>> ends;            // driver, seed: exit code
    std::map<std::string, std::map<long, Counters>> counters;   // driver, seed
    std::vector<long> seeds;                                    // sorted, each once
};

// Reads the files of one side. Throws InputError for a file that is missing or empty,
// a line that is not JSON or not of the schema, a seed that appears twice for
// a driver or case, and files from different machines or kernels.
Side load_side(const std::vector<std::string>& files, const std::string& label);

// Throws InputError, naming both, when the sides ran on different topologies.
void check_comparable(const Side& before, const Side& after);

// "0-3,8-11" as numbers. Throws InputError.
std::vector<int> parse_cpu_list(const std::string& text);

}  // namespace lbtools
