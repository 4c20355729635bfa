// SPDX-License-Identifier: GPL-2.0
// What a worker does once the gate is open.
#ifndef CFSLB_BURN_H
#define CFSLB_BURN_H

#include <cstdint>

namespace cfslb {

struct Slot;

// One chunk of arithmetic: some 500 instructions, then stores the CPU, then counts one beat.
void burn_chunk(Slot& slot);

// Chunks until the caller has used RUN_NS of CPU time.
void burn_cpu_time(Slot& slot, int64_t run_ns);

// Sleeps until slot.held is 0, and says so in slot.sleeping.
void sleep_while_held(Slot& slot);

// Chunks without end, with a pause while the slot is held.
[[noreturn]] void burn_for_ever(Slot& slot);

// Burns RUN_US of its own CPU time in every PERIOD_US of wall time, the first time after START_US,
// and sleeps for the rest. Held ones sleep from the end of a period on.
[[noreturn]] void burn_in_bursts(Slot& slot, int64_t run_us, int64_t period_us, int64_t start_us);

}  // namespace cfslb

#endif
