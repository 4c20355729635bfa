#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: build-kernel.sh BASE [STEP] [ARCH]
#
# Builds the test kernel of BASE with the first STEP patches of its series
# (default: "all"; 0: the base itself) for ARCH (x86_64, the default, or arm64)
# and prints the folder that holds image, config, System.map, vmlinux and, if it
# builds for this kernel, the module (cfslb.ko).
#
# A build is keyed by what goes into it: tree, patches, options, compiler, and
# is not repeated while these are the same. All steps of a base share one object
# folder, so a patched kernel after its base compiles what the patches touch.
# CONFIG_EXTRA=FILE adds a fragment, whose lines win (debug kernels, variants).
# ONLY=kernel/sched/ compiles just that and prints the object folder.
. "$(dirname "$0")/lib.sh"

: "${CONFIG_EXTRA:=}" # a further Kconfig fragment
: "${ONLY:=}"         # a make target instead of the whole kernel

readonly BUILD_MIB=2500 # an object folder of one configuration

set_arch() {
	case $1 in
	x86_64) image=arch/x86/boot/bzImage target=bzImage cross='' ;;
	arm64) image=arch/arm64/boot/Image target=Image cross=aarch64-linux-gnu- ;;
	*) bad "unknown architecture '$1': x86_64 or arm64" ;;
	esac
	[[ $1 != "$(uname -m)" ]] || cross=''
	need "${cross}gcc" "gcc-${cross:+aarch64-linux-gnu}"
}

# fragment BASE ARCH: the lines of Kconfig.fragment that apply and that
# CONFIG_EXTRA does not set otherwise, then those of CONFIG_EXTRA.
fragment() {
	awk -v base="$1" -v arch="$2" '
		function option() { match($0, /CONFIG_[A-Z0-9_]*/); return substr($0, RSTART, RLENGTH) }
		FNR == 1 { file++; on = 1 }
		!/CONFIG_/ && !/^#@/ { next }
		file == 1 && extra { extra_lines = extra_lines $0 "\n"; wins[option()] = 1; next }
		/^#@/ { on = ($2 == base || $2 == arch); next }
		on && !(option() in wins)
		END { printf "%s", extra_lines }' ${CONFIG_EXTRA:+extra=1 "$CONFIG_EXTRA"} extra= "$ROOT/Kconfig.fragment"
}

kmake() {
	# pdeathsig: make does not outlive this script, however it ends.
	setpriv --pdeathsig TERM make -C "$tree" O="$objects" ARCH="$arch" CROSS_COMPILE="$cross" \
		KBUILD_BUILD_USER=cfslb KBUILD_BUILD_HOST=lab KBUILD_BUILD_TIMESTAMP=2020-01-01 \
		KBUILD_BUILD_VERSION=1 "$@"
}

# lost_options CONFIG FRAGMENT: the lines of FRAGMENT that do not hold. An option
# that is to be off may be missing altogether: what it depends on is off as well.
lost_options() {
	awk 'function option() { match($0, /CONFIG_[A-Z0-9_]*/); return substr($0, RSTART, RLENGTH) }
		NR == FNR { line[$0] = 1; if (/=/) set[option()] = 1; next }
		!($0 in line) && (/=/ || option() in set)' "$1" "$2"
}

# configure: tinyconfig plus the fragment; fails with every option that did not survive.
configure() {
	local lost
	fragment "$base" "$arch" >"$objects/fragment"
	if [[ -f $objects/.config ]] && cmp -s "$objects/fragment" "$objects/fragment.done"; then
		return
	fi
	kmake -s tinyconfig >"$objects/log" 2>&1 || failed "tinyconfig"
	cat "$objects/fragment" >>"$objects/.config"
	kmake -s olddefconfig >"$objects/log" 2>&1 || failed "olddefconfig"
	lost=$(lost_options "$objects/.config" "$objects/fragment")
	[[ -z $lost ]] ||
		die "$EXIT_BUILD" "options of Kconfig.fragment that $base $arch did not keep: ${lost//$'\n'/, }"
	cp "$objects/fragment" "$objects/fragment.done"
}

failed() {
	tail -n 20 "$objects/log" >&2
	die "$EXIT_BUILD" "$1 failed for $base step $step $arch: whole log in $objects/log"
}

# compile: the build in the background, a line of progress every ten seconds.
compile() {
	local start=$SECONDS next=$((SECONDS + 10)) pid
	note "building $base step $step for $arch with $JOBS jobs"
	kmake -j"$JOBS" "$target" >"$objects/log" 2>&1 &
	pid=$!
	trap 'kill "$pid" 2>/dev/null || true; wait "$pid" 2>/dev/null || true' EXIT
	while kill -0 "$pid" 2>/dev/null; do
		sleep 0.5
		((SECONDS < next)) || {
			note "$(grep -c '^  [A-Z]' "$objects/log" || true) build steps in $((SECONDS - start)) s"
			next=$((SECONDS + 10))
		}
	done
	wait "$pid" || failed "the build"
	trap - EXIT
	note "built in $((SECONDS - start)) s"
}

# keep: a finished kernel gets its name only when all of it is there.
keep() {
	rm -rf "$kernel.part"
	mkdir -p "$kernel.part"
	cp "$objects/$image" "$kernel.part/image"
	cp "$objects/.config" "$kernel.part/config"
	cp "$objects/System.map" "$kernel.part/"
	cp "$objects/vmlinux" "$kernel.part/"
	cat "$objects/include/config/kernel.release" >"$kernel.part/release"
	echo "$base $step $arch" >"$kernel.part/what"
	mv "$kernel.part" "$kernel"
}

# keep_module: the module for this kernel, built again when its sources change.
# A kernel for which it does not build (one CPU, no probes) is a kernel all the same.
keep_module() {
	local sources
	sources=$(cd "$ROOT/kernel-module" && cat Kbuild ./*.c ./*.h uapi/*.h | sha256 -)
	[[ $(cat "$kernel/module-sources" 2>/dev/null || true) != "$sources" ]] || return 0
	rm -f "$kernel/cfslb.ko"
	if "$ROOT/scripts/build-module.sh" "$base" "$step" "$arch" >/dev/null; then
		"${cross}strip" -g -o "$kernel/cfslb.ko" "$BUILD/module/$base-$step-$arch/cfslb.ko"
	else
		note "guests of this kernel run without counters"
	fi
	echo "$sources" >"$kernel/module-sources"
}

prepare_and_compile() {
	need_space "$BUILD" "$BUILD_MIB" "the objects of a kernel"
	mkdir -p "$objects" "$BUILD/kernels"
	"$ROOT/scripts/apply-series.sh" "$tree" "$base" "$step"
	configure
	compile
}

main() {
	(($# >= 1 && $# <= 3)) || bad "usage: build-kernel.sh BASE [STEP] [ARCH]"
	base=$1 arch=${3:-x86_64}
	check_base "$base"
	local -a series
	mapfile -t series < <(series_patches "$base")
	step=${2:-all}
	[[ $step != all ]] || step=${#series[@]}
	[[ $step =~ ^[0-9]+$ ]] && ((step <= ${#series[@]})) ||
		bad "STEP=$step: patches/$base has steps 0 to ${#series[@]}"
	[[ -z $CONFIG_EXTRA || -f $CONFIG_EXTRA ]] || bad "CONFIG_EXTRA=$CONFIG_EXTRA: no such file"
	set_arch "$arch"
	take_lock
	tree=$("$ROOT/scripts/fetch-kernel.sh" "$base")
	local options key
	options=$({ fragment "$base" "$arch" && cat "$tree/.cfslb-tree" && "${cross}gcc" --version; } | sha256 -)
	key=$({ echo "$options" && for name in "${series[@]:0:step}"; do patch_code "$ROOT/patches/$base/$name"; done; } | sha256 -)
	objects=$BUILD/obj/$base-$arch-${options:0:8}
	kernel=$BUILD/kernels/$base-$step-$arch-${key:0:12}
	if [[ -n $ONLY ]]; then
		target=$ONLY
		prepare_and_compile
		echo "$objects"
		return
	fi
	if [[ ! -d $kernel ]]; then
		prepare_and_compile
		keep
	fi
	keep_module
	echo "$kernel"
}

main "$@"
