// SPDX-License-Identifier: GPL-2.0
// Description: each way a run can end gets its own exit code, by priority.
#include "verdict.h"

#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

namespace lbtools {
namespace {

const std::string kHead = "KTAP version 1\n1..1\n";
const std::string kPass = "  KTAP version 1\n  1..1\n  ok 1 x\nok 1 a\n";
const std::string kFail = "  KTAP version 1\n  1..1\n  not ok 1 x\nnot ok 1 a # exit=1\n";
const std::string kSkip = "  KTAP version 1\n  1..1\n  ok 1 x # SKIP no\nok 1 a # SKIP no\n";
const std::string kEnd = "# cfslb: end\n";
const std::string kPanic = "[ 1.0] BUG\r\n[ 1.1] Kernel panic - not syncing: Fatal\r\nmore\r\n";

int code(const std::string& raw, const RunContext& context = {}) {
    return decide(parse_run(raw), context).code;
}

RunContext console(const std::string& text) {
    RunContext context;
    context.console = text;
    return context;
}

RunContext expecting(const std::string& list) {
    std::istringstream in(list);
    RunContext context;
    context.expect = parse_expectations(in, "list");
    return context;
}

TEST(Verdict, Pass) { EXPECT_EQ(code(kHead + kPass + kEnd), kExitPass); }
TEST(Verdict, Fail) { EXPECT_EQ(code(kHead + kFail + kEnd), kExitFail); }
TEST(Verdict, AllSkipped) { EXPECT_EQ(code(kHead + kSkip + kEnd), kExitAllSkipped); }

TEST(Verdict, FailureHiddenByItsDriverStillFails) {
    EXPECT_EQ(code(kHead + "  1..1\n  not ok 1 x\nok 1 a\n" + kEnd), kExitFail);
}

TEST(Verdict, NoResults) {
    EXPECT_EQ(code(""), kExitNoResults);
    EXPECT_EQ(code("\r\n"), kExitNoResults);
    EXPECT_EQ(code(kHead), kExitNoResults);
    EXPECT_EQ(code("KTAP version 1\n1..0\n" + kEnd), kExitNoResults);
    EXPECT_EQ(code(std::string("\0\xff\x01", 3)), kExitNoResults);
}

TEST(Verdict, PlanMissingOrWrong) {
    EXPECT_EQ(code(kPass + kEnd), kExitPlan);
    EXPECT_EQ(code("1..2\n" + kPass + kEnd), kExitPlan);
}

TEST(Verdict, DriverThatDiedHasFailed) {
    EXPECT_EQ(code(kHead + "  1..2\n  not ok 1 x\nnot ok 1 a # exit=124\n" + kEnd), kExitFail);
}

TEST(Verdict, CutOff) {
    EXPECT_EQ(code(kHead + kPass + "# cfslb: e"), kExitCutOff);
    EXPECT_EQ(code(kHead + kPass), kExitCutOff);
    EXPECT_EQ(code(kHead + kPass + "# cfslb: end"), kExitCutOff);
}

TEST(Verdict, Panic) {
    EXPECT_EQ(code(kHead + "  1..1\n", console(kPanic)), kExitPanic);
    EXPECT_EQ(code("", console(kPanic)), kExitPanic);
    EXPECT_EQ(code(kHead + kPass + kEnd, console(kPanic)), kExitPass);
    EXPECT_EQ(code(kHead + kPass, console("all quiet")), kExitCutOff);
    EXPECT_NE(decide(parse_run(""), console(kPanic)).line.find("not syncing: Fatal"),
              std::string::npos);
}

TEST(Verdict, HangComesFirst) {
    RunContext context = console(kPanic);
    context.killed_by_timeout = true;
    EXPECT_EQ(code("", context), kExitHang);
    EXPECT_EQ(code(kHead + kPass + kEnd, context), kExitHang);
}

TEST(Verdict, DamagedJsonNamesItsLine) {
    const std::string raw = kHead + "{\"type\":\"end\"\r\n" + kPass + kEnd;
    EXPECT_EQ(code(raw), kExitCutOff);
    EXPECT_NE(decide(parse_run(raw), {}).line.find("line 3"), std::string::npos);
    EXPECT_EQ(code(kHead + "{\"type\":\"end\",\"x\":\"\xff\"}\n" + kPass + kEnd), kExitCutOff);
    EXPECT_EQ(code(kHead + "{\"type\":\"start\",\"schema\":2}\n" + kPass + kEnd), kExitCutOff);
    EXPECT_EQ(code(kHead + "{\"type\":\"start\"}\n" + kPass + kEnd), kExitCutOff);
    EXPECT_EQ(code(kHead + "{\"type\":\"start\",\"schema\":1}\n" + kPass + kEnd), kExitPass);
}

TEST(Verdict, KeepsSoundJsonLinesAsTheyAre) {
    std::vector<std::string> good;
    check_json(parse_run("  {\"type\":\"end\",  \"exit\":0}\r\n{broken\n"), &good);
    ASSERT_EQ(good.size(), 1U);
    EXPECT_EQ(good[0], "{\"type\":\"end\",  \"exit\":0}");
}

TEST(Verdict, DeeplyNestedJsonIsNoCrash) {
    const std::string deep = "{\"type\":" + std::string(100000, '[');
    EXPECT_EQ(code(kHead + deep + "\n" + kPass + kEnd), kExitCutOff);
}

TEST(Expect, ExactlyTheListedFailuresPass) {
    EXPECT_EQ(code(kHead + kFail + kEnd, expecting("# known\na/x # why\n")), kExitPass);
    EXPECT_EQ(code(kHead + kPass + kEnd, expecting("")), kExitPass);
}

TEST(Expect, NamesEachSurprise) {
    const Verdict verdict = decide(parse_run(kHead + kFail + kEnd), expecting("b/y\nc/z\n"));
    EXPECT_EQ(verdict.code, kExitFail);
    ASSERT_EQ(verdict.details.size(), 3U);
    EXPECT_EQ(verdict.details[0], "unexpected failure: a/x");
    EXPECT_EQ(verdict.details[1], "expected failure missing: b/y did not run");
    const Verdict passed = decide(parse_run(kHead + kPass + kEnd), expecting("a/x"));
    EXPECT_EQ(passed.code, kExitFail);
    EXPECT_EQ(passed.details[0], "expected failure missing: a/x passed");
}

TEST(Expect, QuestionMarkAllowsBoth) {
    EXPECT_EQ(code(kHead + kPass + kEnd, expecting("?a/x\n")), kExitPass);
    EXPECT_EQ(code(kHead + kFail + kEnd, expecting("?a/x\n")), kExitPass);
}

TEST(Expect, DoesNotHideWorseEnds) {
    EXPECT_EQ(code(kHead + kFail, expecting("a/x\n")), kExitCutOff);
    EXPECT_EQ(code(kHead + kSkip + kEnd, expecting("")), kExitAllSkipped);
}

TEST(Expect, RejectsOtherLines) {
    for (const char* line : {"a", "/x", "a/", "a/x y", "?"}) {
        EXPECT_THROW(expecting(line), std::runtime_error) << line;
    }
}

}  // namespace
}  // namespace lbtools
