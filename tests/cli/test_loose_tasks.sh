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

# ---- samples of execution times ----
cat >sampled.yaml <<'END'
cegsim: 1
horizon: 2s
execution: {samples: times.csv}
platform: {preset: jetson-tx1}
tasks:
  - {name: camera, period: 20ms, segments: [{cpu: [1ms, 3ms]}, {kernel: {grid: 16, block: 256, block_time: [1ms, 4ms]}}, {cpu: [1us, 2us]}]}
policies: [fifo-cke, rm]
record: blocks
END
printf 'task,segment,value\ncamera,0,1ms\ncamera,1,2ms\ncamera,0,2ms\ncamera,1,4ms\ncamera,0,3ms\ncamera,1,1ms\n' >times.csv
sed 's/times.csv}/times.csv, together: true}/' sampled.yaml >together.yaml
for name in sampled together; do
	run run $name.yaml -o $name.db
	expect_status 0 "$name: runs"
	run audit $name.db
	expect_status 0 "$name: the audit draws the same"
done
mv times.csv gone.csv
for name in sampled together; do
	run run $name.db
	expect_status 0 "$name: runs again without the file"
	run audit $name.db
	expect_status 0 "$name: and is what its text says, without the file"
done
pairs="SELECT group_concat(pair, ' ') FROM (SELECT DISTINCT printf('%d+%d', (a.end_ns - a.start_ns) / 1000000,
	(b.end_ns - b.start_ns) / 1000000) AS pair FROM segment_interval a JOIN segment_interval b USING (run_id, task_id, seq) WHERE run_id = 1
	AND a.segment_idx = 0 AND b.segment_idx = 1 ORDER BY pair)"
run query sampled.db "$pairs" --format csv
expect_line out '^1.1 1.2 1.4 2.1 2.2 2.4 3.1 3.2 3.4$' "each segment takes one of its values"
run query together.db "$pairs" --format csv
expect_line out '^1.2 2.4 3.1$' "together: of one row"
run query sampled.db "SELECT count(DISTINCT end_ns - start_ns) > 50 FROM segment_interval WHERE run_id = 1 AND segment_idx = 2" \
	--format csv
expect_line out '^1$' "a segment without samples is drawn between best and worst case"
run_command sqlite3 sampled.db "UPDATE segment_sample SET value_ns = 1500000 WHERE segment_idx = 0 AND sample = 1"
run audit sampled.db
expect_status 1 "another sample is found"
expect_line out 'set-digest' "by the digest of the set"
run_command sqlite3 sampled.db "UPDATE segment_sample SET value_ns = 9000000 WHERE segment_idx = 0 AND sample = 1"
run audit sampled.db
expect_status 2 "a sample beyond the worst case is damage"
run run sampled.db
expect_status 2 "which is not run again"
expect_line err "a sample, 9ms, is not within the segment's best and worst case" "with the reason"

# ---- limits of misses ----
cat >limits.yaml <<'END'
cegsim: 1
horizon: 100ms
execution: worst
tasks:
  - {name: fast, period: 10ms, deadline: 4ms, misses: {at_most: 2, in: 5}, segments: [{cpu: 3ms}]}
  - {name: slow, period: 20ms, deadline: 3ms, misses: {at_most: 3, in: 10}, segments: [{cpu: 2ms}]}
policies: [rm]
END
run run limits.yaml -o limits.db
expect_status 0 "misses are an answer"
expect_line out "^limits, rm: task 'slow' missed 5 of its jobs 0 to 4; its limit is 3 in 10$" "a broken limit is named under the table"
cp out said
run_command grep -c "^limits, rm: task" said
expect_line out "^1$" "and no other"
run query limits.db "SELECT task, misses, longest_run, share_behind_a_miss, window, most_in_window, misses_at_most, kept FROM
	v_weakly_hard WHERE run_id = 1" --format csv
expect_out "v_weakly_hard says the same" <<-'END'
	task,misses,longest_run,share_behind_a_miss,window,most_in_window,misses_at_most,kept
	fast,0,0,,5,0,2,1
	slow,5,5,0.8,10,5,3,0
END
run run limits.yaml --strict
expect_status 1 "--strict: a broken limit is a miss"
sed 's/at_most: 3, in: 10/at_most: 5, in: 10/' limits.yaml >kept.yaml
run run kept.yaml --strict
expect_status 0 "--strict: misses within the limit are none"
sed 's/, misses: {at_most: 3, in: 10}//' limits.yaml >none.yaml
run run none.yaml --strict
expect_status 1 "--strict: a miss of a task without a limit is one"
run run limits.db
expect_status 0 "limits are recorded"
run audit limits.db
expect_status 0 "and audited"
run_command sqlite3 limits.db "UPDATE run_task SET window_misses = 4 WHERE run_id = 1 AND window_misses = 5"
run audit limits.db
expect_status 1 "another number of misses is found"
expect_line out 'window_misses is 4, but its job rows give 5' "from the job rows"

# ---- names of segments ----
cat >named.yaml <<'END'
cegsim: 1
horizon: 20ms
platform: {preset: jetson-tx1}
tasks:
  - name: camera
    period: 20ms
    segments: [{name: grab, cpu: 1ms}, {name: upload, copy: to_gpu, time: 1ms}, {name: detect, kernel: {grid: 4, block: 1024, block_time: 14ms}}, {cpu: 1ms}]
policies: [fifo-cke]
record: blocks
END
run run named.yaml -o named.db
expect_status 0 "named segments run"
run run named.db
expect_status 0 "are read back"
run audit named.db
expect_status 0 "and are those of the text"
run query named.db @where-time-went --format csv
expect_line out '^camera,0,0,grab,run,' "@where-time-went has the names"
expect_line out '^camera,0,3,cpu,run,' "or what the segment is"
run query named.db @schedule --format csv
expect_line out '^GPU,camera,0,2,detect,' "@schedule has them"
run query named.db "SELECT name FROM v_segment ORDER BY segment_idx" --format csv
expect_out "and so has v_segment" <<-'END'
	name
	grab
	upload
	detect
	
END
run trace named.db -o named.pftrace
expect_status 0 "a trace"
run_command grep -c detect named.pftrace
expect_status 0 "has them"
run plot named.db gantt -o named.svg
expect_status 0 "a chart"
run_command grep -c 'camera: detect' named.svg
expect_status 0 "has them where there is room"
run view named.db -o named.html
expect_status 0 "and a page"

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
	run_command sqlite3 "$1" "DROP VIEW v_measured; DROP TABLE measured; DROP VIEW v_weakly_hard; DROP VIEW v_segment; DROP VIEW v_flight_wait;
		ALTER TABLE segment DROP COLUMN name; ALTER TABLE task DROP COLUMN jitter_ns;
		ALTER TABLE task DROP COLUMN misses_at_most; ALTER TABLE task DROP COLUMN misses_in;
		ALTER TABLE run_task DROP COLUMN window_misses; DROP TABLE segment_sample; PRAGMA user_version = 3"
}
run run "$SOURCES/scenarios/examples/quickstart.yaml" -o old.db --record blocks -q
older old.db
run run old.db
expect_status 0 "a recording of version 3 runs again"
run query old.db @where-time-went --format csv
expect_line out '^camera,0,0,cpu,run,' "answers queries that ask for names of segments"
run trace old.db -o old.pftrace
expect_status 0 "and becomes a trace"
run query old.db 'SELECT count(*), count(deviation_ms) FROM v_measured' --format csv
expect_line out '^0,0$' "and no real machine has run it"
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
sed -i 's/release: {jitter: 1ms}/execution: {samples: times.csv}/' campaign.yaml
run sweep campaign.yaml -o campaign.db
expect_status 2 "nor samples"
expect_line err "campaign.yaml:4:.*a campaign's sets are generated: there are no samples of them" "which is said, too"
finish
