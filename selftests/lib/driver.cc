// SPDX-License-Identifier: GPL-2.0
#include "driver.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <stdexcept>

#include "errors.h"
#include "files.h"
#include "json.h"

namespace cfslb {

namespace {

constexpr int kSchema = 1;

volatile sig_atomic_t signal_seen;

void on_signal(int) { signal_seen = 1; }

void catch_signals() {
    struct sigaction action = {};
    action.sa_handler = on_signal;  // no SA_RESTART: sleeps and waits must end
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

void print_help(const Driver& driver) {
    printf(
        "%s: %s\n\n"
        "Usage: %s [options]\n"
        "  --help          this text\n"
        "  --list          the cases on this box, one a line\n"
        "  --case NAME     only this case; may be given again\n"
        "  --seconds N     length of a case, settling included, 1..%d (default %d)\n"
        "  --seed N        shifts the start of each case (env %s), 0..%d (default 1)\n"
        "  --json FILE     append results as JSON lines (env %s wins)\n"
        "  --most-waste MS fails a case in which the module cfslb counts more waste, in CPU ms\n"
        "Exit code: 0 passed, 1 failed, 2 bad usage, 4 all skipped.\n",
        driver.name.c_str(), driver.summary.c_str(), driver.name.c_str(), kMaxSeconds,
        kDefaultSeconds, kEnvSeed, kMaxSeed, kEnvJson);
}

// Appends lines to the JSON file, if there is one.
class JsonFile {
  public:
    explicit JsonFile(const std::string& path) : path_(path) {
        if (path.empty()) return;
        fd_ = Fd(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
        if (fd_.get() < 0) throw SystemError("open", path, errno);
    }
    void line(const std::string& text) {
        if (fd_.get() < 0) return;
        std::string rest = text + "\n";
        while (!rest.empty()) {
            ssize_t put = write(fd_.get(), rest.data(), rest.size());
            if (put < 0 && errno == EINTR) continue;
            if (put < 0) throw SystemError("write", path_, errno);
            rest.erase(0, static_cast<size_t>(put));
        }
    }

  private:
    std::string path_;
    Fd fd_;
};

std::string metrics_json(const std::vector<Metric>& metrics) {
    JsonObject object;
    for (const Metric& metric : metrics) {
        const char* better = metric.better == Better::lower    ? "lower"
                             : metric.better == Better::higher ? "higher"
                                                               : "none";
        object.raw(metric.name, JsonObject()
                                    .number("value", metric.value)
                                    .text("unit", metric.unit)
                                    .text("better", better)
                                    .str());
    }
    return object.str();
}

Result run_guarded(const Case& c, const Context& context) {
    Result result;
    try {
        if (stop_requested()) throw Interrupted();
        return c.run(context);
    } catch (const Skip& e) {
        return Result::skipped(e.what());
    } catch (const std::exception& e) {
        result.fail(e.what());
    } catch (...) {
        result.fail("unknown exception");
    }
    return result;
}

std::vector<Case> selected(const std::vector<Case>& all, const Options& options) {
    if (options.cases.empty()) return all;
    std::vector<Case> some;
    for (const std::string& name : options.cases) {
        auto found =
            std::find_if(all.begin(), all.end(), [&](const Case& c) { return c.name == name; });
        if (found == all.end()) {
            throw std::invalid_argument("no case \"" + name + "\" on this box, see --list");
        }
        some.push_back(*found);
    }
    return some;
}

int run_cases(const Driver& driver, const Context& context, const std::vector<Case>& cases,
              JsonFile& json) {
    Ktap ktap(stdout);
    ktap.begin(cases.size());
    json.line(start_line(driver, context));
    for (const Case& c : cases) {
        Result result = run_guarded(c, context);
        for (const std::string& note : result.notes) ktap.note(c.name + ": " + note);
        ktap.result(result.verdict, c.name, result.reason);
        json.line(result_line(driver, context, c, result));
        if (!result.timeline.empty()) json.line(timeline_line(driver, context, c, result));
    }
    int code = ktap.end();
    json.line(end_line(driver, code));
    return code;
}

int guarded_main(int argc, char* argv[], const Driver& driver) {
    Context context;
    context.options = parse_options(argc, argv);
    if (context.options.help) {
        print_help(driver);
        return kExitPass;
    }
    context.topology = read_topology();
    std::vector<Case> cases = selected(driver.cases(context.topology), context.options);
    if (context.options.list) {
        for (const Case& c : cases) printf("%-24s %s\n", c.name.c_str(), c.description.c_str());
        return kExitPass;
    }
    JsonFile json(context.options.json);
    catch_signals();
    return run_cases(driver, context, cases, json);
}

}  // namespace

bool stop_requested() { return signal_seen != 0; }

std::string start_line(const Driver& driver, const Context& context) {
    utsname system = {};
    uname(&system);
    std::vector<std::string> nodes;
    for (const Node& node : context.topology.nodes) nodes.push_back(format_cpu_list(node.cpus));
    return JsonObject()
        .text("type", "start")
        .integer("schema", kSchema)
        .text("driver", driver.name)
        .text("kernel", system.release)
        .text("machine", system.machine)
        .text("topology", context.options.topology)
        .integer("seed", context.options.seed)
        .integer("nr_cpus", context.topology.nr_cpus())
        .raw("nodes", json_array(nodes))
        .str();
}

std::string result_line(const Driver& driver, const Context& context, const Case& c,
                        const Result& result) {
    return JsonObject()
        .text("type", "result")
        .text("driver", driver.name)
        .text("case", c.name)
        .text("description", c.description)
        .text("verdict", verdict_name(result.verdict))
        .text("reason", result.reason)
        .integer("seed", context.options.seed)
        .raw("metrics", metrics_json(result.metrics))
        .raw("tasks_per_node", json_array(result.tasks_per_node))
        .raw("tasks_per_cpu", json_array(result.tasks_per_cpu))
        .str();
}

std::string timeline_line(const Driver& driver, const Context& context, const Case& c,
                          const Result& result) {
    std::string steps = "[";
    for (size_t i = 0; i < result.timeline.size(); i++) {
        steps += (i > 0 ? "," : "") + json_array(result.timeline[i]);
    }
    return JsonObject()
        .text("type", "timeline")
        .text("driver", driver.name)
        .text("case", c.name)
        .integer("seed", context.options.seed)
        .number("step_ms", result.timeline_step_ms)
        .number("start_ms", 0)
        .raw("cpus", steps + "]")
        .str();
}

std::string end_line(const Driver& driver, int exit_code) {
    return JsonObject()
        .text("type", "end")
        .text("driver", driver.name)
        .integer("exit", exit_code)
        .str();
}

int driver_main(int argc, char* argv[], const Driver& driver) {
    int code = kExitFail;
    try {
        code = guarded_main(argc, argv, driver);
    } catch (const std::invalid_argument& e) {
        fprintf(stderr, "%s: %s\n", driver.name.c_str(), e.what());
        code = kExitUsage;
    } catch (const std::exception& e) {
        printf("Bail out! %s: %s\n", driver.name.c_str(), e.what());
        fprintf(stderr, "%s: %s\n", driver.name.c_str(), e.what());
    }
    if (fflush(stdout) != 0 && code == kExitPass) code = kExitFail;
    return code;
}

}  // namespace cfslb
