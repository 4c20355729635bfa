// SPDX-License-Identifier: GPL-2.0
//
// Trees of the module's files to read: dumps of a guest, and changed copies.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fixture.h"
#include "model.h"

namespace cfslbstat {

// tests/fixtures/NAME
std::string dump(const std::string& name);

class Trees : public lbtools::TempDir {
  protected:
    // A copy of a dump, and its path.
    std::string copy(const std::string& dump_name, const std::string& to = "tree") const;

    // Changes a file of the copy, which is given as lines of fields: line 1 is the column names.
    using Fields = std::vector<std::vector<std::string>>;
    void edit(const std::string& file, const std::function<void(Fields*)>& change,
              const std::string& tree = "tree") const;
    // Sets a cell: the column, in the row whose first fields are these.
    void set(const std::string& file, const std::vector<std::string>& row,
             const std::string& column, const std::string& value,
             const std::string& tree = "tree") const;
    // Replaces a part of the first line of every file ("epoch=1" by "epoch=2").
    void set_heading(const std::string& from, const std::string& to,
                     const std::string& tree = "tree") const;
};

// The table's cell: the column, in the row whose first labels are these.
Cell at(const Snapshot& snapshot, const std::string& table, const std::vector<std::string>& row,
        const std::string& column);

}  // namespace cfslbstat
