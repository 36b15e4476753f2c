#!/bin/sh
# cegsim view: the page is taken apart, and everything in it is compared with the recording: every row, every named query,
# every entry of the levels of detail (view_page.py computes them again), and what a page leaves out.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

page=$SOURCES/tests/cli/view_page.py

# agrees NAME RECORDING WHAT...: takes NAME.html apart, and computes again what is in it
agrees() {
	run_command python3 "$page" "$@"
	expect_status 0 "$1: the form of the page, $(shift 2; echo "$*")" || cat out
}

# cut NAME RECORDING OPTION...: makes NAME.html
cut() {
	name=$1 recording=$2
	shift 2
	run view "$recording" -o "$name.html" -q "$@"
	expect_status 0 "$name: a page"
	expect_no_output "without a word"
}

# viewed NAME RECORDING: makes it, and compares it with the recording
viewed() {
	cut "$1" "$2"
	agrees "$1" "$2" rows detail
}

cat >many.yaml <<'END'
cegsim: 1
name: "it's </script><!--<script> \"quoted\""
time_unit: ms
horizon: 300ms
seed: 3
release: {sporadic: {max_delay: 10%}}
execution: uniform
platform:
  gpu: {sms: 6, threads_per_sm: 2048, blocks_per_sm: 32}
  copy: {engines: unlimited, bandwidth: 10GB/s, latency: 10us}
  power: {static: 5W, idle_per_sm: 100mW}
tasks:
  - name: "many's"
    period: 9
    segments:
      - {cpu: [0.4, 0.8]}
      - {copy: to_gpu, bytes: 100kB}
      - {kernel: {grid: 3500, block: 64, block_time: [0.03, 0.05], power: 100mW}}
      - {copy: to_cpu, bytes: 10kB}
  - name: </script>
    period: 20
    deadline: 5.2
    segments:
      - {cpu: [2, 3.5]}
      - {copy: to_gpu, bytes: 1MB}
      - {kernel: {grid: 64, block: 384, block_time: [1, 2], power: 200mW}}
policies: [rm]
END
sed 's/horizon: 300ms/horizon: 60ms/; s/\[rm\]/[fifo-cke, rm]/' many.yaml >two.yaml

# --- what is refused ----------------------------------------------------------------------

run view
expect_status 2 "view needs a recording"
expect_line err '^cegsim view: which recording\?' "and says so"
run view many.db
expect_status 2 "and a file to make"
expect_line err 'into which file\? Name it with -o' "and says so"
run view many.db -o many.html
expect_status 3 "there is no such recording"
run view many.yaml -o many.html
expect_status 2 "a scenario is no recording"
run run many.yaml --record blocks -o many.db -q
run view many.db -o many.html -r 2
expect_status 2 "there is no such run"
expect_err "and the answer says where they are listed" <<'END'
cegsim: error: many.db has no run 2 (cegsim query many.db lists them)
END
run view many.db -o many.html --from 3ms --to 3ms
expect_status 2 "an empty time"
run view many.db -o many.html --from 3
expect_status 2 "a time without a unit"
expect_line err '^cegsim view: --from wants a duration such as' "and says what one is"
run view many.db -o many.html --limit few
expect_status 2 "a limit that is no number"
run view many.db many.db -o many.html
expect_status 2 "two recordings"
run view many.db -o missing/many.html
expect_status 3 "a folder that is not there"
expect_no_file many.html "no page was made"
expect_no_file many.html.part "nor begun"

# --- a whole recording ----------------------------------------------------------------------

viewed many many.db
run_command python3 -c '
import json
meta = json.load(open("many.json", encoding="utf-8"))
assert meta["title"] == "many.db" and meta["format"] == 1 and meta["windows"] == [] and meta["interrupted"] is None
import os, subprocess
assert meta["recording_bytes"] == os.stat("many.db").st_size
names = subprocess.run([os.environ["CEGSIM"], "list", "queries", "--format", "json"], capture_output=True, text=True).stdout
assert [q["name"] for q in meta["queries"]] == list(dict.fromkeys(q["query"] for q in json.loads(names)))
assert set(meta["tables"]) == {"job", "segment_interval", "block_interval", "power_interval", "decision", "warp_issue"}'
expect_status 0 "what the page says about itself"
expect_no_line many.html 'it.s </script>' "names cannot end an element"

run view many.db -o many.html
expect_status 2 "a page is not overwritten"
expect_err "but with --force" <<'END'
cegsim: error: many.html exists already; choose another name, or overwrite it with --force
END
run view many.db -o -
cp out page.html
run_command cmp page.html many.html
expect_status 0 "on standard output it is the same, to the byte"
run run "$SOURCES/scenarios/examples/quickstart.yaml" -o quick.db --record blocks -q
run view quick.db -o page.html --force
expect_status 0 "with --force it is overwritten"
cut quick quick.db
run_command cmp page.html quick.html
expect_status 0 "and is the same, to the byte"
cp quick.db kept.db
run view kept.db -o ./kept.db --force
expect_status 2 "but not the recording itself"
expect_err "by whatever name" <<'END'
cegsim: error: ./kept.db is the file that is read, and is not overwritten
END
run_command cmp kept.db quick.db
expect_status 0 "which is as it was"

# --- parts of one ---------------------------------------------------------------------------

run run two.yaml --record blocks -o two.db -q
viewed two two.db

run view two.db -o cut.html --limit 12000
expect_status 0 "a limit"
expect_err "says what is left out" <<'END'
cegsim: note: 11972 of 49384 rows of block_interval are in the page (--limit 12000)
END
agrees cut two.db rows windows=12000
run_command sqlite3 cut.x "ATTACH 'two.x' AS whole; SELECT count(*) FROM (SELECT * FROM view_detail EXCEPT
	SELECT * FROM whole.view_detail); SELECT count(*) > 0 FROM view_detail"
expect_out "the levels of detail are those of the whole recording" <<'END'
0
1
END
run view two.db -o l35000.html --limit 35000 -q
agrees l35000 two.db windows=35000
cut l30 two.db --limit 30
agrees l30 two.db windows=30
cut l0 two.db --limit 0
agrees l0 two.db
run_command sqlite3 l0.x 'SELECT (SELECT count(*) FROM job), (SELECT count(*) FROM block_interval), count(*) FROM run_task'
expect_out "no rows at all, but what is no row of those tables" <<'END'
0|0|4
END

cut second two.db -r 2 --title 'a </script> title'
agrees second two.db rows
run_command sqlite3 second.x 'SELECT group_concat(run_id), (SELECT count(*) FROM policy), (SELECT count(*) FROM run_task)
	FROM run'
expect_out "only the second run" <<'END'
2|1|2
END
run_command python3 -c '
import json
assert json.load(open("second.json", encoding="utf-8"))["title"] == "a </script> title"'
expect_status 0 "with a title of its own"
run view two.db -o both.html -r 2 -r 1 -r 2
run_command cmp two.html both.html
expect_status 0 "all runs by name are all runs"

cut times two.db --from 20ms --to 30ms
agrees times two.db rows
run_command python3 -c '
import json
meta = json.load(open("times.json"))
assert {(w["from_ns"], w["to_ns"]) for w in meta["windows"]} == {(20000000, 30000000)}, meta["windows"]
assert len(meta["windows"]) == 8'
expect_status 0 "a time"
cut late two.db --from 50ms --limit 1000
agrees late two.db rows
run_command sqlite3 late.x 'SELECT count(*) > 900, count(*) <= 1000, min(end_ns) > 50000000, group_concat(DISTINCT run_id)
	FROM block_interval'
expect_out "a time and a limit, which the first run fills" <<'END'
1|1|1|1
END
run view quick.db -o after.html --from 5000s
expect_status 0 "a time after the end"
expect_no_output "is not what the limit left out"
agrees after quick.db rows
run_command sqlite3 after.x 'SELECT (SELECT count(*) FROM job), (SELECT count(*) FROM segment_interval)'
expect_out "nothing is there then" <<'END'
0|0
END

# A great many misses, each far from the others.
cat >misses.yaml <<'END'
cegsim: 1
horizon: 12s
platform: {}
tasks:
  - {name: often, period: 0.1ms, segments: [{cpu: 0.01ms}]}
  - {name: late, period: 1ms, deadline: 0.01ms, segments: [{cpu: 0.02ms}]}
policies: [rm]
END
run run misses.yaml --record jobs -o misses.db -q
cut misses misses.db --limit 50000
agrees misses misses.db
run_command python3 -c '
import json
meta = json.load(open("misses.json"))
assert 49000 < meta["tables"]["job"]["kept"] <= 50000, meta["tables"]
assert len(meta["windows"]) < 10000 and meta["windows"][-1]["from_ns"] == 9999 * 10 ** 6, meta["windows"][-1]'
expect_status 0 "ten thousand of them have a window"

# What a real machine did, out of order, before 0 and behind the end; only the second run has it, and misses.
cp two.db measured.db
run_command sqlite3 measured.db "INSERT INTO measured
	SELECT run_id, task_id, seq, segment_idx, start_ns - 700000 + seq * 90001, end_ns - 700000 + seq * 90001,
	iif(seq % 3, 'stream', NULL) FROM segment_interval WHERE run_id = 2 AND kind = 'run' ORDER BY start_ns % 977, rowid;
	SELECT count(*) > 31, min(start_ns) < 0 FROM measured"
expect_out "segments as they were recorded" <<'END'
1|1
END
viewed measured measured.db
agrees measured measured.db answers
run_command sqlite3 measured.x "SELECT run_id, tbl, longest_ns > 0 FROM view_span WHERE tbl = 'measured';
	SELECT count(DISTINCT reason), count(*) > count(reason) FROM v_measured WHERE deviation_ms IS NOT NULL"
expect_out "a stretch of rows for the run that has them; the view works" <<'END'
2|measured|1
1|1
END
cut measured30 measured.db --limit 30
agrees measured30 measured.db rows windows=30
cut first measured.db -r 1
run_command grep -c '"measured":{"rows"' first.html
expect_status 1 "a page without rows does not speak of them"
run_command sh -c "grep -o '\"measured\":{\"rows\":[0-9]*' measured30.html"
expect_line out '"measured":{"rows":[1-9]' "one with rows does"

# --- other recordings --------------------------------------------------------------------------

agrees quick quick.db rows detail answers
for query in overview utilisation misses; do
	run query quick.db "@$query" --format json
	cp out one
	run query quick.x "@$query" --format json
	cp out other
	run_command cmp one other
	expect_status 0 "cegsim query answers @$query of the file in the page as of the recording"
done
run run "$SOURCES/scenarios/examples/quickstart.yaml" -o jobs.db -q
viewed jobs jobs.db
run gen sbeet -n 3 -o sets.db -q
viewed sets sets.db

cat >pool.yaml <<'END'
cegsim: 1
horizon: 100ms
platform: {gpu: {sms: 2, threads_per_sm: 1000, pool: gpu}}
tasks:
  - {name: a, period: 10ms, segments: [{cpu: 1ms}, {kernel: {grid: 2500, block: 48, block_time: 0.1ms}}]}
  - {name: b, period: 7ms, segments: [{cpu: 0.3ms}, {kernel: {grid: 3, block: 90, block_time: 0.37ms}}]}
policies: [fifo-cke]
END
run run pool.yaml -o pool.db --record blocks -q
viewed pool pool.db
sed 's/threads_per_sm: 1000, pool: gpu/blocks_per_sm: 9/; s/2500/99/; s/fifo-cke/fifo-cke, rm/' pool.yaml >free.yaml
run run free.yaml -o free.db --record blocks -q
viewed free free.db
run_command sqlite3 free.x 'SELECT name, capacity FROM view_lane WHERE run_id = 1'
expect_out "an SM without a limit is as large as what was on it" <<'END'
CPU|1
copy 0|1
GPU|1
SM 000|576
SM 001|576
END
for limit in 0 1 2; do
	cut "free$limit" free.db --limit "$limit"
	agrees "free$limit" free.db rows
done
cut behind free.db --from 7ms --limit 45
agrees behind free.db rows
run_command sqlite3 behind.x 'SELECT run_id, count(*) FROM block_interval GROUP BY run_id'
expect_out "of runs behind the one that is cut there is nothing, even if three blocks would fit" <<'END'
1|39
END

sed 's/horizon: .*/horizon: 1us/' "$SOURCES/scenarios/examples/warps.yaml" >warps.yaml
run run warps.yaml -o warps.db --record issues -q
cut warps warps.db
agrees warps warps.db rows detail answers
cut few warps.db --limit 7000
agrees few warps.db rows windows=7000

run run "$SOURCES/scenarios/examples/uneven-blocks.yaml" -o uneven.db -q
cut uneven uneven.db
agrees uneven uneven.db rows detail answers
run view uneven.db -o uneven2.html -q -r 2
agrees uneven2 uneven.db rows

# Version 1 of recordings has no warps.
cp quick.db old.db
run_command sqlite3 old.db "PRAGMA user_version = 1; DROP VIEW v_warp_kernel; DROP VIEW v_epoch; DROP VIEW v_stalls;
	DROP TABLE warp_machine; DROP TABLE warp_unit; DROP TABLE warp_kernel; DROP TABLE warp_step;
	DROP TABLE run_warp_kernel; DROP TABLE run_sub_core; DROP TABLE epoch; DROP TABLE epoch_sm;
	DROP TABLE epoch_quota; DROP TABLE warp_issue; ALTER TABLE run DROP COLUMN cycles;
	UPDATE meta SET value = '0.0.9' WHERE key = 'tool_version'"
expect_status 0 "a recording of version 1"
cut old old.db
agrees old old.db rows detail answers
run view old.db -o old2.html -q --from 1ms --to 2ms -r 1
expect_status 0 "a part of it"

run_command sqlite3 quick.db "UPDATE meta SET value = 'interrupted' WHERE key = 'status';
	INSERT INTO meta VALUES ('interrupted', 'SIGINT, \"really\"')"
viewed stopped quick.db
run_command python3 -c '
import json
assert json.load(open("stopped.json"))["interrupted"] == "SIGINT, \"really\""'
expect_status 0 "an interrupted recording says so"

# A name with characters that have a meaning in a URI.
cp free.db 'what? 100% #1 & more.db'
viewed named 'what? 100% #1 & more.db'

# Rows out of order are sorted; and an SM without a limit is as large as before.
for of in pool free; do
	cp $of.db shuffled.db
	run_command sqlite3 shuffled.db 'CREATE TABLE t AS SELECT run_id, task_id, seq, segment_idx, block, sm, slot,
		threads, start_ns, end_ns, ended_code FROM block_interval ORDER BY run_id, start_ns % 997, rowid;
		DELETE FROM block_interval; INSERT INTO block_interval SELECT * FROM t; DROP TABLE t'
	viewed "$of-shuffled" shuffled.db
done

# --- what goes wrong ----------------------------------------------------------------------------

mkdir full
output=/dev/full
run view many.db -o -
expect_status 3 "a full disk"
output=
run_command sh -c "ulimit -f 500; exec \"\$CEGSIM\" view many.db -o full/page.html"
expect_status 3 "a scratch file that may not grow"
expect_line err 'cegsim: error: a scratch file in full/: ' "says which"
run_command sh -c "ulimit -f 1500; exec \"\$CEGSIM\" view free.db -o full/page.html"
expect_status 3 "a page that may not grow"
run_command sh -c 'TMPDIR=$PWD/missing exec "$CEGSIM" view many.db -o -'
expect_status 3 "no place for the scratch file"
run_command ls -A full
expect_no_output "nothing is left of those"

# A page that is not read by anybody, while the process that makes it is killed.
mkfifo pipe
last="view -o - with SIGTERM"
TMPDIR=$PWD/full "$CEGSIM" view many.db -o - >pipe 2>err &
maker=$!
exec 3<pipe
head -c 1 <&3 >out
kill "$maker"
status=0
wait "$maker" || status=$?
exec 3<&-
expect_status 130 "killed at standard output"
for wait in 0.01 0.06; do
	"$CEGSIM" view many.db -o full/page.html --force 2>err &
	maker=$!
	sleep "$wait"
	kill -INT "$maker" 2>/dev/null
	wait "$maker"
	status=$?
	[ "$status" -eq 0 ] || [ "$status" -eq 130 ]
	report $? "interrupted after $wait s, or made"
	[ "$status" -ne 0 ] || rm full/page.html
done
run_command ls -A full
expect_no_output "nothing is left of those either"

finish
