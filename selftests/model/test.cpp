// SPDX-License-Identifier: GPL-2.0
/*
 * Description: the balancer's decisions against a model in plain integers, over
 * all small values and random big ones: no overflow, no wrong sign, and no move
 * that makes the local group the busier one.
 */
#include "model.h"

#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

namespace {

constexpr unsigned int kPct[] = { 110, 117, 125 };
constexpr int kRandomRounds = 5'000'000;
constexpr int kMaxReports = 10;

/* Limits of what a big machine can show: 8192 CPUs, a million tasks a group. */
constexpr std::uint64_t kMaxCpus = 8192;
constexpr std::uint64_t kMaxTasks = 1'000'000;
constexpr std::uint64_t kMaxWeight = 88761;
constexpr std::uint64_t kScale = 1024;

class Check {
public:
	explicit Check(const char *name) : name_(name) {}

	void expect(bool ok, const char *what, const sd_lb_stats &sds)
	{
		++checks_;
		if (ok)
			return;
		if (failures_++ < kMaxReports)
			report(what, sds);
	}

	/* Returns whether all held; a test without a single check has not. */
	bool finish(int number) const
	{
		const bool ok = checks_ && !failures_;

		std::printf("%sok %d %s\n", ok ? "" : "not ", number, name_);
		std::printf("# %llu checks, %llu failures\n",
			    static_cast<unsigned long long>(checks_),
			    static_cast<unsigned long long>(failures_));
		return ok;
	}

private:
	static void print(const char *who, const sg_lb_stats &g)
	{
		std::printf("#   %s: type %d nr %u h_nr %u idle %u weight %u (%u) load %lu avg %lu cap %lu util %lu\n",
			    who, g.group_type, g.sum_nr_running,
			    g.sum_h_nr_running, g.idle_cpus, g.group_weight, g.nr_cpus,
			    g.group_load, g.avg_load, g.group_capacity,
			    g.group_util);
	}

	void report(const char *what, const sd_lb_stats &sds) const
	{
		const lb_decision d = decide_migration(&sds);

		std::printf("# %s: %s: kind %d amount %ld pct %u dst_idle %d prefer_sibling %d llc %d numa %d\n",
			    name_, what, d.kind, d.amount, sds.imbalance_pct,
			    sds.dst_idle, sds.prefer_sibling, sds.share_llc,
			    sds.numa);
		print("local", sds.local_stat);
		print("busiest", sds.busiest_stat);
	}

	const char *name_;
	std::uint64_t checks_ = 0;
	std::uint64_t failures_ = 0;
};

void set_avg_load(sg_lb_stats &g)
{
	g.avg_load = g.group_load * kScale / g.group_capacity;
}

void set_totals(sd_lb_stats &sds)
{
	sds.total_load = sds.local_stat.group_load + sds.busiest_stat.group_load;
	sds.total_capacity = sds.local_stat.group_capacity +
			     sds.busiest_stat.group_capacity;
}

void set_flags(sd_lb_stats &sds, unsigned int bits)
{
	sds.dst_idle = bits & 1;
	sds.prefer_sibling = bits & 2;
	sds.share_llc = bits & 4;
	sds.numa = bits & 8;
}

bool same_as_model(const sd_lb_stats &sds)
{
	const lb_decision d = decide_migration(&sds);
	const model::Decision m = model::decide(sds);

	/* Of nothing there is no kind. */
	return model::Int(d.amount) == m.amount && (!m.amount || d.kind == m.kind);
}

/* All groups of up to 4 CPUs and 6 tasks, by count. */
std::vector<sg_lb_stats> small_groups()
{
	std::vector<sg_lb_stats> groups;

	for (unsigned int weight : { 1u, 2u, 4u })
	for (unsigned int nr = 0; nr <= 6; nr++)
	for (unsigned int h_nr = nr > 1 ? nr - 1 : 0; h_nr <= nr; h_nr++)
	for (unsigned int idle = 0; idle <= weight; idle++)
	for (unsigned long util_pct : { 0ul, 50ul, 100ul }) {
		sg_lb_stats g{};

		g.group_weight = g.nr_cpus = weight;
		g.sum_nr_running = nr;
		g.sum_h_nr_running = h_nr;
		g.idle_cpus = idle;
		g.group_capacity = weight * kScale;
		g.group_util = g.group_capacity * util_pct / 100;
		g.group_load = h_nr * 1024ul;
		set_avg_load(g);
		groups.push_back(g);
	}
	return groups;
}

bool test_small(int number)
{
	Check check("decide: all small groups, all types, all kinds of domain");
	const std::vector<sg_lb_stats> groups = small_groups();

	for (const sg_lb_stats &l : groups)
	for (const sg_lb_stats &b : groups) {
		sd_lb_stats sds{};

		sds.local_stat = l;
		sds.busiest_stat = b;
		sds.imbalance_pct = 117;
		set_totals(sds);
		for (group_type lt : { group_has_spare, group_fully_busy, group_overloaded })
		for (int bt = group_has_spare; bt <= group_overloaded; bt++)
		for (unsigned int bits = 0; bits < 16; bits++) {
			sds.local_stat.group_type = lt;
			sds.busiest_stat.group_type = static_cast<group_type>(bt);
			set_flags(sds, bits);
			const lb_decision d = decide_migration(&sds);

			check.expect(d.amount >= 0, "negative amount", sds);
			check.expect(same_as_model(sds), "not the model", sds);
			/* No idle CPU is made where there was none to fill. */
			if (d.kind == migrate_tasks && bt <= group_fully_busy && d.amount)
				check.expect((b.sum_nr_running > 1 ||
					      b.group_weight > b.idle_cpus + 1) &&
					     l.idle_cpus >= b.idle_cpus,
					     "pulls from where it is idler", sds);
			if (d.kind == migrate_load && d.amount)
				check.expect(l.avg_load < b.avg_load,
					     "pulls from the lighter group", sds);
			/* Work waits there, a CPU idles here: something moves. */
			if (lt == group_has_spare && bt == group_overloaded &&
			    b.sum_nr_running > b.group_weight &&
			    l.idle_cpus > b.idle_cpus && sds.dst_idle)
				check.expect(d.amount > 0, "leaves a CPU idle", sds);
		}
	}
	return check.finish(number);
}

/* Groups in which each CPU has a task before one has two; no pinned tasks. */
bool test_no_inversion(int number)
{
	Check check("decide: what was pulled is not pulled back");

	for (unsigned int weight : { 1u, 2u, 4u, 8u })
	for (unsigned int nr_local = 0; nr_local <= 2 * weight; nr_local++)
	for (unsigned int nr_busiest = 0; nr_busiest <= 2 * weight; nr_busiest++)
	for (unsigned int bits = 0; bits < 16; bits++)
	for (unsigned long util_task : { 100ul, 1024ul }) {
		auto make = [&](unsigned int nr) {
			sg_lb_stats g{};
			const unsigned int used = nr < weight ? nr : weight;

			g.group_weight = g.nr_cpus = weight;
			g.sum_nr_running = g.sum_h_nr_running = nr;
			g.idle_cpus = weight - used;
			g.group_capacity = weight * kScale;
			g.group_util = nr * util_task;
			if (g.group_util > g.group_capacity)
				g.group_util = g.group_capacity;
			g.group_load = nr * 1024ul;
			set_avg_load(g);
			g.group_type = group_classify(117, &g);
			return g;
		};
		sd_lb_stats sds{};

		sds.imbalance_pct = 117;
		set_flags(sds, bits);
		sds.local_stat = make(nr_local);
		sds.busiest_stat = make(nr_busiest);
		sds.dst_idle = sds.local_stat.idle_cpus > 0;
		set_totals(sds);
		const lb_decision d = decide_migration(&sds);

		if (d.kind != migrate_tasks || !d.amount)
			continue;
		check.expect(d.amount <= static_cast<long>(nr_busiest),
			     "more tasks than there are", sds);
		const unsigned int moved = static_cast<unsigned int>(d.amount);

		check.expect(nr_local + moved <= nr_busiest - moved ||
			     nr_busiest > weight, "inverted", sds);

		sd_lb_stats back = sds;

		back.local_stat = make(nr_busiest - moved);
		back.busiest_stat = make(nr_local + moved);
		back.dst_idle = back.local_stat.idle_cpus > 0;
		set_totals(back);
		const lb_decision d2 = decide_migration(&back);

		check.expect(d2.amount == 0 || d2.kind != migrate_tasks,
			     "ping-pong", back);
	}
	return check.finish(number);
}

class Random {
public:
	/* 0..limit, small values and the limit itself as likely as big ones */
	std::uint64_t upto(std::uint64_t limit)
	{
		switch (bits_() % 4) {
		case 0:	return limit;
		case 1:	return bits_() % (limit < 8 ? limit + 1 : 8);
		default: return bits_() % (limit + 1);
		}
	}

	sg_lb_stats group()
	{
		sg_lb_stats g{};

		g.group_weight = static_cast<unsigned int>(1 + upto(kMaxCpus - 1));
		g.sum_nr_running = static_cast<unsigned int>(upto(kMaxTasks));
		g.sum_h_nr_running = static_cast<unsigned int>(upto(g.sum_nr_running));
		/* CPUs that a pass has left out. */
		g.nr_cpus = static_cast<unsigned int>(upto(g.group_weight));
		g.idle_cpus = static_cast<unsigned int>(upto(g.nr_cpus));
		g.group_capacity = 1 + upto(g.group_weight * kScale - 1);
		g.group_util = upto(g.group_weight * kScale);
		g.group_load = upto(kMaxTasks * kMaxWeight);
		set_avg_load(g);
		return g;
	}

	unsigned int bits(unsigned int limit)
	{
		return static_cast<unsigned int>(bits_() % limit);
	}

private:
	std::mt19937_64 bits_{ 20190919 };	/* fixed: runs are comparable */
};

bool test_big(int number)
{
	static const group_type rows[] = { group_has_spare, group_fully_busy, group_overloaded };
	Check check("decide: random groups up to 8192 CPUs and a million tasks");
	Random random;

	for (int i = 0; i < kRandomRounds; i++) {
		sd_lb_stats sds{};

		sds.local_stat = random.group();
		sds.busiest_stat = random.group();
		sds.local_stat.group_type = rows[random.bits(3)];
		sds.busiest_stat.group_type = static_cast<group_type>(random.bits(6));
		sds.imbalance_pct = kPct[random.bits(3)];
		set_flags(sds, random.bits(16));
		set_totals(sds);
		check.expect(decide_migration(&sds).amount >= 0, "negative amount", sds);
		check.expect(same_as_model(sds), "not the model", sds);
	}
	return check.finish(number);
}

/* After the move neither group is on the other side of the average. */
bool test_level(int number)
{
	Check check("decide: load is levelled towards the average, not past it");
	Random random;

	for (int i = 0; i < kRandomRounds; i++) {
		sd_lb_stats sds{};

		sds.local_stat = random.group();
		sds.busiest_stat = random.group();
		sds.local_stat.group_type = group_fully_busy;
		sds.busiest_stat.group_type = group_overloaded;
		sds.imbalance_pct = kPct[random.bits(3)];
		set_totals(sds);
		const lb_decision d = decide_migration(&sds);

		if (!d.amount)
			continue;
		const auto load = static_cast<std::uint64_t>(d.amount);
		const std::uint64_t mean = sds.total_load * kScale / sds.total_capacity;

		check.expect(load <= sds.busiest_stat.group_load,
			     "more load than there is", sds);
		sds.local_stat.group_load += load;
		sds.busiest_stat.group_load -= load;
		set_avg_load(sds.local_stat);
		set_avg_load(sds.busiest_stat);
		/* Both averages are rounded down, the local one before the move. */
		check.expect(sds.local_stat.avg_load <= mean + 1, "local lifted past it", sds);
		check.expect(sds.busiest_stat.avg_load >= mean, "busiest lowered past it", sds);
	}
	return check.finish(number);
}

bool test_classify(int number)
{
	Check check("classify: all small and random big groups");
	Random random;
	std::vector<sg_lb_stats> groups = small_groups();

	for (int i = 0; i < kRandomRounds; i++)
		groups.push_back(random.group());
	for (sg_lb_stats g : groups)
	for (unsigned int pct : kPct) {
		sd_lb_stats sds{};
		const unsigned int bits = random.bits(8);

		g.affinity_imbalance = bits & 1;
		g.asym_packing = (bits >> 1) & 1;
		g.group_misfit_task_util = bits & 4 ? 800 : 0;
		sds.busiest_stat = g;
		check.expect(group_classify(pct, &g) == model::classify(pct, g),
			     "not the model", sds);
	}
	return check.finish(number);
}

bool test_choose(int number)
{
	Check check("choose: busiest and idlest are strict orders");
	Random random;

	for (int i = 0; i < kRandomRounds; i++) {
		sd_lb_stats sds{};
		sg_lb_stats &a = sds.local_stat, &b = sds.busiest_stat;
		const bool numa = random.bits(2);
		const unsigned int pct = kPct[random.bits(3)];

		a = random.group();
		b = random.bits(2) ? random.group() : a;
		a.group_misfit_task_util = random.bits(3) * 400;
		b.group_misfit_task_util = random.bits(3) * 400;
		a.group_type = b.group_type = static_cast<group_type>(random.bits(6));
		check.expect(group_is_busier(&a, &b) == model::busier(a, b), "busier", sds);
		check.expect(!(group_is_busier(&a, &b) && group_is_busier(&b, &a)),
			     "both busier", sds);
		if (a.group_type == group_imbalanced || a.group_type == group_asym_packing ||
		    a.group_type == group_misfit_task)
			continue;
		/* The task is the same for both groups, so is its size. */
		a.group_misfit_task_util = random.bits(2) * 800;
		b.group_misfit_task_util = random.bits(2) * 800;
		if (random.bits(4) == 0)
			b.group_type = group_overloaded;
		check.expect(group_is_idler(&a, &b) == model::idler(a, b), "idler", sds);
		check.expect(!(group_is_idler(&a, &b) && group_is_idler(&b, &a)),
			     "both idler", sds);
		check.expect(local_is_idle_enough(pct, numa, &a, &b) ==
			     model::stay_local(pct, numa, a, b), "stay local", sds);
	}
	return check.finish(number);
}

/* The cases of the fault list, by their identifiers. */
bool test_faults(int number)
{
	Check check("decide: faults met by earlier reworks");
	auto group = [](group_type type, unsigned int weight, unsigned int nr,
			unsigned int idle, unsigned long load) {
		sg_lb_stats g{};

		g.group_type = type;
		g.group_weight = g.nr_cpus = weight;
		g.sum_nr_running = g.sum_h_nr_running = nr;
		g.idle_cpus = idle;
		g.group_capacity = weight * kScale;
		g.group_util = (weight - idle) * kScale;
		g.group_load = load;
		set_avg_load(g);
		return g;
	};
	auto pair = [&](sg_lb_stats local, sg_lb_stats busiest) {
		sd_lb_stats sds{};

		sds.local_stat = local;
		sds.busiest_stat = busiest;
		sds.imbalance_pct = 117;
		sds.dst_idle = local.idle_cpus > 0;
		set_totals(sds);
		return sds;
	};
	sd_lb_stats sds;

	/* 111688ca1c4a: 4 tasks of nice -10 here, 6 of nice 10 there */
	sds = pair(group(group_fully_busy, 4, 4, 0, 4 * 9548),
		   group(group_overloaded, 4, 6, 0, 6 * 110));
	check.expect(decide_migration(&sds).amount == 0, "111688ca1c4a", sds);

	/* 91dcf1e8068e: local at the average of a domain with a third group */
	sds = pair(group(group_overloaded, 4, 6, 0, 6 * 1024),
		   group(group_overloaded, 4, 9, 0, 9 * 1024));
	sds.total_load = 12 * 1024;
	sds.total_capacity = 12 * kScale;
	check.expect(decide_migration(&sds).amount == 0, "91dcf1e8068e", sds);

	/* nr_diff: pinned tasks stacked in the local group */
	sds = pair(group(group_has_spare, 4, 9, 3, 9 * 1024),
		   group(group_has_spare, 4, 3, 1, 3 * 1024));
	sds.prefer_sibling = true;
	check.expect(decide_migration(&sds).amount == 0, "nr_diff", sds);

	/* idle_cpus difference: overloaded, yet more idle CPUs than local */
	sds = pair(group(group_has_spare, 8, 9, 1, 9 * 1024),
		   group(group_overloaded, 8, 12, 2, 12 * 1024));
	sds.share_llc = true;
	check.expect(decide_migration(&sds).amount == 0, "idle_cpus difference", sds);
	sds.share_llc = false;
	check.expect(decide_migration(&sds).amount == 0, "idle_cpus difference", sds);

	/* 16b0a7a1a0af: within an LLC tasks, not utilization */
	sds = pair(group(group_has_spare, 1, 0, 1, 0),
		   group(group_overloaded, 1, 2, 0, 2048));
	sds.share_llc = true;
	check.expect(decide_migration(&sds).kind == migrate_tasks &&
		     decide_migration(&sds).amount == 1, "16b0a7a1a0af", sds);

	/* even idle cpus: 1/0 and 2/1 with one cache */
	sds = pair(group(group_has_spare, 2, 1, 1, 1024),
		   group(group_overloaded, 2, 3, 0, 3072));
	sds.share_llc = true;
	check.expect(decide_migration(&sds).amount == 1, "even idle cpus", sds);

	/* local group imbalance: 3 pinned on one CPU here, 3 on two there */
	sds = pair(group(group_has_spare, 2, 3, 1, 3072),
		   group(group_overloaded, 2, 3, 0, 3072));
	sds.prefer_sibling = sds.share_llc = true;
	check.expect(decide_migration(&sds).amount == 1, "local group imbalance", sds);
	sds.share_llc = false;
	check.expect(decide_migration(&sds).amount > 0, "local group imbalance", sds);

	/* A queue on two CPUs, the other two left out: one each, and none waits? */
	sds = pair(group(group_has_spare, 4, 3, 1, 3072),
		   group(group_has_spare, 4, 4, 0, 4096));
	sds.busiest_stat.nr_cpus = 2;
	check.expect(decide_migration(&sds).amount == 1, "CPUs left out", sds);

	/* 3af7524b1419: a task bigger than what is left of the local group */
	sds = pair(group(group_has_spare, 4, 3, 1, 3072),
		   group(group_overloaded, 2, 3, 0, 3072));
	sds.local_stat.group_capacity = 4 * 446;
	sds.local_stat.group_util = 3 * 446;
	set_totals(sds);
	check.expect(decide_migration(&sds).amount >= 1024, "3af7524b1419", sds);

	/* b396f52326de: a pair on a node, the other node empty */
	sds = pair(group(group_has_spare, 8, 0, 8, 0),
		   group(group_has_spare, 8, 2, 6, 2048));
	sds.numa = sds.prefer_sibling = true;
	check.expect(decide_migration(&sds).amount == 0, "b396f52326de", sds);
	sds.busiest_stat.sum_nr_running = 3;
	check.expect(decide_migration(&sds).amount == 1, "three are no pair", sds);
	/* CPUs with bound kernel threads are left out, one by one, but busy. */
	sds.busiest_stat.sum_nr_running = 1;
	sds.busiest_stat.idle_cpus = 1;
	sds.prefer_sibling = false;
	check.expect(decide_migration(&sds).amount == 3, "one of seven is no pair", sds);

	/* 39a2a6eb5c9b: failed passes beyond the width of a long */
	check.expect(size_after_failures(1024, 0) == 1024 &&
		     size_after_failures(1024, 3) == 128 &&
		     size_after_failures(~0ul, 63) == 1 &&
		     size_after_failures(~0ul, 100) == 1 &&
		     size_after_failures(1024, ~0u) == 0, "39a2a6eb5c9b", sds);

	/* 2208cdaa56c9: six against five */
	sds = pair(group(group_overloaded, 4, 5, 0, 5 * 1024),
		   group(group_overloaded, 4, 6, 0, 6 * 1024));
	check.expect(decide_migration(&sds).amount == 512, "2208cdaa56c9", sds);
	sds.imbalance_pct = 125;
	check.expect(decide_migration(&sds).amount == 0, "25 % hides it", sds);

	return check.finish(number);
}

} /* namespace */

int main()
{
	using Test = bool (*)(int);
	static const Test tests[] = {
		test_small, test_no_inversion, test_big, test_level,
		test_classify, test_choose, test_faults,
	};
	bool ok = true;
	int number = 0;

	std::printf("TAP version 13\n1..%zu\n", sizeof(tests) / sizeof(tests[0]));
	for (Test test : tests)
		ok = test(++number) && ok;
	return ok ? 0 : 1;
}
