#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: workloads.sh
#
# Runs what people run - hackbench, cyclictest, stress-ng, dbench, sysbench - in a
# guest with the patched kernel: each must end well and the kernel's log stay
# quiet. The programs are this machine's, packed with their libraries. Emulated
# CPUs say nothing about speed, so what the programs measure is kept as their
# output only (results.ktap) and not compared.
#
# BASE=v6.1 STEP=all TOPOLOGY=numa-4x4 SEEDS=1 (the first seed counts)
# CONFIG_EXTRA=FILE   another kernel, such as scripts/check/variants/debug.config
. "$(dirname "$0")/lib.sh"
. "$ROOT/scripts/topology.sh"
. "$ROOT/scripts/programs.sh"

: "${BASE:=v6.1}"
: "${STEP:=all}"
: "${TOPOLOGY:=numa-4x4}"
: "${SEEDS:=1}"

programs=(hackbench cyclictest stress-ng dbench sysbench)
packages=(rt-tests rt-tests stress-ng dbench sysbench)

# pack ARCHIVE: the programs, their libraries and what they read.
pack() {
	local root=$BUILD/workloads/root i
	rm -rf "$root"
	mkdir -p "$root/usr/share/dbench"
	for ((i = 0; i < ${#programs[@]}; i++)); do add_program "$root" "${programs[i]}" "${packages[i]}"; done
	cp /usr/share/dbench/client.txt "$root/usr/share/dbench/"
	pack_root "$root" "$1"
}

tests=(
	"hackbench -g 4 -l 50"
	"hackbench -g 4 -l 50 -T -p"
	"cyclictest -q -S -p 5 -i 5000 -l 200"
	"stress-ng --switch 4 --fork 4 --affinity 4 --yield 4 --nice 2 --schedpolicy 4 --timeout 3"
	"stress-ng --cpu 8 --vm 2 --vm-bytes 8M --mq 2 --sem 2 --timeout 3"
	"dbench -D /tmp -c /usr/share/dbench/client.txt -t 3 8"
	"sysbench cpu --threads=20 --time=3 run"
	"sysbench threads --threads=20 --time=3 run"
)

main() {
	(($# == 0)) || bad "workloads.sh takes no arguments: set BASE=, STEP=, TOPOLOGY=, CONFIG_EXTRA="
	local kernel initramfs arguments=() name out
	check_base "$BASE"
	take_lock
	mkdir -p "$BUILD/workloads"
	pack "$BUILD/workloads/programs.cpio"
	"$ROOT/scripts/build-tools.sh"
	kernel=$("$ROOT/scripts/build-kernel.sh" "$BASE" "$STEP")
	initramfs=$("$ROOT/scripts/build-initramfs.sh")
	cat "$initramfs" "$BUILD/workloads/programs.cpio" >"$BUILD/workloads/initramfs.cpio"
	for name in "${tests[@]}"; do arguments+=(--test "workload.sh $name"); done
	out=$BUILD/workloads/$(basename "$kernel")-$(basename "$TOPOLOGY" .conf)
	"$ROOT/scripts/boot.sh" --kernel "$kernel" --initramfs "$BUILD/workloads/initramfs.cpio" --topology "$TOPOLOGY" \
		--seed "${SEEDS%% *}" --timeout 3000 --out "$out" "${arguments[@]}" || exit
	sed -nE 's/^  ((not )?ok 1 .*)/\1/p' "$out/results.ktap"
}

main "$@"
