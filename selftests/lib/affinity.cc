// SPDX-License-Identifier: GPL-2.0
#include "affinity.h"

#include <sched.h>

#include <cerrno>
#include <memory>

#include "errors.h"

namespace cfslb {

namespace {

struct FreeSet {
    void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};
using SetPointer = std::unique_ptr<cpu_set_t, FreeSet>;

}  // namespace

int set_affinity_of(pid_t pid, const CpuList& cpus) {
    SetPointer set(CPU_ALLOC(kMaxCpus));
    size_t size = CPU_ALLOC_SIZE(kMaxCpus);
    if (!set) return ENOMEM;
    CPU_ZERO_S(size, set.get());
    for (int cpu : cpus) CPU_SET_S(static_cast<size_t>(cpu), size, set.get());
    return sched_setaffinity(pid, size, set.get()) == 0 ? 0 : errno;
}

CpuList own_affinity() {
    SetPointer set(CPU_ALLOC(kMaxCpus));
    size_t size = CPU_ALLOC_SIZE(kMaxCpus);
    if (!set) throw SystemError("read", "the affinity", ENOMEM);
    if (sched_getaffinity(0, size, set.get()) != 0) {
        throw SystemError("read", "the affinity", errno);
    }
    CpuList cpus;
    for (int cpu = 0; cpu < kMaxCpus; cpu++) {
        if (CPU_ISSET_S(static_cast<size_t>(cpu), size, set.get())) cpus.push_back(cpu);
    }
    return cpus;
}

}  // namespace cfslb
