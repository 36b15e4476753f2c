#!/bin/sh
# cegsim sweep --units: sets of a campaign by their numbers, from its file or from a recording of it: the rows that the
# campaign with `record: blocks` has of them.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/fault/sweep_lib.sh
. "$SOURCES/tests/fault/sweep_lib.sh"

cat >brief.yaml <<'END'
cegsim-campaign: 1
name: few
seed: 5
sets: 12
replications: 2
generate: {recipe: custom, tasks: [3, 5], utilisation: [40%, 100%, 160%]}
platforms: [{preset: jetson-tx2}, {preset: jetson-tx1}]
policies: [fifo-cke, rm]
run: {horizon: {periods: 5}, stop: horizon, release: {sporadic: {max_delay: 20%}}, execution: uniform}
analyses: [stgm, {name: self-suspension, policy: rm}]
record: verdicts
keep: []
END
sed '/^keep/d; s/^record.*/record: blocks/' brief.yaml >blocks.yaml

# rows FILE.db WHERE: what is recorded of sets, with numbers of sets, runs and analyses of a set in place of ids
rows() {
	sqlite3 "$1" "
	CREATE TEMP TABLE r AS SELECT run_id, recipe_index || '/' || (run_id - min(run_id) OVER (PARTITION BY taskset_id)) AS name
		FROM run JOIN taskset USING (taskset_id) WHERE $2;
	SELECT 'set', recipe_index, digest, recipe, target_utilisation_ppm FROM taskset WHERE $2 ORDER BY recipe_index;
	SELECT 'run', r.name, l.name, p.name, p.params, n.seed, n.record, n.status, n.jobs, n.misses, n.digest, n.energy_uj FROM r
		JOIN run n USING (run_id) JOIN platform l USING (platform_id) JOIN policy p USING (policy_id) ORDER BY run_id;
	SELECT 'job', r.name, task_idx, seq, release_ns, finish_ns, state FROM job JOIN r USING (run_id) JOIN task USING (task_id)
		ORDER BY run_id, 3, 4;
	SELECT 'interval', r.name, i.kind, task_idx, i.start_ns, i.end_ns FROM segment_interval i JOIN r USING (run_id)
		JOIN task USING (task_id) ORDER BY i.run_id, i.rowid;
	SELECT 'block', r.name, b.start_ns, b.end_ns FROM block_interval b JOIN r USING (run_id) ORDER BY b.run_id, b.rowid;
	SELECT 'bound', recipe_index, l.name, p.name, a.analysis, a.params, a.verdict, task_idx, bound_ns FROM bound
		JOIN analysis_run a USING (analysis_run_id) JOIN taskset s USING (taskset_id) JOIN task USING (task_id)
		JOIN platform l USING (platform_id) JOIN policy p USING (policy_id) WHERE $2 ORDER BY a.analysis_run_id, task_idx"
}

run sweep brief.yaml -o brief.db -q
expect_status 0 "a campaign of verdicts"
expect_line out '^Sets by number: cegsim query brief.db @verdicts' "says how to go on"
run sweep blocks.yaml -o blocks.db -q
expect_status 0 "the same with every block"

# ---- which set ------------------------------------------------------------------------------
for file in brief blocks; do
	"$CEGSIM" query $file.db @verdicts -P limit=100000 --format csv 2>/dev/null |
		python3 -c 'import csv, sys
for r in csv.DictReader(sys.stdin): print(*(r[c] for c in r if c not in ("taskset_id", "run_id")), sep="|")' >$file.csv
done
[ "$(wc -l <brief.csv)" -gt 500 ] && cmp brief.csv blocks.csv
report $? "@verdicts says of verdicts alone what it says of all rows"
run query brief.db @verdicts -P verdict=unschedulable -P policy=rm -P analysis=stgm --format csv
expect_status 0 "of an analysis that has verdicts alone"
run query brief.db @analysis-acceptance -P analysis=fp
expect_status 2 "and of one that was not asked"
expect_line err "no bounds of the analysis 'fp'; it has: self-suspension, stgm" "those that were are named"
set=$(sqlite3 brief.db "SELECT min(unit) FROM verdict JOIN question USING (question_id) WHERE analysis IS NULL AND
	verdict = 'unschedulable' AND unit > 24")
run query brief.db @verdicts -P unit="$set" --format csv
[ "$(grep -c unschedulable out)" -gt 0 ] && [ "$(cut -d, -f1 out | sort -u | wc -l)" = 2 ]
report $? "set $set misses"

# ---- one command ----------------------------------------------------------------------------
run sweep brief.db --units "$set" -o one.db -q
expect_status 0 "it is made again, of the recording"
expect_line out '^run_id +policy ' "its runs are printed"
rows blocks.db "recipe_index = $set" >wanted
rows one.db "recipe_index = $set" >got
[ "$(grep -c '^block' wanted)" -gt 100 ] && [ "$(grep -c '^bound' wanted)" -gt 5 ] && cmp wanted got
report $? "with the rows of the campaign with record: blocks, $(wc -l <wanted)"
[ "$(sqlite3 one.db 'SELECT group_concat(recipe_index) FROM taskset')" = "$set" ]
report $? "and of no other set"
run query one.db @misses
expect_status 0 "which job missed"
expect_line err 'only 1 of 72 sets, by number' "the recording says that it is not whole"
run audit one.db
expect_status 0 "the audit finds nothing"

run sweep blocks.yaml --units 0..4 -o first.db -q -j 2
run sweep blocks.yaml --limit-units 5 -o limited.db -q
[ -n "$(digest limited.db)" ] && [ "$(digest first.db)" = "$(digest limited.db)" ]
report $? "sets 0 to 4 are the first five, by content"
run sweep brief.yaml --units 70,3,17..19 -o some.db -q -j 2
rows blocks.db "recipe_index IN (3, 17, 18, 19, 70)" >wanted
rows some.db 1 >got
cmp wanted got
report $? "a list in any order"
run sweep brief.yaml --units 3 --record jobs -o jobs.db -q
[ "$(sqlite3 jobs.db "SELECT group_concat(DISTINCT record) || (SELECT count(*) > 0 FROM job) ||
	(SELECT count(*) FROM segment_interval) FROM run")" = jobs10 ]
report $? "as finely as --record says"

cat >alone.yaml <<'END'
cegsim-campaign: 1
sets: 20
generate: {recipe: rtgpu-table1, utilisation: [40%]}
analyses: [rtgpu, {name: self-suspension, method: baseline}]
record: verdicts
keep: []
END
run sweep alone.yaml -o alone.db -q
run sweep alone.db --units 7 -o alone-7.db -q
expect_status 0 "a set with analyses alone"
expect_line out '^taskset_id +taskset .* verdict' "its analyses are printed"
[ "$(sqlite3 alone-7.db 'SELECT count(*) FROM bound')" -gt 0 ]
report $? "and its bounds recorded"

# ---- a scenario in a file of its own ------------------------------------------------------------
mkdir folder
cat >folder/car.yaml <<'END'
cegsim: 1
horizon: 1s
execution: uniform
platform: {preset: jetson-tx2}
policies: [rm]
tasks: [{name: a, period: 10ms, segments: [{cpu: [1ms, 4ms]}, {kernel: {grid: 8, block: 64, block_time: [1ms, 3ms]}}]}]
END
cat >folder/cars.yaml <<'END'
cegsim-campaign: 1
replications: 10
generate: {recipe: scenario, file: car.yaml, set: {tasks.a.period: [10ms, 6ms]}}
record: verdicts
keep: []
END
run sweep folder/cars.yaml -o folder/cars.db -q
expect_status 0 "verdicts of a scenario"
run sweep folder/cars.db --units 13 -o car.db -q
expect_status 0 "a replication of it"
[ "$(sqlite3 car.db "SELECT replication || ' ' || record || ' ' || (SELECT count(*) > 0 FROM job) FROM run")" = "3 blocks 1" ]
report $? "is recorded"
sed -i 's/4ms/5ms/' folder/car.yaml
run sweep folder/cars.db --units 13 -o car.db --force -q
expect_status 2 "not with another text of the scenario"
expect_line err 'car.yaml has another text than the scenario' "which is named"

# ---- what is refused ------------------------------------------------------------------------
run sweep brief.yaml --units 72 -o wrong.db
expect_status 2 "a set that is none"
expect_line err 'there is no set 72: the campaign has 0 to 71' "those that there are"
run sweep brief.yaml --units 5..3 -o wrong.db
expect_status 2 "a list that is none"
expect_line err 'sets are written 1..100 or 1,5,9' "how lists are written"
run sweep brief.yaml --units 3,2..5 -o wrong.db
expect_line err 'set 3 is given twice' "a set twice"
run sweep brief.db -o wrong.db
expect_status 2 "a recording without --units"
expect_line err 'which sets of its campaign' "says so"
for more in '--shard 0/2' '--limit-units 3'; do
	# shellcheck disable=SC2086
	run sweep brief.yaml --units 3 $more -o wrong.db
	expect_status 2 "with $more"
done
run sweep brief.yaml --record jobs -o wrong.db
expect_status 2 "--record of all sets"
run sweep brief.db --units 3 -o brief.db --force
expect_status 2 "over what is read"
run run folder/car.yaml -o car-run.db -q
run sweep car-run.db --units 0 -o wrong.db
expect_status 2 "a recording without a campaign"
expect_line err 'not the recording of a campaign' "says so"
[ ! -e wrong.db ] && [ ! -e wrong.db.parts ]
report $? "and nothing is left"

# ---- a stranger's ---------------------------------------------------------------------------
cat >mine.py <<'END'
#!/usr/bin/env python3
import json, sys
open("ran", "w").close()
for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "verdict": "refused", "reason": "by mine"}), flush=True)
END
sed 's/^analyses.*/analyses: [{name: pipe, command: [python3, mine.py]}]/; s/^sets.*/sets: 1/' blocks.yaml >own.yaml
run sweep own.yaml -o own.db -q
expect_status 0 "a campaign with a command of its author's"
rm -f ran
run sweep own.db --units 0 -o again.db -q
expect_status 2 "a recording of it does not run the command"
expect_line err "error: own\.db wants to run the command 'python3 mine\.py'; --trust lets it\$" "names it"
expect_no_file ran "and has not run it"
expect_no_file again.db "and nothing is recorded"
run sweep own.db --units 0 -o again.db -q --trust
expect_status 0 "unless it is trusted"
[ -e ran ]
report $? "which runs it"
sed 's|^analyses.*|analyses: [./no-such.so]|; s/^sets.*/sets: 1/' blocks.yaml >plugin.yaml
cp own.db plugin.db
sqlite3 plugin.db "UPDATE scenario SET text = CAST(readfile('plugin.yaml') AS TEXT)"
run sweep plugin.db --units 0 -o again.db -q --force
expect_status 2 "nor does it load a plug-in"
expect_line err "error: plugin\.db wants to load the plug-in '(\./)*no-such\.so'; --trust lets it\$" "which is named, too"
run sweep own.yaml -o again.db -q --force --trust
expect_status 2 "--trust without --units"

finish
