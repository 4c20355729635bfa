#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: apply-series.sh TREE BASE [STEP]
#
# Brings the kernel tree TREE to the first STEP patches of patches/BASE/series
# (default: all; 0: none) with quilt and zero fuzz. When a patch does not
# apply, names it and its hunk and leaves the tree as it was.
. "$(dirname "$0")/lib.sh"

in_tree() { (cd "$tree" && QUILT_PATCHES=$patches quilt --quiltrc=- "$@"); }

applied() { cat "$tree/.pc/applied-patches" 2>/dev/null || true; }

# state LIST: what the tree holds after these patches: their names and what they change.
state() {
	local name
	while read -r name; do
		[[ -z $name ]] || echo "$name $(patch_code "$patches/$name" | sha256 -)"
	done <<<"$1"
}

check_patches() {
	local name
	for name in "${series[@]}"; do
		[[ -f $patches/$name ]] || bad "patches/$base/series names $name, which is not there"
	done
}

pop_all() {
	[[ -z $(applied) ]] || in_tree pop -a -f -q >/dev/null
	rm -rf "$tree/.pc" "$tree/.cfslb-applied"
}

# push COUNT: applies that many patches or fails with the first hunk that does not fit.
push() {
	local count=$1 log=$work/log name hunk
	if ! in_tree push --fuzz=0 "$count" >"$log" 2>&1; then
		name=$(sed -n 's/^Applying patch //p' "$log" | tail -n 1)
		name=${name##*/}
		hunk=$(grep -m 1 -E 'Hunk #[0-9]+ (FAILED|NOT MERGED)|cannot find|No file to patch|malformed' "$log" || tail -n 1 "$log")
		restore
		bad "$name does not apply to $tree: ${hunk:-see $log}; the tree is as it was"
	fi
}

# restore: brings back what was applied before.
restore() {
	pop_all
	((${#before[@]} == 0)) || in_tree push --fuzz=0 "${#before[@]}" >/dev/null 2>&1 || true
	[[ -z $before_state ]] || echo "$before_state" >"$tree/.cfslb-applied"
}

main() {
	(($# == 2 || $# == 3)) || bad "usage: apply-series.sh TREE BASE [STEP]"
	tree=$1 base=$2
	check_base "$base"
	need quilt quilt
	[[ -f $tree/kernel/sched/fair.c ]] || bad "$tree is not a kernel tree: it has no kernel/sched/fair.c"
	tree=$(cd "$tree" && pwd) patches=$ROOT/patches/$base
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	mapfile -t series < <(series_patches "$base")
	check_patches
	local step=${3:-${#series[@]}} before_state wanted
	local -a before
	[[ $step =~ ^[0-9]+$ ]] && ((step <= ${#series[@]})) ||
		bad "STEP=$step: patches/$base has steps 0 to ${#series[@]}"
	mapfile -t before < <(applied)
	before_state=$(cat "$tree/.cfslb-applied" 2>/dev/null || true)
	wanted=$(state "$(printf '%s\n' "${series[@]:0:step}")")
	[[ $before_state != "$wanted" ]] || return 0
	pop_all
	((step == 0)) || push "$step"
	[[ -z $wanted ]] || echo "$wanted" >"$tree/.cfslb-applied"
	note "$step of ${#series[@]} patches of $base applied to $tree"
}

main "$@"
