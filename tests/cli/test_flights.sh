#!/bin/sh
# Operations in flight from file to file: recorded, repeated, written again, asked about; policies and analyses that refuse
# them; and what the audit finds where a recording of them was changed. The schedules: tests/golden/test_golden_flights.c.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

cp "$SOURCES/scenarios/examples/two-streams.yaml" .
run run two-streams.yaml -o all.db --format csv
expect_status 0 "two streams"
run query all.db @response --format csv
expect_line out 'detect.*,13.5' "whose operations overlap"
run run all.db --format csv
[ "$(grep -c ',yes$' out)" -eq 2 ]
report $? "the recording runs again, with the same digests"
run audit all.db
expect_status 0 "and keeps the laws"
run query all.db "SELECT segment_idx, async, awaits, stream FROM segment WHERE async OR awaits IS NOT NULL OR kind = 'wait'" --format csv
sed 1d out | paste -sd' ' >rows
compare rows "what is in flight, and who waits, is recorded" <<-'END'
	1,1,,11 2,1,,11 3,1,,12 4,1,,12 5,1,"[""left""]",12 6,1,,12 8,,"[""out""]",-1
END
run query all.db "SELECT count(*) FROM v_wait WHERE run_id = 1 AND task = 'detect' AND seq = 0 AND resource <> 'own'" --format csv
expect_line out '^0$' "a job that always has something running waits for nothing"
run query all.db @why -P task=detect --format csv
grep -qF '"own 13.5; in flight: after 8 (left 8) + stream 19 (merge 11, right in 4, left in 2, right 2) + wait 7.5 (out 7.5)"' out
report $? "@why has what its operations waited for, side by side"
run query all.db @flight-waits --format csv
sed 1d out | cut -d, -f3- >rows
compare rows "@flight-waits: each of them, and the job at its wait" <<-'END'
	2,left,stream,1,left in,1,2
	3,right in,others,,,1,2
	4,right,stream,3,right in,1,4
	5,merge,after,2,left,1,8
	5,merge,stream,4,right,9,2
	6,out,stream,5,merge,1,11
	8,wait,wait,6,out,5,7.5
END
run query all.db @blocking -P limit=40 --format csv
expect_line out '^1,detect,0,3,right in,copy,1,2,detect,0,2,copy,1$' "@blocking: a copy of the same job has the engine"
sed 's/wait: \[out\]/wait: {stream: 12}/' two-streams.yaml >ends.yaml
sed '/wait: .stream/,/cpu: 1/d' ends.yaml >unwaited.yaml
for file in ends unwaited; do
	run run $file.yaml -o $file.db -q
	run query $file.db "SELECT coalesce(segment_idx, 'end'), resource, for_segment, amount_ms FROM v_flight_wait
		WHERE run_id = 1 AND task = 'detect' AND seq = 0 AND resource = 'wait'" --format csv
	sed 1d out
done >rows
compare rows "a wait for a stream, and the end of a job with operations in flight" <<-'END'
	8,wait,out,7.5
	end,wait,out,7.5
END
cp all.db old.db
run_command sqlite3 old.db "DROP VIEW v_flight_wait"
run query old.db @flight-waits --format csv
expect_line out '^detect,0,5,merge,after,2,left,1,8$' "a recording without the view is asked, too"
run plot all.db gantt -P run=1 --script streams.gp
for lane in 'stream 11' 'stream 12'; do
	expect_line streams.gp "$lane" "plot gantt: $lane has a lane"
done
expect_line streams.gp '^1 3 6 0 1$' "in which its operations are"
run plot all.db gantt -P run=1 -P streams=0 --script no-streams.gp
expect_no_line no-streams.gp 'stream 1' "-P streams=0: none"
for how in gantt trace view; do
	case $how in
	gantt) run plot all.db gantt -P run=1 -o g.svg ;;
	trace) run trace all.db --run 1 -o t.pftrace ;;
	view) run view all.db -o page.html ;;
	esac
	expect_status 0 "$how"
done

# ---- graphs ----

sed '/^tasks/,/name: plan/s/async: true/async: true, graph: halves/; s/^platform:/&\n  overheads: {launch: 200us}/' two-streams.yaml >graph.yaml
run run graph.yaml -o graph.db --format csv
expect_status 0 "a graph, where launching takes time"
run query graph.db "SELECT (SELECT count(*) FROM segment_interval WHERE run_id = 1 AND task_id = 1 AND seq = 0 AND kind = 'launch'),
	count(*), count(DISTINCT graph) FROM segment WHERE graph IS NOT NULL" --format csv
expect_line out '^1,6,1$' "six nodes in a row are launched once" || cat out
run query graph.db "SELECT count(DISTINCT ready_ns) FROM segment_interval WHERE run_id = 1 AND task_id = 1 AND seq = 0
	AND kind = 'run' AND segment_idx BETWEEN 2 AND 6" --format csv
expect_line out '^1$' "and issued at once"
run run graph.db --format csv
[ "$(grep -c ',yes$' out)" -eq 2 ]
report $? "the recording of it runs again"
run audit graph.db
expect_status 0 "and keeps the laws"
cp graph.db bad.db
sqlite3 bad.db "UPDATE segment SET graph = NULL WHERE segment_idx = 4"
run audit bad.db
grep -q 'segment 4, .*it was not launched for 0.2ms behind' out
report $? "flights: another node without a launch" || cat out
sed 's/, async: true, graph: halves/, graph: halves/' graph.yaml >wrong.yaml
run run wrong.yaml
expect_status 2 "nodes that are waited for"
expect_line err "'graph' is for asynchronous operations: write async: true, too" "are refused"

# ---- who refuses ----

sed 's/^policies:.*/policies: [fcfs, mpcp, sbeet, fifo-cke]/' two-streams.yaml >gates.yaml
run run gates.yaml --format csv
expect_status 0 "policies with a gate"
[ "$(grep -c 'refused.*segment 1 of task .detect. is asynchronous' out)" -eq 3 ]
report $? "refuse the set, and name the segment"
run analyze two-streams.yaml
expect_line out 'segment 3 of task .detect. may overlap operations in flight' "analyses do, too"

# ---- set: paths, the writer ----

cat >c.yaml <<'END'
cegsim-campaign: 1
name: c
seed: 1
generate:
  recipe: scenario
  file: two-streams.yaml
  set: {tasks.detect.segments.5.after: [[left]], tasks.detect.segments.6.async: [true, false]}
replications: 1
policies: [fifo-cke]
END
run sweep c.yaml -o c.db
expect_status 0 "a campaign varies them"

# ---- what a job waits for, worked out by hand ----

# waits FILE: of task a, where it waits at a wait or in its stream
waits() {
	rm -f w.db
	run run "$1" -o w.db -q
	run audit w.db
	expect_status 0 "$1: the audit says the same"
	run query w.db "SELECT segment_idx, resource, for_idx, start_ns / 1000000, end_ns / 1000000 FROM v_flight_wait
		WHERE run_id = 1 AND task = 'a' AND resource IN ('wait', 'stream') ORDER BY 1, 2" --format csv
	sed 1d out >rows
}
kernel() { echo "kernel: {grid: 1, block: 1024, block_time: $1, stream: $2}, async: true"; }
HEAD='cegsim: 1
time_unit: ms
policies: [fifo-cke]
record: segments'
GPU='{sms: 2, threads_per_sm: 2048}'
cat >stream-of-a-gpu.yaml <<-END
	$HEAD
	horizon: 40
	platform: {gpus: [$GPU, {sms: 2, threads_per_sm: 2048, work_queues: 1}]}
	tasks:
	  - name: a
	    period: 40
	    segments: [{cpu: 1}, {$(kernel 2 5)}, {gpu: 1, $(kernel 8 5)}, {gpu: 1, $(kernel 1 6)}, {wait: {stream: 5}},
	      {cpu: 1}, {wait: {stream: 5}, gpu: 1}, {cpu: 1}]
END
waits stream-of-a-gpu.yaml
compare rows "a wait for stream 5 of a GPU is not for that of another one; and that other one has a single queue" <<-'END'
	3,stream,2,1,9
	4,wait,1,1,3
	6,wait,2,4,9
END
cat >sync.yaml <<-END
	$HEAD
	horizon: 40
	platform: {overheads: {sync: 2ms, launch: 1ms}, gpu: $GPU}
	tasks:
	  - name: a
	    period: 40
	    segments: [{cpu: 1}, {name: k1, $(kernel 4 5)}, {name: k2, $(kernel 8 6)}, {wait: [k1]}, {wait: [k2]}, {cpu: 1},
	      {name: k3, $(kernel 9 6)}, {kernel: {grid: 1, block: 1024, block_time: 1, stream: 7}}, {wait: [k3]}, {cpu: 1}]
END
waits sync.yaml
compare rows "a job comes to a wait when it has launched, and when sync is over" <<-'END'
	3,wait,1,3,6
	4,wait,2,8,11
	8,wait,6,19,24
END
cat >preempted.yaml <<-END
	$HEAD
	horizon: 10
	stop: horizon
	platform: {gpu: $GPU}
	tasks:
	  - {name: high, period: 10, offset: 3, segments: [{cpu: 7}]}
	  - {name: a, period: 20, segments: [{cpu: 1}, {name: k1, $(kernel 8 5)}, {cpu: 4}, {wait: [k1]}, {cpu: 1}]}
END
waits preempted.yaml
compare rows "who was preempted in front of a wait is not at it" </dev/null
cat >aborted.yaml <<-END
	$HEAD
	horizon: 20
	on_miss: abort
	platform: {gpu: $GPU}
	tasks:
	  - name: a
	    period: 20
	    deadline: 6
	    segments: [{cpu: 1}, {name: k1, $(kernel 8 5)}, {name: k2, $(kernel 8 5)}, {name: k3, $(kernel 7 6)},
	      {wait: [k3]}, {wait: [k2]}, {wait: [k1]}, {cpu: 1}]
END
waits aborted.yaml
compare rows "an aborted job waits until then, and comes to no later wait" <<-'END'
	4,wait,3,1,6
END

# ---- what the audit finds ----

# defect LAW WORDS SQL: of run 1 of a copy of the recording
defect() {
	cp all.db bad.db
	python3 -c 'import sqlite3, sys; c = sqlite3.connect("bad.db"); c.execute(sys.argv[1]); c.commit()' "$3"
	run audit bad.db
	grep -q "^$1: " out && grep -q "$2" out
	report $? "$1: $2"
}
ROW='WHERE run_id = 1 AND task_id = 1 AND seq = 0 AND segment_idx'
run query all.db "SELECT task_id FROM task WHERE name = 'detect'" --format csv
expect_line out '^1$' "detect is task 1"
sed 's/^platform:/&\n  overheads: {launch: 200us}/' two-streams.yaml >launched.yaml
cp all.db kept.db
run run launched.yaml -o all.db --force
defect flight-copies 'it starts before one that is in front of it: that was eligible at 1.2ms, this one at 1.6ms' \
	"UPDATE segment_interval SET (start_ns, end_ns) = (SELECT CASE i.segment_idx WHEN 1 THEN 3700000 ELSE 1700000 END,
		CASE i.segment_idx WHEN 1 THEN 5700000 ELSE 3700000 END FROM segment_interval i WHERE i.rowid = segment_interval.rowid)
		$ROW IN (1, 3) AND kind = 'run'"
mv kept.db all.db
defect flights 'it starts before segment 2, after which it comes' \
	"UPDATE segment_interval SET start_ns = 8500000, end_ns = 9500000 $ROW = 5"
defect flights 'its job came to it at 1ms' "UPDATE segment_interval SET ready_ns = ready_ns + 1000000 $ROW = 3"
defect flights 'it starts before 12.5ms, when it is issued' "UPDATE segment_interval SET start_ns = 12400000 $ROW = 9"
defect flights 'the segment ran for 2.1ms, expected 2ms' "UPDATE segment_interval SET end_ns = end_ns + 100000 $ROW = 1"
defect flights 'its segment 4 never ran' "DELETE FROM segment_interval $ROW = 4"
defect flights 'but its last operation, or wait, at 13.5ms' "UPDATE job SET finish_ns = finish_ns - 1000 WHERE run_id = 1 AND task_id = 1 AND seq = 0"
defect flight-order 'issued earlier to its hardware queue has ended, at 5ms' \
	"UPDATE segment_interval SET start_ns = 4900000 $ROW = 4"

defect flight-engines 'it is on engine 1, expected engine 0' "UPDATE segment_interval SET unit = 1 $ROW = 1"
defect flight-blocks 'did not take the time of its kernel' \
	"UPDATE block_interval SET end_ns = end_ns - 1000 WHERE run_id = 1 AND task_id = 1 AND seq = 0 AND segment_idx = 2 AND block = 0"
defect flight-blocks 'blocks were placed' "DELETE FROM block_interval WHERE run_id = 1 AND task_id = 1 AND seq = 0 AND segment_idx = 2 AND block = 0"
defect slots 'it is in slot 9' "UPDATE block_interval SET slot = 9 WHERE run_id = 1 AND task_id = 1 AND seq = 0 AND segment_idx = 2 AND block = 0"

finish
