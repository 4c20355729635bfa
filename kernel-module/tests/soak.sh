#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# In the guest, for kernels with checkers above all: the module is loaded, used and
# unloaded while the machine works and changes. The kernel's log must stay quiet, and
# nothing may be left: no folder, no probe, no memory (kmemleak).
#
# Seen failing: a module that loses 100 bytes a load: "leaks" reports an unreferenced object
# of insmod's for each of 3 cycles (6.1 with kmemleak); a module that leaves its hotplug
# state behind makes the guest panic in the first cycle, where the state's list is read (6.1,
# uma-8, "soak 3 0 0").
#
# Usage: soak.sh [CYCLES [ROUNDS [FAULTS [STRIDE [FIRST]]]]]: loads and unloads under load,
# rounds of CPU hotplug and of cpuset churn, at most FAULTS loads with an allocation that
# fails: every STRIDE-th from FIRST on. CYCLES or ROUNDS 0: without
. "$(dirname "$0")/lib.sh"

readonly CYCLES="${1:-200}" ROUNDS="${2:-20}" FAULTS="${3:-900}"
readonly STRIDE="${4:-1}" FIRST="${5:-1}"

readonly SPLATS='BUG: |WARNING: |UBSAN: |INFO: possible|INFO: task |INFO: rcu|rcu: INFO:|suspicious RCU usage|inconsistent lock state|general protection fault|unable to handle|blocked for more than'

# busy: work that wakes, sleeps, forks and migrates, until idle. Little enough that the
# test itself gets on where all CPUs of the guest share one of the host.
busy() {
	work pipe 2 600000 &
	work nap 3 600000 &
	work churn 1 600000 &
}

# The children die with their parents (PR_SET_PDEATHSIG).
idle() {
	killall -q -9 work
	wait
}

# quiet: nothing was reported since the mark in the log.
mark_log() { echo "<3>cfslb soak: $1" >/dev/kmsg; }
quiet() {
	dmesg | awk -v mark="cfslb soak: $1" 'index($0, mark) { n = NR; delete line } { line[NR] = $0 }
		END { for (i = n; i <= NR; i++) print line[i] }' | grep -E "$SPLATS" >/run/splats || return 0
	sed 's/^/# /' /run/splats
	die "the kernel reports: $(head -n 1 /run/splats)"
}

# leaks: two scans, since an object may be on its way at the first.
no_leaks() {
	[ -w /sys/kernel/debug/kmemleak ] || return 0
	for _ in 1 2; do
		echo scan >/sys/kernel/debug/kmemleak
		sleep 6 # kmemleak: younger objects are not reported (5 s)
	done
	echo scan >/sys/kernel/debug/kmemleak
	cat /sys/kernel/debug/kmemleak >/run/leaks
	[ -s /run/leaks ] || return 0
	head -n 20 /run/leaks | sed 's/^/# /'
	die "kmemleak: $(head -n 1 /run/leaks)"
}

# gone: nothing of the module is left.
gone() {
	[ ! -e $FILES ] || die "$1: the folder stays"
	[ ! -d /sys/module/cfslb ] || die "$1: the module stays"
	! grep -q '^cfslb ' /proc/modules || die "$1: the module is listed"
	[ ! -r /sys/kernel/debug/kprobes/list ] || [ ! -s /sys/kernel/debug/kprobes/list ] || die "$1: $(head -n 1 /sys/kernel/debug/kprobes/list)"
	! grep -q 'cfslb:online' /sys/devices/system/cpu/hotplug/states || die "$1: a hotplug state stays"
}

# soak NAME: before a test; done_soaking NAME: after it.
soak() {
	mark_log "$1"
	gone "before"
}

done_soaking() {
	idle
	gone "$1"
	quiet "$1"
}

test_cycles() {
	[ "$CYCLES" -gt 0 ] || skip "not asked for"
	soak cycles
	busy
	for i in $(seq "$CYCLES"); do
		load "level=$((i % 3))" "lb=$((i % 2))"
		control "level 2"
		[ $((i % 4)) != 0 ] || control "lb on"
		cat $FILES/snapshot >/dev/null
		[ $((i % 3)) != 0 ] || control "level off"
		unload
	done
	say "$CYCLES cycles"
	done_soaking cycles
}

test_hotplug() {
	[ "$ROUNDS" -gt 0 ] || skip "not asked for"
	[ -w /sys/devices/system/cpu/cpu1/online ] || skip "CPU 1 cannot go offline"
	soak hotplug
	busy
	load level=2 lb=1
	for i in $(seq "$ROUNDS"); do
		cpu=$((i % ($(cpus) - 1) + 1))
		echo 0 >/sys/devices/system/cpu/cpu$cpu/online 2>/dev/null || say "CPU $cpu stays"
		cat $FILES/waste $FILES/lb $FILES/snapshot >/dev/null
		[ $((i % 5)) != 0 ] || control mark
		[ $((i % 7)) != 0 ] || { control "level 0" && control "level 2"; }
		echo 1 >/sys/devices/system/cpu/cpu$cpu/online 2>/dev/null || true
	done
	say "$ROUNDS times offline and online:$(reasons)"
	unload
	done_soaking hotplug
}

# Domains are built anew, up and down, while the balancer's probes count in them.
test_domain_rebuilds() {
	[ "$ROUNDS" -gt 0 ] || skip "not asked for"
	mkdir -p /run/cpuset
	mount -t cgroup -o cpuset cpuset /run/cpuset 2>/dev/null || [ -e /run/cpuset/cgroup.procs ] || skip "no cpuset (cgroup v1)"
	p=cpuset.
	[ -e /run/cpuset/cpuset.cpus ] || p=
	soak rebuilds
	busy
	load level=2 lb=1
	half=$(($(cpus) / 2))
	for _ in $(seq "$ROUNDS"); do
		mkdir -p /run/cpuset/a /run/cpuset/b
		echo "0-$((half - 1))" >/run/cpuset/a/${p}cpus
		echo "$half-$(($(cpus) - 1))" >/run/cpuset/b/${p}cpus
		echo 0 >/run/cpuset/${p}sched_load_balance
		cat $FILES/lb $FILES/info >/dev/null
		echo 0 >/run/cpuset/a/${p}sched_load_balance
		cat $FILES/snapshot >/dev/null
		echo 1 >/run/cpuset/${p}sched_load_balance
		rmdir /run/cpuset/a /run/cpuset/b
	done
	passes=$(sum lb calls)
	say "$ROUNDS rebuilds, $passes passes"
	unload
	umount /run/cpuset
	done_soaking rebuilds
	[ "$passes" -gt 0 ] || die "no pass was counted"
}

# arm: allocations that may sleep, of any size, can fail where a task asks for it.
arm() {
	for name in failslab fail_page_alloc; do
		dir=/sys/kernel/debug/$name
		[ -d $dir ] || skip "no $name (CONFIG_FAULT_INJECTION)"
		echo 0 >$dir/ignore-gfp-wait
		echo 0 >$dir/verbose
		[ ! -e $dir/min-order ] || echo 0 >$dir/min-order
	done
}

# The Nth allocation of a load fails, for one N after the other until a load has no more
# than that: an error path each. Some failures are survived. With a stride what lies between
# stays untried.
test_out_of_memory() {
	[ "$FAULTS" -gt 0 ] || skip "not asked for"
	arm
	soak memory
	failed=0 survived=0 nth=$FIRST left=0
	while [ "$left" = 0 ] && [ $((failed + survived)) -lt "$FAULTS" ]; do
		# For who looks at the console of a guest that crashed, or takes its time.
		[ $(((failed + survived) % 10)) != 0 ] || mark_log "allocation $nth"
		got=$(look fail "$nth" "$KO" "level=2 lb=1") || die "cannot make allocation $nth fail"
		left=${got#* } error=${got% *}
		if [ "$error" = 0 ]; then
			rmmod cfslb || die "rmmod failed"
			[ "$left" != 0 ] || survived=$((survived + 1))
		else
			failed=$((failed + 1))
			[ "$left" = 0 ] || die "a load fails by itself: errno $error"
			[ "$error" = 12 ] || echo "$error" >>/run/errors
		fi
		gone "allocation $nth, errno $error"
		nth=$((nth + STRIDE))
	done
	say "below $nth $((failed + survived)) allocations failed, one a load: $failed loads failed, $survived did not"
	[ ! -e /run/errors ] || say "errors but ENOMEM: $(sort /run/errors | uniq -c | tr -s '\n ' ' ')"
	done_soaking memory
	[ "$failed" -gt 0 ] || die "no load failed"
}

test_leaks() {
	[ -w /sys/kernel/debug/kmemleak ] || skip "no kmemleak in this kernel"
	no_leaks
	quiet leaks
}

run_tests cycles hotplug domain_rebuilds out_of_memory leaks
