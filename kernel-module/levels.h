/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which probes are on. A level holds those of the levels below it.
 */
#ifndef CFSLB_LEVELS_H
#define CFSLB_LEVELS_H

#include <linux/bitops.h>
#include <linux/mutex.h>
#include <linux/types.h>

/* What a column may depend on. */
enum cfslb_feature {
	CFSLB_F_ALWAYS,		/* needs nothing */
	CFSLB_F_MIGRATE,	/* level 0 */
	CFSLB_F_PLACE,		/* level 1 */
	CFSLB_F_WAIT,		/* level 2 */
	CFSLB_F_LB,		/* the balancer's probe */
	CFSLB_F_STATS,		/* the kernel's schedstats, seen at work */
	CFSLB_F_OUTCOME,	/* why a pass moved nothing: schedstats or the series */
	CFSLB_F_NEWIDLE,
	CFSLB_F_NOHZ,
	CFSLB_F_STICK_NO_CPU,	/* sched_stick_numa tells this case */
	CFSLB_F_SERIES,		/* tracepoints of the patch series */
	CFSLB_F_HOW,		/* the one for placement */
	CFSLB_F_REASON_EXACT,	/* migrations while the balancer is observed */
	CFSLB_F_REASON_INFERRED,	/* and while it is not */
	CFSLB_NR_FEATURES,
};

#define CFSLB_LEVEL_OFF	-1
#define CFSLB_LEVEL_MAX	2

/* Serialises changes of the level, epochs and readers. */
extern struct mutex cfslb_lock;

/* Features that were on at some time of this epoch: bits of enum cfslb_feature. */
extern unsigned long cfslb_measured;

static inline bool cfslb_feature_on(unsigned long features, enum cfslb_feature feature)
{
	return feature == CFSLB_F_ALWAYS || test_bit(feature, &features);
}

/* Features that are on now. */
unsigned long cfslb_features_now(void);

/* From a probe: schedstats are at work. */
static inline void cfslb_saw(enum cfslb_feature feature)
{
	if (unlikely(!test_bit(feature, &cfslb_measured)))
		set_bit(feature, &cfslb_measured);
}

/*
 * All three hold cfslb_lock and may sleep. After an error nothing has changed.
 */
int cfslb_level_set(int level);
int cfslb_lb_set(bool on);
int cfslb_level_get(void);
bool cfslb_lb_get(void);

/*
 * At load and unload. @lb: 1, 0, or -1 for where it costs little. Return: 0 or the
 * error of a probe.
 */
int cfslb_levels_init(int level, int lb);
void cfslb_levels_exit(void);

/* "off", "0", "1", "2". Return: the level or -EINVAL. */
int cfslb_level_parse(const char *text, int *level);
const char *cfslb_level_name(int level);

#endif
