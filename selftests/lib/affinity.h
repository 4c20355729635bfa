// SPDX-License-Identifier: GPL-2.0
// sched_setaffinity with CPU lists of any length.
#ifndef CFSLB_AFFINITY_H
#define CFSLB_AFFINITY_H

#include <sys/types.h>

#include "cpulist.h"

namespace cfslb {

// PID 0 is the caller. Returns 0 or an errno value.
int set_affinity_of(pid_t pid, const CpuList& cpus);

// CPUs on which the caller may run. Throws SystemError.
CpuList own_affinity();

}  // namespace cfslb

#endif
