#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs the drivers given (or those beside this script) one after the other: KTAP with each
# driver's own output nested, for use outside a kernel tree.
# Exit code: 0 passed, 1 any failed, 4 nothing but skips.
set -u

here=$(dirname "$0")
# Seconds for one driver: the "timeout" line of the settings file.
timeout_s=$(sed -n 's/^timeout=//p' "$here/settings")

if [ $# -eq 0 ]; then
	for name in topology cgroup_spread sched_idle_fill local_group_imbalance \
			even_spread mixed_class weight_blind blocked_load even_idle_cpus \
			spread_small_groups wakeup_spread fair_share fork_exec_placement \
			misfit; do
		[ -x "$here/$name" ] && set -- "$@" "$here/$name"
	done
fi

number=0
failed=0
passed=0
fifo=$(mktemp -u) || exit 1
trap 'rm -f "$fifo"' EXIT
trap 'exit 1' INT TERM

echo "KTAP version 1"
echo "1..$#"
for driver in "$@"; do
	number=$((number + 1))
	name=$(basename "$driver")
	rm -f "$fifo"
	mkfifo "$fifo" || exit 1
	sed 's/^/  /' <"$fifo" &
	printer=$!
	timeout "${timeout_s:-300}" "$driver" >"$fifo" 2>&1
	code=$?
	wait "$printer"
	case $code in
	0) passed=$((passed + 1)); echo "ok $number $name" ;;
	4) echo "ok $number $name # SKIP" ;;
	*) failed=$((failed + 1)); echo "not ok $number $name # exit=$code" ;;
	esac
done
echo "# Totals: pass:$passed fail:$failed skip:$((number - passed - failed))"

[ "$failed" -eq 0 ] || exit 1
[ "$passed" -gt 0 ] || exit 4
