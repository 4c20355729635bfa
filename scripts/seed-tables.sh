#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: seed-tables.sh [nodes] [idle]
#
# The two tables with which the faults were reported, measured again on an emulated
# box with and without the series, each in its report's own layout:
#
# nodes  tasks per node and run, 8 and 4 tasks short of a CPU each, all in one cgroup
#        (NORMAL) or two single tasks each in its own (GROUP); the box is numa-8x8
# idle   what the CPUs do second by second with a SCHED_IDLE soaker for each CPU and
#        one normal task; the box is numa-4x4, with 16 CPUs
#
# Default: both. BASE=v6.1 FROM=0 STEP=all SEEDS="1 2 3 4 5"
. "$(dirname "$0")/lib.sh"

: "${BASE:=v6.1}"
: "${FROM:=0}"
: "${STEP:=all}"
: "${SEEDS:=1 2 3 4 5}"
: "${NODES_BOX:=numa-8x8}"
: "${IDLE_BOX:=numa-4x4}"

readonly RUN_SECONDS=12 # a run of NODES; half of it passes before the mean begins
readonly IDLE_SECONDS=12

# guest KERNEL TOPOLOGY SEED OUT TEST: a test that fails is what the tables are about.
guest() {
	"$ROOT/scripts/boot.sh" --kernel "$1" --initramfs "$initramfs" --topology "$2" --seed "$3" --out "$4" \
		--timeout 3000 "${@:5}" || (($? == EXIT_FAIL)) || exit
}

# node_runs KERNEL NAME: one guest a seed, JOBS at a time.
node_runs() {
	local seed running=0
	for seed in $SEEDS; do
		if ((running >= JOBS)); then
			wait -n || exit
			running=$((running - 1))
		fi
		guest "$1" "$NODES_BOX" "$seed" "$out/nodes-$2-$seed" "${node_tests[@]}" &
		running=$((running + 1))
	done
	while ((running)); do
		wait -n || exit
		running=$((running - 1))
	done
}

# node_table NAME RELEASE: a row a run: what ran, tasks on each node, and their spread.
node_table() {
	local seed
	echo "$2"
	for seed in $SEEDS; do
		jq -r --arg seed "$seed" 'select(.type == "result" and .tasks_per_node) |
			"\(.case) \($seed) \(.tasks_per_node | map(tostring) | join(" "))"' "$out/nodes-$1-$seed/results.jsonl"
	done | LC_ALL=C sort -t _ -k 2,2n -k 1,1 -s | awk '{
		split($1, name, "_")
		row = sprintf("hogs_%s_%s_%s", name[2], toupper(name[1]), $2)
		least = most = $3
		printf "%-18s", row
		for (i = 3; i <= NF; i++) {
			printf " %6.2f", $i
			if ($i < least) least = $i
			if ($i > most) most = $i
		}
		printf "   spread %5.2f\n", most - least }'
	echo
}

idle_table() {
	echo "$2"
	sed -n 's/^ *# soakers_n: mpstat //p' "$out/idle-$1/results.ktap"
	sed -n 's/^ *# soakers_n: mpstat //p' "$out/idle-$1/results.ktap" | awk 'NR > 1 {
		for (i = 3; i <= NF; i++) sum[i] += $i
		n++ }
		END {
			printf "Average:"
			for (i = 3; i in sum; i++) printf i == 11 ? " %9.2f" : " %7.2f", sum[i] / n
			print "" }'
	echo
}

nodes() {
	local node_tests=() case
	. "$ROOT/scripts/topology.sh"
	read_topology "$(topology_file "$NODES_BOX")"

	for case in normal_$((topo_cpus - 8)) group_$((topo_cpus - 8)) normal_$((topo_cpus - 4)) group_$((topo_cpus - 4)); do
		node_tests+=(--test "cgroup_spread --case $case --seconds $RUN_SECONDS")
	done
	node_runs "$before" before
	node_runs "$after" after
	{
		node_table before "$(<"$before/release") (step $FROM), $NODES_BOX: tasks of the job on each node, mean of the run"
		node_table after "$(<"$after/release") (step $STEP)"
	} | tee "$out/nodes.txt"
}

idle() {
	local test="sched_idle_fill --case soakers_n --seconds $IDLE_SECONDS"
	guest "$before" "$IDLE_BOX" 1 "$out/idle-before" --test "$test" &
	guest "$after" "$IDLE_BOX" 1 "$out/idle-after" --test "$test"
	wait $! || exit
	{
		idle_table before "$(<"$before/release") (step $FROM), $IDLE_BOX: a SCHED_IDLE soaker for each CPU and one normal task"
		idle_table after "$(<"$after/release") (step $STEP)"
	} | tee "$out/idle.txt"
}

main() {
	local before after initramfs out=$BUILD/tables/$BASE-$FROM-$STEP part
	for part in "$@"; do
		[[ $part == nodes || $part == idle ]] || bad "unknown part '$part': nodes, idle"
	done
	need jq jq
	check_base "$BASE"
	take_lock
	mkdir -p "$out"
	"$ROOT/scripts/build-tools.sh"
	initramfs=$("$ROOT/scripts/build-initramfs.sh")
	before=$("$ROOT/scripts/build-kernel.sh" "$BASE" "$FROM")
	after=$("$ROOT/scripts/build-kernel.sh" "$BASE" "$STEP")
	[[ $# != 0 && " $* " != *" idle "* ]] || idle
	[[ $# != 0 && " $* " != *" nodes "* ]] || nodes
}

main "$@"
