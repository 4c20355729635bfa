// SPDX-License-Identifier: GPL-2.0
// Typed errors of the harness. They carry path and errno, and none leaves main().
#ifndef CFSLB_ERRORS_H
#define CFSLB_ERRORS_H

#include <cstring>
#include <stdexcept>
#include <string>

namespace cfslb {

// A system call failed. what() reads "cannot OPERATION PATH: strerror".
class SystemError : public std::runtime_error {
  public:
    SystemError(const std::string& operation, const std::string& path, int error)
        : std::runtime_error("cannot " + operation + (path.empty() ? "" : " " + path) + ": " +
                             strerror(error)),
          path_(path),
          error_(error) {}
    const std::string& path() const { return path_; }
    int error() const { return error_; }

  private:
    std::string path_;
    int error_;
};

// A file was read but does not say what it should. what() reads "PATH: PROBLEM".
class FormatError : public std::runtime_error {
  public:
    FormatError(const std::string& path, const std::string& problem)
        : std::runtime_error(path + ": " + problem), path_(path) {}
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

// The box lacks something that the case needs: the case is skipped, the text names what is missing.
class Skip : public std::runtime_error {
  public:
    explicit Skip(const std::string& missing) : std::runtime_error(missing) {}
};

// SIGINT or SIGTERM arrived: unwind, so that workers and cgroups are removed.
class Interrupted : public std::runtime_error {
  public:
    Interrupted() : std::runtime_error("interrupted by a signal") {}
};

}  // namespace cfslb

#endif
