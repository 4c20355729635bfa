#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# In the guest: do the counters count what happens? One cause a test.
#
# Usage: counters.sh [TEST...]: these, or all of them
. "$(dirname "$0")/lib.sh"

test_sum_equals_ftrace() {
	tracing
	load lb=1 level=2
	echo 0 >$TRACE/tracing_on
	echo 8192 >$TRACE/buffer_size_kb
	echo 'prio >= 100' >$TRACE/events/sched/sched_migrate_task/filter
	echo 1 >$TRACE/events/sched/sched_migrate_task/enable
	echo >$TRACE/trace
	echo 1 >$TRACE/tracing_on
	start=$(look count $TRACE $FILES mark) || die "$start"
	start=${start% *}
	work nap 12 1000
	work pipe 4 500
	work exec 20
	work spin "$(($(cpus) + 3))" 600
	work self 50
	end=$(look count $TRACE $FILES read migrate fair) || die "$end"
	counted=${end#* } end=${end% *}
	echo 0 >$TRACE/events/sched/sched_migrate_task/enable
	say "traced $((end - start)), counted $counted:$(reasons)"
	unload
	[ "$counted" = $((end - start)) ] || die "counted $counted, traced $((end - start))"
	[ "$counted" -gt 50 ] || die "only $counted migrations"
}

# cause LEAST REASON COMMAND...: the command's fair migrations are of this reason.
cause() {
	least=$1 reason=$2
	shift 2
	control mark
	"$@"
	got=$(sum migrate "$reason")
	say "$reason: $*:$(reasons)"
	[ "$got" -ge "$least" ] || die "$reason: $got migrations, expected at least $least"
}

test_cause_affinity_self() {
	load lb=1
	cause 190 affinity work self 200
	unload
}

test_cause_affinity_queued() {
	load lb=1
	cause 90 affinity work queued 100
	# The test itself wakes up elsewhere; nothing else may move.
	others=$(($(fair_migrations) - $(sum migrate wake) - $(sum migrate affinity)))
	[ "$others" -le 5 ] || die "other reasons:$(reasons)"
	unload
}

test_cause_exec() {
	load lb=1 level=1
	cause 70 exec work crowded 100
	moved=$(sum place moved kind exec) total=$(sum place total kind exec)
	say "place: $total execs, $moved moved"
	[ "$total" -ge 100 ] || die "place counts $total execs of more than 100"
	[ "$moved" = "$(sum migrate exec)" ] || die "place says $moved moved"
	unload
}

test_cause_wake() {
	load lb=0 level=1
	control mark
	work nap 20 1500
	# One process reads both files: nothing happens between them.
	# shellcheck disable=SC2046 # four numbers
	set -- $(awk -v files=$FILES 'BEGIN {
		FS = "\t"
		while ((getline < (files "/place")) > 0) if ($2 == "wake") { total += $3; kept += $4; moved += $5 + $6 }
		while ((getline < (files "/migrate")) > 0) wake += $3
		print total, kept, moved, wake }')
	say "place: $1 wake-ups, $2 kept, $3 moved; migrate: $4"
	unload
	[ "$4" -gt 10 ] || die "$4 wake-ups moved"
	[ "$3" = "$4" ] || die "place says $3 moved, migrate $4"
	[ $(($2 + $3)) = "$1" ] || die "parts do not add up"
}

test_cause_fork() {
	load level=0
	control mark
	for _ in 1 2 3 4 5 6 7 8 9 10; do true | cat; done
	forks=$(sum place total kind fork)
	say "forks $forks, wake rows read $(sum place total kind wake) at level 0"
	[ "$(sum place total kind wake)" = - ] || die "a wake-up is measured at level 0"
	unload
	[ "$forks" -ge 20 ] || die "$forks forks counted"
}

test_cause_balance() {
	load lb=1
	n=$(cpus)
	control mark
	work herd "$((n + n / 2))" 2000 0
	say "herd with lb:$(reasons)"
	pulled=$(($(sum migrate newidle) + $(sum migrate periodic_idle) + $(sum migrate periodic_busy) + $(sum migrate nohz)))
	[ "$pulled" -ge "$((n / 2))" ] || die "$pulled pulled"
	[ "$(sum migrate other)" = 0 ] || die "$(sum migrate other) of unknown reason"
	tasks=$(sum lb pulled_tasks)
	say "lb pulled_tasks $tasks"
	near "$tasks" "$pulled" 3 || die "lb says $tasks tasks, migrate $pulled"
	unload
}

# The same work with and without the balancer's probe: how good is inference?
test_inferred_reasons() {
	load lb=0
	control mark
	work herd "$(($(cpus) * 3 / 2))" 2000 0
	say "herd without lb:$(reasons)"
	[ "$(sum migrate other)" = 0 ] || die "$(sum migrate other) of unknown reason"
	unload
}

test_cause_hotplug() {
	[ -w /sys/devices/system/cpu/cpu3/online ] || skip "CPU 3 cannot go offline"
	load lb=1 level=2
	work spin "$(($(cpus) * 2))" 6000 &
	sleep 0.5
	control mark
	for _ in 1 2 3; do
		echo 0 >/sys/devices/system/cpu/cpu3/online
		echo 1 >/sys/devices/system/cpu/cpu3/online
	done
	say "hotplug:$(reasons)"
	got=$(sum migrate hotplug)
	wait
	unload
	case $(uname -r) in
	5.4*) [ "$got" = 0 ] || say "5.4 does not trace migrations of a dying CPU, and yet: $got" ;;
	*) [ "$got" -ge 3 ] || die "$got pushed off" ;;
	esac
}

# numa_speed: scans once a second, whatever they find (in milliseconds).
numa_speed() {
	for file in /sys/kernel/debug/sched/numa_balancing/scan_period_max_ms \
		/proc/sys/kernel/numa_balancing_scan_period_max_ms; do
		[ ! -w $file ] || echo 1000 >$file
	done
}

test_cause_numa() {
	[ -d /sys/devices/system/node/node1 ] || skip "needs 2 NUMA nodes"
	[ -w /proc/sys/kernel/numa_balancing ] || skip "no NUMA balancing"
	load lb=1
	echo 1 >/proc/sys/kernel/numa_balancing
	numa_speed
	control mark
	work exiles 3 2
	say "few tasks:$(reasons)"
	work exiles "$(cpus)" 2
	say "a task a CPU:$(reasons)"
	set -- "$(sum numa move_try)" "$(sum numa move_done)" "$(sum numa swap_try)" "$(sum numa swap_done)"
	say "move $2 of $1, swap $4 of $3, stick $(sum numa stick_no_cpu) $(sum numa stick_failed)"
	[ "$2" = "$(sum migrate numa_move)" ] || die "numa says $2 moves, migrate $(sum migrate numa_move)"
	[ "$4" = "$(sum migrate numa_swap)" ] || die "numa says $4 swaps, migrate $(sum migrate numa_swap)"
	[ "$2" -le "$1" ] && [ "$4" -le "$3" ] || die "more done than tried"
	unload
	[ $(($1 + $3)) -gt 0 ] || skip "NUMA balancing did not try to move anything"
	[ $(($2 + $4)) -gt 0 ] || die "no move or exchange was recognised"
}

test_distance_and_matrix() {
	load lb=1
	control mark
	work nap 12 800
	work self 40
	all=$(migrations)
	by_distance=$(awk 'NR > 2 { for (i = 2; i <= NF; i++) t += $i } END { print t }' FS='\t' $FILES/distance)
	by_node=$(sum matrix tasks)
	again=$(migrations)
	say "migrate $all to $again, distance $by_distance, matrix $by_node"
	say "$(sum distance same_core) same core, $(sum distance same_llc) same llc, $(sum distance same_node) same node, $(sum distance remote_near) near, $(sum distance remote_far) far"
	unload
	[ "$by_distance" -ge "$all" ] && [ "$by_distance" -le "$again" ] || die "distance $by_distance not in $all..$again"
	[ "$by_node" -ge "$all" ] && [ "$by_node" -le "$again" ] || die "matrix $by_node not in $all..$again"
}

# Seen failing: a module that did not tell passes apart which overlap in a domain left some
# unexplained on 16 CPUs.
test_lb_equals_schedstat() {
	[ -f /proc/schedstat ] || skip "no /proc/schedstat"
	echo 1 2>/dev/null >/proc/sys/kernel/sched_schedstats || skip "schedstats cannot be switched on"
	load lb=1
	look schedstat $FILES >/run/before || die "look schedstat: $?"
	work herd 12 1500 0
	work nap 12 1000
	look schedstat $FILES >/run/after || die "look schedstat: $?"
	unload
	paste -d ' ' /run/before /run/after | awk '{
		theirs = $5 - $2; ours = $6 - $3
		printf "# %s: schedstat %d, cfslb %d\n", $1, theirs, ours
		if (ours != theirs) bad = bad " " $1
		if ($1 == "calls" && theirs < 100) bad = bad " too few calls"
	} END { if (bad) print "differ:" bad }' >/run/compared
	grep '^#' /run/compared
	! grep -v '^#' /run/compared
}

[ $# -gt 0 ] || set -- sum_equals_ftrace cause_affinity_self cause_affinity_queued cause_exec cause_wake \
	cause_fork cause_balance inferred_reasons cause_hotplug cause_numa distance_and_matrix \
	lb_equals_schedstat
run_tests "$@"
