#!/bin/sh
# cegsim sweep with `record: verdicts` of a scenario and a grid of values: what the same campaign with all rows says, also
# where the points have policies with other options.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/fault/sweep_lib.sh
. "$SOURCES/tests/fault/sweep_lib.sh"

cat >full.yaml <<'END'
cegsim-campaign: 1
name: car
seed: 11
replications: 6
policies: [rm, fifo-cke]
generate:
  recipe: scenario
  set:
    tasks.radar.period: [9ms, 14ms, 30ms]
    policies.rm.unit: [kernel, section]
  scenario:
    name: car
    horizon: 300ms
    release: {sporadic: {max_delay: 10%}}
    execution: uniform
    platform: {preset: jetson-tx2, copy: {bandwidth: 5GB/s}}
    tasks:
      - {name: camera, period: 33ms, segments: [{cpu: [1ms, 3ms]}, {kernel: {grid: 8, block: 1024, block_time: [4ms, 9ms]}}]}
      - {name: radar, period: 14ms, segments: [{cpu: [1ms, 2ms]}, {copy: to_gpu, bytes: 1MiB},
          {kernel: {grid: 2, block: 1024, block_time: [1ms, 4ms]}}]}
analyses: [{name: self-suspension, policy: rm}, {name: fifo-chains, policy: fifo-cke}]
bounds: true
END
sed '/^bounds/d' full.yaml >brief.yaml
echo 'record: verdicts' >>brief.yaml
cp brief.yaml none.yaml
echo 'keep: []' >>none.yaml
for file in full brief none; do
	run sweep $file.yaml -o $file.db -q
	expect_status 0 "$file.yaml"
done

[ "$(sqlite3 none.db "SELECT (SELECT count(*) FROM verdict) || ' ' || (SELECT count(*) FROM taskset) || ' ' ||
	(SELECT count(*) FROM grid_point)")" = "$(sqlite3 full.db "SELECT ((SELECT count(*) FROM run) +
	(SELECT count(*) FROM analysis_run)) || ' 0 6'")" ]
report $? "a row for each run of a replication, and for each analysis of a point"
[ "$(sqlite3 none.db "SELECT group_concat(name || json_extract(q.params, '\$.unit'), ' ') FROM (SELECT p.name, p.params
	FROM question JOIN policy p USING (policy_id) WHERE analysis IS NULL ORDER BY question_id) q WHERE name = 'rm'")" = \
	'rmkernel rmsection' ]
report $? "a question for the options of each point"
for query in verdicts acceptance analysis-acceptance curves analysis-grid grid; do
	for file in full brief none; do
		"$CEGSIM" query $file.db @$query --format csv 2>/dev/null | python3 -c 'import csv, sys
for r in csv.DictReader(sys.stdin):
	print(*(r[c] for c in r if c not in ("miss_ratio", "mean_energy_j", "taskset_id", "run_id")), sep="|")' >$file.csv
	done
	[ $query = curves ] || [ "$(wc -l <full.csv)" -gt 1 ]
	report $? "@$query has an answer"
	cmp full.csv brief.csv && cmp full.csv none.csv
	report $? "that of the campaign with all rows"
done
[ "$(sqlite3 full.db "SELECT count(DISTINCT schedulable) FROM v_run WHERE policy = 'rm'")" = 2 ]
report $? "of runs that miss, and of runs that do not"
for axis in tasks.radar.period policies.rm.unit; do
	for file in full brief none; do
		"$CEGSIM" plot $file.db grid -P axis=$axis --force -o $file.svg 2>/dev/null
	done
	[ -s full.svg ] && cmp full.svg brief.svg && cmp full.svg none.svg
	report $? "and so is the figure grid over $axis"
done

missing="SELECT DISTINCT recipe_index FROM run JOIN taskset USING (taskset_id) WHERE misses > 0"
sqlite3 full.db "SELECT s.recipe_index, s.digest, r.digest, r.seed, r.jobs, r.misses FROM run r JOIN taskset s USING (taskset_id)
	WHERE s.recipe_index IN ($missing) ORDER BY run_id" >wanted
sed 's/^record.*/&\nkeep: [miss]/' brief.yaml >miss.yaml
run sweep miss.yaml -o miss.db -q
sqlite3 miss.db "SELECT s.recipe_index, s.digest, r.digest, r.seed, r.jobs, r.misses FROM run r JOIN taskset s USING (taskset_id)
	ORDER BY run_id" >got
[ -s wanted ] && [ "$(sqlite3 miss.db "SELECT count(DISTINCT unit) FROM verdict")" -gt 0 ] && cmp wanted got
report $? "replications in which a job misses are kept, as they are with all rows"
sed 's/^record.*/&\nkeep: []\ndetail: {record: jobs, sets: [2]}/' brief.yaml >chosen.yaml
run sweep chosen.yaml -o chosen.db -q
[ "$(sqlite3 chosen.db "SELECT group_concat(DISTINCT replication || record) || ' ' || count(*) FROM run")" = '2jobs 12' ]
report $? "replications with detail are kept at its level"

# Bounds of a point are held against each of its replications; that analyses disagree is of replication 0
cp "$SOURCES/contrib/python/cegsim_bound.py" .
cat >low.py <<'END'
import cegsim_bound

cegsim_bound.answer(lambda question: [t["deadline"] * 3 // 5 for t in question["tasks"]])
END
sed 's/fifo-chains, policy: fifo-cke/pipe, command: [python3, low.py], policy: fifo-cke, safety: unsafe/;
	s/policy: rm}/policy: rm}, {name: mpcp, policy: rm}/' full.yaml >own.yaml
run sweep own.yaml -o own.db -q
expect_status 0 "bounds that are too low"
of_point="JOIN taskset z ON z.recipe = s.recipe JOIN analysis_run a ON a.taskset_id = z.taskset_id AND a.policy_id = r.policy_id"
exceeding="SELECT DISTINCT s.recipe_index FROM run r JOIN taskset s USING (taskset_id) JOIN run_task o USING (run_id)
	JOIN task t USING (task_id) $of_point JOIN bound b USING (analysis_run_id) JOIN task u ON u.task_id = b.task_id
	WHERE u.task_idx = t.task_idx AND b.bound_ns <= t.period_ns
	AND (o.max_response_ns > b.bound_ns OR o.worst_lower_bound_ns >= b.bound_ns) ORDER BY 1"
disagreeing="SELECT DISTINCT s.recipe_index FROM run r JOIN taskset s USING (taskset_id) $of_point
	WHERE a.verdict = 'schedulable' AND r.misses > 0 UNION
	SELECT s.recipe_index FROM analysis_run a JOIN analysis_run b USING (taskset_id, platform_id, policy_id)
	JOIN taskset s USING (taskset_id) WHERE a.verdict = 'schedulable' AND b.verdict = 'unschedulable' ORDER BY 1"
for why in exceed disagree; do
	sed '/^bounds/d' own.yaml >own-$why.yaml
	printf 'record: verdicts\nkeep: [%s]\n' $why >>own-$why.yaml
	run sweep own-$why.yaml -o own-$why.db -q
	[ $why = exceed ] && sql=$exceeding || sql=$disagreeing
	sqlite3 own.db "$sql" >wanted
	sqlite3 own-$why.db 'SELECT recipe_index FROM taskset ORDER BY 1' >got
	[ "$(wc -l <wanted)" -lt 36 ] && [ "$(awk '$1 % 6' wanted | wc -l)" -gt 0 ] && cmp wanted got
	report $? "$why: such replications are kept, $(wc -l <wanted) of 36"
done
run sweep own-exceed.yaml -o own-one.db -j 1 -q
[ "$(digest own-one.db)" = "$(digest own-exceed.db)" ]
report $? "whoever makes them"

whole=$(digest brief.db)
run sweep brief.yaml -o one.db -j 1 -q
[ -n "$whole" ] && [ "$(digest one.db)" = "$whole" ]
report $? "one worker gives the same content as several"
for i in 0 1 2; do
	run sweep brief.yaml -o share$i.db --shard $i/3 -q
done
run merge share*.db -o merged.db
[ "$(digest merged.db)" = "$whole" ]
report $? "and so do shares"
run audit brief.db
expect_status 0 "the audit finds nothing"

finish
