# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Puts programs of this machine into a guest: sourced by the scripts that run real
# workloads there.

# add_program ROOT PROGRAM PACKAGE: the program and its libraries; it is in the guest's PATH.
add_program() {
	local root=$1 program file
	need "$2" "$3"
	program=$(command -v "$2")
	mkdir -p "$root/cfslb"
	cp -L "$program" "$root/cfslb/"
	for file in $(ldd "$program" | grep -o '/[^ ]*'); do
		mkdir -p "$root${file%/*}"
		[[ -e $root$file ]] || cp -L "$file" "$root$file"
	done
}

# pack_root ROOT ARCHIVE: the same files give the same bytes, which replay depends on.
pack_root() {
	find "$1" -exec touch -h -d @0 {} +
	(cd "$1" && find . | LC_ALL=C sort | cpio -o -H newc -R 0:0 --reproducible --quiet) >"$2"
}
