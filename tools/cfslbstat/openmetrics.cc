// SPDX-License-Identifier: GPL-2.0
#include "openmetrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>

namespace cfslbstat {
namespace {

using Labels = std::vector<std::pair<std::string, std::string>>;

std::string escape(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '\n') {
            escaped += "\\n";
            continue;
        }
        if (c == '\\' || c == '"') escaped += '\\';
        escaped += c;
    }
    return escaped;
}

// Letters, digits and underscores: what a name may have.
std::string to_name(const std::string& text) {
    std::string name;
    for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return name;
}

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool is_time(const Column& column) { return column.unit == "ns" || column.unit == "CPU ns"; }

// OpenMetrics wants base units: ns are written as seconds, with all their digits.
std::string number(const Column& column, std::uint64_t value) {
    if (!is_time(column)) return std::to_string(value);
    return fmt::format("{}.{:09}", value / 1000000000, value % 1000000000);
}

class Writer {
  public:
    // A family must be written in one piece, and only once.
    bool family(const std::string& name, const char* type, const std::string& unit,
                const std::string& help) {
        if (!names_.insert(name).second) return false;
        text_ += fmt::format("# TYPE {} {}\n", name, type);
        if (!unit.empty()) text_ += fmt::format("# UNIT {} {}\n", name, unit);
        text_ += fmt::format("# HELP {} {}\n", name, escape(help));
        return true;
    }

    void sample(const std::string& name, const Labels& labels, const std::string& value) {
        text_ += name;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            text_ += fmt::format("{}{}=\"{}\"", i == 0 ? "{" : ",", to_name(labels[i].first),
                                 escape(labels[i].second));
        }
        text_ += (labels.empty() ? " " : "} ") + value + "\n";
    }

    std::string finish() { return std::move(text_) + "# EOF\n"; }

  private:
    std::set<std::string> names_;
    std::string text_;
};

Labels labels_of(const Table& table, const Row& row) {
    Labels labels;
    for (std::size_t i = 0; i < row.labels.size(); ++i) {
        labels.emplace_back(table.labels[i].name, row.labels[i]);
    }
    return labels;
}

// "idle_with_queue_ns" is idle_with_queue_seconds. "total" ends every counter's samples anyway.
std::string family_name(const std::string& prefix, const Column& column) {
    std::string name = column.name;
    if (is_time(column)) {
        if (ends_with(name, "_ns")) name.resize(name.size() - 3);
        name += "_seconds";
    }
    if (column.kind == Kind::kCounter && name == "total") return prefix;
    if (column.kind == Kind::kCounter && ends_with(name, "_total")) name.resize(name.size() - 6);
    return prefix + "_" + to_name(name);
}

std::string help_of(const Table& table, const Column& column) {
    std::string help = column.meaning;
    if (!is_time(column)) help += " (" + column.unit + ")";
    return help + ", by " + table.scope;
}

// One family a column. `wanted` says which rows.
template <typename Wanted>
void put_columns(const Table& table, const std::string& prefix, bool with_labels, Wanted wanted,
                 Writer* writer) {
    for (std::size_t i = 0; i < table.values.size(); ++i) {
        const Column& column = table.values[i];
        const bool counter = column.kind == Kind::kCounter;
        bool begun = false;
        for (const Row& row : table.rows) {
            if (!row.values[i] || !wanted(row)) continue;
            const std::string name = family_name(prefix, column);
            if (!begun &&
                !writer->family(name, counter ? "counter" : "gauge",
                                is_time(column) ? "seconds" : "", help_of(table, column))) {
                break;
            }
            begun = true;
            writer->sample(counter ? name + "_total" : name,
                           with_labels ? labels_of(table, row) : Labels(),
                           number(column, *row.values[i]));
        }
    }
}

// One family for all columns, whose names become a label.
void put_pivot(const Table& table, const std::string& name, const char* label, const char* help,
               Writer* writer) {
    bool begun = false;
    for (const Row& row : table.rows) {
        for (std::size_t i = 0; i < row.values.size(); ++i) {
            // Without a label of its own, only one column can be told apart.
            if (!row.values[i] || (label == nullptr && i > 0)) continue;
            if (!begun && !writer->family(name, "counter", "", help)) return;
            begun = true;
            Labels labels = labels_of(table, row);
            if (label != nullptr) labels.emplace_back(label, table.values[i].name);
            writer->sample(name + "_total", labels, std::to_string(*row.values[i]));
        }
    }
}

// Upper end of a bucket in seconds, as shortly as it is exact.
std::string upper_end(const std::string& column) {
    if (column == "more") return "+Inf";
    const std::uint64_t ns = std::strtoull(column.c_str() + 3, nullptr, 10);
    std::string text = fmt::format("{}.{:09}", ns / 1000000000, ns % 1000000000);
    while (text.back() == '0' && text[text.size() - 2] != '.') text.pop_back();
    return text;
}

// Buckets of the module are disjoint; those of a histogram add up. Without a sum of all waits
// there is no count either: the bucket +Inf is it.
void put_waits(const Table& table, Writer* writer) {
    const char* const name = "cfslb_wait_seconds";
    bool begun = false;
    for (const Row& row : table.rows) {
        if (std::any_of(row.values.begin(), row.values.end(), [](const Cell& c) { return !c; })) {
            continue;
        }
        if (!begun) {
            writer->family(name, "histogram", "seconds",
                           "wait of woken and new tasks until they run, by placement x distance");
        }
        begun = true;
        std::uint64_t so_far = 0;
        for (std::size_t i = 0; i < row.values.size(); ++i) {
            Labels labels = labels_of(table, row);
            labels.emplace_back("le", upper_end(table.values[i].name));
            so_far += *row.values[i];
            writer->sample(std::string(name) + "_bucket", labels, std::to_string(so_far));
        }
    }
}

// Is every column a bucket, in rising order, with "more" as the last?
bool is_histogram(const Table& table) {
    std::uint64_t last = 0;
    for (std::size_t i = 0; i + 1 < table.values.size(); ++i) {
        const std::string& name = table.values[i].name;
        if (name.rfind("lt_", 0) != 0) return false;
        const std::uint64_t end = std::strtoull(name.c_str() + 3, nullptr, 10);
        if (end <= last) return false;
        last = end;
    }
    return !table.values.empty() && table.values.back().name == "more";
}

void put_info(const Table& info, const Snapshot& snapshot, Writer* writer) {
    const auto all = [](const Row&) { return true; };
    if (!info.rows.empty()) {
        Labels labels = labels_of(info, info.rows[0]);
        labels.emplace_back("kernel", snapshot.kernel);
        writer->family("cfslb_module", "info", "", "module, its state, and the kernel");
        writer->sample("cfslb_module_info", labels, "1");
    }
    writer->family("cfslb_epoch_number", "gauge", "", "1 when loaded, one more with each mark");
    writer->sample("cfslb_epoch_number", {}, std::to_string(snapshot.epoch.number));
    put_columns(info, "cfslb", false, all, writer);
}

void put_waste(const Table& waste, Writer* writer) {
    const auto node = waste.label_at("node");
    if (!node) return;
    // The machine is not the sum of its nodes: as a family of its own nobody adds it to them.
    put_columns(
        waste, "cfslb_waste", true, [&](const Row& row) { return row.labels[*node] != "all"; },
        writer);
    put_columns(
        waste, "cfslb_waste_machine", false,
        [&](const Row& row) { return row.labels[*node] == "all"; }, writer);
}

}  // namespace

std::string to_openmetrics(const Snapshot& snapshot) {
    Writer writer;
    for (const Table& table : snapshot.tables) {
        if (table.name == "info") {
            put_info(table, snapshot, &writer);
        } else if (table.name == "migrate") {
            put_pivot(table, "cfslb_migrations", "reason",
                      "tasks that changed their CPU, by destination CPU and reason", &writer);
        } else if (table.name == "distance") {
            put_pivot(table, "cfslb_migrations_by_distance", "distance",
                      "tasks that changed their CPU, by reason and distance", &writer);
        } else if (table.name == "matrix") {
            put_pivot(table, "cfslb_migrations_between_nodes", nullptr,
                      "tasks that changed their CPU, by source node, destination node and reason",
                      &writer);
        } else if (table.name == "waste") {
            put_waste(table, &writer);
        } else if (table.name == "waitlat" && is_histogram(table)) {
            put_waits(table, &writer);
        } else {
            put_columns(
                table, "cfslb_" + to_name(table.name), true, [](const Row&) { return true; },
                &writer);
        }
    }
    return writer.finish();
}

}  // namespace cfslbstat
