#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: build-initramfs.sh [ARCH]
#
# Builds the drivers of selftests/ as static programs and packs them with
# busybox and scripts/init; prints the path. The same inputs give the same bytes:
# replay depends on it. Not compressed, because unpacking costs emulated time.
. "$(dirname "$0")/lib.sh"

# busybox_of ARCH: a static busybox; for another architecture out of Debian's package.
busybox_of() {
	if [[ $1 == "$(uname -m)" ]]; then
		[[ -x /bin/busybox ]] || bad "/bin/busybox is missing: run scripts/install-deps.sh (Debian package busybox-static)"
		echo /bin/busybox
		return
	fi
	local dir=$CACHE/busybox-$1
	if [[ ! -x $dir/bin/busybox ]]; then
		mkdir -p "$dir"
		foreign_package "$1" busybox-static "$dir" >&2
	fi
	echo "$dir/bin/busybox"
}

# foreign_package ARCH PACKAGE DIR: unpacks a package of another architecture
# with an apt state of its own: the system's list of architectures stays as it is.
foreign_package() {
	local state=$BUILD/apt-$1 options
	mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$state/deb"
	: >"$state/status"
	options=(-q -o "APT::Architecture=$1" -o "APT::Architectures::=$1" -o "Dir::State=$state"
		-o "Dir::State::status=$state/status" -o "Dir::Cache=$state/cache" -o APT::Sandbox::User=root)
	run apt-get "${options[@]}" update
	(cd "$state/deb" && run apt-get "${options[@]}" download "$2") ||
		die "$EXIT_BUILD" "cannot download $2 for $1: see apt's messages above"
	dpkg-deb -x "$state"/deb/"$2"_*.deb "$3"
	rm -rf "$state"
}

build_drivers() {
	local cross=''
	[[ $arch == "$(uname -m)" ]] || cross=aarch64-linux-gnu-
	mkdir -p "$drivers"
	make -s -C "$ROOT/selftests" -j"$JOBS" OUTPUT="$drivers" CROSS_COMPILE="$cross" all harness >"$drivers/log" 2>&1 || {
		tail -n 20 "$drivers/log" >&2
		die "$EXIT_BUILD" "the drivers did not build for $arch: whole log in $drivers/log"
	}
}

pack() {
	local program
	# A folder of its own: two sides of a comparison may pack at the same time.
	root=$(mktemp -d "$BUILD/initramfs.XXXXXX")
	trap 'rm -rf "${root:-}"' EXIT
	mkdir -p "$root"/{bin,cfslb,etc,dev,proc,sys,run,tmp}
	cp "$busybox" "$root/bin/busybox"
	ln -s busybox "$root/bin/sh"
	cp "$ROOT/scripts/init" "$root/init"
	cp "$ROOT"/selftests/harness/*.sh "$root/cfslb/"
	chmod 755 "$root/init" "$root"/cfslb/*.sh
	for program in "$drivers"/*; do
		[[ ! -f $program || ! -x $program ]] || cp "$program" "$root/cfslb/"
	done
	# One time stamp and one owner, so that only contents decide the bytes.
	chmod 755 "$root"
	find "$root" -exec touch -h -d @0 {} +
	(cd "$root" && find . | LC_ALL=C sort | cpio -o -H newc -R 0:0 --reproducible --quiet) >"$root.cpio"
	chmod 644 "$root.cpio"
	mv "$root.cpio" "$initramfs"
}

main() {
	(($# <= 1)) || bad "usage: build-initramfs.sh [ARCH]"
	arch=${1:-x86_64}
	[[ $arch == x86_64 || $arch == arm64 ]] || bad "unknown architecture '$arch': x86_64 or arm64"
	need cpio cpio
	take_lock
	drivers=$BUILD/selftests/$arch initramfs=$BUILD/initramfs-$arch.cpio
	busybox=$(busybox_of "$arch")
	build_drivers
	pack
	echo "$initramfs"
}

main "$@"
