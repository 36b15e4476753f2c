#!/bin/sh
# Processes that share the GPU: what tsg-rr records, its bounds, plug-ins that drain and reset, what the audit finds.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

slices=$SOURCES/scenarios/papers/gcaps-slices.yaml

# ---- tsg-rr ------------------------------------------------------------------------------
run run "$slices" -o slices.db -q
expect_status 0 "three processes in turns"
run query slices.db "SELECT task, max_ms FROM v_task_response" --format csv
cat >expected <<'EOF'
task,max_ms
tau1,33.4
tau2,34.6
tau3,35.8
EOF
cp out ends.csv
run_command cmp ends.csv expected
expect_status 0 "end at 33.4, 34.6 and 35.8 ms"
run query slices.db "SELECT kind, count(*), min(length_ms), max(length_ms) FROM v_context GROUP BY kind" --format csv
expect_line out '^run,30,1,1$' "after thirty slices"
expect_line out '^switch,29,0.2,0.2$' "and a switch between each two"
run query slices.db "SELECT count(*), max(part), sum(ended = 'preempted') FROM segment_interval" --format csv
expect_line out '^30,9,27$' "each kernel has ten parts, of which nine were preempted"
run audit slices.db
expect_status 0 "no law is broken"
run run slices.db
expect_status 0 "the recording is repeated"
expect_line out 'yes' "with the same digest"

# The switches to the own context: docs/findings.md, 18.
run validate slices.db -a tsg-rr -a tsg-rr:variant=paper --format csv
expect_status 0 "only a bound that is known to be unsafe is exceeded"
expect_line out 'paper.*,unsafe,.*,2,0,0,1,1\.0529.*,tau3,35800000,34000000$' "35.8 against 34"
run search "$slices" -p tsg-rr -t tau3 -a tsg-rr -a tsg-rr:variant=paper --format csv -o worst.yaml
expect_status 0 "a search finds it, too"
expect_line out '^tsg-rr,tau3,,tsg-rr,36000000,36000000,1,holds' "and that the safe bound is tight"
expect_line out '^tsg-rr,tau3,.*variant=paper.*,34000000,36000000,.*exceeded' "36 against 34"
run run worst.yaml -o worst.db -q
run query worst.db "SELECT max(max_ms) FROM v_task_response" --format csv
expect_line out '^36$' "the file that it writes shows it"
sed 's/name: tau1,/name: tau1, process: p, gpu_priority: 2, best_effort: true,/; s/name: tau2,/name: tau2, gpu_priority: 1,/
	s/name: tau3,/name: tau3, gpu_priority: 0,/; s/block_time: 10000}}\]/block_time: 10000, idempotent: true}}]/' "$slices" >apart.yaml
run search apart.yaml -p tsg-rr -t tau3 -a tsg-rr:variant=paper -o written.yaml -q
run_command grep -c -e 'process: "p"' -e 'best_effort: true' -e 'gpu_priority: ' -e 'idempotent: true' -e 'switch: ' written.yaml
expect_line out '^9$' "with all that belongs to contexts"
run analyze "$slices" -p tsg-rr -a fp
expect_line out 'tsg-rr +fp' "other analyses"
expect_no_line out 'tau1 ' "have no bound"

# Recordings are read that have no contexts; the platform and the processes come back.
sed 's/name: tau1,/name: tau1, process: p, gpu_priority: 2, best_effort: true,/; s/name: tau2,/name: tau2, process: p, gpu_priority: 1,/
	s/name: tau3,/name: tau3, gpu_priority: 0,/; s/block_time: 10000}}\]/block_time: 10000, idempotent: true}}]/' "$slices" >named.yaml
run run named.yaml -o named.db -q
run query named.db "SELECT process, count(*) FROM v_context WHERE kind = 'run' GROUP BY 1" --format csv
expect_line out '^p,' "the first two tasks are one process"
run query named.db "SELECT name, process, gpu_priority, best_effort, (SELECT idempotent FROM segment s WHERE
	s.task_id = t.task_id) FROM task t" --format csv
expect_line out '^tau1,p,2,1,1$' "of which all is recorded"
run run named.db
expect_status 0 "and read back"
expect_line out 'yes' "with the same digest"
sed 's/, gpu_priority: 0//' named.yaml >some.yaml
run run some.yaml
expect_status 2 "some tasks with a gpu_priority"
expect_line err "some.yaml:.*'gpu_priority' is missing here: either all tasks have one \(as that in line 11\) or none" \
	"are refused"

# ---- drawn -------------------------------------------------------------------------------
run plot slices.db gantt -o slices.svg
expect_status 0 "a Gantt chart"
run_command grep -c '>context<' slices.svg
expect_line out '^1$' "has a lane of contexts"
run trace slices.db -o slices.pftrace
expect_status 0 "a trace"
run_command grep -ac 'GPU context' slices.pftrace
expect_status 0 "has a track of them"
run_command grep -ac 'to tau2' slices.pftrace
expect_status 0 "with the switches"
run view slices.db -o slices.html
expect_status 0 "and there is a page"

# ---- plug-ins ----------------------------------------------------------------------------
for name in drain reset; do
	[ "$(wc -l <"$SOURCES/contrib/plugin/$name.c")" -lt 60 ]
	report $? "$name.c has less than 60 lines"
	run_command "${CC:-cc}" -shared -fPIC -O2 -Wall -Wextra -Werror -I"$SOURCES/models" -I"$SOURCES" -o "$name.so" \
		"$SOURCES/contrib/plugin/$name.c"
	expect_status 0 "and is built"
done
cat >serving.yaml <<'EOF'
cegsim: 1
time_unit: ms
horizon: 100
platform: {gpu: {sms: 4, threads_per_sm: 1024, reset: 20us}}
tasks:
  - {name: control, gpu_priority: 0, period: 20, offset: 3, segments: [{kernel: {grid: 4, block: 1024, block_time: 2}}]}
  - {name: train, gpu_priority: 1, best_effort: true, period: 100,
     segments: [{kernel: {grid: 12, block: 1024, block_time: 5, idempotent: true}}]}
policies: [./drain.so, ./reset.so]
record: blocks
EOF
run run serving.yaml -o serving.db -q
expect_status 0 "they run"
# drain: the first wave of blocks ends at 5, control takes 5 to 7, the others 7 to 17. reset: at 3 three ms of the first
# wave are lost, control takes 3.02 to 5.02, train begins again.
run query serving.db "SELECT policy, task, max_ms FROM v_task_response" --format csv
expect_line out '^drain,control,4$' "who drains waits for the blocks that run"
expect_line out '^drain,train,17$' "and loses nothing"
expect_line out '^reset,control,2.02$' "who resets waits for the reset"
expect_line out '^reset,train,20.02$' "and three milliseconds are lost"
run query serving.db "SELECT count(*) FROM block_interval WHERE ended = 'reset'" --format csv
expect_line out '^4$' "of four blocks"
run audit serving.db
expect_status 0 "no law that holds for any policy is broken"
sed 's/, idempotent: true//' serving.yaml >once.yaml
run run once.yaml -o once.db -q
run query once.db "SELECT policy, max_ms FROM v_task_response WHERE task = 'control'" --format csv
expect_line out '^reset,4$' "what is not idempotent is waited for"

# ---- queues of their own ----

# Both processes use the NULL stream, and kernels of one hardware queue: of the other process nobody waits for these. The
# copies of both share the engine.
cat >own.yaml <<'EOF'
cegsim: 1
time_unit: ms
horizon: 20
platform: {gpu: {sms: 1, threads_per_sm: 1024, work_queues: 1}, copy: {engines: 1}}
tasks:
  - {name: a, period: 20, segments: [{copy: to_gpu, time: 5, stream: null}, {kernel: {grid: 1, block: 512, block_time: 3}}]}
  - {name: b, period: 20, segments: [{copy: to_gpu, time: 5, stream: null}, {kernel: {grid: 1, block: 512, block_time: 3}}]}
policies: [fifo-cke, {name: tsg-rr, owns: compute}]
record: segments
EOF
run run own.yaml -o own.db -q
run query own.db "SELECT policy, task, resource, by_task, amount_ms FROM v_wait JOIN v_run USING (run_id)
	WHERE resource <> 'own' ORDER BY run_id, task_id, start_ns" --format csv
expect_out "b waits for a's stream only where they share it" <<-'END'
	policy,task,resource,by_task,amount_ms
	fifo-cke,a,stream,b,5
	fifo-cke,b,stream,a,5
	fifo-cke,b,stream,a,3
	tsg-rr,b,copy,a,5
END
# A run in which nobody ever had the GPU: copies alone, under a policy that owns the SMs.
sed 's/, {kernel.*}}\]}/]}/; s/engines: 1/engines: unlimited/; s/, stream: null//' own.yaml >copies.yaml
run run copies.yaml -p tsg-rr:owns=compute -o copies.db -q
run query copies.db "SELECT (SELECT count(*) FROM context_interval), max(finish_ms) FROM v_job" --format csv
expect_line out '^0,5$' "copies of two processes in one hardware queue each"
run audit copies.db
expect_status 0 "which the audit knows to be two"
run_command sqlite3 own.db "DROP VIEW v_why; DROP VIEW v_wait_sum; DROP VIEW v_wait; DROP VIEW v_context; DROP TABLE context_interval;
	ALTER TABLE task DROP COLUMN process; DELETE FROM column_doc WHERE tbl LIKE '%context%'"
run query own.db "SELECT count(*) FROM v_wait" --format csv
expect_line out '^12$' "a recording that knows no processes says what jobs waited for, too"

# ---- what the audit finds ----------------------------------------------------------------
# spoil SQL LAW DESCRIPTION
spoil() {
	cp slices.db spoilt.db
	run_command sqlite3 spoilt.db "$1"
	run audit spoilt.db
	expect_line out "^$2:" "$3"
}
if command -v sqlite3 >/dev/null; then
	spoil "UPDATE context_interval SET end_ns = end_ns + 1 WHERE code = 1 AND start_ns = 1000000" contexts "a long switch"
	spoil "DELETE FROM context_interval WHERE code = 1 AND start_ns = 1000000" contexts "a switch that is missing"
	spoil "UPDATE context_interval SET process_task_id = 3 WHERE start_ns = 1200000" holder "another process"
	spoil "UPDATE context_interval SET end_ns = end_ns - 7 WHERE code = 0 AND start_ns = 0" turns "a short slice"
	spoil "UPDATE block_interval SET sm = 7 - sm WHERE start_ns = 3600000" blocks "blocks that go on elsewhere"
	spoil "UPDATE block_interval SET ended_code = 4 WHERE block = 3 AND start_ns = 0" blocks "a block that was lost"
	spoil "UPDATE segment_interval SET code = 66 WHERE start_ns = 0 AND task_id = 1; DELETE FROM segment_interval
		WHERE start_ns > 0 AND task_id = 1" parts "a kernel that was lost"
else
	echo "# sqlite3 is missing: the audit is not tried"
fi

finish
