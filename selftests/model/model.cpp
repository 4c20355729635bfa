// SPDX-License-Identifier: GPL-2.0
#include "model.h"

#include <algorithm>

namespace model {

namespace {

constexpr Int kScale = 1024;
constexpr Int kNice0 = 1024;
constexpr Int kPair = 2;

Int clamp0(Int value) { return std::max<Int>(value, 0); }

Int spread(const sd_lb_stats &sds)
{
	const sg_lb_stats &l = sds.local_stat, &b = sds.busiest_stat;
	const Int idle_gap = Int(l.idle_cpus) - Int(b.idle_cpus);
	const Int nr_gap = Int(b.sum_nr_running) - Int(l.sum_nr_running);
	const bool queue = Int(b.sum_nr_running) > Int(b.nr_cpus);

	if (idle_gap < 0)
		return 0;
	const Int limit = sds.numa ? kPair : 1;
	if (!queue && Int(b.sum_nr_running) <= limit &&
	    Int(b.group_weight) - Int(b.idle_cpus) <= limit)
		return 0;

	const bool by_tasks = sds.prefer_sibling || b.group_weight == 1;
	const Int gap = by_tasks ? nr_gap : idle_gap;
	const Int at_least = queue && idle_gap > 0 ? 1 : 0;

	return std::max(clamp0(gap) / 2, at_least);
}

Int fill(const sd_lb_stats &sds)
{
	const sg_lb_stats &l = sds.local_stat;

	if (sds.busiest_stat.idle_cpus > l.idle_cpus)
		return 0;
	return std::max(clamp0(Int(l.group_capacity) - Int(l.group_util)),
			sds.dst_idle ? kScale : 0);
}

Int level(const sd_lb_stats &sds)
{
	const sg_lb_stats &l = sds.local_stat, &b = sds.busiest_stat;
	const Int mean = Int(sds.total_load) * kScale / Int(sds.total_capacity);
	const Int above = Int(b.avg_load) - mean, below = mean - Int(l.avg_load);

	if (above <= 0 || below <= 0)
		return 0;
	if (Int(b.avg_load) * 100 <= Int(l.avg_load) * Int(sds.imbalance_pct))
		return 0;
	return std::min(above * Int(b.group_capacity),
			below * Int(l.group_capacity)) / kScale;
}

} /* namespace */

group_type classify(Int pct, const sg_lb_stats &g)
{
	const Int need = Int(g.group_util) * pct, have = Int(g.group_capacity) * 100;
	const Int waiting = Int(g.sum_nr_running) - Int(g.nr_cpus);

	if (waiting > 0 && need > have)
		return group_overloaded;
	if (g.affinity_imbalance)
		return group_imbalanced;
	if (g.asym_packing)
		return group_asym_packing;
	if (g.group_misfit_task_util)
		return group_misfit_task;
	return waiting < 0 || have > need ? group_has_spare : group_fully_busy;
}

/* The table of decide_migration(), as a table. */
Decision decide(const sd_lb_stats &sds)
{
	enum Action { none, do_spread, do_misfit, do_pack, do_one, do_fill, do_level };
	static const Action table[2][6] = {
		/* has spare, fully busy, misfit, asym, imbalanced, overloaded */
		{ do_spread, do_spread, do_misfit, do_pack, do_one, do_fill },
		{ none, none, none, do_pack, none, do_level },
	};
	const sg_lb_stats &b = sds.busiest_stat;
	const int row = sds.local_stat.group_type == group_has_spare ? 0 : 1;

	switch (table[row][b.group_type]) {
	case do_spread:	return { migrate_tasks, spread(sds) };
	case do_misfit:	return { migrate_misfit, 1 };
	case do_pack:	return { migrate_tasks, Int(b.sum_h_nr_running) };
	case do_one:	return { migrate_tasks, 1 };
	case do_fill:
		if (sds.share_llc)
			return { migrate_tasks, spread(sds) };
		return { migrate_util, fill(sds) };
	case do_level:	return { migrate_load, level(sds) };
	case none:	break;
	}
	return { migrate_tasks, 0 };
}

bool busier(const sg_lb_stats &a, const sg_lb_stats &b)
{
	switch (a.group_type) {
	case group_has_spare:
		return a.idle_cpus < b.idle_cpus ||
		       (a.idle_cpus == b.idle_cpus &&
			a.sum_nr_running > b.sum_nr_running);
	case group_fully_busy:
	case group_overloaded:
		return a.avg_load > b.avg_load;
	case group_misfit_task:
		return a.group_misfit_task_util > b.group_misfit_task_util;
	default:
		return false;
	}
}

bool idler(const sg_lb_stats &a, const sg_lb_stats &b)
{
	if (a.group_type != b.group_type)
		return a.group_type < b.group_type;
	if (a.group_type != group_has_spare)
		return a.avg_load < b.avg_load;
	if (a.group_misfit_task_util != b.group_misfit_task_util)
		return a.group_misfit_task_util == 0;
	if (a.idle_cpus != b.idle_cpus)
		return a.idle_cpus > b.idle_cpus;
	return a.group_util < b.group_util;
}

bool stay_local(Int pct, bool numa, const sg_lb_stats &l, const sg_lb_stats &i)
{
	if (l.group_type != i.group_type)
		return l.group_type < i.group_type;

	if (l.group_type == group_has_spare) {
		if (l.group_misfit_task_util != i.group_misfit_task_util)
			return l.group_misfit_task_util == 0;
		const Int limit = std::max<Int>(kPair, Int(l.group_weight) / 4);
		if (numa && l.idle_cpus > 0 && Int(l.sum_nr_running) < limit)
			return true;
		return l.idle_cpus >= i.idle_cpus;
	}

	const Int margin = kNice0 * (pct - 100) / 100;
	const Int gap = Int(l.avg_load) - Int(i.avg_load);

	if (numa && gap <= margin)
		return true;
	return gap < margin &&
	       Int(l.avg_load) * 100 < Int(i.avg_load) * (100 + (pct - 100) / 2);
}

} /* namespace model */
