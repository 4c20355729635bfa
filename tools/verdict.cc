// SPDX-License-Identifier: GPL-2.0
#include "verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace lbtools {
namespace {

constexpr std::string_view kPanicMark = "Kernel panic - not syncing";
constexpr int kSchema = 1;
// Enough to see what is going on; the rest is in the details.
constexpr std::size_t kNamesInLine = 4;

struct Counts {
    std::size_t pass = 0;
    std::size_t fail = 0;
    std::size_t skip = 0;
};

Counts count(const std::vector<Case>& cases) {
    Counts counts;
    for (const Case& c : cases) {
        ++(c.outcome == Outcome::kPass   ? counts.pass
           : c.outcome == Outcome::kFail ? counts.fail
                                         : counts.skip);
    }
    return counts;
}

std::string describe(const Counts& counts, std::size_t drivers) {
    return fmt::format("{} passed, {} failed, {} skipped in {} driver{}", counts.pass, counts.fail,
                       counts.skip, drivers, drivers == 1 ? "" : "s");
}

std::string join_names(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < kNamesInLine; ++i) {
        text += (i == 0 ? "" : ", ") + names[i];
    }
    if (names.size() > kNamesInLine) {
        text += fmt::format(" and {} more", names.size() - kNamesInLine);
    }
    return text;
}

std::optional<std::string> panic_message(const RunContext& context) {
    if (!context.console) return {};
    const std::size_t at = context.console->find(kPanicMark);
    if (at == std::string::npos) return {};
    const std::size_t end = context.console->find_first_of("\r\n", at);
    return printable(std::string_view(*context.console).substr(at, end - at), 120);
}

// Facts that explain a run which ended badly, or that deserve a mention.
std::string notes(const RunLog& log, const RunContext& context) {
    std::string text;
    if (context.qemu_exit.value_or(0) != 0) {
        text += fmt::format("; QEMU exited with {}", *context.qemu_exit);
    }
    if (log.unknown_lines != 0) {
        text += fmt::format("; {} unreadable line{}", log.unknown_lines,
                            log.unknown_lines == 1 ? "" : "s");
    }
    return text;
}

// Why the JSON object may not be used, or nothing.
std::optional<std::string> json_fault(const std::string& text) {
    const nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
    if (value.is_discarded()) return "not JSON";
    if (!value.is_object()) return "not a JSON object";
    const auto type = value.find("type");
    if (type == value.end() || !type->is_string()) return "JSON without a type";
    const auto schema = value.find("schema");
    // Only "start" has to carry it: it speaks for the lines that follow.
    if (schema == value.end() && *type == "start") return "JSON start line without a schema";
    if (schema != value.end() && *schema != kSchema) {
        return fmt::format("schema {}, this program knows {}", printable(schema->dump()), kSchema);
    }
    return {};
}

std::string outcome_word(const std::vector<Case>& cases, const std::string& name) {
    for (const Case& c : cases) {
        if (c.name == name) return c.outcome == Outcome::kPass ? "passed" : "was skipped";
    }
    return "did not run";
}

std::vector<std::string> failures(const std::vector<Case>& cases) {
    std::vector<std::string> names;
    for (const Case& c : cases) {
        if (c.outcome == Outcome::kFail) names.push_back(c.name);
    }
    return names;
}

bool contains(const std::vector<std::string>& list, const std::string& item) {
    return std::find(list.begin(), list.end(), item) != list.end();
}

Verdict judge_expected(const std::vector<Case>& cases, const Expectations& expect,
                       const std::string& summary) {
    Verdict verdict;
    const std::vector<std::string> failed = failures(cases);
    std::vector<std::string> surprises;
    for (const std::string& name : failed) {
        if (contains(expect.must_fail, name) || contains(expect.may_fail, name)) continue;
        surprises.push_back(name + " failed");
        verdict.details.push_back("unexpected failure: " + name);
    }
    for (const std::string& name : expect.must_fail) {
        if (contains(failed, name)) continue;
        const std::string what = outcome_word(cases, name);
        surprises.push_back(name + " " + what);
        verdict.details.push_back(fmt::format("expected failure missing: {} {}", name, what));
    }
    if (!surprises.empty()) {
        verdict.code = kExitFail;
        verdict.line = fmt::format("not as expected: {} ({})", join_names(surprises), summary);
        return verdict;
    }
    const Counts counts = count(cases);
    if (counts.pass + counts.fail == 0) return {kExitAllSkipped, "all skipped: " + summary, {}};
    verdict.line = failed.empty() ? "pass: " + summary : "as expected: " + summary;
    return verdict;
}

Verdict judge_cases(const RunLog& log, const RunContext& context) {
    const std::vector<Case> cases = list_cases(log.top);
    const Counts counts = count(cases);
    const std::string summary = describe(counts, log.top.tests.size());
    if (context.expect) return judge_expected(cases, *context.expect, summary);
    if (counts.fail != 0) {
        const std::vector<std::string> failed = failures(cases);
        Verdict verdict{kExitFail, fmt::format("fail: {} ({})", join_names(failed), summary), {}};
        for (const Case& c : cases) {
            if (c.outcome != Outcome::kFail) continue;
            verdict.details.push_back("failed: " + c.name +
                                      (c.directive.empty() ? "" : " # " + printable(c.directive)));
        }
        return verdict;
    }
    if (counts.pass == 0) return {kExitAllSkipped, "all skipped: " + summary, {}};
    return {kExitPass, "pass: " + summary, {}};
}

// The run broke off: nothing said about its cases can be complete.
std::optional<Verdict> judge_broken(const RunLog& log, const RunContext& context) {
    const std::size_t results = list_cases(log.top).size();
    const std::optional<std::string> panic = panic_message(context);
    if (context.killed_by_timeout) {
        return Verdict{kExitHang,
                       fmt::format("hang: killed by the timeout after {} results{}", results,
                                   panic ? ", console has: " + *panic : ""),
                       {}};
    }
    if (!log.trailer && panic) {
        return Verdict{
            kExitPanic, fmt::format("guest panicked after {} results: {}", results, *panic), {}};
    }
    if (results == 0) return Verdict{kExitNoResults, "no results at all", {}};
    const std::vector<std::string> bad_json = check_json(log);
    if (log.cut_line != 0) {
        return Verdict{kExitCutOff, fmt::format("cut off in the middle of line {}", log.cut_line),
                       bad_json};
    }
    if (!log.trailer) {
        return Verdict{
            kExitCutOff,
            fmt::format("ended without the trailer '{}' after {} results", kTrailer, results),
            bad_json};
    }
    if (!bad_json.empty()) return Verdict{kExitCutOff, "damaged: " + bad_json.front(), bad_json};
    if (!log.problems.empty()) {
        return Verdict{kExitPlan, "plan does not hold: " + log.problems.front(), log.problems};
    }
    return {};
}

}  // namespace

Expectations parse_expectations(std::istream& in, const std::string& name) {
    Expectations expect;
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        line = line.substr(0, line.find('#'));
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string::npos) continue;
        line = line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
        const bool may = line.front() == '?';
        if (may) line.erase(0, 1);
        const std::size_t slash = line.find('/');
        if (slash == 0 || slash == std::string::npos || slash + 1 == line.size() ||
            line.find_first_of(" \t") != std::string::npos) {
            throw std::runtime_error(
                fmt::format("{}:{}: expected 'driver/case' or '?driver/case', got '{}'", name,
                            number, printable(line)));
        }
        (may ? expect.may_fail : expect.must_fail).push_back(line);
    }
    return expect;
}

std::vector<std::string> check_json(const RunLog& log, std::vector<std::string>* good) {
    std::vector<std::string> faults;
    for (const JsonLine& json : log.json) {
        const std::optional<std::string> fault = json_fault(json.text);
        if (fault) {
            faults.push_back(fmt::format("line {}: {}", json.line, *fault));
        } else if (good != nullptr) {
            good->push_back(json.text);
        }
    }
    return faults;
}

Verdict decide(const RunLog& log, const RunContext& context) {
    std::optional<Verdict> broken = judge_broken(log, context);
    Verdict verdict = broken ? *std::move(broken) : judge_cases(log, context);
    verdict.line += notes(log, context);
    return verdict;
}

}  // namespace lbtools
