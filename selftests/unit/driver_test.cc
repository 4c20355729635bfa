// SPDX-License-Identifier: GPL-2.0
#include "lib/driver.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "fixture.h"
#include "lib/errors.h"

using namespace cfslb;

namespace {

Options parsed(std::vector<std::string> words) {
    words.insert(words.begin(), "driver");
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    return parse_options(static_cast<int>(words.size()), argv.data());
}

std::string refusal(const std::vector<std::string>& words) {
    try {
        parsed(words);
    } catch (const std::invalid_argument& e) {
        return e.what();
    }
    return "accepted";
}

class DriverTest : public testing::Test {
  protected:
    void SetUp() override {
        for (const char* name : {kEnvJson, kEnvSeed, kEnvTopology}) unsetenv(name);
    }
    void TearDown() override { SetUp(); }

    int run(std::vector<std::string> words) {
        words.insert(words.begin(), "driver");
        std::vector<char*> argv;
        for (std::string& word : words) argv.push_back(word.data());
        argv.push_back(nullptr);
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        int code = driver_main(static_cast<int>(words.size()), argv.data(), driver);
        out = testing::internal::GetCapturedStdout();
        err = testing::internal::GetCapturedStderr();
        return code;
    }

    std::vector<Case> table = {
        {"good", "passes", [](const Context&) { return Result(); }},
        {"bad", "throws", [](const Context&) -> Result { throw std::runtime_error("boom"); }},
        {"absent", "skips", [](const Context&) -> Result { throw Skip("needs luck"); }}};
    Driver driver{"demo", "a demo", [this](const Topology&) { return table; }};
    std::string out;
    std::string err;
};

}  // namespace

TEST_F(DriverTest, OptionDefaultsAndValues) {
    Options options = parsed({});
    EXPECT_EQ(options.seconds, 4);
    EXPECT_EQ(options.seed, 1);
    EXPECT_EQ(options.topology, "host");
    options = parsed({"--case", "a", "--case=b", "--seconds", "7", "--seed", "3", "--json", "f"});
    EXPECT_EQ(options.cases, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(options.seconds, 7);
    EXPECT_EQ(options.seed, 3);
    EXPECT_EQ(options.json, "f");
    EXPECT_FALSE(options.most_waste_ms);
    EXPECT_EQ(parsed({"--most-waste", "0"}).most_waste_ms, 0);
    EXPECT_TRUE(parsed({"--help"}).help);
    EXPECT_TRUE(parsed({"--list"}).list);
}

TEST_F(DriverTest, EnvironmentOfTheLab) {
    setenv(kEnvJson, "/env", 1);
    setenv(kEnvSeed, "5", 1);
    setenv(kEnvTopology, "numa-4x4", 1);
    Options options = parsed({"--json", "f"});
    EXPECT_EQ(options.json, "/env");
    EXPECT_EQ(options.seed, 5);
    EXPECT_EQ(options.topology, "numa-4x4");
    EXPECT_EQ(parsed({"--seed", "2"}).seed, 2);
    setenv(kEnvSeed, "x", 1);
    EXPECT_NE(refusal({}).find("CFSLB_SEED"), std::string::npos);
}

TEST_F(DriverTest, BadOptionsAreNamed) {
    EXPECT_EQ(refusal({"--frobnicate"}), "unknown option --frobnicate");
    EXPECT_EQ(refusal({"--seed", "1", "-x"}), "unknown option -x");
    EXPECT_EQ(refusal({"--case"}), "--case needs a value");
    EXPECT_EQ(refusal({"stray"}), "unexpected argument \"stray\"");
    EXPECT_EQ(refusal({"--seconds", "0"}), "--seconds: \"0\" is not a number from 1 to 3600");
    EXPECT_NE(refusal({"--seconds", "4x"}).find("--seconds"), std::string::npos);
    EXPECT_NE(refusal({"--seed", "-1"}).find("--seed"), std::string::npos);
}

TEST_F(DriverTest, UsageErrorsExit2WithOneLine) {
    EXPECT_EQ(run({"--frobnicate"}), kExitUsage);
    EXPECT_EQ(err, "demo: unknown option --frobnicate\n");
    EXPECT_EQ(out, "");
    EXPECT_EQ(run({"--case", "none"}), kExitUsage);
    EXPECT_EQ(err, "demo: no case \"none\" on this box, see --list\n");
}

TEST_F(DriverTest, ListAndHelp) {
    EXPECT_EQ(run({"--list"}), 0);
    EXPECT_NE(out.find("good"), std::string::npos);
    EXPECT_NE(out.find("passes"), std::string::npos);
    EXPECT_EQ(run({"--help"}), 0);
    EXPECT_NE(out.find("--seconds"), std::string::npos);
}

TEST_F(DriverTest, ExceptionsBecomeVerdicts) {
    EXPECT_EQ(run({}), kExitFail);
    EXPECT_EQ(out,
              "KTAP version 1\n1..3\nok 1 good\n# bad: boom\nnot ok 2 bad\n"
              "ok 3 absent # SKIP needs luck\n# Totals: pass:1 fail:1 skip:1\n");
    EXPECT_EQ(run({"--case", "absent"}), kExitSkip);
    EXPECT_EQ(run({"--case", "good"}), kExitPass);
}

TEST_F(DriverTest, JsonLinesOfARun) {
    TempTree tree;
    std::string path = tree.path("/out.json");
    EXPECT_EQ(run({"--json", path, "--case", "absent"}), kExitSkip);
    std::string text = tree.read("/out.json");
    EXPECT_EQ(text.find("{\"type\":\"start\",\"schema\":1,\"driver\":\"demo\""), 0u);
    EXPECT_NE(text.find("\n{\"type\":\"result\",\"driver\":\"demo\",\"case\":\"absent\","
                        "\"description\":\"skips\",\"verdict\":\"skip\","
                        "\"reason\":\"needs luck\",\"seed\":1,\"metrics\":{},"
                        "\"tasks_per_node\":[],\"tasks_per_cpu\":[]}\n"),
              std::string::npos);
    EXPECT_NE(text.find("\n{\"type\":\"end\",\"driver\":\"demo\",\"exit\":4}\n"),
              std::string::npos);
    EXPECT_EQ(run({"--json", "/nonexistent/x"}), kExitFail);
    EXPECT_NE(err.find("/nonexistent/x"), std::string::npos);
}

TEST_F(DriverTest, LinesFollowTheSchema) {
    Context context;
    context.options.seed = 2;
    Result result;
    result.fail("a");
    result.fail("b");
    result.metrics = {{"moves", 12, "count", Better::none}, {"idle_pct", 1.5, "%", Better::lower}};
    result.tasks_per_node = {3, 2.5};
    result.timeline_step_ms = 20;
    result.timeline = {{1, 0}, {1, 1}};
    std::string line = result_line(driver, context, table[0], result);
    EXPECT_NE(line.find("\"verdict\":\"fail\",\"reason\":\"a; b\",\"seed\":2"), std::string::npos);
    EXPECT_NE(line.find("\"moves\":{\"value\":12.0,\"unit\":\"count\",\"better\":\"none\"},"
                        "\"idle_pct\":{\"value\":1.5,\"unit\":\"%\",\"better\":\"lower\"}"),
              std::string::npos);
    EXPECT_NE(line.find("\"tasks_per_node\":[3.0,2.5]"), std::string::npos);
    EXPECT_EQ(timeline_line(driver, context, table[0], result),
              "{\"type\":\"timeline\",\"driver\":\"demo\",\"case\":\"good\",\"seed\":2,"
              "\"step_ms\":20.0,\"start_ms\":0.0,\"cpus\":[[1,0],[1,1]]}");
}
