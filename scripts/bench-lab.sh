#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: bench-lab.sh [builds] [guests]
#
# Measures the lab itself: how long kernels take to build (builds), and for boxes
# of 8 to 160 CPUs how long a guest takes to boot, how many host seconds one
# guest second costs with every CPU busy (in fast mode they are the same clock), and the memory QEMU takes (guests).
# Default: both. Prints tables; the numbers are in build/bench/*.json.
. "$(dirname "$0")/lib.sh"

: "${BASE:=v6.1}"

# box CPUS MODE: a topology file with nodes of 8 CPUs.
box() {
	local file=$out/box-$1.conf
	printf 'arch = x86_64\nmode = %s\nmemory = 4096\nsockets = %d\ncores = 8\nnodes = %d\n' \
		"$2" $(($1 / 8)) $(($1 / 8)) >"$file"
	echo "$file"
}

now_ms() { date +%s%3N; }

# watch_guest DIR: prints the host time of "Run /init" and QEMU's peak memory in MiB.
watch_guest() {
	local booted='' peak=0 pid memory
	while [[ $(cat "$1/verdict" 2>/dev/null) == "not run" || ! -e $1/verdict ]]; do
		sleep 0.05
		[[ -n $booted ]] || ! grep -q 'Run /init' "$1/console" 2>/dev/null || booted=$(now_ms)
		pid=$(pgrep -f "file:$1/console" | head -n 1) || continue
		memory=$(awk '/^VmHWM/ { print int($2 / 1024) }' "/proc/$pid/status" 2>/dev/null) || continue
		((${memory:-0} <= peak)) || peak=$memory
	done
	echo "${booted:-0} $peak"
}

guest_time() { sed -n "s/^\[ *\([0-9.]*\)\] $1.*/\1/p" "$2" | head -n 1; }

measure_guest() {
	local cpus=$1 mode=$2 dir=$out/guest-$1 start end booted peak init off
	rm -rf "$dir"
	start=$(now_ms)
	"$ROOT/scripts/boot.sh" --kernel "$kernel" --initramfs "$BUILD/initramfs-x86_64.cpio" \
		--topology "$(box "$cpus" "$mode")" --out "$dir" --timeout 3000 \
		--test "even_spread --case full --seconds 4" >&2 &
	read -r booted peak < <(watch_guest "$dir")
	wait $! || true
	end=$(now_ms)
	init=$(guest_time 'Run .init' "$dir/console") off=$(guest_time 'reboot: Power down' "$dir/console")
	awk -v c="$cpus" -v m="$mode" -v s="$start" -v b="$booted" -v e="$end" -v i="$init" -v o="$off" -v p="$peak" 'BEGIN {
		printf "{\"cpus\":%d,\"mode\":\"%s\",\"boot_host_s\":%.1f,\"boot_guest_s\":%.2f,", c, m, (b - s) / 1000, i
		ratio = m == "fast" ? "null" : sprintf("%.2f", (e - b) / 1000 / (o - i))
		printf "\"host_s_per_guest_s\":%s,\"total_host_s\":%.1f,\"peak_mib\":%d}\n", ratio, (e - s) / 1000, p }'
}

bench_guests() {
	local cpus
	kernel=$("$ROOT/scripts/build-kernel.sh" "$BASE" 0)
	"$ROOT/scripts/build-initramfs.sh" >/dev/null
	"$ROOT/scripts/build-tools.sh"
	{
		for cpus in 8 16 32 64; do measure_guest "$cpus" replay; done
		measure_guest 160 fast
	} >"$out/guests.json"
	echo "CPUs  mode    boot, host s  boot, guest s  host s a guest s  whole run, host s  QEMU peak MiB"
	sed 's/[{}"]//g; s/[a-z_]*://g' "$out/guests.json" | awk -F, '{
		printf "%4d  %-6s  %12s  %13s  %16s  %17s  %13s\n", $1, $2, $3, $4, $5, $6, $7 }'
}

# timed_build BUILD-FOLDER ARGS...: seconds of one build in a folder of its own.
timed_build() {
	local start=$SECONDS folder=$1
	shift
	BUILD=$folder CFSLB_LOCKED='' "$ROOT/scripts/build-kernel.sh" "$@" >/dev/null
	echo $((SECONDS - start))
}

bench_builds() {
	local folder=$out/build base patched arm
	rm -rf "$folder"
	base=$(timed_build "$folder" "$BASE" 0)
	patched=$(timed_build "$folder" "$BASE")
	arm=$(timed_build "$folder" "$BASE" 0 arm64)
	rm -rf "$folder"
	echo "{\"base_s\":$base,\"patched_after_base_s\":$patched,\"arm64_s\":$arm,\"jobs\":$JOBS}" >"$out/builds.json"
	echo "kernel build, $JOBS jobs: base $base s (with unpacking), patched after it $patched s, arm64 $arm s"
}

main() {
	local out=$BUILD/bench kernel part
	for part in "$@"; do
		[[ $part == builds || $part == guests ]] || bad "unknown part '$part': builds, guests"
	done
	take_lock
	mkdir -p "$out"
	[[ $# != 0 && " $* " != *" builds "* ]] || bench_builds
	[[ $# != 0 && " $* " != *" guests "* ]] || bench_guests
}

main "$@"
