// SPDX-License-Identifier: GPL-2.0
// Description: what only a kernel with the patch series counts, in every output.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "json_out.h"
#include "openmetrics.h"
#include "reader.h"
#include "text.h"
#include "trees.h"

namespace cfslbstat {
namespace {

using Json = nlohmann::json;

// Expected sums were taken from the dump "series" with awk.
class Series : public Trees {
  protected:
    static Snapshot read() { return Reader(dump("series")).read(); }
    static std::string table_of(const Snapshot& snapshot) {
        return render_table(summarize(snapshot), "since");
    }
    static Json json_of(const Snapshot& snapshot) {
        JsonFrame frame;
        frame.kind = "total";
        return Json::parse(to_json(summarize(snapshot), frame, &snapshot));
    }
};

// The text has a line of these words, however they are set apart.
bool has_words(const std::string& text, const std::string& wanted) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string one, joined;
        while (words >> one) joined += (joined.empty() ? "" : " ") + one;
        if (joined == wanted) return true;
    }
    return false;
}

TEST_F(Series, Table) {
    const std::string text = table_of(read());
    for (const char* const line : {
             "chosen wake fork exec",
             "idlest 0 94 56",
             "target_idle 404 0 0",
             "prev_idle 29012 0 0",
             "recent_idle 85 0 0",
             "idle_cpu 78 0 0",
             "target_busy 524 0 0",
             "CPUs scanned 317 1128 672",
             "none: kept energy kthread_done idle_core idle_sibling idle_capacity",
             "imbalances 20 of load, 32 of util, 333 of task, 0 of misfit",
             "on average 1017 load, 1847 util, 1 task, - misfit",
             "tasks seen 943, left: 306 affinity, 273 running, 31 hot, 20 size, 6 other",
             "skipped 26415 no CPU has two tasks, 3211 idle time too short",
             "asked for 12 load, 4 old load, 0 misfit, 155 LLC, 244 other",
         }) {
        EXPECT_TRUE(has_words(text, line)) << line << "\n" << text;
    }
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST_F(Series, TableIsSilentOnOtherKernels) {
    const std::string text = table_of(Reader(dump("late")).read());
    for (const char* const part :
         {"chosen", "CPUs scanned", "imbalances", "tasks seen", "too short", "asked for  "}) {
        EXPECT_EQ(text.find(part), std::string::npos) << part << "\n" << text;
    }
}

TEST_F(Series, JsonSums) {
    const Json json = json_of(read());
    EXPECT_EQ(json["kernel"], "6.1.192-cfslb");
    EXPECT_EQ(json["reasons"], "exact");
    const Json& wake = json["placement"][0];
    EXPECT_EQ(wake["kind"], "wake");
    EXPECT_EQ(wake["how_prev_idle"], 29012);
    EXPECT_EQ(wake["how_idle_core"], 0);
    EXPECT_EQ(wake["scanned"], 317);
    const Json& all = json["balance_all"];
    EXPECT_EQ(all["imb_load_n"], 20);
    EXPECT_EQ(all["imb_load_sum"], 20352);
    EXPECT_EQ(all["imb_util_sum"], 59109);
    EXPECT_EQ(all["imb_task_n"], 333);
    EXPECT_EQ(all["imb_task_sum"], 448);
    EXPECT_EQ(all["imb_misfit_n"], 0);
    EXPECT_EQ(all["unexplained"], 0);
    EXPECT_EQ(all["scanned"], 943);
    EXPECT_EQ(all["stay_affinity"], 306);
    EXPECT_EQ(all["stay_other"], 6);
    EXPECT_EQ(json["newidle"]["skip_not_overloaded"], 26415);
    EXPECT_EQ(json["newidle"]["skip_short_idle"], 3211);
    EXPECT_EQ(json["nohz"]["kick_llc"], 155);
    EXPECT_EQ(json["nohz"]["kick_misfit"], 0);
    EXPECT_EQ(json["nohz"]["kick_other"], 244);
    EXPECT_EQ(json["files"]["nohz"][0]["kick_llc"], 60);
}

// With the series every pass is explained, and every task that was looked at.
TEST_F(Series, JsonSumsAddUp) {
    const Json all = json_of(read())["balance_all"];
    const auto sum_of = [&all](const std::vector<const char*>& columns) {
        std::uint64_t total = 0;
        for (const char* const column : columns) total += all.at(column).get<std::uint64_t>();
        return total;
    };
    EXPECT_EQ(sum_of({"calls"}), sum_of({"not_designated", "no_group", "no_queue", "all_pinned",
                                         "failed", "pulled_calls"}));
    EXPECT_EQ(sum_of({"scanned"}), sum_of({"pulled_tasks", "stay_affinity", "stay_running",
                                           "stay_hot", "stay_size", "stay_other"}));
}

TEST_F(Series, OpenMetrics) {
    const std::string text = "\n" + to_openmetrics(read());
    const std::string of_mc = "{cpu=\"0\",level=\"2\",idle=\"idle\",name=\"MC\"} ";
    for (const std::string& line : {
             std::string("# TYPE cfslb_place_how_prev_idle counter"),
             std::string("cfslb_place_how_prev_idle_total{cpu=\"0\",kind=\"wake\"} 1911"),
             std::string("cfslb_place_how_energy_total{cpu=\"0\",kind=\"wake\"} 0"),
             std::string("cfslb_place_scanned_total{cpu=\"0\",kind=\"fork\"} 240"),
             "cfslb_lb_imb_task_n_total" + of_mc + "20",
             "cfslb_lb_imb_task_sum_total" + of_mc + "75",
             "cfslb_lb_scanned_total" + of_mc + "159",
             "cfslb_lb_stay_affinity_total" + of_mc + "129",
             std::string("cfslb_newidle_skip_short_idle_total{cpu=\"1\"} 523"),
             std::string("cfslb_nohz_kick_load_total{cpu=\"1\"} 8"),
             std::string("cfslb_nohz_kick_llc_total{cpu=\"0\"} 60"),
         }) {
        EXPECT_NE(text.find("\n" + line + "\n"), std::string::npos) << line;
    }
}

// The series is there, but its tracepoints were not on: absent, not zero.
TEST_F(Series, OneAbsentColumnIsAbsentEverywhere) {
    copy("series");
    set("nohz", {"3"}, "kick_load", "-");
    set("newidle", {"0"}, "skip_short_idle", "-");
    const Snapshot snapshot = Reader(dir_ / "tree").read();
    const std::string text = table_of(snapshot);
    EXPECT_EQ(text.find("old load"), std::string::npos) << text;
    EXPECT_EQ(text.find("too short"), std::string::npos) << text;
    EXPECT_EQ(json_of(snapshot)["nohz"]["kick_load"], nullptr);
    EXPECT_EQ(json_of(snapshot)["nohz"]["kick_llc"], 155);
    EXPECT_EQ(to_openmetrics(snapshot).find("cfslb_nohz_kick_load_total{cpu=\"3\"}"),
              std::string::npos);
}

}  // namespace
}  // namespace cfslbstat
