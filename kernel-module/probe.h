/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Attaching to functions by one of several names: kernels rename them. Those that the
 * compiler changed, and named otherwise, are not for probes that read arguments.
 */
#ifndef CFSLB_PROBE_H
#define CFSLB_PROBE_H

#include <linux/kprobes.h>

/*
 * Registers @rp at the first of the names (a list that NULL ends) that the kernel
 * knows. @rp must be as the caller wants it; it is prepared anew for each name.
 * Return: 0 and the name in @found, or the last name's error. May sleep.
 */
int cfslb_kretprobe_attach(struct kretprobe *rp, const char *const *names, const char **found);

#endif
