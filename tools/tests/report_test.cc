// SPDX-License-Identifier: GPL-2.0
// Description: the comparison judges as documented, and every output shows it.
#include "report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "files.h"
#include "fixture.h"
#include "plot.h"
#include "table.h"

namespace lbtools {
namespace {

class Report : public TempDir {
  protected:
    // Three seeds, unpatched against patched, or as told.
    Comparison make(int n_before = 3, int n_after = 3, FakeRun before = {}) const {
        FakeRun after = before;
        after.patched = !before.patched;
        return compare(load_side(put_runs("b", n_before, before), "before"),
                       load_side(put_runs("a", n_after, after), "after"));
    }
};

const MetricRow& metric(const CaseRow& row, const std::string& name) {
    for (const MetricRow& m : row.metrics) {
        if (m.name == name) return m;
    }
    throw std::out_of_range(name);
}

std::size_t longest_line(const std::string& text) {
    std::istringstream in(text);
    std::size_t longest = 0;
    for (std::string line; std::getline(in, line);) longest = std::max(longest, line.size());
    return longest;
}

TEST_F(Report, UnanimousReplayIsSettledFromThreeSeeds) {
    const Comparison c = make();
    ASSERT_EQ(c.rows.size(), 3U);
    EXPECT_EQ(c.rows[0].verdict, "fixed");
    EXPECT_EQ(c.rows[1].verdict, "still passes");
    EXPECT_EQ(c.rows[2].verdict, "skipped");
    EXPECT_EQ(make(2, 3).rows[0].verdict, "inconclusive");
}

TEST_F(Report, LossesAreCalledLosses) {
    FakeRun patched;
    patched.patched = true;
    const Comparison c = make(6, 6, patched);
    EXPECT_EQ(c.rows[0].verdict, "regressed");
    EXPECT_EQ(metric(c.rows[0], "idle_while_waiting_ms").verdict, "worse");
    EXPECT_EQ(metric(c.rows[0], "work_min_max_pct").verdict, "worse");
}

TEST_F(Report, RealHardwareNeedsFisher) {
    FakeRun host;
    host.topology = "host";
    EXPECT_EQ(make(3, 3, host).rows[0].verdict, "inconclusive");
    EXPECT_EQ(make(4, 4, host).rows[0].verdict, "fixed");
}

TEST_F(Report, FewSeedsGetAStarNotAVerdict) {
    const Comparison few = make();
    const MetricRow& idle = metric(few.rows[0], "idle_while_waiting_ms");
    EXPECT_EQ(idle.verdict, "inconclusive");
    EXPECT_EQ(idle.separated, -1);
    EXPECT_EQ(metric_verdict(idle), "inconclusive*");
    EXPECT_FALSE(star_text(few).empty());
    EXPECT_EQ(metric(make(2, 2).rows[0], "idle_while_waiting_ms").separated, 0);
    EXPECT_EQ(metric(make(8, 8).rows[0], "idle_while_waiting_ms").verdict, "better");
}

TEST_F(Report, SmallMovesAreNoChange) {
    const Comparison c = make();
    EXPECT_EQ(metric(c.rows[1], "idle_while_waiting_ms").verdict, "no change");
    EXPECT_EQ(metric(c.rows[1], "work_min_max_pct").verdict, "no change");
    EXPECT_EQ(metric(c.rows[0], "moves").verdict, "inconclusive");
}

TEST_F(Report, LostCasesFail) {
    FakeRun lost;
    lost.seed = 3;
    lost.patched = true;
    lost.lose_case = true;
    std::vector<std::string> after = put_runs("a", 2, {2, true});
    after.push_back(put("a-3.jsonl", fake_results(lost)));
    const Comparison c =
        compare(load_side(put_runs("b", 3, {}), "before"), load_side(after, "after"));
    EXPECT_EQ(c.rows[1].after.lost, 1U);
    EXPECT_EQ(c.rows[1].verdict, "inconclusive");
    EXPECT_EQ(c.warnings.size(), 1U);
    EXPECT_EQ(outcome_text(c.rows[1].after), "2/3 pass, 1 lost");
}

TEST_F(Report, TableFitsATerminal) {
    const Comparison c = make();
    const std::string table = render_table(c, {});
    EXPECT_LE(longest_line(table), 120U) << table;
    EXPECT_NE(table.find("0/3 pass"), std::string::npos);
    EXPECT_NE(table.find("fixed"), std::string::npos);
    EXPECT_EQ(table.find("moves"), std::string::npos);
    EXPECT_EQ(table.find('\x1b'), std::string::npos);
    EXPECT_NE(render_table(c, {true, false}).find("moves"), std::string::npos);
    EXPECT_NE(render_table(c, {false, true}).find("\x1b[32mfixed"), std::string::npos);
}

TEST_F(Report, LongLabelsStandAboveTheTable) {
    const Comparison c = compare(load_side(put_runs("b", 3, {}), "6.1.192-cfslb-v6.1 (step 0)"),
                                 load_side(put_runs("a", 3, {1, true}), "6.1.192 (step 1)"));
    const std::string table = render_table(c, {});
    EXPECT_LE(longest_line(table), 120U) << table;
    EXPECT_EQ(table.rfind("before: 6.1.192-cfslb-v6.1 (step 0)\nafter:  6.1.192 (step 1)\n", 0),
              0U);
}

TEST_F(Report, OneSide) {
    const Comparison c = compare(load_side(put_runs("b", 3, {}), "base"), {});
    EXPECT_EQ(c.rows[0].verdict, "fails");
    EXPECT_EQ(c.rows[1].verdict, "passes");
    const std::string table = render_table(c, {});
    EXPECT_EQ(table.find("change"), std::string::npos);
    const std::string page = html_report(c, {}, {"t", "c"});
    EXPECT_EQ(page.find("Mann-Whitney p"), std::string::npos);
    EXPECT_TRUE(nlohmann::json::accept(json_report(c, {}, {"t", "c"})));
}

TEST_F(Report, JsonHoldsRawValues) {
    const auto json = nlohmann::json::parse(json_report(make(), {}, {"title", "make demo"}));
    EXPECT_EQ(json["command"], "make demo");
    EXPECT_EQ(json["rows"][0]["verdict"], "fixed");
    const auto& idle = json["rows"][0]["metrics"][0];
    EXPECT_EQ(idle["before"]["values"][1]["seed"], 2);
    EXPECT_DOUBLE_EQ(idle["before"]["values"][1]["value"], 3988.0);
    EXPECT_NEAR(idle["mann_whitney_p"], 0.1, 1e-9);
    EXPECT_EQ(json["rows"][0]["runs"]["before"][0]["tasks_per_node"][1], 3.0);
}

TEST_F(Report, PageStandsAlone) {
    const Comparison c = make();
    check_gnuplot();
    const Pictures pictures = draw_pictures(c, dir_);
    ASSERT_EQ(pictures.size(), 1U);
    EXPECT_EQ(pictures.begin()->second.file, "local_group_imbalance-pinned_pile.svg");
    EXPECT_GT(read_file(dir_ / "summary.png").size(), 5000U);
    const std::string page = html_report(c, pictures, {"a <title>", "make demo"});
    write_file(dir_ / "report.html", page);
    for (const char* outside : {"src=", "<link", "@import", "url(http", "<script"}) {
        EXPECT_EQ(page.find(outside), std::string::npos) << outside;
    }
    EXPECT_NE(page.find("<svg"), std::string::npos);
    EXPECT_NE(page.find("a &lt;title&gt;"), std::string::npos);
    EXPECT_NE(page.find("widened to &lt;2-5&gt;"), std::string::npos);
    EXPECT_NE(page.find("never speed"), std::string::npos);
    EXPECT_NE(page.find("pinned_pile_BEFORE_1"), std::string::npos);
    EXPECT_EQ(page.find("<desc>"), std::string::npos);
}

TEST_F(Report, SameInputSameOutput) {
    const Comparison c = make();
    EXPECT_EQ(json_report(c, {}, {"t", "c"}), json_report(make(), {}, {"t", "c"}));
}

TEST_F(Report, ScriptQuotesNames) {
    Timeline timeline{20, 0, {{1, 0}, {1, 2}}};
    const std::string script = panel_script({{"it's `id` \"x\"\nquit", &timeline}}, {"0", "1"},
                                            "/tmp/x.svg", PictureFormat::kSvg);
    EXPECT_NE(script.find("'it''s `id` \"x\"?quit'"), std::string::npos);
    EXPECT_EQ(script.find("\nquit"), std::string::npos);
}

TEST(Numbers, AreShort) {
    EXPECT_EQ(short_number(4000), "4000");
    EXPECT_EQ(short_number(91.25), "91.25");
    EXPECT_EQ(short_number(0), "0");
    EXPECT_EQ(short_number(-0.0001), "0");
    EXPECT_EQ(short_number(100), "100");
    EXPECT_EQ(short_number(0.03125), "0.031");
}

}  // namespace
}  // namespace lbtools
