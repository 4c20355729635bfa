# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# For the module's guest tests (busybox sh): KTAP, and access to the counters.

export PATH=/bin:/sbin:/cfslb
: "${KO:=/cfslb/modules/cfslb.ko}"
readonly FILES=/sys/kernel/debug/cfslb
TRACE=/sys/kernel/tracing

number=0 passed=0 failed=0 skipped=0

say() { echo "# $*"; }

result() { # result ok|skip|fail NAME REASON
	number=$((number + 1))
	case $1 in
	ok) passed=$((passed + 1)) && echo "ok $number $2" ;;
	skip) skipped=$((skipped + 1)) && echo "ok $number $2 # SKIP $3" ;;
	fail) failed=$((failed + 1)) && echo "not ok $number $2 # $3" ;;
	esac
}

# clean_up: a test that ended early leaves neither work nor the module.
clean_up() {
	killall -q -9 work
	for _ in 1 2 3 4 5; do
		[ ! -d /sys/module/cfslb ] || rmmod cfslb 2>/dev/null || sleep 0.1
	done
}

# run NAME...: one function a test. It prints why when it returns 1, and calls
# skip, which ends it, when the machine lacks something.
run_tests() {
	echo "KTAP version 1"
	echo "1..$#"
	for name; do
		# $( ) is a subshell: a test's exit does not end the script.
		code=0
		why=$("test_$name" 2>&1) || code=$?
		echo "$why" | grep '^#' || true
		[ $code = 0 ] || clean_up
		why=$(echo "$why" | grep -v '^#' | tail -n 1)
		case $code in
		0) result ok "$name" ;;
		4) result skip "$name" "$why" ;;
		*) result fail "$name" "${why:-exit $code}" ;;
		esac
	done
	echo "# Totals: pass:$passed fail:$failed skip:$skipped"
	[ "$failed" = 0 ]
}

skip() {
	echo "$*"
	exit 4
}

die() {
	echo "$*"
	exit 1
}

control() { echo "$1" >$FILES/control || die "control refuses '$1'"; }

load() { # load PARAMETERS...
	insmod "$KO" "$@" || die "insmod $* failed"
}

unload() { rmmod cfslb || die "rmmod failed"; }

# sum FILE COLUMN [LABEL VALUE]...: the column added up over the rows whose
# labels have these values; "-" if any of them is absent.
sum() {
	awk -v column="$2" -v want="$3=$4 $5=$6" '
		NR == 2 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		NR > 2 {
			split(want, pairs, " ")
			for (p in pairs) {
				split(pairs[p], kv, "=")
				if (kv[1] != "" && $at[kv[1]] != kv[2]) next
			}
			if ($at[column] == "-") absent = 1
			total += $at[column]
		}
		END { if (absent) print "-"; else printf "%.0f\n", total }' FS='\t' "$FILES/$1"
}

# fair_migrations: sum of all reasons but rt_dl.
fair_migrations() {
	awk 'NR == 2 { for (i = 1; i <= NF; i++) if ($i == "wake") first = i
		for (i = 1; i <= NF; i++) if ($i == "rt_dl") skip = i; next }
		NR > 2 { for (i = first; i <= NF; i++) if (i != skip) total += $i }
		END { printf "%.0f\n", total }' FS='\t' "$FILES/migrate"
}

# migrations: all reasons.
migrations() {
	awk 'NR > 2 { for (i = 3; i <= NF; i++) t += $i } END { printf "%.0f\n", t }' FS='\t' $FILES/migrate
}

reasons() {
	awk 'NR == 2 { for (i = 3; i <= NF; i++) name[i] = $i }
		NR > 2 { for (i = 3; i <= NF; i++) total[i] += $i }
		END { for (i = 3; i in name; i++) if (total[i]) printf " %s=%.0f", name[i], total[i] }' \
		FS='\t' "$FILES/migrate"
}

# share PART WHOLE PERCENT: PART is at least PERCENT of WHOLE.
share() { awk -v part="$1" -v whole="$2" -v percent="$3" 'BEGIN { exit !(whole > 0 && part * 100 >= whole * percent) }'; }

# near VALUE WANTED PERCENT
near() { awk -v v="$1" -v w="$2" -v p="$3" 'BEGIN { d = v - w; if (d < 0) d = -d; exit !(d * 100 <= w * p) }'; }

tracing() {
	[ -d $TRACE/events ] || mount -t tracefs trace $TRACE 2>/dev/null || TRACE=/sys/kernel/debug/tracing
	[ -d $TRACE/events/sched/sched_migrate_task ] || skip "no tracefs with sched_migrate_task"
}

cpus() { grep -c ^processor /proc/cpuinfo; }

# settle: all that runs now stays on the last CPU, except the kernel's bound threads, so
# that only what a test starts moves and waits for others.
settle() {
	last=$(printf %x "$((1 << ($(cpus) - 1)))")
	for process in /proc/[0-9]*; do
		taskset -p "$last" "${process#/proc/}" >/dev/null 2>&1 || true
	done
}
