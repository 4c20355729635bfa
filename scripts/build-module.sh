#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: build-module.sh BASE [STEP] [ARCH]
#        build-module.sh FOLDER
#
# Builds the module for the test kernel of BASE with the first STEP patches
# (default: all), or for the kernel whose prepared tree or headers are in FOLDER
# (/lib/modules/.../build), and prints the path of cfslb.ko. The sources are
# copied: kernel-module/ stays clean, and each kernel has objects of its own.
. "$(dirname "$0")/lib.sh"

# for_base: sets kdir, name and the arguments of make for a test kernel. The kernel's
# object folder is shared by all steps: it is brought to this one.
for_base() {
	base=$1 arch=${3:-x86_64}
	local -a series
	mapfile -t series < <(series_patches "$base")
	step=${2:-all}
	[[ $step != all ]] || step=${#series[@]}
	kdir=$(ONLY=modules_prepare "$ROOT/scripts/build-kernel.sh" "$base" "$step" "$arch")
	name=$base-$step-$arch
	arguments=("ARCH=$arch")
	[[ $arch == "$(uname -m)" || $arch != arm64 ]] || arguments+=(CROSS_COMPILE=aarch64-linux-gnu-)
}

for_folder() {
	[[ -d $1 ]] || bad "$1: no such folder; it should be a prepared kernel tree or a kernel's headers"
	kdir=$(cd "$1" && pwd)
	[[ -f $kdir/Makefile && -f $kdir/include/generated/autoconf.h ]] ||
		bad "$1 is not prepared for modules: it has no include/generated/autoconf.h"
	name=folder-$(sha256sum <<<"$kdir" | cut -c1-8)
	arguments=()
}

build() {
	local dir=$BUILD/module/$name
	need rsync rsync
	mkdir -p "$dir"
	rsync -a --delete --exclude='*.mod.c' --include=/uapi --include='*.[ch]' --include=/Kbuild --include=/Makefile \
		--exclude='/*' "$ROOT/kernel-module/" "$dir/"
	note "building the module for $kdir"
	# Test kernels have no list of symbols: insmod finds what is missing.
	[[ -f $kdir/Module.symvers ]] || arguments+=(KBUILD_MODPOST_WARN=1)
	make -C "$kdir" M="$dir" "${arguments[@]}" -j"$JOBS" modules >"$dir.log" 2>&1 || {
		tail -n 20 "$dir.log" >&2
		die "$EXIT_BUILD" "the module does not build for $kdir: whole log in $dir.log"
	}
	echo "$dir/cfslb.ko"
}

main() {
	(($# >= 1 && $# <= 3)) || bad "usage: build-module.sh BASE [STEP] [ARCH], or a folder"
	take_lock
	local kdir name arguments
	if [[ $1 == */* ]]; then
		(($# == 1)) || bad "a folder takes no step"
		for_folder "$1"
	else
		check_base "$1"
		for_base "$@"
	fi
	build
}

main "$@"
