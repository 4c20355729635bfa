#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# In the guest: what the tracepoints of the patch series tell. Figures are compared
# with counts that do not come from them: kprobes on the functions, schedstat, the
# number of forks. On a kernel without the series: that the module knows.
. "$(dirname "$0")/lib.sh"

needs_series() {
	grep -q '^place_how.none' $FILES/caps || return 0
	unload
	skip "not a kernel with the series"
}

# column FILE NAME: the column added up.
column() { sum "$1" "$2"; }

# identity FILE LEFT RIGHT...: the column LEFT is the sum of the columns RIGHT in every row.
identity() {
	file=$1
	shift
	awk -v names="$*" '
		NR == 2 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(names, name, " "); next }
		NR > 2 {
			rows++
			right = 0
			for (i = 2; i <= n; i++) right += $at[name[i]]
			if ($at[name[1]] != right) { print name[1] " " $at[name[1]] ", parts " right ": " $0; exit }
		}
		END { if (!rows) print "no row" }' FS='\t' "$FILES/$file" >/run/identity
	[ ! -s /run/identity ] || die "$file: $(cat /run/identity)"
}

# probe FUNCTION: counts its calls in the trace from now on.
probe() {
	tracing
	[ -w $TRACE/kprobe_events ] || skip "no kprobe events"
	[ ! -d $TRACE/events/kprobes/cfslb_test ] || unprobe # of a test that failed
	echo 0 >$TRACE/tracing_on
	echo 8192 >$TRACE/buffer_size_kb
	echo "p:cfslb_test $1 third=%dx:u32" >$TRACE/kprobe_events 2>/dev/null || return 1
	echo 1 >$TRACE/events/kprobes/cfslb_test/enable
	echo >$TRACE/trace
	echo 1 >$TRACE/tracing_on
}

unprobe() {
	echo 0 >$TRACE/events/kprobes/cfslb_test/enable
	echo >$TRACE/kprobe_events
}

# same_calls FILE PREFIX COMMAND...: while it runs, the columns count what the probe does.
same_calls() {
	file=$1 prefix=$2
	shift 2
	start=$(look count $TRACE $FILES mark) || die "$start"
	"$@"
	end=$(look count $TRACE $FILES read "$file" "$prefix") || die "$end"
	counted=${end#* } calls=$((${end% *} - ${start% *}))
	say "$file $prefix*: $counted counted, $calls calls"
	[ "$counted" = "$calls" ] || die "$file $prefix*: $counted counted, $calls calls"
	[ "$calls" -ge 100 ] || die "only $calls calls"
}

mixed_work() {
	work nap 12 700
	work pipe 4 400
	work exec 20
	work herd "$(($(cpus) + 3))" 600 0
	for _ in 1 2 3 4 5; do true | cat; done
}

test_caps() {
	load level=1 lb=1
	grep -E '^(reason|lb|lb_|newidle|nohz|place_how)' $FILES/caps | sed 's/^/# /'
	series=$(grep -c '_tp' $FILES/caps) || true
	case $(uname -r) in
	*-cfslb*)
		[ "$series" = 10 ] || die "$series rows of caps name the series' tracepoints"
		[ "$(awk '/_tp/ { n += $5 } END { print n + 0 }' FS='\t' $FILES/caps)" = 0 ] || die "events missed"
		[ "$(column lb imb_load_n)" != - ] || die "imbalances read -"
		;;
	*)
		[ "$series" = 0 ] || die "this kernel has no such tracepoint"
		[ "$(column lb imb_load_n)" = - ] || die "imbalances measured"
		[ "$(column place how_idle_cpu)" = - ] || die "how measured"
		;;
	esac
	unload
}

test_on_by_default() {
	load
	needs_series
	grep -q '^lb on' $FILES/control || die "lb is off"
	[ "$(column newidle skip_not_overloaded)" != - ] || die "newidle reads -"
	[ "$(column place how_idle_cpu)" = - ] || die "how measured at level 0"
	unload
}

# The balancer tells how each pass ends, with schedstats off.
test_passes_add_up() {
	load lb=1
	needs_series
	echo 0 >/proc/sys/kernel/sched_schedstats
	control mark
	work herd "$(($(cpus) * 3 / 2))" 1500 0
	work queued 20
	identity lb calls not_designated no_group no_queue all_pinned failed pulled_calls
	identity lb scanned pulled_tasks stay_affinity stay_running stay_hot stay_size stay_other
	say "$(column lb calls) calls, $(column lb pulled_tasks) of $(column lb scanned) tasks pulled, left: $(column lb stay_affinity) affinity, $(column lb stay_running) running, $(column lb stay_hot) hot, $(column lb stay_size) size"
	[ "$(column lb unexplained)" = 0 ] || die "$(column lb unexplained) passes unexplained"
	[ "$(column lb pulled_tasks)" -gt 0 ] || die "no task pulled"
	[ "$(column lb alb_kick)" = - ] || die "active balances measured without schedstats"
	unload
}

# Tasks that may not move, and that run alone: seen as such.
test_why_tasks_stay() {
	load lb=1
	needs_series
	control mark
	work spin 3 1200 1
	say "pinned: $(column lb stay_affinity) affinity, $(column lb all_pinned) passes all pinned"
	[ "$(column lb stay_affinity)" -ge 3 ] || die "pinned tasks: $(column lb stay_affinity) left for affinity"
	[ "$(column lb all_pinned)" -ge 1 ] || die "no pass found all tasks pinned"
	unload
}

# Sums by kind add up to what schedstat keeps as one.
test_imbalance_equals_schedstat() {
	[ -f /proc/schedstat ] || skip "no /proc/schedstat"
	load lb=1
	needs_series
	echo 1 >/proc/sys/kernel/sched_schedstats
	imbalances >/run/before
	work herd "$(($(cpus) * 3 / 2))" 1500 0
	work nap 12 700
	imbalances >/run/after
	paste -d ' ' /run/before /run/after | awk '{
		least = $4 - $3; most = $6 - $1; ours = $5 - $2
		printf "# schedstat %d to %d, cfslb %d\n", least, most, ours
		if (ours < least || ours > most || !ours) print "schedstat " least " to " most ", cfslb " ours }' >/run/compared
	say "by kind: $(column lb imb_load_n) load, $(column lb imb_util_n) util, $(column lb imb_task_n) task, $(column lb imb_misfit_n) misfit"
	grep '^#' /run/compared
	unload
	! grep -v '^#' /run/compared
}

# imbalances: the sum of schedstat, of cfslb, of schedstat again.
imbalances() {
	awk -v files=$FILES '
		function schedstat() {
			close("/proc/schedstat")
			FS = " "
			total = 0
			while ((getline < "/proc/schedstat") > 0)
				if (/^domain/) total += $6 + $14 + $22
			printf "%.0f ", total
		}
		BEGIN {
			schedstat()
			FS = "\t"
			while ((getline < (files "/lb")) > 0) {
				if ($1 == "cpu") for (i = 1; i <= NF; i++) at[$i] = i
				else if (NF > 1)
					ours += $at["imb_load_sum"] + $at["imb_util_sum"] + $at["imb_task_sum"] + $at["imb_misfit_sum"]
			}
			printf "%.0f ", ours
			schedstat()
			print ""
		}'
}

test_place_equals_calls() {
	load level=1 lb=0
	needs_series
	probe select_task_rq_fair || die "select_task_rq_fair cannot be probed"
	same_calls place how_ mixed_work
	# By kind: the third argument has one bit a kind, exec the lowest, then fork; a
	# wake-up may have one more.
	awk 'match($0, /third=[0-9]+/) { f = substr($0, RSTART + 6, RLENGTH - 6) % 32; n[f]++ }
		END { for (f in n) print f, n[f] }' $TRACE/trace | sort -n | awk 'NR < 3 { print $2 } NR > 2 { n += $2 } END { print n }' >/run/calls
	for kind in exec fork wake; do
		awk -v kind=$kind '$2 == kind { for (i = 11; i < 23; i++) n += $i } END { print n + 0 }' FS='\t' $FILES/place
	done >/run/counted
	unprobe
	say "exec, fork, wake: calls $(tr '\n' ' ' </run/calls), counted $(tr '\n' ' ' </run/counted)"
	# Calls go on while both are read: a few more.
	paste /run/calls /run/counted | awk '{ d = $2 - $1; if (!$1 || d < -20 || d > 20) print $1 " calls, " $2 " counted" }' >/run/differ
	[ ! -s /run/differ ] || die "$(cat /run/differ)"
	unload
}

test_forks_equal_kernel() {
	load level=1 lb=0
	needs_series
	# One process reads both and forks nothing.
	forks() { awk 'BEGIN { while ((getline < "/proc/stat") > 0) if (/^processes/) print $2; while ((getline < "'$FILES'/place") > 0) { if ($2 == "fork") { n += $3; for (i = 11; i < 23; i++) how += $i } } print n + 0; print how + 0 }' FS='[ \t]'; }
	forks >/run/before
	for _ in 1 2 3 4 5 6 7 8 9 10; do true | cat | cat; done
	forks >/run/after
	paste /run/before /run/after | awk '{ print $2 - $1 }' | tr '\n' ' ' >/run/forks
	read -r kernel total how </run/forks
	say "forks: kernel $kernel, place total $total, how $how"
	unload
	[ "$kernel" -ge 30 ] || die "$kernel forks"
	[ "$total" = "$kernel" ] && [ "$how" = "$kernel" ] || die "kernel $kernel forks, place $total, how $how"
}

test_newidle_equals_calls() {
	load lb=1
	needs_series
	probe newidle_balance || probe sched_balance_newidle || die "newidle_balance cannot be probed"
	same_calls newidle tries mixed_work
	unprobe
	say "$(column newidle tries) tries: $(column newidle skip_not_overloaded) not overloaded, $(column newidle skip_short_idle) short idle, $(column newidle pulled) pulled"
	[ "$(column newidle skip_not_overloaded)" -gt 0 ] || die "none skipped for want of tasks"
	[ "$(column newidle pulled)" -gt 0 ] || die "none pulled"
	parts=$(($(column newidle skip_not_overloaded) + $(column newidle skip_short_idle)))
	[ $parts -le "$(column newidle skipped)" ] || die "$parts skipped for a reason of $(column newidle skipped)"
	unload
}

# Two tasks on one CPU ask for the nohz balancer because of their number, one does not.
test_nohz_kicks() {
	load lb=1
	needs_series
	sleep 0.5
	control mark
	work spin 1 1000 1
	alone=$(column nohz kick_load)
	control mark
	work spin 2 1000 1
	say "kicks for load: $alone with one task, $(column nohz kick_load) with two; runs $(column nohz runs), served $(column nohz cpus_served)"
	[ "$(column nohz kick_load)" -ge 20 ] || die "two tasks on a CPU: $(column nohz kick_load) kicks"
	[ "$alone" -lt 10 ] || die "one task on a CPU: $alone kicks"
	[ "$(column nohz runs)" -gt 0 ] && [ "$(column nohz cpus_served)" -gt 0 ] || die "nobody was served"
	unload
}

# Work without a choice is not placed; idle machines find an idle CPU.
test_how() {
	load level=1 lb=0
	needs_series
	control mark
	work nap 4 600
	idle=$(($(column place how_target_idle) + $(column place how_prev_idle)))
	say "4 tasks: $idle idle at once, $(column place how_idle_cpu) idle CPU, $(column place how_target_busy) busy, scanned $(column place scanned)"
	[ "$idle" -gt "$(column place how_target_busy)" ] || die "an idle machine has no idle CPU"
	control mark
	work spin "$(($(cpus) * 2))" 900 &
	work nap 8 900
	wait
	say "overloaded: $(column place how_target_busy) busy, scanned $(column place scanned)"
	[ "$(column place how_target_busy)" -gt 50 ] || die "an overloaded machine: $(column place how_target_busy) busy"
	[ "$(column place scanned)" -gt "$(column place how_target_busy)" ] || die "nothing was scanned"
	unload
}

run_tests caps on_by_default passes_add_up why_tasks_stay imbalance_equals_schedstat \
	place_equals_calls forks_equal_kernel newidle_equals_calls nohz_kicks how
