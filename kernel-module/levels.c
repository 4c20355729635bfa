// SPDX-License-Identifier: GPL-2.0
/*
 * Which probes are on.
 */
#define pr_fmt(fmt) "cfslb: " fmt

#include <linux/errno.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include "levels.h"
#include "requires.h"
#include "series.h"
#include "sources.h"

struct source {
	int level;
	int (*attach)(void);
	void (*detach)(void);
	void (*forget)(void);	/* drop what it knew: no probe runs any more */
};

/* In the order of attaching: ascending levels, receivers before those that feed them. */
static const struct source sources[] = {
	{ 0, cfslb_migrate_attach, cfslb_migrate_detach, NULL },
	{ 0, cfslb_fork_attach, cfslb_fork_detach, NULL },
	{ 0, cfslb_numa_attach, cfslb_numa_detach, NULL },
	{ 1, cfslb_waking_attach, cfslb_waking_detach, NULL },
	{ 1, cfslb_how_attach, cfslb_how_detach, NULL },
	{ 2, cfslb_switch_attach, cfslb_switch_detach, cfslb_switch_forget },
};

static const char *const level_names[] = { "off", "0", "1", "2" };

/* Levels, epochs, readers. */
DEFINE_MUTEX(cfslb_lock);
unsigned long cfslb_measured;

static int level_now = CFSLB_LEVEL_OFF;
static bool lb_now;

int cfslb_level_parse(const char *text, int *level)
{
	int i = match_string(level_names, ARRAY_SIZE(level_names), text);

	if (i < 0)
		return -EINVAL;
	*level = i + CFSLB_LEVEL_OFF;
	return 0;
}

const char *cfslb_level_name(int level)
{
	return level_names[level - CFSLB_LEVEL_OFF];
}

int cfslb_level_get(void)
{
	return level_now;
}

bool cfslb_lb_get(void)
{
	return lb_now;
}

unsigned long cfslb_features_now(void)
{
	unsigned long now = 0;

	if (level_now >= 0) {
		__set_bit(CFSLB_F_MIGRATE, &now);
		__set_bit(lb_now ? CFSLB_F_REASON_EXACT : CFSLB_F_REASON_INFERRED, &now);
		if (cfslb_numa_tells_no_cpu())
			__set_bit(CFSLB_F_STICK_NO_CPU, &now);
	}
	if (level_now >= 1)
		__set_bit(CFSLB_F_PLACE, &now);
	if (level_now >= 2)
		__set_bit(CFSLB_F_WAIT, &now);
	if (cfslb_lb_symbol())
		__set_bit(CFSLB_F_LB, &now);
	if (cfslb_newidle_symbol())
		__set_bit(CFSLB_F_NEWIDLE, &now);
	if (cfslb_nohz_symbol())
		__set_bit(CFSLB_F_NOHZ, &now);
	if (cfslb_how_on())
		__set_bit(CFSLB_F_HOW, &now);
	if (cfslb_series_on()) {
		__set_bit(CFSLB_F_LB, &now);
		__set_bit(CFSLB_F_OUTCOME, &now);
		__set_bit(CFSLB_F_NEWIDLE, &now);
		__set_bit(CFSLB_F_NOHZ, &now);
		__set_bit(CFSLB_F_SERIES, &now);
	}
	return now;
}

static void note_features(void)
{
	unsigned long now = cfslb_features_now();
	int feature;

	for_each_set_bit(feature, &now, CFSLB_NR_FEATURES)
		set_bit(feature, &cfslb_measured);
}

/* Detaches sources of @from and above, up to but not including index @end. */
static void detach_from(int from, int end)
{
	int i;

	for (i = end - 1; i >= 0; i--)
		if (sources[i].level >= from)
			sources[i].detach();
	tracepoint_synchronize_unregister();
	for (i = end - 1; i >= 0; i--)
		if (sources[i].level >= from && sources[i].forget)
			sources[i].forget();
}

int cfslb_level_set(int level)
{
	int i, err;

	lockdep_assert_held(&cfslb_lock);
	if (level < level_now) {
		int end = 0;

		while (end < ARRAY_SIZE(sources) && sources[end].level <= level_now)
			end++;
		detach_from(level + 1, end);
	}
	for (i = 0; i < ARRAY_SIZE(sources); i++) {
		if (sources[i].level <= level_now || sources[i].level > level)
			continue;
		err = sources[i].attach();
		if (err) {
			detach_from(level_now + 1, i);
			return err;
		}
	}
	level_now = level;
	note_features();
	return 0;
}

static int attach_kretprobes(void)
{
	int err = cfslb_lb_attach();

	if (err)
		return err;
	/* Extras: a kernel that inlined these still has the balancer itself. */
	if (cfslb_newidle_attach())
		pr_info("no probe for newly idle balancing in this kernel\n");
	if (cfslb_nohz_attach())
		pr_info("no probe for runs of the nohz balancer in this kernel\n");
	return 0;
}

static bool kretprobes_are_cheap(void)
{
#ifdef CFSLB_HAVE_LOCKLESS_KRETPROBES
	return true;
#else
	return false;
#endif
}

static int lb_attach(bool cheap_only)
{
	if (!cfslb_series_attach())
		return 0;
	return cheap_only && !kretprobes_are_cheap() ? 0 : attach_kretprobes();
}

static int lb_set(bool on, bool cheap_only)
{
	int err;

	lockdep_assert_held(&cfslb_lock);
	if (on == lb_now)
		return 0;
	if (on) {
		err = lb_attach(cheap_only);
		if (err)
			return err;
	} else {
		cfslb_nohz_detach();
		cfslb_newidle_detach();
		cfslb_lb_detach();
		cfslb_series_detach();
	}
	lb_now = on && (cfslb_series_on() || cfslb_lb_symbol());
	note_features();
	return 0;
}

int cfslb_lb_set(bool on)
{
	return lb_set(on, false);
}

int cfslb_levels_init(int level, int lb)
{
	int err;

	mutex_lock(&cfslb_lock);
	/* The balancer first: then no reason of this epoch is inferred. */
	if (lb) {
		err = lb_set(true, lb < 0);
		if (err && lb > 0) {
			pr_err("cannot probe the balancer: %d\n", err);
			goto unlock;
		}
		if (err)
			pr_info("no probe for the balancer in this kernel: %d\n", err);
	}
	err = cfslb_level_set(level);
	if (err)
		cfslb_lb_set(false);
unlock:
	mutex_unlock(&cfslb_lock);
	return err;
}

void cfslb_levels_exit(void)
{
	mutex_lock(&cfslb_lock);
	cfslb_lb_set(false);
	cfslb_level_set(CFSLB_LEVEL_OFF);
	mutex_unlock(&cfslb_lock);
}
