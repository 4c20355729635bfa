// SPDX-License-Identifier: GPL-2.0
/*
 * sched_move_numa, sched_swap_numa, sched_stick_numa: NUMA balancing is about to
 * try a move, or gives up. Whether a try works shows at sched_migrate_task, which
 * finds the notes left here. In process context, interrupts on.
 */
#include "compat_trace.h"
#include "counters.h"
#include "marks.h"
#include "sources.h"
#include "topo.h"
#include "trace.h"

/* Counts are also read by sched_migrate_task's probe, in other cells of the row. */
static void count(int src, int dst, enum cfslb_numa_column column)
{
	cfslb_inc(CFSLB_T_NUMA, cfslb_node_of(src) * cfslb_nr_nodes + cfslb_node_of(dst), column);
}

static void on_move(void *data, struct task_struct *p, int src, int dst)
{
	cfslb_mark_set(p, CFSLB_MARK_NUMA_MOVE, dst);
	count(src, dst, CFSLB_NUMA_MOVE_TRY);
}

static void on_swap(void *data, struct task_struct *p, int src,
		    struct task_struct *other, int dst)
{
	cfslb_mark_set(p, CFSLB_MARK_NUMA_SWAP, dst);
	cfslb_mark_set(other, CFSLB_MARK_NUMA_SWAP, src);
	count(src, dst, CFSLB_NUMA_SWAP_TRY);
	count(dst, src, CFSLB_NUMA_SWAP_TRY);
}

/* A try that failed: what it noted is void. */
static void stick(struct task_struct *p, int src, int dst)
{
	cfslb_mark_take(p, dst);
	count(src, dst, CFSLB_NUMA_STICK_FAILED);
}

static void on_stick(void *data, struct task_struct *p, int src,
		     struct task_struct *other, int dst)
{
	if (dst < 0) {
		count(src, src, CFSLB_NUMA_STICK_NO_CPU);
		return;
	}
	stick(p, src, dst);
	if (other)
		cfslb_mark_take(other, src);
}

/* Before 5.10: the case without a destination is not traced. */
static void on_stick_short(void *data, struct task_struct *p, int src, int dst)
{
	stick(p, src, dst);
}

static struct cfslb_probe probes[] = {
	{ .event = "sched_move_numa" },
	{ .event = "sched_swap_numa" },
	{ .event = "sched_stick_numa" },
};

bool cfslb_numa_tells_no_cpu(void)
{
	return CFSLB_FITS(sched_stick_numa, on_stick);
}

int cfslb_numa_attach(void)
{
	probes[0].probe = CFSLB_PROBE(sched_move_numa, on_move);
	probes[1].probe = CFSLB_PROBE(sched_swap_numa, on_swap);
	probes[2].probe = CFSLB_PROBE2(sched_stick_numa, on_stick, on_stick_short);
	return cfslb_trace_attach(probes, ARRAY_SIZE(probes));
}

void cfslb_numa_detach(void)
{
	cfslb_trace_detach(probes, ARRAY_SIZE(probes));
}
