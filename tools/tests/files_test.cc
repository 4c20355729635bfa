// SPDX-License-Identifier: GPL-2.0
// Description: files are replaced whole, links and devices are written through.
#include "files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

namespace lbtools {
namespace {

namespace fs = std::filesystem;

class Files : public ::testing::Test {
  protected:
    void SetUp() override {
        char name[] = "/tmp/lbtools-files-XXXXXX";
        ASSERT_NE(mkdtemp(name), nullptr);
        dir_ = name;
    }
    void TearDown() override { fs::remove_all(dir_); }

    fs::path dir_;
};

TEST_F(Files, ReplacesTheWholeFile) {
    const std::string path = dir_ / "a";
    write_file(path, "a longer first text");
    write_file(path, "short");
    EXPECT_EQ(read_file(path), "short");
    EXPECT_FALSE(fs::exists(path + ".tmp"));
}

TEST_F(Files, WritesThroughALink) {
    write_file(dir_ / "target", "old");
    fs::create_symlink(dir_ / "target", dir_ / "link");
    write_file(dir_ / "link", "new");
    EXPECT_TRUE(fs::is_symlink(dir_ / "link"));
    EXPECT_EQ(read_file(dir_ / "target"), "new");
}

TEST_F(Files, ErrorsCarryPathAndReason) {
    try {
        read_file(dir_ / "none");
        FAIL();
    } catch (const std::system_error& error) {
        EXPECT_EQ(error.code().value(), ENOENT);
        EXPECT_NE(std::string(error.what()).find("none: No such file"), std::string::npos);
    }
    EXPECT_THROW(read_file(dir_), std::system_error);
    EXPECT_THROW(write_file("/dev/full", "x"), std::system_error);
}

}  // namespace
}  // namespace lbtools
