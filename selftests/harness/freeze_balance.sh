#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Usage: freeze_balance.sh SECONDS DRIVER [ARGS...]
#
# Injected fault: load balancing is switched off on every CPU once a driver has run for SECONDS, so
# that tasks stay where they are by then. For guests only: the mount stays.
switch=/tmp/cpuset/cpuset.sched_load_balance
mkdir -p /tmp/cpuset
[ -e "$switch" ] || mount -t cgroup -o cpuset cpuset /tmp/cpuset || exit 4
seconds=$1
shift
(sleep "$seconds" && echo 0 >"$switch") &
"$@"
code=$?
kill $! 2>/dev/null
echo 1 >"$switch"
exit $code
