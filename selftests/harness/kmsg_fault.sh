#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Usage: kmsg_fault.sh DRIVER [ARGS...]
#
# Injected fault: while a driver runs, the kernel's log gets a line as its checkers write them.
# For guests only.
(sleep 1; echo "BUG: injected by kmsg_fault.sh" >/dev/kmsg) &
exec "$@"
