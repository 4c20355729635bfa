# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Checks of the module: it builds for the base and for the patched kernel, and its
# own tests pass in guests of both. Sourced.

: "${check_dir:?}"

# has_module STEP: the module was built with the kernel.
has_module() { [[ -f $("$ROOT/scripts/build-kernel.sh" "$BASE" "$1")/cfslb.ko ]]; }

# tests_in KERNEL NAME TOPOLOGY TEST...: the module's tests; with LIMIT seconds of the guest each.
tests_in() {
	local kernel=$1 out=$check_dir/module-$2 topology=$3 arguments=() test
	shift 3
	for test; do arguments+=(--test "$test"); done
	"$ROOT/kernel-module/tests/run.sh" --kernel "$kernel" --module "$kernel/cfslb.ko" --out "$out" \
		--topology "$topology" --limit "${LIMIT:-120}" --timeout "${TIMEOUT:-900}" "${arguments[@]}"
}

# module_tests STEP TOPOLOGY TEST...: on a test kernel of the base.
module_tests() {
	local step=$1 topology=$2 arch=x86_64 first=${3%% *} kernel
	shift 2
	! grep -q '^arch *= *arm64' "$ROOT/scripts/topologies/$topology.conf" || arch=arm64
	kernel=$("$ROOT/scripts/build-kernel.sh" "$BASE" "$step" "$arch")
	INITRAMFS=$BUILD/initramfs-$arch.cpio tests_in "$kernel" "$step-$topology-$first" "$topology" "$@"
}

run_module() {
	check "module: builds for $BASE as it is" has_module 0
	check "module: builds for $BASE with the series" has_module all
	later "module: its tests on $BASE with the series" module_tests all smt-2x2x2 counters series
	later "module: its tests on $BASE as it is" module_tests 0 uma-8 life counters series access
	later "module: causes that are quickly brought about, $BASE as it is" module_tests 0 smt-2x2x2 \
		"causes wake exec newidle active affinity_running affinity_waiting hotplug"
	later "module: waste on $BASE with the series" module_tests all uma-8 waste
	settle
}

# soak_with_checkers: lockdep, KASAN, UBSAN, kmemleak; some of the module's own allocations fail.
soak_with_checkers() {
	local kernel
	kernel=$(CONFIG_EXTRA=$ROOT/scripts/check/variants/debug.config "$ROOT/scripts/build-kernel.sh" "$BASE")
	INITRAMFS=$BUILD/initramfs-x86_64.cpio LIMIT=3000 TIMEOUT=7200 tests_in "$kernel" soak-checkers uma-8 \
		"soak 200 20 900 1 340"
}

# run_module_long: every box; all causes; loads and unloads in numbers.
run_module_long() {
	local step file topology
	for step in 0 all; do
		for file in "$ROOT"/scripts/topologies/*.conf; do
			topology=$(basename "$file" .conf)
			LIMIT=600 TIMEOUT=3600 later "module: counters on $topology, $BASE, step $step" module_tests "$step" \
				"$topology" "counters sum_equals_ftrace lb_equals_schedstat"
		done
		LIMIT=900 TIMEOUT=3600 later "module: causes, $BASE, step $step" module_tests "$step" numa-4x4 causes
		LIMIT=900 TIMEOUT=3600 later "module: waste, $BASE, step $step" module_tests "$step" numa-4x4 waste
	done
	LIMIT=900 TIMEOUT=3600 later "module: 200 loads and unloads, $BASE with the series" module_tests all uma-8 "soak 200 20 0"
	later "module: the kernel's own checkers stay quiet, $BASE with the series" soak_with_checkers
}
