// SPDX-License-Identifier: GPL-2.0
#include "output.h"

#include <cerrno>
#include <cstring>
#include <system_error>

#include "files.h"
#include "model.h"

namespace cfslbstat {
namespace {

void write_all(std::FILE* stream, const std::string& name, const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), stream) != text.size() ||
        std::fflush(stream) != 0) {
        throw SetupError(name + ": " + std::strerror(errno));
    }
}

std::string name_of(std::FILE* stream) { return stream == stderr ? "stderr" : "stdout"; }

}  // namespace

Lines::Lines(const std::string& path, std::FILE* stream) : to_(stream), name_(path) {
    if (path.empty()) {
        name_ = name_of(stream);
        return;
    }
    file_.reset(std::fopen(path.c_str(), "we"));
    if (!file_) throw SetupError(path + ": " + std::strerror(errno));
    to_ = file_.get();
}

void Lines::put(const std::string& line) { write_all(to_, name_, line + "\n"); }

void put_whole(const std::string& path, std::FILE* stream, const std::string& text) {
    if (path.empty()) return write_all(stream, name_of(stream), text);
    try {
        lbtools::write_file(path, text);
    } catch (const std::system_error& error) {
        throw SetupError(error.what());
    }
}

}  // namespace cfslbstat
