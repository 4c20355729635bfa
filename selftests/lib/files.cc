// SPDX-License-Identifier: GPL-2.0
#include "files.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "errors.h"

namespace cfslb {

Fd& Fd::operator=(Fd&& other) noexcept {
    if (this != &other) {
        reset();
        fd_ = other.release();
    }
    return *this;
}

int Fd::release() {
    int fd = fd_;
    fd_ = -1;
    return fd;
}

void Fd::reset() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
}

std::string below(const std::string& root, const std::string& path) {
    if (root.empty() || root == "/") return path;
    return root + path;
}

std::string read_file(const std::string& path) {
    Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (fd.get() < 0) throw SystemError("open", path, errno);
    std::string text;
    char buffer[4096];
    for (;;) {
        ssize_t got = read(fd.get(), buffer, sizeof(buffer));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw SystemError("read", path, errno);
        if (got == 0) return text;
        text.append(buffer, static_cast<size_t>(got));
    }
}

std::optional<std::string> read_file_if_there(const std::string& path) {
    try {
        return read_file(path);
    } catch (const SystemError& e) {
        if (e.error() == ENOENT || e.error() == ENOTDIR) return std::nullopt;
        throw;
    }
}

void write_file(const std::string& path, const std::string& text) {
    Fd fd(open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (fd.get() < 0) throw SystemError("open", path, errno);
    ssize_t put = write(fd.get(), text.data(), text.size());
    if (put < 0) throw SystemError("write \"" + text + "\" to", path, errno);
    if (static_cast<size_t>(put) != text.size()) {
        throw SystemError("write \"" + text + "\" to", path, EIO);
    }
}

std::vector<std::string> list_directory(const std::string& path) {
    std::vector<std::string> names;
    DIR* dir = opendir(path.c_str());
    if (!dir) return names;
    while (const dirent* entry = readdir(dir)) {
        std::string name = entry->d_name;
        if (name != "." && name != "..") names.push_back(name);
    }
    closedir(dir);
    std::sort(names.begin(), names.end());
    return names;
}

std::string trimmed(const std::string& text) {
    const char* blank = " \t\r\n";
    size_t first = text.find_first_not_of(blank);
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

static std::vector<std::string> split(const std::string& text, const char* separators) {
    std::vector<std::string> parts;
    size_t at = 0;
    while ((at = text.find_first_not_of(separators, at)) != std::string::npos) {
        size_t end = text.find_first_of(separators, at);
        if (end == std::string::npos) end = text.size();
        parts.push_back(text.substr(at, end - at));
        at = end;
    }
    return parts;
}

std::vector<std::string> split_words(const std::string& text) { return split(text, " \t\r\n"); }

std::vector<std::string> split_lines(const std::string& text) {
    std::vector<std::string> lines;
    size_t at = 0;
    while (at < text.size()) {
        size_t end = text.find('\n', at);
        if (end == std::string::npos) end = text.size();
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

std::optional<long> parse_number(const std::string& text, long min, long max) {
    size_t digits = text.size() > 0 && text[0] == '-' ? 1 : 0;
    if (digits == text.size()) return std::nullopt;
    if (text.find_first_not_of("0123456789", digits) != std::string::npos) return std::nullopt;
    errno = 0;
    long value = strtol(text.c_str(), nullptr, 10);
    if (errno || value < min || value > max) return std::nullopt;
    return value;
}

}  // namespace cfslb
