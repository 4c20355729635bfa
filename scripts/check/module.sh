# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Checks of the module: it builds for the base and for the patched kernel, and its
# own tests pass in guests of both. Sourced.

: "${check_dir:?}"

module_of() { echo "$BUILD/module/$BASE-$1-x86_64/cfslb.ko"; }

# module_tests STEP TOPOLOGY TEST...: the step's kernel, as its folder of objects is not touched.
module_tests() {
	local step=$1 topology=$2 arguments=() test
	shift 2
	for test; do arguments+=(--test "$test"); done
	INITRAMFS=$BUILD/initramfs-x86_64.cpio "$ROOT/kernel-module/tests/run.sh" --kernel "$("$ROOT/scripts/build-kernel.sh" "$BASE" "$step")" \
		--module "$(module_of "$step")" --out "$check_dir/module-$step" --topology "$topology" "${arguments[@]}"
}

run_module() {
	local -a series
	mapfile -t series < <(series_patches "$BASE")
	# The last step first: the objects of its kernel are the newest.
	check "module: builds for $BASE with the series" "$ROOT/scripts/build-module.sh" "$BASE"
	check "module: builds for $BASE as it is" "$ROOT/scripts/build-module.sh" "$BASE" 0
	later "module: its tests on $BASE with the series" module_tests "${#series[@]}" smt-2x2x2 counters series
	later "module: its tests on $BASE as it is" module_tests 0 uma-8 life counters series
	settle
}
