#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: run-tests.sh BASE STEP TOPOLOGY OUT [DRIVER...]
#
# Boots BASE with the first STEP patches ("all": the whole series) on TOPOLOGY
# once a seed and runs the drivers (default: every placement driver). The
# results of seed N are in OUT/seed-N. Ends with the worst exit code.
#
# SEEDS="1 2 3"   replay seeds
# EXPECT=FILE     cases that are known to fail, one "driver/case" a line
# PARALLEL=2      guests at a time (each takes one host core in replay mode)
# SECONDS_PER_CASE=4 (14 on more than 32 CPUs, which take longer to settle)
# TIMEOUT=900 (host seconds; 3600 there), CGROUP=v2
. "$(dirname "$0")/lib.sh"
. "$ROOT/scripts/topology.sh"

: "${SEEDS:=1 2 3}"
: "${EXPECT:=}"
: "${PARALLEL:=$JOBS}"
: "${SECONDS_PER_CASE:=}"
: "${TIMEOUT:=}"
: "${CGROUP:=v2}"

# all_drivers: the drivers that judge placement, in the order of selftests/Makefile.
all_drivers() { make -s -C "$ROOT/selftests" list-placement; }

boot_seed() {
	local seed=$1 driver arguments=()
	for driver in "${drivers[@]}"; do
		arguments+=(--test "$driver --seconds $SECONDS_PER_CASE")
	done
	[[ -z $EXPECT ]] || arguments+=(--expect "$EXPECT")
	# exec: the job that stop_guests kills is boot.sh itself.
	exec "$ROOT/scripts/boot.sh" --kernel "$kernel" --initramfs "$initramfs" --topology "$topology" \
		--seed "$seed" --out "$out/seed-$seed" --timeout "$TIMEOUT" --cgroup "$CGROUP" "${arguments[@]}"
}

# reap: waits for one guest; the worst code counts.
reap() {
	local code=0
	wait -n || code=$?
	((code <= worst)) || worst=$code
	running=$((running - 1))
}

# boot_all: PARALLEL guests at a time. No command substitution in here: see progress in boot.sh.
boot_all() {
	local seed running=0 worst=0
	for seed in $SEEDS; do
		((running < PARALLEL)) || reap
		boot_seed "$seed" &
		running=$((running + 1))
	done
	while ((running)); do reap; done
	return "$worst"
}

stop_guests() {
	local pids
	mapfile -t pids < <(jobs -rp)
	((${#pids[@]} == 0)) || kill "${pids[@]}" 2>/dev/null || true
}

main() {
	(($# >= 4)) || bad "usage: run-tests.sh BASE STEP TOPOLOGY OUT [DRIVER...]"
	local base=$1 step=$2 topology=$3 out=$4 kernel initramfs drivers seed file
	drivers=("${@:5}")
	check_base "$base"
	file=$(topology_file "$topology")
	read_topology "$file"
	: "${SECONDS_PER_CASE:=$((topo_cpus > 32 ? 14 : 4))}" "${TIMEOUT:=$((topo_cpus > 32 ? 3600 : 900))}"
	for seed in $SEEDS; do
		[[ $seed =~ ^[1-9][0-9]*$ ]] || bad "SEEDS='$SEEDS' must be positive numbers"
	done
	((${#drivers[@]})) || mapfile -t drivers < <(all_drivers)
	take_lock
	[[ $step != all ]] || step=$(series_patches "$base" | wc -l)
	kernel=$("$ROOT/scripts/build-kernel.sh" "$base" "$step" "$topo_arch")
	initramfs=$("$ROOT/scripts/build-initramfs.sh" "$topo_arch")
	for driver in "${drivers[@]}"; do
		[[ -x $BUILD/selftests/$topo_arch/$driver ]] ||
			bad "unknown driver '$driver': there are $(all_drivers | tr '\n' ' ')"
	done
	[[ -x $BUILD/tools/lbverdict ]] || "$ROOT/scripts/build-tools.sh"
	trap stop_guests EXIT
	trap 'exit 130' INT TERM
	rm -rf "$out"
	mkdir -p "$out"
	boot_all || exit $?
}

main "$@"
