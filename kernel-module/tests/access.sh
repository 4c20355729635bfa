#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# In the guest: who may read the statistics and who may change what is measured, as
# debugfs is mounted, and on a kernel that is locked down. (What cfslbstat says where it
# may not: stat.sh.) The last test locks the kernel down where it can (distributions'
# kernels): no other test can follow in this guest.
. "$(dirname "$0")/lib.sh"

readonly EPERM=1 EACCES=13
readonly LOCKDOWN=/sys/kernel/security/lockdown
readonly STATISTICS="info caps schema migrate distance matrix place lb newidle nohz numa waste waitlat snapshot"
readonly MARK=6d61726b # "mark" in hex

mode() { mount -o remount,mode="$1" /sys/kernel/debug || die "debugfs cannot be mounted with mode $1"; }

# nobody_gets ERRNO FILE [HEX]: opens and reads it, or writes to it.
nobody_gets() {
	wanted=$1 name=$2
	shift 2
	got=$(look open "$FILES/$name" "$@") || die "look open: $?"
	[ "$got" = "$wanted" ] || die "$name ${*:+written }as nobody: errno $got, expected $wanted"
}

epoch_is() {
	head -n 1 $FILES/info | grep -q " epoch=$1 " || die "$2: $(head -n 1 $FILES/info)"
}

test_root_only() {
	load level=2
	mode 700
	for file in $STATISTICS control; do
		nobody_gets $EACCES "$file"
		nobody_gets $EACCES "$file" $MARK
	done
	epoch_is 1 "nobody set a mark"
	unload
}

# Whoever lets others look at debugfs lets them look: not more.
test_all_may_read() {
	load level=2
	mode 755
	for file in $STATISTICS; do
		nobody_gets 0 "$file"
		nobody_gets $EACCES "$file" $MARK
	done
	nobody_gets $EACCES control
	nobody_gets $EACCES control $MARK
	epoch_is 1 "nobody set a mark"
	mode 700
	[ "$(look write $FILES/control $MARK)" = 0 ] || die "root cannot set a mark"
	epoch_is 2 "root set a mark"
	unload
}

# locked LEVEL: on a kernel that is locked down so far, statistics can be read and go on;
# control cannot be opened, even for reading.
locked() {
	echo "$1" >$LOCKDOWN || die "cannot lock down: $1"
	say "$(cat $LOCKDOWN)"
	for file in $STATISTICS; do
		cat $FILES/"$file" >/dev/null || die "$1: $file cannot be read"
	done
	[ "$(look write $FILES/control $MARK)" = $EPERM ] || die "$1: control can be written"
	! cat $FILES/control 2>/dev/null || die "$1: control can be read"
	before=$(sum place total kind fork)
	work exec 1
	true | cat
	after=$(sum place total kind fork)
	say "$1: $before forks, then $after"
	[ "$after" -gt "$before" ] || die "$1: nothing counts any more"
	[ "$(sum lb calls)" != - ] || die "$1: lb is not measured"
}

test_lockdown() {
	[ -e $LOCKDOWN ] || mount -t securityfs security /sys/kernel/security 2>/dev/null || true
	[ -w $LOCKDOWN ] || skip "no lockdown in this kernel"
	grep -q '\[none\]' $LOCKDOWN || skip "locked down already: no unsigned module can be loaded"
	# Parameters are the way to choose what is measured on such a kernel.
	load level=2 lb=1
	locked integrity
	locked confidentiality
	unload
	errno=$(look fail 0 "$KO" "") || die "look fail: $?"
	say "loading an unsigned module: errno ${errno% *}"
	[ "${errno% *}" = $EPERM ] || die "the kernel is not locked down"
}

run_tests root_only all_may_read lockdown
