// SPDX-License-Identifier: GPL-2.0
//
// Runs the command that is measured.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "signals.h"

namespace cfslbstat {

class Command {
  public:
    // Starts a process that waits for run(): its start is not part of what is measured.
    Command(std::vector<std::string> words, Signals* signals);
    // Nothing is left behind.
    ~Command();
    Command(const Command&) = delete;
    Command& operator=(const Command&) = delete;

    // Runs it to its end. Signals that reach only this program are passed on.
    // Return: its exit code; 128 + number for a signal; 126, 127: it could not be started, and
    // error() says why.
    int run();
    const std::string& error() const { return error_; }

  private:
    [[noreturn]] void child(int gate, int report);
    bool started(int* code);

    std::vector<std::string> words_;
    Signals* signals_;
    pid_t pid_ = -1;
    int gate_ = -1;    // closed: go
    int report_ = -1;  // errno of an exec that failed
    std::string error_;
};

}  // namespace cfslbstat
