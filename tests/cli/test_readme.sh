#!/bin/sh
# What the README shows is what the program prints.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# shown N: the output of the N-th "$ cegsim" command of the README, up to the next command or the end of its box
shown() {
	awk -v wanted="$1" '
		/^\$ cegsim / { at++; next }
		/^```/ { at += at == wanted ? 1000 : 0 }
		at == wanted && $0 != "..." { print }' "$SOURCES/README.md"
}

# expect_shown N NAME: every line of it stands in the program's output
expect_shown() {
	shown "$1" >wanted
	[ -s wanted ] && ! grep -vxFf out wanted >differ
	report $? "$2" || sed 's/^/#   not printed: /' differ
}

run run "$SOURCES/scenarios/examples/quickstart.yaml" -o quickstart.db --record blocks
expect_shown 1 "the run of the tour"
run query quickstart.db @where-time-went
expect_shown 2 "where the time went"
run query quickstart.db "SELECT policy, max(response_ms) AS worst_ms FROM v_job WHERE task = 'radar' GROUP BY policy" --format csv
expect_shown 3 "SQL as CSV"
run audit quickstart.db
expect_shown 4 "the audit"
sed -n '/^```yaml$/,/^```$/p' "$SOURCES/README.md" | sed '1d;$d' >readme.yaml
grep -v '^#' "$SOURCES/scenarios/examples/quickstart.yaml" >file.yaml
run_command cmp readme.yaml file.yaml
expect_status 0 "the scenario is the shipped one"
finish
