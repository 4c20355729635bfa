// SPDX-License-Identifier: GPL-2.0
/*
 * The file caps: where each group of columns comes from, whether its figures are
 * exact, and how many events were lost.
 */
#include "classes.h"
#include "compat_domain.h"
#include "files.h"
#include "series.h"
#include "sources.h"
#include "waiters.h"

static void put_row(struct cfslb_text *text, const char *group, const char *state,
		    const char *source, const char *exact, u64 missed)
{
	cfslb_text_label(text, group);
	cfslb_text_label(text, state);
	cfslb_text_label(text, source);
	cfslb_text_label(text, exact);
	cfslb_text_value(text, missed);
}

static const char *on(bool on)
{
	return on ? "on" : "off";
}

/* A group whose function this kernel may lack: known only while lb is on. */
static const char *found(const char *symbol)
{
	if (symbol)
		return "on";
	return cfslb_lb_get() ? "none" : "off";
}

/* Rows that the series' tracepoint @event fills, or else a probe at @symbol. */
static void put_source(struct cfslb_text *text, const char *group, const char *event,
		       const char *symbol, u64 missed)
{
	if (cfslb_series_on())
		put_row(text, group, "on", event, "exact", cfslb_series_missed());
	else
		put_row(text, group, found(symbol), symbol ? symbol : "-", "exact", missed);
}

/* Rows that only the series can fill. */
static void put_series(struct cfslb_text *text, const char *group, const char *event, bool on_now)
{
	if (cfslb_series_known())
		put_row(text, group, on(on_now), event, "exact", cfslb_series_missed());
	else
		put_row(text, group, "none", "-", "-", 0);
}

static const char *reason_source(void)
{
	if (cfslb_series_on())
		return "sched_migrate_task,sched_lb_pick_tp";
	return cfslb_lb_symbol() ? "sched_migrate_task,kretprobe" : "sched_migrate_task";
}

/* Of all migrations of this epoch. */
static const char *reason_exact(unsigned long measured)
{
	bool inferred = cfslb_feature_on(measured, CFSLB_F_REASON_INFERRED);

	if (!cfslb_feature_on(measured, CFSLB_F_REASON_EXACT))
		return inferred || !cfslb_lb_get() ? "inferred" : "exact";
	return inferred ? "mixed" : "exact";
}

static void trace_rows(struct cfslb_text *text, unsigned long measured)
{
	int level = cfslb_level_get();

	put_row(text, "migrate", on(level >= 0), "sched_migrate_task", "exact", 0);
	put_row(text, "reason", on(level >= 0), reason_source(),
		reason_exact(measured), 0);
	put_row(text, "place_fork", on(level >= 0), "sched_wakeup_new", "exact", 0);
	put_row(text, "numa", on(level >= 0), "sched_move_numa,sched_swap_numa,sched_stick_numa",
		"exact", 0);
	put_row(text, "place_wake", on(level >= 1), "sched_waking,sched_migrate_task", "exact", 0);
	put_row(text, "place_exec", on(level >= 1), "sched_process_exec,sched_migrate_task",
		"exact", 0);
	put_row(text, "waste", on(level >= 2), "sched_switch,sched_wakeup,sched_migrate_task",
		"exact", cfslb_waiters_missed() + cfslb_classes_missed());
	put_row(text, "waitlat", on(level >= 2), "sched_waking,sched_switch", "exact",
		cfslb_waiters_missed());
}

static void probe_rows(struct cfslb_text *text, unsigned long measured)
{
	bool stats = cfslb_feature_on(measured, CFSLB_F_STATS), series = cfslb_series_on();

	put_source(text, "lb", "sched_lb_done_tp", cfslb_lb_symbol(), cfslb_lb_missed());
	if (series)
		put_row(text, "lb_outcome", "on", "sched_lb_done_tp", "exact",
			cfslb_series_missed());
	else
		put_row(text, "lb_outcome",
			IS_ENABLED(CONFIG_SCHEDSTATS) ? on(stats && cfslb_lb_symbol()) : "none",
			stats ? "schedstats" : "-", "exact", cfslb_lb_missed());
	put_series(text, "lb_imbalance", "sched_lb_pick_tp", series);
	put_source(text, "newidle", "sched_newidle_tp", cfslb_newidle_symbol(),
		   cfslb_newidle_missed());
	put_series(text, "newidle_skip", "sched_newidle_tp", series);
	put_source(text, "nohz", "sched_nohz_tp", cfslb_nohz_symbol(), cfslb_nohz_missed());
	put_series(text, "nohz_kick", "sched_nohz_tp", series);
	put_series(text, "lb_tasks", "sched_lb_done_tp", series);
	put_series(text, "place_how", "sched_place_tp", cfslb_how_on());
	/* Active balances end elsewhere and later: only the kernel counts them. */
	put_row(text, "lb_active",
		IS_ENABLED(CONFIG_SCHEDSTATS) ? on(stats && cfslb_lb_get()) : "none",
		stats ? "schedstats" : "-", "exact", 0);
}

void cfslb_caps_rows(struct cfslb_text *text, const struct cfslb_view *view)
{
	/* Sources must not go while their names are printed. */
	mutex_lock(&cfslb_lock);
	trace_rows(text, view->measured);
	probe_rows(text, view->measured);
	mutex_unlock(&cfslb_lock);
}
