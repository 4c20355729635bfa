#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: boot.sh --kernel DIR --initramfs FILE --topology NAME|FILE --out DIR
#                [--seed N] [--test "DRIVER ARGS"]... [--expect FILE]
#                [--timeout S] [--limit S] [--cgroup v1|v2] [--append TEXT] [--plugin SPEC]
#                [--module FILE] [--counters yes|no] [--shell]
#
# Boots one guest and leaves in DIR: results (as they came over the second serial
# port), results.ktap and results.jsonl (the same, split), console, qemu.log,
# verdict, command. Exit codes: Documentation/testing.md.
#
# --seed N     replay seed: another number is another, equally repeatable schedule
# --timeout S  host seconds until a guest counts as hung (default 900)
# --limit S    guest seconds that one driver may take (default 120)
# --plugin S   a plugin of QEMU's, FILE,KEY=VALUE,...; the guest's schedule stays the same
# --module F   a kernel module for this guest, loaded before the drivers
# --counters   load cfslb.ko from the kernel's folder, if it is there, and add what
#              it counts during each driver to the results (default yes)
. "$(dirname "$0")/lib.sh"
. "$ROOT/scripts/topology.sh"

: "${QEMU_X86:=qemu-system-x86_64}"
: "${QEMU_ARM:=qemu-system-aarch64}"
: "${PROGRESS_EVERY:=10}" # seconds between lines of progress when stderr is no terminal

readonly CACHE_PHANDLE=4096 # above the handles that QEMU gives out (32768 on, and low numbers)
readonly QEMU_APIC_HZ=1000000000 # of the emulated local APIC's timer
readonly QEMU_NEEDED=10 # older ones live-lock in replay mode with a second CPU

parse_options() {
	kernel='' initramfs='' topology='' out='' seed=1 expect='' timeout=900 limit=120
	cgroup=v2 append="" plugin="" module="" counters=yes interactive=no tests=()
	while (($#)); do
		case $1 in
		--shell)
			interactive=yes
			shift
			continue
			;;
		--kernel | --initramfs | --topology | --out | --seed | --test | --expect | --timeout | --limit | --cgroup | --append | --plugin | --module | --counters)
			(($# >= 2)) || bad "$1 needs a value" ;;
		*) bad "unknown argument '$1': see the head of $0" ;;
		esac
		case $1 in
		--test) tests+=("$2") ;;
		*) printf -v "${1#--}" %s "$2" ;;
		esac
		shift 2
	done
	[[ -n $kernel && -n $initramfs && -n $topology && -n $out ]] ||
		bad "--kernel, --initramfs, --topology and --out are needed"
	[[ -f $kernel/image ]] || bad "$kernel holds no kernel: it comes from build-kernel.sh"
	[[ -f $initramfs ]] || bad "$initramfs is missing: it comes from build-initramfs.sh"
	[[ -z $expect || -f $expect ]] || bad "--expect $expect: no such file"
	[[ -z $module || -f $module ]] || bad "--module $module: no such file"
	local number
	for number in seed timeout limit; do
		[[ ${!number} =~ ^[0-9]+$ ]] && ((${!number} > 0)) || bad "--$number must be a positive number, not '${!number}'"
	done
	[[ $cgroup == v1 || $cgroup == v2 ]] || bad "--cgroup must be v1 or v2, not '$cgroup'"
	[[ $counters == yes || $counters == no ]] || bad "--counters must be yes or no, not '$counters'"
	[[ $interactive == yes ]] || ((${#tests[@]})) || bad "no --test given"
}

check_qemu() {
	local version
	case $topo_arch in
	x86_64) qemu=$QEMU_X86 ;;
	arm64) qemu=$QEMU_ARM ;;
	esac
	need "$qemu" "qemu-system-${topo_arch/x86_64/x86}"
	version=$("$qemu" --version | sed -n 's/.*version \([0-9]*\)\..*/\1/p')
	((version >= QEMU_NEEDED)) ||
		bad "$qemu is version $version, but replay needs QEMU >= $QEMU_NEEDED (older ones live-lock): run scripts/install-deps.sh"
}

# run_files: what the guest is told, as a second archive behind the initramfs.
run_files() {
	local dir=$scratch/root
	mkdir -p "$dir/etc/cfslb"
	cat >"$dir/etc/cfslb/run.conf" <<-END
		topology=$box
		seed=$seed
		limit=$limit
		cgroup=$cgroup
		interactive=$interactive
	END
	printf '%s\n' "${tests[@]}" >"$dir/etc/cfslb/tests"
	cp "$topology_path" "$dir/etc/cfslb/topology.conf"
	[[ $counters == no || ! -f $kernel/cfslb.ko ]] || cp "$kernel/cfslb.ko" "$dir/etc/cfslb/"
	if [[ -n $module ]]; then
		mkdir -p "$dir/cfslb"
		cp "$module" "$dir/cfslb/"
	fi
	find "$dir" -exec touch -h -d @0 {} +
	(cd "$dir" && find -- * | LC_ALL=C sort | cpio -o -H newc -R 0:0 --reproducible --quiet) >"$scratch/run.cpio"
	cat "$initramfs" "$scratch/run.cpio" >"$scratch/initrd"
}

# accelerator: replay counts virtual time in instructions, so that a run repeats
# byte for byte; fast gives each CPU a thread of the host.
accelerator() {
	if [[ $topo_mode == replay ]]; then
		qemu_args+=(-accel "tcg,thread=single" -icount "shift=1,sleep=off" -seed "$seed"
			-rtc "base=2020-01-01,clock=vm")
	else
		qemu_args+=(-accel "tcg,thread=multi")
	fi
}

machine_x86_64() {
	# Nehalem: an Intel model, so that leaf 4 tells the LLC and leaf 11 the
	# threads, with hardly a feature that the emulator lacks. rdtscp carries
	# the CPU number to user space.
	qemu_args+=(-machine pc -cpu "Nehalem,+rdtscp")
	command_line="console=ttyS0 tsc=reliable cpu_init_udelay=0 no_timer_check"
}

machine_arm64() {
	qemu_args+=(-machine "virt,gic-version=3" -cpu cortex-a57)
	command_line="console=ttyAMA0"
}

# device_tree: QEMU's own tree, given the capacities and clusters of the file,
# each cluster with a cache of its own: 6.1 builds the MC domain from caches.
# The cpu-map starts with clusters: 5.4 does not know the sockets QEMU writes
# above them, and then silently leaves every capacity at 1024.
device_tree() {
	local dtb=$scratch/dtb cluster cpu cpus core n=0 phandle cache
	need fdtput device-tree-compiler
	"$qemu" "${qemu_args[@]}" -machine "dumpdtb=$dtb" >"$out/qemu.log" 2>&1 ||
		die "$EXIT_BUILD" "QEMU gave no device tree: $(tail -n 1 "$out/qemu.log")"
	for ((cpu = 0; cpu < ${#topo_capacities[@]}; cpu++)); do
		fdtput -t i "$dtb" "/cpus/cpu@$cpu" capacity-dmips-mhz "${topo_capacities[cpu]}"
	done
	if ((${#topo_clusters[@]})); then
		fdtput -r "$dtb" /cpus/cpu-map
		for cluster in "${topo_clusters[@]}"; do
			cpus=$(expand_list "$cluster") core=0 cache=/cpus/l2-cache$n
			fdtput -p -t s "$dtb" "$cache" compatible cache
			fdtput -t i "$dtb" "$cache" cache-level 2
			fdtput -t s "$dtb" "$cache" cache-unified ''
			fdtput -t i "$dtb" "$cache" phandle $((CACHE_PHANDLE + n))
			for cpu in $cpus; do
				phandle=$(fdtget -t i "$dtb" "/cpus/cpu@$cpu" phandle)
				fdtput -p -t i "$dtb" "/cpus/cpu-map/cluster$n/core$core" cpu "$phandle"
				fdtput -t i "$dtb" "/cpus/cpu@$cpu" next-level-cache $((CACHE_PHANDLE + n))
				core=$((core + 1))
			done
			n=$((n + 1))
		done
	fi
	qemu_args+=(-dtb "$dtb")
}

build_command() {
	local ports
	preset=no
	topology_qemu_args
	qemu_args=(-nodefaults -no-user-config -display none -no-reboot)
	"machine_$topo_arch"
	accelerator
	qemu_args+=("${qemu_topology[@]}")
	if [[ $interactive == yes ]]; then
		ports=(-serial mon:stdio)
	else
		ports=(-serial "file:$out/console" -serial "file:$out/results")
	fi
	qemu_args+=("${ports[@]}")
	((${#topo_capacities[@]} + ${#topo_clusters[@]} == 0)) || device_tree
	command_line+=" nokaslr mitigations=off lpj=2000000 panic=-1 panic_on_warn=1"
	if [[ $topo_mode == replay ]]; then
		command_line+=" softlockup_panic=1"
	else
		# Guest CPUs wait for host CPUs there, which looks like a lockup and is none.
		command_line+=" nosoftlockup rcupdate.rcu_cpu_stall_suppress=1"
	fi
	command_line+=" rdinit=/init ${append}"
	[[ -z $plugin ]] || qemu_args+=(-plugin "$plugin")
	prepare_preset
	qemu_args+=(-kernel "$kernel/image" -initrd "$scratch/initrd" -append "$command_line")
	printf '%q ' "$qemu" "${qemu_args[@]}" >"$out/command"
}

# progress: one line on what the guest has done so far. No command substitution
# here, nor in the loop around it: bash 5.2 misreads the text of a trap that a
# signal starts while it parses one.
progress() {
	local line count
	grep -Ec '^(not )?ok ' "$out/results" >"$scratch/count" || true
	read -r count <"$scratch/count"
	line="$box seed $seed: $((SECONDS - started)) s, $count of ${#tests[@]} drivers done"
	if [[ -t 2 ]]; then
		printf '\r%s: %s ' "$me" "$line" >&2
	elif ((SECONDS >= next_line)); then
		note "$line"
		next_line=$((SECONDS + PROGRESS_EVERY))
	fi
}

# symbol NAME: its address in the kernel, or nothing.
symbol() { awk -v name="$1" '$3 == name { print "0x" $1; exit }' "$kernel/System.map" 2>/dev/null || true; }

# prepare_preset: has the guest stop before its first instruction, if its timer is to be preset.
#
# The kernel calibrates the APIC timer against the TSC for 100 ms of busy waiting. With
# one thread for all CPUs each "pause" of that loop hands over to every other CPU,
# which takes two thirds of the host time of a boot. The result is known: QEMU's timer
# counts nanoseconds. A debugger writes it where the kernel looks for it first.
prepare_preset() {
	[[ $topo_arch == x86_64 && $topo_mode == replay && $interactive == no ]] || return 0
	preset_at=$(symbol setup_boot_APIC_clock) preset_what=$(symbol lapic_timer_period)
	preset_hz=$(sed -n 's/^CONFIG_HZ=//p' "$kernel/config" 2>/dev/null || true)
	[[ -n $preset_at && -n $preset_what && -n $preset_hz ]] || return 0
	need gdb gdb
	qemu_args+=(-S -gdb "unix:$scratch/gdb,server=on,wait=off")
	preset=yes
}

# preset_timer: lets the guest start, stops it once, writes the timer's frequency, lets go.
preset_timer() {
	local code=0
	while [[ ! -S $scratch/gdb ]]; do
		kill -0 "$guest" 2>/dev/null || return 0
		sleep 0.02
	done
	setpriv --pdeathsig KILL -- timeout "$timeout" gdb -nx -batch -ex 'set architecture i386:x86-64' \
		-ex "target remote $scratch/gdb" -ex "hbreak *$preset_at" -ex continue \
		-ex "set {unsigned int}$preset_what = $((QEMU_APIC_HZ / preset_hz))" -ex delete -ex detach \
		</dev/null >"$out/gdb.log" 2>&1 &
	wait $! || code=$?
	# A guest that died on the way is judged like any other.
	((code == 0)) || ! kill -0 "$guest" 2>/dev/null ||
		die "$EXIT_BUILD" "the debugger could not preset the guest's timer: see $out/gdb.log"
}

# run_guest: the guest dies with this script, however the script ends.
run_guest() {
	local next_line=$((SECONDS + PROGRESS_EVERY))
	started=$SECONDS hung=no qemu_code=0
	setpriv --pdeathsig KILL -- "$qemu" "${qemu_args[@]}" </dev/null >"$out/qemu.log" 2>&1 &
	guest=$!
	[[ $preset == no ]] || preset_timer
	while kill -0 "$guest" 2>/dev/null; do
		sleep 0.2
		progress
		if ((SECONDS - started >= timeout)); then
			hung=yes
			kill -KILL "$guest" 2>/dev/null || true
		fi
	done
	wait "$guest" || qemu_code=$?
	guest=''
	[[ ! -t 2 ]] || printf '\r\033[K' >&2
	[[ $hung == yes || -s $out/console || $qemu_code == 0 ]] ||
		die "$EXIT_BUILD" "QEMU did not start: $(tail -n 1 "$out/qemu.log")"
}

judge() {
	local arguments=("$out/results" --console "$out/console" --qemu-exit "$qemu_code"
		--json-out "$out/results.jsonl" --ktap-out "$out/results.ktap") code=0
	[[ $hung == no ]] || arguments+=(--killed-by-timeout)
	[[ -z $expect ]] || arguments+=(--expect "$expect")
	"$BUILD/tools/lbverdict" "${arguments[@]}" >"$out/verdict.part" 2>&1 || code=$?
	mv "$out/verdict.part" "$out/verdict"
	note "$box seed $seed: $(tail -n 1 "$out/verdict") ($((SECONDS - started)) s)"
	return "$code"
}

cleanup() {
	# wait: bash would announce the job's death.
	[[ -z ${guest:-} ]] || { kill -KILL "$guest" && wait "$guest"; } 2>/dev/null || true
	rm -rf "$scratch"
}

main() {
	parse_options "$@"
	topology_path=$(topology_file "$topology")
	box=$(basename "$topology_path" .conf)
	read_topology "$topology_path"
	check_qemu
	[[ $interactive == yes || -x $BUILD/tools/lbverdict ]] || "$ROOT/scripts/build-tools.sh"
	scratch=$(mktemp -d)
	trap cleanup EXIT
	trap 'exit 130' INT TERM
	mkdir -p "$out" 2>/dev/null || bad "cannot create $out: is the file system full or read-only?"
	need_space "$out" 50 "the results of a guest"
	# The old verdict goes first: a run that dies must not leave it behind.
	rm -f "$out"/{verdict,results,results.ktap,results.jsonl,console,qemu.log}
	echo "not run" >"$out/verdict"
	: >"$out/results"
	run_files
	build_command
	if [[ $interactive == yes ]]; then
		"$qemu" "${qemu_args[@]}"
		return
	fi
	run_guest
	judge || exit $?
}

main "$@"
