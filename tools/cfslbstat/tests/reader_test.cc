// SPDX-License-Identifier: GPL-2.0
// Description: the module's files as tables; columns by name, absent cells, damage.
#include "reader.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "files.h"
#include "trees.h"

namespace cfslbstat {
namespace {

class ReaderTest : public Trees {
  protected:
    Snapshot read() const { return Reader(dir_ / "tree").read(); }

    // Reading fails with InputError, and the message has this part.
    void expect_refused(const std::string& part) const {
        try {
            read();
            FAIL() << "read without an error";
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
        }
    }
};

TEST_F(ReaderTest, ReadsADump) {
    const Snapshot snapshot = Reader(dump("late")).read();
    EXPECT_EQ(snapshot.kernel, "6.1.192");
    EXPECT_EQ(snapshot.epoch.number, 1u);
    EXPECT_EQ(snapshot.tables.size(), 12u);
    const Table* const migrate = snapshot.find("migrate");
    ASSERT_NE(migrate, nullptr);
    EXPECT_EQ(migrate->rows.size(), 8u);
    EXPECT_EQ(migrate->labels.size(), 2u);
    EXPECT_EQ(migrate->values.size(), 14u);
    EXPECT_EQ(migrate->scope, "destination CPU");
    EXPECT_EQ(snapshot.t_ns - snapshot.epoch.start_ns, snapshot.span_ns);
}

TEST_F(ReaderTest, AbsentIsNotZero) {
    const Snapshot snapshot = Reader(dump("reloaded")).read();
    EXPECT_EQ(at(snapshot, "place", {"0", "wake"}, "total"), std::nullopt);
    EXPECT_EQ(at(snapshot, "place", {"0", "fork"}, "total"), Cell(0));
    EXPECT_EQ(at(snapshot, "nohz", {"0"}, "kick_load"), std::nullopt);
}

TEST_F(ReaderTest, ColumnsAreFoundByName) {
    copy("late");
    const Snapshot before = read();
    edit("migrate", [](Fields* lines) {
        for (auto& line : *lines) std::swap(line[2], line[4]);  // wake, newidle
    });
    const Snapshot after = read();
    for (const char* const column : {"wake", "newidle"}) {
        EXPECT_EQ(at(before, "migrate", {"3"}, column), at(after, "migrate", {"3"}, column));
    }
}

TEST_F(ReaderTest, UnknownColumnsFilesAndKindsAreTolerated) {
    copy("late");
    edit("migrate", [](Fields* lines) {
        for (auto& line : *lines) line.push_back(&line == &lines->front() ? "magic" : "text");
    });
    edit("schema", [](Fields* lines) {
        lines->push_back({"migrate", "magic", "histogram", "-", "destination CPU", "unknown kind"});
        lines->push_back({"pixels", "a", "counter", "-", "screen", "not even text"});
        lines->push_back({"missing", "a", "counter", "-", "thing", "not there"});
        lines->push_back({"future", "who", "label", "-", "thing", "a label"});
        lines->push_back({"future", "n", "counter", "tasks", "thing", "a counter"});
    });
    lbtools::write_file(dir_ / "tree" / "pixels", std::string("\0\1\2\n", 4));
    lbtools::write_file(dir_ / "tree" / "future",
                        "cfslb future abi=1 epoch=1 t_ns=9 new=x kernel=7\nwho\tn\nme\t4\n");
    const Snapshot snapshot = read();
    EXPECT_EQ(at(snapshot, "migrate", {"0"}, "wake"), Cell(21));
    EXPECT_EQ(snapshot.find("migrate")->value_at("magic"), std::nullopt);
    EXPECT_EQ(snapshot.find("pixels"), nullptr);
    EXPECT_EQ(snapshot.find("missing"), nullptr);
    EXPECT_EQ(at(snapshot, "future", {"me"}, "n"), Cell(4));
}

TEST_F(ReaderTest, OtherAbiIsRefused) {
    copy("late");
    set_heading("abi=1", "abi=2");
    expect_refused("abi 2, but this cfslbstat reads abi 1");
}

TEST_F(ReaderTest, DamageIsNamed) {
    copy("late");
    set("migrate", {"2"}, "wake", "12x");
    expect_refused("migrate:5: column wake: '12x' is no number");
    copy("late");
    set("migrate", {"2"}, "wake", "99999999999999999999");
    expect_refused("migrate:5: column wake");
    copy("late");
    edit("lb", [](Fields* lines) { lines->at(1).pop_back(); });
    expect_refused("lb:3: 25 fields for 26 columns");
    copy("late");
    const std::string waste = dir_ / "tree" / "waste";
    lbtools::write_file(waste, lbtools::read_file(waste).substr(0, 150));
    expect_refused("waste:1: cut off");
    lbtools::write_file(waste, "");
    expect_refused("waste:1: empty");
    lbtools::write_file(waste, "hello\n");
    expect_refused("waste:1: no line 'cfslb waste");
}

TEST_F(ReaderTest, SumBelowZeroForAMomentIsZero) {
    copy("late");
    set("place", {"2", "wake"}, "kept_prev", "18446744073709551615");
    EXPECT_EQ(at(read(), "place", {"2", "wake"}, "kept_prev"), Cell(0));
}

TEST_F(ReaderTest, MissingFolderMeansNoModule) {
    EXPECT_THROW(Reader(dir_ / "none").read(), GoneError);
    copy("late");
    std::filesystem::remove(dir_ / "tree" / "info");
    EXPECT_THROW(read(), GoneError);
}

TEST_F(ReaderTest, EpochThatChangesWithinEveryReadIsAnError) {
    copy("late");
    std::string text = lbtools::read_file(dir_ / "tree" / "matrix");
    text.replace(text.find("epoch=1"), 7, "epoch=2");
    lbtools::write_file(dir_ / "tree" / "matrix", text);
    EXPECT_THROW(read(), SetupError);
}

}  // namespace
}  // namespace cfslbstat
