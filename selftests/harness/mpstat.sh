#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Usage: mpstat.sh DRIVER [ARGS...]
#
# Runs a driver and prints, once a second, what all CPUs did in that second, in the
# columns of mpstat, as diagnostic lines between the driver's own.

# snapshot: the jiffies of all CPUs since boot by state, and all interrupts.
snapshot() { awk '$1 == "cpu" { printf "%s ", $0 } $1 == "intr" { print $2 }' /proc/stat; }

# difference BEFORE AFTER SECOND
difference() {
	echo "$1 $2" | awk -v second="$3" '{
		for (i = 2; i <= 9; i++) { d[i] = $(i + 12) - $i; sum += d[i] }
		if (!sum) exit
		# /proc/stat: user nice system idle iowait irq softirq steal
		printf "# mpstat %02d  all %7.2f %7.2f %7.2f %7.2f %7.2f %7.2f %7.2f %7.2f %9.2f\n", second,
			100 * d[2] / sum, 100 * d[3] / sum, 100 * d[4] / sum, 100 * d[6] / sum, 100 * d[7] / sum,
			100 * d[8] / sum, 100 * d[9] / sum, 100 * d[5] / sum, $(NF) - $12 }'
}

"$@" &
driver=$!
echo "# mpstat     CPU   %user   %nice    %sys %iowait    %irq   %soft  %steal   %idle    intr/s"
second=0 before=$(snapshot)
while sleep 1; kill -0 "$driver" 2>/dev/null; do
	after=$(snapshot)
	second=$((second + 1))
	difference "$before" "$after" "$second"
	before=$after
done
wait "$driver"
