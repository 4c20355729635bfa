/* SPDX-License-Identifier: GPL-2.0 */
/* What the test calls; the types come from the patched kernel. */
#ifndef CFSLB_MODEL_PURE_H
#define CFSLB_MODEL_PURE_H

#include <limits.h>

struct sched_group;
#define CONFIG_NUMA_BALANCING 1

extern "C" {
#include "types.h"

enum group_type group_classify(unsigned int imbalance_pct,
			       const struct sg_lb_stats *sgs);
bool group_is_busier(const struct sg_lb_stats *sgs,
		     const struct sg_lb_stats *busiest);
bool group_is_idler(const struct sg_lb_stats *sgs,
		    const struct sg_lb_stats *idlest);
bool local_is_idle_enough(unsigned int imbalance_pct, bool numa,
			  const struct sg_lb_stats *local,
			  const struct sg_lb_stats *idlest);
struct lb_decision decide_migration(const struct sd_lb_stats *sds);
unsigned long size_after_failures(unsigned long size, unsigned int nr_failed);
}

#endif
