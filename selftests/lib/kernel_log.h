// SPDX-License-Identifier: GPL-2.0
// What the kernel said: messages of its own checkers since a point in time.
#ifndef CFSLB_KERNEL_LOG_H
#define CFSLB_KERNEL_LOG_H

#include <string>
#include <vector>

namespace cfslb {

// Lines of TEXT (one message a line) that report a fault of the kernel: BUG, WARNING, lockdep, RCU,
// KASAN, UBSAN, kmemleak, stalls and lockups.
std::vector<std::string> kernel_faults(const std::string& text);

// Objects that kmemleak finds unreachable now, as it describes them; empty when there is none or no
// kmemleak. Takes as long as a scan of all memory. Throws SystemError.
std::string kernel_leaks();

// Follows /dev/kmsg from now on.
class KernelLog {
  public:
    // Throws Skip without the right to read it.
    KernelLog();
    ~KernelLog();
    KernelLog(const KernelLog&) = delete;
    KernelLog& operator=(const KernelLog&) = delete;

    // Messages since the last call or the constructor, one a line. When the kernel overwrote some
    // before they were read, a line "WARNING: messages were lost" stands in their place, since
    // they may have held a fault. Throws SystemError.
    std::string read_new();

  private:
    int fd_;
};

}  // namespace cfslb

#endif
