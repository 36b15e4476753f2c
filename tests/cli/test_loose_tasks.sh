#!/bin/sh
# Tasks that analyses do not know: with release jitter, with deadlines above their periods. They run, are recorded,
# repeated and audited; what would give wrong answers refuses with a sentence.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# ---- release jitter ----
cat >jitter.yaml <<'END'
cegsim: 1
horizon: 400ms
seed: 3
execution: uniform
release: {jitter: 4ms}
on_miss: drop
platform: {preset: jetson-tx1}
tasks:
  - {name: camera, period: 10ms, segments: [{cpu: 2ms}, {kernel: {grid: 16, block: 256, block_time: [1ms, 2ms]}}]}
  - {name: lidar, period: 20ms, release: periodic, segments: [{cpu: [1ms, 9ms]}, {kernel: {grid: 8, block: 256, block_time: 8ms}}]}
policies: [fifo-cke, rm, edf]
record: blocks
END
run run jitter.yaml -o jitter.db
expect_status 0 "jitter runs"
run run jitter.db
expect_status 0 "is drawn again for the recorded runs"
run audit jitter.db
expect_status 0 "and by the audit"
run query jitter.db "SELECT sum(nominal_ms <> 10 * seq), sum(deadline_ms <> 10 * seq + 10), min(release_ms >= nominal_ms AND
	release_ms - nominal_ms <= 4), count(DISTINCT release_ms - nominal_ms) > 30 FROM v_job WHERE run_id = 1 AND task = 'camera'" \
	--format csv
expect_line out '^0,0,1,1$' "releases are up to the jitter late; deadlines count from the nominal instants"
run query jitter.db "SELECT release_kind, jitter_ns FROM task ORDER BY task_idx" --format csv
expect_out "a jitter of the file is that of each task without a rule of its own" <<-'END'
	release_kind,jitter_ns
	jitter,4000000
	periodic,
END
run_command sqlite3 jitter.db "UPDATE job SET release_ns = release_ns + 1 WHERE run_id = 1 AND seq = 3 AND task_id = 1"
run audit jitter.db --run 1
expect_status 1 "a release at another instant is found"
expect_line out "released at .*ns, expected .*ns" "by the draw made again"

# ---- deadlines above periods ----
sed 's/^release: .*//; s/^on_miss: .*/on_miss: abort/; s/period: 10ms,/period: 10ms, deadline: 25ms,/' jitter.yaml >above.yaml
run run above.yaml -o above.db
expect_status 0 "a deadline above the period runs"
run run above.db
expect_status 0 "and is run again"
run audit above.db
expect_status 0 "and audited"

# ---- who refuses ----
for case in "jitter:task 'camera' is released with jitter; WHO releases at least a period apart" \
	"above:the deadline of task 'camera' is above its period; WHO deadlines up to the period"; do
	file=${case%%:*}.yaml says=${case#*:}
	run run "$file" -p stgm -p rtgpu -p sbeet
	expect_status 0 "$file: to refuse a set is an answer"
	expect_line out "stgm +refused .*$(echo "$says" | sed 's/WHO/its test holds for/')" "$file: stgm refuses"
	expect_line out "rtgpu +refused .*$(echo "$says" | sed 's/WHO/its test holds for/')" "$file: rtgpu refuses"
	expect_line out "sbeet +refused .*$(echo "$says" | sed 's/WHO/sbeet expects/')" "$file: sbeet refuses"
	run analyze "$file" -p fifo-cke
	expect_line out "fifo-e1 +refused .*$(echo "$says" | sed 's/WHO/it holds for/')" "$file: analyses refuse"
	run search "$file" -p rm
	expect_status 2 "$file: a search refuses"
	expect_line err "$(echo "$says" | sed 's/WHO/a search is for/')" "$file: with the reason"
done

# ---- recordings of version 3 ----
# older FILE.db: takes away what version 4 brought.
older() {
	run_command sqlite3 "$1" "ALTER TABLE task DROP COLUMN jitter_ns; PRAGMA user_version = 3"
}
run run "$SOURCES/scenarios/examples/quickstart.yaml" -o old.db --record blocks -q
older old.db
run run old.db
expect_status 0 "a recording of version 3 runs again"
run audit old.db --format csv
expect_status 1 "its digests are still those of version 4"
expect_line out '^scenario-rows,.*,[1-9][0-9]*,0,$' "and its rows those that its text says"

cat >campaign.yaml <<'END'
cegsim-campaign: 1
generate: {recipe: custom, sets: 1}
policies: [rm]
run: {horizon: {periods: 1}, release: {jitter: 1ms}}
END
run sweep campaign.yaml -o campaign.db
expect_status 2 "generated sets have no jitter"
expect_line err "campaign.yaml:4:.*a campaign's sets are generated: a jitter for all could be longer than their periods" \
	"which is said"
finish
