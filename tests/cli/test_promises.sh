#!/bin/sh
# Sentences of docs/policies.md on fcfs, rm and stgm. Each is checked on a schedule that would differ if the sentence
# meant something else.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# schedule RUN TASK SEGMENT: when it ran, START-END in ms
schedule() {
	run query runs.db "SELECT group_concat((start_ns / 1000000) || '-' || (end_ns / 1000000), ' ') FROM segment_interval i
		JOIN task t USING (task_id) WHERE run_id = $1 AND t.name = '$2' AND segment_idx = $3 AND resource <> 'cpu'" --format csv
	sed -n 2p out
}
# expect RUN TASK SEGMENT WHEN NAME
expect() {
	is=$(schedule "$1" "$2" "$3")
	[ "$is" = "$4" ]
	report $? "$5" || echo "#   $2 segment $3 of run $1: $is instead of $4"
}

# A is first on the GPU; B's copy needs the other engine. D is released before B, and computes until after B's release.
cat >runs.yaml <<'END'
cegsim: 1
name: runs
time_unit: ms
horizon: 20
platform: {gpu: {sms: 4, threads_per_sm: 1024}, copy: {engines: 2}}
tasks:
  - {name: A, period: 40, segments: [{cpu: 1}, {copy: to_gpu, time: 5}, {kernel: {grid: 1, block: 32, block_time: 4}}, {copy: to_cpu, time: 2}, {cpu: 1}]}
  - {name: B, period: 30, offset: 2, segments: [{cpu: 1}, {copy: to_cpu, time: 1}, {kernel: {grid: 1, block: 32, block_time: 4}}, {copy: to_cpu, time: 1}]}
  - {name: D, period: 50, offset: 1, segments: [{cpu: 3}, {kernel: {grid: 1, block: 32, block_time: 1}}]}
policies: [fcfs, {name: fcfs, unit: kernel}, rm, {name: rm, unit: kernel}]
record: blocks
END
run run runs.yaml -o runs.db -q
expect_status 0 "fcfs and rm"
expect 1 A 3 10-12 "fcfs: A's section ends at 12"
expect 1 B 1 12-13 "and until then the other engine is idle, too, although B's copy is ready at 3"
expect 1 D 1 18-19 "D was released before B, and was ready after it: it comes later"
expect 2 B 1 3-4 "unit: kernel: copies are outside"
expect 2 B 2 4-8 "and kernels overlap other tasks' copies"
expect 2 D 1 8-9 "a kernel's turn is that of its own readiness: D at 5"
expect 2 A 2 9-13 "before A at 6, whose section was ready at 1"
expect 3 A 1 1-6 "rm: what has begun"
expect 3 B 1 12-13 "is not preempted"
expect 4 A 2 8-12 "but of those that wait A goes"
expect 4 D 1 12-13 "before D, by its period"
run audit runs.db
expect_status 0 "and the audit reads it so"

# SMs by load: t1 adds 0.5 with its copy and its worst case, t2 adds 0.45 without its CPU segment, so t3 goes to t2's SMs.
cat >sets.yaml <<'END'
cegsim: 1
name: sets
time_unit: ms
horizon: 20
platform: {gpu: {sms: 4, threads_per_sm: 1024}, copy: {engines: 1}}
tasks:
  - {name: t1, period: 10, priority: 1, segments: [{cpu: 0.1}, {copy: to_gpu, time: 4}, {kernel: {grid: 1, block: 32, block_time: [0.1, 1]}}, {cpu: 0.1}]}
  - {name: t2, period: 10, priority: 2, segments: [{cpu: 2}, {kernel: {grid: 1, block: 32, block_time: 4.5}}, {cpu: 0.1}]}
  - {name: t3, period: 100, priority: 3, segments: [{cpu: 0.1}, {kernel: {grid: 1, block: 32, block_time: 1}}, {cpu: 0.1}]}
  - {name: t4, period: 100, priority: 4, segments: [{cpu: 0.1}, {kernel: {grid: 1, block: 32, block_time: 1}}, {cpu: 0.1}]}
policies: [{name: stgm, exclusive: false, allocation: [2, 2, 1, 3], admit: any}]
END
run run sets.yaml -o sets.db -q
run query sets.db 'SELECT name, sm_set FROM run_task JOIN task USING (task_id) ORDER BY task_id' --format csv
expect_out "stgm: copies and kernels count, in the worst case, on all SMs of a task; ties are the lowest" <<'END'
name,sm_set
t1,"[0,1]"
t2,"[2,3]"
t3,[2]
t4,"[0,2,3]"
END

# lo's copy holds the engine. hi spins for it, and then during its kernel; top takes the core from hi.
cat >spins.yaml <<'END'
cegsim: 1
name: spins
time_unit: ms
horizon: 20
platform: {gpu: {sms: 2, threads_per_sm: 1024}, copy: {engines: 1}}
tasks:
  - {name: top, period: 40, offset: 3, priority: 1, segments: [{cpu: 1}]}
  - {name: hi, period: 40, offset: 1, priority: 2, segments: [{cpu: 1}, {copy: to_gpu, time: 1}, {kernel: {grid: 1, block: 32, block_time: 3}}, {cpu: 1}]}
  - {name: lo, period: 40, priority: 3, segments: [{copy: to_gpu, time: 4}, {cpu: 3}]}
policies: [stgm, {name: stgm, wait: suspend}]
record: segments
END
run run spins.yaml -o spins.db -q
for one in 1 2; do
	run query spins.db "SELECT task, segment_idx, lane, kind, ready_ms, start_ms, end_ms FROM v_gantt WHERE run_id = $one
		ORDER BY lane, start_ms" --format csv
	cp out run$one
done
compare run1 "stgm: who waits for an engine spins; a copy goes on without its spinner" <<'END'
task,segment_idx,lane,kind,ready_ms,start_ms,end_ms
lo,0,CPU,spin,0,0,1
hi,0,CPU,run,1,1,2
hi,1,CPU,spin,2,2,3
top,0,CPU,run,3,3,4
hi,1,CPU,spin,2,4,8
hi,3,CPU,run,8,8,9
lo,1,CPU,run,4,9,12
hi,2,GPU,run,5,5,8
lo,0,copy 0,run,0,0,4
hi,1,copy 0,run,2,4,5
END
expect_line run2 '^lo,1,CPU,run,4,4,7$' "wait: suspend: the core is free meanwhile"
expect_no_line run2 spin "and nobody spins"

# --- fifo-cke and stream priorities: Fig. 6 of Amert et al. -------------------------------------------------------

fig6=$SOURCES/scenarios/papers/rtss17-fig6.yaml
run run "$fig6" -p fifo-cke,fifo-cke:priorities=ignore -o streams.db --record blocks -q
expect_line out '^rtss17-fig6: fifo-cke honours stream priorities: kernels of high streams go first; fifo-cke:priorities=ignore ' \
	"run says that fifo-cke honours stream priorities"
run query streams.db "SELECT run_id, group_concat(task || ' ' || max_ms, ', ') FROM v_task_response GROUP BY run_id" --format csv
expect_line out '^1,"K1 5000.0, K2 2300.0, K3 4000.0"$' "high kernels go first"
expect_line out '^2,"K1 1000.0, K2 2800.0, K3 4500.0"$' "or all streams are alike"
run audit streams.db
expect_status 0 "the audit knows both"
run_command sqlite3 streams.db "UPDATE policy SET params = replace(params, 'honour', 'honor')"
run_command sqlite3 streams.db "UPDATE policy SET params = replace(params, 'ignore', 'honour')"
run audit streams.db
expect_line out '^r1-order: ' "and finds one that is said to be the other"
run run "$fig6" -p fifo-cke:priorities=ignore -q
expect_no_line out 'honours' "who ignores them is told nothing"
sed '/stream_priority/d; s/, stream_priority: high//' "$fig6" >alike.yaml
run run alike.yaml -p fifo-cke -q
expect_no_line out 'honours' "nor who has none"
finish
