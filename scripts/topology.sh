# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Reads and checks a topology file (scripts/topologies/*.conf) and turns it into
# QEMU arguments. Sourced by boot.sh; Documentation/topologies.md has the format.

readonly NR_CPUS=256 # CONFIG_NR_CPUS of Kconfig.fragment

# expand_list LIST: "0-2,5" -> "0 1 2 5"; fails on anything else.
expand_list() {
	local part cpus=()
	for part in ${1//,/ }; do
		if [[ $part =~ ^([0-9]+)-([0-9]+)$ ]] && ((BASH_REMATCH[1] <= BASH_REMATCH[2])); then
			mapfile -t -O "${#cpus[@]}" cpus < <(seq "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}")
		elif [[ $part =~ ^[0-9]+$ ]]; then
			cpus+=("$part")
		else
			return 1
		fi
	done
	((${#cpus[@]})) && echo "${cpus[@]}"
}

# topology_file NAME-OR-PATH: the path of the file.
topology_file() {
	local file=$ROOT/scripts/topologies/$1.conf
	[[ -f $file ]] || file=$1
	[[ -f $file ]] || bad "unknown topology '$1': scripts/topologies/ has $(
		cd "$ROOT/scripts/topologies" && echo *.conf | sed 's/\.conf//g')"
	echo "$file"
}

positive() { [[ $1 =~ ^[1-9][0-9]{0,3}$ ]]; }

# read_topology FILE: sets topo_* from the file; one clear line on a fault.
read_topology() {
	local file=$1 line key value number=0
	topo_arch='' topo_mode=replay topo_sockets=1 topo_cores=1 topo_threads=1
	topo_memory=2048 topo_nodes=''
	topo_node_lists=() topo_distances=() topo_capacities=() topo_clusters=()
	while IFS= read -r line || [[ -n $line ]]; do
		number=$((number + 1))
		line=${line%%#*}
		[[ -n ${line//[[:space:]]/} ]] || continue
		[[ $line =~ ^[[:space:]]*([a-z]+)[[:space:]]*=[[:space:]]*(.*[^[:space:]])[[:space:]]*$ ]] ||
			bad "$file:$number: not a 'key = value' line: $line"
		key=${BASH_REMATCH[1]} value=${BASH_REMATCH[2]}
		case $key in
		domains) ;; # read by the topology driver in the guest
		arch | mode) printf -v "topo_$key" %s "$value" ;;
		sockets | cores | threads | nodes | memory)
			positive "$value" || bad "$file:$number: $key must be a number from 1 to 9999, not '$value'"
			printf -v "topo_$key" %s "$value"
			;;
		node) topo_node_lists+=("$value") ;;
		distance) topo_distances+=("$value") ;;
		cluster) topo_clusters+=("$value") ;;
		capacity) read -r -a topo_capacities <<<"$value" ;;
		*) bad "$file:$number: unknown key '$key' (known: arch mode sockets cores threads nodes node distance cluster capacity memory domains)" ;;
		esac
	done <"$file"
	check_topology "$file"
}

check_topology() {
	local file=$1
	[[ $topo_arch == x86_64 || $topo_arch == arm64 ]] ||
		bad "$file: arch must be x86_64 or arm64, not '$topo_arch'"
	[[ $topo_mode == replay || $topo_mode == fast ]] ||
		bad "$file: mode must be replay or fast, not '$topo_mode'"
	topo_cpus=$((topo_sockets * topo_cores * topo_threads))
	((topo_cpus <= NR_CPUS)) ||
		bad "$file: $topo_cpus CPUs, but the test kernel is built for NR_CPUS=$NR_CPUS"
	split_nodes "$file"
	check_partition "$file" node "${topo_node_lists[@]}"
	((${#topo_clusters[@]} == 0)) || check_partition "$file" cluster "${topo_clusters[@]}"
	check_distances "$file"
	[[ $topo_arch == arm64 || ${#topo_capacities[@]}${#topo_clusters[@]} == 00 ]] ||
		bad "$file: capacity and cluster need arch = arm64: only a device tree carries them"
	((${#topo_capacities[@]} == 0 || ${#topo_capacities[@]} == topo_cpus)) ||
		bad "$file: ${#topo_capacities[@]} capacities for $topo_cpus CPUs"
	local capacity
	for capacity in ${topo_capacities[@]+"${topo_capacities[@]}"}; do
		positive "$capacity" || bad "$file: capacity '$capacity' is not a number from 1 to 9999"
	done
}

# split_nodes FILE: "nodes = N" means N equal, contiguous parts; no node line at all, one node.
split_nodes() {
	local file=$1 i size
	if ((${#topo_node_lists[@]})); then
		[[ -z $topo_nodes ]] || bad "$file: has both 'nodes' and 'node' lines: use one of them"
		return
	fi
	: "${topo_nodes:=1}"
	((topo_cpus % topo_nodes == 0)) ||
		bad "$file: $topo_cpus CPUs do not split into $topo_nodes equal nodes: use 'node' lines"
	size=$((topo_cpus / topo_nodes))
	for ((i = 0; i < topo_nodes; i++)); do
		topo_node_lists+=("$((i * size))-$((i * size + size - 1))")
	done
}

# check_partition FILE KEY LIST...: the lists must cover every CPU once.
check_partition() {
	local file=$1 key=$2 list cpu cpus count=0
	local -A owner=()
	shift 2
	for list in "$@"; do
		cpus=$(expand_list "$list") || bad "$file: $key = $list is not a CPU list such as 0-3,8-11"
		for cpu in $cpus; do
			((cpu < topo_cpus)) ||
				bad "$file: $key = $list names CPU $cpu, but sockets x cores x threads is $topo_cpus"
			[[ -z ${owner[$cpu]:-} ]] ||
				bad "$file: ${key}s overlap: CPU $cpu is in '${owner[$cpu]}' and in '$list'"
			owner[$cpu]=$list
			count=$((count + 1))
		done
	done
	((count == topo_cpus)) || bad "$file: the ${key}s hold $count of $topo_cpus CPUs"
}

check_distances() {
	local file=$1 nodes=${#topo_node_lists[@]} i j
	((${#topo_distances[@]})) || return 0
	((${#topo_distances[@]} == nodes)) ||
		bad "$file: ${#topo_distances[@]} distance rows for $nodes nodes"
	topo_slit=()
	for ((i = 0; i < nodes; i++)); do
		local row
		read -r -a row <<<"${topo_distances[i]}"
		((${#row[@]} == nodes)) || bad "$file: distance row $i has ${#row[@]} values for $nodes nodes"
		for ((j = 0; j < nodes; j++)); do
			[[ ${row[j]} =~ ^[0-9]+$ ]] && ((row[j] >= 10 && row[j] <= 254)) ||
				bad "$file: distance $i to $j is '${row[j]}', not a number from 10 to 254"
			topo_slit+=("${row[j]}")
		done
	done
	for ((i = 0; i < nodes; i++)); do
		((topo_slit[i * nodes + i] == 10)) || bad "$file: distance of node $i to itself must be 10"
		for ((j = 0; j < i; j++)); do
			((topo_slit[i * nodes + j] == topo_slit[j * nodes + i])) || bad \
				"$file: distances are asymmetric: $j to $i is ${topo_slit[j * nodes + i]}, $i to $j is ${topo_slit[i * nodes + j]}"
		done
	done
}

# topology_qemu_args: fills qemu_topology with -smp, -m and -numa arguments.
topology_qemu_args() {
	local nodes=${#topo_node_lists[@]} i j part size
	size=$((topo_memory / nodes))
	qemu_topology=(-smp "$topo_cpus,sockets=$topo_sockets,cores=$topo_cores,threads=$topo_threads"
		-m "$((size * nodes))M")
	((nodes > 1)) || return 0
	for ((i = 0; i < nodes; i++)); do
		part=${topo_node_lists[i]//,/,cpus=}
		qemu_topology+=(-object "memory-backend-ram,id=mem$i,size=${size}M"
			-numa "node,nodeid=$i,memdev=mem$i,cpus=$part")
	done
	((${#topo_distances[@]})) || return 0
	for ((i = 0; i < nodes; i++)); do
		for ((j = 0; j < nodes; j++)); do
			((i == j)) || qemu_topology+=(-numa "dist,src=$i,dst=$j,val=${topo_slit[i * nodes + j]}")
		done
	done
}
