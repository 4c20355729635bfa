#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: check-series.sh
#
# Every prefix of the series of BASE: applies without fuzz; kernel/sched compiles
# in every variant without a warning that the base does not give; sparse and
# checkpatch are clean; the kernel builds, boots, and runs the placement drivers
# on TOPOLOGY. Ends with a table, one row a patch.
#
# Each finished step is kept below build/series/BASE and not repeated while
# patches, base and drivers are the same: stop and start it as you like.
# Without a tree (no apt, no cache, no KSRC=) it checks what the patches alone
# tell, and says what was skipped.
#
# Instructions are those of an idle pass of load_balance() inside an LLC and
# between nodes, with half of 16 CPUs busy (scripts/bench-balance.sh).
#
# BASE=v6.1 TOPOLOGY=numa-4x4 SEEDS="1 2 3" DRIVERS="" (the core drivers; "all": every one)
. "$(dirname "$0")/../lib.sh"
. "$ROOT/scripts/check/lib.sh"
. "$ROOT/scripts/check/units.sh"

: "${BASE:=v6.1}"
: "${TOPOLOGY:=numa-4x4}"
: "${SEEDS:=1 2 3}"
: "${DRIVERS:=${core_drivers[*]}}"
[[ $DRIVERS != all ]] || DRIVERS=''

variants=(default no-group no-numa no-smp arm64)

# objects_of STEP VARIANT [TARGET]: compiles and prints the object folder.
objects_of() {
	local extra='' arch=x86_64
	case $2 in
	default) ;;
	arm64) arch=arm64 ;;
	*) extra=$ROOT/scripts/check/variants/$2.config ;;
	esac
	CONFIG_EXTRA=$extra ONLY=${3:-kernel/sched/} "$ROOT/scripts/build-kernel.sh" "$BASE" "$1" "$arch"
}

# warnings LOG: warnings and errors in the files of the series, without line numbers.
warnings() { sed -nE 's/^(.*kernel\/sched\/[a-z_]*\.[ch]):[0-9:]+ (warning|error): /\1: \2: /p' "$1" | LC_ALL=C sort -u; }

# compiles STEP: "ok", or the variants that warn where the base did not.
compiles() {
	local variant objects faults=''
	for variant in "${variants[@]}"; do
		objects=$(objects_of "$1" "$variant")
		warnings "$objects/log" >"$state/warnings-$variant-$1"
		if comm -13 "$state/warnings-$variant-0" "$state/warnings-$variant-$1" | grep -q .; then
			faults+=" $variant"
		fi
	done
	echo "${faults:-ok}"
}

# sparse STEP: "ok", or how many messages the base does not give.
sparse() {
	local objects new
	objects=$(objects_of "$1" default)
	rm -f "$objects/kernel/sched/fair.o"
	make -C "$tree" O="$objects" C=1 CF=-Wno-sparse-error kernel/sched/fair.o >"$objects/log" 2>&1 || true
	warnings "$objects/log" >"$state/sparse-$1"
	new=$(comm -13 "$state/sparse-0" "$state/sparse-$1" | wc -l)
	if ((new)); then echo "$new new"; else echo ok; fi
}

text_size() { size "$1/kernel/sched/fair.o" | awk 'NR == 2 { print $1 }'; }

style() {
	local patch=$ROOT/patches/$BASE/$1
	if (cd "$tree" && scripts/checkpatch.pl --no-tree --strict --terse --ignore FILE_PATH_CHANGES "$patch") >"$state/style" 2>&1; then
		echo ok
	else
		tail -n 1 "$state/style"
	fi
}

# failing DIR: the cases that failed in every seed, and with "?" those that failed in some.
failing() {
	local count
	count=$(wc -w <<<"$SEEDS")
	cat "$1"/seed-*/results.jsonl | jq -r 'select(.type == "result" and .verdict == "fail") | .driver + "/" + .case' |
		LC_ALL=C sort | uniq -c | awk -v n="$count" '{ print ($1 == n ? "" : "?") $2 }'
}

# placement STEP: runs the drivers; prints the failing cases, or the code of a run that did not finish.
placement() {
	local code=0
	# DRIVERS is a list.
	# shellcheck disable=SC2086
	EXPECT='' "$ROOT/scripts/run-tests.sh" "$BASE" "$1" "$TOPOLOGY" "$state/run-$1" $DRIVERS >&2 || code=$?
	if ((code > EXIT_FAIL)); then
		echo "run ended with $code"
	else
		failing "$state/run-$1"
	fi
}

# instructions STEP: "LLC/nodes".
instructions() {
	KERNELS=$BASE:$1 SIZES=16 LOADS=half "$ROOT/scripts/bench-balance.sh" | awk '
		$2 == "LLC" && $3 == "idle" { llc = $4 }
		$2 == "nodes" && $3 == "idle" { print llc "/" $4 }'
}

# driver_sources: of the drivers that are run, and of what is linked to each.
driver_sources() {
	local driver
	cat "$ROOT"/selftests/lib/*
	for driver in ${DRIVERS:-"$ROOT"/selftests/*.cc}; do
		driver=${driver##*/}
		cat "$ROOT/selftests/${driver%.cc}.cc"
	done
}

# key STEP: changes when anything that a step's result depends on does.
key() {
	{
		cat "$ROOT/patches/$BASE/BASE"
		for name in "${series[@]:0:$1}"; do patch_code "$ROOT/patches/$BASE/$name"; done
		driver_sources
		echo "$TOPOLOGY $SEEDS $DRIVERS"
	} | sha256 -
}

# one_step STEP: everything about one prefix, into state/step-N.
one_step() {
	local n=$1 file=$state/step-$1 objects
	if [[ -f $file && $(sed -n 's/^key //p' "$file") == "$(key "$n")" ]]; then
		note "step $n: done before"
		return
	fi
	note "step $n of ${#series[@]}: ${series[n - 1]:-the base itself}"
	{
		echo "compiles $(compiles "$n")"
		echo "sparse $(sparse "$n")"
		objects=$(objects_of "$n" default)
		echo "text $(text_size "$objects")"
		placement "$n" | sed 's/^/fails /'
		echo "instructions $(instructions "$n")"
		echo "key $(key "$n")"
	} >"$file.part"
	mv "$file.part" "$file"
}

value() { sed -n "s/^$1 //p" "$state/step-$2"; }

# flips STEP: what the placement drivers say now and did not say one step before.
flips() {
	local before after
	before=$(value fails $(($1 - 1)) | LC_ALL=C sort) after=$(value fails "$1" | LC_ALL=C sort)
	comm -3 <(echo "$before") <(echo "$after") | sed -e '/^\t*$/d' -e 's/^\t/-/' -e t -e 's/^/+/' | tr '\n' ' '
}

table() {
	local n
	printf '%-4s %-62s %-9s %-7s %-6s %6s %12s  %s\n' step patch compiles sparse style text instructions \
		'drivers: +passes now, -fails now, ? in some seeds'
	printf '%-4s %-62s %-9s %-7s %-6s %6s %12s  fails: %s\n' 0 "$BASE" "$(value compiles 0)" "$(value sparse 0)" - \
		"$(value text 0)" "$(value instructions 0)" "$(value fails 0 | tr '\n' ' ')"
	for ((n = 1; n <= ${#series[@]}; n++)); do
		printf '%-4s %-62s %-9s %-7s %-6s %6s %12s  %s\n' "$n" "${series[n - 1]%.patch}" "$(value compiles "$n")" \
			"$(value sparse "$n")" "$(style "${series[n - 1]}")" "$(value text "$n")" "$(value instructions "$n")" "$(flips "$n")"
	done
	echo "fails at the end: $(value fails ${#series[@]} | tr '\n' ' ')"
}

# model: the pure decision functions of the whole series against a model in plain integers.
model() {
	"$ROOT/scripts/apply-series.sh" "$tree" "$BASE"
	grep -q '^static struct lb_decision decide_migration' "$tree/kernel/sched/fair.c" || return 0
	make -s -C "$ROOT/selftests/model" FAIR="$tree/kernel/sched/fair.c" OUT="$state/model" check
}

patches_alone() {
	note "no kernel tree of $BASE: builds, boots, sparse and checkpatch are skipped; set KSRC="
	check "series $BASE is consistent" check_series "$BASE"
	totals || exit "$EXIT_FAIL"
}

main() {
	(($# == 0)) || bad "check-series.sh takes no arguments: set BASE=, TOPOLOGY=, SEEDS=, KSRC="
	check_base "$BASE"
	need jq jq
	take_lock
	local tree state=$BUILD/series/$BASE n
	mapfile -t series < <(series_patches "$BASE")
	if ! tree=$("$ROOT/scripts/fetch-kernel.sh" "$BASE"); then
		patches_alone
		return
	fi
	check_series "$BASE"
	mkdir -p "$state"
	model
	for ((n = 0; n <= ${#series[@]}; n++)); do one_step "$n"; done
	table
}

main "$@"
