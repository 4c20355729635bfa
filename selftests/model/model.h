/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rules in plain integers that cannot overflow: what the comments of the
 * patched fair.c promise, written a second time and in another way.
 */
#ifndef CFSLB_MODEL_MODEL_H
#define CFSLB_MODEL_MODEL_H

#include "pure.h"

namespace model {

using Int = __int128;	/* wider than any product of two kernel quantities */

struct Decision {
	migration_kind kind;
	Int amount;
};

group_type classify(Int imbalance_pct, const sg_lb_stats &g);
Decision decide(const sd_lb_stats &sds);
bool busier(const sg_lb_stats &a, const sg_lb_stats &b);
bool idler(const sg_lb_stats &a, const sg_lb_stats &b);
bool stay_local(Int imbalance_pct, bool numa, const sg_lb_stats &local,
		const sg_lb_stats &idlest);

} /* namespace model */

#endif
