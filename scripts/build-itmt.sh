#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: build-itmt.sh BASE [STEP]
#
# Builds selftests/itmt, a module that gives the CPUs of an x86_64 guest priorities, for
# the kernel of BASE with STEP patches and prints its path, for boot.sh --module.
# Kernels of the same release string take the same module.
. "$(dirname "$0")/lib.sh"

build() {
	# A folder of its own: the kernel's make leaves its files beside the sources.
	rm -rf "$work"
	mkdir -p "$work"
	cp "$ROOT"/selftests/itmt/* "$work/"
	# No Module.symvers: the test kernels are built without their modules.
	make -s -C "$objects" M="$work" KBUILD_MODPOST_WARN=1 modules >"$work/log" 2>&1 || {
		tail -n 20 "$work/log" >&2
		die "$EXIT_BUILD" "the module did not build for $1 step $2: whole log in $work/log"
	}
}

main() {
	(($# == 1 || $# == 2)) || bad "usage: build-itmt.sh BASE [STEP]"
	check_base "$1"
	take_lock
	objects=$(ONLY=modules_prepare "$ROOT/scripts/build-kernel.sh" "$1" "${2:-all}" x86_64)
	work=$BUILD/itmt/$1-${2:-all}
	build "$1" "${2:-all}"
	echo "$work/cfslb_itmt.ko"
}

main "$@"
