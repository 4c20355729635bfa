# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Checks of the module: it builds for the base and for the patched kernel, and its
# own tests pass in guests of both. Sourced.

: "${check_dir:?}"

# has_module STEP: the module was built with the kernel.
has_module() { [[ -f $("$ROOT/scripts/build-kernel.sh" "$BASE" "$1")/cfslb.ko ]]; }

# module_tests STEP TOPOLOGY TEST...
module_tests() {
	local step=$1 topology=$2 arguments=() test kernel
	shift 2
	for test; do arguments+=(--test "$test"); done
	kernel=$("$ROOT/scripts/build-kernel.sh" "$BASE" "$step")
	INITRAMFS=$BUILD/initramfs-x86_64.cpio "$ROOT/kernel-module/tests/run.sh" --kernel "$kernel" \
		--module "$kernel/cfslb.ko" --out "$check_dir/module-$step" --topology "$topology" "${arguments[@]}"
}

run_module() {
	check "module: builds for $BASE as it is" has_module 0
	check "module: builds for $BASE with the series" has_module all
	later "module: its tests on $BASE with the series" module_tests all smt-2x2x2 counters series
	later "module: its tests on $BASE as it is" module_tests 0 uma-8 life counters series
	settle
}
