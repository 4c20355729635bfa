#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A test that cannot fail proves nothing: break each rule, expect a failure.
set -euo pipefail
: "${FAIR:=../../build/src/v5.4/kernel/sched/fair.c}"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
rc=0
try() {
	sed "$2" "$FAIR" > "$work/fair.c"
	if cmp -s "$FAIR" "$work/fair.c"; then echo "not applied: $1"; rc=1; return; fi
	rm -rf "$work/out"
	if ! make -s FAIR="$work/fair.c" OUT="$work/out" "$work/out/test" > "$work/log" 2>&1; then
		echo "does not build: $1"; rc=1
	elif "$work/out/test" > "$work/log" 2>&1; then
		echo "SURVIVED: $1"; rc=1
	else
		echo "caught: $1 ($(grep -c '^not ok\|runtime error' "$work/log") reports)"
	fi
}
try "difference without clamp" 's/return more > less ? (more - less) \/ 2 : 0;/return (more - less) \/ 2;/'
try "idle CPUs not compared" 's/if (busiest->idle_cpus > local->idle_cpus)/if (busiest->idle_cpus > local->idle_cpus + busiest->idle_cpus)/'
try "busy CPUs forgotten" 's/^\t    busiest->group_weight - busiest->idle_cpus <= nr_alone)/\t    1)/'
try "CPUs left out counted" 's/waiting = busiest->sum_nr_running > busiest->nr_cpus/waiting = busiest->sum_nr_running > busiest->group_weight/'
try "pair of tasks split" 's/^#define NUMA_NR_PAIR.*/#define NUMA_NR_PAIR 1/'
try "waiting task forgotten" 's/if (!nr && waiting && /if (0 \&\& /'
try "spare capacity wraps" 's/if (local->group_capacity > local->group_util)/if (1)/'
try "idle CPU not counted as room" 's/if (sds->dst_idle && util < SCHED/if (0 \&\& util < SCHED/'
try "local above average" 's/if (busiest->avg_load <= avg_load || local->avg_load >= avg_load)/if (0)/'
try "threshold dropped" 's/if (busiest->avg_load \* 100 <= local->avg_load \* sds->imbalance_pct)/if (0)/'
try "shift without bound" 's/return size >> min_t(unsigned int, nr_failed, BITS_PER_LONG - 1);/return size >> nr_failed;/'
try "LLC by utilization" 's/} else if (sds->share_llc) {/} else if (0) {/'
exit $rc
