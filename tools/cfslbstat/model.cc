// SPDX-License-Identifier: GPL-2.0
#include "model.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace cfslbstat {
namespace {

constexpr std::uint64_t kAbi = 1;

// Takes the text up to the next separator off the front.
std::string_view take(std::string_view* rest, char separator) {
    const std::size_t end = rest->find(separator);
    const std::string_view part = rest->substr(0, end);
    *rest = end == std::string_view::npos ? std::string_view() : rest->substr(end + 1);
    return part;
}

std::vector<std::string_view> split(std::string_view line, char separator) {
    std::vector<std::string_view> parts;
    std::size_t start = 0;
    for (;;) {
        const std::size_t end = line.find(separator, start);
        parts.push_back(line.substr(start, end - start));
        if (end == std::string_view::npos) return parts;
        start = end + 1;
    }
}

std::optional<std::uint64_t> to_number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

[[noreturn]] void damaged(const std::string& name, std::size_t line, const std::string& what) {
    throw InputError(fmt::format("{}:{}: {}", name, line, what));
}

Cell to_cell(const Table& table, std::size_t line, std::string_view column, std::string_view text) {
    if (text == "-") return std::nullopt;
    const auto value = to_number(text);
    if (!value) {
        damaged(table.name, line, fmt::format("column {}: '{}' is no number", column, text));
    }
    // The module subtracts what other CPUs are counting: a sum can be below zero for a moment,
    // which reads as a number that no counter reaches in centuries.
    if (*value > std::numeric_limits<std::int64_t>::max()) return 0;
    return value;
}

std::uint64_t heading_number(const Table& table, std::string_view key, std::string_view text) {
    const auto value = to_number(text);
    if (!value) damaged(table.name, 1, fmt::format("{}={} is no number", key, text));
    return *value;
}

void parse_heading(Table* table, std::string_view line) {
    std::string_view rest = line;
    if (take(&rest, ' ') != "cfslb" || take(&rest, ' ') != table->name) {
        damaged(table->name, 1, fmt::format("no line 'cfslb {} abi=...'", table->name));
    }
    std::uint64_t abi = 0;
    bool has_epoch = false, has_time = false;
    while (!rest.empty()) {
        std::string_view value = take(&rest, ' ');
        const std::string_view key = take(&value, '=');
        if (key == "abi") abi = heading_number(*table, key, value);
        if (key == "epoch") table->epoch = heading_number(*table, key, value);
        if (key == "t_ns") table->t_ns = heading_number(*table, key, value);
        if (key == "kernel") table->kernel = value;
        has_epoch |= key == "epoch";
        has_time |= key == "t_ns";
    }
    if (abi != kAbi) {
        throw InputError(fmt::format(
            "{}: abi {}, but this cfslbstat reads abi {}: use the one that came with the module",
            table->name, abi, kAbi));
    }
    if (!has_epoch || !has_time) damaged(table->name, 1, "no epoch= or no t_ns=");
}

// Where a field of a line goes.
struct Place {
    enum { kNowhere, kLabels, kValues } part = kNowhere;
    std::string_view column;
};

std::vector<Place> parse_columns(Table* table, std::string_view line, const Schema& schema) {
    std::vector<Place> places;
    for (const std::string_view name : split(line, '\t')) {
        const Column* const column = schema.find(table->name, name);
        if (column == nullptr) {
            places.push_back({Place::kNowhere, name});
        } else if (column->kind == Kind::kLabel) {
            table->labels.push_back(*column);
            places.push_back({Place::kLabels, name});
        } else {
            table->values.push_back(*column);
            places.push_back({Place::kValues, name});
        }
    }
    return places;
}

Row parse_row(const Table& table, std::size_t number, std::string_view line,
              const std::vector<Place>& places) {
    Row row;
    row.labels.reserve(table.labels.size());
    row.values.reserve(table.values.size());
    std::size_t at = 0;
    for (std::string_view rest = line;; ++at) {
        const std::size_t end = rest.find('\t');
        const std::string_view field = rest.substr(0, end);
        if (at < places.size()) {
            const Place& place = places[at];
            if (place.part == Place::kLabels) row.labels.emplace_back(field);
            if (place.part == Place::kValues) {
                row.values.push_back(to_cell(table, number, place.column, field));
            }
        }
        if (end == std::string_view::npos) break;
        rest = rest.substr(end + 1);
    }
    if (at + 1 != places.size()) {
        damaged(table.name, number, fmt::format("{} fields for {} columns", at + 1, places.size()));
    }
    return row;
}

std::optional<std::size_t> find_column(const std::vector<Column>& columns, std::string_view name) {
    const auto found = std::find_if(columns.begin(), columns.end(),
                                    [&](const Column& column) { return column.name == name; });
    if (found == columns.end()) return std::nullopt;
    return static_cast<std::size_t>(found - columns.begin());
}

std::optional<Kind> to_kind(std::string_view text) {
    if (text == "label") return Kind::kLabel;
    if (text == "counter") return Kind::kCounter;
    if (text == "gauge") return Kind::kGauge;
    return std::nullopt;
}

// The schema's own columns, which no schema has told yet.
constexpr std::string_view kSchemaColumns[] = {"file", "column", "kind",
                                               "unit", "scope",  "meaning"};

}  // namespace

std::optional<std::size_t> Table::label_at(std::string_view column) const {
    return find_column(labels, column);
}

std::optional<std::size_t> Table::value_at(std::string_view column) const {
    return find_column(values, column);
}

std::string Table::first_label(std::string_view column) const {
    const auto at = label_at(column);
    return at && !rows.empty() ? rows.front().labels[*at] : "";
}

const Table* Snapshot::find(std::string_view name) const {
    for (const Table& table : tables) {
        if (table.name == name) return &table;
    }
    return nullptr;
}

const Schema::File* Schema::file(std::string_view name) const {
    for (const File& file : files_) {
        if (file.name == name) return &file;
    }
    return nullptr;
}

const Column* Schema::find(std::string_view name, std::string_view column) const {
    const File* const found = file(name);
    if (found == nullptr) return nullptr;
    const auto at = find_column(found->columns, column);
    return at ? &found->columns[*at] : nullptr;
}

std::string Schema::scope(std::string_view name) const {
    const File* const found = file(name);
    return found == nullptr ? "" : found->scope;
}

std::vector<std::string> Schema::files() const {
    std::vector<std::string> names;
    for (const File& file : files_) names.push_back(file.name);
    return names;
}

Schema Schema::parse(const std::string& text) {
    Schema own;
    own.files_.push_back({"schema", "column", {}});
    for (const std::string_view name : kSchemaColumns) {
        own.files_[0].columns.push_back({std::string(name), Kind::kLabel, "-", ""});
    }
    const Table table = parse_table("schema", text, own);
    std::size_t at[std::size(kSchemaColumns)];
    for (std::size_t i = 0; i < std::size(kSchemaColumns); ++i) {
        const auto found = table.label_at(kSchemaColumns[i]);
        if (!found) damaged("schema", 2, fmt::format("no column {}", kSchemaColumns[i]));
        at[i] = *found;
    }
    Schema schema;
    for (const Row& row : table.rows) {
        const std::string& name = row.labels[at[0]];
        if (schema.file(name) == nullptr) schema.files_.push_back({name, row.labels[at[4]], {}});
        const auto kind = to_kind(row.labels[at[2]]);
        if (!kind) continue;
        for (File& file : schema.files_) {
            if (file.name != name) continue;
            file.columns.push_back(
                {row.labels[at[1]], *kind, row.labels[at[3]], row.labels[at[5]]});
        }
    }
    return schema;
}

Table parse_table(const std::string& name, std::string_view text, const Schema& schema) {
    Table table;
    table.name = name;
    table.scope = schema.scope(name);
    if (text.empty()) damaged(name, 1, "empty");
    if (text.back() != '\n') damaged(name, 1, "cut off: the last line has no end");
    parse_heading(&table, take(&text, '\n'));
    if (text.empty()) damaged(name, 2, "no line of column names");
    const std::vector<Place> places = parse_columns(&table, take(&text, '\n'), schema);
    for (std::size_t number = 3; !text.empty(); ++number) {
        table.rows.push_back(parse_row(table, number, take(&text, '\n'), places));
    }
    return table;
}

Epoch epoch_of(const Table& info) {
    const auto age = info.value_at("epoch_ns");
    if (!age || info.rows.size() != 1 || !info.rows[0].values[*age]) {
        throw InputError("info: not one row with epoch_ns");
    }
    return {info.epoch, info.t_ns - *info.rows[0].values[*age]};
}

}  // namespace cfslbstat
