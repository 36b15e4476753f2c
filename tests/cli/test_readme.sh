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
run run "$SOURCES/scenarios/examples/policies.yaml" -o policies.db
expect_shown 6 "one set under every policy"
run query policies.db "SELECT r.policy, r.misses, round(max(t.worst_normalised), 3) AS worst_response, round(r.energy_j, 3) AS energy_j, round(e.idle_sm_share, 3) AS idle_sms FROM v_run r JOIN v_task_response t USING (run_id) JOIN v_energy e USING (run_id) GROUP BY r.run_id"
expect_shown 7 "the policies compared"
run analyze "$SOURCES/scenarios/examples/policies.yaml" -p rtgpu -a rtgpu
expect_shown 8 "the bounds"
run validate policies.db
expect_status 0 "no bound is exceeded"
run search "$SOURCES/scenarios/examples/policies.yaml" -p rtgpu
expect_shown 10 "the search"
run run "$SOURCES/scenarios/papers/qaws-fig3.yaml" -o fig3.db --record issues -q
expect_status 0 "warps are run"
run query fig3.db @issue-strip
expect_shown 12 "the example of warps, cycle by cycle"
sed -n '/^```yaml$/,/^```$/p' "$SOURCES/README.md" | sed '1d;$d' >readme.yaml
grep -v '^#' "$SOURCES/scenarios/examples/quickstart.yaml" >file.yaml
run_command cmp readme.yaml file.yaml
expect_status 0 "the scenario is the shipped one"
finish
