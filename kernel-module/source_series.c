// SPDX-License-Identifier: GPL-2.0
/*
 * The balancer's own tracepoints: sched_lb_pick_tp and sched_lb_done_tp around
 * the moves of a pass, sched_newidle_tp with the run queue's lock held,
 * sched_nohz_tp in the tick and in the balancer's softirq.
 */
#include <linux/atomic.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched/lb_events.h>
#include "compat_trace.h"
#include "counters.h"
#include "domains.h"
#include "reason.h"
#include "series.h"
#include "trace.h"

static atomic64_t missed;

/* The kernel that runs fills in less than the headers promised. */
static bool too_old(u32 size, size_t wanted)
{
	if (likely(size >= wanted))
		return false;
	atomic64_inc(&missed);
	return true;
}

static enum cfslb_idle_type idle_type(u32 idle)
{
	if (idle == SCHED_LB_NEWLY_IDLE)
		return CFSLB_IDLE_NEWIDLE;
	return idle == SCHED_LB_IDLE ? CFSLB_IDLE_IDLE : CFSLB_IDLE_BUSY;
}

static u32 row_of(const struct sched_lb_key *key)
{
	return cfslb_domain_row(key->sd, idle_type(key->idle));
}

static void count_imbalance(const struct sched_lb_key *key)
{
	u32 kind = key->kind - SCHED_LB_LOAD;

	BUILD_BUG_ON(SCHED_LB_MISFIT - SCHED_LB_LOAD + 1 != CFSLB_NR_IMB_KINDS);
	if (kind >= CFSLB_NR_IMB_KINDS || key->imbalance < 0)
		return;
	cfslb_inc(CFSLB_T_LB, row_of(key), CFSLB_LB_IMB_FIRST + 2 * kind);
	cfslb_add(CFSLB_T_LB, row_of(key), CFSLB_LB_IMB_FIRST + 2 * kind + 1, key->imbalance);
}

static void on_pick(void *data, const struct sched_lb_pick *pick)
{
	struct cfslb_pass *pass = this_cpu_ptr(&cfslb_pass);
	const struct sched_lb_key *key = &pick->key;

	if (too_old(pick->size, sizeof(*pick)))
		return;
	/* Later picks may be for another CPU of the group; the pass stays whose it was. */
	if (key->nr_picks == 1) {
		pass->cpu = key->dst_cpu;
		pass->idle = idle_type(key->idle);
	}
	if (key->verdict != SCHED_LB_PICKED)
		return;
	pass->task = current;
	count_imbalance(key);
}

static enum cfslb_lb_column outcome(const struct sched_lb_done *done)
{
	switch (done->key.verdict) {
	case SCHED_LB_NOT_DESIGNATED:
		return CFSLB_LB_NOT_DESIGNATED;
	case SCHED_LB_NO_GROUP:
		return CFSLB_LB_NO_GROUP;
	case SCHED_LB_NO_QUEUE:
		return CFSLB_LB_NO_QUEUE;
	case SCHED_LB_PICKED:
		if (done->moved)
			return CFSLB_LB_PULLED_CALLS;
		return done->all_pinned ? CFSLB_LB_ALL_PINNED : CFSLB_LB_FAILED;
	}
	return CFSLB_LB_UNEXPLAINED;
}

static void on_done(void *data, const struct sched_lb_done *done)
{
	const struct sched_lb_key *key = &done->key;
	struct cfslb_sd_stats stats;
	u32 row, i;

	if (too_old(done->size, sizeof(*done)))
		return;
	this_cpu_write(cfslb_pass.task, NULL);
	row = row_of(key);
	cfslb_inc(CFSLB_T_LB, row, CFSLB_LB_CALLS);
	cfslb_inc(CFSLB_T_LB, row, outcome(done));
	cfslb_add(CFSLB_T_LB, row, CFSLB_LB_TIME_NS, done->ns);
	cfslb_add(CFSLB_T_LB, row, CFSLB_LB_PULLED_TASKS, done->moved);
	if (done->scanned) {
		cfslb_add(CFSLB_T_LB, row, CFSLB_LB_SCANNED, done->scanned);
		for (i = 0; i < CFSLB_NR_STAYS; i++)
			cfslb_add(CFSLB_T_LB, row, CFSLB_LB_STAY_FIRST + i, done->rejected[i]);
	}
	BUILD_BUG_ON(SCHED_LB_NR_REJECT != CFSLB_NR_STAYS);
	cfslb_sd_read(key->sd, CPU_IDLE, &stats);
	cfslb_domain_seen(key->sd, key->dst_cpu, &stats);
}

static void on_newidle(void *data, const struct sched_newidle *newidle)
{
	enum cfslb_newidle_column column = CFSLB_NEWIDLE_SKIPPED;

	if (too_old(newidle->size, sizeof(*newidle)))
		return;
	cfslb_inc(CFSLB_T_NEWIDLE, 0, CFSLB_NEWIDLE_TRIES);
	cfslb_add(CFSLB_T_NEWIDLE, 0, CFSLB_NEWIDLE_TIME_NS, newidle->cost_ns);
	switch (newidle->verdict) {
	case SCHED_NEWIDLE_NOTHING:
		return;
	case SCHED_NEWIDLE_PULLED:
	case SCHED_NEWIDLE_ARRIVED:
		column = CFSLB_NEWIDLE_PULLED;
		break;
	case SCHED_NEWIDLE_NOT_OVERLOADED:
		cfslb_inc(CFSLB_T_NEWIDLE, 0, CFSLB_NEWIDLE_NOT_OVERLOADED);
		break;
	case SCHED_NEWIDLE_SHORT_IDLE:
		cfslb_inc(CFSLB_T_NEWIDLE, 0, CFSLB_NEWIDLE_SHORT_IDLE);
		break;
	}
	cfslb_inc(CFSLB_T_NEWIDLE, 0, column);
}

static enum cfslb_nohz_column kick_column(u32 reason)
{
	switch (reason) {
	case SCHED_NOHZ_KICK_LOAD:
		return CFSLB_NOHZ_KICK_LOAD;
	case SCHED_NOHZ_KICK_STATS:
		return CFSLB_NOHZ_KICK_STATS;
	case SCHED_NOHZ_KICK_MISFIT:
		return CFSLB_NOHZ_KICK_MISFIT;
	case SCHED_NOHZ_KICK_LLC:
		return CFSLB_NOHZ_KICK_LLC;
	}
	return CFSLB_NOHZ_KICK_OTHER;
}

static void on_nohz(void *data, const struct sched_nohz *nohz)
{
	if (too_old(nohz->size, sizeof(*nohz)))
		return;
	if (nohz->reason != SCHED_NOHZ_RUN_BALANCE && nohz->reason != SCHED_NOHZ_RUN_STATS) {
		cfslb_inc(CFSLB_T_NOHZ, 0, kick_column(nohz->reason));
	} else if (in_serving_softirq()) {
		/* Idle CPUs also update blocked load on their own, outside the softirq. */
		cfslb_inc(CFSLB_T_NOHZ, 0, CFSLB_NOHZ_RUNS);
		cfslb_add(CFSLB_T_NOHZ, 0, CFSLB_NOHZ_CPUS_SERVED, nohz->nr_served);
	}
}

/* sched_lb_done_tp first: whatever a pick begins is ended. */
static struct cfslb_probe probes[] = {
	{ .event = "sched_lb_done_tp" },
	{ .event = "sched_lb_pick_tp" },
	{ .event = "sched_newidle_tp" },
	{ .event = "sched_nohz_tp" },
};

bool cfslb_series_known(void)
{
	return true;
}

int cfslb_series_attach(void)
{
	probes[0].probe = CFSLB_PROBE(sched_lb_done_tp, on_done);
	probes[1].probe = CFSLB_PROBE(sched_lb_pick_tp, on_pick);
	probes[2].probe = CFSLB_PROBE(sched_newidle_tp, on_newidle);
	probes[3].probe = CFSLB_PROBE(sched_nohz_tp, on_nohz);
	return cfslb_trace_attach(probes, ARRAY_SIZE(probes));
}

void cfslb_series_detach(void)
{
	int cpu;

	if (!cfslb_series_on())
		return;
	cfslb_trace_detach(probes, ARRAY_SIZE(probes));
	tracepoint_synchronize_unregister();
	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu(cfslb_pass, cpu).task, NULL);
	cfslb_domains_forget();
}

bool cfslb_series_on(void)
{
	return probes[0].tp;
}

u64 cfslb_series_missed(void)
{
	return atomic64_read(&missed);
}
