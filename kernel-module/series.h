/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoints that the patch series adds: the balancer says itself what it
 * decides. Kbuild finds them in the kernel's headers; without them no_series.c
 * takes the place of the sources, and kretprobes do what they can.
 */
#ifndef CFSLB_SERIES_H
#define CFSLB_SERIES_H

#include <linux/types.h>

/* Were there when the module was built. */
bool cfslb_series_known(void);

/*
 * lb: passes, newly idle CPUs, the nohz balancer. Return: 0, or -ENOENT if the
 * kernel has none of it. May sleep. Detach returns when no probe runs any more.
 */
int cfslb_series_attach(void);
void cfslb_series_detach(void);
bool cfslb_series_on(void);

/* Level 1: how wake-ups, forks and execs found their CPU. 0 without the series, too. */
int cfslb_how_attach(void);
void cfslb_how_detach(void);
bool cfslb_how_on(void);

/* Events of a kernel whose structures are older than the headers. */
u64 cfslb_series_missed(void);

#endif
