// SPDX-License-Identifier: GPL-2.0
// Description: the parser keeps nested results and reports what a plan lacks.
#include "ktap.h"

#include <gtest/gtest.h>

namespace lbtools {
namespace {

const char* const kGood =
    "KTAP version 1\n"
    "1..2\n"
    "# booted\n"
    "  KTAP version 1\n"
    "  1..2\n"
    "  # a diagnostic\n"
    "  ok 1 one\n"
    "{\"type\":\"end\",\"driver\":\"a\",\"exit\":0}\n"
    "  ok 2 - two # SKIP needs 2 NUMA nodes\n"
    "  # Totals: pass:1 fail:0 skip:1\n"
    "ok 1 a\n"
    "  KTAP version 1\n"
    "  1..1\n"
    "  not ok 1 three\n"
    "not ok 2 b # exit=1\n"
    "# cfslb: end\n";

std::string with_crlf(std::string text) {
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
        text.insert(at, "\r");
    }
    return text;
}

void expect_good(const RunLog& log) {
    EXPECT_TRUE(log.problems.empty()) << log.problems.front();
    EXPECT_TRUE(log.trailer);
    EXPECT_EQ(log.cut_line, 0U);
    EXPECT_EQ(log.unknown_lines, 0U);
    ASSERT_EQ(log.json.size(), 1U);
    EXPECT_EQ(log.json[0].line, 8U);
    const std::vector<Case> cases = list_cases(log.top);
    ASSERT_EQ(cases.size(), 3U);
    EXPECT_EQ(cases[0].name, "a/one");
    EXPECT_EQ(cases[0].outcome, Outcome::kPass);
    EXPECT_EQ(cases[1].name, "a/two");
    EXPECT_EQ(cases[1].outcome, Outcome::kSkip);
    EXPECT_EQ(cases[1].directive, "SKIP needs 2 NUMA nodes");
    EXPECT_EQ(cases[2].name, "b/three");
    EXPECT_EQ(cases[2].outcome, Outcome::kFail);
}

TEST(Ktap, ReadsNestedResults) { expect_good(parse_run(kGood)); }

TEST(Ktap, StripsCarriageReturns) {
    const RunLog log = parse_run(with_crlf(kGood));
    expect_good(log);
    EXPECT_EQ(log.ktap.find('\r'), std::string::npos);
    EXPECT_EQ(log.json[0].text.find('\r'), std::string::npos);
}

TEST(Ktap, AcceptsTheOldFormOfSkip) {
    const RunLog log = parse_run("1..1\n  1..1\n  not ok 1 x # SKIP no\nok 1 a\n# cfslb: end\n");
    ASSERT_EQ(list_cases(log.top).size(), 1U);
    EXPECT_EQ(list_cases(log.top)[0].outcome, Outcome::kSkip);
    EXPECT_TRUE(log.problems.empty());
}

TEST(Ktap, AcceptsASkippedDriverWithoutResults) {
    EXPECT_TRUE(parse_run("1..1\nok 1 a # SKIP no\n# cfslb: end\n").problems.empty());
    EXPECT_TRUE(
        parse_run("1..1\n  1..0 # SKIP no\nok 1 a # SKIP no\n# cfslb: end\n").problems.empty());
}

TEST(Ktap, ReportsBrokenPlans) {
    const char* const broken[] = {
        "  1..1\n  ok 1 x\nok 1 a\n",                                  // no top-level plan
        "1..2\n  1..1\n  ok 1 x\nok 1 a\n",                            // second driver missing
        "1..1\n  1..1\n  ok 1 x\nok 1 a\n  1..1\n  ok 1 x\nok 2 b\n",  // one too many
        "1..1\n  1..2\n  ok 1 x\nok 1 a\n",                            // a case missing
        "1..1\n  ok 1 x\nok 1 a\n",                                    // driver without plan
        "1..1\n  1..0\nok 1 a\n",                                      // driver with zero results
        "1..1\nok 1 a\n",                                       // driver that printed nothing
        "1..1\n  1..2\n  ok 1 x\n  ok 3 y\nok 1 a\n",           // wrong number
        "1..1\n  1..1\n  ok x\nok 1 a\n",                       // no number
        "1..1\n1..1\n  1..1\n  ok 1 x\nok 1 a\n",               // two plans
        "1..1\n  1..1\n  ok 1 x\nok 1 a\n  1..1\n  ok 1 y\n",   // nested results left over
        "1..99999999999999999999\n  1..1\n  ok 1 x\nok 1 a\n",  // plan out of range
    };
    for (const char* text : broken) {
        EXPECT_FALSE(parse_run(std::string(text) + "# cfslb: end\n").problems.empty()) << text;
    }
}

TEST(Ktap, ReportsOutputAfterTheTrailer) {
    EXPECT_FALSE(parse_run(std::string(kGood) + kGood).problems.empty());
    EXPECT_TRUE(parse_run(std::string(kGood) + "\n\r\n").problems.empty());
}

TEST(Ktap, NamesTheCutLine) {
    EXPECT_EQ(parse_run("KTAP version 1\n1..1\n  ok 1 x").cut_line, 3U);
    EXPECT_EQ(parse_run("").cut_line, 0U);
}

TEST(Ktap, ADriverThatFailsOnItsOwnIsACase) {
    const RunLog log = parse_run("1..1\n  1..1\n  ok 1 x\nnot ok 1 a # exit=139\n# cfslb: end\n");
    const std::vector<Case> cases = list_cases(log.top);
    ASSERT_EQ(cases.size(), 2U);
    EXPECT_EQ(cases[1].name, "a");
    EXPECT_EQ(cases[1].outcome, Outcome::kFail);
    EXPECT_EQ(cases[1].directive, "exit=139");
}

TEST(Ktap, SurvivesGarbageBytes) {
    std::string text = kGood;
    text.insert(text.find("# booted"), std::string("\0\xff\xfe{ok\x80\n", 8));
    const RunLog log = parse_run(text);
    EXPECT_EQ(log.unknown_lines, 1U);
    EXPECT_TRUE(log.problems.empty());
    EXPECT_EQ(list_cases(log.top).size(), 3U);
}

TEST(Ktap, SurvivesHugeLines) {
    const std::string huge(4 << 20, 'x');
    const RunLog log = parse_run("1..1\n" + huge + "\n  1..1\n  ok 1 " + huge + "\nok 1 a\n" +
                                 "# " + huge + "\n# cfslb: end\n");
    EXPECT_TRUE(log.problems.empty());
    EXPECT_EQ(log.unknown_lines, 1U);
    EXPECT_LE(list_cases(log.top)[0].name.size(), 210U);
}

TEST(Ktap, PrintableHidesControlBytes) {
    EXPECT_EQ(printable("a\x1b[31m\n"), "a?[31m?");
    EXPECT_EQ(printable("abcdefghij", 8), "abcde...");
}

}  // namespace
}  // namespace lbtools
