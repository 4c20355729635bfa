// SPDX-License-Identifier: GPL-2.0
// Fake trees of kernel files in a temporary directory.
#ifndef CFSLB_UNIT_FIXTURE_H
#define CFSLB_UNIT_FIXTURE_H

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

class TempTree {
  public:
    TempTree() {
        char name[] = "/tmp/cfslb-unit-XXXXXX";
        root_ = mkdtemp(name);
    }
    ~TempTree() { std::filesystem::remove_all(root_); }
    TempTree(const TempTree&) = delete;
    TempTree& operator=(const TempTree&) = delete;

    const std::string& root() const { return root_; }
    std::string path(const std::string& name) const { return root_ + name; }
    void file(const std::string& name, const std::string& content) const {
        std::filesystem::path at(root_ + name);
        std::filesystem::create_directories(at.parent_path());
        std::ofstream(at) << content;
    }
    void remove(const std::string& name) const { std::filesystem::remove_all(root_ + name); }
    std::string read(const std::string& name) const {
        std::ifstream in(root_ + name);
        return {std::istreambuf_iterator<char>(in), {}};
    }

  private:
    std::string root_;
};

#endif
