# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# What every script of the lab shares: where things are, how to fail, the lock.
# Sourced, never run.
# shellcheck disable=SC2034 # the exit codes are read by the scripts that source this

set -Eeuo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

: "${BUILD:=$ROOT/build}"                    # every output goes below this folder
: "${CACHE:=${XDG_CACHE_HOME:-$HOME/.cache}/cfslb}" # downloads, kept between clones
: "${JOBS:=$(nproc)}"                        # compilers at a time
: "${KSRC:=}"                                # a kernel tree of the user's own, never written to

# Variables given to the make that called us are not meant for the makes that we call.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES

# Exit codes, the same in every script; Documentation/testing.md explains them.
readonly EXIT_FAIL=1        # a test failed
readonly EXIT_USAGE=2       # bad usage or bad input
readonly EXIT_BUILD=3       # a build or a set-up step failed
readonly EXIT_SKIP=4        # everything was skipped (kselftest's code)
readonly EXIT_PANIC=10      # the guest's kernel panicked
readonly EXIT_SILENT=11     # the guest ended without any result
readonly EXIT_PLAN=12       # a KTAP plan is missing or does not match
readonly EXIT_CUT=13        # the results end in the middle
readonly EXIT_TIMEOUT=124   # the guest hung (same code as timeout(1))

# The drivers that tell the series from its base on the default box in half a minute:
# what demo and check-series run unless told otherwise. check and check-long run all
# with the series.
core_drivers=(cgroup_spread sched_idle_fill local_group_imbalance even_spread mixed_class numa_idle_pull)

me=$(basename "$0" .sh)

# note TEXT...: one line to the person who watches; stdout stays free for results.
note() { printf '%s: %s\n' "$me" "$*" >&2; }

# die CODE TEXT...: one clear line, then the documented exit code.
die() {
	local code=$1
	shift
	printf '%s: error: %s\n' "$me" "$*" >&2
	exit "$code"
}

# A command that fails where nothing expects it is a failed set-up step, not a
# failed test: 1 is kept for tests. A script called from here has said its line
# already, and its code is passed on.
unexpected() {
	local code=$?
	case $code in
	"$EXIT_USAGE" | "$EXIT_BUILD" | "$EXIT_SKIP" | 1[0-3] | "$EXIT_TIMEOUT" | 130) exit "$code" ;;
	*) die "$EXIT_BUILD" "line $1: a command failed with code $code: $2" ;;
	esac
}
trap 'unexpected "$LINENO" "$BASH_COMMAND"' ERR

bad() { die "$EXIT_USAGE" "$@"; }

# run COMMAND...: shows the command before it runs.
run() {
	printf '+ %s\n' "$*" >&2
	"$@"
}

# need PROGRAM PACKAGE: fails with the package to install when PROGRAM is missing.
need() {
	command -v "$1" >/dev/null ||
		bad "$1 is not installed: run scripts/install-deps.sh (Debian package $2)"
}

# need_space DIR MIB WHAT: fails before a long job that the disk cannot hold.
need_space() {
	local free
	mkdir -p "$1" 2>/dev/null || bad "cannot create $1: is the file system full or read-only?"
	free=$(df -Pm "$1" | awk 'NR == 2 { print $4 }')
	((free >= $2)) ||
		bad "no space for $3: $1 has $free MiB free and $2 are needed; free some or set BUILD="
}

# take_lock: one run at a time in a build folder; the lock goes with the process.
# Scripts called by the holder inherit CFSLB_LOCKED and pass through.
take_lock() {
	[[ ${CFSLB_LOCKED:-} != "$BUILD" ]] || return 0
	mkdir -p "$BUILD" 2>/dev/null || bad "cannot create $BUILD: is the file system full or read-only?"
	exec {lock_fd}>>"$BUILD/.lock"
	flock -n "$lock_fd" ||
		bad "another run (process $(cat "$BUILD/.lock")) is using $BUILD: wait for it or set BUILD=another-folder"
	echo $$ >"$BUILD/.lock"
	export CFSLB_LOCKED=$BUILD
}

# check_base BASE: BASE names a folder of patches/.
check_base() {
	[[ -f $ROOT/patches/$1/BASE ]] ||
		bad "unknown base '$1': patches/ has $(cd "$ROOT/patches" && echo *)"
}

# base_value BASE KEY: a value of patches/BASE/BASE ("key = value" lines).
base_value() {
	sed -n "s/^$2[[:space:]]*=[[:space:]]*//p" "$ROOT/patches/$1/BASE"
}

# series_patches BASE: the patch names in order, comments dropped.
series_patches() {
	sed -e 's/[[:space:]]*#.*//' -e '/^[[:space:]]*$/d' "$ROOT/patches/$1/series"
}

# patch_code FILE: what a patch changes, without its changelog, which can be reworded
# without another build.
patch_code() { sed -n '/^diff --git /,$p' "$1"; }

sha256() { sha256sum "$@" | cut -d' ' -f1; }
