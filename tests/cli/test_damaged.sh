#!/bin/sh
# Recordings whose rows are none that cegsim writes: whatever the verb, the recording is blamed (status 2), not the disk,
# and the message names the file, the table and what is wrong.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

run run "$SOURCES/scenarios/examples/quickstart.yaml" -q -o runs.db --record blocks
expect_status 0 "a recording of runs"
cat >small.yaml <<'END_OF_CAMPAIGN'
cegsim-campaign: 1
name: small
seed: 2026
sets: 2
generate: {recipe: rtgpu-table1, subtasks: 3, utilisation: [40%, 120%]}
policies: [fifo-cke]
run: {horizon: {periods: 3}, stop: horizon}
END_OF_CAMPAIGN
run sweep small.yaml -q -o sets.db
expect_status 0 "one of sets"
sed 's/^sets: 2/&\nrecord: verdicts/' small.yaml >brief.yaml
run sweep brief.yaml -q -o brief.db
expect_status 0 "and one of verdicts"

# damage RECORDING SQL: makes x.db, in which the statement was run
damage() {
	cp "$1" x.db
	sqlite3 x.db "PRAGMA ignore_check_constraints = on; $2"
}

# --- texts that no column may have ---

# blamed TABLE COLUMN: by a page
blamed() {
	damage "${3:-runs.db}" "UPDATE $1 SET $2 = 'foo'"
	run view x.db -o x.html --force
	expect_status 2 "view: $1.$2 = 'foo' is wrong input"
	expect_line err "^cegsim: error: x\\.db: the recording is damaged, table $1: CHECK constraint failed: $2" "with the place"
}
blamed run status
blamed run record
blamed run execution
blamed run on_miss
blamed run ties
blamed segment form
blamed segment direction
blamed segment stream_priority
blamed platform pool
blamed scenario kind
blamed verdict verdict brief.db
for writer in pages sqlite; do
	damage sets.db "UPDATE run SET status = 'foo'"
	run merge x.db -o y.db --writer "$writer"
	expect_status 2 "merge: run.status = 'foo' is wrong input, writer $writer"
	expect_line err '^cegsim: error: x\.db: the recording is damaged, table run: CHECK constraint failed: status' "with the place"
	expect_no_file y.db "nothing is made of it"
done

# --- numbers ---

damage sets.db 'UPDATE scenario SET scenario_id = -1'
run merge --digest x.db
expect_status 2 "a digest of an id below 0"
expect_err "names the table" <<'END'
cegsim: error: x.db: the recording is damaged, table scenario: an id is -1
END
damage sets.db 'UPDATE stretch SET first_unit = -5'
run merge --acceptance x.db
expect_status 2 "the acceptance of sets before the first"
expect_line err '^cegsim: error: x\.db: the recording is damaged, table stretch: [0-9]+ units from -5$' "names the table"

damage sets.db 'DELETE FROM platform'
run merge --acceptance x.db --format csv
expect_status 0 "the acceptance of sets on no platform"
[ "$(wc -l <out)" -eq 1 ]
report $? "has no rows"

# --- what is not there ---

damage runs.db 'DROP TABLE task'
for verb in audit query validate; do
	run $verb x.db
	expect_status 2 "$verb: a recording without a table"
	expect_line err '^cegsim: error: .*x\.db: no such table: (main\.)?task$' "is named"
done

# --- versions that there never were ---

# refused ARGUMENT...: what others say of a version that is none
refused() {
	run "$@"
	expect_status 2 "$1: a recording of version 0"
	expect_err "is of another version" <<'END'
cegsim: error: x.db was written by another version of cegsim (recording version 0, here 4)
END
}
damage runs.db 'PRAGMA user_version = 0'
refused audit x.db
refused query x.db
refused view x.db -o x.html --force
refused plot x.db gantt -o x.svg --force
refused trace x.db -o x.pftrace --force
refused validate x.db
refused analyze x.db
refused search x.db
refused run x.db
refused merge x.db --digest
damage sets.db 'PRAGMA user_version = 0'
refused merge x.db -o y.db
refused merge x.db --acceptance
refused sweep x.db --units 0 -o y.db

finish
