#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: bench-balance.sh
#
# Guest instructions of one load_balance() pass that finds the domain balanced, by
# size of the box, domain and idle type, for several kernels side by side. A plugin
# of QEMU's counts them (tools/callcost), nothing in the guest is changed. Prints a
# table of medians; all counts are in build/bench/balance/*.json.
#
# KERNELS="v5.4:0 v5.4:all v6.1:0 v6.1:all"   BASE:STEP
# SIZES="8 16 32 64"                          CPUs, on nodes of 8
# LOADS="half full over sleepers"             what the CPUs do meanwhile
# MODULE=yes                                  with the module loaded, as it is by default
. "$(dirname "$0")/lib.sh"
. "$ROOT/scripts/topology.sh"

: "${KERNELS:=v5.4:0 v5.4:all v6.1:0 v6.1:all}"
: "${SIZES:=8 16 32 64}"

: "${LOADS:=half full over sleepers}"
: "${MODULE:=no}"

# Half of the CPUs busy: idle passes. All busy, and more than busy: busy passes. Tasks
# that sleep and wake: newly idle ones.
declare -A tests=(
	[half]="even_spread --case half --seconds 3"
	[full]="even_spread --case full --seconds 3"
	[over]="even_spread --case quarter_over --seconds 3"
	[sleepers]="wakeup_spread --seconds 3"
)

# level_offset OBJECTS: of sched_domain::level in bytes, from the compiler's command line
# for fair.c with a file of our own in its place.
level_offset() {
	local command probe
	command=$(sed -n 's/^\(saved\)\?cmd_kernel\/sched\/fair.o := //p' "$1/kernel/sched/.fair.o.cmd" | sed 's/;.*//')
	command=${command% -c -o *}
	[[ -n $command ]] || die "$EXIT_BUILD" "$1/kernel/sched/.fair.o.cmd does not tell how fair.c is compiled"
	probe='#include <linux/sched/topology.h>
		unsigned long offset_of_level = __builtin_offsetof(struct sched_domain, level);'
	(cd "$1" && eval "$command -S -o - -x c -" <<<"$probe" 2>/dev/null) |
		awk '/^offset_of_level:/ { getline; print $2 }'
}

# one_run BASE STEP CPUS: leaves build/bench/balance/BASE-STEP-CPUS.json.
one_run() {
	local kernel objects level start box=$out/box-$3.conf arguments=() name
	kernel=$("$ROOT/scripts/build-kernel.sh" "$1" "$2")
	objects=$(ONLY=kernel/sched/ "$ROOT/scripts/build-kernel.sh" "$1" "$2")
	level=$(level_offset "$objects")
	start=$(awk '$3 == "load_balance" { print $1 }' "$kernel/System.map")
	[[ -n $start && -n $level ]] || die "$EXIT_BUILD" "$1 step $2: no load_balance in $kernel/System.map, or no struct sched_domain"
	printf 'arch = x86_64\nmode = replay\nmemory = 4096\nsockets = %d\ncores = 8\nnodes = %d\n' \
		$(($3 / 8)) $(($3 / 8)) >"$box"
	for name in $LOADS; do arguments+=(--test "${tests[$name]}"); done
	[[ $MODULE == no ]] || arguments+=(--module "$kernel/cfslb.ko")
	# A placement that fails here is another command's concern.
	"$ROOT/scripts/boot.sh" --kernel "$kernel" --initramfs "$initramfs" --topology "$box" --timeout 3000 --counters no \
		--out "$out/$1-$2-$3" "${arguments[@]}" \
		--plugin "$BUILD/tools/callcost/libcallcost.so,entry=0x$start,level=$level,out=$out/$1-$2-$3.json" >&2 ||
		(($? == EXIT_FAIL)) || exit
	[[ -s $out/$1-$2-$3.json ]] || die "$EXIT_BUILD" "the plugin left nothing: see $out/$1-$2-$3/qemu.log"
}

# median FILE LEVEL IDLE-TYPE: of the passes that ended balanced; "-" when there was none.
median() {
	jq -rs --argjson level "$2" --arg type "$3" '[.[] | select(.level == $level and .idle_type == $type and
		.outcome == "balanced") | .instructions[]] | sort | if length == 0 then "-" else .[length / 2 | floor] end' "$1"
}

table() {
	local kernel cpus level type file levels first=${KERNELS%% *}
	printf '%4s  %-6s  %-10s' CPUs domain pass
	for kernel in $KERNELS; do printf '  %12s' "$kernel"; done
	echo
	for cpus in $SIZES; do
		mapfile -t levels < <(jq -s 'map(.level) | unique | .[]' "$out/${first/:/-}-$cpus.json")
		for ((level = 0; level < ${#levels[@]}; level++)); do
			for type in idle newly_idle busy; do
				printf '%4d  %-6s  %-10s' "$cpus" "$( ((level)) && echo nodes || echo LLC)" "$type"
				for kernel in $KERNELS; do
					file=$out/${kernel/:/-}-$cpus.json
					printf '  %12s' "$(median "$file" "$(jq -s "map(.level) | unique | .[$level]" "$file")" "$type")"
				done
				echo
			done
		done
	done
}

main() {
	(($# == 0)) || bad "bench-balance.sh takes no arguments: set KERNELS= and SIZES="
	local out=$BUILD/bench/balance initramfs kernel cpus load
	need jq jq
	for cpus in $SIZES; do
		[[ $cpus =~ ^[0-9]+$ ]] && ((cpus > 0 && cpus % 8 == 0)) || bad "SIZES='$SIZES' must be multiples of 8"
	done
	for load in $LOADS; do
		[[ -n ${tests[$load]:-} ]] || bad "unknown load '$load' in LOADS: ${!tests[*]}"
	done
	for kernel in $KERNELS; do
		[[ $kernel == *:* ]] || bad "KERNELS='$KERNELS' must be BASE:STEP pairs"
		check_base "${kernel%:*}"
	done
	[[ $MODULE == yes || $MODULE == no ]] || bad "MODULE='$MODULE' must be yes or no"
	take_lock
	mkdir -p "$out"
	"$ROOT/scripts/build-tools.sh"
	[[ -f $BUILD/tools/callcost/libcallcost.so ]] || bad "the plugin was not built: install libglib2.0-dev and run again"
	initramfs=$("$ROOT/scripts/build-initramfs.sh")
	for kernel in $KERNELS; do
		for cpus in $SIZES; do
			note "$kernel on $cpus CPUs"
			one_run "${kernel%:*}" "${kernel#*:}" "$cpus"
		done
	done
	table
}

main "$@"
