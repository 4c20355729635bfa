// SPDX-License-Identifier: GPL-2.0
// What the module cfslb counts as waste: idle CPUs that waiting tasks could have used. Exact where
// samples see every 10 ms only, and of all tasks of the fair class, not of the workers alone.
#ifndef CFSLB_WASTE_H
#define CFSLB_WASTE_H

#include <optional>
#include <string>

namespace cfslb {

// CPU time in ms wasted on the whole box since the module's last mark (idle_with_queue_ns of the
// row "all", Documentation/counters.md). Nothing without the module, below its level 2, or when
// debugfs cannot be read. Throws FormatError when the file is not what it should be.
std::optional<double> read_waste_ms(const std::string& root = "/");

}  // namespace cfslb

#endif
