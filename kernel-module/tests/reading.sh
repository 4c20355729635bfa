#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# In the guest: what reading costs. It may neither take long nor disturb other CPUs.
#
# Seen failing: test_time on numa-8x20 with readers that look at each cell (5908 us), not
# only at the blocks that a CPU has marked.
. "$(dirname "$0")/lib.sh"

# CPU time of the reader for all files at not more than 1 ns per instruction: what replay
# counts, and what an emulated machine without replay is scaled to.
readonly LIMIT_US=5000

settle

test_time() {
	load level=2 lb=1
	work nap "$(cpus)" 300
	look time $FILES >/run/times || die "a file cannot be read"
	sed 's/^/# us CPU time, bytes, file: /' /run/times
	unload
	total=$(awk '{ total += $1 } END { print total }' /run/times)
	say "all files: $total us"
	[ "$total" -lt "$LIMIT_US" ] || die "all files take $total us, limit $LIMIT_US"
}

# The figure that test_no_interrupts looks at moves when CPUs are asked: level 2 begins
# with a call of all of them.
calls_show() {
	before=$(look calls)
	control "level 1"
	control "level 2"
	[ $(($(look calls) - before)) -ge $(($(cpus) - 1)) ] || die "a call of all CPUs does not show in /proc/interrupts"
}

test_no_interrupts() {
	load level=2 lb=1
	work nap "$(cpus)" 300
	calls_show
	# Without files: what comes in that time anyway.
	least=1000000
	for _ in 1 2 3; do
		none=$(look interrupts)
		all=$(look interrupts $FILES)
		say "CAL and TLB: $none for nothing, $all for all files ten times"
		[ "$((all - none))" -ge "$least" ] || least=$((all - none))
	done
	unload
	# A read that asked one other CPU would show as ten; the rest is the machine's.
	[ "$least" -lt 10 ] || die "reading causes $least interrupts of other CPUs"
}

run_tests time no_interrupts
