#!/bin/sh
# What was said of GPU 0 where several GPUs were meant: percentages of SMs, split TPCs, threads in all; and what the
# audit took for wrong in correct recordings: waits for streams of a GPU, sync between sections, runs without kernels.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# ---- percentages are of each GPU ---------------------------------------------------------
cat >shares.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 50
platform: {gpus: [{sms: 2, threads_per_sm: 1024}, {sms: 10, sms_per_tpc: 2, threads_per_sm: 1024}]}
tasks:
  - {name: a, period: 50, gpu: 1, sms: 40%, segments: [{kernel: {grid: 9, block: 512, block_time: 3}}]}
  - {name: b, period: 50, sms: 50%, process: p, segments: [{kernel: {grid: 2, block: 512, block_time: 3}}]}
  - {name: c, period: 50, sms: 50%, segments: [{kernel: {grid: 2, block: 512, block_time: 3}}]}
  - {name: d, period: 50, gpu: 1, sms: 50%, process: p, segments: [{kernel: {grid: 9, block: 512, block_time: 3}}]}
policies: [fifo-cke]
END
run run shares.yaml -o shares.db --record blocks
expect_status 0 "percentages on two GPUs"
expect_line out 'U_sum \(threads in use on average\): .* of 12288$' "threads of both GPUs"
expect_no_line err "splits the TPC" "percentages are whole TPCs of their GPU"
run query shares.db "SELECT t.name, coalesce(s.gpu, 0) AS gpu, s.sms FROM segment s JOIN task t USING (task_id)
	ORDER BY task_id" --format csv
expect_out "each process behind those that use the same GPU" <<-'END'
	name,gpu,sms
	a,1,"[0,1,2,3]"
	b,0,[0]
	c,0,[1]
	d,1,"[4,5,6,7]"
END
run audit shares.db
expect_status 0 "the audit finds nothing"
run run shares.db -q
expect_no_line out ' no$' "and it is repeated"

# ---- TPCs are those of the kernel's GPU --------------------------------------------------
sed 's/sms: 40%/sms: [1-2]/' shares.yaml >split.yaml
run run split.yaml -o split.db -q
expect_line err "'sms' of task 'a' splits the TPC of SMs 0 and 1;" "a split TPC of GPU 1"
sed 's/sms: 2,/sms: 2, sms_per_tpc: 2,/; s/sms: 10, sms_per_tpc: 2,/sms: 10,/; s/sms: 50%/sms: [0-1]/' split.yaml >whole.yaml
run run whole.yaml -o whole.db -q
expect_no_line err "splits the TPC" "GPU 1 has none"

# ---- a wait for a stream of one GPU, and sections behind each other ----------------------
cat >waits.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 80
platform: {cores: 2, gpus: [{sms: 4, threads_per_sm: 1024}, {sms: 4, threads_per_sm: 1024}], overheads: {sync: 0.25}}
tasks:
  - name: a
    core: 0
    period: 40
    gpu: 1
    segments:
      - {kernel: {grid: 1, block: 64, block_time: 1, stream: 3}, async: true}
      - {cpu: 1}
      - {kernel: {grid: 1, block: 64, block_time: 5, stream: 3}, gpu: 0, async: true}
      - {wait: {stream: 3}}
      - {cpu: 1}
      - {wait: all}
      - {cpu: 1}
  - {name: b, core: 1, period: 40, segments: [{cpu: 20}, {copy: to_gpu, time: 1, gpu: 1}, {copy: to_cpu, time: 1}]}
policies: [fifo-cke]
END
run run waits.yaml -o waits.db --record blocks
expect_status 0 "waits for streams"
expect_line out 'a +2 +0 +7.25 ' "stream 3 of GPU 1 ends at 1, that of GPU 0 at 6"
expect_line out 'b +2 +0 +22.50 ' "two sections, each with its sync"
run audit waits.db
expect_status 0 "the audit finds nothing"
run search waits.yaml -p fifo-cke -t a --budget 20 -o found.yaml -q
expect_status 0 "a search writes the set"
run run found.yaml -q
expect_status 0 "which can be read: only waits for a stream have a GPU"

# ---- no kernel on any GPU ----------------------------------------------------------------
sed '/name: a$/,/cpu: 1}$/d; /{wait/d; /{kernel/d; /- {cpu: 1}$/d' waits.yaml >copies.yaml
run run copies.yaml -o copies.db -q
expect_status 0 "copies only"
run audit copies.db
expect_status 0 "the audit finds nothing"

finish
