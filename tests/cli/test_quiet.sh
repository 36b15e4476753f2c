#!/bin/sh
# -q of verbs that read recordings: what is asked for is printed, or what is wrong, but no notes.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

run run "$SOURCES/scenarios/examples/quickstart.yaml" -q -o runs.db --record jobs
expect_status 0 "a recording of runs"

# quiet NAME ARGUMENT...: without -q there are notes; with it, the same answer without them
quiet() {
	name=$1
	shift
	run "$@"
	expect_line err '^cegsim: ' "$name has something to note"
	mv out wanted
	run "$@" -q
	expect_status 0 "$name -q"
	expect_no_output_on_stderr "without notes"
	expect_out "and with the answer" <wanted
}
quiet validate validate runs.db
quiet analyze analyze runs.db -p rm
cat >brief.yaml <<'END'
cegsim-campaign: 1
name: brief
seed: 2026
sets: 2
record: verdicts
generate: {recipe: rtgpu-table1, subtasks: 3, utilisation: [40%, 120%]}
policies: [fifo-cke]
run: {horizon: {periods: 3}, stop: horizon}
END
run sweep brief.yaml -q -o brief.db
expect_status 0 "a recording of verdicts alone"
run sweep brief.yaml -q -o part.db --shard 0/2
expect_status 0 "a share"
quiet merge merge --acceptance --partial part.db

# The audit's answer is what is broken.
run audit runs.db -q
expect_status 0 "audit -q of a sound recording"
expect_no_output "says nothing"
run audit brief.db -q
expect_status 0 "nor of one of verdicts"
expect_no_output "with its note"
sqlite3 runs.db "UPDATE job SET finish_ns = finish_ns + 1000000 WHERE run_id = 1 AND seq = 1"
run audit runs.db -q
expect_status 1 "of a broken law"
expect_line out '^  first of [0-9]+: ' "it prints the first row"
expect_no_line out 'laws hold|law holds' "and no sum"

finish
