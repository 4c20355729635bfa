#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: check-quick.sh
#
# The part of the check that builds no kernel: under two minutes.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/scripts/check/lib.sh"
. "$ROOT/scripts/check/units.sh"
. "$ROOT/scripts/check/bad-input.sh"

main() {
	"$ROOT/scripts/install-deps.sh"
	take_lock
	run_units
	run_bad_input
	totals || exit "$EXIT_FAIL"
}

main "$@"
