// SPDX-License-Identifier: GPL-2.0
/*
 * sched_place_tp: a CPU was chosen for a task that has a choice, and how.
 * Interrupts are off.
 */
#include <linux/sched/lb_events.h>
#include "compat_trace.h"
#include "counters.h"
#include "series.h"
#include "trace.h"

static void on_place(void *data, const struct sched_place *place)
{
	u32 kind = place->kind - SCHED_PLACE_WAKE, how = place->how - SCHED_PLACE_KEPT;

	BUILD_BUG_ON(SCHED_PLACE_EXEC - SCHED_PLACE_WAKE != CFSLB_PLACE_EXEC);
	BUILD_BUG_ON(SCHED_PLACE_TARGET_BUSY - SCHED_PLACE_KEPT != CFSLB_HOW_TARGET_BUSY);
	if (place->size < sizeof(*place) || kind >= CFSLB_NR_PLACE_KINDS || how >= CFSLB_NR_HOW)
		return;
	cfslb_inc(CFSLB_T_PLACE, kind, CFSLB_PLACE_HOW_FIRST + how);
	cfslb_add(CFSLB_T_PLACE, kind, CFSLB_PLACE_SCANNED, place->scanned);
}

static struct cfslb_probe probe = { .event = "sched_place_tp" };

int cfslb_how_attach(void)
{
	probe.probe = CFSLB_PROBE(sched_place_tp, on_place);
	return cfslb_trace_attach(&probe, 1);
}

void cfslb_how_detach(void)
{
	cfslb_trace_detach(&probe, 1);
}

bool cfslb_how_on(void)
{
	return probe.tp;
}
