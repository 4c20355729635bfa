// SPDX-License-Identifier: GPL-2.0
#include "ktap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

namespace lbtools {
namespace {

bool starts_with(std::string_view text, std::string_view prefix) {
    return text.substr(0, prefix.size()) == prefix;
}

std::string_view trim_right(std::string_view text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) {
        text.remove_suffix(1);
    }
    return text;
}

std::string_view trim_left(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    return text;
}

// Reads digits off the front of text; nothing when there are none or too many.
std::optional<long> take_number(std::string_view& text) {
    if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) == 0) return {};
    long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) return {};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

bool is_skip(std::string_view directive) {
    constexpr std::string_view kSkip = "skip";
    return directive.size() >= kSkip.size() &&
           std::equal(kSkip.begin(), kSkip.end(), directive.begin(), [](char want, char have) {
               return want == std::tolower(static_cast<unsigned char>(have));
           });
}

std::optional<long> parse_plan(std::string_view text) {
    if (!starts_with(text, "1..")) return {};
    text.remove_prefix(3);
    const std::optional<long> count = take_number(text);
    text = trim_left(text);
    if (!count || (!text.empty() && text.front() != '#')) return {};
    return count;
}

std::optional<Test> parse_test(std::string_view text, std::size_t line) {
    Test test;
    bool ok = true;
    if (starts_with(text, "not ok")) {
        ok = false;
        text.remove_prefix(6);
    } else if (starts_with(text, "ok")) {
        text.remove_prefix(2);
    } else {
        return {};
    }
    if (!text.empty() && text.front() != ' ') return {};
    text = trim_left(text);
    test.number = take_number(text).value_or(0);
    const std::size_t hash = text.find(" #");
    if (hash != std::string_view::npos) {
        test.directive = trim_left(text.substr(hash + 2));
        text = text.substr(0, hash);
    }
    text = trim_right(trim_left(text));
    if (starts_with(text, "- ")) text.remove_prefix(2);
    test.name = text;
    test.line = line;
    // kselftest.h of 5.4 prints a skip as "not ok": the directive decides.
    test.outcome = is_skip(test.directive) ? Outcome::kSkip : ok ? Outcome::kPass : Outcome::kFail;
    return test;
}

// Holds the documents that are open, outermost first. A line that is indented
// deeper than the innermost one opens a new one, so nested results are never
// lost even when the driver's header is.
class Parser {
  public:
    Parser() { stack_.emplace_back(); }

    void line(std::string_view raw, std::size_t number);
    void finish(bool cut);
    RunLog take() { return std::move(log_); }

  private:
    void ktap_line(std::string_view text, std::size_t indent, std::size_t number);
    void enter(std::size_t indent, std::size_t number, bool header);
    void close_innermost(std::size_t number);
    void add_test(Test test);

    RunLog log_;
    std::vector<Block> stack_;
    std::vector<Block> closed_;  // nested documents still waiting for their result line
    std::size_t trailer_line_ = 0;
};

void Parser::line(std::string_view raw, std::size_t number) {
    const std::string_view text = trim_right(raw);
    const std::string_view content = trim_left(text);
    if (!content.empty() && trailer_line_ != 0) {
        log_.problems.push_back(fmt::format("line {}: more output after the trailer of line {}",
                                            number, trailer_line_));
    }
    if (!content.empty() && content.front() == '{') {
        log_.json.push_back({number, std::string(content)});
        return;
    }
    log_.ktap.append(text).push_back('\n');
    if (text == kTrailer) {
        trailer_line_ = number;
        log_.trailer = true;
    } else if (!content.empty() && content.front() != '#') {
        ktap_line(content, text.size() - content.size(), number);
    }
}

void Parser::ktap_line(std::string_view text, std::size_t indent, std::size_t number) {
    if (starts_with(text, "KTAP version") || starts_with(text, "TAP version")) {
        enter(indent, number, true);
    } else if (const std::optional<long> plan = parse_plan(text)) {
        enter(indent, number, false);
        if (stack_.back().plan) {
            log_.problems.push_back(fmt::format("line {}: a second plan", number));
        }
        stack_.back().plan = plan;
    } else if (std::optional<Test> test = parse_test(text, number)) {
        enter(indent, number, false);
        add_test(std::move(*test));
    } else {
        ++log_.unknown_lines;
    }
}

// Makes the document at this indent the innermost one.
void Parser::enter(std::size_t indent, std::size_t number, bool header) {
    while (stack_.size() > 1 && stack_.back().indent > indent) close_innermost(number);
    if (stack_.back().indent < indent) {
        stack_.emplace_back();
        stack_.back().indent = indent;
    } else if (header && (stack_.back().plan || !stack_.back().tests.empty())) {
        log_.problems.push_back(
            fmt::format("line {}: a second KTAP header in the same document", number));
    }
}

void Parser::close_innermost(std::size_t number) {
    if (!closed_.empty() && closed_.back().indent == stack_.back().indent) {
        log_.problems.push_back(
            number == 0
                ? "nested results without their own result line at the end"
                : fmt::format("line {}: nested results without their own result line", number));
    }
    closed_.push_back(std::move(stack_.back()));
    stack_.pop_back();
}

void Parser::add_test(Test test) {
    const std::size_t indent = stack_.back().indent;
    while (!closed_.empty() && closed_.back().indent > indent) {
        test.nested.insert(test.nested.begin(), std::move(closed_.back()));
        closed_.pop_back();
    }
    stack_.back().tests.push_back(std::move(test));
}

std::string label(const Test& test) {
    const std::string name = test.name.empty() ? fmt::format("test {}", test.number) : test.name;
    return test.directive.empty()
               ? printable(name)
               : fmt::format("{} ({})", printable(name), printable(test.directive));
}

void check_block(const Block& block, const std::string& who, std::vector<std::string>& problems);

void check_nested(const Test& test, bool is_driver, std::vector<std::string>& problems) {
    // A driver that died or ran out of time has failed; what it did not report is part of that.
    if (is_driver && test.outcome == Outcome::kFail) return;
    if (test.nested.size() > 1) {
        problems.push_back(fmt::format("{}: more than one nested document", label(test)));
    }
    for (const Block& nested : test.nested) {
        // A driver that skips as a whole may print "1..0 # SKIP" or nothing.
        if (test.outcome == Outcome::kSkip && nested.tests.empty() && nested.plan.value_or(0) == 0)
            continue;
        check_block(nested, label(test), problems);
    }
    if (is_driver && test.nested.empty() && test.outcome != Outcome::kSkip) {
        problems.push_back(fmt::format("{}: no plan and no results", label(test)));
    }
}

void check_block(const Block& block, const std::string& who, std::vector<std::string>& problems) {
    const long count = static_cast<long>(block.tests.size());
    if (!block.plan) {
        problems.push_back(fmt::format("{}: no plan", who));
    } else if (*block.plan != count) {
        problems.push_back(fmt::format("{}: {} planned, {} reported", who, *block.plan, count));
    } else if (count == 0) {
        problems.push_back(fmt::format("{}: zero results", who));
    }
    long expected = 1;
    for (const Test& test : block.tests) {
        if (test.number != expected) {
            problems.push_back(fmt::format("line {}: result number {} where {} was due", test.line,
                                           test.number, expected));
            break;  // all later numbers are off too
        }
        ++expected;
    }
    for (const Test& test : block.tests) check_nested(test, block.indent == 0, problems);
}

void Parser::finish(bool cut) {
    while (stack_.size() > 1) close_innermost(0);
    log_.top = std::move(stack_.front());
    for (const Block& block : closed_) {
        if (cut || !log_.trailer) break;  // reported as such, with higher priority
        log_.problems.push_back(
            fmt::format("{} nested results belong to no driver's result line", block.tests.size()));
    }
    check_block(log_.top, "the run", log_.problems);
}

void append_cases(const Test& test, const std::string& prefix, std::vector<Case>& cases) {
    const std::string name = prefix + printable(test.name, 200);
    const std::size_t first = cases.size();
    for (const Block& block : test.nested) {
        for (const Test& inner : block.tests) append_cases(inner, name + "/", cases);
    }
    const bool child_failed =
        std::any_of(cases.begin() + static_cast<std::ptrdiff_t>(first), cases.end(),
                    [](const Case& c) { return c.outcome == Outcome::kFail; });
    const bool failed_itself = test.outcome == Outcome::kFail && !child_failed;
    if (cases.size() == first || failed_itself) {
        cases.push_back({name, test.outcome, test.directive});
    }
}

}  // namespace

RunLog parse_run(std::string_view raw) {
    Parser parser;
    std::size_t number = 0;
    std::size_t cut_line = 0;
    while (!raw.empty()) {
        const std::size_t end = raw.find('\n');
        ++number;
        if (end == std::string_view::npos) cut_line = number;
        parser.line(raw.substr(0, end), number);
        raw.remove_prefix(end == std::string_view::npos ? raw.size() : end + 1);
    }
    parser.finish(cut_line != 0);
    RunLog log = parser.take();
    log.cut_line = cut_line;
    return log;
}

std::vector<Case> list_cases(const Block& top) {
    std::vector<Case> cases;
    for (const Test& test : top.tests) append_cases(test, "", cases);
    return cases;
}

std::string printable(std::string_view text, std::size_t max) {
    const bool shorten = text.size() > max;
    std::string result(text.substr(0, shorten ? max - 3 : max));
    for (char& c : result) {
        if (c < ' ' || c > '~') c = '?';
    }
    return shorten ? result + "..." : result;
}

}  // namespace lbtools
