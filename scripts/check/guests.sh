# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Checks that boot guests: the lab's own tests, topologies, repeatability, drivers. Sourced.

: "${check_dir:?}" "${core_drivers:?}"

# boot ARCH STEP ARGS...: boot.sh with a kernel and initramfs of the default base.
boot() {
	local arch=$1 step=$2
	shift 2
	"$ROOT/scripts/boot.sh" --kernel "$("$ROOT/scripts/build-kernel.sh" "$BASE" "$step" "$arch")" \
		--initramfs "$BUILD/initramfs-$arch.cpio" "$@"
}

# ends_with CODE COMMAND...: for guests, whose verdict is on their own line.
ends_with() {
	local code=0 wanted=$1
	shift
	"$@" || code=$?
	((code == wanted)) || {
		echo "expected exit code $wanted, got $code"
		return 1
	}
}

# harness MODE CODE ARGS...: a guest that goes wrong in one way ends in that way's code.
harness() {
	local mode=$1 code=$2
	shift 2
	later "lab: a guest that does '$mode' ends in $code" ends_with "$code" boot x86_64 0 \
		--topology "$ROOT/scripts/check/uma-2.conf" --out "$check_dir/harness-${mode%% *}" \
		--test "harness_probe $mode" "$@"
}

run_harness() {
	harness pass 0
	harness fail "$EXIT_FAIL"
	harness skip "$EXIT_SKIP"
	harness hang "$EXIT_TIMEOUT" --timeout 30 --limit 9000
	harness panic "$EXIT_PANIC"
	harness silent "$EXIT_SILENT"
	harness noplan "$EXIT_PLAN"
	harness shortplan "$EXIT_PLAN"
	harness "cutoff /dev/ttyS1" "$EXIT_CUT"
}

# A driver that takes longer than its limit is a failure of that driver, not a hang of the guest.
driver_timeout() {
	ends_with "$EXIT_FAIL" boot x86_64 0 --topology "$ROOT/scripts/check/uma-2.conf" \
		--out "$check_dir/driver-timeout" --test "harness_probe hang" --limit 3
	grep -q 'exit=124' "$check_dir/driver-timeout/results.ktap"
}

topology() {
	local arch=x86_64
	! grep -q '^arch *= *arm64' "$ROOT/scripts/topologies/$1.conf" || arch=arm64
	boot "$arch" 0 --topology "$1" --out "$check_dir/topology-$1" --test topology
}

run_topologies() {
	local file
	for file in "$ROOT"/scripts/topologies/*.conf; do
		file=$(basename "$file" .conf)
		later "topology: the kernel sees $file as described" topology "$file"
	done
}

one_run() {
	boot x86_64 all --topology numa-4x4 --seed 7 --out "$1" --test "local_group_imbalance --seconds 2"
}

# The same scenario, kernel and seed: the same bytes, also beside two busy loops.
repeatable() {
	one_run "$check_dir/repeat-1" && one_run "$check_dir/repeat-2" && same 1 2
}

repeatable_under_load() {
	local loops=() code=0
	(while :; do :; done) & loops+=($!)
	(while :; do :; done) & loops+=($!)
	one_run "$check_dir/repeat-3" || code=$?
	kill "${loops[@]}"
	((code == 0)) && same 1 3
}

same() {
	cmp "$check_dir/repeat-$1/results" "$check_dir/repeat-$2/results"
	cmp "$check_dir/repeat-$1/console" "$check_dir/repeat-$2/console"
	[[ -s $check_dir/repeat-$1/results.jsonl ]]
}

# What the module counted while the driver ran is in its results.
counted() {
	jq -se 'map(select(.type == "counters")) | length == 1 and .[0].driver == "local_group_imbalance" and
		(.[0].migrations | add) > 0 and .[0].waste_ns >= 0' "$check_dir/repeat-1/results.jsonl"
}

# Another seed must give another schedule, or the seeds prove nothing.
seeds_differ() {
	! cmp -s "$check_dir/drivers-all/seed-1/results" "$check_dir/drivers-all/seed-2/results"
}

# interrupted: Ctrl-C leaves no QEMU behind.
interrupted() {
	local out=$check_dir/interrupted pid code=0
	rm -rf "$out"
	# A job in the background would have SIGINT ignored.
	env --default-signal=INT setsid "$ROOT/scripts/boot.sh" --kernel "$("$ROOT/scripts/build-kernel.sh" "$BASE" 0)" \
		--initramfs "$BUILD/initramfs-x86_64.cpio" --topology "$ROOT/scripts/check/uma-2.conf" \
		--out "$out" --test "harness_probe hang" --limit 9000 &
	pid=$!
	for _ in $(seq 100); do
		[[ ! -s $out/console ]] || break
		sleep 0.2
	done
	pgrep -f "file:$out/console" >/dev/null || {
		echo "the guest did not start"
		kill -TERM -- "-$pid"
		return 1
	}
	kill -INT -- "-$pid"
	wait "$pid" || code=$?
	((code == 130)) || { echo "expected exit code 130, got $code"; return 1; }
	for _ in $(seq 25); do # it was killed; the kernel needs a moment to take it away
		pgrep -f "file:$out/console" >/dev/null || return 0
		sleep 0.2
	done
	echo "QEMU is still there"
	return 1
}

# can_fail: with load balancing switched off in the guest, every driver says so.
can_fail() {
	local driver tests=() out=$check_dir/no-balance
	for driver in "${core_drivers[@]}"; do
		tests+=(--test "no_balance.sh $driver --seconds 4")
	done
	ends_with "$EXIT_FAIL" boot x86_64 0 --topology smt-2x2x2 --out "$out" "${tests[@]}"
	[[ $(grep -c '^not ok .*exit=1$' "$out/results.ktap") == "${#core_drivers[@]}" ]] ||
		{ cat "$out/results.ktap"; return 1; }
}

# stress: the series under churn of all that the balancer reads; and the same with a fault in the log.
stress() {
	boot x86_64 all --topology smt-2x2x2 --out "$check_dir/stress" --test "stress --seconds 1"
	ends_with "$EXIT_FAIL" boot x86_64 all --topology "$ROOT/scripts/check/uma-2.conf" --out "$check_dir/stress-fault" \
		--test "kmsg_fault.sh stress --case affinity --seconds 2"
	grep -q 'kernel: BUG: injected' "$check_dir/stress-fault/results.ktap"
}

# drivers STEP EXPECT [DRIVER...]: these, or every placement driver, on the default box, three seeds.
drivers() {
	EXPECT=$2 PARALLEL=1 SEEDS="1 2 3" "$ROOT/scripts/run-tests.sh" "$BASE" "$1" numa-4x4 "$check_dir/drivers-$1" "${@:3}"
}

run_drivers() {
	local open=$ROOT/patches/$BASE/known-open
	[[ -f $open ]] || open=''
	later "drivers: $BASE as it is fails exactly what it is known to fail" \
		drivers 0 "$ROOT/patches/$BASE/known-failures" "${core_drivers[@]}" balance_interval
	later "drivers: $BASE with the series fails nothing, or with some schedules what is known to be open" drivers all "$open"
}

# cgroup_v1: the drivers find and use the old cpu controller too.
cgroup_v1() {
	local out=$check_dir/cgroup-v1
	boot x86_64 0 --topology numa-2x4 --cgroup v1 --out "$out" --test "cgroup_spread --seconds 2"
	! grep -q SKIP "$out/results.ktap" || { cat "$out/results.ktap"; return 1; }
}

run_guests() {
	run_harness
	later "lab: a driver over its time limit fails alone" driver_timeout
	later "lab: Ctrl-C leaves no guest behind" interrupted
	run_drivers
	later "drivers: each one fails without load balancing" can_fail
	later "drivers: cgroup_spread runs with cgroup v1" cgroup_v1
	later "drivers: the kernel stays quiet under stress, and a fault shows" stress
	run_topologies
	later "lab: the same run twice gives the same bytes" repeatable
	settle
	check "lab: the same bytes beside two busy loops" repeatable_under_load
	check "lab: another seed is another schedule" seeds_differ
	check "lab: what the module counts is in the results" counted
}
