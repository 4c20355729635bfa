#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: bench-module.sh [tables]
#
# What the module costs, in guest instructions: workloads in a guest without it, with
# each of its levels, and while bpftrace or perf sched record count the same
# (kernel-module/tests/cost.sh has the workloads and modes). A guest in replay mode
# counts time in instructions of all its CPUs, and these workloads leave no moment in
# which all CPUs idle, so time is cost. A seed is a guest; a change is against the same
# guest without module, median and range of the seeds. The mode "again" is without the module as
# well: it shows what differs with the schedule alone. Prints tables; all figures are in
# build/bench/module.json. "tables": only that, of the guests that ran before.
#
# KERNELS="v5.4:0 v5.4:all v6.1:0 v6.1:all"
#     BASE:STEP, a folder with image and cfslb.ko, or /boot/vmlinuz-RELEASE of a Debian
#     kernel whose headers are installed; only the latter runs bpftrace
# TOPOLOGY=smt-2x2x2 SEEDS="1 2 3"
# MODES="none off 0 1 2 lb all perf bpf_0 bpf_1 bpf_2 bpf_lb again"
. "$(dirname "$0")/lib.sh"
. "$ROOT/scripts/topology.sh"
. "$ROOT/scripts/programs.sh"

: "${KERNELS:=v5.4:0 v5.4:all v6.1:0 v6.1:all}"
: "${TOPOLOGY:=smt-2x2x2}"
: "${SEEDS:=1 2 3}"
: "${MODES:=none off 0 1 2 lb all perf bpf_0 bpf_1 bpf_2 bpf_lb again}"

# name_of KERNEL: its release, or what it was given as.
name_of() {
	case $1 in
	*/vmlinuz-*) echo "${1##*/vmlinuz-}" ;;
	*/*) cat "$1/release" 2>/dev/null || bad "KERNELS: $1 is no folder of a kernel" ;;
	*) echo "$1" ;;
	esac
}

# stock_kernel PATH: lays out a folder as build-kernel.sh does.
stock_kernel() {
	local release=${1##*/vmlinuz-} file
	mkdir -p "$folder"
	cp "$1" "$folder/image"
	for file in config System.map; do
		[[ ! -f ${1%/*}/$file-$release ]] || cp "${1%/*}/$file-$release" "$folder/$file"
	done
	echo "$release" >"$folder/release"
}

# find_kernel KERNEL: sets folder (image, release) and module.
find_kernel() {
	case $1 in
	*/vmlinuz-*)
		folder=$out/kernel-$name
		stock_kernel "$1"
		module=$("$ROOT/scripts/build-module.sh" "/usr/src/linux-headers-$name")
		;;
	*/*) folder=$1 module=$1/cfslb.ko ;;
	*)
		folder=$("$ROOT/scripts/build-kernel.sh" "${1%:*}" "${1#*:}")
		module=$folder/cfslb.ko
		;;
	esac
	[[ -f $folder/image && -f $module ]] || bad "KERNELS: $1 has no image or no module (cfslb.ko)"
}

# modes_of FOLDER: bpftrace needs a kernel that was built for it.
modes_of() {
	local mode
	for mode in $MODES; do
		[[ $mode == bpf_* ]] && ! grep -q '^CONFIG_BPF_EVENTS=y' "$1/config" 2>/dev/null || printf '%s ' "$mode"
	done
}

pack() {
	local root=$out/root
	rm -rf "$root"
	add_program "$root" perf linux-perf
	add_program "$root" hackbench rt-tests
	[[ $MODES != *bpf_* ]] || add_program "$root" bpftrace bpftrace
	pack_root "$root" "$out/programs.cpio"
	rm -rf "$root"
	cat "$("$ROOT/scripts/build-initramfs.sh")" "$out/programs.cpio" >"$out/initramfs.cpio"
	rm "$out/programs.cpio"
}

# one_guest SEED: leaves its figures in NAME-SEED.jsonl, an object a line.
one_guest() {
	local dir=$out/$name-$1 shift
	rm -rf "$dir" "$dir.jsonl"
	INITRAMFS=$out/initramfs.cpio "$ROOT/kernel-module/tests/run.sh" --kernel "$folder" --module "$module" --out "$dir" \
		--topology "$TOPOLOGY" --timeout 3000 --limit 3000 --test "cost $1 $(modes_of "$folder")" >&2 || exit
	rm "$dir/initramfs.cpio"
	dir=$dir/$(basename "$TOPOLOGY" .conf)
	shift=$(sed -n 's/.*-icount shift=\([0-9]*\).*/\1/p' "$dir/command")
	sed -n 's/^ *# cost //p' "$dir/results.ktap" |
		jq -c --arg kernel "$name" --arg topology "$TOPOLOGY" --argjson seed "$1" --argjson per "$((1 << shift))" \
			'{kernel: $kernel, topology: $topology, seed: $seed} + . + {instructions: (.ns / $per)} | del(.ns)' >"$out/$name-$1.jsonl"
}

run_guests() {
	local folder module name kernel seed
	"$ROOT/scripts/build-tools.sh"
	pack
	for kernel in $KERNELS; do
		name=$(name_of "$kernel")
		find_kernel "$kernel"
		for seed in $SEEDS; do one_guest "$seed"; done
	done
}

# collect: one array of all figures.
collect() {
	local kernel seed name files=()
	for kernel in $KERNELS; do
		name=$(name_of "$kernel")
		for seed in $SEEDS; do
			[[ -f $out/$name-$seed.jsonl ]] || bad "$kernel was not measured with seed $seed: run without 'tables'"
			files+=("$out/$name-$seed.jsonl")
		done
	done
	jq -s . "${files[@]}" >"$out.json"
}

# shellcheck disable=SC2016 # jq's variables
# For the tables: of one kernel and mode, and the guest of the same seed without the module.
readonly JQ='
	def median: sort | (.[((length - 1) / 2 | floor)] + .[(length / 2 | floor)]) / 2;
	def round_to($n): . * $n | round / $n;
	def pairs($w): . as $all | map(select(.mode == $mode and .workload == $w)) | map(. as $run | {run: $run,
		base: ($all[] | select(.mode == "none" and .workload == $w and .seed == $run.seed))});
	def more: .run.instructions - .base.instructions;
	def change($w): pairs($w) | map(more / .base.instructions * 100) |
		"\(median | round_to(100))|(\(min | round_to(100)) to \(max | round_to(100)))";
	def each($w; $n): pairs($w) | map(more / $n) | median | round;
	# Constants of events: instructions more for one, in the mode that adds it.
	def cost_of($m; $w; $n): map(select(.workload == $w)) | . as $all | map(select(.mode == $m) | . as $run |
		(.instructions - ($all[] | select(.mode == "none" and .seed == $run.seed) | .instructions)) / $n) | median;
	def wake_and_switch($m): cost_of($m; "pipe_one_cpu"; 20000);
	def more_when_idle($m): cost_of($m; "pipe_two_cpus"; 20000) - wake_and_switch($m);
	def of_events($w): if any(.mode == $mode) and ($mode | test("^(0|1|2|lb|all)$")) then
			(if $mode != "lb" then cost_of("0"; "move"; 2000) else 0 end) as $migration |
			(if $mode == "1" then wake_and_switch("1") elif $mode == "2" or $mode == "all"
				then wake_and_switch("2") - more_when_idle("2") else 0 end) as $wake |
			(if $mode == "2" or $mode == "all" then more_when_idle("2") else 0 end) as $switch |
			(if $mode == "lb" or $mode == "all" then more_when_idle("lb") else 0 end) as $probe |
			map(select(.mode == $mode and .workload == $w) | ((.migrations // 0) * $migration + (.wakeups // 0) * $wake +
				.switches * $switch + ((.newidle // 0) + (.passes // 0)) * $probe) as $more |
				$more / (.instructions - $more) * 100) | median | round_to(100)
		else "-" end;'

# by_mode KERNEL HEADING EXPRESSION: one line a mode; the expression gives its columns.
by_mode() {
	local mode
	{
		echo "$2"
		for mode in $MODES; do
			jq -r --arg kernel "$1" --arg mode "$mode" "$JQ map(select(.kernel == \$kernel)) |
				select(any(.mode == \$mode)) | \"\(\$mode)|$3\"" "$out.json"
		done
	} | column -t -s '|'
	echo
}

tables() {
	local kernel name
	for kernel in $KERNELS; do
		name=$(name_of "$kernel")
		echo "$name, $TOPOLOGY, seeds $SEEDS"
		by_mode "$name" 'mode|pipe, %|(range)|hackbench, %|(range)|of its events, %|on one CPU, %|(range)' \
			'\(change("pipe"))|\(change("hackbench"))|\(of_events("hackbench"))|\(change("hackbench_one_cpu"))'
		echo "instructions more for each"
		by_mode "$name" 'mode|wake-up and switch|the same, CPUs idle|migration|fork' \
			'\(each("pipe_one_cpu"; 20000))|\(each("pipe_two_cpus"; 20000))|\(each("move"; 2000))|\(each("fork"; 2000))'
	done
}

check_options() {
	local seed mode kernel
	topology_file "$TOPOLOGY" >/dev/null
	for seed in $SEEDS; do [[ $seed =~ ^[1-9][0-9]*$ ]] || bad "SEEDS='$SEEDS' must be positive numbers"; done
	for mode in $MODES; do
		[[ $mode =~ ^(none|off|0|1|2|lb|all|perf|bpf_(0|1|2|lb)|again)$ ]] || bad "unknown mode '$mode' in MODES: see the head of $0"
	done
	[[ " $MODES " == *" none "* ]] || bad "MODES='$MODES' lacks none, which all others are compared with"
	for kernel in $KERNELS; do
		[[ $kernel == */* ]] || { [[ $kernel == *:* ]] && check_base "${kernel%:*}"; } ||
			bad "KERNELS: '$kernel' is neither BASE:STEP nor a path"
		[[ $kernel != */* || -e $kernel ]] || bad "KERNELS: $kernel: no such kernel"
	done
}

main() {
	(($# == 0)) || [[ $# == 1 && $1 == tables ]] ||
		bad "bench-module.sh takes no arguments but 'tables': set KERNELS=, TOPOLOGY=, SEEDS=, MODES="
	local out=$BUILD/bench/module
	need jq jq
	check_options
	take_lock
	mkdir -p "$out"
	(($#)) || run_guests
	collect
	tables
}

main "$@"
