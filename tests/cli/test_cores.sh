#!/bin/sh
# Several cores (docs/model.md, "Cores"): sets run on them, one for each task or any for all, and are recorded, repeated,
# audited, drawn and analysed so.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# GCAPS, figure 3, with CPU work outside of the lock: 6.5, 10.75, 6.5 by hand.
cat >own.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 100
platform: {cores: 2, gpu: {sms: 1}}
tasks:
  - {name: t1, core: 0, period: 100, priority: 1, offset: 2, segments: [{cpu: 0.75}, {kernel: {grid: 1, block: 32, block_time: 2}}, {cpu: 0.75}]}
  - {name: t2, core: 1, period: 100, priority: 2, offset: 1, segments: [{cpu: 2.25}, {kernel: {grid: 1, block: 32, block_time: 2.75}}, {cpu: 1.25}]}
  - {name: t3, core: 1, period: 100, priority: 3, segments: [{cpu: 0.75}, {kernel: {grid: 1, block: 32, block_time: 5}}, {cpu: 0.75}]}
policies: [mpcp]
record: blocks
END
sed 's/cores: 2/cores: {count: 2, scheduling: global}/; s/core: ., //' own.yaml >any.yaml
sed 's/cores: 2/cores: {count: 2, scheduling: partitioned}/' own.yaml >long.yaml
sed 's/cores: 2, //; s/core: ., //' own.yaml >one.yaml

for how in own any long; do
	run run $how.yaml -o $how.db
	expect_status 0 "$how: runs"
	run query $how.db "SELECT task, response_ms FROM v_job ORDER BY task_id" --format csv
	expect_out "$how: as by hand" <<-'END'
		task,response_ms
		t1,6.5
		t2,10.75
		t3,6.5
	END
	run audit $how.db
	expect_status 0 "$how: the audit finds nothing"
	run run $how.db
	expect_status 0 "$how: is repeated from the recording"
	expect_line out "yes" "$how: with the same digest"
done

# ---- what is recorded, and shown ----
run query own.db "SELECT l.cores, l.core_scheduling, t.name, t.core FROM task t, platform l" --format csv
expect_out "the platform and the tasks say the cores" <<-'END'
	cores,core_scheduling,name,core
	2,partitioned,t1,0
	2,partitioned,t2,1
	2,partitioned,t3,1
END
run query any.db "SELECT l.core_scheduling, count(t.core) FROM task t, platform l" --format csv
expect_line out "^global,0$" "where any core serves a task, it has none"
run query own.db "SELECT lane, count(*), sum(end_ms - start_ms) FROM v_gantt WHERE resource = 'cpu' GROUP BY lane" --format csv
expect_out "each core has a lane" <<-'END'
	lane,count(*),sum(end_ms - start_ms)
	CPU 0,2,1.5
	CPU 1,4,5
END
run query own.db @utilisation --format csv
expect_line out ",CPU 1,5.0" "@utilisation has each core"
run query own.db "SELECT lane FROM v_utilisation WHERE resource = 'cpu' ORDER BY lane" --format csv
expect_line out "^CPU 0$" "v_utilisation, too"
run run one.yaml -o one.db
run query one.db "SELECT DISTINCT lane FROM v_gantt WHERE resource = 'cpu'" --format csv
expect_line out "^CPU$" "the only core has no number"
run plot own.db gantt -o own.svg
expect_status 0 "a Gantt chart"
expect_line own.svg "CPU 1" "with a lane for each core"
run trace own.db -o own.pftrace
expect_status 0 "a trace"
run_command grep -c "CPU core 1" own.pftrace
expect_status 0 "with a track for each core"
run view own.db -o own.html
expect_status 0 "a page"

# ---- recordings that know of one core ----
run_command sqlite3 one.db "DROP VIEW v_why; DROP VIEW v_wait_sum; DROP VIEW v_wait; ALTER TABLE task DROP COLUMN core; ALTER TABLE platform DROP COLUMN core_scheduling"
run run one.db
expect_status 0 "a recording without the columns is repeated"
run query one.db "SELECT count(*) > 0 FROM v_wait" --format csv
expect_line out "^1$" "and says what jobs waited for"
run audit one.db
run_command grep -q "^cpu-" out
expect_status 1 "and is audited: of its cores there is nothing to say"

# ---- who waits for what ----
sed 's/^policies.*/policies: [fifo-cke]/; s/core: 0/core: 1/' own.yaml >wait.yaml
run run wait.yaml -o wait.db
run query wait.db "SELECT sum(amount_ms) FROM v_wait WHERE task = 't3' AND resource = 'cpu'" --format csv
cp out shared.csv
run query own.db "SELECT count(*) FROM v_wait WHERE resource = 'cpu'" --format csv
expect_out "with cores of their own nobody waits for one" <<-'END'
	count(*)
	0
END
run_command grep -q "^[0-9.]*$" shared.csv
expect_status 0 "on one core somebody does"

# ---- bounds ----
run analyze own.yaml -a mpcp --format csv
expect_status 0 "mpcp bounds tasks with a core each"
run analyze any.yaml -a mpcp
expect_line out "any of the cores serves any task" "but not where any core serves them"
sed 's/sms: 1/sms: 3/' own.yaml >three.yaml
run analyze three.yaml -p stgm:admit=any -a stgm
expect_line out "are on different cores; it holds for one core" "stgm refuses several"
run run three.yaml -p stgm
expect_line out "its test holds for one core" "and so does its test"
run search own.yaml -a mpcp --budget 200
expect_status 0 "a search finds nothing above the bound"

# ---- campaigns ----
cat >campaign.yaml <<'END'
cegsim-campaign: 1
name: cores
seed: 1
replications: 1
policies: [mpcp]
generate: {recipe: scenario, file: own.yaml, set: {platform.cores: [2, 3]}}
END
run sweep campaign.yaml -o campaign.db -q
expect_status 0 "a campaign varies the cores"
run query campaign.db "SELECT DISTINCT l.cores FROM run JOIN platform l USING (platform_id) ORDER BY 1" --format csv
expect_out "both were run" <<-'END'
	cores
	2
	3
END
run gen gcaps cpus=4 -n 5 -o sets.db
expect_status 0 "sets for four CPUs"
run query sets.db "SELECT count(DISTINCT core), max(core) FROM task" --format csv
expect_line out "^4,3$" "have four cores"
run analyze sets.db -p mpcp -a mpcp
expect_status 0 "and are bounded"
finish
