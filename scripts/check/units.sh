# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Checks that need no kernel: unit tests, shell, series, documents. Sourced.

check_shell() {
	shellcheck -x "$ROOT"/scripts/*.sh "$ROOT"/scripts/check/*.sh "$ROOT/scripts/init" "$ROOT/.ci/run"
}

check_tools() { ctest --test-dir "$BUILD/tools" --output-on-failure --no-tests=error; }

check_drivers() { make -j"$JOBS" -C "$ROOT/selftests" unit OUTPUT="$BUILD/selftests/unit"; }

# check_series BASE: the folder and its series agree, and each patch has what a maintainer needs.
check_series() {
	local dir=$ROOT/patches/$1 name number=0 wanted last=''
	while read -r name; do
		number=$((number + 1))
		wanted=$(printf '%04d-' "$number")
		[[ $name == "$wanted"*.patch ]] || { echo "patch $number of the series is $name, not $wanted..."; return 1; }
		[[ -f $dir/$name ]] || { echo "$name is in the series but not in the folder"; return 1; }
		check_patch "$dir/$name" || return 1
		last=$name
	done < <(series_patches "$1")
	((number > 0)) || { echo "the series is empty"; return 1; }
	[[ $last == *-version-tag*.patch ]] || { echo "the last patch is $last, not the version tag"; return 1; }
	[[ $(find "$dir" -name '*.patch' | wc -l) == "$number" ]] ||
		{ echo "a patch in the folder is not in the series"; return 1; }
}

# check_patch FILE: git format-patch form, identity, a changelog, no placeholder.
check_patch() {
	local info from signed
	info=$(git mailinfo /dev/null /dev/null <"$1")
	from=$(sed -n 's/^Author: //p' <<<"$info") from+=" <$(sed -n 's/^Email: //p' <<<"$info")>"
	signed=$(sed -n 's/^Signed-off-by: //p' "$1" | tail -n 1)
	[[ $from == "$signed" ]] || { echo "$1: From '$from' and Signed-off-by '$signed' differ"; return 1; }
	grep -q '^Subject: \[PATCH' "$1" || { echo "$1: no Subject: [PATCH ...] line"; return 1; }
	! grep -En 'TBD|TODO|FIXME|XXXX' "$1" || { echo "$1: a placeholder is left"; return 1; }
	(cd "$(dirname "$1")" && git apply --stat "$(basename "$1")") >/dev/null
}

# check_topologies: every file of the folder is accepted.
check_topologies() {
	. "$ROOT/scripts/topology.sh"
	local file lines
	for file in "$ROOT"/scripts/topologies/*.conf; do
		read_topology "$file"
		lines=$(grep -cv '^#' "$file")
		((lines <= 15)) || { echo "$file has $lines lines besides comments: 15 are enough"; return 1; }
	done
}

# check_documents: what the pages name exists: targets, scripts, files of the tree.
check_documents() {
	local page word status=0
	for page in "$ROOT"/README.md "$ROOT"/CONTRIBUTING.md "$ROOT"/Documentation/*.md; do
		while read -r word; do
			[[ -e $ROOT/$word ]] || { echo "$page names $word, which does not exist"; status=1; }
		done < <(grep -oE '\b(scripts|selftests|tools|patches|Documentation)/[A-Za-z0-9._/-]*[A-Za-z0-9]' "$page" | grep -vE '/(NAME|BASE)' | sort -u)
		while read -r word; do
			grep -qE "^([a-z -]* )?$word( [a-z -]*)?:" "$ROOT/Makefile" ||
				{ echo "$page names 'make $word', which is no target"; status=1; }
		done < <(grep -oE '(^|`)make [a-z][a-z-]*' "$page" | sed 's/.*make //' | sort -u)
	done
	return "$status"
}

run_units() {
	local base
	check "shell scripts are clean" check_shell
	check "topology files are valid" check_topologies
	for base in "$ROOT"/patches/*/; do
		check "series $(basename "$base") is consistent" check_series "$(basename "$base")"
	done
	check "documents name what exists" check_documents
	check "documents: counters.md and the module name the same columns" make -s -C "$ROOT" check-docs
	check "host tools build" "$ROOT/scripts/build-tools.sh"
	check "host tools: unit tests" check_tools
	check "harness: unit tests" check_drivers
}
