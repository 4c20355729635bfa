#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: shell.sh
#
# An interactive guest: BASE with STEP patches on TOPOLOGY, drivers in /cfslb.
. "$(dirname "$0")/lib.sh"
. "$ROOT/scripts/topology.sh"

: "${BASE:=v6.1}"
: "${TOPOLOGY:=numa-4x4}"
: "${STEP:=all}"

main() {
	(($# == 0)) || bad "shell.sh takes no arguments: set BASE=, TOPOLOGY=, STEP="
	local kernel initramfs file
	check_base "$BASE"
	file=$(topology_file "$TOPOLOGY")
	read_topology "$file"
	take_lock
	[[ $STEP != all ]] || STEP=$(series_patches "$BASE" | wc -l)
	kernel=$("$ROOT/scripts/build-kernel.sh" "$BASE" "$STEP" "$topo_arch")
	initramfs=$("$ROOT/scripts/build-initramfs.sh" "$topo_arch")
	"$ROOT/scripts/boot.sh" --shell --kernel "$kernel" --initramfs "$initramfs" \
		--topology "$TOPOLOGY" --out "$BUILD/shell"
}

main "$@"
