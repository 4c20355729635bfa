/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Domains as the balancer's probe meets them: their row in the table lb, their
 * names, what the kernel counted in them for active balancing.
 */
#ifndef CFSLB_DOMAINS_H
#define CFSLB_DOMAINS_H

#include "compat_domain.h"

#define CFSLB_DOMAIN_NAME 8	/* bytes, with the end */

static inline u32 cfslb_domain_level(const struct sched_domain *sd)
{
	return clamp(sd->level, 0, CFSLB_NR_LEVELS - 1);
}

static inline u32 cfslb_domain_row(const struct sched_domain *sd, enum cfslb_idle_type idle)
{
	return cfslb_domain_level(sd) * CFSLB_NR_IDLE_TYPES + idle;
}

/* A pass over @sd for @cpu ended; @now: what the kernel counts in it. */
void cfslb_domain_seen(const struct sched_domain *sd, int cpu, const struct cfslb_sd_stats *now);

/* The probe is off: domains may go and come. */
void cfslb_domains_forget(void);

/* The name of a level, as last seen; "-" if the kernel does not tell. */
const char *cfslb_domain_name(u32 level);

/* From the probe: a pass for @cpu, of the kernel's type @idle, begins on this CPU. */
void cfslb_nohz_pass(int cpu, unsigned long idle);

#endif
