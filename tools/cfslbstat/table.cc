// SPDX-License-Identifier: GPL-2.0
//
// The summary as text.
#include <fmt/format.h>

#include <algorithm>

#include "text.h"

namespace cfslbstat {
namespace {

struct Field {
    const char* title;
    const char* column;
    std::size_t width;  // with the space before it
};

std::string heading(const std::string& title, std::size_t width, const std::vector<Field>& fields) {
    std::string line = fmt::format("{:<{}}", title, width);
    for (const Field& field : fields) line += fmt::format("{:>{}}", field.title, field.width);
    return line;
}

std::string fields_of(const Table& table, const Row& row, const std::vector<Field>& fields) {
    std::string line;
    for (const Field& field : fields) {
        const auto at = table.value_at(field.column);
        const Cell value = at ? row.values[*at] : std::nullopt;
        line += fmt::format("{:>{}}", count_text(value, field.width - 1), field.width);
    }
    return line;
}

std::string about_text(const About& about) {
    std::string text = fmt::format("cfslb {} on {}: {} CPUs, {} nodes; level {}, lb {}\n",
                                   about.module, about.kernel, count_text(about.cpus, 6),
                                   count_text(about.nodes, 6), about.level, about.lb);
    if (about.reason == "inferred") {
        text += "reasons of migrations are inferred from circumstances while lb is off\n";
    } else if (about.reason == "mixed") {
        text += "reasons of migrations are inferred where lb was off: it was switched meanwhile\n";
    }
    if (about.missed > 0) {
        text += fmt::format("{} events were lost since the sources were attached: see caps\n",
                            about.missed);
    }
    return text;
}

// "remote_near" is "near": the heading leaves no room for more.
std::string short_distance(const std::string& name) {
    for (const char* const prefix : {"same_", "remote_"}) {
        if (name.rfind(prefix, 0) == 0) return name.substr(std::string(prefix).size());
    }
    return name;
}

// Reasons that did not happen, in lines of usual width.
std::string none_text(const std::vector<std::string>& reasons) {
    constexpr std::size_t kWidth = 90;
    std::string text, line = "  none:";
    for (const std::string& reason : reasons) {
        if (line.size() + 1 + reason.size() > kWidth) {
            text += line + "\n";
            line = "       ";
        }
        line += " " + reason;
    }
    return reasons.empty() ? "" : text + line + "\n";
}

std::string migrations_text(const Summary& summary) {
    const Table& moves = summary.migrations;
    const std::uint64_t span = summary.about.span_ns;
    std::string text = fmt::format("{:<15}{:>10}{:>9}", "migrations", "tasks", "/s");
    for (std::size_t i = 1; i < moves.values.size(); ++i) {
        text += fmt::format("{:>10}", short_distance(moves.values[i].name));
    }
    text += "\n";
    std::vector<std::string> none;
    const auto line = [&](const std::string& name, const Row& row) {
        text += fmt::format("  {:<13}{:>10}{:>9}", name, count_text(row.values[0], 9),
                            rate_text(row.values[0], span));
        for (std::size_t i = 1; i < row.values.size(); ++i) {
            text += fmt::format("{:>10}", count_text(row.values[i], 9));
        }
        text += "\n";
    };
    for (const Row& row : moves.rows) {
        if (row.values[0] && *row.values[0] == 0) {
            none.push_back(row.labels[0]);
        } else {
            line(row.labels[0], row);
        }
    }
    line("all", group_by(moves, {}).rows[0]);
    return text + none_text(none);
}

std::string nodes_text(const Summary& summary) {
    const std::vector<Field> moves = {
        {"CPUs", "cpus", 6}, {"moved in", "moved_in", 10}, {"from others", "from_other_nodes", 12}};
    const std::vector<Field> episodes = {{">=10ms", "episodes_10ms", 8},
                                         {">=100ms", "episodes_100ms", 8}};
    const Table& waste = summary.waste;
    std::string text =
        heading("nodes", 7, moves) +
        fmt::format("{:>12}{:>10}{:>11}{:>8}", "idle wasted", "same node", "other node", "CPUs") +
        heading("", 0, episodes) + "\n";
    const auto waste_of = [&](const std::string& node) {
        std::string line;
        const Cell idle = cell(waste, node, "idle_with_queue_ns");
        line += fmt::format("{:>12}{:>10}{:>11}{:>8}", time_text(idle),
                            time_text(cell(waste, node, "same_node_ns")),
                            time_text(cell(waste, node, "cross_node_ns")),
                            ratio_text(idle, summary.about.span_ns, 3));
        for (const Field& field : episodes) {
            line +=
                fmt::format("{:>{}}", count_text(cell(waste, node, field.column), 7), field.width);
        }
        return line + "\n";
    };
    for (const Row& row : summary.nodes.rows) {
        text += fmt::format("  {:<5}", row.labels[0]) + fields_of(summary.nodes, row, moves) +
                waste_of(row.labels[0]);
    }
    const Table all = group_by(summary.nodes, {});
    return text + fmt::format("  {:<5}", "all") + fields_of(all, all.rows[0], moves) +
           waste_of("all");
}

std::string placement_text(const Summary& summary) {
    const std::vector<Field> fields = {{"tasks", "total", 10},
                                       {"kept prev", "kept_prev", 11},
                                       {"to waker", "to_waker", 10},
                                       {"moved", "moved", 10},
                                       {"onto idle", "onto_idle", 11},
                                       {"onto busy", "onto_busy", 11},
                                       {"(LLC idle)", "busy_while_llc_idle", 11}};
    std::string text = heading("placement", 15, fields) + "\n";
    for (const Row& row : summary.placement.rows) {
        text += fmt::format("  {:<13}", row.labels.empty() ? "" : row.labels[0]) +
                fields_of(summary.placement, row, fields) + "\n";
    }
    return text;
}

// How CPUs were chosen: only the patch series tells.
std::string chosen_text(const Summary& summary) {
    const Table& placement = summary.placement;
    std::string text, kinds;
    std::vector<std::string> none;
    for (const Row& row : placement.rows) {
        kinds += fmt::format("{:>10}", row.labels.empty() ? "" : row.labels[0]);
    }
    for (const Column& column : placement.values) {
        const bool is_how = column.name.rfind("how_", 0) == 0;
        if (!is_how && column.name != "scanned") continue;
        const std::string name = is_how ? column.name.substr(4) : "CPUs scanned";
        const Cell all = sum(placement, column.name);
        if (all && *all == 0) none.push_back(name);
        if (!all || *all == 0) continue;
        text += fmt::format("  {:<15}", name);
        for (const Row& row : placement.rows) {
            const Cell value = row.values[*placement.value_at(column.name)];
            text += fmt::format("{:>10}", count_text(value, 9));
        }
        text += "\n";
    }
    if (text.empty()) return text;
    return fmt::format("{:<17}{}\n", "chosen", kinds) + text + none_text(none) + "\n";
}

// What passes wanted to move, and what became of the tasks that they looked at.
std::string pulls_text(const Table& all) {
    const auto n = [&all](const char* column) { return count_text(cell(all, column), 5); };
    if (!cell(all, "scanned")) return "";
    std::string picked, average;
    for (const char* const kind : {"load", "util", "task", "misfit"}) {
        const std::string name = std::string("imb_") + kind;
        const Cell picks = cell(all, name + "_n"), sum = cell(all, name + "_sum");
        const Cell each = picks && sum && *picks > 0 ? Cell(*sum / *picks) : std::nullopt;
        const char* const comma = picked.empty() ? "" : ", ";
        picked += fmt::format("{}{} of {}", comma, count_text(picks, 7), kind);
        average += fmt::format("{}{} {}", comma, count_text(each, 7), kind);
    }
    return fmt::format("  imbalances      {}\n  on average      {}\n", picked, average) +
           fmt::format(
               "  tasks seen      {}, left: {} affinity, {} running, {} hot, {} size, {} other\n",
               n("scanned"), n("stay_affinity"), n("stay_running"), n("stay_hot"), n("stay_size"),
               n("stay_other"));
}

std::string balance_text(const Summary& summary) {
    const std::vector<Field> fields = {
        {"passes", "calls", 9},       {"pulled", "pulled_calls", 8},
        {"tasks", "pulled_tasks", 8}, {"failed", "failed", 8},
        {"pinned", "all_pinned", 8},  {"nogroup", "no_group", 8},
        {"noqueue", "no_queue", 8},   {"notours", "not_designated", 8},
        {"unexpl.", "unexplained", 8}};
    const auto line = [&](const std::string& name, const Table& table, const Row& row) {
        const auto time = table.value_at("time_ns"), calls = table.value_at("calls");
        const Cell ns = time ? row.values[*time] : std::nullopt;
        Cell each;
        if (ns && calls && row.values[*calls].value_or(0) > 0) each = *ns / *row.values[*calls];
        return fmt::format("  {:<16}", name) + fields_of(table, row, fields) +
               fmt::format("{:>8}", time_text(each)) + "\n";
    };
    std::string text = heading("balance passes", 18, fields) + fmt::format("{:>8}\n", "each");
    for (const Row& row : summary.balance.rows) {
        std::string name = row.labels[0] + " " + row.labels[1];
        if (row.labels.size() > 2) name = row.labels[0] + " " + row.labels[2] + " " + row.labels[1];
        text += line(name, summary.balance, row);
    }
    const Table& all = summary.balance_all;
    text += line("all", all, all.rows[0]);
    text += fmt::format("  active balance  {} asked for, {} moved a task, {} did not\n",
                        count_text(cell(all, "alb_kick"), 12), count_text(cell(all, "alb_ok"), 12),
                        count_text(cell(all, "alb_fail"), 12));
    return text + pulls_text(all);
}

std::string skips_text(const Table& idle) {
    if (!cell(idle, "skip_short_idle")) return "";
    return fmt::format("  skipped       {} no CPU has two tasks, {} idle time too short\n",
                       count_text(cell(idle, "skip_not_overloaded"), 12),
                       count_text(cell(idle, "skip_short_idle"), 12));
}

std::string kicks_text(const Table& nohz) {
    const auto n = [&nohz](const char* column) { return count_text(cell(nohz, column), 7); };
    if (!cell(nohz, "kick_load")) return "";
    return fmt::format("  asked for     {} load, {} old load, {} misfit, {} LLC, {} other\n",
                       n("kick_load"), n("kick_stats"), n("kick_misfit"), n("kick_llc"),
                       n("kick_other"));
}

std::string others_text(const Summary& summary) {
    const auto n = [](const Table& table, const char* column) {
        return count_text(cell(table, column), 12);
    };
    const Table &idle = summary.newidle, &nohz = summary.nohz, &numa = summary.numa;
    const Cell ns = cell(idle, "time_ns"), tries = cell(idle, "tries");
    Cell each;
    if (ns && tries && *tries > 0) each = *ns / *tries;
    return fmt::format("newidle         {} tries, {} pulled, {} without a pass, {} each\n",
                       n(idle, "tries"), n(idle, "pulled"), n(idle, "skipped"), time_text(each)) +
           skips_text(idle) +
           fmt::format("nohz balance    {} runs for {} CPUs\n", n(nohz, "runs"),
                       n(nohz, "cpus_served")) +
           kicks_text(nohz) +
           fmt::format(
               "NUMA balancing  {} of {} moves, {} of {} swaps; stuck: {} no CPU, "
               "{} failed\n",
               n(numa, "move_done"), n(numa, "move_try"), n(numa, "swap_done"), n(numa, "swap_try"),
               n(numa, "stick_no_cpu"), n(numa, "stick_failed"));
}

std::string waits_text(const Summary& summary) {
    std::string text = fmt::format("{:<18}{:>10}", "wait for a CPU", "tasks");
    for (const char* const name : kQuantileNames) text += fmt::format("{:>9}", name);
    text += "\n";
    const auto line = [&](const Latency& latency) {
        text += fmt::format("  {:<16}{:>10}", latency.name, count_text(latency.tasks, 9));
        for (const auto& bound : latency.at) text += fmt::format("{:>9}", wait_text(bound));
        text += "\n";
    };
    // Rows without a wait say nothing, but absent ones do.
    const auto lines = [&](const std::vector<Latency>& latencies) {
        for (const Latency& latency : latencies) {
            if (latency.tasks && *latency.tasks > 0) line(latency);
        }
    };
    lines(summary.by_placement);
    lines(summary.by_distance);
    line(summary.all_waits);
    return text;
}

std::string hint_text(const Summary& summary) {
    std::string text;
    if (!cell(summary.waste, "all", "idle_with_queue_ns")) {
        text += "wasted idle time and waits are not measured: echo level 2 >control\n";
    }
    if (!cell(summary.balance_all, "calls")) {
        text += "balance passes are not measured: echo lb on >control\n";
    }
    return text;
}

}  // namespace

std::string render_table(const Summary& summary, const std::string& period) {
    std::string text = about_text(summary.about);
    text += fmt::format("{}: {}\n\n", period, time_text(summary.about.span_ns));
    text += migrations_text(summary) + "\n";
    text += nodes_text(summary) + "\n";
    text += placement_text(summary) + "\n";
    text += chosen_text(summary);
    text += balance_text(summary) + "\n";
    text += others_text(summary) + "\n";
    text += waits_text(summary);
    const std::string hint = hint_text(summary);
    return hint.empty() ? text : text + "\n" + hint;
}

}  // namespace cfslbstat
