#!/bin/sh
# cegsim run FILE.db: every shipped scenario gives the same result when it is run again from its recording alone.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

for scenario in "$SOURCES"/scenarios/examples/*.yaml "$SOURCES"/scenarios/papers/*.yaml; do
	name=${scenario##*/}
	run run "$scenario" -o "$name.db" --record summary
	expect_status 0 "$name runs"
	run run "$name.db"
	expect_status 0 "and again from its recording, with the same digests"
	run audit "$name.db"
	expect_status 0 "which is of what its text says"
done

# Execution times and releases are drawn, so that seeds and set numbers matter.
cat >drawn.yaml <<'END'
cegsim: 1
horizon: 500ms
seed: 77
release: {sporadic: {max_delay: 30%}}
execution: uniform
on_miss: abort
platform: {gpu: {sms: 2, threads_per_sm: 1024, virtual_sms_per_sm: 2}, copy: {engines: 2}}
tasks:
  - {name: a, period: 7ms, priority: 2, segments: [{cpu: [1ms, 3ms]}, {kernel: {work: [2ms, 9ms], overhead: 0.1ms, interleave: 1.8}}, {cpu: 1ms}]}
  - {name: b, period: 9ms, priority: 1, stream: null, segments: [{copy: to_gpu, time: [1ms, 2ms]}, {kernel: {grid: 9, block: 300, block_time: [0.5ms, 1ms]}}]}
policies: [{name: fifo-cke, order: release}, {name: rm, unit: kernel}]
END
run run drawn.yaml -o drawn.db
expect_status 0 "drawn executions and releases"
run run drawn.db --format csv
expect_status 0 "are drawn again"

run_command sqlite3 drawn.db "UPDATE run SET digest = '0123456789abcdef' WHERE run_id = 2"
run run drawn.db
expect_status 1 "a run that comes out otherwise is an answer of no"
expect_line out '^ +2 +rm .*0123456789abcdef +no$' "and is named"
run_command grep -c version err
expect_status 1 "the policy is not another one"
run_command sqlite3 drawn.db "UPDATE policy SET version = 0 WHERE name = 'rm'"
run run drawn.db
expect_line err '1 of the runs that are not the same was recorded under another version of the policy: run 2 under version 0 of .rm., of which this program has version 1$' \
	"an earlier version of its policy is named as a reason"

# ---- damaged recordings: everything that reads runs back gives an error with words ----
cat >whole.yaml <<'END'
cegsim: 1
horizon: 50ms
platform: {gpu: {sms: 2, threads_per_sm: 1024}}
profiles: {net: {time: [3ms, 2ms], total_power: [3W, 4W]}, map: {time: [2ms, 1ms]}}
tasks:
  - {name: a, period: 10ms, segments: [{cpu: 1ms}, {kernel: {profile: net}}]}
  - {name: b, period: 20ms, segments: [{kernel: {profile: map}}]}
policies: [rm]
record: segments
END
run run whole.yaml -o whole.db -q
# damaged SQL WORDS
damaged() {
	cp whole.db bad.db
	run_command sqlite3 bad.db "$1"
	for command in run analyze validate; do
		run $command bad.db
		expect_status 2 "$command: $1"
		expect_line err "$2" "and says so"
	done
	run audit bad.db
	[ "$status" -eq 1 ] || [ "$status" -eq 2 ]
	report $? "audit: finds it, or refuses the file"
}
damaged "DELETE FROM policy" 'its policy is not in the recording$'
damaged "UPDATE policy SET params = '{\"unit\":null}'" "is damaged: the policy's options are none\$"
damaged "UPDATE policy SET params = '17'" "is damaged: the policy's options are none\$"
damaged "DELETE FROM platform" 'its platform is not in the recording$'
run plot bad.db gantt --script bad.gp
expect_status 2 "nor drawn"
expect_line err 'run 1 is of a policy or platform that is not in the recording$' "and says so"
damaged "UPDATE platform SET sms = -1" 'is damaged, table platform, name custom: sms is -1; it must be 0 to 4294967295$'
damaged "UPDATE platform SET work_queues = 0" "table platform: 'work_queues' is 0; it must be 1 to 4096\$"
damaged "UPDATE platform SET cores = 4294967297" 'cores is 4294967297; it must be 0 to 4294967295$'
for column in engines sms cores; do
	cp whole.db bad.db
	run_command sqlite3 bad.db "UPDATE platform SET $column = 8589934594"
	for command in view trace; do
		run_command timeout -s KILL 20 "$CEGSIM" $command bad.db -o drawn --force
		expect_status 2 "$command: impossibly many: $column"
	done
done
damaged "DELETE FROM taskset" 'its set is not in the recording$'
damaged "UPDATE taskset SET task_count = 1" 'is damaged, table taskset, taskset_id 1: its set has not as many tasks as it says$'
damaged "UPDATE taskset SET task_count = 3" 'its set has not as many tasks as it says$'
damaged "UPDATE profile SET profile_idx = 7 WHERE profile_idx = 1" 'profile_idx is 7; it must be 0 to 1$'
damaged "UPDATE profile SET total_power_uw = NULL WHERE sms = 1" 'is damaged, table profile, profile_idx [01], sms [12]: a profile that has powers for some numbers of SMs$'
# object COLUMN WORDS: many values, where a list has none
object() {
	damaged "UPDATE segment SET $1 = (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT json_group_object('k' || i, 5000 + i) FROM n) WHERE kind = 'kernel'" "$2"
}
object awaits 'table segment, task_idx 0, segment_idx 1: awaits is 5001; it must be a text$'
object sms 'table segment, task_idx 0, segment_idx 1: a kernel is confined to SMs that its GPU does not have$'
object profiles "table segment, task_idx 0, segment_idx 1: 'profile' has 100000 names, one for each GPU; the platform has 1\$"
# A horizon of hours, of tasks and of kernels of warps: they end soon after they had ended when they were recorded.
longer() {
	run run "$SOURCES/scenarios/$1.yaml" -o long.db --force -q
	run_command sqlite3 long.db "UPDATE run SET stop_rule = 'horizon', horizon_ns = $2, limit_ns = $2"
	run_command timeout -s KILL 60 "$CEGSIM" run long.db -q --format csv
	expect_status 1 "$1: a longer horizon"
	expect_line out ',error,,,,.*,no$' "is no run of this recording"
	expect_line err '^cegsim: run 1: it goes on behind the [1-9][0-9]* events and the [1-9][0-9]* ns that it may have$' "and says so"
}
longer papers/head-vs-release 200000000000000
longer examples/warps 10000000000000

# An application: its parts are segments, and steps say of which.
run run "$SOURCES/scenarios/examples/applications.yaml" -o parts.db -q --record blocks
run audit parts.db
expect_status 0 "parts follow each other as they should"
# apart SQL WORDS
apart() {
	cp parts.db bad.db
	run_command sqlite3 bad.db "$1"
	run run bad.db
	expect_status 2 "$1"
	expect_line err "$2" "and says so"
	run audit bad.db
	expect_status 2 "audit refuses it, too"
}
apart "UPDATE warp_step SET segment_idx = 7 WHERE segment_idx = 1" 'table warp_step, task_idx 0, segment_idx 2: segment_idx is not 1: they are numbered from 0, without gaps$'
apart "UPDATE warp_step SET segment_idx = 0 WHERE segment_idx = 1 AND task_id = 2" 'a kernel of its set has not as many programs as segments$'
apart "UPDATE warp_step SET segment_idx = 1 WHERE step_idx = 0" 'first_step_idx is 0; it must be 1 to '
apart "UPDATE segment SET grid_blocks = NULL WHERE segment_idx = 2" 'table warp_step, task_idx 0, segment_idx 2: grid_blocks is NULL'
apart "UPDATE segment SET grid_blocks = 0 WHERE segment_idx = 2" "table warp_kernel, task_idx 0: kernel 2 of 'then': blocks is 0; it must be 1 to 2147483647\$"
finish
