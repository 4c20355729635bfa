#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# In the guest: what reading costs. It may neither take long nor disturb other CPUs.
. "$(dirname "$0")/lib.sh"

# CPU time of the reader at not more than 1 ns per instruction: what replay counts, and
# what an emulated machine without replay is scaled to.
readonly LIMIT_US=5000

settle

test_time() {
	load level=2 lb=1
	work nap "$(cpus)" 300
	look time $FILES >/run/times || die "a file cannot be read"
	sed 's/^/# us CPU time, bytes, file: /' /run/times
	unload
	awk -v limit="$LIMIT_US" '$1 > limit { print $3 " takes " $1 " us"; bad = 1 } END { exit bad }' /run/times
}

test_no_interrupts() {
	load level=2 lb=1
	work nap "$(cpus)" 300
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
