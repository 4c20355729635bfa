#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# In the guest: is waste what it says? Load balancing is switched off, so that
# tasks stay where they are put and the number of wasted CPUs is known.
. "$(dirname "$0")/lib.sh"

readonly SPAN=2000 # ms that the tasks spin

# The test itself must not wait, nor may the kernel's threads: it would be waste.
settle
ALL=$(printf %x "$(((1 << $(cpus)) - 1))")

balancing() { # balancing 0|1
	mkdir -p /run/cpuset
	[ -e /run/cpuset/cpuset.sched_load_balance ] || [ -e /run/cpuset/sched_load_balance ] ||
		mount -t cgroup -o cpuset cpuset /run/cpuset 2>/dev/null || skip "no cpuset (cgroup v1)"
	for file in /run/cpuset/cpuset.sched_load_balance /run/cpuset/sched_load_balance; do
		[ ! -e $file ] || echo "$1" >$file
	done
}

# wasted TASKS MASK: CPUs wasted while that many tasks are queued on CPU 0 and may
# run on MASK: ns of waste by ns of the middle of the run.
measure() {
	load level=2 lb=0
	balancing 0
	work herd "$1" "$SPAN" 0 "$2" &
	sleep 0.4
	control mark
	sleep 1
	cat $FILES/waste >/run/waste
	wait
	sleep 0.1
	cat $FILES/waste >/run/waste.end
	balancing 1
	unload
}

# wasted NODE COLUMN: of the measurement.
wasted() {
	awk -v node="$1" -v column="$2" '
		NR == 2 { for (i = 1; i <= NF; i++) at[$i] = i }
		$1 == node { printf "%.0f\n", $at[column] }' FS='\t' /run/waste
}

# expect TASKS MASK CPUS: that many CPUs are wasted, within 2 %.
expect() {
	measure "$1" "$2"
	any=$(wasted all any_ns) ns=$(wasted all idle_with_queue_ns)
	say "$1 tasks on CPU 0, mask $2: $(awk -v n="$ns" 'BEGIN { print n / 1e9 }') CPU s wasted, any $(awk -v n="$any" 'BEGIN { print n / 1e9 }') s"
	if [ "$3" = 0 ]; then
		[ "$ns" -lt 10000000 ] || die "$ns ns of waste, expected none"
		return
	fi
	near "$any" 1000000000 2 || die "any_ns is $any of about a second"
	near "$ns" "$((any * $3))" 2 || die "$ns ns of waste in $any ns, expected $3 CPUs"
}

test_one_waits() { expect 2 ff 1; }
test_three_wait() { expect 4 ff 3; }
test_pinned_do_not_count() { expect 4 1 0; }
test_two_cpus_allowed() { expect 4 3 1; }
test_half_allowed() { expect 9 f 3; }

test_episodes() {
	measure 3 ff
	[ "$(wasted all episodes_100ms)" = 0 ] || die "an episode ended while it went on"
	cp /run/waste.end /run/waste
	say "episodes: $(wasted all episodes_10ms), $(wasted all episodes_100ms) of 100 ms"
	[ "$(wasted all episodes_10ms)" = 1 ] || die "$(wasted all episodes_10ms) episodes of one stretch"
	[ "$(wasted all episodes_100ms)" = 1 ] || die "$(wasted all episodes_100ms) episodes of 100 ms"
}

test_nodes() {
	[ -d /sys/devices/system/node/node1 ] || skip "needs 2 NUMA nodes"
	measure 6 ff
	any=$(wasted all any_ns)
	say "6 tasks on CPU 0: node 0 $(wasted 0 same_node_ns) same, node 1 $(wasted 1 cross_node_ns) cross, all $(wasted all same_node_ns) same $(wasted all cross_node_ns) cross of $any"
	near "$(wasted all same_node_ns)" "$((any * 3))" 2 || die "node 0 has 3 idle CPUs"
	near "$(wasted all cross_node_ns)" "$((any * 2))" 2 || die "2 tasks are left for node 1"
	near "$(wasted 1 cross_node_ns)" "$((any * 4))" 2 || die "node 1 has 4 idle CPUs for 5 tasks"
}

test_balanced_is_no_waste() {
	load level=2 lb=0
	taskset "$ALL" work spin "$(cpus)" 2500 &
	sleep 1
	control mark
	sleep 1
	ns=$(awk '$1 == "all" { print $2 }' FS='\t' $FILES/waste)
	wait
	unload
	say "a task a CPU: $ns ns"
	[ "$ns" -lt 50000000 ] || die "$ns ns of waste"
}

test_wait_latency() {
	load level=2 lb=0
	control mark
	taskset "$ALL" work pipe 2 500
	waits=$(awk 'NR > 2 { for (i = 3; i <= NF; i++) t += $i } END { print t }' FS='\t' $FILES/waitlat)
	say "$waits waits"
	[ "$(sum place onto_idle kind wake)" != - ] || die "onto_idle absent at level 2"
	say "wake-ups onto idle $(sum place onto_idle kind wake), onto busy $(sum place onto_busy kind wake), of these with an idle LLC $(sum place busy_while_llc_idle kind wake)"
	unload
	[ "$waits" -gt 100 ] || die "$waits waits"
}

# watch NAME: a trace of its own of what retrace needs.
watch() {
	mkdir -p "$TRACE/instances/$1"
	echo 0 >"$TRACE/instances/$1/tracing_on"
	echo perf >"$TRACE/instances/$1/trace_clock"
	echo 4096 >"$TRACE/instances/$1/buffer_size_kb"
	for event in sched_switch sched_wakeup sched_wakeup_new sched_migrate_task; do
		echo 1 >"$TRACE/instances/$1/events/sched/$event/enable"
	done
	echo 1 >"$TRACE/instances/$1/tracing_on"
}

# retraced NAME FROM TO: the waste by that trace, which ends here.
retraced() {
	cat "$TRACE/instances/$1/trace" >/run/trace
	[ "$(awk '/^overrun:/ { t += $2 } END { print t }' "$TRACE/instances/$1"/per_cpu/cpu*/stats)" = 0 ] ||
		die "the trace lost events"
	rmdir "$TRACE/instances/$1"
	retrace /run/trace "$2" "$3" work
	rm /run/trace
}

# agrees COMMAND...: waste of 3 s of it, also worked out from traces. A guest's CPU may
# stand still between two observers of one event while the others run, so one trace
# sees each event before the module and one after it; their mean is compared.
agrees() {
	tracing
	watch before
	load level=2 lb=0
	watch after
	taskset "$ALL" "$@" &
	sleep 0.5
	control mark
	sleep 3
	cat $FILES/waste >/run/waste
	cat $FILES/info >/run/info
	for name in before after; do echo 0 >"$TRACE/instances/$name/tracing_on"; done
	wait
	unload
	to=$(head -n 1 /run/waste | sed 's/.* t_ns=\([0-9]*\) .*/\1/')
	from=$(awk 'NR == 1 { sub(/.* t_ns=/, ""); t = $1 } NR == 3 { printf "%.0f\n", t - $NF }' /run/info)
	before=$(retraced before "$from" "$to") || die "$before"
	after=$(retraced after "$from" "$to") || die "$after"
	ours=$(wasted all idle_with_queue_ns)
	say "$*: $ours ns of waste in $((to - from)) ns; from the traces $before and $after ns"
	near "$ours" "$(((before + after) / 2))" 1 ||
		die "$ours ns of waste, $before and $after ns from the traces"
}

test_agrees_with_trace() { agrees work nap $(($(cpus) * 7 / 4)) 4500; }

test_agrees_with_trace_unbalanced() {
	balancing 0
	agrees work nap 12 4500
	balancing 1
}

# Tasks come and go and change their affinity.
test_agrees_with_trace_churn() { agrees work churn "$(cpus)" 4500; }

run_tests one_waits three_wait pinned_do_not_count two_cpus_allowed half_allowed episodes nodes \
	balanced_is_no_waste wait_latency agrees_with_trace agrees_with_trace_unbalanced \
	agrees_with_trace_churn
