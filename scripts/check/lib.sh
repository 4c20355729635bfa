# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# What the checks share: one line a check, the reason under a failure, totals.
# Sourced after scripts/lib.sh.

passed=0 failed=0
check_dir=$BUILD/check

# verdict NAME CODE LOG SECONDS: counts and prints one check.
verdict() {
	if (($2 == 0)); then
		passed=$((passed + 1))
		printf 'ok   %s (%s s)\n' "$1" "$4"
	else
		failed=$((failed + 1))
		printf 'FAIL %s (%s s)\n' "$1" "$4"
		tail -n 15 "$3" | sed 's/^/     /'
	fi
}

# check NAME COMMAND...: passes when COMMAND ends with 0.
check() {
	local name=$1 log code=0 start=$SECONDS
	shift
	mkdir -p "$check_dir"
	log=$check_dir/${name//[^A-Za-z0-9._-]/_}.log
	# A subshell with errexit of its own: "|| code=$?" would switch it off inside.
	(trap - ERR; set -euo pipefail; "$@") >"$log" 2>&1 </dev/null &
	wait $! || code=$?
	verdict "$name" "$code" "$log" $((SECONDS - start))
}

# expect CODE PATTERN COMMAND...: COMMAND must end with CODE, and its one error line match PATTERN.
expect() {
	local code=0 output wanted=$1 pattern=$2
	shift 2
	output=$("$@" 2>&1) || code=$?
	echo "$output"
	((code == wanted)) || {
		echo "expected exit code $wanted, got $code"
		return 1
	}
	grep -Eq -- "$pattern" <<<"$output" || {
		echo "expected a line like: $pattern"
		return 1
	}
	[[ $wanted == 0 || $(grep -c ': error: ' <<<"$output") == 1 ]] || {
		echo "expected exactly one error line"
		return 1
	}
}

# later NAME COMMAND...: like check, but JOBS of them at a time; settle prints them in order.
later() {
	local name=$1 log
	shift
	while (($(jobs -rp | wc -l) >= JOBS)); do sleep 0.3; done
	mkdir -p "$check_dir"
	log=$check_dir/${name//[^A-Za-z0-9._-]/_}.log
	(
		code=0 start=$SECONDS
		rm -f "$log.code"
		(trap - ERR; set -euo pipefail; "$@") >"$log" 2>&1 </dev/null &
		wait $! || code=$?
		echo "$code $((SECONDS - start))" >"$log.code"
		note "$name: done, code $code"
	) &
	later_names+=("$name") later_logs+=("$log")
}

settle() {
	local i code seconds
	wait
	for ((i = 0; i < ${#later_names[@]}; i++)); do
		code=1 seconds='?'
		read -r code seconds <"${later_logs[i]}.code" || true
		verdict "${later_names[i]}" "$code" "${later_logs[i]}" "$seconds"
	done
	later_names=() later_logs=()
}
later_names=() later_logs=()

# totals: the last line, which a machine reads; fails when a check did, or when there was none.
totals() {
	echo "$passed passed, $failed failed"
	((failed == 0 && passed > 0))
}
