#!/bin/sh
# sbeet-mg (docs/policies.md): runs on several GPUs are recorded, repeated and audited; the recipe, the campaign.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# The section of c goes to GPU 0 for its deadline (tests/golden/test_golden_sbeet_mg.c).
cat >two.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 50
platform:
  gpus:
    - {sms: 4, power: {static: 1W, idle_per_sm: 0.2W}}
    - {sms: 2, power: {static: 0.25W, idle_per_sm: 0.1W}}
tasks:
  - {name: a, period: 100, gpu: 1, segments: [{kernel: {grid: 1, block: 32, block_time: 8, power: 0.5W}}]}
  - {name: b, period: 100, gpu: 1, segments: [{kernel: {grid: 1, block: 32, block_time: 9, power: 0.5W}}]}
  - {name: c, period: 100, deadline: 13, offset: 1, gpu: 1, segments: [{copy: to_gpu, times: [2, 1]}, {kernel: {grid: 1, block: 32, block_time: 6, power: 0.5W}}]}
policies: [{name: sbeet-mg, assign: given}]
record: blocks
END
run run two.yaml -o two.db
expect_status 0 "runs"
run query two.db "SELECT name, segment_idx, i.gpu, start_ns / 1000000, end_ns / 1000000 FROM segment_interval i JOIN task USING (task_id) ORDER BY 1, 2" --format csv
expect_out "sections are where they should be" <<-'END'
	name,segment_idx,gpu,start_ns / 1000000,end_ns / 1000000
	a,0,1,0,8
	b,0,1,8,17
	c,0,0,1,3
	c,1,0,3,9
END
run query two.db "SELECT energy_j FROM v_run" --format csv
expect_line out "^0\.0793$" "with the energy by hand"
run query two.db "SELECT copy_times FROM segment WHERE copy_times NOT NULL" --format csv
expect_line out "2000000, 2000000.*1000000, 1000000" "the times of a copy are recorded"
run audit two.db
expect_status 0 "the audit finds nothing"
expect_line out "laws hold" "and looks"
run run two.db
expect_status 0 "is repeated from the recording"
expect_line out "yes" "with the same digest"

# spoil NAME SQL LAW: a recording with one wrong row is found
spoil() {
	cp two.db spoilt.db
	run_command sqlite3 spoilt.db "$2"
	run audit spoilt.db
	expect_status 1 "$1"
	expect_line out "^$3: " "$1: by $3"
}
spoil "a section elsewhere than chosen" "UPDATE decision SET gpu = 1 WHERE gpu = 0 AND chosen" placements
spoil "on fewer SMs than chosen" "UPDATE decision SET sms = 2 WHERE gpu = 0 AND chosen" placements
spoil "chosen twice" "INSERT INTO decision SELECT * FROM decision WHERE gpu = 0 AND chosen" placements
spoil "a choice that misses" "INSERT INTO decision SELECT run_id, time_ns, asked_ns, task_id, seq, segment_idx, 2, kernel_end_ns, predicted_uwns, 1, 0, gpu FROM decision WHERE gpu = 0 AND chosen; UPDATE decision SET feasible = 0 WHERE gpu = 0 AND chosen" placements
spoil "a choice that takes more energy" "INSERT INTO decision SELECT run_id, time_ns, asked_ns, task_id, seq, segment_idx, 2, kernel_end_ns, predicted_uwns - 1, 1, 0, gpu FROM decision WHERE gpu = 0 AND chosen" placements
spoil "an end that is not predicted" "UPDATE decision SET kernel_end_ns = kernel_end_ns + 1 WHERE gpu = 0 AND chosen" predictions
spoil "a choice that was not weighed" "DELETE FROM decision WHERE NOT chosen" predictions
spoil "a decision when nothing comes or goes" "UPDATE decision SET time_ns = time_ns + 1 WHERE gpu = 0 AND chosen" predictions
spoil "a kernel on another GPU than its copy" "UPDATE segment_interval SET gpu = 1 WHERE gpu = 0 AND segment_idx = 1" parts
spoil "a copy of another GPU's length" "UPDATE segment SET copy_times = '[[1000000,1000000],[1000000,1000000]]' WHERE copy_times NOT NULL" lengths

# ---- what cannot be ----
sed 's/times: \[2, 1\]/times: [2]/' two.yaml >few.yaml
run run few.yaml
expect_line err "a copy with times for GPUs needs one for each" "a copy lacks a time"
sed 's/times: \[2, 1\]/times: [2, 1], bytes: 4KiB/' two.yaml >both.yaml
run run both.yaml
expect_status 2 "times and bytes"
sed 's/times: \[2, 1\]/bytes: 4KiB/; s/{sms: 2/{copy: {bandwidth: 1GB\/s}, sms: 2/' two.yaml >bytes.yaml
run run bytes.yaml
expect_line out "refused .*a copy has no time on GPU 0" "a GPU without a bandwidth is no choice"
sed 's/^horizon.*/&/; s/^  gpus:/  overheads: {launch: 1}\n  gpus:/' two.yaml >over.yaml
run run over.yaml
expect_line out "refused .*sbeet-mg predicts platforms without overheads" "overheads"

# ---- sets and the campaign ----
run gen sbeet-mg -n 3 -o sets.db -q
expect_status 0 "sets"
run query sets.db "SELECT count(*), sum(copy_times NOT NULL), sum(profiles NOT NULL) FROM segment" --format csv
expect_line out "^90,60,30$" "with times and profiles of each GPU"
run gen sbeet-mg -n 1 -o one.yaml -q
run run one.yaml
expect_status 0 "a set is written, and read"
run sweep "$SOURCES/scenarios/campaigns/sbeet-mg.yaml" -o mg.db --limit-units 4 -q
expect_status 0 "the campaign"
run query mg.db @sbeet-mg --format csv
expect_line out "^rtx-3070\+t400,24,0.8,\"energy, migrate\",4,[0-9.]+,1,[0-9.]+$" "its figures"
run audit mg.db
expect_status 0 "and the audit finds nothing"
sed 's/^run:/record: blocks\nrun:/; s/^sets: .*/sets: 1/; s/utilisation: .*/utilisation: 300%/; s/15s/3s/' "$SOURCES/scenarios/campaigns/sbeet-mg.yaml" >blocks.yaml
run sweep blocks.yaml -o blocks.db -q
expect_status 0 "with blocks"
run audit blocks.db
expect_status 0 "the audit finds nothing"
run query blocks.db "SELECT count(DISTINCT gpu) FROM segment_interval" --format csv
expect_line out "^3$" "on three GPUs"
finish
