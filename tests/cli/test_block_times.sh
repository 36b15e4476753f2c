#!/bin/sh
# Blocks with different times, from the file to the page: the recording is enough to run and to audit them again, every
# tampering with a block is found, and a scenario that is written is read back as the same.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

example=$SOURCES/scenarios/examples/uneven-blocks.yaml
run run "$example" -o uneven.db -q
expect_status 0 "the example"
run audit uneven.db
expect_status 0 "breaks no law"
run query uneven.db "SELECT name, block, share_ppm, best_ns, worst_ns FROM segment_block JOIN task USING (task_id)
	WHERE block IN (0, 5) OR share_ppm > 0" --format csv
expect_out "every block of a round has a row" <<'END'
name,block,share_ppm,best_ns,worst_ns
fractal,0,,100000,400000
fractal,5,,1500000,2400000
graph,0,1000000,,
graph,1,300000,,
graph,2,200000,,
graph,3,200000,,
END

# Shares of one draw: blocks have the given ratios to each other in every job. Own draws: all differ, within their limits.
run query uneven.db "SELECT count(*) AS jobs, sum(d <> (30 * longest + 99) / 100) AS wrong FROM (SELECT seq, max(end_ns - start_ns)
	AS longest, max(CASE block % 4 WHEN 1 THEN end_ns - start_ns END) AS d FROM block_interval JOIN task USING (task_id)
	WHERE name = 'graph' AND run_id = 1 GROUP BY seq)" --format csv
expect_out "a share is of the longest of its job, rounded up" <<'END'
jobs,wrong
15,0
END
run query uneven.db "SELECT count(DISTINCT end_ns - start_ns) AS times, min(end_ns - start_ns) >= 1500000 AND max(end_ns - start_ns)
	<= 2400000 AS within FROM block_interval JOIN task USING (task_id) WHERE name = 'fractal' AND block % 8 = 5" --format csv
expect_out "every block of every job has its own time" <<'END'
times,within
80,1
END
run query uneven.db "SELECT count(*) AS differ FROM block_interval a JOIN block_interval b USING (task_id, seq, segment_idx, block)
	WHERE a.run_id = 1 AND b.run_id = 2 AND a.end_ns - a.start_ns <> b.end_ns - b.start_ns" --format csv
expect_out "the same under every policy" <<'END'
differ
0
END

# ---- tampering ----

tampered() {
	cp uneven.db bad.db
	run_command sqlite3 bad.db "$1"
	run audit bad.db
	expect_status 1 "$2"
	expect_line out "$3" "is found by the law on it"
}
tampered "UPDATE block_interval SET end_ns = end_ns + 1 WHERE rowid = 100" "a block that is longer by 1 ns" '^(blocks|power-level|slots)'
tampered "UPDATE segment_block SET share_ppm = 310000 WHERE share_ppm = 300000" "another share" 'it did not take its own time'
tampered "UPDATE segment_block SET worst_ns = worst_ns - 1 WHERE block = 1" "other ends of a draw" 'it did not take its own time'
tampered "UPDATE run SET seed = 12" "another seed" 'it did not take its own time'
tampered "CREATE TEMP TABLE x AS SELECT rowid AS r, block FROM block_interval WHERE run_id = 1 AND task_id = 2 AND seq = 0 AND start_ns =
	(SELECT min(start_ns) FROM block_interval WHERE run_id = 1 AND task_id = 2 AND seq = 0);
	UPDATE block_interval SET block = (SELECT 1 - block FROM x WHERE r = block_interval.rowid)
	WHERE rowid IN (SELECT r FROM x WHERE block < 2)" "two blocks of one instant exchanged" 'it did not take its own time|goes first'
for wrong in "DELETE FROM segment_block WHERE block = 0" "UPDATE segment_block SET best_ns = 0 WHERE block = 0 AND share_ppm IS NULL" \
	"UPDATE segment_block SET share_ppm = 1000001 WHERE share_ppm = 1000000" \
	"UPDATE segment SET worst_ns = worst_ns + 1 WHERE segment_idx = 0 AND form = 'grid'"; do
	cp uneven.db bad.db
	run_command sqlite3 bad.db "$wrong"
	run audit bad.db
	expect_status 2 "$wrong: damaged"
	run run bad.db
	expect_status 2 "and not run again"
done

# ---- earlier recordings ----

run run "$SOURCES/scenarios/examples/quickstart.yaml" -o old.db --record blocks -q
run_command sqlite3 old.db "DROP TABLE segment_block; PRAGMA user_version = 2"
run run old.db
expect_status 0 "a recording of version 2 runs again"
run audit old.db
expect_status 0 "and is audited"

# ---- what is written is read back as the same ----

cat >search.yaml <<'END'
cegsim: 1
name: search
time_unit: ms
horizon: 1
platform: {gpu: {sms: 2, threads_per_sm: 128}}
tasks:
  - {name: a, period: 40, segments: [{kernel: {grid: 5, block: 64, block_times: [{time: [1, 2], blocks: 2}, 3]}}]}
  - {name: b, period: 60, segments: [{kernel: {grid: 6, block: 128, block_time: [2, 4], block_shares: [1, {share: 25%, blocks: 2}]}}]}
policies: [fifo-cke]
END
run search search.yaml -t a -o worst --format csv
expect_status 0 "a search"
set -- worst/*.yaml
run run "$1" -o worst.db -q
expect_status 0 "what it wrote runs"
run audit worst.db
expect_status 0 "and breaks no law"
run run search.yaml -o search.db -q
run_command sqlite3 worst.db "ATTACH 'search.db' AS s; SELECT count(*), (SELECT count(*) FROM (SELECT segment_idx, block, share_ppm, best_ns,
	worst_ns FROM main.segment_block EXCEPT SELECT segment_idx, block, share_ppm, best_ns, worst_ns FROM s.segment_block)),
	(SELECT count(*) FROM s.segment_block) FROM main.segment_block"
expect_out "with the same times of blocks" <<'END'
6|0|6
END

# A trace gives the longest block: no block of `a` exceeds its own worst case, and b gets shares of the duration.
cat >traced.csv <<'END'
task,seq,release,segment,duration
a,0,0,0,1.5
b,0,0,0,3
END
sed 's/^horizon: 1$/horizon: 50\nrelease: {trace: traced.csv}/' search.yaml >traced.yaml
run run traced.yaml -o traced.db --record blocks -q
run query traced.db "SELECT name, group_concat((end_ns - start_ns) / 1000, ' ') AS us FROM (SELECT * FROM block_interval ORDER BY
	task_id, block) JOIN task USING (task_id) GROUP BY name" --format csv
expect_out "lengths of a release trace" <<'END'
name,us
a,1500 1500 1500 1500 1500
b,3000 750 750 3000 750 750
END
run audit traced.db
expect_status 0 "the audit says so, too"
finish
