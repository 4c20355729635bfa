// SPDX-License-Identifier: GPL-2.0
// What a worker does once the gate is open.
#ifndef CFSLB_BURN_H
#define CFSLB_BURN_H

#include <cstdint>

namespace cfslb {

struct Slot;

// Chunks of arithmetic without end; each stores the CPU, then counts one beat.
[[noreturn]] void burn_for_ever(Slot& slot);

// Burns RUN_US of its own CPU time in every PERIOD_US of wall time and sleeps for the rest.
[[noreturn]] void burn_in_bursts(Slot& slot, int64_t run_us, int64_t period_us);

}  // namespace cfslb

#endif
