#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: bench.sh [CPUS [NODES [READS]]]
#
# CPU time and memory of cfslbstat on a dump of 8 CPUs and on one blown up to CPUS (default
# 256) and NODES (default 8). Reads plain files: what the module needs to make them comes on top.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
: "${BUILD:=$here/../../../build}" # where scripts/build-tools.sh put the programs

bench() { # bench WHAT ROOT
	echo "$1: $(cat "$2"/* | wc -c) bytes in $(find "$2" -type f | wc -l) files"
	"$BUILD/tools/cfslbstat/tests/cfslbstat_bench" "$2" "$reads"
}

main() {
	local cpus=${1:-256} nodes=${2:-8}
	reads=${3:-200}
	[[ -x $BUILD/tools/cfslbstat/tests/cfslbstat_bench ]] ||
		{ echo "bench.sh: run scripts/build-tools.sh first" >&2; exit 2; }
	tree=$(mktemp -d)
	trap 'rm -rf "$tree"' EXIT
	"$here/expand.py" "$here/fixtures/late" "$tree/files" "$cpus" "$nodes"
	bench "8 CPUs" "$here/fixtures/late"
	bench "$cpus CPUs" "$tree/files"
}

main "$@"
