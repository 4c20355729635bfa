// SPDX-License-Identifier: GPL-2.0
#include "lib/waste.h"

#include <gtest/gtest.h>

#include "fixture.h"
#include "lib/errors.h"

namespace cfslb {
namespace {

constexpr char kPath[] = "/sys/kernel/debug/cfslb/waste";

std::string waste_file(const std::string& rows) {
    return "cfslb waste abi=1 epoch=1 t_ns=5 kernel=6.1.0\n"
           "node\tany_ns\tidle_with_queue_ns\n" +
           rows;
}

TEST(Waste, RowOfAllCpusInMs) {
    TempTree tree;
    tree.file(kPath, waste_file("0\t1\t7000000\nall\t1\t12500000\n"));
    EXPECT_EQ(read_waste_ms(tree.root()), 12.5);
}

TEST(Waste, NothingWithoutModuleOrLevel) {
    TempTree tree;
    EXPECT_FALSE(read_waste_ms(tree.root()));
    tree.file(kPath, waste_file("0\t-\t-\nall\t-\t-\n"));
    EXPECT_FALSE(read_waste_ms(tree.root()));
}

TEST(Waste, RejectsOtherText) {
    TempTree tree;
    for (const std::string& text :
         {std::string(), std::string("cfslb waste abi=1\n"), waste_file("0\t1\t7\n"),
          waste_file("all\t1\n"), waste_file("all\t1\tmany\n"),
          std::string("cfslb waste abi=1\nnode\tother\nall\t1\n")}) {
        tree.file(kPath, text);
        EXPECT_THROW(read_waste_ms(tree.root()), FormatError) << text;
    }
}

}  // namespace
}  // namespace cfslb
