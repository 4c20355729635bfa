// SPDX-License-Identifier: GPL-2.0
/*
 * Attaching to tracepoints by name.
 */
#define pr_fmt(fmt) "cfslb: " fmt

#include <linux/printk.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include "trace.h"

struct search {
	const char *name;
	struct tracepoint *found;
};

static void compare(struct tracepoint *tp, void *data)
{
	struct search *search = data;

	if (!strcmp(tp->name, search->name))
		search->found = tp;
}

static int attach_one(struct cfslb_probe *probe)
{
	struct search search = { .name = probe->event };
	int err;

	for_each_kernel_tracepoint(compare, &search);
	if (!search.found) {
		pr_err("this kernel has no tracepoint %s\n", probe->event);
		return -ENOENT;
	}
	err = tracepoint_probe_register(search.found, probe->probe, NULL);
	if (!err)
		probe->tp = search.found;
	return err;
}

void cfslb_trace_detach(struct cfslb_probe *probes, int nr)
{
	while (nr--) {
		if (!probes[nr].tp)
			continue;
		tracepoint_probe_unregister(probes[nr].tp, probes[nr].probe, NULL);
		probes[nr].tp = NULL;
	}
}

int cfslb_trace_attach(struct cfslb_probe *probes, int nr)
{
	int i, err;

	for (i = 0; i < nr; i++) {
		err = attach_one(&probes[i]);
		if (err) {
			cfslb_trace_detach(probes, i);
			return err;
		}
	}
	return 0;
}
