# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Checks that need a kernel tree: checkpatch, builds, initramfs. Sourced.

: "${check_dir:?}"

# checkpatch BASE: every patch, with the tree's own checkpatch.pl.
checkpatch() {
	local tree name status=0
	tree=$("$ROOT/scripts/fetch-kernel.sh" "$1")
	while read -r name; do
		(cd "$tree" && scripts/checkpatch.pl --no-tree --strict --ignore FILE_PATH_CHANGES \
			"$ROOT/patches/$1/$name") || status=1
	done < <(series_patches "$1")
	return "$status"
}

builds() { "$ROOT/scripts/build-kernel.sh" "$@"; }

# built_once: what is built is not built again.
built_once() {
	local kernel before
	kernel=$("$ROOT/scripts/build-kernel.sh" "$BASE" 0)
	before=$(stat -c %Y "$kernel/image")
	[[ $("$ROOT/scripts/build-kernel.sh" "$BASE" 0) == "$kernel" ]]
	[[ $(stat -c %Y "$kernel/image") == "$before" ]]
}

# options_checked: an option that does not survive fails the build and is named.
options_checked() {
	local extra=$check_dir/extra
	echo CONFIG_CFSLB_NO_SUCH_OPTION=y >"$extra"
	CONFIG_EXTRA=$extra expect "$EXIT_BUILD" 'did not keep: CONFIG_CFSLB_NO_SUCH_OPTION=y' \
		"$ROOT/scripts/build-kernel.sh" "$BASE" 0
}

# new_warnings: the patched kernel compiles with no warning that the base does not give.
new_warnings() {
	! grep -E 'kernel/sched/.*(warning|error):' "$BUILD"/obj/"$BASE"-x86_64-*/log
}

# packed_alike: the initramfs is the same bytes when nothing changed.
packed_alike() {
	local first
	"$ROOT/scripts/build-initramfs.sh"
	first=$(sha256 "$BUILD/initramfs-x86_64.cpio")
	"$ROOT/scripts/build-initramfs.sh"
	[[ $(sha256 "$BUILD/initramfs-x86_64.cpio") == "$first" ]]
}

run_kernels() {
	check "checkpatch: series $BASE" checkpatch "$BASE"
	check "kernel: $BASE builds" builds "$BASE" 0
	check "kernel: $BASE with the series builds" builds "$BASE"
	check "kernel: no new warning in kernel/sched" new_warnings
	check "kernel: nothing unchanged is built twice" built_once
	check "kernel: an option that does not survive is named" options_checked
	check "initramfs: the same inputs give the same bytes" packed_alike
	check "kernel: $BASE builds for arm64" builds "$BASE" 0 arm64
	check "initramfs: builds for arm64" "$ROOT/scripts/build-initramfs.sh" arm64
}
