#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# In the guest: does each cause land in its reason? A program (cause.c) brings about one
# cause again and again, all else is pinned; at least 99 % of the migrations must have
# its reason, both with the balancer's probe and without it. Where a cause cannot be had
# alone, a trace says how often it came.
#
# Usage: causes.sh [CAUSE...]: these, or all of them
. "$(dirname "$0")/lib.sh"

readonly SHARE=99  # percent
readonly LIVES=100 # times that a cause is brought about

settle
# An exec on a CPU for the first time has the kernel start threads there.
cause exec 40
(tracing) >/dev/null || true

# at_once: balancing intervals of a millisecond, and no task is too hot to move: then what
# a cause is to bring about comes in its turn.
at_once() {
	[ -d /sys/kernel/debug/sched ] || [ -d /proc/sys/kernel/sched_domain ] || skip "no sched domains to set up (CONFIG_SCHED_DEBUG)"
	for file in /sys/kernel/debug/sched/migration_cost_ns /proc/sys/kernel/sched_migration_cost_ns; do
		[ ! -w $file ] || echo 0 >$file
	done
	for domain in /sys/kernel/debug/sched/domains/cpu*/domain* /proc/sys/kernel/sched_domain/cpu*/domain*; do
		for setting in min_interval=1 max_interval=1 busy_factor=1; do
			[ ! -w "$domain/${setting%=*}" ] || echo "${setting#*=}" >"$domain/${setting%=*}"
		done
	done
}

# who_moves: of whom there are migrations, from now on. Only for the message.
who_moves() {
	[ -w $TRACE/events/sched/sched_migrate_task/enable ] || return 0
	echo >$TRACE/trace
	echo 1 >$TRACE/events/sched/sched_migrate_task/enable
}

moved() {
	sed -n 's/.*sched_migrate_task: comm=\([^ ]*\) .*orig_cpu=\([0-9]*\) dest_cpu=\([0-9]*\)/\1 \2 \3/p' $TRACE/trace |
		sort | uniq -c | sort -rn | head -n 24 | awk '{ printf " %s*%s:%s>%s", $1, $2, $3, $4 }'
}

# pulls: where no task wakes up elsewhere, a task that is moved by another one, outside of
# softirqs, to that one's CPU was pulled by a newly idle CPU. So many of them are in the trace.
pulls() {
	[ -w $TRACE/events/sched/sched_migrate_task/enable ] || { echo 0 && return; }
	echo 0 >$TRACE/events/sched/sched_migrate_task/enable
	awk '/sched_migrate_task: / {
		match($0, /\[[0-9]*\] [^ ]*/)
		cpu = substr($0, RSTART + 1, 3) + 0
		flags = substr($0, RSTART + 6, 4)
		sub(/.*dest_cpu=/, "")
		if (flags ~ /^..\./ && $1 == cpu) n++
	} END { print n + 0 }' $TRACE/trace
}

# lands REASON LEAST COMMAND...: with lb on, then off.
lands() {
	reason=$1 least=$2
	shift 2
	for lb in 1 0; do
		load lb=$lb
		who_moves
		"$@" || die "$* failed: $?"
		got=$(sum migrate "$reason") all=$(fair_migrations) real=0
		case $reason in
		# A thread of the kernel that runs on an idle CPU, and sleeps again, leaves it newly
		# idle: the CPU then pulls what would have been balanced. Only what the trace
		# knows of is left out; a migration that is only counted as newidle is wrong.
		periodic_idle | nohz | active) real=$(pulls) ;;
		esac
		say "lb=$lb $*: $got of $all, $real of them by newly idle CPUs:$(reasons)"
		all=$((all - real))
		unload
		[ "$got" -ge "$least" ] || die "lb=$lb: $got migrations of $reason, expected at least $least"
		share "$got" "$all" $SHARE || {
			say "who moved (process and CPUs):$(moved)"
			die "lb=$lb: $reason is $got of $all"
		}
	done
}

test_wake() { lands wake $((LIVES * 9 / 10)) cause wake $LIVES; }

test_exec() { lands exec $((LIVES / 2)) cause exec $LIVES; }

# agrees REASON LEAST COUNTER COMMAND...: for a cause that cannot be had alone: as many
# migrations of it are counted as COUNTER finds in the trace.
agrees() {
	reason=$1 least=$2 counter=$3
	shift 3
	tracing
	for lb in 1 0; do
		load lb=$lb
		who_moves
		"$@" || die "$* failed: $?"
		got=$(sum migrate "$reason")
		traced=$("$counter")
		say "lb=$lb $*: $got of $reason, $traced by the trace:$(reasons)"
		unload
		[ "$traced" -ge "$least" ] || die "lb=$lb: only $traced of $reason in the trace"
		near "$got" "$traced" 1 || die "lb=$lb: $got of $reason, $traced by the trace"
	done
}

# Whether a CPU that runs out of work finds some is up to the kernel, so this cause cannot
# be forced.
test_newidle() { agrees newidle 20 pulls cause newidle 300; }

test_periodic_idle() {
	at_once
	lands periodic_idle $((LIVES / 2)) cause idle $LIVES
}

test_periodic_busy() {
	at_once
	lands periodic_busy $((LIVES / 2)) cause busy $((LIVES / 2))
}

test_nohz() {
	at_once
	lands nohz $((LIVES / 2)) cause nohz $LIVES
}

test_active() {
	at_once
	lands active $((LIVES / 2)) cause active $LIVES
}

test_affinity_running() { lands affinity $((LIVES * 2 - 10)) work self $((LIVES * 2)); }

test_affinity_waiting() { lands affinity $((LIVES * 3 - 10)) work queued $((LIVES * 3)); }

# pushed: off CPU 3, but for the program itself, which leaves it for the last one.
pushed() {
	echo 0 >$TRACE/events/sched/sched_migrate_task/enable
	grep -c "^ *migration/3-.*orig_cpu=3 dest_cpu=[^$(($(cpus) - 1))]" $TRACE/trace || true
}

test_hotplug() {
	[ -w /sys/devices/system/cpu/cpu3/online ] || skip "CPU 3 cannot go offline"
	case $(uname -r) in 5.4*) skip "5.4 does not trace migrations of a dying CPU" ;; esac
	agrees hotplug 50 pushed cause offline 20
}

# exiled: the pins that exile tasks are changes of affinity, and an exile that waited for a
# page is woken, on any CPU; all else is NUMA balancing's.
exiled() {
	reason=$1
	shift
	for lb in 1 0; do
		load lb=$lb
		control mark
		"$@"
		got=$(sum migrate "$reason")
		rest=$(($(fair_migrations) - $(sum migrate affinity) - $(sum migrate wake)))
		say "lb=$lb $*: $got of $rest:$(reasons)"
		unload
		[ "$got" -gt 0 ] || skip "NUMA balancing did not do it"
		share "$got" "$rest" $SHARE || die "lb=$lb: $reason is $got of $rest"
	done
}

needs_numa() {
	[ -d /sys/devices/system/node/node1 ] || skip "needs 2 NUMA nodes"
	[ -w /proc/sys/kernel/numa_balancing ] || skip "no NUMA balancing"
	echo 1 >/proc/sys/kernel/numa_balancing
	for file in /sys/kernel/debug/sched/numa_balancing/scan_period_max_ms \
		/proc/sys/kernel/numa_balancing_scan_period_max_ms; do
		[ ! -w $file ] || echo 1000 >$file
	done
}

test_numa_move() {
	needs_numa
	exiled numa_move work exiles 3 3
}

test_numa_swap() {
	needs_numa
	exiled numa_swap work exiles "$(cpus)" 3
}

test_core() {
	code=0
	cause core 1 || code=$?
	[ $code != 4 ] || skip "no core scheduling"
	lands core $((LIVES / 2)) cause core $LIVES
}

[ $# -gt 0 ] || set -- wake exec newidle periodic_idle periodic_busy nohz active affinity_running \
	affinity_waiting hotplug numa_move numa_swap core
run_tests "$@"
