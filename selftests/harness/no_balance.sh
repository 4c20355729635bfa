#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Usage: no_balance.sh DRIVER [ARGS...]
#
# Injected fault: runs a driver with load balancing switched off on every CPU (no sched domain is
# left), so that a placement test that can fail, does. For guests only: the mount stays.
switch=/tmp/cpuset/cpuset.sched_load_balance
if [ ! -e "$switch" ]; then
	mkdir -p /tmp/cpuset
	mount -t cgroup -o cpuset cpuset /tmp/cpuset || exit 4
fi
echo 0 >"$switch" || exit 4
exec "$@"
