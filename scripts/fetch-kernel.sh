#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: fetch-kernel.sh BASE
#
# Lays a clean kernel tree of BASE (a folder of patches/) in build/src/BASE and
# prints its path. The tree comes from, in this order:
#   KSRC=DIR        a kernel tree of yours; it is copied, never written to
#   source=debian   the source package named in patches/BASE/BASE, through apt
#   source=kernel.org  CACHE/linux-VERSION (a folder), CACHE/linux-VERSION.tar.xz,
#                   or the tarball downloaded, its sha256 checked
# Downloads stay in CACHE (default ~/.cache/cfslb), so a second clone has them.
. "$(dirname "$0")/lib.sh"

readonly TREE_MIB=3000 # a kernel tree, unpacked, with room to spare

# kernel_version DIR: "5.4.286" out of DIR/Makefile.
kernel_version() {
	awk -F' *= *' '$1 == "VERSION" { v = $2 } $1 == "PATCHLEVEL" { p = $2 }
		$1 == "SUBLEVEL" { s = $2 } END { print v "." p "." s }' "$1/Makefile"
}

# check_tree DIR BASE: DIR is a kernel tree of BASE's line (the same x.y).
check_tree() {
	local version wanted
	[[ -d $1 ]] || bad "KSRC=$1: no such folder"
	[[ -f $1/Makefile && -f $1/kernel/sched/fair.c ]] ||
		bad "KSRC=$1 is not a kernel tree: it has no kernel/sched/fair.c"
	version=$(kernel_version "$1") wanted=$(base_value "$2" version)
	[[ ${version%.*} == "${wanted%.*}" ]] ||
		bad "KSRC=$1 is version $version, but patches/$2 is for ${wanted%.*}.y"
}

# folder_id DIR: changes when a file below DIR changes.
folder_id() {
	(cd "$1" && find . -path ./.git -prune -o -type f -printf '%P %s %T@\n' | LC_ALL=C sort) | sha256
}

copy_tree() {
	note "copying $1"
	rsync -a --delete --exclude=/.git --exclude='*.o' --exclude='*.cmd' --exclude=/.config \
		--exclude=/include/config --exclude=/include/generated \
		--exclude='/arch/*/include/generated' "$1/" "$2/"
}

unpack() {
	note "unpacking $(basename "$1")"
	mkdir -p "$2"
	tar -xf "$1" -C "$2" --strip-components=1
}

# debian_tarball BASE: prints the path of the tarball inside the package.
debian_tarball() {
	local package version file
	package=$(base_value "$1" package) version=$(base_value "$1" package_version)
	mkdir -p "$CACHE"
	file=$CACHE/${package}_${version}_all.deb
	if [[ ! -f $file ]]; then
		command -v apt-get >/dev/null || bad "no apt-get here: give a 6.1 tree with KSRC="
		(cd "$CACHE" && apt_download "$package" "$version") >&2
		[[ -f $file ]] || file=$(find "$CACHE" -name "${package}_*_all.deb" -newer "$CACHE/.mark" | head -n 1)
		[[ -n $file ]] || die "$EXIT_BUILD" "apt-get could not download $package: run apt-get update, or set KSRC="
	fi
	mkdir -p "$scratch/deb"
	dpkg-deb -x "$file" "$scratch/deb" ||
		bad "$file is damaged: delete it and run again"
	echo "$scratch/deb/usr/src/$package.tar.xz"
}

# The pinned version when the archive still has it, else the newest.
apt_download() {
	local options=(-q -o APT::Sandbox::User=root)
	touch "$CACHE/.mark"
	run apt-get "${options[@]}" download "$1=$2" && return
	note "the archive no longer has $1 $2: taking the newest"
	run apt-get "${options[@]}" download "$1" && return
	((EUID != 0)) || run apt-get -q update
	run apt-get "${options[@]}" download "$1=$2" || run apt-get "${options[@]}" download "$1" || true
}

# upstream_tarball BASE: prints the path of a checked tarball from kernel.org.
upstream_tarball() {
	local version file url
	version=$(base_value "$1" version)
	file=$CACHE/linux-$version.tar.xz
	if [[ ! -f $file ]]; then
		need curl curl
		url=https://cdn.kernel.org/pub/linux/kernel/v${version%%.*}.x/linux-$version.tar.xz
		mkdir -p "$CACHE"
		run curl -fL --retry 2 --progress-bar -o "$file.part" "$url" >&2 ||
			bad "cannot download $url: put a tree at $CACHE/linux-$version, the tarball at $file, or set KSRC="
		mv "$file.part" "$file"
	fi
	check_sha256 "$1" "$file"
	echo "$file"
}

check_sha256() {
	local wanted got
	wanted=$(base_value "$1" "sha256 $(basename "$2")")
	got=$(sha256 "$2")
	[[ $got == "$wanted" ]] ||
		bad "$2 has sha256 $got, but patches/$1/BASE says $wanted: delete it and run again"
}

# warn_if_other BASE TREE: says when the files to be patched are not those that BASE was made for.
warn_if_other() {
	local file wanted
	while read -r file wanted; do
		[[ -f $2/$file && $(sha256 "$2/$file") == "$wanted" ]] ||
			note "$file differs from $(base_value "$1" version), which the series was made for: offsets are allowed, fuzz is not"
	done < <(sed -n 's/^sha256 \([a-z]*\/[^ ]*\) *= */\1 /p' "$ROOT/patches/$1/BASE")
}

# tree_id BASE: names where the tree comes from; sets origin (a folder, or empty).
tree_id() {
	local base=$1 folder
	origin=''
	folder=$CACHE/linux-$(base_value "$base" version)
	if [[ -n $KSRC ]]; then
		check_tree "$KSRC" "$base"
		origin=$(cd "$KSRC" && pwd)
	elif [[ $(base_value "$base" source) == kernel.org && -d $folder ]]; then
		KSRC=$folder check_tree "$folder" "$base"
		origin=$folder
	fi
	if [[ -n $origin ]]; then
		id="folder $origin $(folder_id "$origin")"
	else
		id="$(base_value "$base" source) $(sha256 "$ROOT/patches/$base/BASE")"
	fi
}

lay_tree() {
	local base=$1 tree=$2 tarball
	need rsync rsync
	need_space "$BUILD" "$TREE_MIB" "a kernel tree"
	rm -rf "$tree" "$tree.part"
	scratch=$(mktemp -d "$BUILD/fetch.XXXXXX")
	trap 'rm -rf "$scratch"' EXIT
	if [[ -n $origin ]]; then
		mkdir -p "$tree.part"
		copy_tree "$origin" "$tree.part"
	else
		case $(base_value "$base" source) in
		debian) tarball=$(debian_tarball "$base") ;;
		*) tarball=$(upstream_tarball "$base") ;;
		esac
		unpack "$tarball" "$tree.part"
	fi
	warn_if_other "$base" "$tree.part"
	echo "$id" >"$tree.part/.cfslb-tree"
	mv "$tree.part" "$tree"
}

main() {
	(($# == 1)) || bad "usage: fetch-kernel.sh BASE"
	check_base "$1"
	take_lock
	local tree=$BUILD/src/$1 id origin
	tree_id "$1"
	if [[ ! -f $tree/.cfslb-tree || $(cat "$tree/.cfslb-tree") != "$id" ]]; then
		mkdir -p "$BUILD/src"
		lay_tree "$1" "$tree"
	fi
	echo "$tree"
}

main "$@"
