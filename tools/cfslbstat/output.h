// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <cstdio>
#include <memory>
#include <string>

namespace cfslbstat {

// A line at a time to a file or a stream. Throws SetupError if it cannot be written.
class Lines {
  public:
    // `path` empty: to `stream`.
    Lines(const std::string& path, std::FILE* stream);
    void put(const std::string& line);

  private:
    struct Closer {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, Closer> file_;
    std::FILE* to_;
    std::string name_;
};

// All at once: a reader of the file sees the old text or the new one.
void put_whole(const std::string& path, std::FILE* stream, const std::string& text);

}  // namespace cfslbstat
