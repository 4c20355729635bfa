// SPDX-License-Identifier: GPL-2.0
// The cpu controller of cgroup v1 or v2, and test cgroups that remove themselves.
#ifndef CFSLB_CGROUP_H
#define CFSLB_CGROUP_H

#include <string>

namespace cfslb {

// Where the cpu controller can be used.
struct CpuController {
    int version = 2;    // 1 or 2
    std::string mount;  // directory in which test cgroups are made, such as /sys/fs/cgroup
};

// Finds the mount in /proc/self/mounts below ROOT; v2 also needs the controller in
// cgroup.controllers. Throws Skip, its text naming what is missing.
CpuController find_cpu_controller(const std::string& root = "/");

// One test cgroup with the cpu controller, directly below the mount so that its share competes
// with its siblings only. Named cfslb-PID-NAME. The destructor removes it; every task must have
// left it by then (Workers reaps its own).
class Cgroup {
  public:
    // v2: enables the controller for children of the mount when it is not. Throws Skip when the
    // kernel refuses that (no root, or a container whose top cgroup holds tasks).
    Cgroup(const CpuController& controller, const std::string& name);
    ~Cgroup();
    Cgroup(const Cgroup&) = delete;
    Cgroup& operator=(const Cgroup&) = delete;

    const std::string& path() const { return path_; }
    // File to which a task writes "0" to join.
    std::string procs() const { return path_ + "/cgroup.procs"; }
    // WEIGHT is cpu.weight, 1..10000, default 100. v1 gets cpu.shares in proportion (100 = 1024).
    // Throws SystemError.
    void set_weight(int weight);

  private:
    CpuController controller_;
    std::string path_;
};

// cpu.shares for a cpu.weight, within the kernel's limits of 2 and 262144.
long shares_of_weight(int weight);

}  // namespace cfslb

#endif
