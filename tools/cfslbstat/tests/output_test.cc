// SPDX-License-Identifier: GPL-2.0
// Description: JSON, OpenMetrics and the full screen's lines.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "files.h"
#include "json_out.h"
#include "openmetrics.h"
#include "reader.h"
#include "top_view.h"
#include "trees.h"

namespace cfslbstat {
namespace {

using Json = nlohmann::json;

Snapshot read(const std::string& name) { return Reader(dump(name)).read(); }

bool has_line(const std::string& text, const std::string& line) {
    return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST(Json, TotalOfADump) {
    const Snapshot snapshot = read("late");
    JsonFrame frame;
    frame.kind = "total";
    const Json json = Json::parse(to_json(summarize(snapshot), frame, &snapshot));
    EXPECT_EQ(json["schema"], 1);
    EXPECT_EQ(json["kind"], "total");
    EXPECT_EQ(json["restart"], nullptr);
    EXPECT_EQ(json["migrations"][2]["reason"], "newidle");
    EXPECT_EQ(json["migrations"][2]["tasks"], 192);
    EXPECT_EQ(json["balance_all"]["calls"], 2761);
    EXPECT_EQ(json["balance_all"]["imb_load_n"], nullptr);
    EXPECT_EQ(json["wait"]["all"]["p50"]["lt_ns"], 65536);
    EXPECT_EQ(json["files"]["migrate"].size(), 8u);
    EXPECT_EQ(json["files"]["migrate"][0]["cpu"], "0");
    EXPECT_EQ(json["files"]["nohz"][0]["kick_load"], nullptr);
    EXPECT_EQ(json.contains("command"), false);
}

TEST(Json, AbsentIsNull) {
    JsonFrame frame;
    frame.kind = "interval";
    frame.restart = "why";
    frame.seconds = 1.5;
    const Json json = Json::parse(to_json(summarize(read("reloaded")), frame, nullptr));
    EXPECT_EQ(json["waste"][0]["any_ns"], nullptr);
    EXPECT_EQ(json["wait"]["all"]["tasks"], nullptr);
    EXPECT_EQ(json["wait"]["all"]["p99"], nullptr);
    EXPECT_EQ(json["restart"], "why");
    EXPECT_EQ(json["seconds"], 1.5);
    EXPECT_EQ(json.contains("files"), false);
}

TEST(Json, CommandWithOddBytes) {
    const JsonFrame frame = {"command", "", {"a\xff", "b\"c\n"}, 3, {}};
    const std::string text = to_json(summarize(read("late")), frame, nullptr);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 0);
    const Json json = Json::parse(text);
    EXPECT_EQ(json["exit"], 3);
    EXPECT_EQ(json["command"][1], "b\"c\n");
}

TEST(OpenMetrics, SamplesOfADump) {
    const std::string text = to_openmetrics(read("late"));
    EXPECT_TRUE(has_line(text, "cfslb_migrations_total{cpu=\"0\",node=\"0\",reason=\"wake\"} 21"));
    EXPECT_TRUE(has_line(
        text,
        "cfslb_migrations_by_distance_total{reason=\"newidle\",distance=\"remote_near\"} 98"));
    EXPECT_TRUE(has_line(text, "# UNIT cfslb_waste_idle_with_queue_seconds seconds"));
    EXPECT_TRUE(
        has_line(text, "cfslb_waste_idle_with_queue_seconds_total{node=\"1\"} 0.248121496"));
    EXPECT_TRUE(has_line(text, "cfslb_waste_machine_idle_with_queue_seconds_total 0.378465233"));
    EXPECT_TRUE(has_line(text, "cfslb_place_total{cpu=\"0\",kind=\"wake\"} 4859"));
    EXPECT_TRUE(has_line(text, "cfslb_cpus 8"));
    EXPECT_TRUE(has_line(
        text,
        "cfslb_wait_seconds_bucket{placement=\"to_waker\",distance=\"same_llc\",le=\"+Inf\"} "
        "26"));
    EXPECT_TRUE(has_line(
        text,
        "cfslb_wait_seconds_bucket{placement=\"to_waker\",distance=\"same_llc\",le=\"0.000008192\"}"
        " 22"));
    EXPECT_EQ(text.substr(text.size() - 6), "# EOF\n");
    EXPECT_EQ(text.find("node=\"all\""), std::string::npos);
}

TEST(OpenMetrics, AbsentHasNoSample) {
    const std::string text = to_openmetrics(read("reloaded"));
    EXPECT_EQ(text.find("cfslb_waste"), std::string::npos);
    EXPECT_EQ(text.find("cfslb_wait_seconds"), std::string::npos);
    EXPECT_EQ(text.find("cfslb_nohz_kick"), std::string::npos);
    EXPECT_EQ(text.find("cfslb_place_total{cpu=\"0\",kind=\"wake\"}"), std::string::npos);
    EXPECT_TRUE(has_line(text, "cfslb_place_total{cpu=\"0\",kind=\"fork\"} 0"));
}

class OutputTest : public Trees {};

TEST_F(OutputTest, UnknownFilesAndAwkwardLabelsAreMetricsToo) {
    copy("late");
    edit("schema", [](Fields* lines) {
        lines->push_back({"future", "who-is", "label", "-", "thing", "a label"});
        lines->push_back({"future", "n", "counter", "tasks", "thing", "says \"x\""});
        lines->push_back({"future", "old_total", "counter", "tasks", "thing", "has the suffix"});
    });
    lbtools::write_file(dir_ / "tree" / "future",
                        "cfslb future abi=1 epoch=1 t_ns=9 kernel=7\nwho-is\tn\told_total\n"
                        "a\"\\b\t4\t5\n");
    const std::string text = to_openmetrics(Reader(dir_ / "tree").read());
    EXPECT_TRUE(has_line(text, "cfslb_future_n_total{who_is=\"a\\\"\\\\b\"} 4"));
    EXPECT_TRUE(has_line(text, "cfslb_future_old_total{who_is=\"a\\\"\\\\b\"} 5"));
}

TEST(Top, BarsAndColours) {
    EXPECT_EQ(bar(0.5, 10).text, "#####.....");
    EXPECT_EQ(bar(0.001, 10).text, "#.........");
    EXPECT_EQ(bar(0.0, 10).text, "..........");
    EXPECT_EQ(bar(7.0, 10).text, "##########");
    EXPECT_EQ(bar(std::nullopt, 10).text, "          ");
    EXPECT_EQ(bar(0.0, 10).colour, Colour::kCool);
    EXPECT_EQ(bar(0.05, 10).colour, Colour::kWarm);
    EXPECT_EQ(bar(0.5, 10).colour, Colour::kHot);
    EXPECT_EQ(bar(std::nullopt, 10).colour, Colour::kPlain);
}

std::string text_of(const Line& line) {
    std::string text;
    for (const Piece& piece : line) text += piece.text;
    return text;
}

TEST(Top, FitsEveryWindow) {
    const Summary summary = summarize(read("late"));
    for (const std::size_t width : {1u, 20u, 79u, 80u, 200u}) {
        for (const std::size_t height : {1u, 5u, 24u, 60u}) {
            const auto lines = top_lines(summary, "note", width, height);
            EXPECT_LE(lines.size(), height);
            for (const Line& line : lines) EXPECT_LE(text_of(line).size(), width);
        }
    }
}

TEST(Top, ShowsNodesReasonsAndWaits) {
    const auto lines = top_lines(summarize(read("late")), "a note", 100, 40);
    std::string all;
    for (const Line& line : lines) all += text_of(line) + "\n";
    for (const char* const part : {"a note", "node  CPUs wasted", "machine: 0.02 CPUs wasted",
                                   "  newidle", "waits", "  kept_prev"}) {
        EXPECT_NE(all.find(part), std::string::npos) << part << "\n" << all;
    }
}

TEST_F(OutputTest, TopLeavesOutNodesThatDoNotFit) {
    copy("late");
    edit("migrate", [](Fields* lines) {
        const auto row = lines->at(1);
        for (int node = 2; node < 40; ++node) {
            lines->push_back(row);
            lines->back()[0] = std::to_string(node + 8);
            lines->back()[1] = std::to_string(node);
        }
    });
    const auto lines = top_lines(summarize(Reader(dir_ / "tree").read()), "", 80, 24);
    std::string all;
    for (const Line& line : lines) all += text_of(line) + "\n";
    EXPECT_NE(all.find("more nodes"), std::string::npos) << all;
    EXPECT_NE(all.find("balance/s"), std::string::npos) << all;
}

}  // namespace
}  // namespace cfslbstat
