#!/bin/sh
# SMs that high kernels take from low ones (docs/model.md, "Preemption"): from file to file, who refuses, what the audit
# finds.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# long has both SMs, urgent comes at 1 ms: it has them at 2 ms, and does its work of 3 ms from 2.05 ms on.
cat >taken.yaml <<'END'
cegsim: 1
name: taken
time_unit: ms
horizon: 20
platform: {gpu: {sms: 2, threads_per_sm: 2048, preemption_delay: 50us}}
tasks:
  - {name: long, period: 20, segments: [{kernel: {grid: 6, block: 1024, block_time: 2}}]}
  - {name: urgent, period: 20, offset: 1, stream_priority: high,
     segments: [{kernel: {grid: 4, block: 1024, block_time: 3}}]}
policies: [prio-streams]
END

run run taken.yaml --record blocks -o taken.db -q
expect_status 0 "a platform with a preemption delay runs"
run query taken.db "SELECT task, first_start_ms, finish_ms FROM v_job ORDER BY task" --format csv
expect_line out '^urgent,2,5.05$' "the high kernel pays the delay once, on both SMs at a time"
expect_line out '^long,0,7.05$' "the low one comes back at no cost"
sed 's/, preemption_delay: 50us//' taken.yaml >free.yaml
run run free.yaml -o free.db -q
run query free.db "SELECT task, first_start_ms, finish_ms FROM v_job ORDER BY task" --format csv
expect_line out '^urgent,2,5$' "without the delay it is in time"
run audit taken.db -v
expect_status 0 "the audit finds nothing"
expect_line out '^ *preemptions ' "and has a law for it"
run run taken.db
expect_status 0 "it is repeated"
expect_line out 'yes' "with the same digest"
run query taken.db "SELECT preemption_delay_ns FROM platform" --format csv
expect_line out '^50000$' "the delay is recorded"
cp taken.db changed.db
run_command sqlite3 changed.db "UPDATE platform SET preemption_delay_ns = 10000"
run audit changed.db
expect_status 1 "the audit finds another delay"
expect_line out '^preemptions: ' "by its law"
cp free.db old.db
run_command sqlite3 old.db "ALTER TABLE platform DROP COLUMN preemption_delay_ns"
run run old.db
expect_status 0 "a recording without the column is repeated"

# ---- who refuses ----
sed 's/sms: 2, /sms: 2, pool: gpu, /' taken.yaml >pool.yaml
run run pool.yaml -o pool.db -q
expect_status 2 "pool gpu has no SMs that one could take"
expect_line err "'preemption_delay' is of single SMs" "and says so"
sed 's/\[prio-streams\]/[tsg-rr]/' taken.yaml >contexts.yaml
run run contexts.yaml -o contexts.db -q
run query contexts.db "SELECT status, reason FROM run" --format csv
expect_line out "^refused,contexts and a preemption_delay do not go together" "policies with contexts refuse"
sed 's/block_time: 2/program: [{compute: {count: 4}}]/' taken.yaml >program.yaml
run run program.yaml -o program.db -q
run query program.db "SELECT status, reason FROM run" --format csv
expect_line out "^refused,programs of warps and a preemption_delay do not go together" "so do programs of warps"
run analyze taken.yaml --analysis fifo-chains
expect_line out "take SMs from others at a cost \(preemption_delay\)" "bounds of primary queues refuse"

# ---- several GPUs ----
sed 's/platform: .*/platform: {gpus: [{sms: 1, threads_per_sm: 2048}, {sms: 2, threads_per_sm: 2048, preemption_delay: 50us}]}/
	s/\(  - {name: [a-z]*\)/\1, gpu: 1/' taken.yaml >gpus.yaml
run run gpus.yaml --record blocks -o gpus.db -q
expect_status 0 "a GPU of several has a delay of its own"
run query gpus.db "SELECT task, finish_ms FROM v_job ORDER BY task" --format csv
expect_line out '^urgent,5.05$' "which is paid there"
run audit gpus.db
expect_status 0 "the audit finds nothing"
run run gpus.db
expect_line out 'yes' "it is repeated"
