# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Bad input ends in one clear line, the documented exit code and nothing lost. Sourced.

fake_tree() { # fake_tree DIR VERSION: just enough of a kernel tree to be recognised
	mkdir -p "$1/kernel/sched"
	IFS=. read -r v p s <<<"$2"
	printf 'VERSION = %s\nPATCHLEVEL = %s\nSUBLEVEL = %s\n' "$v" "$p" "$s" >"$1/Makefile"
	printf 'one\ntwo\nthree\n' >"$1/kernel/sched/fair.c"
}

# topology_fault PATTERN LINES: boot.sh rejects the file before anything runs.
topology_fault() {
	printf '%b' "$2" >"$work/bad.conf"
	mkdir -p "$work/kernel"
	touch "$work/kernel/image" "$work/initramfs"
	expect "$EXIT_USAGE" "$1" "$ROOT/scripts/boot.sh" --kernel "$work/kernel" --initramfs "$work/initramfs" \
		--topology "$work/bad.conf" --out "$work/out" --test topology
	[[ ! -e $work/out ]]
}

old_qemu() { # a QEMU that says it is 7.2
	printf '#!/bin/sh\necho "QEMU emulator version 7.2.15"\n' >"$work/qemu-old"
	chmod +x "$work/qemu-old"
	QEMU_X86=$work/qemu-old boot_nothing
}

boot_nothing() {
	mkdir -p "$work/kernel"
	touch "$work/kernel/image" "$work/initramfs"
	"$ROOT/scripts/boot.sh" --kernel "$work/kernel" --initramfs "$work/initramfs" \
		--topology uma-8 --out "$work/out" --test topology
}

# An own copy of the scripts with a base "v0.0" whose patch does not fit.
series_that_does_not_apply() {
	local copy=$work/copy tree=$work/tree before
	mkdir -p "$copy/patches/v0.0"
	cp -r "$ROOT/scripts" "$copy/"
	printf 'version = 0.0.1\nsource = debian\n' >"$copy/patches/v0.0/BASE"
	printf '0001-good.patch\n0002-bad.patch\n' >"$copy/patches/v0.0/series"
	printf -- '--- a/kernel/sched/fair.c\n+++ b/kernel/sched/fair.c\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n' \
		>"$copy/patches/v0.0/0001-good.patch"
	printf -- '--- a/kernel/sched/fair.c\n+++ b/kernel/sched/fair.c\n@@ -1,3 +1,3 @@\n uno\n-2\n+zwei\n three\n' \
		>"$copy/patches/v0.0/0002-bad.patch"
	fake_tree "$tree" 0.0.1
	before=$(sha256 "$tree/kernel/sched/fair.c")
	expect "$EXIT_USAGE" '0002-bad.patch does not apply.*Hunk #1 FAILED' \
		"$copy/scripts/apply-series.sh" "$tree" v0.0
	[[ $(sha256 "$tree/kernel/sched/fair.c") == "$before" ]] || { echo "the tree was changed"; return 1; }
}

wrong_checksum() {
	mkdir -p "$work/cache"
	echo rubbish >"$work/cache/linux-$(base_value v5.4 version).tar.xz"
	CACHE=$work/cache BUILD=$work/build CFSLB_LOCKED='' \
		expect "$EXIT_USAGE" 'has sha256 .* but patches/v5.4/BASE says' "$ROOT/scripts/fetch-kernel.sh" v5.4
	[[ -f $work/cache/linux-$(base_value v5.4 version).tar.xz ]]
}

no_space() { # a file system of one MiB; only root can mount one
	mkdir -p "$work/small"
	mount -t tmpfs -o size=1m small "$work/small"
	local code=0
	(BUILD=$work/small CFSLB_LOCKED='' expect "$EXIT_USAGE" 'no space for a kernel tree' \
		"$ROOT/scripts/fetch-kernel.sh" v6.1) || code=$?
	umount "$work/small"
	return "$code"
}

second_run() {
	mkdir -p "$work/shared"
	(
		exec {fd}>>"$work/shared/.lock"
		flock "$fd"
		echo 4711 >"$work/shared/.lock"
		BUILD=$work/shared CFSLB_LOCKED='' expect "$EXIT_USAGE" 'another run \(process 4711\) is using' \
			"$ROOT/scripts/fetch-kernel.sh" v6.1
	)
}

ksrc_fault() { # ksrc_fault DIR PATTERN
	KSRC=$1 BUILD=$work/build CFSLB_LOCKED='' expect "$EXIT_USAGE" "$2" "$ROOT/scripts/fetch-kernel.sh" v6.1
}

run_bad_input() {
	local work
	work=$(mktemp -d)
	fake_tree "$work/old" 4.19.1
	mkdir -p "$work/empty"
	check "bad input: unknown base" expect "$EXIT_USAGE" "unknown base 'v9'" "$ROOT/scripts/build-kernel.sh" v9
	check "bad input: STEP too large" expect "$EXIT_USAGE" 'STEP=99: patches/v6.1 has steps 0 to' "$ROOT/scripts/build-kernel.sh" v6.1 99
	check "bad input: KSRC missing" ksrc_fault "$work/nowhere" 'no such folder'
	check "bad input: KSRC not a kernel tree" ksrc_fault "$work/empty" 'is not a kernel tree'
	check "bad input: KSRC of another version" ksrc_fault "$work/old" 'is version 4.19.1, but patches/v6.1 is for 6.1.y'
	check "bad input: tarball with a wrong checksum" wrong_checksum
	check "bad input: series that does not apply" series_that_does_not_apply
	check "bad input: topology with an unknown key" topology_fault "unknown key 'colour'" 'arch = x86_64\ncolour = red\n'
	check "bad input: topology with overlapping nodes" topology_fault 'nodes overlap: CPU 1' 'arch = x86_64\ncores = 4\nnode = 0-1\nnode = 1-3\n'
	check "bad input: topology with asymmetric distances" topology_fault 'distances are asymmetric' 'arch = x86_64\ncores = 4\nnodes = 2\ndistance = 10 20\ndistance = 21 10\n'
	check "bad input: topology with too many CPUs" topology_fault 'NR_CPUS=256' 'arch = x86_64\nsockets = 8\ncores = 64\n'
	check "bad input: unknown topology" expect "$EXIT_USAGE" "unknown topology 'nope'" "$ROOT/scripts/run-tests.sh" v6.1 0 nope "$work/out"
	check "bad input: unknown test driver option" expect "$EXIT_USAGE" "unknown argument '--colour'" "$ROOT/scripts/boot.sh" --colour
	check "bad input: cost of the module on a kernel that is not there" expect "$EXIT_USAGE" 'KERNELS: /nowhere/vmlinuz-1: no such kernel' env KERNELS=/nowhere/vmlinuz-1 "$ROOT/scripts/bench-module.sh"
	check "bad input: cost of the module without a guest to compare with" expect "$EXIT_USAGE" 'lacks none, which all others are compared with' env MODES=0 "$ROOT/scripts/bench-module.sh"
	check "bad input: QEMU missing" env QEMU_X86=qemu-none bash -c "$(declare -f expect boot_nothing); ROOT='$ROOT' work='$work'; expect 2 'qemu-none is not installed' boot_nothing"
	check "bad input: QEMU too old" expect "$EXIT_USAGE" 'is version 7, but replay needs QEMU >= 10' old_qemu
	((EUID != 0)) || check "bad input: no space left" no_space
	check "bad input: second run in the same folder" second_run
	rm -rf "$work"
}
