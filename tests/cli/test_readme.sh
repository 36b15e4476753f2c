#!/bin/sh
# The program prints what the README shows.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# shown COMMAND: the output after "$ cegsim COMMAND..." in the README, up to the next command or the end of its box
shown() {
	WANTED="\$ cegsim $1" awk '
		/^\$ cegsim / { inside = index($0, ENVIRON["WANTED"]) == 1; next }
		/^```/ { inside = 0 }
		inside && $0 != "..." { print }' "$SOURCES/README.md"
}

# expect_shown COMMAND NAME: the program's output contains every line of it
expect_shown() {
	shown "$1" >wanted
	[ -s wanted ] && ! grep -vxFf out wanted >differ
	report $? "$2" || sed 's/^/#   not printed: /' differ
}

run run "$SOURCES/scenarios/examples/quickstart.yaml" -o quickstart.db --record blocks
expect_shown "run scenarios/examples/quickstart.yaml" "the run of the tour"
run query quickstart.db @where-time-went
expect_shown "query quickstart.db @where-time-went" "where the time went"
run query quickstart.db "SELECT policy, max(response_ms) AS worst_ms FROM v_job WHERE task = 'radar' GROUP BY policy" --format csv
expect_shown "query quickstart.db \"SELECT" "SQL as CSV"
run audit quickstart.db
expect_shown "audit quickstart.db" "the audit"
run run "$SOURCES/scenarios/examples/policies.yaml" -o policies.db
expect_shown "run scenarios/examples/policies.yaml" "one set under every policy"
run query policies.db "SELECT r.policy, r.misses, round(max(t.worst_normalised), 3) AS worst_response, round(r.energy_j, 3) AS energy_j, round(e.idle_sm_share, 3) AS idle_sms FROM v_run r JOIN v_task_response t USING (run_id) JOIN v_energy e USING (run_id) GROUP BY r.run_id"
expect_shown "query policies.db \"SELECT" "the policies compared"
run analyze "$SOURCES/scenarios/examples/policies.yaml" -p rtgpu -a rtgpu
expect_shown "analyze scenarios/examples/policies.yaml" "the bounds"
run validate policies.db
expect_status 0 "no bound is exceeded"
run search "$SOURCES/scenarios/examples/policies.yaml" -p rtgpu
expect_shown "search scenarios/examples/policies.yaml" "the search"
run run "$SOURCES/scenarios/papers/qaws-fig3.yaml" -o fig3.db --record issues -q
expect_status 0 "warps are run"
run query fig3.db @issue-strip
expect_shown "query fig3.db @issue-strip" "the example of warps, cycle by cycle"

# The pictures: each is drawn anew, by the command in the README that draws it.
run_command sh "$SOURCES/docs/pictures/make.sh" "$CEGSIM" drawn
expect_status 0 "the pictures are drawn"
for picture in "$SOURCES"/docs/pictures/*.svg; do
	run_command cmp "$picture" "drawn/${picture##*/}"
	expect_status 0 "${picture##*/} is what is drawn today"
	grep -q "(docs/pictures/${picture##*/})" "$SOURCES/README.md"
	report $? "${picture##*/} is in the README"
done
cp drawn/recordings/tour.db .
sed -n 's/^\$ cegsim plot //p' "$SOURCES/README.md" >plots
while read -r arguments; do
	# shellcheck disable=SC2086 # a list of words
	run plot $arguments
	expect_status 0 "plot $arguments"
	picture=${arguments##* }
	run_command cmp "$SOURCES/docs/pictures/$picture" "$picture"
	expect_status 0 "and it is the picture of the README"
done <plots

sed -n '/^```yaml$/,/^```$/p' "$SOURCES/README.md" | sed '1d;$d' >readme.yaml
grep -v '^#' "$SOURCES/scenarios/examples/quickstart.yaml" >file.yaml
run_command cmp readme.yaml file.yaml
expect_status 0 "the scenario is the shipped one"
finish
