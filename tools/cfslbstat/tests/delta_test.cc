// SPDX-License-Identifier: GPL-2.0
// Description: what happened between two reads: marks, reloads, rows that come and go.
#include "delta.h"

#include <gtest/gtest.h>

#include "reader.h"
#include "trees.h"

namespace cfslbstat {
namespace {

class DeltaTest : public Trees {
  protected:
    Snapshot tree(const std::string& name = "tree") const { return Reader(dir_ / name).read(); }
};

TEST_F(DeltaTest, CountersAreSubtracted) {
    const Snapshot early = Reader(dump("early")).read(), late = Reader(dump("late")).read();
    Differ differ(early);
    const Interval interval = differ.next(late);
    EXPECT_EQ(interval.restart, "");
    EXPECT_EQ(interval.counts.span_ns, late.t_ns - early.t_ns);
    for (const auto& [table, row, column] :
         {std::tuple("migrate", std::vector<std::string>{"5"}, "wake"),
          std::tuple("lb", std::vector<std::string>{"1", "5", "newidle"}, "calls"),
          std::tuple("waste", std::vector<std::string>{"all"}, "any_ns")}) {
        const Cell old = at(early, table, row, column), now = at(late, table, row, column);
        ASSERT_TRUE(old && now);
        EXPECT_GT(*now, *old) << table;
        EXPECT_EQ(at(interval.counts, table, row, column), Cell(*now - *old)) << table;
    }
    // Gauges are no counters.
    EXPECT_EQ(at(interval.counts, "info", {}, "cpus"), Cell(8));
    EXPECT_EQ(at(interval.counts, "nohz", {"0"}, "kick_load"), std::nullopt);
}

TEST_F(DeltaTest, AnIntervalStartsWhereTheLastOneEnded) {
    Differ differ(Reader(dump("early")).read());
    differ.next(Reader(dump("late")).read());
    const Interval again = differ.next(Reader(dump("late")).read());
    EXPECT_EQ(again.counts.span_ns, 0u);
    EXPECT_EQ(at(again.counts, "migrate", {"5"}, "wake"), Cell(0));
}

TEST_F(DeltaTest, MarkStartsAnew) {
    Differ differ(Reader(dump("late")).read());
    const Snapshot marked = Reader(dump("marked")).read();
    const Interval interval = differ.next(marked);
    EXPECT_NE(interval.restart.find("mark"), std::string::npos) << interval.restart;
    EXPECT_EQ(at(interval.counts, "distance", {"wake"}, "same_llc"), Cell(1));
    EXPECT_EQ(interval.counts.span_ns, marked.t_ns - marked.epoch.start_ns);
    EXPECT_EQ(differ.next(marked).restart, "");
}

TEST_F(DeltaTest, ReloadInTheSameEpochStartsAnew) {
    // Both are epoch 1, and not all counters of the later one are smaller.
    Differ differ(Reader(dump("late")).read());
    const Interval interval = differ.next(Reader(dump("reloaded")).read());
    EXPECT_NE(interval.restart.find("loaded again"), std::string::npos) << interval.restart;
    EXPECT_EQ(at(interval.counts, "distance", {"wake"}, "same_llc"), Cell(30));
}

TEST_F(DeltaTest, CounterThatGoesBackLosesTheInterval) {
    copy("late");
    Differ differ(tree());
    set("migrate", {"5"}, "wake", "3");
    const Interval interval = differ.next(tree());
    EXPECT_NE(interval.restart.find("migrate went back"), std::string::npos) << interval.restart;
    EXPECT_EQ(at(interval.counts, "migrate", {"5"}, "wake"), std::nullopt);
    EXPECT_EQ(at(interval.counts, "waste", {"all"}, "any_ns"), std::nullopt);
    set("migrate", {"5"}, "wake", "7");
    EXPECT_EQ(at(differ.next(tree()).counts, "migrate", {"5"}, "wake"), Cell(4));
}

TEST_F(DeltaTest, PlacementMayFallForAMoment) {
    copy("late");
    Differ differ(tree());
    set("place", {"2", "wake"}, "kept_prev", "4779");  // was 4780: one turned out to move
    const Interval interval = differ.next(tree());
    EXPECT_EQ(interval.restart, "");
    EXPECT_EQ(at(interval.counts, "place", {"2", "wake"}, "kept_prev"), Cell(0));
}

TEST_F(DeltaTest, NewRowsCountFromZero) {
    copy("late");
    edit("lb", [](Fields* lines) { lines->erase(lines->begin() + 1); });
    Differ differ(tree());
    copy("late");
    const Interval interval = differ.next(tree());
    EXPECT_EQ(at(interval.counts, "lb", {"0", "2", "busy"}, "calls"), Cell(119));
}

TEST_F(DeltaTest, CpuThatReturnsIsNoLeap) {
    copy("late");
    Differ differ(tree());
    edit("migrate", [](Fields* lines) { lines->pop_back(); });
    EXPECT_EQ(differ.next(tree()).counts.find("migrate")->rows.size(), 7u);
    EXPECT_EQ(differ.next(tree()).counts.find("migrate")->rows.size(), 7u);
    copy("late");
    set("migrate", {"7"}, "wake", "35");  // was 33
    const Interval back = differ.next(tree());
    EXPECT_EQ(at(back.counts, "migrate", {"7"}, "wake"), Cell(2));
    EXPECT_EQ(at(back.counts, "migrate", {"7"}, "newidle"), Cell(0));
}

TEST_F(DeltaTest, NameOfALevelIsNoKey) {
    copy("late");
    Differ differ(tree());
    edit("lb", [](Fields* lines) {
        for (std::size_t i = 1; i < lines->size(); ++i) lines->at(i).at(3) = "PKG";
    });
    EXPECT_EQ(at(differ.next(tree()).counts, "lb", {"0", "2", "busy"}, "calls"), Cell(0));
}

TEST_F(DeltaTest, PartlyMeasuredIntervalIsAbsent) {
    copy("late");
    set("waste", {"all"}, "any_ns", "-");
    Differ differ(tree());
    copy("late");
    EXPECT_EQ(at(differ.next(tree()).counts, "waste", {"all"}, "any_ns"), std::nullopt);
    EXPECT_EQ(at(differ.next(tree()).counts, "waste", {"all"}, "any_ns"), Cell(0));
}

TEST_F(DeltaTest, SourceThatIsOffMeasuresNothing) {
    copy("late");
    for (const char* const group : {"waste", "place_wake"}) {
        set("caps", {group}, "state", "off");
    }
    Differ differ(tree());
    const Interval off = differ.next(tree());
    EXPECT_EQ(at(off.counts, "waste", {"all"}, "any_ns"), std::nullopt);
    EXPECT_EQ(at(off.counts, "place", {"0", "wake"}, "total"), std::nullopt);
    EXPECT_EQ(at(off.counts, "place", {"0", "fork"}, "total"), Cell(0));
    EXPECT_EQ(at(off.counts, "waitlat", {"fork", "same_core"}, "more"), Cell(0));
}

TEST_F(DeltaTest, SourceThatWasOnInBetweenCounts) {
    copy("late");
    set("caps", {"waste"}, "state", "off");
    Differ differ(tree());
    set("waste", {"all"}, "any_ns", "304558946");  // was one less
    const Interval interval = differ.next(tree());
    EXPECT_EQ(at(interval.counts, "waste", {"all"}, "any_ns"), Cell(1));
    EXPECT_EQ(at(interval.counts, "waste", {"0"}, "any_ns"), Cell(0));
}

TEST_F(DeltaTest, FileThatAppearsHasNoBase) {
    copy("late");
    std::filesystem::remove(dir_ / "tree" / "numa");
    Differ differ(tree());
    copy("late");
    EXPECT_EQ(at(differ.next(tree()).counts, "numa", {"0", "1"}, "swap_done"), std::nullopt);
    EXPECT_EQ(at(differ.next(tree()).counts, "numa", {"0", "1"}, "swap_done"), Cell(0));
}

}  // namespace
}  // namespace cfslbstat
