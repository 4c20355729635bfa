// SPDX-License-Identifier: GPL-2.0
//
// What the module's files say at one moment: tables of labels and cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cfslbstat {

// Bad usage, or files that are not what the module writes.
struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The files cannot be read as things are; what() says what to do.
struct SetupError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// There are no files: the module is not loaded (any more).
struct GoneError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Absent: nothing measured it, or this kernel cannot tell. Zero is a measured zero.
using Cell = std::optional<std::uint64_t>;

enum class Kind { kLabel, kCounter, kGauge };

struct Column {
    std::string name;
    Kind kind = Kind::kCounter;
    std::string unit;
    std::string meaning;
};

struct Row {
    std::vector<std::string> labels;
    std::vector<Cell> values;
};

struct Table {
    std::string name;
    std::string scope;  // what one row is about
    std::uint64_t epoch = 0;
    std::uint64_t t_ns = 0;
    std::string kernel;
    std::vector<Column> labels;
    std::vector<Column> values;
    std::vector<Row> rows;

    std::optional<std::size_t> label_at(std::string_view column) const;
    std::optional<std::size_t> value_at(std::string_view column) const;
    // Label of the first row; empty if there is none.
    std::string first_label(std::string_view column) const;
};

// Two equal ones: the same module, loaded once, with no mark in between.
struct Epoch {
    std::uint64_t number = 0;
    std::uint64_t start_ns = 0;  // the scheduler's clock
};
inline bool operator==(const Epoch& a, const Epoch& b) {
    return a.number == b.number && a.start_ns == b.start_ns;
}
inline bool operator!=(const Epoch& a, const Epoch& b) { return !(a == b); }

struct Snapshot {
    Epoch epoch;
    std::string kernel;
    std::uint64_t t_ns = 0;
    std::uint64_t span_ns = 0;  // time that the counters are about
    std::vector<Table> tables;

    // nullptr: this module has no such file.
    const Table* find(std::string_view name) const;
};

// Columns of all files, from the file schema.
class Schema {
  public:
    // Throws InputError.
    static Schema parse(const std::string& text);

    // nullptr: a column that the schema does not describe.
    const Column* find(std::string_view file, std::string_view column) const;
    std::string scope(std::string_view file) const;
    // Files in the order of the schema.
    std::vector<std::string> files() const;

  private:
    struct File {
        std::string name, scope;
        std::vector<Column> columns;
    };
    const File* file(std::string_view name) const;
    std::vector<File> files_;
};

// Parses one file. Columns are found by name; those that the schema does not describe, or
// describes with an unknown kind, are left out. Throws InputError.
Table parse_table(const std::string& name, std::string_view text, const Schema& schema);

// The epoch that a table info is about.
Epoch epoch_of(const Table& info);

}  // namespace cfslbstat
