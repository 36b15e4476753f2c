#!/bin/sh
# tests/promises.sh BUILD [ROOT] - every test that docs/promises.md names exists: in its tables, the second column names
# tests of the build folder, suites (suite `mutant`), and fuzzers, which only clang's build has. Every fuzzer is
# named there. Prints a TAP result.
set -eu
build=$1
tests=$(cd "$(dirname "$0")" && pwd)
cd "${2:-$tests/..}"

page=docs/promises.md
status=0

# NUMBER NAME OFFENCES
result() {
	if [ -n "$3" ]; then
		echo "$3" | sed 's/^/# /'
		echo "not ok $1 - $2"
		status=1
	else
		echo "ok $1 - $2"
	fi
}

# Words of the second column of the page's tables, in backticks.
named() {
	awk -F '|' '/^\|/ && NF > 3 { cell = $3
		while (match(cell, /`[^`]+`/)) {
			print substr(cell, RSTART + 1, RLENGTH - 2)
			cell = substr(cell, RSTART + RLENGTH)
		}
	}' "$page" | sort -u
}

# Names of tests, and of suites without that of the project.
known() {
	meson introspect --tests "$build" | python3 -c '
import json, sys
for test in json.load(sys.stdin):
    print(test["name"], *(suite.split(":")[-1] for suite in test["suite"]), sep="\n")'
	fuzzers
}

fuzzers() {
	for file in tests/fuzz/fuzz_*.c; do
		basename "$file" .c
	done
}

echo "1..2"
lists=$(mktemp -d)
trap 'rm -rf "$lists"' EXIT
named >"$lists/named"
known | sort -u >"$lists/known"
result 1 "every test that $page names exists" \
	"$(comm -23 "$lists/named" "$lists/known" | sed 's/$/: no such test/')$([ -s "$lists/named" ] || echo 'it names none')"
fuzzers | sort >"$lists/wanted"
result 2 "$page names every fuzzer" "$(comm -13 "$lists/named" "$lists/wanted" | sed 's/$/: not named/')"
exit $status
