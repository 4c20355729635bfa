// SPDX-License-Identifier: GPL-2.0
#include "trees.h"

#include <algorithm>
#include <sstream>

#include "files.h"

namespace cfslbstat {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
    return parts;
}

bool starts_with(const std::vector<std::string>& row, const std::vector<std::string>& with) {
    return row.size() >= with.size() && std::equal(with.begin(), with.end(), row.begin());
}

}  // namespace

std::string dump(const std::string& name) { return std::string(FIXTURES) + "/" + name; }

std::string Trees::copy(const std::string& dump_name, const std::string& to) const {
    fs::remove_all(dir_ / to);
    fs::copy(dump(dump_name), dir_ / to);
    return dir_ / to;
}

void Trees::edit(const std::string& file, const std::function<void(Fields*)>& change,
                 const std::string& tree) const {
    const std::string path = dir_ / tree / file;
    const std::vector<std::string> lines = split(lbtools::read_file(path), '\n');
    Fields fields;
    for (std::size_t i = 1; i < lines.size(); ++i) fields.push_back(split(lines[i], '\t'));
    change(&fields);
    std::string text = lines.at(0) + "\n";
    for (const auto& row : fields) {
        for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : "\t") + row[i];
        text += "\n";
    }
    lbtools::write_file(path, text);
}

void Trees::set(const std::string& file, const std::vector<std::string>& row,
                const std::string& column, const std::string& value,
                const std::string& tree) const {
    edit(
        file,
        [&](Fields* fields) {
            const auto& names = fields->at(0);
            const auto found = std::find(names.begin(), names.end(), column);
            ASSERT_NE(found, names.end()) << column;
            int changed = 0;
            for (auto line = fields->begin() + 1; line != fields->end(); ++line) {
                if (!starts_with(*line, row)) continue;
                line->at(static_cast<std::size_t>(found - names.begin())) = value;
                ++changed;
            }
            ASSERT_GT(changed, 0);
        },
        tree);
}

void Trees::set_heading(const std::string& from, const std::string& to,
                        const std::string& tree) const {
    for (const auto& entry : fs::directory_iterator(dir_ / tree)) {
        std::string text = lbtools::read_file(entry.path());
        const std::size_t found = text.find(from);
        ASSERT_LT(found, text.find('\n')) << entry.path();
        lbtools::write_file(entry.path(), text.replace(found, from.size(), to));
    }
}

Cell at(const Snapshot& snapshot, const std::string& table, const std::vector<std::string>& row,
        const std::string& column) {
    const Table* const found = snapshot.find(table);
    if (found == nullptr) throw std::runtime_error("no table " + table);
    for (const Row& candidate : found->rows) {
        if (starts_with(candidate.labels, row)) {
            return candidate.values.at(found->value_at(column).value());
        }
    }
    throw std::runtime_error(table + ": no such row");
}

}  // namespace cfslbstat
