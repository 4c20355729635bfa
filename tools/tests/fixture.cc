// SPDX-License-Identifier: GPL-2.0
#include "fixture.h"

#include <fmt/format.h>
#include <stdlib.h>

#include "files.h"

namespace lbtools {
namespace {

constexpr int kCpus = 16;
constexpr int kSteps = 200;
constexpr double kStepMs = 20;
constexpr int kIdleCpu = 4;  // the CPU that never pulls on the unpatched kernel
constexpr int kStartup = 5;  // steps until the tasks have spread

std::string start_line(const FakeRun& run, const std::string& driver) {
    return fmt::format(
        R"({{"type":"start","schema":1,"driver":"{}","kernel":"{}","machine":"x86_64",)"
        R"("topology":"{}","seed":{},"nr_cpus":16,"nodes":["0-3","4-7","8-11","12-15"]}})"
        "\n",
        driver, run.kernel, run.topology, run.seed);
}

std::string end_line(const std::string& driver, int code) {
    return fmt::format(R"({{"type":"end","driver":"{}","exit":{}}})"
                       "\n",
                       driver, code);
}

std::string pinned_pile(const FakeRun& run) {
    const double idle = run.patched ? 4.0 * static_cast<double>(run.seed - 1)
                                    : 3980.0 + 4 * static_cast<double>(run.seed);
    return fmt::format(
        R"({{"type":"result","driver":"local_group_imbalance","case":"pinned_pile",)"
        R"("description":"3 hogs pinned to CPU 5, 3 widened to <2-5>: CPU 4 has to pull one",)"
        R"("verdict":"{}","reason":"{}","seed":{},"metrics":{{)"
        R"("idle_while_waiting_ms":{{"value":{},"unit":"ms","better":"lower"}},)"
        R"("longest_idle_while_waiting_ms":{{"value":{},"unit":"ms","better":"lower"}},)"
        R"("idle_pct":{{"value":{},"unit":"%","better":"lower"}},)"
        R"("work_min_max_pct":{{"value":{},"unit":"%","better":"higher"}},)"
        R"("moves":{{"value":{},"unit":"count","better":"none"}}}},)"
        R"("tasks_per_node":[2.0,{},0.0,0.0]}})"
        "\n",
        run.patched ? "pass" : "fail", run.patched ? "" : "CPU 4 idle while 3 tasks share 2 CPUs",
        run.seed, idle, idle, run.patched ? 75.1 : 81.2 + 0.1 * static_cast<double>(run.seed),
        run.patched ? 91.5 : 48.5, 12 + run.seed, run.patched ? 4.0 : 3.0);
}

std::string pinned_timeline(const FakeRun& run) {
    std::string steps;
    for (int step = 0; step < kSteps; ++step) {
        std::string cpus;
        for (int cpu = 0; cpu < kCpus; ++cpu) {
            int tasks = cpu == 5 ? 3 : cpu == 2 ? 2 : cpu == 3 ? 1 : 0;
            if (run.patched && step > kStartup) {
                if (cpu == 2 || cpu == kIdleCpu) tasks = 1;
            } else if ((step / 10 + run.seed) % 2 == 0 && (cpu == 2 || cpu == 3)) {
                tasks = 3 - tasks;  // the second task of the pair wanders
            }
            cpus += fmt::format("{}{}", cpu == 0 ? "" : ",", tasks);
        }
        steps += fmt::format("{}[{}]", step == 0 ? "" : ",", cpus);
    }
    return fmt::format(
        R"({{"type":"timeline","driver":"local_group_imbalance","case":"pinned_pile","seed":{},)"
        R"("step_ms":{},"start_ms":0.0,"cpus":[{}]}})"
        "\n",
        run.seed, kStepMs, steps);
}

// The same on both kernels, with a little noise that depends on the seed.
std::string one_for_each(const FakeRun& run) {
    const double noise = 0.02 * static_cast<double>(run.seed * 7 % 5);
    return fmt::format(
        R"({{"type":"result","driver":"even_spread","case":"one_for_each",)"
        R"("description":"one spinner for each CPU","verdict":"pass","reason":"","seed":{},)"
        R"("metrics":{{"idle_while_waiting_ms":{{"value":0.0,"unit":"ms","better":"lower"}},)"
        R"("work_min_max_pct":{{"value":{},"unit":"%","better":"higher"}}}},)"
        R"("tasks_per_node":[4.0,4.0,4.0,4.0]}})"
        "\n",
        run.seed, 99.2 + noise + (run.patched ? 0.01 : 0.0));
}

std::string skipped(const FakeRun& run) {
    return fmt::format(
        R"({{"type":"result","driver":"even_spread","case":"big_little","description":"",)"
        R"("verdict":"skip","reason":"needs CPUs of two capacities","seed":{},"metrics":{{}}}})"
        "\n",
        run.seed);
}

}  // namespace

std::string fake_results(const FakeRun& run) {
    std::string text = start_line(run, "local_group_imbalance");
    text += pinned_pile(run) + pinned_timeline(run);
    text += end_line("local_group_imbalance", run.patched ? 0 : 1);
    text += start_line(run, "even_spread");
    if (run.lose_case) return text;
    return text + one_for_each(run) + skipped(run) + end_line("even_spread", 0);
}

void TempDir::SetUp() {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    if (const char* const keep = getenv("LBTOOLS_KEEP")) {
        dir_ = std::filesystem::path(keep) / test->name();
        std::filesystem::remove_all(dir_);
        std::filesystem::create_directories(dir_);
        return;
    }
    std::string name = (std::filesystem::temp_directory_path() / "lbtools-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    dir_ = name;
}

void TempDir::TearDown() {
    if (getenv("LBTOOLS_KEEP") == nullptr) std::filesystem::remove_all(dir_);
}

std::string TempDir::put(const std::string& name, const std::string& content) const {
    const std::string path = dir_ / name;
    write_file(path, content);
    return path;
}

std::vector<std::string> TempDir::put_runs(const std::string& name, int n, FakeRun run) const {
    std::vector<std::string> paths;
    for (run.seed = 1; run.seed <= n; ++run.seed) {
        paths.push_back(put(fmt::format("{}-{}.jsonl", name, run.seed), fake_results(run)));
    }
    return paths;
}

}  // namespace lbtools
