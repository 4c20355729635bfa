/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What kernels name differently in struct sched_domain.
 */
#ifndef CFSLB_COMPAT_DOMAIN_H
#define CFSLB_COMPAT_DOMAIN_H

#include <linux/sched/idle.h>
#include <linux/sched/topology.h>
#include "requires.h"
#include "uapi/cfslb.h"

static inline bool cfslb_sd_shares_llc(const struct sched_domain *sd)
{
#ifdef CFSLB_HAVE_SD_SHARE_LLC
	return sd->flags & SD_SHARE_LLC;
#else
	return sd->flags & SD_SHARE_PKG_RESOURCES;
#endif
}

/* The kernel's idle types changed their numbers; names of two of them stayed. */
static inline enum cfslb_idle_type cfslb_idle_type(unsigned long idle)
{
	if (idle == CPU_NEWLY_IDLE)
		return CFSLB_IDLE_NEWIDLE;
	return idle == CPU_IDLE ? CFSLB_IDLE_IDLE : CFSLB_IDLE_BUSY;
}

static inline const char *cfslb_sd_name(const struct sched_domain *sd)
{
#ifdef CONFIG_SCHED_DEBUG
	return sd->name;
#else
	return NULL;
#endif
}

/* Counters that the kernel keeps in a domain while schedstats are on. */
struct cfslb_sd_stats {
	unsigned int count, failed, balanced, nobusyg, nobusyq;
	unsigned int alb_count, alb_failed, alb_pushed;
};

static inline void cfslb_sd_read(const struct sched_domain *sd, unsigned long idle,
				 struct cfslb_sd_stats *to)
{
#ifdef CONFIG_SCHEDSTATS
	to->count = READ_ONCE(sd->lb_count[idle]);
	to->failed = READ_ONCE(sd->lb_failed[idle]);
	to->balanced = READ_ONCE(sd->lb_balanced[idle]);
	to->nobusyg = READ_ONCE(sd->lb_nobusyg[idle]);
	to->nobusyq = READ_ONCE(sd->lb_nobusyq[idle]);
	to->alb_count = READ_ONCE(sd->alb_count);
	to->alb_failed = READ_ONCE(sd->alb_failed);
	to->alb_pushed = READ_ONCE(sd->alb_pushed);
#else
	*to = (struct cfslb_sd_stats){ 0 };
#endif
}

/* Changes with each idle pass while schedstats are on. */
static inline unsigned int cfslb_sd_idle_count(const struct sched_domain *sd)
{
#ifdef CONFIG_SCHEDSTATS
	return READ_ONCE(sd->lb_count[CPU_IDLE]);
#else
	return 0;
#endif
}

#endif
