#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: check.sh
#
# Sets everything up and runs everything that fits in an hour on two cores:
# units, bad input, kernels base and patched, the module, the lab's tests of itself,
# topologies, every driver before and after. CI runs this.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/scripts/check/lib.sh"
. "$ROOT/scripts/check/units.sh"
. "$ROOT/scripts/check/bad-input.sh"
. "$ROOT/scripts/check/kernels.sh"
. "$ROOT/scripts/check/guests.sh"
. "$ROOT/scripts/check/module.sh"

: "${BASE:=v6.1}"

main() {
	"$ROOT/scripts/install-deps.sh"
	take_lock
	run_units
	run_bad_input
	run_kernels
	run_guests
	run_module
	totals || exit "$EXIT_FAIL"
}

main "$@"
