/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of QEMU's plugin interface, version 4 (QEMU 9.2 and later), that
 * callcost.cc uses. Debian ships the emulator with plugins but not their header;
 * the documentation is https://www.qemu.org/docs/master/devel/tcg-plugins.html.
 */
#pragma once

#include <glib.h>

#include <cstddef>
#include <cstdint>

extern "C" {

using qemu_plugin_id_t = uint64_t;

struct qemu_info_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_register;

struct qemu_plugin_reg_descriptor {
    qemu_plugin_register* handle;
    const char* name;
    const char* feature;
};

enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_R_REGS = 1 };  // the callback reads registers

void qemu_plugin_outs(const char* text);

void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t id,
                                       void (*call)(qemu_plugin_id_t, unsigned int vcpu));
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                           void (*call)(qemu_plugin_id_t, qemu_plugin_tb*));
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*call)(qemu_plugin_id_t, void*),
                                    void* data);

size_t qemu_plugin_tb_n_insns(const qemu_plugin_tb* tb);
qemu_plugin_insn* qemu_plugin_tb_get_insn(const qemu_plugin_tb* tb, size_t index);
uint64_t qemu_plugin_insn_vaddr(const qemu_plugin_insn* insn);
size_t qemu_plugin_insn_data(const qemu_plugin_insn* insn, void* to, size_t length);

void qemu_plugin_register_vcpu_tb_exec_cb(qemu_plugin_tb* tb,
                                          void (*call)(unsigned int vcpu, void* data),
                                          qemu_plugin_cb_flags flags, void* data);
void qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_insn* insn,
                                            void (*call)(unsigned int vcpu, void* data),
                                            qemu_plugin_cb_flags flags, void* data);

GArray* qemu_plugin_get_registers(void);
int qemu_plugin_read_register(qemu_plugin_register* handle, GByteArray* to);
bool qemu_plugin_read_memory_vaddr(uint64_t address, GByteArray* to, size_t length);

}  // extern "C"
