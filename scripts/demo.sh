#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: demo.sh
#
# Shows what the series changes: boots the base and the patched kernel side by
# side on the same emulated box, the same drivers and seeds, then prints the
# table and the paths of the page and the picture.
#
# BASE=v6.1 TOPOLOGY=numa-4x4 SEEDS="1 2 3" DRIVERS="" (the core drivers; "all": every one)
# FROM=0 STEP=all   which prefixes of the series are compared
. "$(dirname "$0")/lib.sh"

: "${BASE:=v6.1}"
: "${TOPOLOGY:=numa-4x4}"
: "${SEEDS:=1 2 3}"
: "${DRIVERS:=}"
: "${FROM:=0}"
: "${STEP:=all}"

prepare() {
	"$ROOT/scripts/install-deps.sh"
	check_base "$BASE"
	[[ -n $DRIVERS ]] || DRIVERS=${core_drivers[*]}
	[[ $DRIVERS != all ]] || DRIVERS=''
	. "$ROOT/scripts/topology.sh"
	file=$(topology_file "$TOPOLOGY")
	read_topology "$file"
	take_lock
	[[ $STEP != all ]] || STEP=$(series_patches "$BASE" | wc -l)
	"$ROOT/scripts/build-tools.sh"
	"$ROOT/scripts/build-initramfs.sh" "$topo_arch" >/dev/null
	before=$("$ROOT/scripts/build-kernel.sh" "$BASE" "$FROM" "$topo_arch")
	after=$("$ROOT/scripts/build-kernel.sh" "$BASE" "$STEP" "$topo_arch")
}

# side NAME STEP: one kernel's guests, one after the other; failing tests are the point here.
side() {
	local code=0
	# pdeathsig: it does not outlive this side, however that ends. DRIVERS is a list.
	# shellcheck disable=SC2086
	PARALLEL=1 setpriv --pdeathsig TERM "$ROOT/scripts/run-tests.sh" "$BASE" "$2" "$TOPOLOGY" "$out/$1" $DRIVERS || code=$?
	((code == 0 || code == EXIT_FAIL)) || return "$code"
}

both_sides() {
	local first second code=0
	side before "$FROM" &
	first=$!
	side after "$STEP" &
	second=$!
	trap 'kill $first $second 2>/dev/null; wait; exit 130' INT TERM
	wait "$first" || code=$?
	wait "$second" || code=$?
	trap - INT TERM
	((code == 0)) || die "$code" "a guest did not finish: see $out/*/seed-*/verdict and console"
}

report() {
	# lbreport says by its exit code whether it could write the report, not what is in it.
	"$BUILD/tools/lbreport" --out "$out" --title "cfslb: $BASE step $FROM and step $STEP on $TOPOLOGY" \
		--command "make demo BASE=$BASE TOPOLOGY=$TOPOLOGY FROM=$FROM STEP=$STEP SEEDS='$SEEDS' DRIVERS='$DRIVERS'" \
		--before-label "$(<"$before/release") (step $FROM)" --after-label "$(<"$after/release") (step $STEP)" \
		--before "$out"/before/seed-*/results.jsonl --after "$out"/after/seed-*/results.jsonl
}

main() {
	(($# == 0)) || bad "demo.sh takes no arguments: set BASE=, TOPOLOGY=, SEEDS=, DRIVERS=, FROM=, STEP="
	local before after out file
	prepare
	out=$BUILD/demo/$BASE-$FROM-$STEP-$TOPOLOGY
	rm -rf "$out"
	both_sides
	report
}

main "$@"
