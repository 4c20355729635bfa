#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Usage: workload.sh COMMAND [ARGS...]
#
# Runs any program as a test of one case: it must end with 0. What it says goes
# into the report as diagnostic lines. The guest's init looks at the kernel's log.
name=${1##*/}
code=/tmp/workload-code
{ "$@"; echo $? >"$code"; } 2>&1 | sed 's/^/# /'
echo "KTAP version 1"
echo "1..1"
if [ "$(cat "$code")" = 0 ]; then
	echo "ok 1 $name"
else
	echo "not ok 1 $name # exit=$(cat "$code")"
	exit 1
fi
