#!/bin/sh
# rtgpu on several GPUs (docs/policies.md): runs are recorded, repeated, bounded and audited.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# The set of tests/unit/test_rtgpu.c, "on two GPUs only the core is shared".
cat >two.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 600
platform:
  gpus: [{sms: 4, virtual_sms_per_sm: 2}, {sms: 3, virtual_sms_per_sm: 2}]
tasks:
  - {name: a, period: 60, segments: [{cpu: 3}, {copy: to_gpu, time: 2}, {kernel: {work: 40, overhead: 2, interleave: 1.5}}, {copy: to_cpu, time: 2}, {cpu: 2}]}
  - {name: b, period: 80, gpu: 1, segments: [{cpu: 4}, {copy: to_gpu, time: 6}, {kernel: {work: 50, overhead: 2, interleave: 1.4}}, {copy: to_cpu, time: 3}, {cpu: 2}]}
  - {name: c, period: 120, segments: [{cpu: 4}, {copy: to_gpu, time: 4}, {kernel: {work: 60, overhead: 2, interleave: 1.8}}, {copy: to_cpu, time: 4}, {cpu: 2}]}
  - {name: d, period: 200, gpu: 1, segments: [{cpu: 4}, {copy: to_gpu, time: 5}, {kernel: {work: 70, overhead: 2, interleave: 1.8}}, {copy: to_cpu, time: 4}, {cpu: 2}]}
policies: [rtgpu]
analyses: [rtgpu]
record: blocks
END
run run two.yaml -o two.db
expect_status 0 "runs"
run query two.db "SELECT name, sms, virtual_sms, sm_set FROM run_task JOIN task USING (task_id) ORDER BY 1" --format csv
expect_out "SMs are counted on each GPU" <<-'END'
	name,sms,virtual_sms,sm_set
	a,1,2,[0]
	b,1,2,[0]
	c,1,2,[1]
	d,1,2,[1]
END
run query two.db "SELECT DISTINCT name, gpu, sm FROM block_interval JOIN task USING (task_id) ORDER BY 1" --format csv
expect_out "where blocks are" <<-'END'
	name,gpu,sm
	a,0,0
	b,1,0
	c,0,1
	d,1,1
END
run analyze two.yaml --format csv
expect_line out ",sound,schedulable,,,a,0,1,2,60000000,48000000,yes," "the bound by hand of a"
expect_line out ",sound,schedulable,,,b,1,1,2,80000000,71000000,yes," "and of b"
run audit two.db
expect_status 0 "the audit finds nothing"
run run two.db
expect_status 0 "is repeated from the recording"
expect_line out "yes" "with the same digest"

# spoil NAME SQL LAW WHAT: a recording with wrong rows is found
spoil() {
	cp two.db spoilt.db
	run_command sqlite3 spoilt.db "$2"
	run audit spoilt.db
	expect_status 1 "$1"
	expect_line out "^$3: " "$1: by $3"
	expect_line out "first of .*$4" "$1: what is said"
}
spoil "an SM that only the other GPU has" "UPDATE run_task SET sm_set = '[3]' WHERE task_id = (SELECT task_id FROM task WHERE name = 'd')" sm-sets "an SM that its GPU does not have"
spoil "more virtual SMs than GPU 1 has" "UPDATE run_task SET sms = 2, virtual_sms = 4, sm_set = CASE task_id WHEN (SELECT task_id FROM task WHERE name = 'b') THEN '[0,1]' ELSE '[1,2]' END WHERE task_id IN (SELECT task_id FROM task WHERE name IN ('b', 'd'))" sm-sets "have 8 virtual SMs, and there are only 6"
spoil "an SM of GPU 1 with three tasks" "UPDATE segment SET gpu = 1; UPDATE run_task SET sm_set = '[0]'" sm-sets "SM 0 belongs to more tasks"
spoil "a block elsewhere" "UPDATE block_interval SET sm = 2 WHERE task_id = (SELECT task_id FROM task WHERE name = 'b')" own-sms "an SM that its task does not have"

# ---- what cannot be ----
sed 's/policies: .*/policies: [{name: rtgpu, allocation: [2, 6, 4, 2]}]/' two.yaml >given.yaml
run run given.yaml
expect_line err "8 virtual SMs are given of 6 of GPU 1" "more than GPU 1 has"
sed 's/{kernel: {work: 50/{kernel: {work: 1, interleave: 1}, gpu: 0}, {kernel: {work: 50/' two.yaml >apart.yaml
run run apart.yaml
expect_line out "refused .*task 'b' has kernels on several GPUs" "a task with kernels on two"
sed 's/{sms: 3, virtual_sms_per_sm: 2/{sms: 3, virtual_sms_per_sm: 4/' two.yaml >unlike.yaml
run run unlike.yaml
expect_line out "refused .*GPU 1 has 4 virtual SMs per SM, and another 2" "V_SM is one number"

# ---- GPUs that are left open ----

# a and b need two SMs each, so they cannot be on one GPU. d's blocks fit on GPU 1 only.
cat >any.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 200
platform:
  cores: 2
  gpus: [{sms: 3, virtual_sms_per_sm: 1, threads_per_sm: 512}, {sms: 3, virtual_sms_per_sm: 1, threads_per_sm: 1024}]
tasks:
  - {name: a, core: 0, period: 20, gpu: any, segments: [{cpu: 1}, {copy: to_gpu, time: 1}, {kernel: {work: 20}}, {cpu: 1}]}
  - {name: b, core: 1, period: 21, gpu: any, segments: [{cpu: 1}, {kernel: {work: 30}}, {cpu: 1}]}
  - {name: c, period: 40, segments: [{kernel: {grid: 1, block: 32, block_time: 5}}]}
  - {name: d, period: 50, gpu: any, segments: [{kernel: {grid: 1, block: 1024, block_time: 5}}]}
policies: [rtgpu, fifo-cke]
record: blocks
END
run run any.yaml -o any.db
expect_line out '^any +rtgpu +ok +[0-9]+ +0 ' "GPUs are chosen, and nobody is late"
run query any.db "SELECT t.name, gpu FROM segment_interval JOIN task t USING (task_id) WHERE run_id = 1
	AND resource = 'gpu' GROUP BY 1, 2" --format csv
expect_out "one for each task" <<-'END'
	name,gpu
	a,1
	b,0
	c,0
	d,1
END
run audit any.db
expect_status 0 "their runs keep every law"
run analyze any.yaml -p rtgpu
expect_line out 'rtgpu +rtgpu +schedulable' "the analysis says what the policy does"
sed 's/gpu: any/gpu: 1/' any.yaml >one.yaml
run analyze one.yaml -p rtgpu
expect_line out 'rtgpu +rtgpu +refused' "on one GPU there is no room for them"
sed 's/{kernel: {work: 20}}/{kernel: {work: 20}, gpu: 1}/' any.yaml >wrong.yaml
run run wrong.yaml
expect_line err "wrong.yaml:8:5: error: a task with 'gpu: any' has one GPU for all its segments" "segments have none of their own"
sed 's/block: 1024/block: 2048/' any.yaml >wrong.yaml
run run wrong.yaml
expect_line err "wrong.yaml:11:[0-9]+: error: a block of this kernel does not fit" "what fits nowhere is said of GPU 0"

# ---- entries of the task tables: GPU by GPU ----
cat >full.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 100
platform:
  gpus:
    - {sms: 2, threads_per_sm: 2048, virtual_sms_per_sm: 1, resident_kernels: 1}
    - {sms: 2, threads_per_sm: 2048, virtual_sms_per_sm: 1, resident_kernels: 2}
tasks:
  - {name: a, period: 50, segments: [{kernel: {grid: 1, block: 1024, block_time: 5}}]}
  - {name: b, period: 50, gpu: 1, segments: [{kernel: {grid: 1, block: 1024, block_time: 5}}]}
  - {name: c, period: 50, gpu: 1, segments: [{kernel: {grid: 1, block: 1024, block_time: 5}}]}
policies: [rtgpu]
record: blocks
END
run run full.yaml -o full.db
expect_line out '^full +rtgpu +ok' "each GPU holds the kernels that name it"
run audit full.db
expect_status 0 "and keeps every law"
sed 's/resident_kernels: 2/resident_kernels: 1/' full.yaml >crowded.yaml
run run crowded.yaml
expect_line out 'refused .*2 kernels may be on the GPU at a time, which holds 1' "GPU 1 does not hold two"

finish
