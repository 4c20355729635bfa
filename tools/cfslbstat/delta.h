// SPDX-License-Identifier: GPL-2.0
//
// What happened between two reads.
#pragma once

#include <optional>
#include <string>

#include "model.h"

namespace cfslbstat {

struct Interval {
    // Counters are those of the interval, labels and gauges those at its end, span_ns is its
    // length.
    Snapshot counts;
    // Why counting began anew within the interval; empty: it did not. The counts are then those
    // since that moment.
    std::string restart;
};

class Differ {
  public:
    explicit Differ(Snapshot first) : before_(std::move(first)) {}

    // From the last read to this one.
    //
    // A cell is absent if it was or is: what was counted in the part of the interval that was
    // measured is not what happened in the interval. It is absent too if its source was off at
    // both ends and counted nothing. Rows that were not there before count from zero, as in the
    // module; those of a CPU that is gone are remembered, so that its return is no leap.
    Interval next(Snapshot now);

  private:
    Snapshot before_;
};

}  // namespace cfslbstat
