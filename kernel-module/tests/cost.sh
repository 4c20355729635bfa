#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Usage: cost SEED MODE...
#
# In the guest: how long workloads take while nothing counts, while the module does and
# while others count the same. One line "# cost JSON" a mode and workload, which
# scripts/bench-module.sh collects. Needs perf and hackbench, and bpftrace for bpf_*.
#
# Modes: none, off, 0, 1, 2 (levels of the module), lb (its probes of the balancer
# alone), all (2 and lb); bpf_0, bpf_1, bpf_2, bpf_lb (bpftrace with what is nearest to that level),
# perf (perf sched record), again (none once more: what differs is noise).
. "$(dirname "$0")/lib.sh"

readonly LOOPS=10000 # round trips of pipes
readonly MOVES=2000 FORKS=2000
readonly ATTACH_S=60 # guest seconds that bpftrace may take to begin

seed=$1
shift
last=$(($(cpus) - 1))
recorder=''

# perf_pipe COMMAND...: ns that perf says its round trips took, without its start.
perf_pipe() { "$@" perf bench sched pipe -l $LOOPS | awk -v n=$LOOPS '/usecs\/op/ { printf "%.0f\n", $1 * 1000 * n }'; }

switches() { awk '/^ctxt/ { print $2 }' /proc/stat; }

# counted FILE COLUMN [LABEL VALUE]: as JSON.
counted() {
	[ -d $FILES ] && sum "$@" | sed 's/-/null/' || echo null
}

# measure MODE WORKLOAD COMMAND...
measure() {
	mode=$1 workload=$2
	shift 2
	[ ! -d $FILES ] || control mark
	before=$(switches)
	ns=$("$@" 2>/run/error) || die "$mode, $workload: $(tail -n 1 /run/error)"
	[ -n "$ns" ] || die "$mode, $workload: no time"
	after=$(switches)
	migrations=null
	[ ! -d $FILES ] || [ "$mode" = off ] || [ "$mode" = lb ] || migrations=$(migrations)
	# A kernel without passes shows no rows, which would add up to 0.
	passes=null
	[ "$mode" != lb ] && [ "$mode" != all ] || passes=$(counted lb calls)
	[ "$mode" = warm ] || say "cost {\"mode\":\"$mode\",\"workload\":\"$workload\",\"ns\":$ns,\"switches\":$((after - before))," \
		"\"migrations\":$migrations,\"wakeups\":$(counted place total kind wake),\"forks\":$(counted place total kind fork)," \
		"\"passes\":$passes,\"newidle\":$(counted newidle tries)}"
}

# workloads MODE: those that people know, and those whose events are known.
workloads() {
	# shellcheck disable=SC2086 # the recorder is a command with arguments, or nothing
	{
		measure "$1" pipe perf_pipe $recorder
		measure "$1" hackbench $recorder cost time hackbench -g 2 -l 100
		measure "$1" hackbench_one_cpu $recorder cost time taskset -c "$last" hackbench -g 1 -l 50
		measure "$1" pipe_one_cpu perf_pipe $recorder taskset -c "$last"
		measure "$1" pipe_two_cpus $recorder cost pipe $LOOPS $((last - 1)) "$last"
		measure "$1" move $recorder cost move $MOVES $((last - 1)) "$last"
		measure "$1" fork $recorder cost fork $FORKS "$last"
	}
}

with_module() { # with_module MODE PARAMETERS...
	mode=$1
	shift
	load "$@"
	workloads "$mode"
	unload
}

# with_bpftrace MODE PROBES PROGRAM: PROBES is how many it attaches.
with_bpftrace() {
	bpftrace -e "$3" >/run/bpftrace 2>&1 &
	tracer=$!
	tries=0
	# shellcheck disable=SC2010,SC2012 # busybox readlink takes one file only
	while [ "$(ls -l /proc/$tracer/fd | grep -c perf_event)" -lt "$2" ]; do
		tries=$((tries + 1))
		[ $tries -lt $((ATTACH_S * 10)) ] || kill -9 $tracer
		kill -0 $tracer 2>/dev/null || die "bpftrace: $(grep . /run/bpftrace | tr '\n' ' ')"
		sleep 0.1
	done
	(workloads "$1") || code=$?
	kill -INT $tracer
	wait $tracer && [ "${code:-0}" = 0 ] || die "bpftrace ended with $?: $(tail -n 1 /run/bpftrace)"
	# What it prints at its end is what it counted.
	grep -q '^@' /run/bpftrace || die "bpftrace counted nothing: $(tail -n 1 /run/bpftrace)"
	say "$1: $(grep '^@' /run/bpftrace | head -n 3 | tr '\n' ' ')"
}

# shellcheck disable=SC2016 # bpftrace's variables
{
	# By destination, and by source and destination: without a reason.
	bpf_0='tracepoint:sched:sched_migrate_task { @to[args->dest_cpu] = count(); @way[args->orig_cpu, args->dest_cpu] = count(); }
		tracepoint:sched:sched_wakeup_new { @fork[cpu] = count(); }'
	# By CPU that wakes and by whether the task stays: without the state of the chosen CPU.
	bpf_1='tracepoint:sched:sched_waking { @wake[cpu, args->target_cpu == cpu] = count(); }'
	# runqlat of bpftrace's own tools, which is waitlat without placement and distance. No waste.
	bpf_2='tracepoint:sched:sched_wakeup { @since[args->pid] = nsecs; }
		tracepoint:sched:sched_switch {
			if (args->prev_state == 0) { @since[args->prev_pid] = nsecs; }
			$since = @since[args->next_pid];
			if ($since) { @wait_ns = hist(nsecs - $since); }
			delete(@since[args->next_pid]);
		}'
	# By CPU and outcome, and time: without domain and idle type. bpftrace cannot attach to
	# newidle_balance(), which the module's probes include.
	bpf_lb='kprobe:load_balance { @start[tid] = nsecs; }
		kretprobe:load_balance /@start[tid]/ {
			@passes[cpu, retval > 0] = count(); @time_ns[cpu] = sum(nsecs - @start[tid]); delete(@start[tid]);
		}'
}

test_none() {
	workloads warm
	workloads none
}
test_again() { workloads again; }
test_off() { with_module off level=off lb=0; }
test_0() { with_module 0 level=0 lb=0; }
test_1() { with_module 1 level=1 lb=0; }
test_2() { with_module 2 level=2 lb=0; }
test_lb() { with_module lb level=off lb=1; }
test_all() { with_module all level=2 lb=1; }
test_bpf_0() { with_bpftrace bpf_0 2 "$bpf_0"; }
test_bpf_1() { with_bpftrace bpf_1 3 "$bpf_0 $bpf_1"; }
test_bpf_2() { with_bpftrace bpf_2 5 "$bpf_0 $bpf_1 $bpf_2"; }
test_bpf_lb() { with_bpftrace bpf_lb 2 "$bpf_lb"; }
test_perf() {
	recorder='perf sched record -o /run/perf.data --'
	workloads perf
	say "perf: $(tail -n 1 /run/error)"
}

# Another seed is another phase of the tick: another schedule.
usleep $((seed * 271))
run_tests "$@"
