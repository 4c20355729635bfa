// SPDX-License-Identifier: GPL-2.0
// Small files of sysfs, procfs and cgroupfs: whole-file read and write, directory lists.
#ifndef CFSLB_FILES_H
#define CFSLB_FILES_H

#include <optional>
#include <string>
#include <vector>

namespace cfslb {

// A file descriptor with one owner.
class Fd {
  public:
    explicit Fd(int fd = -1) : fd_(fd) {}
    ~Fd() { reset(); }
    Fd(Fd&& other) noexcept : fd_(other.release()) {}
    Fd& operator=(Fd&& other) noexcept;
    Fd(const Fd&) = delete;
    Fd& operator=(const Fd&) = delete;
    int get() const { return fd_; }
    int release();
    void reset();

  private:
    int fd_;
};

// ROOT and an absolute path joined: ("/", "/proc/stat") is "/proc/stat".
std::string below(const std::string& root, const std::string& path);

// Whole content. Throws SystemError.
std::string read_file(const std::string& path);

// Whole content, or nothing when there is no such file. Throws SystemError on any other error.
std::optional<std::string> read_file_if_there(const std::string& path);

// Writes TEXT to an existing file in one write(2), as kernel files want it. Throws SystemError.
void write_file(const std::string& path, const std::string& text);

// Names in a directory without "." and "..", sorted; empty when there is no such directory.
std::vector<std::string> list_directory(const std::string& path);

std::string trimmed(const std::string& text);
std::vector<std::string> split_words(const std::string& text);
std::vector<std::string> split_lines(const std::string& text);

// A whole decimal number within [MIN, MAX], or nothing: no sign but '-', no trailing text.
std::optional<long> parse_number(const std::string& text, long min, long max);

}  // namespace cfslb

#endif
