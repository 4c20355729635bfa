// SPDX-License-Identifier: GPL-2.0
/*
 * Domains as the balancer's probe meets them. An active balance ends after the
 * pass that asked for it, on another CPU: the domain's counters show it at the
 * next pass over the same domain.
 */
#include <linux/percpu.h>
#include "counters.h"
#include "domains.h"
#include "levels.h"
#include "topo.h"

/* What a CPU saw last of each level: of its own domains, or those it served. */
struct seen {
	const struct sched_domain *sd;	/* compared, never followed */
	unsigned int idle_count, alb_count, alb_failed, alb_pushed;
};

static DEFINE_PER_CPU(struct seen [CFSLB_NR_LEVELS], seen);
static char level_names[CFSLB_NR_LEVELS][CFSLB_DOMAIN_NAME];

const char *cfslb_domain_name(u32 level)
{
	return level_names[level][0] ? level_names[level] : "-";
}

static void note_name(u32 level, const char *name)
{
	char *to = level_names[level];
	int i;

	/* Racing writers write the same letters. */
	if (!name || !strncmp(to, name, CFSLB_DOMAIN_NAME - 1))
		return;
	for (i = 0; i < CFSLB_DOMAIN_NAME - 1 && name[i]; i++)
		WRITE_ONCE(to[i], name[i]);
	WRITE_ONCE(to[i], 0);
}

static void count_active(const struct seen *last, const struct cfslb_sd_stats *now, u32 row)
{
	/* A new domain where the last one was begins at zero. */
	if (now->alb_count < last->alb_count || now->alb_failed < last->alb_failed ||
	    now->alb_pushed < last->alb_pushed)
		return;
	if (now->alb_count != last->alb_count)
		cfslb_add(CFSLB_T_LB, row, CFSLB_LB_ALB_KICK, now->alb_count - last->alb_count);
	if (now->alb_pushed != last->alb_pushed)
		cfslb_add(CFSLB_T_LB, row, CFSLB_LB_ALB_OK, now->alb_pushed - last->alb_pushed);
	if (now->alb_failed != last->alb_failed)
		cfslb_add(CFSLB_T_LB, row, CFSLB_LB_ALB_FAIL, now->alb_failed - last->alb_failed);
}

void cfslb_domain_seen(const struct sched_domain *sd, int cpu, const struct cfslb_sd_stats *now)
{
	u32 level = cfslb_domain_level(sd);
	struct seen *last = this_cpu_ptr(&seen[level]);
	unsigned int idle_count = cfslb_sd_idle_count(sd);

	/* Only a CPU's own passes: what it serves for others is theirs to count. */
	if (cpu != smp_processor_id())
		return;
	note_name(level, cfslb_sd_name(sd));
	if (cfslb_sd_shares_llc(sd))
		cfslb_topo_learn_llc(cpu, to_cpumask(sd->span), level);
	/* The kernel gives no idle type with these: they have the row of idle passes. */
	if (last->sd == sd) {
		count_active(last, now, cfslb_domain_row(sd, CFSLB_IDLE_IDLE));
		if (idle_count != last->idle_count)
			cfslb_saw(CFSLB_F_STATS);
	}
	last->sd = sd;
	last->idle_count = idle_count;
	last->alb_count = now->alb_count;
	last->alb_failed = now->alb_failed;
	last->alb_pushed = now->alb_pushed;
}

void cfslb_domains_forget(void)
{
	int cpu, level;

	for_each_possible_cpu(cpu)
		for (level = 0; level < CFSLB_NR_LEVELS; level++)
			per_cpu(seen, cpu)[level].sd = NULL;
}
