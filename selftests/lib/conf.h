// SPDX-License-Identifier: GPL-2.0
// Reads a topology description (scripts/topologies/NAME.conf): "key = value" lines, '#' comments.
#ifndef CFSLB_CONF_H
#define CFSLB_CONF_H

#include <string>
#include <vector>

#include "cpulist.h"

namespace cfslb {

struct ExpectedDomain {
    std::string name;  // "MC"
    int span = 0;      // CPUs in it
};

// CPU numbers: the thread counts fastest, then the core, then the socket.
struct TopologyConf {
    std::string arch = "x86_64";  // or arm64
    std::string mode = "replay";  // or fast
    int sockets = 1;
    int cores = 1;                            // per socket
    int threads = 1;                          // per core
    int node_count = 0;                       // of a "nodes = N" line; 0 when not given
    std::vector<CpuList> nodes;               // one node with every CPU when none is given
    std::vector<std::vector<int>> distances;  // 10 and 20 when none is given
    std::vector<int> capacities;              // one per CPU, as in the device tree; may be empty
    std::vector<CpuList> clusters;            // may be empty
    int memory_mib = 0;                       // 0 when not given
    std::vector<ExpectedDomain> domains;      // of CPU 0, the lowest first; may be empty

    int nr_cpus() const { return sockets * cores * threads; }
    CpuList core_cpus(int cpu) const;    // threads of the CPU's core
    CpuList socket_cpus(int cpu) const;  // CPUs of the CPU's socket
};

// Throws FormatError "PATH:LINE: problem" for an unknown key or a bad value, and "PATH: problem"
// for nodes that overlap, do not cover all CPUs or come both as "node" and as "nodes", and for
// distances that are not square or not symmetric.
TopologyConf parse_conf(const std::string& text, const std::string& path);

// Throws SystemError, or FormatError as parse_conf().
TopologyConf read_conf(const std::string& path);

}  // namespace cfslb

#endif
