// SPDX-License-Identifier: GPL-2.0
#include "lib/kernel_log.h"

#include <gtest/gtest.h>

namespace cfslb {
namespace {

TEST(KernelFaults, QuietLog) {
    EXPECT_TRUE(kernel_faults("").empty());
    EXPECT_TRUE(kernel_faults("smpboot: CPU 3 is now offline\n"
                              "kmemleak: Kernel memory leak detector initialized (mem pool)\n"
                              "x86: Booting SMP configuration:\n")
                    .empty());
}

TEST(KernelFaults, EachChecker) {
    for (const char* line : {
             "BUG: KASAN: use-after-free in load_balance+0x1/0x2",
             "BUG: sleeping function called from invalid context at kernel/x.c:1",
             "WARNING: CPU: 1 PID: 2 at kernel/sched/fair.c:3 load_balance+0x1/0x2",
             "WARNING: possible circular locking dependency detected",
             "WARNING: inconsistent lock state",
             "WARNING: suspicious RCU usage",
             "INFO: possible recursive locking detected",
             "INFO: task kworker/0:1:12 blocked for more than 120 seconds.",
             "rcu: INFO: rcu_sched self-detected stall on CPU",
             "UBSAN: shift-out-of-bounds in kernel/sched/fair.c:1:2",
             "kmemleak: 3 new suspected memory leaks (see /sys/kernel/debug/kmemleak)",
             "general protection fault: 0000 [#1] PREEMPT SMP",
             "BUG: unable to handle page fault for address: 0000000000001234",
         }) {
        EXPECT_EQ(kernel_faults(std::string("before\n") + line + "\nafter\n"),
                  std::vector<std::string>{line});
    }
}

}  // namespace
}  // namespace cfslb
