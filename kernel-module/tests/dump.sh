#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# In the guest: all files of the module at four moments, for tests of programs that
# read them (tools/cfslbstat/tests). Each goes out as a tar file in lines
# "# dump NAME BASE64":
#   early, late   level 2 and lb, the same epoch, work in between
#   marked        after a mark and little work
#   reloaded      the module loaded again, level 0 without lb
. "$(dirname "$0")/lib.sh"

dump() { # dump NAME
	rm -rf "/run/$1"
	mkdir "/run/$1"
	for file in info caps schema migrate distance matrix place lb newidle nohz numa waste waitlat; do
		cat $FILES/$file >"/run/$1/$file" || die "$file cannot be read"
	done
	# A pipe would lose tar's exit code.
	tar -c -z -f /run/dump.tgz -C /run "$1" || die "tar failed"
	base64 /run/dump.tgz | sed "s/^/# dump $1 /"
}

work_a_while() { # work_a_while MILLISECONDS
	work nap 12 "$1"
	work pipe 3 "$1"
	work exec 10
	work herd "$(($(cpus) + 5))" "$1" 1
}

test_dump() {
	echo 1 2>/dev/null >/proc/sys/kernel/sched_schedstats
	load level=2 lb=1
	work_a_while 300
	[ ! -d /sys/devices/system/node/node1 ] || work exiles "$(cpus)" 2
	dump early
	work_a_while 200
	dump late
	control mark
	work nap 4 100
	dump marked
	unload
	load
	work_a_while 100
	dump reloaded
	unload
}

run_tests dump
