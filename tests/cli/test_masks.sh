#!/bin/sh
# Kernels on some SMs and the task table (docs/model.md, "SM masks"): from file to file, what the audit finds, who
# refuses, percentages of MPS, slices of MIG.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

papers=$SOURCES/scenarios/papers

# ---- the configurations of RTAS 2023 ----
while read -r name task start end; do
	[ -f "$name.db" ] || run run "$papers/rtas23-$name.yaml" -o "$name.db" -q
	expect_status 0 "$name runs"
	run query "$name.db" "SELECT first_start_ms, finish_ms FROM v_job WHERE task = '$task'" --format csv
	expect_line out "^$start,$end\$" "$name: $task in [$start, $end]"
done <<'EOF2'
greedy K1 0 250
greedy K2 250 500
split K1 0 500
split K2 10 260
priority-31 K33 0 450
priority-31 K31 401 651
priority-32 K33 0 626
EOF2
for name in greedy split priority-31 priority-32; do
	run audit $name.db
	expect_status 0 "$name: the audit finds nothing"
	run run $name.db
	expect_status 0 "$name is repeated"
	expect_line out 'yes' "with the same digest"
	run_command grep -c 'Inferred: ' "$papers/rtas23-$name.yaml"
	expect_line out '^1$' "the file says that its numbers are inferred"
done
run query split.db "SELECT t.name, s.sms FROM segment s JOIN task t USING (task_id)" --format csv
expect_line out '^K2,"\[5,6,7,8,9\]"$' "the masks are recorded"
run query priority-32.db "SELECT resident_kernels FROM platform" --format csv
expect_line out '^32$' "and the size of the table"
sed '/^tasks/,$s/sms: [^]]*], //' "$papers/rtas23-split.yaml" >open.yaml
run run open.yaml -o open.db -q
run query open.db "SELECT task, first_start_ms, finish_ms FROM v_job ORDER BY task" --format csv
expect_line out '^K1,0,250$' "without masks K1 takes all SMs"
expect_line out '^K2,250,500$' "and K2 waits"

run query split.db @why --format csv
expect_line out ',K1,0,.*,own 500$' "nobody on other SMs slows a kernel down"
run query open.db @why --format csv
expect_line out ',K2,0,.*,own 250 \+ gpu 240 \(K1 #0 240\)$' "who is on all SMs is in the way"

# ---- what is written, changed, and read of older programs ----
run search "$papers/rtas23-split.yaml" -t K2 -o written.yaml -q
run_command grep -c -e 'sms: \[0-4\]' -e 'sms: \[5-9\]' written.yaml
expect_line out '^2$' "a search writes masks"
cp open.db old.db
run_command sqlite3 old.db "DROP VIEW v_why; DROP VIEW v_wait_sum; DROP VIEW v_wait; ALTER TABLE segment DROP COLUMN sms; ALTER TABLE platform DROP COLUMN resident_kernels"
run run old.db
expect_status 0 "a recording without the columns is repeated"
run audit old.db
expect_status 1 "and audited"
expect_no_line out '^(r1|sm-|blocks).*broken' "by the laws on blocks as ever"
# ---- what the audit finds ----
cp split.db moved.db
run_command sqlite3 moved.db "UPDATE block_interval SET sm = 5 WHERE task_id = 1 AND block = 0"
run audit moved.db
expect_line out "it is on SM 5, to which its kernel is not confined" "a block beside its mask"
cp priority-32.db full.db
run_command sqlite3 full.db "UPDATE platform SET resident_kernels = 4"
run audit full.db
expect_line out "blocks of 16 kernels of high streams run; the GPU holds 4 kernels" "more kernels than the table holds"
cp split.db met.db
run_command sqlite3 met.db "UPDATE segment SET sms = '[4,5,6,7,8,9]' WHERE task_id = 2"
run audit met.db
expect_line out "was placed while the kernel of task 'K1', in front of it in the primary queue" "who is held up waits"

# ---- policies and analyses ----
cat >apart.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 200
platform: {gpu: {sms: 9, threads_per_sm: 2048, virtual_sms_per_sm: 1, resident_kernels: 2}}
tasks:
  - {name: a, period: 20, sms: [5-7], segments: [{cpu: 1}, {copy: to_gpu, time: 1}, {kernel: {grid: 12, block: 1024, block_time: 2}}, {cpu: 1}]}
  - {name: b, period: 30, sms: [0, 8], segments: [{cpu: 2}, {copy: to_gpu, time: 2}, {kernel: {work: 6}}, {copy: to_cpu, time: 1}]}
policies: [rtgpu, stgm, mpcp, rm, tsg-rr, fifo-cke, sbeet, {name: stgm, exclusive: false}]
record: blocks
END
run run apart.yaml -o apart.db
expect_line out '^apart +rtgpu +ok' "rtgpu takes masks that are apart"
expect_line out '^apart +stgm +ok' "so does stgm"
expect_line out "^apart +sbeet +refused .*segment 2 of task 'a' is confined to some SMs" "sbeet chooses SMs itself"
expect_line out "^apart +stgm:exclusive=false +refused .*is confined to some SMs" "and so does stgm otherwise"
run query apart.db "SELECT p.name, sm_set FROM run_task JOIN run USING (run_id) JOIN policy p USING (policy_id)
	WHERE p.name IN ('rtgpu', 'stgm') AND sm_set IS NOT NULL ORDER BY run_id, task_id" --format csv
expect_out "the masks are the tasks' SMs" <<-'END'
	name,sm_set
	rtgpu,"[5,6,7]"
	rtgpu,"[0,8]"
	stgm,"[5,6,7]"
	stgm,"[0,8]"
END
run audit apart.db
expect_status 0 "the audit finds nothing"
run validate apart.db -a rtgpu -a stgm -a mpcp -a self-suspension -a tsg-rr
expect_status 0 "bounds hold"
run analyze apart.yaml -p mpcp -a mpcp --format csv
expect_line out ',b,.*,yes,2000000,3000000,3000000,0,' "a kernel takes as long as on its mask"
run search apart.yaml -p mpcp -t b -o few.yaml -q
run_command grep -c -e 'resident_kernels: 2' -e 'sms: \[0, 8\]' few.yaml
expect_line out '^2$' "a search writes the size of the table"
run analyze apart.yaml -p fifo-cke -a fifo-e1 -a rtgpu
expect_line out "fifo-e1 +refused .*is confined to some SMs; it holds for kernels that may be on all" "one queue: refused"
sed 's/sms: \[[-0-9, ]*\], //; s/resident_kernels: 2/resident_kernels: 1/' apart.yaml >one.yaml
run analyze one.yaml -p fifo-cke -a rtgpu
expect_line out "2 kernels may be on the GPU at a time, which holds 1 \(resident_kernels\)" "so is a table that may be full"
run run one.yaml -p stgm -o one.db
expect_line out "refused .*2 kernels may be on the GPU at a time, which holds 1" "also by who grants SMs"
sed 's/\[0, 8\]/[0, 7]/' apart.yaml >meet.yaml
run run meet.yaml -p rtgpu -o meet.db
expect_line out "tasks 'a' and 'b' are both confined to SM 7" "masks that meet are no allocation"
sed 's/sms: \[0, 8\], //' apart.yaml >some.yaml
run run some.yaml -p stgm -o some.db
expect_line out "segment 2 of task 'b' has other SMs than the task's first kernel, or none" "nor is one of some tasks"
sed 's/policies: .*/policies: [{name: stgm, allocation: [3, 2]}]/' apart.yaml >both.yaml
run run both.yaml -o both.db
expect_status 2 "an allocation and masks"
expect_line err "which are the allocation, so 'allocation' must not be given" "contradict each other"

# ---- values of a campaign ----
cat >campaign.yaml <<'END'
cegsim-campaign: 1
name: masks
generate:
  recipe: scenario
  scenario:
    cegsim: 1
    time_unit: ms
    horizon: 100
    platform: {gpu: {sms: 10, threads_per_sm: 2048}}
    tasks:
      - {name: K1, period: 100, sms: [0-4], segments: [{kernel: {grid: 20, block: 1024, block_time: 25}}]}
      - {name: K2, period: 100, offset: 10, sms: [5-9], segments: [{kernel: {grid: 8, block: 1024, block_time: 25}}]}
  set: {tasks.K1.sms: [[0-4], [0-9], 50%], platform.gpu.resident_kernels: [1, 2]}
policies: [fifo-cke]
record: blocks
END
run sweep campaign.yaml -o campaign.db -q
expect_status 0 "masks and tables are values of a campaign"
run query campaign.db "SELECT json_array_length(s.sms) AS sms, l.resident_kernels AS holds, j.response_ns / 1000000 AS ms
	FROM run r JOIN task t USING (taskset_id) JOIN segment s USING (task_id) JOIN platform l USING (platform_id)
	JOIN job j ON j.run_id = r.run_id AND j.task_id = t.task_id WHERE t.name = 'K2' ORDER BY 3, 1, 2" --format csv
expect_line out '^5,2,25$' "K2 alone on its half"
expect_line out '^5,1,65$' "but not where the GPU holds one kernel"
run audit campaign.db
expect_status 0 "the audit finds nothing"

# ---- percentages, whole TPCs, MIG ----
cat >mps.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 100
platform: {gpu: {sms: 9, threads_per_sm: 1024}}
tasks:
  - {name: a, period: 100, sms: 40%, segments: [{kernel: {grid: 1, block: 32, block_time: 1}}, {kernel: {grid: 1, block: 32, block_time: 1, sms: [8]}}]}
  - {name: b, period: 100, sms: 40%, process: p, segments: [{kernel: {grid: 1, block: 32, block_time: 1}}]}
  - {name: c, period: 100, sms: 1%, segments: [{kernel: {grid: 1, block: 32, block_time: 1}}]}
  - {name: d, period: 100, sms: 40%, process: p, segments: [{kernel: {grid: 1, block: 32, block_time: 1}}]}
  - {name: e, period: 100, sms: 50%, segments: [{kernel: {grid: 1, block: 32, block_time: 1}}]}
policies: [fifo-cke]
END
run run mps.yaml -o mps.db -q
expect_status 0 "percentages"
run query mps.db "SELECT t.name, s.sms FROM segment s JOIN task t USING (task_id) ORDER BY task_id, segment_idx" --format csv
expect_out "one process behind the other, around the end; a kernel's own SMs go first" <<-'END'
	name,sms
	a,"[0,1,2]"
	a,[8]
	b,"[3,4,5]"
	c,[6]
	d,"[3,4,5]"
	e,"[0,1,7,8]"
END
sed 's/sms: 9,/sms: 9, sms_per_tpc: 2,/' mps.yaml >tpc.yaml
run run tpc.yaml -o tpc.db -q
expect_no_line err "splits the TPC" "an odd SM at the end is no split TPC"
run query tpc.db "SELECT s.sms FROM segment s JOIN task t USING (task_id) WHERE segment_idx = 0" --format csv
expect_out "percentages are of whole TPCs" <<-'END'
	sms
	"[0,1]"
	"[2,3]"
	"[4,5]"
	"[2,3]"
	"[0,1,6,7]"
END
sed 's/sms: \[8\]/sms: [1-2]/' tpc.yaml >split.yaml
run run split.yaml -o tpc2.db -q
expect_line err "warning: split: 'sms' of task 'a' splits the TPC of SMs 0 and 1; masks of a GPU have whole TPCs" "a split TPC is said"
run list presets
expect_line out '^a100-mig-1g +' "slices of MIG are presets"

finish
