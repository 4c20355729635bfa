// SPDX-License-Identifier: GPL-2.0
// callcost: QEMU plugin that counts the guest instructions of each call of load_balance().
//
//   qemu-system-x86_64 ... -plugin libcallcost.so,entry=A,level=N,out=FILE
//
// entry        address of the function's first byte
// level        offset of sched_domain::level in bytes
// out          one JSON object a line: level of the domain, idle type (idle, busy, newly_idle),
//              outcome (not_designated, balanced, moved), and the instructions of each such call
//
// A call ends where its caller goes on, so what a probe adds to it counts: a kretprobe's handler
// runs between the function's return and its caller. What other CPUs execute in the meantime does
// not count; interrupts that the CPU takes during the call do: read medians. Nothing in the guest
// is changed, its schedule is the same as without the plugin. For guests in replay mode, in which
// one thread of the host runs all CPUs in turn. The number of the CPU that QEMU gives cannot be
// used there: it belongs to the CPU for which the code
// was translated. In the kernel, the base of the GS segment tells CPUs apart.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "qemu_plugin_abi.h"

extern "C" {
extern int qemu_plugin_version;
int qemu_plugin_version = 4;
int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info, int argc, char** argv);
}

namespace {

struct Call {
    uint64_t instructions = 0;
    int64_t level = 0;
    int64_t idle = 0;
    uint64_t continue_balancing = 0;  // its address
    uint64_t caller = 0;              // the address that it returns to
};

struct Block {
    uint64_t address;
    uint64_t instructions;
};

using Key = std::tuple<int64_t, int64_t, std::string>;  // level, idle type, outcome

// enum cpu_idle_type
const char* const kIdleTypes[] = {"idle", "busy", "newly_idle"};

uint64_t entry_address;
uint64_t level_offset;
// QEMU calls on_exit() after the destructors of static objects: these two have none.
std::string& out_path = *new std::string;

std::map<uint64_t, Call> calls;  // the calls under way, by the base of the CPU's per-CPU data
std::map<Key, std::vector<uint64_t>>& costs = *new std::map<Key, std::vector<uint64_t>>;
qemu_plugin_register *reg_rdx, *reg_rcx, *reg_r8, *reg_rax, *reg_rsp, *reg_gs_base;
GByteArray* bytes;

uint64_t little_endian() {
    uint64_t value = 0;
    memcpy(&value, bytes->data, std::min<size_t>(bytes->len, sizeof(value)));
    return value;
}

uint64_t read_register(qemu_plugin_register* reg) {
    g_byte_array_set_size(bytes, 0);
    qemu_plugin_read_register(reg, bytes);
    return little_endian();
}

int32_t read_int(uint64_t address) {
    g_byte_array_set_size(bytes, 0);
    if (!qemu_plugin_read_memory_vaddr(address, bytes, sizeof(int32_t))) return -1;
    return static_cast<int32_t>(little_endian());
}

uint64_t read_word(uint64_t address) {
    g_byte_array_set_size(bytes, 0);
    if (!qemu_plugin_read_memory_vaddr(address, bytes, sizeof(uint64_t))) return 0;
    return little_endian();
}

// load_balance(this_cpu, this_rq, sd, idle, continue_balancing)
void on_entry(unsigned int, void* block) {
    Call& call = calls[read_register(reg_gs_base)];
    call.level = read_int(read_register(reg_rdx) + level_offset);
    call.idle = static_cast<int32_t>(read_register(reg_rcx));
    call.continue_balancing = read_register(reg_r8);
    call.caller = read_word(read_register(reg_rsp));
    // Its first block, which is this one.
    call.instructions = static_cast<Block*>(block)->instructions;
}

void finish(const Call& done) {
    const char* outcome = "balanced";
    if (static_cast<int32_t>(read_register(reg_rax)) > 0) outcome = "moved";
    if (read_int(done.continue_balancing) == 0) outcome = "not_designated";
    costs[{done.level, done.idle, outcome}].push_back(done.instructions);
}

void on_block(unsigned int, void* data) {
    if (calls.empty()) return;
    auto call = calls.find(read_register(reg_gs_base));
    if (call == calls.end()) return;
    auto block = static_cast<const Block*>(data);
    if (block->address == call->second.caller) {
        finish(call->second);
        calls.erase(call);
    } else {
        call->second.instructions += block->instructions;
    }
}

void on_translation(qemu_plugin_id_t, qemu_plugin_tb* tb) {
    qemu_plugin_insn* first = qemu_plugin_tb_get_insn(tb, 0);
    // QEMU has no word when it drops a block: it stays. A function, as what follows a call, begins
    // one.
    auto block = new Block{qemu_plugin_insn_vaddr(first), qemu_plugin_tb_n_insns(tb)};
    if (block->address == entry_address)
        qemu_plugin_register_vcpu_insn_exec_cb(first, on_entry, QEMU_PLUGIN_CB_R_REGS, block);
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_R_REGS, block);
}

void on_cpu(qemu_plugin_id_t, unsigned int) {
    if (reg_rax) return;
    GArray* registers = qemu_plugin_get_registers();
    for (unsigned int i = 0; i < registers->len; i++) {
        auto& reg = g_array_index(registers, qemu_plugin_reg_descriptor, i);
        if (!strcmp(reg.name, "rax")) reg_rax = reg.handle;
        if (!strcmp(reg.name, "rcx")) reg_rcx = reg.handle;
        if (!strcmp(reg.name, "rdx")) reg_rdx = reg.handle;
        if (!strcmp(reg.name, "rsp")) reg_rsp = reg.handle;
        if (!strcmp(reg.name, "r8")) reg_r8 = reg.handle;
        if (!strcmp(reg.name, "gs_base")) reg_gs_base = reg.handle;
    }
    g_array_free(registers, TRUE);
}

void on_exit(qemu_plugin_id_t, void*) {
    FILE* out = fopen(out_path.c_str(), "w");
    if (!out) {
        qemu_plugin_outs("callcost: error: cannot write the file of out=\n");
        return;
    }
    for (auto& [key, counts] : costs) {
        const auto& [level, idle, outcome] = key;
        const char* type = idle >= 0 && idle <= 2 ? kIdleTypes[idle] : "unknown";
        fprintf(out, "{\"level\":%ld,\"idle_type\":\"%s\",\"outcome\":\"%s\",\"instructions\":[",
                level, type, outcome.c_str());
        for (size_t i = 0; i < counts.size(); i++) fprintf(out, "%s%lu", i ? "," : "", counts[i]);
        fprintf(out, "]}\n");
    }
    fclose(out);
}

bool take_argument(const std::string& argument) {
    size_t equals = argument.find('=');
    if (equals == std::string::npos) return false;
    std::string name = argument.substr(0, equals), value = argument.substr(equals + 1);
    if (name == "out") {
        out_path = value;
        return !value.empty();
    }
    uint64_t* number = name == "entry" ? &entry_address : name == "level" ? &level_offset : nullptr;
    char* rest = nullptr;
    if (number) *number = strtoull(value.c_str(), &rest, 0);
    return number && !value.empty() && !*rest;
}

}  // namespace

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t*, int argc, char** argv) {
    for (int i = 0; i < argc; i++) {
        if (!take_argument(argv[i])) {
            fprintf(stderr, "callcost: error: bad argument '%s'\n", argv[i]);
            return 1;
        }
    }
    if (!entry_address || out_path.empty()) {
        fprintf(stderr, "callcost: error: entry= and out= are needed\n");
        return 1;
    }
    bytes = g_byte_array_new();
    qemu_plugin_register_vcpu_init_cb(id, on_cpu);
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, on_exit, nullptr);
    return 0;
}
