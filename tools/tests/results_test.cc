// SPDX-License-Identifier: GPL-2.0
// Description: result files are read whole; each kind of bad input is one clear line.
#include "results.h"

#include <gtest/gtest.h>

#include "fixture.h"

namespace lbtools {
namespace {

class Results : public TempDir {
  protected:
    std::string error_of(const std::vector<std::string>& files) const {
        try {
            load_side(files, "before");
        } catch (const InputError& error) {
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
            return error.what();
        }
        return "no error";
    }
    void expect_error(const std::string& content, const std::string& part) const {
        const std::string error = error_of({put("bad.jsonl", content)});
        EXPECT_NE(error.find(part), std::string::npos) << error;
    }
};

TEST_F(Results, ReadsAllRuns) {
    const Side side = load_side(put_runs("b", 3, {}), "before");
    EXPECT_EQ(side.seeds, (std::vector<long>{1, 2, 3}));
    EXPECT_EQ(side.order.size(), 3U);
    EXPECT_EQ(side.machine->nodes.size(), 4U);
    const CaseId id{"local_group_imbalance", "pinned_pile"};
    EXPECT_EQ(side.results.at(id).at(2).verdict, "fail");
    EXPECT_EQ(side.results.at(id).at(2).metrics.front().first, "idle_while_waiting_ms");
    EXPECT_DOUBLE_EQ(side.results.at(id).at(2).metrics.front().second.value, 3988);
    EXPECT_EQ(side.timelines.at(id).at(3).cpus.size(), 200U);
    EXPECT_EQ(side.ends.at("even_spread").at(1), 0);
}

TEST_F(Results, MissingOrEmptyFile) {
    EXPECT_NE(error_of({dir_ / "none"}).find("none: No such file"), std::string::npos);
    expect_error("", "no results");
    expect_error("\n\n", "no results");
}

TEST_F(Results, NotJson) {
    expect_error(fake_results({}) + "{\"type\":", "bad.jsonl:9: not JSON");
    expect_error("KTAP version 1\n", "bad.jsonl:1: not JSON");
    expect_error("[1]\n", "bad.jsonl:1: ");
    expect_error("{\"type\":\"end\",\"x\":\"\xff\"}\n", "bad.jsonl:1: not JSON");
}

TEST_F(Results, SchemaAndFields) {
    expect_error("{\"type\":\"start\",\"schema\":2}\n", "bad.jsonl:1: schema 2");
    expect_error("{\"type\":\"start\"}\n", "key 'schema' not found");
    expect_error("{\"type\":\"start\",\"schema\":1}\n", "key 'kernel' not found");
    expect_error("{\"type\":\"other\"}\n", "unknown type 'other'");
    expect_error("{\"type\":\"end\",\"driver\":\"x\",\"exit\":0}\n", "without a start line");
    expect_error(
        "{\"type\":\"result\",\"driver\":\"x\",\"case\":\"y\",\"verdict\":\"maybe\","
        "\"seed\":1}\n",
        "verdict 'maybe'");
}

TEST_F(Results, DuplicateSeed) {
    const std::string a = put("a", fake_results({}));
    const std::string b = put("b", fake_results({}));
    EXPECT_NE(error_of({a, b}).find("seed 1 appears twice"), std::string::npos);
}

TEST_F(Results, MixedKernelsOnOneSide) {
    FakeRun other;
    other.seed = 2;
    other.kernel = "5.4.286";
    const std::string error = error_of({put("a", fake_results({})), put("b", fake_results(other))});
    EXPECT_NE(error.find("kernel 5.4.286"), std::string::npos) << error;
}

TEST_F(Results, DifferentTopologies) {
    FakeRun other;
    other.topology = "numa-2x8";
    const Side before = load_side({put("a", fake_results({}))}, "before");
    const Side after = load_side({put("b", fake_results(other))}, "after");
    EXPECT_NO_THROW(check_comparable(before, before));
    EXPECT_THROW(check_comparable(before, after), InputError);
}

TEST(CpuList, Reads) {
    EXPECT_EQ(parse_cpu_list("0-2,8"), (std::vector<int>{0, 1, 2, 8}));
    EXPECT_TRUE(parse_cpu_list("").empty());
    for (const char* bad : {"a", "3-1", "1-", "-1", "1,,2", "0-99999"}) {
        EXPECT_THROW(parse_cpu_list(bad), InputError) << bad;
    }
}

}  // namespace
}  // namespace lbtools
