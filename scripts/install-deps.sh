#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: install-deps.sh [--check]
#
# Installs the Debian packages that the lab uses. Says what it will install,
# installs only what is missing, and does nothing on a second run.
# --check only says what is missing (exit 2 when something is).
. "$(dirname "$0")/lib.sh"

# Debian 12's own QEMU (7.2) live-locks in replay mode once a second CPU is
# brought up; the first version seen working is in bookworm-backports.
readonly QEMU_NEEDED=10

guest=(busybox-static cpio kmod procps gdb)
kernel=(build-essential bison flex bc libelf-dev libssl-dev xz-utils rsync quilt perl
	gcc-aarch64-linux-gnu g++-aarch64-linux-gnu device-tree-compiler)
host=(cmake nlohmann-json3-dev libcli11-dev libfmt-dev libboost-dev gnuplot-nox libgtest-dev
	pkgconf libglib2.0-dev libncurses-dev)
checks=(shellcheck git util-linux sparse jq python3 python3-prometheus-client)
emulators=(qemu-system-x86 qemu-system-arm)

is_installed() { dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }

qemu_is_new_enough() {
	local version
	version=$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null) || return 1
	dpkg --compare-versions "$version" ge "1:$QEMU_NEEDED"
}

find_missing() {
	local package
	missing=() missing_emulators=()
	for package in "${guest[@]}" "${kernel[@]}" "${host[@]}" "${checks[@]}"; do
		is_installed "$package" || missing+=("$package")
	done
	for package in "${emulators[@]}"; do
		qemu_is_new_enough "$package" || missing_emulators+=("$package")
	done
}

as_root() {
	if ((EUID == 0)); then
		run env DEBIAN_FRONTEND=noninteractive "$@"
	elif command -v sudo >/dev/null; then
		run sudo env DEBIAN_FRONTEND=noninteractive "$@"
	else
		bad "packages are missing and this is not root and has no sudo: run as root: $0"
	fi
}

# has_candidate PACKAGE: apt offers a QEMU that is new enough, in the named release.
has_candidate() {
	apt-cache madison "$1" | awk -F' *[|] *' '{ print $2 }' | while read -r version; do
		dpkg --compare-versions "$version" ge "1:$QEMU_NEEDED" && echo yes && break
	done | grep -q yes
}

add_backports() {
	local list=/etc/apt/sources.list.d/cfslb-backports.list
	note "adding bookworm-backports to $list for QEMU >= $QEMU_NEEDED"
	as_root sh -c "echo 'deb http://deb.debian.org/debian bookworm-backports main' >$list"
	as_root apt-get -q update
}

install_missing() {
	as_root apt-get -q update
	if ((${#missing[@]})); then
		as_root apt-get -q install -y --no-install-recommends "${missing[@]}"
	fi
	((${#missing_emulators[@]})) || return 0
	if has_candidate qemu-system-x86; then :; else add_backports; fi
	local -a release=()
	! apt-cache policy | grep -q 'n=bookworm-backports' || release=(-t bookworm-backports)
	as_root apt-get -q install -y --no-install-recommends "${release[@]}" "${missing_emulators[@]}"
}

main() {
	case ${1:-} in '' | --check) ;; *) bad "unknown argument '$1': usage: install-deps.sh [--check]" ;; esac
	command -v apt-get >/dev/null ||
		bad "no apt-get here: install by hand: ${guest[*]} ${kernel[*]} ${host[*]} ${checks[*]}, QEMU >= $QEMU_NEEDED"
	find_missing
	if ((${#missing[@]} + ${#missing_emulators[@]} == 0)); then
		note "all packages are installed"
		return
	fi
	note "missing: ${missing[*]} ${missing_emulators[*]/%/ (>= $QEMU_NEEDED)}"
	[[ ${1:-} != --check ]] || exit "$EXIT_USAGE"
	install_missing >&2 || die "$EXIT_BUILD" "apt-get failed: see its messages above"
	find_missing
	((${#missing[@]} + ${#missing_emulators[@]} == 0)) ||
		die "$EXIT_BUILD" "still missing after the installation: ${missing[*]} ${missing_emulators[*]}"
}

main "$@"
