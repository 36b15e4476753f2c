#!/bin/sh
# GPU sections that preempt each other by calls of the driver: the figures of GCAPS, what is recorded of calls, what the
# audit says, what is refused.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

papers=$SOURCES/scenarios/papers

first="SELECT group_concat(ms) FROM (SELECT t.name, CAST(j.response_ns / 1e6 AS TEXT) AS ms FROM job j
	JOIN task t USING (task_id) WHERE j.seq = 0 ORDER BY 1)"

# ---- the paper's figures -----------------------------------------------------------------
run run "$papers/gcaps-fig5a.yaml" -o 5a.db -q
expect_status 0 "figure 5a"
run query 5a.db "$first" --format csv
expect_line out '^"23.0,57.0,137.0,211.0"$' "has the first responses of the drawing"
run query 5a.db "SELECT count(*), min(end_ns - start_ns), max(end_ns - start_ns), max(part) FROM segment_interval
	WHERE kind = 'call' AND resource = 'cpu' AND ended = 'done'" --format csv
expect_line out '^18,1000000,1000000,1$' "eighteen calls of 1 ms"
run query 5a.db "SELECT count(*) FROM segment_interval c JOIN context_interval x USING (run_id, start_ns, end_ns)
	WHERE c.kind = 'call' AND x.kind = 'switch'" --format csv
expect_line out '^14$' "of which fourteen give the GPU to a process"
run query 5a.db "SELECT sum(amount_ms) FROM v_wait WHERE resource = 'call' AND task = 'tau3'" --format csv
expect_line out '^2$' "v_wait names calls"
run audit 5a.db
expect_status 0 "no law is broken"
run run "$papers/gcaps-fig5b.yaml" -o 5b.db -q
run query 5b.db "$first" --format csv
expect_line out '^"23.0,57.0,154.0,105.0"$' "figure 5b, with GPU priorities"
run run "$papers/gcaps-fig3b.yaml" -o 3b.db -q
run query 3b.db "$first" --format csv
expect_line out '^"4.0,8.5,12.5"$' "figure 3b"
sed 's/update: 250us, call: 250us/update: 0, call: 0/' "$papers/gcaps-fig3b.yaml" >free.yaml
run run free.yaml -o free.db -q
run query free.db "$first" --format csv
expect_line out '^"3.5,7.75,11.25"$' "and with calls that take no time"
for recording in 5b 3b free; do
	run audit $recording.db
	expect_status 0 "$recording: no law is broken"
done

# ---- charts, traces ----------------------------------------------------------------------
run trace 5a.db -o 5a.pftrace
expect_status 0 "a trace has calls, too"
run_command grep -a -c ' call' 5a.pftrace
expect_status 0 "by their name"

# ---- mistakes ----------------------------------------------------------------------------
sed 's/call: 250us/call: 0/' "$papers/gcaps-fig3b.yaml" >half.yaml
run run half.yaml -o half.db -q
expect_line err "^half.yaml:[0-9]*:[0-9]*: error: policy 'gcaps': \`update\` and \`call\` are 0, or neither is" \
	"only one of both is 0"
run run "$papers/gcaps-fig3b.yaml" -p gcaps:call=0 -o half.db -q
expect_line err "policy 'gcaps': \`update\` and \`call\` are 0, or neither is" "with -p, too"
cat >flight.yaml <<'EOF'
cegsim: 1
name: flight
time_unit: ms
horizon: 40
platform: {preset: rtx-3070}
tasks:
  - {name: a, period: 40, segments: [{kernel: {grid: 1, block: 32, block_time: 1}, async: true}, {wait: all}]}
policies: [tsg-rr, gcaps, rm]
EOF
run run flight.yaml -o flight.db
expect_line out "gcaps .*is asynchronous: a policy that gives processes the GPU in turns is for" "no operations in flight"
expect_line out "rm .*is asynchronous: a policy that admits what uses the GPU is for" "nor at a gate"
sed 's/call: 250us/call: 250us, wait: busy/; s/name: tau3,/name: tau3, gpu_priority: 1,/
	s/name: tau2,/name: tau2, gpu_priority: 2,/; s/name: tau1,/name: tau1, gpu_priority: 3,/' "$papers/gcaps-fig3b.yaml" >order.yaml
run run order.yaml -o order.db
expect_line out "tasks 'tau3' and 'tau2' have one core, and another order on the GPU than there" "a deadlock is refused"

# ---- what tampering breaks ---------------------------------------------------------------
cp 5a.db short.db
run_command sqlite3 short.db "UPDATE segment_interval SET end_ns = end_ns - 1 WHERE code = 204 AND start_ns = 74000000"
run audit short.db
expect_status 1 "a call that is too short"
expect_line out 'the call took 0.999999ms, expected 1ms' "is found"
cp 5a.db owner.db
run_command sqlite3 owner.db "UPDATE context_interval SET process_task_id = 1 WHERE start_ns = 99000000"
run audit owner.db
expect_status 1 "another owner"
expect_line out "the GPU is not its owner's" "is found"

finish
