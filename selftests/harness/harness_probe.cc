// SPDX-License-Identifier: GPL-2.0
// Scripted driver for the lab's own tests: each mode ends a guest run in another way.
//
// The mode is the first argument, or CFSLB_HARNESS_MODE, or without these the name that the program
// was started by ("harness_probe_hang" or "hang"). Modes:
//
//   pass       two results, both ok                                    exit 0
//   fail       one ok, one not ok                                      exit 1
//   skip       one result, skipped                                     exit 4
//   hang       a plan, then spins for ever with every signal but KILL ignored
//   panic      crashes the kernel: sysrq 'c' (CONFIG_MAGIC_SYSRQ); without it, kills PID 1
//   silent     prints nothing and powers the machine off at once
//   noplan     results without a plan line                             exit 0
//   shortplan  a plan of 3, two results                                exit 0
//   cutoff     half of a result line, then powers off at once
//
// panic, silent and cutoff refuse (exit 2) unless the root file system is an initramfs, so that
// none of them can take down a real machine. cutoff writes to its second argument or to
// CFSLB_HARNESS_OUT (the results port itself, since a pipe to sed would hold back an unfinished
// line), else to stdout.
#include <elf.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/reboot.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr int kExitFail = 1;
constexpr int kExitUsage = 2;
constexpr int kExitSkip = 4;

// Time the kernel gets to die after the crash was asked for.
constexpr unsigned kPanicDeadlineSeconds = 10;

void say(const char* text) {
    fputs(text, stdout);
    fflush(stdout);
}

int refuse(const char* mode) {
    fprintf(stderr, "harness_probe: mode %s works only in a guest that runs from an initramfs\n",
            mode);
    return kExitUsage;
}

bool runs_from_initramfs() {
    struct statfs root;
    if (statfs("/", &root) != 0) return false;
    return root.f_type == RAMFS_MAGIC || root.f_type == TMPFS_MAGIC;
}

int pass() {
    say("KTAP version 1\n1..2\nok 1 first\nok 2 second\n# Totals: pass:2 fail:0 skip:0\n");
    return 0;
}

int fail() {
    say("KTAP version 1\n1..2\nok 1 first\n# second: as scripted\nnot ok 2 second\n"
        "# Totals: pass:1 fail:1 skip:0\n");
    return kExitFail;
}

int skip() {
    say("KTAP version 1\n1..1\nok 1 first # SKIP as scripted\n# Totals: pass:0 fail:0 skip:1\n");
    return kExitSkip;
}

int hang() {
    say("KTAP version 1\n1..1\n# hangs as scripted\n");
    for (int number = 1; number < NSIG; number++) signal(number, SIG_IGN);
    for (volatile unsigned long spins = 0;;) spins = spins + 1;
}

int noplan() {
    say("KTAP version 1\nok 1 first\nok 2 second\n");
    return 0;
}

int shortplan() {
    say("KTAP version 1\n1..3\nok 1 first\nok 2 second\n");
    return 0;
}

int power_off() {
    reboot(RB_POWER_OFF);
    fprintf(stderr, "harness_probe: cannot power off: %s\n", strerror(errno));
    return kExitFail;
}

const char* output_path;  // second argument, may be null

int cutoff() {
    static const char kHalf[] = "KTAP version 1\n1..2\nok 1 first\nok 2 sec";
    const char* path = output_path ? output_path : getenv("CFSLB_HARNESS_OUT");
    int fd = path && *path ? open(path, O_WRONLY | O_NOCTTY) : dup(STDOUT_FILENO);
    if (fd < 0 || write(fd, kHalf, sizeof(kHalf) - 1) < 0) {
        fprintf(stderr, "harness_probe: cannot write to %s: %s\n", path ? path : "stdout",
                strerror(errno));
        return kExitFail;
    }
    tcdrain(fd);  // a serial port; fails harmlessly on anything else
    return power_off();
}

// Ignored signals do not kill PID 1, a fault of its own does: point its program counter nowhere.
bool crash_init() {
    if (ptrace(PTRACE_ATTACH, 1, nullptr, nullptr) != 0) return false;
    if (waitpid(1, nullptr, __WALL) != 1) return false;
    user_regs_struct registers = {};
    iovec whole = {&registers, sizeof(registers)};
    void* set = reinterpret_cast<void*>(NT_PRSTATUS);
    if (ptrace(PTRACE_GETREGSET, 1, set, &whole) != 0) return false;
#if defined(__x86_64__)
    registers.rip = 0;
    registers.orig_rax = static_cast<unsigned long long>(-1);  // do not restart its system call
#elif defined(__aarch64__)
    registers.pc = 0;
    registers.regs[8] = static_cast<unsigned long long>(-1);
#else
    return false;
#endif
    if (ptrace(PTRACE_SETREGSET, 1, set, &whole) != 0) return false;
    return ptrace(PTRACE_DETACH, 1, nullptr, nullptr) == 0;
}

int panic() {
    say("KTAP version 1\n1..1\n# panics as scripted\n");
    int fd = open("/proc/sysrq-trigger", O_WRONLY);
    if (fd < 0 || write(fd, "c", 1) != 1) {
        fprintf(stderr, "harness_probe: no sysrq (%s), killing PID 1\n", strerror(errno));
        if (!crash_init()) fprintf(stderr, "harness_probe: ptrace: %s\n", strerror(errno));
    }
    sleep(kPanicDeadlineSeconds);
    fprintf(stderr, "harness_probe: the kernel lives on\n");
    return kExitFail;
}

struct Mode {
    const char* name;
    int (*run)();
    bool destructive;
};

const Mode kModes[] = {
    {"pass", pass, false},     {"fail", fail, false},           {"skip", skip, false},
    {"hang", hang, false},     {"panic", panic, true},          {"silent", power_off, true},
    {"noplan", noplan, false}, {"shortplan", shortplan, false}, {"cutoff", cutoff, true}};

std::string wanted_mode(const char* argv0) {
    const char* mode = getenv("CFSLB_HARNESS_MODE");
    if (mode && *mode) return mode;
    std::string name = argv0;
    name = name.substr(name.find_last_of('/') + 1);
    const std::string prefix = "harness_probe_";
    return name.compare(0, prefix.size(), prefix) == 0 ? name.substr(prefix.size()) : name;
}

}  // namespace

int main(int argc, char* argv[]) {
    if (argc > 2) output_path = argv[2];
    std::string wanted = argc > 1 ? argv[1] : wanted_mode(argv[0]);
    for (const Mode& mode : kModes) {
        if (wanted != mode.name) continue;
        if (mode.destructive && !runs_from_initramfs()) return refuse(mode.name);
        return mode.run();
    }
    fprintf(stderr, "harness_probe: unknown mode \"%s\", set CFSLB_HARNESS_MODE to one of:",
            wanted.c_str());
    for (const Mode& mode : kModes) fprintf(stderr, " %s", mode.name);
    fputc('\n', stderr);
    return kExitUsage;
}
