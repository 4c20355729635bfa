#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: build-tools.sh
#
# Builds the host programs of tools/ and their unit tests in build/tools.
. "$(dirname "$0")/lib.sh"

main() {
	(($# == 0)) || bad "usage: build-tools.sh"
	need cmake cmake
	mkdir -p "$BUILD/tools"
	# -O1: half the time of -O2 to compile, and what the tools do takes no time.
	{ cmake -S "$ROOT/tools" -B "$BUILD/tools" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 &&
		cmake --build "$BUILD/tools" -j "$JOBS"; } >"$BUILD/tools/log" 2>&1 || {
		grep -m 10 -E 'error|Error' "$BUILD/tools/log" >&2
		die "$EXIT_BUILD" "the tools did not build: whole log in $BUILD/tools/log"
	}
}

main "$@"
