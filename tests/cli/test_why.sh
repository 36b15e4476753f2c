#!/bin/sh
# Why jobs were late, of sets with many tasks: more than nine that had the same, in streams that they share, on several
# engines and cores, with masks and overheads. v_why, which the program computes, against the view of that name in the file,
# whose rows are sums of v_wait. (Of random sets: tests/property/test_waits.c, tests/conformance/test_waits.c.)
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

COLUMNS_OF_WHY="run_id, task_id, seq, longest, resource, place, by_task, amount_ns, amount_ms"
# same FILE WHAT: the rows of both are the same, and there are some.
same() {
	run query "$1" "SELECT (SELECT count(*) FROM v_why) > 0, (SELECT count(*) FROM (SELECT $COLUMNS_OF_WHY FROM v_why EXCEPT
		SELECT $COLUMNS_OF_WHY FROM main.v_why)), (SELECT count(*) FROM (SELECT $COLUMNS_OF_WHY FROM main.v_why EXCEPT
		SELECT $COLUMNS_OF_WHY FROM v_why))" --format csv
	expect_line out '^1,0,0$' "$2: what is computed is what the view says"
}

# tasks KEYS: 14 tasks, several of which take equally long; every third one has these keys, too.
tasks() {
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
		printf '  - {name: t%d, period: %d, segments: [{cpu: 0.2}, {copy: to_gpu, time: 0.%d}, ' "$i" $((40 + i % 3)) $((1 + i % 2))
		printf '{kernel: {grid: %d, block: 256, block_time: %d.5}}, {copy: to_cpu, time: 0.1}]%s}\n' $((2 + i % 4)) $((i % 3)) \
			"$([ $((i % 3)) -ne 0 ] || printf ', %s' "$1")"
	done
}
# set_of GPU PLATFORM KEYS: a scenario of them.
set_of() {
	printf 'cegsim: 1\ntime_unit: ms\nhorizon: 300\nplatform: {gpu: {sms: 4, threads_per_sm: 1024%s}, %s}\ntasks:\n' "$1" "$2"
	tasks "$3"
	printf 'policies: [fifo-cke, fcfs, rm]\nrecord: blocks\n'
}

set_of ', work_queues: 2' 'copy: {engines: 2}' 'stream: 0' >streams.yaml
run run streams.yaml -o streams.db
expect_status 0 "14 tasks on two hardware queues"
same streams.db "hardware queues"
run query streams.db "SELECT max(place), max(by_task LIKE '_ others'), max(resource = 'stream') FROM v_why" --format csv
expect_line out '^9,1,1$' "more than nine are named as others"
set_of ', work_queues: 4' 'copy: {engines: 1}' 'stream: null' >null.yaml
run run null.yaml -o null.db
expect_status 0 "some of them in the NULL stream"
same null.db "the NULL stream"
set_of '' 'overheads: {launch: 10us, sync: 20us, latency: 5us, gap: 2us, switch: 3us, release: 4us}' 'stream: 1' >paid.yaml
run run paid.yaml -o paid.db
expect_status 0 "with overheads"
same paid.db "overheads"
set_of '' 'cores: {count: 2, scheduling: global}' 'sms: 40%' >masks.yaml
run run masks.yaml -o masks.db
expect_status 0 "on masks and two cores"
same masks.db "masks"

# One job, of several runs: the condition on it is part of the question.
run query streams.db @why -P run=2 -P task=t3 -P seq=2 --format csv
expect_line out '^2,fcfs,t3,2,.*own' "@why of one job of another run"
run query streams.db "SELECT count(*) > 3 AND count(*) = (SELECT count(*) FROM main.v_why WHERE (task_id = 2 AND seq = 1) OR
	(task_id = 3 AND seq = 2) OR (run_id = 3 AND task_id = 4)) FROM v_why WHERE (task_id = 2 AND seq = 1) OR
	(task_id = 3 AND seq = 2) OR (run_id = 3 AND task_id = 4)" --format csv
expect_line out '^1$' "conditions with OR lose no row"
run query streams.db "SELECT count(*) > 3 AND sum(amount_ns) = (SELECT sum(end_ns - start_ns) FROM v_wait WHERE (task_id = 2 AND seq = 1) OR
	(task_id = 3 AND seq = 2) OR (run_id = 3 AND task_id = 4)) FROM v_wait_sum WHERE (task_id = 2 AND seq = 1) OR
	(task_id = 3 AND seq = 2) OR (run_id = 3 AND task_id = 4)" --format csv
expect_line out '^1$' "of sums neither"
run query streams.db "SELECT count(DISTINCT task_id || '/' || seq) FROM v_why WHERE run_id = 3 AND task_id = 3 AND seq >= 2 AND seq <= 4" --format csv
expect_line out '^3$' "conditions on the job narrow the rows"
finish
