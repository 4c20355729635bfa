// SPDX-License-Identifier: GPL-2.0
#include "json_out.h"

#include <nlohmann/json.hpp>

namespace cfslbstat {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

Json of_cell(const Cell& cell) { return cell ? Json(*cell) : Json(nullptr); }

Json of_row(const Table& table, const Row& row) {
    Json json = Json::object();
    for (std::size_t i = 0; i < row.labels.size(); ++i) {
        json[table.labels[i].name] = row.labels[i];
    }
    for (std::size_t i = 0; i < row.values.size(); ++i) {
        json[table.values[i].name] = of_cell(row.values[i]);
    }
    return json;
}

Json of_table(const Table& table) {
    Json json = Json::array();
    for (const Row& row : table.rows) json.push_back(of_row(table, row));
    return json;
}

Json of_only_row(const Table& table) { return of_row(table, table.rows.at(0)); }

Json of_latency(const Latency& latency, const char* label) {
    Json json = Json::object();
    if (label != nullptr) json[label] = latency.name;
    json["tasks"] = of_cell(latency.tasks);
    for (std::size_t i = 0; i < latency.at.size(); ++i) {
        const auto& bound = latency.at[i];
        json[kQuantileNames[i]] =
            bound ? Json({{"ge_ns", bound->ge_ns}, {"lt_ns", of_cell(bound->lt_ns)}})
                  : Json(nullptr);
    }
    return json;
}

Json of_latencies(const std::vector<Latency>& latencies, const char* label) {
    Json json = Json::array();
    for (const Latency& latency : latencies) json.push_back(of_latency(latency, label));
    return json;
}

void put_about(const About& about, Json* json) {
    (*json)["module"] = about.module;
    (*json)["kernel"] = about.kernel;
    (*json)["level"] = about.level;
    (*json)["lb"] = about.lb;
    (*json)["reasons"] = about.reason.empty() ? Json(nullptr) : Json(about.reason);
    (*json)["missed"] = about.missed;
    (*json)["cpus"] = of_cell(about.cpus);
    (*json)["nodes"] = of_cell(about.nodes);
    (*json)["epoch"] = about.epoch.number;
    (*json)["epoch_start_ns"] = about.epoch.start_ns;
    (*json)["t_ns"] = about.t_ns;
    (*json)["span_ns"] = about.span_ns;
}

}  // namespace

std::string to_json(const Summary& summary, const JsonFrame& frame, const Snapshot* rows) {
    Json json = {{"schema", kSchema}, {"kind", frame.kind}};
    if (frame.seconds) json["seconds"] = *frame.seconds;
    if (!frame.command.empty()) {
        json["command"] = frame.command;
        json["exit"] = frame.exit ? Json(*frame.exit) : Json(nullptr);
    }
    json["restart"] = frame.restart.empty() ? Json(nullptr) : Json(frame.restart);
    put_about(summary.about, &json);
    json["migrations"] = of_table(summary.migrations);
    json["node"] = of_table(summary.nodes);
    json["placement"] = of_table(summary.placement);
    json["balance"] = of_table(summary.balance);
    json["balance_all"] = of_only_row(summary.balance_all);
    json["newidle"] = of_only_row(summary.newidle);
    json["nohz"] = of_only_row(summary.nohz);
    json["numa"] = of_only_row(summary.numa);
    json["waste"] = of_table(summary.waste);
    json["wait"] = {{"all", of_latency(summary.all_waits, nullptr)},
                    {"by_placement", of_latencies(summary.by_placement, "placement")},
                    {"by_distance", of_latencies(summary.by_distance, "distance")}};
    if (rows != nullptr) {
        json["files"] = Json::object();
        for (const Table& table : rows->tables) json["files"][table.name] = of_table(table);
    }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string gone_json(double seconds, const std::string& reason) {
    const Json json = {
        {"schema", kSchema}, {"kind", "gone"}, {"seconds", seconds}, {"reason", reason}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace cfslbstat
