// SPDX-License-Identifier: GPL-2.0
//
// Figures for monitoring: OpenMetrics text, version 1.0.
#pragma once

#include <string>

#include "model.h"

namespace cfslbstat {

// All counters and gauges of all files, one family a column; tasks that moved are one family a
// file, with reason or distance as a label; waits are a histogram. Absent cells have no sample.
// Counters of files that this program does not know are there too, with the file's labels.
std::string to_openmetrics(const Snapshot& snapshot);

}  // namespace cfslbstat
