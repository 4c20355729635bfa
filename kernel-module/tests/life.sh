#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# In the guest: loading, unloading, files, the file control.
. "$(dirname "$0")/lib.sh"

test_files() {
	load
	for file in info caps schema migrate distance matrix place lb newidle nohz numa waste waitlat; do
		head -n 1 $FILES/$file | sed 's/t_ns=[0-9]*/t_ns=N/' |
			grep -Fqx "cfslb $file abi=1 epoch=1 t_ns=N kernel=$(uname -r)" ||
			die "$file: $(head -n 1 $FILES/$file)"
		# Every row has as many fields as there are column names.
		awk 'NR == 2 { n = NF } NR > 2 && NF != n { exit 1 }' FS='\t' $FILES/$file ||
			die "$file: a row of another length"
		[ "$(stat -c %a $FILES/$file)" = 444 ] || die "$file: mode $(stat -c %a $FILES/$file)"
	done
	[ "$(stat -c %a $FILES/snapshot)" = 444 ] || die "snapshot: mode"
	[ "$(stat -c %a $FILES/control)" = 600 ] || die "control: mode"
	say "info: $(tail -n 1 $FILES/info)"
	sed 's/^/# /' $FILES/caps
	unload
	[ ! -e $FILES ] || die "files stay after rmmod"
}

test_absent_is_a_dash() {
	load level=off lb=0
	[ "$(sum waste any_ns)" = - ] || die "waste measured while off"
	[ "$(sum migrate wake)" = - ] || die "migrations measured while off"
	control "level 2"
	[ "$(sum waste any_ns)" != - ] || die "waste absent at level 2"
	[ "$(sum newidle skip_short_idle)" = - ] || die "a number that needs the series' tracepoints"
	control "level 0"
	[ "$(sum waste any_ns)" != - ] || die "what was measured is gone"
	control mark
	[ "$(sum waste any_ns)" = - ] || die "waste measured in an epoch at level 0"
	unload
}

test_mark() {
	load
	work nap 8 300
	[ "$(sum migrate wake)" -gt 0 ] || die "nothing counted"
	control mark
	head -n 1 $FILES/migrate | grep -q ' epoch=2 ' || die "epoch did not count up"
	now=$(sum migrate wake)
	[ "$now" -lt 20 ] || die "after mark: $now"
	unload
}

test_snapshot() {
	load level=2 lb=1
	work nap 8 500
	before=$(migrations)
	look snapshot $FILES/snapshot >/run/snapshot || die "$(cat /run/snapshot)"
	after=$(migrations)
	sums=$(awk '$1 < 3 { printf " %s", $5 }' /run/snapshot)
	say "migrations by migrate $before to $after, tables:$sums"
	for n in $sums; do
		[ "$n" -ge "$before" ] && [ "$n" -le "$after" ] || die "$n not in $before..$after"
	done
	[ "$(awk '$4 != 1' /run/snapshot)" = "" ] || die "a table is not measured at level 2"
	unload
}

# reasons_are HOW WHEN: what caps says of the reasons of this epoch's migrations.
reasons_are() {
	got=$(awk '$1 == "reason" { print $4 }' FS='\t' $FILES/caps)
	say "$2: $got"
	[ "$got" = "$1" ] || die "reasons are $got $2, expected $1"
}

test_caps_says_how_reasons_are_known() {
	load lb=1
	reasons_are exact "with lb"
	control "lb off"
	reasons_are mixed "with lb, then without"
	control mark
	reasons_are inferred "after a mark, without lb"
	unload
	load lb=0
	reasons_are inferred "without lb"
	control "lb on"
	reasons_are mixed "without lb, then with it"
	control mark
	reasons_are exact "after a mark, with lb"
	control "level off"
	control "lb off"
	control "lb on"
	control "level 0"
	reasons_are exact "lb was off only while nothing was counted"
	unload
}

# hex TEXT: its bytes; TEXT may hold escapes.
hex() { printf '%b' "$1" | od -An -v -tx1 | tr -d ' \n'; }

test_control_rejects() {
	load level=1 lb=0
	before=$(cat $FILES/control)
	long=$(hex 'level 1level 1level 1level 1')
	for bytes in "$(hex '')" "$(hex '\n')" "$(hex 'level')" "$(hex 'level ')" "$(hex 'level 3')" "$(hex 'level -1')" \
		"$(hex 'level 01')" "$(hex 'level 1 ')" "$(hex ' level 1')" "$(hex 'level  1')" "$(hex 'level 1\n\n')" \
		"$(hex 'LEVEL 1')" "$(hex 'lb')" "$(hex 'lb o')" "$(hex 'lb onn')" "$(hex 'mar')" "$(hex 'marks')" \
		"$(hex 'mark')00" "$(hex 'level 2')00" "6d61726b00ff" fffefdfc 00 "$long" "$long$long$long$long"; do
		got=$(look write $FILES/control "$bytes")
		# An empty write never reaches the file.
		[ -n "$bytes" ] || continue
		[ "$got" = 22 ] || die "write of $bytes: errno $got"
	done
	# Parts of a command do not add up.
	[ "$(look write $FILES/control "$(hex 'level')" "$(hex ' 2')" | tr '\n' ' ')" = "22 22 " ] || die "parts add up"
	[ "$(cat $FILES/control)" = "$before" ] || die "state changed: $(cat $FILES/control)"
	head -n 1 $FILES/info | grep -q ' epoch=1 ' || die "epoch changed"
	[ "$(look write $FILES/control "$(hex 'level 2')")" = 0 ] || die "refuses a command without newline"
	unload
}

test_statistics_are_read_only() {
	load
	[ "$(look write $FILES/migrate 30)" != 0 ] || die "a statistics file was written"
	unload
}

test_one_snapshot_per_open() {
	load
	exec 5<$FILES/migrate
	work nap 8 300
	head -c 64 <&5 >/dev/null
	first=$(cat <&5 | awk 'NR > 1 { t += $3 } END { print t + 0 }' FS='\t')
	exec 5<&-
	say "wake column as of open: $first, now $(sum migrate wake)"
	[ "$first" -lt "$(sum migrate wake)" ] || die "a read shows what came after the open"
	unload
}

test_rmmod_with_open_file() {
	load level=2 lb=1
	exec 5<$FILES/waste
	if rmmod cfslb 2>/run/rmmod; then die "unloaded under an open file"; fi
	say "$(cat /run/rmmod)"
	read -r line <&5
	exec 5<&-
	[ -n "$line" ] || die "the open file is empty"
	unload
}

test_bad_parameters() {
	if insmod "$KO" level=7 2>/dev/null; then die "level=7 accepted"; fi
	if insmod "$KO" llc=zz 2>/dev/null; then die "llc=zz accepted"; fi
	if insmod "$KO" llc=0-99999 2>/dev/null; then die "llc of CPUs that are not there accepted"; fi
	load "llc=0-1;2-$(($(cpus) - 1))"
	tail -n 1 $FILES/info | grep -q parameter || die "info does not say where the map is from"
	unload
}

test_cycles_under_load() {
	work pipe 4 60000 &
	load_pid=$!
	work nap 6 60000 &
	nap_pid=$!
	for i in $(seq "${CYCLES:-25}"); do
		load level=$((i % 3)) lb=$((i % 2))
		control "level 2"
		control "level off"
		control "lb on"
		control "level 1"
		control mark
		cat $FILES/snapshot $FILES/lb $FILES/waste >/dev/null
		unload
	done
	kill $load_pid $nap_pid
	wait
	# Children die with their parents: PR_SET_PDEATHSIG.
	true
}

test_hotplug_under_load() {
	[ -w /sys/devices/system/cpu/cpu1/online ] || skip "CPU 1 cannot go offline"
	load level=2 lb=1
	work nap 16 5000 &
	for _ in 1 2 3 4 5; do
		for cpu in 1 3 5; do echo 0 >/sys/devices/system/cpu/cpu$cpu/online; done
		for cpu in 1 3 5; do echo 1 >/sys/devices/system/cpu/cpu$cpu/online; done
	done
	wait
	unload
}

run_tests files absent_is_a_dash mark caps_says_how_reasons_are_known snapshot control_rejects \
	statistics_are_read_only one_snapshot_per_open rmmod_with_open_file bad_parameters cycles_under_load hotplug_under_load
