// SPDX-License-Identifier: GPL-2.0
//
// Usage: cfslbstat_bench ROOT [READS]
//
// CPU time and memory of a read of all files in ROOT, and of what is made of it. No test: figures
// depend on the machine.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <exception>

#include "delta.h"
#include "json_out.h"
#include "openmetrics.h"
#include "reader.h"
#include "text.h"

namespace {

// CPU time of this process, in ms, with that of the kernel: other processes do not disturb it.
double now() {
    timespec time = {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

template <typename Call>
double time_of(Call call) {
    const double start = now();
    call();
    return now() - start;
}

void print(const char* what, std::vector<double> ms) {
    std::sort(ms.begin(), ms.end());
    fmt::print("{:<12} median {:.3f} ms, {:.3f} to {:.3f}, {} times\n", what, ms[ms.size() / 2],
               ms.front(), ms.back(), ms.size());
}

void run(const std::string& root, int reads) {
    cfslbstat::Reader reader(root);
    cfslbstat::Snapshot snapshot = reader.read();
    cfslbstat::Differ differ(snapshot);
    std::vector<double> read, line, table, json, metrics;
    std::size_t bytes = 0;
    for (int i = 0; i < reads; ++i) {
        read.push_back(time_of([&] { snapshot = reader.read(); }));
        line.push_back(time_of(
            [&] { bytes += live_line(summarize(differ.next(snapshot).counts), 1).size(); }));
        table.push_back(time_of([&] { bytes += render_table(summarize(snapshot), "").size(); }));
        json.push_back(time_of([&] {
            bytes += to_json(summarize(snapshot), cfslbstat::JsonFrame(), &snapshot).size();
        }));
        metrics.push_back(time_of([&] { bytes += to_openmetrics(snapshot).size(); }));
    }
    print("read", read);
    print("live line", line);
    print("table", table);
    print("JSON, rows", json);
    print("OpenMetrics", metrics);
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    fmt::print("peak memory  {:.1f} MiB ({} bytes made)\n",
               static_cast<double>(usage.ru_maxrss) / 1024, bytes);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2 || argc > 3 || (argc == 3 && std::atoi(argv[2]) < 1)) {
        fmt::print(stderr, "usage: cfslbstat_bench ROOT [READS]\n");
        return 2;
    }
    try {
        run(argv[1], argc == 3 ? std::atoi(argv[2]) : 200);
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "cfslbstat_bench: {}\n", error.what());
        return 3;
    }
}
