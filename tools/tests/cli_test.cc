// SPDX-License-Identifier: GPL-2.0
// Description: the programs as a script meets them: exit codes, messages, files.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "files.h"
#include "fixture.h"

namespace lbtools {
namespace {

namespace fs = std::filesystem;

class Cli : public TempDir {
  protected:
    // Runs a command line; stdout and stderr go to out_ and err_.
    int run(const std::string& command) {
        const std::string out = dir_ / "stdout", err = dir_ / "stderr";
        const int status = std::system(fmt::format("{} >{} 2>{}", command, out, err).c_str());
        out_ = read_file(out);
        err_ = read_file(err);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    int verdict(const std::string& arguments) { return run(LBVERDICT " " + arguments); }
    int report(const std::string& arguments) { return run(LBREPORT " " + arguments); }

    // Bad input: this code, one line on stderr that contains the part.
    void expect_refused(int code, const std::string& part) const {
        EXPECT_EQ(code, 2);
        EXPECT_EQ(std::count(err_.begin(), err_.end(), '\n'), 1) << err_;
        EXPECT_NE(err_.find(part), std::string::npos) << err_;
    }

    std::string out_, err_;
};

std::string join(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += word + " ";
    return text;
}

TEST_F(Cli, VerdictSplitsAndJudges) {
    const std::string raw = put("raw",
                                "KTAP version 1\r\n1..1\r\n  KTAP version 1\r\n  1..1\r\n"
                                "{\"type\":\"end\",\"driver\":\"a\",\"exit\":1}\r\n"
                                "  not ok 1 x\r\nnot ok 1 a # exit=1\r\n# cfslb: end\r\n");
    const std::string json = dir_ / "json", ktap = dir_ / "ktap";
    EXPECT_EQ(verdict(fmt::format("{} --json-out {} --ktap-out {}", raw, json, ktap)), 1);
    EXPECT_EQ(std::count(out_.begin(), out_.end(), '\n'), 1) << out_;
    EXPECT_EQ(read_file(json), "{\"type\":\"end\",\"driver\":\"a\",\"exit\":1}\n");
    EXPECT_EQ(read_file(ktap),
              "KTAP version 1\n1..1\n  KTAP version 1\n  1..1\n  not ok 1 x\n"
              "not ok 1 a # exit=1\n# cfslb: end\n");
    const std::string console = put("console", "Kernel panic - not syncing: x\n");
    EXPECT_EQ(verdict(raw + " --console " + console + " --qemu-exit 1"), 1);
    EXPECT_EQ(verdict(raw + " --killed-by-timeout"), 124);
    EXPECT_EQ(verdict(raw + " --expect " + put("expect", "a/x\n")), 0);
    EXPECT_EQ(verdict(put("empty", "") + " --console " + console), 10);
    EXPECT_EQ(verdict(put("empty", "")), 11);
}

TEST_F(Cli, VerdictRefusesBadInput) {
    const std::string raw = put("raw", "");
    expect_refused(verdict((dir_ / "none").string()), "none: No such file");
    expect_refused(verdict(""), "RESULTS is required");
    expect_refused(verdict(raw + " --wrong"), "--wrong");
    expect_refused(verdict(raw + " --qemu-exit 999"), "--qemu-exit");
    expect_refused(verdict(raw + " --expect " + put("expect", "# ok\nnonsense\n")), "expect:2:");
    expect_refused(verdict(raw + " --json-out " + (dir_ / "no" / "where").string()), "where");
    EXPECT_EQ(verdict("--help"), 0);
}

TEST_F(Cli, ReportMakesAllFiles) {
    const std::string out = dir_ / "out";
    ASSERT_EQ(report(fmt::format("--before {} --after {} --out {}", join(put_runs("b", 3, {})),
                                 join(put_runs("a", 3, {1, true})), out)),
              0)
        << err_;
    EXPECT_NE(out_.find("fixed"), std::string::npos);
    EXPECT_EQ(out_.find('\x1b'), std::string::npos);
    for (const char* name :
         {"report.html", "report.json", "summary.png", "local_group_imbalance-pinned_pile.svg"}) {
        EXPECT_TRUE(fs::exists(fs::path(out) / name)) << name;
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(out), fs::directory_iterator()), 4);
    const auto json = nlohmann::json::parse(read_file(out + "/report.json"));
    EXPECT_EQ(json["rows"][0]["picture_seeds"][0], 1);
}

TEST_F(Cli, ReportRefusesBadInput) {
    const std::string out = " --out " + (dir_ / "out").string();
    const std::string good = put("good", fake_results({}));
    FakeRun other;
    other.topology = "numa-2x8";
    const std::string elsewhere = put("elsewhere", fake_results(other));
    expect_refused(report("--before none" + out), "none: No such file");
    expect_refused(report("--before " + put("text", "hello\n") + out), "text:1: not JSON");
    expect_refused(report("--before " + good + " --after " + elsewhere + out),
                   "different topologies");
    expect_refused(report("--before " + good + " " + put("again", fake_results({})) + out),
                   "seed 1 appears twice");
    expect_refused(report("--before " + good), "--out is required");
    EXPECT_FALSE(fs::exists(dir_ / "out"));
}

TEST_F(Cli, ReportWithoutGnuplotSaysWhatToInstall) {
    const std::string arguments =
        fmt::format("--before {} --out {}", put("good", fake_results({})), (dir_ / "out").string());
    EXPECT_EQ(run("PATH=/nonexistent " LBREPORT " " + arguments), 3);
    EXPECT_NE(err_.find("apt-get install gnuplot-nox"), std::string::npos) << err_;
    EXPECT_EQ(run("PATH=/nonexistent " LBREPORT " --no-pictures " + arguments), 0);
}

}  // namespace
}  // namespace lbtools
