// SPDX-License-Identifier: GPL-2.0
//
// Reads the module's files.
#pragma once

#include <string>

#include "model.h"

namespace cfslbstat {

inline constexpr const char* kDebugfs = "/sys/kernel/debug";
inline constexpr const char* kDefaultRoot = "/sys/kernel/debug/cfslb";

class Reader {
  public:
    // Opens nothing yet. `root`: a folder with the files of the module.
    explicit Reader(std::string root);

    // All statistics files of one epoch. They are read one after the other: sums of two files
    // can differ by what happens in between. Files that the schema names and that are not there
    // or are no statistics (control, snapshot) are left out.
    // Throws InputError; SetupError if they cannot be read; GoneError if the module is not loaded.
    Snapshot read();

  private:
    std::string path(const std::string& file) const { return root_ + "/" + file; }
    Table read_table(const std::string& name) const;
    bool read_tables(Snapshot* snapshot) const;
    void read_schema();

    std::string root_;
    Schema schema_;
    Epoch schema_epoch_;  // the schema is the same as long as this is
    bool has_schema_ = false;
};

}  // namespace cfslbstat
