// SPDX-License-Identifier: GPL-2.0
// Description: what the module counted is added up over the drivers that both sides ran.
#include "counters.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "fixture.h"

namespace lbtools {
namespace {

std::string counted(const std::string& driver, long seed, double waste_ns, int wake, int newidle) {
    return fmt::format(
        R"({{"type":"counters","driver":"{}","seed":{},"waste_ns":{},"other_node":7,)"
        R"("migrations":{{"wake":{},"newidle":{},"core":0}}}})"
        "\n",
        driver, seed, waste_ns, wake, newidle);
}

class CounterTables : public TempDir {
  protected:
    // Three seeds; the counters of `lost` are missing on the last one.
    Side side(const std::string& name, double waste_ns, const std::string& lost = "") const {
        std::vector<std::string> files;
        FakeRun run;
        for (run.seed = 1; run.seed <= 3; ++run.seed) {
            std::string text = fake_results(run);
            for (const char* driver : {"even_spread", "local_group_imbalance"}) {
                if (run.seed == 3 && driver == lost) continue;
                text += counted(driver, run.seed, waste_ns, 10, static_cast<int>(run.seed));
            }
            files.push_back(put(fmt::format("{}-{}.jsonl", name, run.seed), text));
        }
        return load_side(files, name);
    }

    static std::vector<std::pair<long, double>> before_of(const CounterTable& table,
                                                          const std::string& name) {
        const auto row = std::find_if(table.rows.begin(), table.rows.end(),
                                      [&](const CounterRow& r) { return r.name == name; });
        return row == table.rows.end() ? std::vector<std::pair<long, double>>() : row->before;
    }
};

using Values = std::vector<std::pair<long, double>>;

TEST_F(CounterTables, SumsDriversOfEachSeed) {
    const Comparison both = compare(side("a", 2e6), side("b", 1e6));
    const CounterTable table = counter_table(both);
    EXPECT_EQ(table.drivers, (std::vector<std::string>{"even_spread", "local_group_imbalance"}));
    EXPECT_EQ(before_of(table, "moved: wake"), (Values{{1, 20}, {2, 20}, {3, 20}}));
    EXPECT_EQ(before_of(table, "moved: newidle"), (Values{{1, 2}, {2, 4}, {3, 6}}));
    EXPECT_EQ(before_of(table, "moved to another node"), (Values{{1, 14}, {2, 14}, {3, 14}}));
    EXPECT_EQ(before_of(table, "waste"), (Values{{1, 4}, {2, 4}, {3, 4}}));
    EXPECT_EQ(table.rows.back().after, (Values{{1, 2}, {2, 2}, {3, 2}}));
    EXPECT_TRUE(before_of(table, "moved: core").empty()) << "nothing was counted there";
}

TEST_F(CounterTables, LeavesOutDriversThatOneSideDidNotCount) {
    const Comparison both = compare(side("a", 2e6), side("b", 1e6, "even_spread"));
    EXPECT_EQ(counter_table(both).drivers, (std::vector<std::string>{"local_group_imbalance"}));
}

TEST_F(CounterTables, NothingWithoutTheModule) {
    const Comparison one = compare(load_side(put_runs("a", 2, {}), "a"), {});
    EXPECT_TRUE(counter_table(one).rows.empty());
    EXPECT_EQ(render_counters(one), "");
}

TEST_F(CounterTables, Rendered) {
    const std::string text = render_counters(compare(side("a", 2e6), side("b", 1e6)));
    EXPECT_NE(text.find("sum over 2 drivers"), std::string::npos) << text;
    EXPECT_NE(text.find("moved: newidle, tasks"), std::string::npos) << text;
    EXPECT_NE(text.find("4 (3-5)"), std::string::npos) << text;
    EXPECT_EQ(text.find("core"), std::string::npos) << text;
}

TEST_F(CounterTables, BadLines) {
    const auto error_of = [&](const std::string& line) {
        try {
            load_side({put("bad.jsonl", fake_results({}) + line)}, "a");
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    const std::string line = counted("even_spread", 1, 0, 1, 1);
    EXPECT_EQ(error_of(line), "no error");
    EXPECT_NE(error_of(line + line).find("seed 1 appears twice"), std::string::npos);
    EXPECT_NE(error_of("{\"type\":\"counters\",\"driver\":\"x\"}\n").find("waste_ns"),
              std::string::npos);
}

}  // namespace
}  // namespace lbtools
