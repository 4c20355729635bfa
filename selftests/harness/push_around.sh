#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Usage: push_around.sh DRIVER [ARGS...]
#
# Injected fault: while a driver runs, its workers that spin are pushed to the next CPU every 100 ms,
# as a balancer would that takes running tasks for no reason. For guests.
cpus=$(grep -c ^processor /proc/cpuinfo)
"$@" &
driver=$!
cpu=0
while kill -0 $driver 2>/dev/null; do
	for worker in $(pidof "$1"); do
		[ "$worker" != $driver ] || continue
		case $(cut -d ' ' -f 3 "/proc/$worker/stat" 2>/dev/null) in
		R) taskset -p "$(printf %x $((1 << cpu)))" "$worker" >/dev/null 2>&1 ;;
		esac
	done
	cpu=$(((cpu + 1) % cpus))
	sleep 0.1
done
wait $driver
