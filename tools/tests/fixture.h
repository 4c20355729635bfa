// SPDX-License-Identifier: GPL-2.0
//
// Makes result files as the drivers write them, for tests without a kernel.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace lbtools {

// What one made-up guest run reports: two drivers on 16 CPUs and 4 nodes.
struct FakeRun {
    long seed = 1;
    bool patched = false;  // local_group_imbalance passes, no CPU idles
    std::string kernel = "6.1.192";
    std::string topology = "numa-4x4";
    bool lose_case = false;  // the second driver ends before it reports
};

// The run as JSON lines.
std::string fake_results(const FakeRun& run);

// A folder of its own for each test, removed at the end unless LBTOOLS_KEEP is set:
// then the folder is $LBTOOLS_KEEP/TEST and stays, to be looked at.
class TempDir : public ::testing::Test {
  protected:
    void SetUp() override;
    void TearDown() override;

    // Writes a file into the folder and returns its path.
    std::string put(const std::string& name, const std::string& content) const;
    // Results of seeds 1 to n, one file each.
    std::vector<std::string> put_runs(const std::string& name, int n, FakeRun run) const;

    std::filesystem::path dir_;
};

}  // namespace lbtools
