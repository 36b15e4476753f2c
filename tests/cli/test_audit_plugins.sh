#!/bin/sh
# cegsim audit under policies that it does not know: plug-ins that admit one, two, three or all kernels, sections, or
# kernels of sections, while tasks share SMs, streams, engines, registers and shared memory. Nothing may be found in their
# schedules, and every changed row must be found (docs/audit.md, "A policy that it does not know").
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

plugins=$SOURCES/tests/cli/plugins/gates
vehicle=$SOURCES/scenarios/examples/vehicle.yaml

build() {
	run_command "${CC:-cc}" -shared -fPIC -O2 -I"$SOURCES/models" -I"$SOURCES" -o "$2.so" "$1"
	expect_status 0 "$2 is built"
}

# Four SMs, two engines, four hardware queues; every limit of an SM matters somewhere.
cat >crowded.yaml <<'END'
cegsim: 1
name: crowded
time_unit: ms
horizon: 400
seed: 7
release: {sporadic: {max_delay: 20%}}
execution: uniform
platform:
  gpu: {sms: 4, sms_per_tpc: 2, threads_per_sm: 1024, blocks_per_sm: 8, registers_per_sm: 32768,
        shared_memory_per_sm: 48KiB, work_queues: 4, virtual_sms_per_sm: 2}
  copy: {engines: 2, bandwidth: 8GB/s, latency: 10us}
  power: {static: 2W, idle_per_sm: 100mW}
profiles:
  net: {time: [8, 5, 4, 3.5], total_power: [3W, 4W, 5W, 6W]}
tasks:
  - name: high
    period: 10
    stream: 1
    stream_priority: high
    segments:
      - {cpu: [0.2, 0.5]}
      - {copy: to_gpu, bytes: 256KiB}
      - {kernel: {grid: 26, block: 256, block_time: [0.3, 0.6], registers: 40, shared_memory: 8KiB, power: 200mW}}
  - name: wide
    period: 20
    segments:
      - {copy: to_gpu, bytes: 1MiB}
      - {kernel: {grid: 40, block: 128, block_time: [0.4, 0.7], registers: 32, power: 250mW}}
      - {kernel: {grid: 24, block: 192, block_time: [0.5, 0.6], shared_memory: 12KiB, power: 300mW}}
      - {copy: to_cpu, bytes: 256KiB}
      - {cpu: [0.5, 1]}
  - name: shared
    period: 25
    stream: 5
    segments:
      - {cpu: [0.5, 1]}
      - {kernel: {grid: 30, block: 100, block_time: [0.2, 0.9], registers: 64, power: 150mW}}
      - {copy: both, time: 0.3}
      - {kernel: {work: [2, 4], overhead: 0.1, interleave: {2: 1.5}, power: 220mW}}
  - name: waiting
    period: 50
    stream: null
    segments:
      - {kernel: {grid: 12, block: 512, block_time: [0.5, 1], power: 260mW}}
      - {cpu: 1}
      - {kernel: {profile: net}}
END
# One pool of threads, and jobs that are aborted.
sed -e 's/name: crowded/name: pooled/; s/threads_per_sm: 1024,.*/threads_per_sm: 1024, pool: gpu,/' \
	-e 's/^ *shared_memory_per_sm: 48KiB, /        /; s/period: 10$/period: 6/; s/^seed: 7/seed: 8\non_miss: abort/' \
	crowded.yaml >pooled.yaml

build "$plugins/lets-in.c" lets-in
policies=
for unit in kernel section kernels; do
	for at_a_time in 1 2 3 0; do
		policies="$policies -p ./lets-in.so:unit=$unit,at_a_time=$at_a_time"
	done
done
for wait in busy boost; do
	policies="$policies -p ./lets-in.so:wait=$wait,at_a_time=3 -p ./lets-in.so:wait=$wait,unit=section"
done
for scenario in "$vehicle" crowded.yaml pooled.yaml; do
	name=$(basename "$scenario" .yaml)
	# shellcheck disable=SC2086 # words
	run run "$scenario" $policies --record blocks -o "$name.db" -q --format csv
	expect_status 0 "$name: runs under sixteen policies"
	expect_line out "^$name,.*lets-in:.*,ok," "of which none is at fault"
	run audit "$name.db"
	expect_status 0 "$name: the audit finds nothing in 1, 2, 3 or all kernels, sections, sections' kernels at a time"
	expect_line out '^16 runs: [0-9]+ laws hold, [0-9,]+ rows; [0-9]+ do not apply$' "in all of the runs"
	run audit "$name.db" --format csv
	for law in slots sm-limits r1-order r1-work; do
		expect_line out "^$law,blocks,.*,16,0,0,[1-9][0-9]*,0," "$name: '$law' was asked of each"
	done
	run_command sqlite3 "$name.db" "SELECT count(DISTINCT digest) > 6, count(*) FROM run"
	expect_line out '^1[|]16$' "$name: they differ from each other"
done

# ---- what is changed ---------------------------------------------------------------------
run run crowded.yaml -p ./lets-in.so:at_a_time=3 --record blocks -o right.db -q
expect_status 0 "three kernels at a time"

# spoil LAW WHAT SQL...: this law finds the change
spoil() {
	law=$1
	what=$2
	shift 2
	cp right.db wrong.db
	run_command sqlite3 wrong.db "$* SELECT changes();"
	expect_line out '^[1-9]' "$what: a row is changed"
	run audit wrong.db --format csv
	cp out found
	grep -Eq "^$law,[a-z]+,.*,1,0,0,[0-9]+,[1-9][0-9]*,." found && [ "$status" -eq 1 ]
	report $? "$what: '$law' finds it" || { sed -n 's/^\([a-z0-9-]*\),.*,1,0,0,[0-9]*,[1-9][0-9]*,.*/#   \1/p' found; show_file err; }
}

# The last block of a kernel; the second job's interval on a kind of resource; an interval that was preempted.
block="(SELECT rowid FROM block_interval b WHERE task_id = 2 AND segment_idx = 1 AND seq = 1 ORDER BY block DESC LIMIT 1)"
of() {
	echo "(SELECT min(rowid) FROM segment_interval WHERE code & 3 = $1 AND seq = 1 AND task_id = 2)"
}
preempted="(SELECT min(rowid) FROM segment_interval WHERE code = 16)"

spoil slots "a block in the next slot" "UPDATE block_interval SET slot = slot + 1 WHERE rowid = $block;"
spoil slots "a block in a slot behind free ones" "UPDATE block_interval SET slot = 70 WHERE rowid = $block;"
spoil slots "a block in no slot" "UPDATE block_interval SET slot = -1 WHERE rowid = $block;"
spoil slots "two blocks in one slot" "UPDATE block_interval SET slot = 0 WHERE slot = 1 AND rowid < 400;"
spoil slots "blocks of a kernel that changed their slots" "UPDATE block_interval SET slot = 1 - slot
	WHERE task_id = 2 AND segment_idx = 1 AND seq = 0 AND sm = 1 AND slot < 2 AND start_ns = (SELECT min(start_ns)
	FROM block_interval WHERE task_id = 2 AND segment_idx = 1 AND seq = 0);"
spoil sm-choice "a block on another SM" "UPDATE block_interval SET sm = (sm + 1) % 4 WHERE rowid = $block;"
spoil slots "a block on another SM (besides)" "UPDATE block_interval SET sm = (sm + 1) % 4 WHERE rowid = $block;"
spoil blocks "a block on an SM that is not there" "UPDATE block_interval SET sm = 4 WHERE rowid = $block;"
spoil sm-limits "all blocks on one SM" "UPDATE block_interval SET sm = 0;"
spoil blocks "a block that is longer" "UPDATE block_interval SET end_ns = end_ns + 1 WHERE rowid = $block;"
spoil blocks "a block that is preempted" "UPDATE block_interval SET ended_code = 1 WHERE rowid = $block;"
spoil blocks "a block of more threads" "UPDATE block_interval SET threads = threads + 32 WHERE rowid = $block;"
spoil blocks "a block twice" "UPDATE block_interval SET block = block - 1 WHERE rowid = $block;"
spoil kernel-span "a block that is gone" "DELETE FROM block_interval WHERE rowid = $block;"
spoil kernel-span "a kernel that ends later" "UPDATE segment_interval SET end_ns = end_ns + 1 WHERE rowid = $(of 2);"
spoil r1-work "a block that waits though there is room" \
	"UPDATE block_interval SET start_ns = start_ns + 1, end_ns = end_ns + 1 WHERE rowid = $block;"
spoil own-sms "a kernel that says it has an SM of its own" "UPDATE segment_interval SET granted = 1 WHERE rowid = $(of 2);"
spoil lengths "a CPU segment that is shorter" "UPDATE segment_interval SET end_ns = end_ns - 1 WHERE rowid = $(of 0);"
spoil lengths "a copy that is longer" "UPDATE segment_interval SET end_ns = end_ns + 1 WHERE rowid = $(of 1);"
spoil precedence "an interval that starts before it is ready" \
	"UPDATE segment_interval SET start_ns = ready_ns - 1 WHERE rowid = $(of 1);"
spoil precedence "an interval that is ready later" \
	"UPDATE segment_interval SET ready_ns = ready_ns + 1 WHERE rowid = $(of 2);"
spoil precedence "an interval that is gone" "DELETE FROM segment_interval WHERE rowid = $(of 1);"
spoil copy-engine "a copy on the other engine" "UPDATE segment_interval SET unit = 1 - unit WHERE rowid = $(of 1);"
spoil parts "a kernel that is preempted" "UPDATE segment_interval SET code = code + 16 WHERE rowid = $(of 2);"
spoil cpu-exclusive "two jobs on the core" "UPDATE segment_interval SET end_ns = end_ns + 1000 WHERE rowid = $preempted;"
spoil spinning "a job that spins outside of its sections" "UPDATE segment_interval SET code = code + 4 WHERE rowid = $(of 0);"
spoil precedence "a job that ends later" "UPDATE job SET finish_ns = finish_ns + 1 WHERE task_id = 2 AND seq = 2;"
spoil releases "a job that is released later" "UPDATE job SET release_ns = release_ns + 1 WHERE task_id = 2 AND seq = 2;"
spoil releases "a job that is gone" "DELETE FROM job WHERE task_id = 2 AND seq = 2;"
spoil deadlines "a job with another deadline" \
	"UPDATE job SET abs_deadline_ns = abs_deadline_ns + 1 WHERE task_id = 2 AND seq = 2;"
spoil first-start "a job that started earlier" \
	"UPDATE job SET first_start_ns = first_start_ns - 1 WHERE task_id = 2 AND seq = 2 AND first_start_ns > release_ns
	OR task_id = 1 AND seq = 2;"
spoil job-state "a job that missed" "UPDATE job SET outcome = outcome + 4 WHERE task_id = 2 AND seq = 2;"
spoil job-order "jobs that overlap" "UPDATE job SET first_start_ns = (SELECT finish_ns - 1 FROM job WHERE task_id = 2
	AND seq = 1) WHERE task_id = 2 AND seq = 2;"
spoil job-floor "a job that took no time" "UPDATE job SET finish_ns = release_ns + 1 WHERE task_id = 2 AND seq = 2;"
spoil task-figures "another greatest response" "UPDATE run_task SET max_response_ns = max_response_ns + 1 WHERE task_id = 2;"
spoil task-figures "another histogram" "UPDATE run_task_hist SET bucket = bucket + 1 WHERE task_id = 2;"
spoil figures "a miss more" "UPDATE run SET misses = misses + 1;"
spoil ranks "two tasks of one rank" "UPDATE run_task SET rank = 0;"
spoil sm-sets "a set of SMs that are not there" "UPDATE run_task SET sms = 1, sm_set = '[4]' WHERE task_id = 1;"
spoil own-sms "a task with an SM of its own" "UPDATE run_task SET sms = 1, sm_set = '[3]' WHERE task_id = 1;"
spoil window "an earlier end" "UPDATE run SET window_ns = window_ns - 1;"
spoil stop "an earlier S" "UPDATE run SET stop_ns = stop_ns - 1, window_ns = window_ns - 1;"
spoil power-cover "a time without power" \
	"UPDATE power_interval SET start_ns = start_ns + 1 WHERE rowid = (SELECT max(rowid) FROM power_interval);"
spoil power-level "another power" \
	"UPDATE power_interval SET power_uw = power_uw + 1 WHERE rowid = (SELECT max(rowid) - 1 FROM power_interval);"
spoil energy "another energy" "UPDATE run SET energy_uj = energy_uj + 1;"
spoil activity "another time with an active SM" "UPDATE run SET gpu_active_ns = gpu_active_ns + 1;"
spoil energy-parts "a task that took more" "UPDATE run_task SET energy_uj = energy_uj + 1 WHERE task_id = 1;"
spoil task-energy "energy of one task that was another's" \
	"UPDATE run_task SET energy_uj = energy_uj + CASE task_id WHEN 1 THEN 1 WHEN 2 THEN -1 ELSE 0 END;"

# ---- the primary queue -------------------------------------------------------------------
# high has 8 of its 12 blocks on the GPU from 1 ms on, the rest from 2 ms on; low starts only then. Two begin together at
# 10 ms.
cat >queue.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 20
platform: {gpu: {sms: 2, threads_per_sm: 1024}}
tasks:
  - {name: high, period: 20, offset: 1, stream_priority: high, segments: [{kernel: {grid: 12, block: 256, block_time: 1}}]}
  - {name: low, period: 20, offset: 1.5, segments: [{kernel: {grid: 2, block: 128, block_time: 1}}]}
  - {name: one, period: 20, offset: 10, segments: [{kernel: {grid: 2, block: 128, block_time: 1}}]}
  - {name: two, period: 20, offset: 10, segments: [{kernel: {grid: 2, block: 128, block_time: 1}}]}
END
run run queue.yaml -p ./lets-in.so:at_a_time=0 --record blocks -o right.db -q --force
run audit right.db
expect_status 0 "high before low, and two that begin together"
later="start_ns = start_ns + 500000, end_ns = end_ns + 500000"
spoil r1-order "a low kernel goes on while a high one has blocks to place" \
	"UPDATE block_interval SET $later WHERE task_id = 1 AND block = 11;"
spoil r1-order "two kernels begin, and both have blocks left" \
	"UPDATE block_interval SET $later WHERE task_id IN (3, 4) AND block = 1;"

# ---- units that wait ---------------------------------------------------------------------
run run crowded.yaml -p ./lets-in.so:from=300ms --record blocks -o late.db -q
expect_status 0 "a policy that lets nobody in before an instant for which it asked"
run audit late.db
expect_status 0 "is like any other"
sed 's/^horizon: 400/horizon: 400\nlimit: 500/' crowded.yaml >limited.yaml
run run limited.yaml -p ./lets-in.so:from=470ms --record blocks -o limited.db
expect_status 0 "at the limit of the clock"
expect_line out '^crowded .* truncated ' "its run is truncated"
expect_line err '^cegsim: warning: crowded under lets-in:.*: truncated: jobs were unfinished at the limit of the clock$' \
	"which is said"
run run limited.yaml -p ./lets-in.so:from=470ms --strict
expect_status 1 "and under --strict it counts as a miss"
run audit limited.db
expect_status 0 "the audit finds nothing in it"
sed 's/^horizon: 400/horizon: 400\nstop: horizon/' crowded.yaml >stopped.yaml
run run stopped.yaml -p ./lets-in.so:from=390ms --record blocks -o stopped.db
expect_status 0 "at the horizon they wait as they may"
expect_line out '^crowded .* ok ' "when the clock is stopped"
run audit stopped.db
expect_status 0 "in which nothing is found, either"
for scenario in limited stopped; do
	run run $scenario.yaml -p ./lets-in.so:from=100s
	expect_status 2 "but one that lets nobody in at all is at fault ($scenario)"
	expect_line err "^cegsim: error: crowded under .* has never admitted task 'high': its job 0 came to the gate at " "it says so"
done
finish
