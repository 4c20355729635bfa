// SPDX-License-Identifier: GPL-2.0
// Description: sums, percentiles, and figures as text.
#include "summary.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "delta.h"
#include "reader.h"
#include "text.h"
#include "trees.h"

namespace cfslbstat {
namespace {

Summary summary_of(const std::string& name) { return summarize(Reader(dump(name)).read()); }

// Expected sums were taken from the dumps with awk.
TEST(Summary, AddsUpADump) {
    const Summary late = summary_of("late");
    EXPECT_EQ(sum(late.migrations, "tasks"), Cell(496));
    EXPECT_EQ(cell(late.migrations, "newidle", "tasks"), Cell(192));
    EXPECT_EQ(cell(late.migrations, "newidle", "remote_near"), Cell(98));
    EXPECT_EQ(remote_moves(late.migrations), Cell(159));
    EXPECT_EQ(cell(late.nodes, "0", "moved_in"), Cell(236));
    EXPECT_EQ(cell(late.nodes, "1", "moved_in"), Cell(260));
    EXPECT_EQ(cell(late.nodes, "1", "cpus"), Cell(4));
    EXPECT_EQ(
        plus(cell(late.nodes, "0", "from_other_nodes"), cell(late.nodes, "1", "from_other_nodes")),
        Cell(159));
    EXPECT_EQ(cell(late.balance_all, "calls"), Cell(2761));
    EXPECT_EQ(late.balance.rows.size(), 6u);
    EXPECT_EQ(late.balance.rows[2].labels, (std::vector<std::string>{"2", "newidle", "MC"}));
    EXPECT_EQ(cell(late.newidle, "tries"), Cell(29119));
    EXPECT_EQ(cell(late.numa, "swap_done"), Cell(4));
    EXPECT_EQ(cell(late.placement, "fork", "moved"), Cell(94));
    EXPECT_EQ(cell(late.waste, "all", "idle_with_queue_ns"), Cell(378465233));
    EXPECT_EQ(late.all_waits.tasks, Cell(29496));
}

TEST(Summary, AbsentStaysAbsent) {
    const Summary low = summary_of("reloaded");
    EXPECT_EQ(cell(low.waste, "all", "any_ns"), std::nullopt);
    EXPECT_EQ(low.all_waits.tasks, std::nullopt);
    EXPECT_EQ(low.all_waits.at[0], std::nullopt);
    EXPECT_EQ(cell(low.placement, "wake", "total"), std::nullopt);
    EXPECT_EQ(cell(low.placement, "fork", "total"), Cell(47));
    EXPECT_EQ(cell(low.balance_all, "imb_load_n"), std::nullopt);
    EXPECT_EQ(cell(low.nohz, "kick_llc"), std::nullopt);
}

class SummaryTest : public Trees {
  protected:
    Snapshot tree() const { return Reader(dir_ / "tree").read(); }
    void no_passes() const {
        edit("lb", [](Fields* lines) { lines->resize(1); });
    }
};

TEST_F(SummaryTest, OneAbsentPartMakesASumAbsent) {
    copy("late");
    set("newidle", {"3"}, "pulled", "-");
    EXPECT_EQ(cell(summarize(tree()).newidle, "pulled"), std::nullopt);
    EXPECT_EQ(cell(summarize(tree()).newidle, "tries"), Cell(29119));
}

TEST_F(SummaryTest, NoPassIsZeroOnlyWhereTheProbeIsOn) {
    copy("late");
    no_passes();
    EXPECT_EQ(cell(summarize(tree()).balance_all, "calls"), Cell(0));
    for (const char* const column : {"imb_load_n", "no_group", "unexplained"}) {
        EXPECT_EQ(cell(summarize(tree()).balance_all, column), std::nullopt) << column;
    }
    set("info", {}, "lb", "off");
    EXPECT_EQ(cell(summarize(tree()).balance_all, "calls"), std::nullopt);
}

TEST_F(SummaryTest, PercentilesAreBoundsOfTheirBucket) {
    copy("late");
    edit("waitlat", [](Fields* lines) {
        for (std::size_t i = 1; i < lines->size(); ++i) {
            std::fill(lines->at(i).begin() + 2, lines->at(i).end(), "0");
        }
        auto& row = lines->at(1);
        row[2] = "50";              // lt_256
        row[4] = "49";              // lt_1024
        row[row.size() - 1] = "1";  // more
    });
    const Latency all = summarize(tree()).all_waits;
    EXPECT_EQ(all.tasks, Cell(100));
    EXPECT_EQ(all.at[0]->ge_ns, 0u);
    EXPECT_EQ(all.at[0]->lt_ns, Cell(256));
    EXPECT_EQ(all.at[1]->ge_ns, 512u);
    EXPECT_EQ(all.at[1]->lt_ns, Cell(1024));
    EXPECT_EQ(all.at[2]->lt_ns, Cell(1024));  // 99 of 100 do not exceed it
    EXPECT_EQ(all.at[4]->ge_ns, 17179869184u);
    EXPECT_EQ(all.at[4]->lt_ns, std::nullopt);
    EXPECT_EQ(wait_text(all.at[4]), ">=17s");
}

TEST(Text, Figures) {
    EXPECT_EQ(count_text(std::nullopt, 9), "-");
    EXPECT_EQ(count_text(0, 9), "0");
    EXPECT_EQ(count_text(123456789, 9), "123456789");
    EXPECT_EQ(count_text(1234567890, 9), "1.23G");
    EXPECT_EQ(count_text(999999999999, 6), "1.00T");
    EXPECT_EQ(rate_text(5, 2000000000), "2.5");
    EXPECT_EQ(rate_text(0, 1000000000), "0");
    EXPECT_EQ(rate_text(5, 0), "-");
    EXPECT_EQ(rate_text(std::nullopt, 1), "-");
    EXPECT_EQ(time_text(999), "999ns");
    EXPECT_EQ(time_text(1500), "1.50us");
    EXPECT_EQ(time_text(34500000), "34.5ms");
    EXPECT_EQ(time_text(0), "0");
    EXPECT_EQ(time_text(std::nullopt), "-");
    EXPECT_EQ(wait_text(WaitBound{8192, 16384}), "<16us");
    EXPECT_EQ(wait_text(WaitBound{512, 1024}), "<1.0us");
    EXPECT_EQ(wait_text(std::nullopt), "-");
    EXPECT_EQ(percent_text(1, 0), "-");
    EXPECT_EQ(percent_text(1, 3), "33");
    EXPECT_EQ(ratio_text(1, 0, 2), "-");
}

// No line is wider than a usual window, whatever the counters come to: short figures may be
// given in full, long ones are abbreviated.
TEST_F(SummaryTest, TableAndLinesFit) {
    for (const auto& [name, figure] :
         {std::pair("late", "123456789012345"), std::pair("late", "123456"),
          std::pair("series", "123456789012345"), std::pair("series", "123456")}) {
        SCOPED_TRACE(fmt::format("{} {}", name, figure));
        copy(name);
        for (const char* const file : {"migrate", "distance", "matrix", "place", "lb", "newidle",
                                       "nohz", "numa", "waste", "waitlat"}) {
            edit(file, [figure = figure](Fields* lines) {
                for (std::size_t i = 1; i < lines->size(); ++i) {
                    auto& row = lines->at(i);
                    for (std::size_t j = 0; j < row.size(); ++j) {
                        // Labels stay: they are among the first fields, and short.
                        if ((j >= 4 || row[j].size() > 1) &&
                            row[j].find_first_not_of("0123456789") == std::string::npos) {
                            row[j] = figure;
                        }
                    }
                }
            });
        }
        const Summary summary = summarize(tree());
        std::istringstream table(render_table(summary, "since the module was loaded"));
        int lines = 0;
        for (std::string line; std::getline(table, line); ++lines) {
            EXPECT_LE(line.size(), 100u) << line;
        }
        EXPECT_GT(lines, 40);
        EXPECT_LE(live_header().size(), 100u);
        EXPECT_EQ(live_line(summary, 1).size(), live_header().size());
    }
}

TEST(Text, TableSaysWhatIsNotMeasured) {
    const std::string low = render_table(summary_of("reloaded"), "x");
    EXPECT_NE(low.find("echo level 2"), std::string::npos) << low;
    const std::string high = render_table(summary_of("late"), "x");
    EXPECT_EQ(high.find("echo level 2"), std::string::npos) << high;
    EXPECT_NE(high.find("  newidle             192"), std::string::npos) << high;
}

TEST_F(SummaryTest, TableSaysThatReasonsAreInferred) {
    copy("late");
    EXPECT_EQ(render_table(summarize(tree()), "x").find("inferred"), std::string::npos);
    set("caps", {"reason"}, "exact", "inferred");
    EXPECT_NE(render_table(summarize(tree()), "x").find("while lb is off"), std::string::npos);
    set("caps", {"reason"}, "exact", "mixed");
    EXPECT_NE(render_table(summarize(tree()), "x").find("where lb was off"), std::string::npos);
}

TEST(Text, ReasonsThatDidNotHappenFitToo) {
    std::istringstream table(render_table(summary_of("marked"), "x"));
    bool seen = false;
    for (std::string line; std::getline(table, line);) {
        EXPECT_LE(line.size(), 100u) << line;
        seen |= line.find("        ") == 0 && line.find("rt_dl other") != std::string::npos;
    }
    EXPECT_TRUE(seen);
}

TEST(Text, LiveLineOfAnInterval) {
    Differ differ(Reader(dump("early")).read());
    const Interval interval = differ.next(Reader(dump("late")).read());
    const Summary summary = summarize(interval.counts);
    std::istringstream names(live_header()), values(live_line(summary, 2));
    std::vector<std::pair<std::string, std::string>> cells;
    for (std::string name, value; names >> name && values >> value;)
        cells.emplace_back(name, value);
    ASSERT_EQ(cells.size(), 14u);
    EXPECT_EQ(cells[0].second, "2.0");
    EXPECT_EQ(cells[1].second,
              rate_text(sum(summary.migrations, "tasks"), interval.counts.span_ns));
    EXPECT_NE(cells[1].second, "0");
    EXPECT_EQ(cells[12].second.front(), '<');
}

}  // namespace
}  // namespace cfslbstat
