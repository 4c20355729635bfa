// SPDX-License-Identifier: GPL-2.0
#include "command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace cfslbstat {
namespace {

// Codes of env(1), timeout(1) and the shell.
constexpr int kNotExecutable = 126, kNotFound = 127;

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

void close_fd(int* fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

}  // namespace

Command::Command(std::vector<std::string> words, Signals* signals)
    : words_(std::move(words)), signals_(signals) {
    int gate[2], report[2];
    if (pipe2(gate, O_CLOEXEC) != 0) fail("pipe");
    if (pipe2(report, O_CLOEXEC) != 0) fail("pipe");
    pid_ = fork();
    if (pid_ < 0) fail("fork");
    if (pid_ == 0) {
        close(gate[1]);
        close(report[0]);
        child(gate[0], report[1]);
    }
    close(gate[0]);
    close(report[1]);
    gate_ = gate[1];
    report_ = report[0];
}

Command::~Command() {
    if (pid_ > 0) {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    close_fd(&gate_);
    close_fd(&report_);
}

void Command::child(int gate, int report) {
    std::vector<char*> argv;
    for (std::string& word : words_) argv.push_back(word.data());
    argv.push_back(nullptr);
    char go = 0;
    // An end without a byte: the parent gave up.
    if (read(gate, &go, 1) != 1) _exit(0);
    sigprocmask(SIG_SETMASK, &signals_->old_mask(), nullptr);
    execvp(argv[0], argv.data());
    const int error = errno;
    if (write(report, &error, sizeof(error)) != sizeof(error)) _exit(kNotFound);
    _exit(error == ENOENT ? kNotFound : kNotExecutable);
}

// False: exec failed, and *code is the exit code.
bool Command::started(int* code) {
    int error = 0;
    ssize_t got = 0;
    do {
        got = read(report_, &error, sizeof(error));
    } while (got < 0 && errno == EINTR);
    if (got != sizeof(error)) return true;
    error_ = fmt::format("{}: {}", words_[0], std::strerror(error));
    *code = error == ENOENT ? kNotFound : kNotExecutable;
    return false;
}

int Command::run() {
    if (write(gate_, "", 1) != 1) fail("cannot start the command");
    int code = 0;
    const bool is_started = started(&code);
    for (;;) {
        int status = 0;
        const pid_t ended = waitpid(pid_, &status, WNOHANG);
        if (ended == pid_) {
            pid_ = -1;
            if (!is_started) return code;
            return WIFSIGNALED(status) ? exit_code_of_signal(WTERMSIG(status))
                                       : WEXITSTATUS(status);
        }
        if (ended < 0 && errno != EINTR) fail("waitpid");
        const auto signal = signals_->wait(std::nullopt).signal;
        if (!signal || signal->ssi_signo == SIGCHLD || from_terminal(*signal)) continue;
        kill(pid_, static_cast<int>(signal->ssi_signo));
    }
}

}  // namespace cfslbstat
