// SPDX-License-Identifier: GPL-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "lib/json.h"
#include "lib/ktap.h"

using namespace cfslb;

namespace {

// Runs BODY with a Ktap and returns what it printed.
template <typename Body>
std::string printed(Body body) {
    char* text = nullptr;
    size_t size = 0;
    FILE* out = open_memstream(&text, &size);
    Ktap ktap(out);
    body(ktap);
    fclose(out);
    std::string result(text, size);
    free(text);
    return result;
}

}  // namespace

TEST(Ktap, WholeReport) {
    int code = -1;
    EXPECT_EQ(printed([&](Ktap& ktap) {
                  ktap.begin(3);
                  ktap.note("a\nb");
                  ktap.result(Verdict::pass, "one");
                  ktap.result(Verdict::fail, "two", "why");
                  ktap.result(Verdict::skip, "three", "needs 2 NUMA nodes");
                  code = ktap.end();
              }),
              "KTAP version 1\n1..3\n# a\n# b\nok 1 one\n# two: why\nnot ok 2 two\n"
              "ok 3 three # SKIP needs 2 NUMA nodes\n# Totals: pass:1 fail:1 skip:1\n");
    EXPECT_EQ(code, kExitFail);
}

TEST(Ktap, ReasonsStayOnOneLine) {
    EXPECT_EQ(printed([](Ktap& ktap) { ktap.result(Verdict::skip, "a", "x\ny # z"); }),
              "ok 1 a # SKIP x y . z\n");
    EXPECT_EQ(printed([](Ktap& ktap) { ktap.result(Verdict::fail, "a", "x\ny"); }),
              "# a: x\n# y\nnot ok 1 a\n");
}

TEST(Ktap, ExitCodes) {
    auto code_of = [](size_t plan, std::vector<Verdict> verdicts) {
        int code = -1;
        printed([&](Ktap& ktap) {
            ktap.begin(plan);
            for (Verdict verdict : verdicts) ktap.result(verdict, "x", "y");
            code = ktap.end();
        });
        return code;
    };
    EXPECT_EQ(code_of(1, {Verdict::pass}), kExitPass);
    EXPECT_EQ(code_of(2, {Verdict::pass, Verdict::skip}), kExitPass);
    EXPECT_EQ(code_of(2, {Verdict::pass, Verdict::fail}), kExitFail);
    EXPECT_EQ(code_of(2, {Verdict::skip, Verdict::skip}), kExitSkip);
    EXPECT_EQ(code_of(0, {}), kExitFail);
    EXPECT_EQ(code_of(2, {Verdict::pass}), kExitFail);
}

TEST(Json, EscapesStrings) {
    EXPECT_EQ(json_string("a\"b\\c\n\t\x01"), R"("a\"b\\c\n\u0009\u0001")");
    EXPECT_EQ(json_string("\xc3\xa9"), R"("\u00c3\u00a9")");
}

TEST(Json, NumbersHaveADecimalPoint) {
    EXPECT_EQ(json_number(4000), "4000.0");
    EXPECT_EQ(json_number(1.25), "1.25");
    EXPECT_EQ(json_number(1.0 / 3), "0.333");
    EXPECT_EQ(json_number(-0.0001), "0.0");
    EXPECT_EQ(json_number(NAN), "null");
    EXPECT_EQ(json_number(INFINITY), "null");
}

TEST(Json, ObjectsKeepTheirOrder) {
    std::string text = JsonObject()
                           .text("b", "x")
                           .integer("a", -1)
                           .number("n", 2)
                           .raw("list", json_array(std::vector<int>{1, 2}))
                           .str();
    EXPECT_EQ(text, R"({"b":"x","a":-1,"n":2.0,"list":[1,2]})");
    EXPECT_EQ(JsonObject().str(), "{}");
    EXPECT_EQ(json_array(std::vector<double>{}), "[]");
    EXPECT_EQ(json_array(std::vector<std::string>{"a", "b"}), R"(["a","b"])");
}
