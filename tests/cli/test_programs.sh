#!/bin/sh
# Tasks whose kernels are programs of warps, from the file to the audit: blocks are those of a run of warps alone, a
# recording is enough to run and to audit it again, and tampering with blocks or programs is found.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

example=$SOURCES/scenarios/examples/programs.yaml
run run "$example" -o programs.db --record blocks -q
expect_status 0 "the example"
run audit programs.db
expect_status 0 "breaks no law"
run run programs.db
expect_status 0 "the recording runs again, to the same digests"
run query programs.db "SELECT t.name, form, grid_blocks, best_ns, json_array_length(program, '\$.steps') AS steps,
	json_extract(program, '\$.clock_hz') AS clock FROM segment JOIN task t USING (task_id) WHERE kind = 'kernel'" --format csv
expect_out "programs are stored, and no times with them" <<'END'
name,form,grid_blocks,best_ns,steps,clock
camera,program,48,,5,1400000000
lidar,program,40,,6,1400000000
plan,grid,4,15000,,
END
run query programs.db "SELECT count(DISTINCT end_ns - start_ns) > 100 AS many FROM block_interval JOIN task USING (task_id)
	WHERE name = 'lidar' AND run_id = 1" --format csv
expect_out "blocks take what their neighbours leave them" <<'END'
many
1
END

# ---- the same kernels without tasks ----

k1='[{loop: {times: 30, body: [{load: {count: 2, l1_hit: 20%, l2_hit: 50%}}, {compute: {count: 10, first: 1}}, barrier]}}]'
k2='[{loop: {times: 30, body: [{load: {count: 2, l1_hit: 20%, l2_hit: 50%}}, {compute: {count: 10, first: 1}}, {store: {}}]}}]'
cat >warps.yaml <<END
cegsim: 1
platform: {gpu: {sms: 3, threads_per_sm: 1024}}
warp:
  kernels:
    - {name: k1, blocks: 50, block_threads: 200, program: $k1}
    - {name: k2, blocks: 40, block_threads: 128, launch: 300, program: $k2}
horizon: 1ms
policies: [{name: gto, blocks: fill}]
record: blocks
END
cat >tasks.yaml <<END
cegsim: 1
platform: {gpu: {sms: 3, threads_per_sm: 1024}}
tasks:
  - {name: k1, period: 1s, segments: [{kernel: {grid: 50, block: 200, program: $k1}}]}
  - {name: k2, period: 1s, offset: 300ns, segments: [{kernel: {grid: 40, block: 128, program: $k2}}]}
horizon: 1ms
policies: [fifo-cke]
record: blocks
END
for name in warps tasks; do
	run run "$name.yaml" -o "$name.db" -q
	expect_status 0 "$name"
	run query "$name.db" "SELECT name, block, sm, start_ns, end_ns FROM block_interval JOIN task USING (task_id) ORDER BY 1, 2" --format csv
	mv out "$name.csv"
done
compare tasks.csv "where the rules place alike, blocks are those of warps alone" <warps.csv
last='wc -l tasks.csv'
[ "$(wc -l <tasks.csv)" -eq 91 ]
report $? "all of them"

# ---- tampering ----

tampered() {
	cp tasks.db bad.db
	run_command sqlite3 bad.db "$1"
	run audit bad.db
	expect_status "$3" "$2"
	expect_line "$4" "$5" "is found"
}
tampered "UPDATE block_interval SET end_ns = start_ns + 389 WHERE block = 7 AND end_ns < 20000" "a block that could not issue so fast" 1 out \
	'it took less time than its warps need to issue their instructions'
tampered "UPDATE segment SET program = json_set(program, '\$.clock_hz', 400000000)" "SMs that are slower" 1 out \
	'no cycle of its SM begins when it ends'
tampered "UPDATE segment SET program = json_set(program, '\$.steps[0].count', 3000)" "a longer program" 1 out \
	'it took less time than its warps need to issue their instructions'
tampered "UPDATE segment SET program = json_set(program, '\$.steps[0].body', 7)" "a program that is none" 2 err \
	"a kernel's program has impossible numbers"
run run bad.db
expect_status 2 "which is not run again"

# ---- what goes wrong ----

wrong() {
	sed "$1" tasks.yaml >wrong.yaml
	run run wrong.yaml
	expect_status 2 "$2"
	expect_line err "$3" "says so"
}
wrong 's/gpu: {sms: 3, threads_per_sm: 1024}/gpu: {sms: 3}/' "an SM of any number of warps" 'want a platform with threads_per_sm or'
wrong 's/gpu: {sms: 3,/gpu: {sms: 3, pool: gpu,/' "SMs that are not told apart" 'pool must be sm'
wrong 's/threads_per_sm: 1024/threads_per_sm: 4096/' "an SM of 128 warps" 'holds at most 2048 threads'
wrong 's/platform: .*/platform: {gpus: [{sms: 3, threads_per_sm: 1024}, {sms: 1}]}/' "several GPUs" 'platforms with one GPU'
wrong 's/grid: 50,/grid: 50, block_time: 2ms,/' "a program and a time" 'block_time'
wrong "s/grid: 50,/grid: 50, block_shares: [1],/" "a program and shares of a time" 'block_shares'
wrong 's/times: 30/times: 0/' "a loop of no rounds" 'times'
wrong 's/count: 10/count: 1000000000/' "a program that is too long" 'too long'
sed -e 's/, program: .*\]}}\]/, block_time: 1ms}}]/; s/^tasks:/programs: {clock: 1GHz}\ntasks:/' tasks.yaml >wrong.yaml
run run wrong.yaml
expect_status 2 "programs of nothing"
expect_line err "no task has one" "says so"
sed 's/^warp:/programs: {clock: 1GHz}\nwarp:/' warps.yaml >wrong.yaml
run run wrong.yaml
expect_status 2 "programs beside warp"
expect_line err "goes with 'tasks'" "says so"

# ---- who asks for lengths refuses ----

run analyze tasks.yaml -p fifo-cke --format csv
expect_line out 'fifo-cke,.*,fp,.*,refused,k1,.*program of warps' "analyses refuse"
run search tasks.yaml
expect_status 2 "and so does a search"
expect_line err 'program of warps' "for its reason"
for policy in sbeet stgm rtgpu tsg-rr gcaps; do
	run run tasks.yaml -p "$policy" --format csv
	expect_line out "refused.*program of warps" "$policy refuses"
done
finish
