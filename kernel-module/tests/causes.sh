#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# In the guest: does each cause land in its reason? A program (cause.c) brings about one
# cause again and again. Which function of the kernel moved each task shows on the stack,
# which ftrace takes with each migration: of what the kernel did for a reason, 99 % must be
# counted as that, and of all migrations at most 1 % elsewhere, both with the balancer's
# probe and without it.
#
# Seen failing: a module that took a stopper thread which goes to sleep for one at work
# counted 3 of 100 pulls as "active" (periodic_idle, lb=0).
#
# Usage: causes.sh [CAUSE...]: these, or all of them
. "$(dirname "$0")/lib.sh"

readonly PERCENT=1 # that may land elsewhere
readonly LIVES=100 # times that a cause is brought about

settle
export TRACE
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

# watch: stacks of all migrations from now on, and of what NUMA balancing asks for.
watch() {
	tracing
	echo 0 >$TRACE/tracing_on
	echo stacktrace >$TRACE/trace_options
	echo 'prio >= 100' >$TRACE/events/sched/sched_migrate_task/filter
	for event in sched_migrate_task sched_move_numa; do
		[ ! -e $TRACE/events/sched/$event ] || echo 1 >$TRACE/events/sched/$event/enable
	done
	echo >$TRACE/trace
	echo 1 >$TRACE/tracing_on
}

# stacks: how many migrations the kernel made for each reason, by the innermost function
# that tells. A stopper's stack does not tell exec from a change of affinity: "asked".
stacks() {
	awk '
		function value(name) {
			match($0, " " name "=[0-9]*")
			return substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) + 0
		}
		function reason(f) {
			if (f ~ /^(newidle_balance|sched_balance_newidle)/) return "newidle"
			# The balancer of others ends with a pass for its own CPU.
			if (f ~ /^_?nohz_idle_balance/) return dest == cpu ? "periodic_idle" : "nohz"
			if (f ~ /^(rebalance_domains|sched_balance_domains)/) return "periodic"
			if (f ~ /^active_load_balance_cpu_stop/) return "active"
			if (f ~ /^migrate_swap_stop/) return "numa_swap"
			if (f ~ /^migration_cpu_stop/) return want == dest ? "numa_move" : "asked"
			if (f ~ /balance_push/) return "hotplug"
			if (f ~ /set_cpus_allowed|^affine_move_task/) return "asked"
			if (f ~ /^sched_core_balance|^try_steal_cookie/) return "core"
			if (f ~ /^(load_balance|sched_balance_rq)/) return "pass"
			if (f ~ /^try_to_wake_up/) return "wake"
		}
		function done() {
			if (!migrates) return
			# 5.4 shows a trampoline instead of the functions that call what a kretprobe is on.
			if (why == "pass") why = softirq ? "periodic" : "newidle"
			if (why == "periodic") why = idle ? "periodic_idle" : "periodic_busy"
			n[why == "" ? "other" : why]++
		}
		# Without the zeros in front: busybox would take 010 for 8.
		match($0, /\[0*[0-9]+\]/) { now = substr($0, RSTART + 1, RLENGTH - 2); sub(/^0+/, "", now); now = now + 0 }
		/ sched_move_numa: / { wanted[value("pid")] = value("dst_cpu") }
		/ sched_migrate_task: / {
			match($0, /\] [^ ]*/)
			softirqs[now] = substr($0, RSTART + 2, RLENGTH - 2) ~ /^..[sH]/
			pids[now] = value("pid"); dests[now] = value("dest_cpu")
			next
		}
		# A stack follows its event, but events of other CPUs may lie between.
		/<stack trace>/ {
			done()
			cpu = now; migrates = cpu in pids; why = ""; idle = /^ *<idle>/
			if (!migrates) next
			pid = pids[cpu]; dest = dests[cpu]; softirq = softirqs[cpu]; want = pid in wanted ? wanted[pid] : -1
			delete wanted[pid]; delete pids[cpu]
		}
		# Of a pass, a function further out tells more. Kernels without frame pointers and ORC
		# guess: what is left of an earlier wake-up may lie inside of a pass.
		/^ => / && migrates && why ~ /^(wake|pass|periodic)?$/ {
			r = reason($2)
			if (r != "" && !(r == "wake" && why != "") && !(r == "pass" && why == "periodic")) why = r
		}
		END { done(); for (why in n) print why, n[why] }' $TRACE/trace >/run/stacks
}

# counters: the same as the module counts it.
counters() {
	awk -F '\t' '
		NR == 2 { for (i = 3; i <= NF; i++) name[i] = $i ~ /^(affinity|exec)$/ ? "asked" : $i }
		NR > 2 { for (i = 3; i <= NF; i++) if (name[i] != "rt_dl") n[name[i]] += $i }
		END { for (why in n) if (n[why]) print why, n[why] }' $FILES/migrate >/run/counters
}

# of FILE REASON
of() { awk -v why="$2" '$1 == why { n = $2 } END { print n + 0 }' "/run/$1"; }

# misplaced: tasks that are counted where no stack is for them.
misplaced() {
	awk 'FNR == NR { n[$1] = $2; next } $2 > n[$1] { over += $2 - n[$1] } END { print over + 0 }' /run/stacks /run/counters
}

# observe COMMAND...: what it makes move, by the module and by the stacks.
observe() {
	watch
	control mark
	"$@" || die "$* failed: $?"
	echo 0 >$TRACE/tracing_on
	counters
	# The shell compares: the column of one of the two that "asked" adds up.
	got=$(of counters "$why")
	[ "$why" != asked ] || got=$(sum migrate "$reason")
	say "lb=$lb $*:$(reasons); by stacks: $(stacks && sort /run/stacks | tr '\n' ' ')"
	! grep -q 'LOST' $TRACE/trace || die "the trace lost events"
	unload
}

# lands REASON LEAST COMMAND...: with lb on, then off.
lands() {
	reason=$1 why=$1 least=$2
	shift 2
	case $reason in affinity | exec) why=asked ;; esac
	for lb in 1 0; do
		load lb=$lb
		observe "$@"
		real=$(of stacks "$why") wrong=$(misplaced) all=$(awk '{ n += $2 } END { print n + 0 }' /run/stacks)
		[ "$real" -ge "$least" ] || die "lb=$lb: $real migrations of $reason by the stacks, expected at least $least"
		near "$got" "$real" $PERCENT || die "lb=$lb: $got of $reason, $real by the stacks"
		[ $((wrong * 100)) -le $((all * PERCENT)) ] || die "lb=$lb: $wrong of $all are counted for another reason"
	done
}

test_wake() { lands wake $((LIVES * 9 / 10)) cause wake $LIVES; }

test_exec() { lands exec $((LIVES / 2)) cause exec $LIVES; }

# Whether a CPU that runs out of work finds some is up to the kernel, so this cause cannot
# be forced.
test_newidle() { lands newidle 20 cause newidle 300; }

test_periodic_idle() {
	at_once
	lands periodic_idle $((LIVES / 4)) cause idle $((LIVES / 2))
}

test_periodic_busy() {
	at_once
	lands periodic_busy $((LIVES / 2)) cause busy $((LIVES / 2))
}

test_nohz() {
	at_once
	lands nohz $((LIVES / 4)) cause nohz $((LIVES / 2))
}

test_active() {
	at_once
	lands active $((LIVES / 2)) cause active $LIVES
}

test_affinity_running() { lands affinity $((LIVES * 2 - 10)) work self $((LIVES * 2)); }

test_affinity_waiting() { lands affinity $((LIVES * 3 - 10)) work queued $((LIVES * 3)); }

test_hotplug() {
	[ -w /sys/devices/system/cpu/cpu3/online ] || skip "CPU 3 cannot go offline"
	case $(uname -r) in 5.4*) skip "5.4 does not trace migrations of a dying CPU" ;; esac
	lands hotplug 50 cause offline 20
}

needs_numa() {
	[ -d /sys/devices/system/node/node1 ] || skip "needs 2 NUMA nodes"
	[ -w /proc/sys/kernel/numa_balancing ] || skip "no NUMA balancing in this kernel"
	echo 1 >/proc/sys/kernel/numa_balancing
	# Milliseconds; the greatest first, which may not be below the least.
	for setting in scan_period_max_ms=200 scan_period_min_ms=100 scan_delay_ms=100; do
		for file in "/sys/kernel/debug/sched/numa_balancing/${setting%=*}" \
			"/proc/sys/kernel/numa_balancing_${setting%=*}"; do
			[ ! -w "$file" ] || echo "${setting#*=}" >"$file"
		done
	done
}

test_numa_move() {
	needs_numa
	lands numa_move 8 work exiles 3 10 1000
}

test_numa_swap() {
	needs_numa
	lands numa_swap 8 work exiles "$(cpus)" 10 1000
}

test_core() {
	code=0
	message=$(cause core 1 2>&1) || code=$?
	# EINVAL: not built in. ENODEV: no core has two threads.
	[ $code != 4 ] || skip "no core scheduling here: $message"
	lands core $((LIVES / 2)) cause core $LIVES
}

[ $# -gt 0 ] || set -- wake exec newidle periodic_idle periodic_busy nohz active affinity_running \
	affinity_waiting hotplug numa_move numa_swap core
run_tests "$@"
