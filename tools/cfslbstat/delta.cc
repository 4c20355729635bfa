// SPDX-License-Identifier: GPL-2.0
#include "delta.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace cfslbstat {
namespace {

struct Key {
    const char* file;
    std::vector<std::string> labels;
};

// Labels that name a row; others may change their value (the name of a domain level).
const std::vector<Key>& keys() {
    static const std::vector<Key> all = {
        {"info", {}},
        {"caps", {"group"}},
        {"migrate", {"cpu"}},
        {"distance", {"reason"}},
        {"matrix", {"from", "to", "reason"}},
        {"place", {"cpu", "kind"}},
        {"lb", {"cpu", "level", "idle"}},
        {"newidle", {"cpu"}},
        {"nohz", {"cpu"}},
        {"numa", {"from", "to"}},
        {"waste", {"node"}},
        {"waitlat", {"placement", "distance"}},
    };
    return all;
}

std::vector<std::size_t> key_columns(const Table& table) {
    std::vector<std::size_t> columns;
    for (const Key& key : keys()) {
        if (table.name != key.file) continue;
        for (const std::string& label : key.labels) {
            if (const auto at = table.label_at(label)) columns.push_back(*at);
        }
        return columns;
    }
    for (std::size_t i = 0; i < table.labels.size(); ++i) columns.push_back(i);
    return columns;
}

std::string key_of(const Row& row, const std::vector<std::size_t>& columns) {
    std::string key;
    for (const std::size_t at : columns) key += row.labels[at] + '\t';
    return key;
}

std::string source_state(const Snapshot& snapshot, const std::string& group) {
    const Table* const caps = snapshot.find("caps");
    if (caps == nullptr) return "";
    const auto name = caps->label_at("group"), state = caps->label_at("state");
    if (!name || !state) return "";
    for (const Row& row : caps->rows) {
        if (row.labels[*name] == group) return row.labels[*state];
    }
    return "";
}

// The group in caps that feeds a row.
std::string group_of(const Table& table, const Row& row) {
    if (table.name == "distance" || table.name == "matrix") return "migrate";
    if (table.name != "place") return table.name;
    const auto kind = table.label_at("kind");
    return kind ? "place_" + row.labels[*kind] : "";
}

// Wake-ups count as kept until they turn out to move: between two reads these can fall.
bool may_fall(const Table& table) { return table.name == "place"; }

// Makes the counters absent.
void clear(const Table& table, Row* row) {
    for (std::size_t i = 0; i < row->values.size(); ++i) {
        if (table.values[i].kind == Kind::kCounter) row->values[i].reset();
    }
}

void clear(Table* table) {
    for (Row& row : table->rows) clear(*table, &row);
}

class TableDiffer {
  public:
    TableDiffer(const Snapshot& before_all, const Snapshot& now_all)
        : before_all_(before_all), now_all_(now_all) {}

    // Turns the table's counters into differences. False: a counter went back.
    bool run(const Table& before, Table* now) {
        std::unordered_map<std::string, const Row*> rows;
        const auto before_key = key_columns(before), now_key = key_columns(*now);
        for (const Row& row : before.rows) rows.emplace(key_of(row, before_key), &row);
        std::vector<std::optional<std::size_t>> from;
        for (const Column& column : now->values) from.push_back(before.value_at(column.name));
        for (Row& row : now->rows) {
            const auto found = rows.find(key_of(row, now_key));
            bool counted = false;
            for (std::size_t i = 0; i < row.values.size(); ++i) {
                if (now->values[i].kind != Kind::kCounter) continue;
                Cell& cell = row.values[i];
                if (found != rows.end()) {
                    const Cell old = from[i] ? found->second->values[*from[i]] : std::nullopt;
                    if (!subtract(*now, old, &cell)) return false;
                }
                counted |= cell.value_or(0) > 0;
            }
            if (counted) counted_.insert(group_of(*now, row));
        }
        clear_unmeasured(now);
        return true;
    }

  private:
    static bool subtract(const Table& table, const Cell& old, Cell* cell) {
        if (!old || !*cell) {
            cell->reset();
            return true;
        }
        if (**cell < *old && !may_fall(table)) return false;
        **cell -= std::min(**cell, *old);
        return true;
    }

    // Nothing counted by a source that was off at both ends is not a measured zero.
    void clear_unmeasured(Table* table) {
        for (Row& row : table->rows) {
            const std::string group = group_of(*table, row);
            if (counted_.count(group) > 0 || !is_off(group)) continue;
            clear(*table, &row);
        }
    }

    bool is_off(const std::string& group) {
        const auto known = off_.find(group);
        if (known != off_.end()) return known->second;
        const std::string before = source_state(before_all_, group);
        const std::string now = source_state(now_all_, group);
        return off_[group] =
                   (before == "off" || before == "none") && (now == "off" || now == "none");
    }

    const Snapshot& before_all_;
    const Snapshot& now_all_;
    std::unordered_map<std::string, bool> off_;
    std::unordered_set<std::string> counted_;  // groups
};

// Rows of before that are not in now are added to it, as a base for when they come back.
void remember_rows(const Snapshot& before, Snapshot* now) {
    for (Table& table : now->tables) {
        const Table* const old = before.find(table.name);
        if (old == nullptr || old->labels.size() != table.labels.size() ||
            old->values.size() != table.values.size()) {
            continue;
        }
        const auto columns = key_columns(table);
        std::unordered_map<std::string, bool> present;
        for (const Row& row : table.rows) present[key_of(row, columns)] = true;
        for (const Row& row : old->rows) {
            if (present.count(key_of(row, columns)) == 0) table.rows.push_back(row);
        }
    }
}

std::string restart_of(const Epoch& before, const Epoch& now) {
    if (now.number > before.number) {
        return fmt::format("somebody wrote 'mark' (epoch {}, was {}): counting anew from there",
                           now.number, before.number);
    }
    return "the module was loaded again: counting anew from there";
}

}  // namespace

Interval Differ::next(Snapshot now) {
    Interval interval;
    interval.counts = now;
    if (now.epoch != before_.epoch) {
        // The counters began at zero within the interval: they are what happened since then.
        interval.restart = restart_of(before_.epoch, now.epoch);
        before_ = std::move(now);
        return interval;
    }
    interval.counts.span_ns = now.t_ns - std::min(now.t_ns, before_.t_ns);
    TableDiffer differ(before_, now);
    for (Table& table : interval.counts.tables) {
        const Table* const before = before_.find(table.name);
        if (before == nullptr) clear(&table);
        if (before == nullptr || differ.run(*before, &table)) continue;
        interval.restart = fmt::format(
            "a counter of {} went back in the same epoch: counting anew, this interval is lost",
            table.name);
        break;
    }
    if (interval.restart.empty()) {
        remember_rows(before_, &now);
    } else {
        for (Table& table : interval.counts.tables) clear(&table);
    }
    before_ = std::move(now);
    return interval;
}

}  // namespace cfslbstat
