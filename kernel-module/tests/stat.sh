#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# In the guest: does cfslbstat say what the files say? Needs run.sh --program with a
# static cfslbstat (cmake -D CFSLB_STATIC=ON), and prints some of its output for the
# documents, as lines "# | ...".
. "$(dirname "$0")/lib.sh"

readonly NOBODY=65534

have() { command -v "$1" >/dev/null || skip "no $1 in the guest"; }

show() { sed 's/^/# | /' "$1"; }

# quiet: nothing counts any more, so that two readers see the same.
quiet() {
	control "level off"
	control "lb off"
}

# metric NAME [LABEL]: sum of the samples, those with this label.
metric() {
	awk -v name="$1" -v label="$2" '
		{ split($1, part, "{") }
		part[1] == name && (label == "" || index($1, label)) { total += $2; n++ }
		END { if (n) printf "%.0f\n", total; else print "-" }' /run/metrics
}

# seconds NAME: the same for seconds, in ns.
seconds() {
	awk -v name="$1" '{ split($1, part, "{") } part[1] == name { total += $2; n++ }
		END { if (n) printf "%.0f\n", total * 1e9; else print "-" }' /run/metrics
}

equal() { # equal WHAT GOT WANTED
	say "$1: $2"
	[ "$2" = "$3" ] || die "$1: cfslbstat says $2, the files $3"
}

waits() { awk 'NR > 2 { for (i = 3; i <= NF; i++) t += $i } END { printf "%.0f\n", t }' FS='\t' $FILES/waitlat; }

test_sums() {
	have cfslbstat
	echo 1 2>/dev/null >/proc/sys/kernel/sched_schedstats
	load level=2 lb=1
	work nap 12 500
	work pipe 3 500
	work exec 10
	work herd "$(($(cpus) + 5))" 700 1
	quiet
	cfslbstat --openmetrics >/run/metrics || die "cfslbstat: $?"
	cfslbstat >/run/table || die "cfslbstat: $?"
	show /run/table
	equal migrations "$(metric cfslb_migrations_total)" "$(migrations)"
	for reason in wake newidle periodic_idle affinity; do
		equal $reason "$(metric cfslb_migrations_total "reason=\"$reason\"")" "$(sum migrate $reason)"
	done
	equal "by distance" "$(metric cfslb_migrations_by_distance_total)" "$(migrations)"
	equal "between nodes" "$(metric cfslb_migrations_between_nodes_total)" "$(migrations)"
	for column in calls pulled_tasks failed no_group; do
		equal "lb $column" "$(metric cfslb_lb_${column}_total)" "$(sum lb $column)"
	done
	equal "newidle tries" "$(metric cfslb_newidle_tries_total)" "$(sum newidle tries)"
	equal "placements" "$(metric cfslb_place_total)" "$(sum place total)"
	equal "waits" "$(metric cfslb_wait_seconds_bucket 'le="+Inf"')" "$(waits)"
	equal "waste, ns" "$(seconds cfslb_waste_machine_idle_with_queue_seconds_total)" \
		"$(sum waste idle_with_queue_ns node all)"
	equal "not measured" "$(metric cfslb_lb_imb_load_n_total)" -
	grep -q "^  all  *$(migrations) " /run/table || die "the table's sum is another one"
	unload
}

# Counting starts and stops within the command: its difference is that of the files.
test_command() {
	have cfslbstat
	load level=2 lb=1
	work nap 6 200
	quiet
	before=$(migrations) before_calls=$(sum lb calls) before_waits=$(waits)
	code=0
	cfslbstat --json -o /run/json -- sh -c "echo level 2 >$FILES/control; echo lb on >$FILES/control
		work herd $(($(cpus) + 3)) 500 1; work nap 6 200
		echo level off >$FILES/control; echo lb off >$FILES/control; exit 42" || code=$?
	[ "$code" = 42 ] || die "exit code $code"
	equal passes "$(sed 's/.*"balance_all":{"calls":\([0-9]*\).*/\1/' /run/json)" \
		$(($(sum lb calls) - before_calls))
	equal waits "$(sed 's/.*"wait":{"all":{"tasks":\([0-9]*\).*/\1/' /run/json)" $(($(waits) - before_waits))
	moved=$(sed 's/.*"migrations":\(\[[^]]*\]\).*/\1/' /run/json | tr , '\n' | awk -F: '/"tasks"/ { t += $2 } END { print t }')
	equal migrations "$moved" $(($(migrations) - before))
	[ "$moved" -gt 10 ] || die "only $moved migrations"
	unload
}

test_lines() {
	have cfslbstat
	load level=2 lb=1
	work nap 8 4000 &
	cfslbstat -i 0.5 -n 6 >/run/lines 2>/run/notes &
	watcher=$!
	sleep 1.2
	control mark
	wait $watcher || die "cfslbstat: $?"
	wait
	show /run/lines
	show /run/notes
	[ "$(wc -l </run/lines)" = 7 ] || die "$(wc -l </run/lines) lines"
	[ "$(wc -l </run/notes)" = 1 ] && grep -q "wrote 'mark' (epoch 2, was 1)" /run/notes || die "$(cat /run/notes)"
	! grep -q '[0-9]\{12\}' /run/lines || die "a number that no counter reaches"
	unload
}

test_reload() {
	have cfslbstat
	load level=2 lb=1
	work nap 8 300
	cfslbstat --json -i 0.5 -n 5 >/run/lines 2>/run/notes &
	watcher=$!
	sleep 0.7
	unload
	sleep 0.7
	load level=2 lb=1
	wait $watcher || die "cfslbstat: $?"
	kinds=$(sed 's/.*"kind":"\([a-z]*\)".*"restart":\(null\|"the module\).*/\1 \2/; s/.*"kind":"gone".*/gone/' /run/lines | tr '\n' ',')
	say "$kinds"
	case $kinds in
	"interval null,gone,"*"interval \"the module,interval null,"*) ;;
	*) die "$kinds" ;;
	esac
	unload
}

test_permissions() {
	have cfslbstat
	echo "nobody:x:$NOBODY:$NOBODY::/:/bin/sh" >/etc/passwd
	[ -d $FILES ] && die "the module is loaded"
	code=0
	why=$(cfslbstat 2>&1) || code=$?
	say "$why"
	[ $code = 3 ] && [ "${why#*not loaded: modprobe}" != "$why" ] || die "without the module: $code, $why"
	load
	chmod 755 /cfslb
	mount -o remount,mode=700 /sys/kernel/debug
	code=0
	why=$(su nobody -c cfslbstat 2>&1) || code=$?
	say "$why"
	[ $code = 3 ] && [ "${why#*mode=755}" != "$why" ] || die "not allowed: $code, $why"
	mount -o remount,mode=755 /sys/kernel/debug
	su nobody -c cfslbstat >/run/table || die "allowed: $?"
	unload
	umount /sys/kernel/debug
	code=0
	why=$(cfslbstat 2>&1) || code=$?
	mount -t debugfs debug /sys/kernel/debug
	say "$why"
	[ $code = 3 ] && [ "${why#*mount -t debugfs}" != "$why" ] || die "not mounted: $code, $why"
}

# Under replay a guest's clock counts instructions, 2 ns each: module and program.
test_cost() {
	have cfslbstat_bench
	load level=2 lb=1
	work nap 8 300
	cfslbstat_bench $FILES 10 >/run/bench || die "cfslbstat_bench: $?"
	show /run/bench
	unload
}

run_tests sums command lines reload permissions cost
