#!/bin/sh
# Decisions that take time (docs/model.md, "What a decision takes"): from file to file, who refuses, what the audit finds.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# sBEET's Example 2, and a job for the core. tests/golden/test_golden_sbeet.c has the reasons.
cat >decided.yaml <<'END'
cegsim: 1
name: decided
time_unit: ms
horizon: 14
platform: {gpu: {sms: 8}, copy: {engines: unlimited}, power: {static: 1W, idle_per_sm: 200mW}}
tasks:
  - {name: tau1, period: 100, deadline: 14,
     segments: [{copy: to_gpu, time: 1}, {kernel: {work: 48, power: 500mW}}, {copy: to_cpu, time: 1}]}
  - {name: tau2, period: 100, deadline: 7, offset: 1,
     segments: [{copy: to_gpu, time: 1}, {kernel: {work: 8, power: 500mW}}, {copy: to_cpu, time: 1}]}
  - {name: tau3, period: 100, deadline: 10, offset: 2,
     segments: [{copy: to_gpu, time: 1}, {kernel: {work: 8, power: 500mW}}, {copy: to_cpu, time: 1}]}
  - {name: cpu, period: 100, segments: [{cpu: 4}]}
record: blocks
policies: [{name: sbeet, decision_base: 0.5ms, decision_per_job: 0.5ms}]
END
sed 's/0.5ms}/0.5ms, decision_on: server}/' decided.yaml >server.yaml
sed 's/{name: sbeet, .*}/sbeet/' decided.yaml >free.yaml

finish_times="SELECT task, finish_ms FROM v_job WHERE task IN ('tau3', 'cpu') ORDER BY task"
run run decided.yaml -o decided.db -q
expect_status 0 "decisions may take time of the core"
run query decided.db "$finish_times" --format csv
expect_line out '^cpu,8$' "a job waits for them"
expect_line out '^tau3,12$' "and so do sections"
run query decided.db "SELECT count(*), sum(end_ns - start_ns) FROM segment_interval WHERE kind = 'decision'" --format csv
expect_line out '^5,5000000$' "the core's intervals are recorded"
run query decided.db "SELECT DISTINCT task, asked_ms, time_ms FROM v_decision ORDER BY time_ms" --format csv
expect_line out '^tau2,1,2$' "and when each was asked for"
run query decided.db "SELECT resource, sum(amount_ms) FROM v_wait_sum JOIN task USING (task_id) WHERE name = 'cpu' GROUP BY 1" --format csv
expect_line out '^release,4$' "the wait of the job is accounted for"
run run server.yaml -o server.db -q
run query server.db "$finish_times" --format csv
expect_line out '^cpu,4$' "a server takes no core"
expect_line out '^tau3,12$' "sections wait all the same"
run run free.yaml -o free.db -q
run query free.db "$finish_times" --format csv
expect_line out '^tau3,11$' "without a cost they do not"
for name in decided server free; do
	run audit $name.db -v
	expect_status 0 "$name: the audit finds nothing"
	expect_line out '^ *decision-time ' "$name: and has a law for it"
	run run $name.db
	expect_line out 'yes' "$name: it is repeated"
done
run trace decided.db -o decided.pftrace
expect_status 0 "traces have them"
cp decided.db changed.db
run_command sqlite3 changed.db "UPDATE decision SET asked_ns = asked_ns + 1 WHERE time_ns = 2000000"
run audit changed.db
expect_status 1 "the audit finds a decision that was asked for at another instant"
expect_line out '^decision-time: ' "by its law"
cp free.db old.db
run_command python3 "$SOURCES/tests/cli/older.py" old.db
run query old.db "SELECT count(*) FROM decision WHERE asked_ns <> time_ns" --format csv
expect_line out '^0$' "decisions of older recordings were at once"

# ---- who refuses ----
sed 's/decision_base/offline: true, decision_base/' decided.yaml >offline.yaml
run run offline.yaml -o offline.db -q
expect_status 2 "what was decided before the run costs nothing in it"
expect_line err "'offline: true' decides nothing at run time" "and the policy says so"
sed 's/power: {static/overheads: {launch: 10us}, power: {static/' decided.yaml >overheads.yaml
run run overheads.yaml -o overheads.db -q
run query overheads.db "SELECT status FROM run" --format csv
expect_line out '^refused' "platforms with overheads are refused"

finish
