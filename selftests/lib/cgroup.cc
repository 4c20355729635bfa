// SPDX-License-Identifier: GPL-2.0
#include "cgroup.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "deadline.h"
#include "errors.h"
#include "files.h"

namespace cfslb {

namespace {

const char kControllers[] = "/cgroup.controllers";
const char kSubtreeControl[] = "/cgroup.subtree_control";
// rmdir says EBUSY until the last exiting task has left; a task leaves within a tick or two.
constexpr int kRemoveDeadlineMs = 2000;

bool has_word(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<std::string> comma_words(std::string options) {
    std::replace(options.begin(), options.end(), ',', ' ');
    return split_words(options);
}

void enable_cpu_controller(const std::string& mount) {
    std::string path = mount + kSubtreeControl;
    if (has_word(split_words(read_file(path)), "cpu")) return;
    try {
        write_file(path, "+cpu");
    } catch (const SystemError& e) {
        throw Skip("needs the cpu controller in " + path + ": " + e.what());
    }
}

}  // namespace

CpuController find_cpu_controller(const std::string& root) {
    std::string mounts = read_file_if_there(below(root, "/proc/self/mounts")).value_or("");
    bool seen_v2 = false;
    for (const std::string& line : split_lines(mounts)) {
        std::vector<std::string> fields = split_words(line);
        if (fields.size() < 4) continue;
        std::string mount = below(root, fields[1]);
        if (fields[2] == "cgroup" && has_word(comma_words(fields[3]), "cpu")) return {1, mount};
        if (fields[2] != "cgroup2") continue;
        seen_v2 = true;
        std::string controllers = read_file_if_there(mount + kControllers).value_or("");
        if (has_word(split_words(controllers), "cpu")) return {2, mount};
    }
    throw Skip(seen_v2 ? "needs the cpu controller (CONFIG_FAIR_GROUP_SCHED) in cgroup.controllers"
                       : "needs a mounted cgroup hierarchy with the cpu controller");
}

Cgroup::Cgroup(const CpuController& controller, const std::string& name)
    : controller_(controller),
      path_(controller.mount + "/cfslb-" + std::to_string(getpid()) + "-" + name) {
    if (controller_.version == 2) enable_cpu_controller(controller_.mount);
    if (mkdir(path_.c_str(), 0755) == 0) return;
    if (errno == EACCES || errno == EPERM || errno == EROFS) {
        throw Skip("needs root to make " + path_);
    }
    throw SystemError("make cgroup", path_, errno);
}

Cgroup::~Cgroup() {
    Deadline deadline(kRemoveDeadlineMs);
    while (rmdir(path_.c_str()) != 0 && errno == EBUSY && !deadline.passed()) deadline.pause();
}

void Cgroup::set_weight(int weight) {
    if (controller_.version == 2) {
        write_file(path_ + "/cpu.weight", std::to_string(weight));
    } else {
        write_file(path_ + "/cpu.shares", std::to_string(shares_of_weight(weight)));
    }
}

long shares_of_weight(int weight) { return std::clamp(weight * 1024L / 100, 2L, 262144L); }

}  // namespace cfslb
