/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Attaching to tracepoints by name: events of the scheduler are not exported.
 */
#ifndef CFSLB_TRACE_H
#define CFSLB_TRACE_H

struct tracepoint;

struct cfslb_probe {
	const char *event;
	void *probe;		/* CFSLB_PROBE(): its type is checked */
	struct tracepoint *tp;	/* set while attached */
};

/* Attaches all of @probes in order or none. Return: 0, -ENOENT, -ENOMEM. May sleep. */
int cfslb_trace_attach(struct cfslb_probe *probes, int nr);

/*
 * Detaches in reverse order. Probes may still run when it returns:
 * tracepoint_synchronize_unregister() waits for them.
 */
void cfslb_trace_detach(struct cfslb_probe *probes, int nr);

#endif
