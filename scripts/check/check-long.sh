#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: check-long.sh
#
# What takes hours: the drivers with the whole series on every x86 box that is
# replayed, SEEDS (default 1 to 8) seeds each, the full-size box in fast mode, a kernel
# with lockdep, KASAN, UBSAN, DEBUG_PREEMPT and kmemleak under the stress driver, and the
# module's tests on every box and on that kernel.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/scripts/check/lib.sh"
. "$ROOT/scripts/topology.sh"
. "$ROOT/scripts/check/module.sh"

: "${BASE:=v6.1}"

long_run() {
	PARALLEL=1 TIMEOUT=7200 "$ROOT/scripts/run-tests.sh" "$BASE" all "$1" "$BUILD/check-long/$1"
}

# checkers: all CPUs at once (fast mode), so that races are races.
checkers() {
	local kernel
	kernel=$(CONFIG_EXTRA=$ROOT/scripts/check/variants/debug.config "$ROOT/scripts/build-kernel.sh" "$BASE")
	"$ROOT/scripts/boot.sh" --kernel "$kernel" --initramfs "$BUILD/initramfs-x86_64.cpio" --timeout 3000 --limit 600 \
		--topology "$ROOT/scripts/check/fast-8.conf" --out "$BUILD/check-long/checkers" \
		--test "stress --seconds 10" --test "stress --case all --seconds 60"
}

# build_all: before guests run side by side, since kernels share a folder of objects.
build_all() {
	local arch step
	for arch in x86_64 arm64; do
		for step in 0 all; do "$ROOT/scripts/build-kernel.sh" "$BASE" "$step" "$arch" >/dev/null; done
		"$ROOT/scripts/build-initramfs.sh" "$arch" >/dev/null
	done
	CONFIG_EXTRA=$ROOT/scripts/check/variants/debug.config "$ROOT/scripts/build-kernel.sh" "$BASE" >/dev/null
}

main() {
	local file
	[[ ${SEEDS:-1 2 3} != "1 2 3" ]] || SEEDS="1 2 3 4 5 6 7 8"
	export SEEDS
	"$ROOT/scripts/install-deps.sh"
	take_lock
	"$ROOT/scripts/build-tools.sh"
	build_all
	for file in "$ROOT"/scripts/topologies/*.conf; do
		read_topology "$file"
		[[ $topo_arch == x86_64 ]] || continue
		later "drivers: $BASE with the series on $(basename "$file" .conf)" long_run "$(basename "$file" .conf)"
	done
	run_module_long
	later "drivers: the kernel's own checkers stay quiet under stress, $BASE with the series" checkers
	settle
	totals || exit "$EXIT_FAIL"
}

main "$@"
