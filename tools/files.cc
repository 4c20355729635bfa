// SPDX-License-Identifier: GPL-2.0
#include "files.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace lbtools {
namespace {

[[noreturn]] void fail(const std::string& path, int error) {
    throw std::system_error(error, std::generic_category(), path);
}

struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

}  // namespace

std::string read_file(const std::string& path) {
    const File file(std::fopen(path.c_str(), "rb"));
    if (!file) fail(path, errno);
    std::string content;
    char buffer[65536];
    std::size_t got = 0;
    while ((got = std::fread(buffer, 1, sizeof(buffer), file.get())) > 0) {
        content.append(buffer, got);
    }
    if (std::ferror(file.get()) != 0) fail(path, errno);
    return content;
}

void write_file(const std::string& path, std::string_view content) {
    struct stat info = {};
    // Renaming would replace a device, a pipe or a link (/dev/stdout is one, even when it leads
    // to a regular file) instead of writing to it.
    const bool special = lstat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
    const std::string target = special ? path : path + ".tmp";
    File file(std::fopen(target.c_str(), "wb"));
    if (!file) fail(path, errno);
    const bool written =
        std::fwrite(content.data(), 1, content.size(), file.get()) == content.size();
    int error = written ? 0 : errno;
    if (std::fclose(file.release()) != 0 && error == 0) error = errno;
    if (error == 0 && !special && std::rename(target.c_str(), path.c_str()) != 0) error = errno;
    if (error != 0) {
        if (!special) std::remove(target.c_str());
        fail(path, error);
    }
}

}  // namespace lbtools
