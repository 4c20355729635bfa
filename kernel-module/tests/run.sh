#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: run.sh --kernel DIR --module FILE --out DIR [--topology NAME]... [--test NAME]...
#               [--program FILE]... [--timeout S] [--append TEXT] [--seed N]
#               [--limit S]
#
# On the host: boots one guest a topology (default: uma-8 and smt-2x2x2; all of one
# architecture) with the module FILE, which must be built for the kernel in DIR, and runs
# the tests in it (default: life counters waste series). --program: a static program that a test
# needs, --timeout: host seconds a guest may take, --append: more of the kernel's
# command line, --seed: another number is another schedule, --limit: guest
# seconds that one test may take. A test may have arguments: --test "soak 200 20 900".
# Exit code: the worst of boot.sh's.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

: "${INITRAMFS:=}" # what build-initramfs.sh made; default: that in build/

usage() {
	sed -n '4,14s/^# \{0,1\}//p' "$0" >&2
	exit 2
}

parse_options() {
	kernel='' module='' out='' topologies=() tests=() programs=() append='' timeout=900 seed=1 limit=120
	while (($#)); do
		(($# >= 2)) || usage
		case $1 in
		--kernel) kernel=$2 ;;
		--module) module=$2 ;;
		--out) out=$2 ;;
		--append) append=$2 ;;
		--timeout) timeout=$2 ;;
		--seed) seed=$2 ;;
		--limit) limit=$2 ;;
		--topology) topologies+=("$2") ;;
		--test) tests+=("$2") ;;
		--program) programs+=("$2") ;;
		*) usage ;;
		esac
		shift 2
	done
	[[ -n $kernel && -n $out && -f $module ]] || usage
	((${#topologies[@]})) || topologies=(uma-8 smt-2x2x2)
	((${#tests[@]})) || tests=(life counters waste series)
}

# set_arch: that of the topologies, x86_64 where they do not say.
set_arch() {
	local file=${topologies[0]}
	[[ -f $file ]] || file=$root/scripts/topologies/$file.conf
	arch=$(sed -n 's/^arch[ =]*//p' "$file")
	arch=${arch:-x86_64} cross=''
	[[ $arch == "$(uname -m)" || $arch != arm64 ]] || cross=aarch64-linux-gnu-
	: "${INITRAMFS:=$root/build/initramfs-$arch.cpio}"
}

# add_tests: a second archive behind the lab's: module, scripts, programs.
add_tests() {
	local dir=$out/root test program
	rm -rf "$dir"
	mkdir -p "$dir/cfslb/modules"
	cp "$module" "$dir/cfslb/modules/cfslb.ko"
	"${cross}strip" -g "$dir/cfslb/modules/cfslb.ko"
	cp "$here/lib.sh" "$dir/cfslb/lib.sh"
	for test in "${tests[@]}"; do
		cp "$here/${test%% *}.sh" "$dir/cfslb/module-${test%% *}"
	done
	for program in "${programs[@]}"; do
		cp "$program" "$dir/cfslb/"
		"${cross}strip" "$dir/cfslb/$(basename "$program")"
	done
	for test in work cause look retrace cost; do
		"${cross}gcc" -O2 -Wall -Wextra -static -o "$dir/cfslb/$test" "$here/$test.c"
	done
	(cd "$dir" && find . | cpio -o -H newc -R 0:0 --quiet) >"$out/tests.cpio"
	cat "$INITRAMFS" "$out/tests.cpio" >"$out/initramfs.cpio"
	rm -rf "$dir" "$out/tests.cpio"
}

main() {
	parse_options "$@"
	set_arch
	mkdir -p "$out"
	add_tests
	local topology test code worst=0 arguments=()
	for test in "${tests[@]}"; do
		arguments+=(--test "module-$test")
	done
	for topology in "${topologies[@]}"; do
		code=0
		"$root/scripts/boot.sh" --kernel "$kernel" --initramfs "$out/initramfs.cpio" \
			--topology "$topology" --out "$out/$topology" --cgroup v1 --counters no --append "$append" \
			--timeout "$timeout" --seed "$seed" --limit "$limit" "${arguments[@]}" || code=$?
		((code <= worst)) || worst=$code
	done
	return "$worst"
}

main "$@"
