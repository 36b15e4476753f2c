#!/bin/sh
# cegsim import: an export made of a run, imported and run again, gives every job the response that it had.
#
# The export has the run's schedule as Nsight Systems would have seen it: kernels and copies where they ran on the GPU,
# calls when they were issued, a range for each job, and when each thread had the CPU. The import knows nothing else.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# Tables and columns are those of exports of 2024. The thread of a task is 100 + its index, its stream 20 + that.
cat >export.sql <<'END'
CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);
CREATE TABLE TARGET_INFO_GPU (id INT, cuDevice INT, name TEXT, smCount INT, maxWarpsPerSm INT, maxBlocksPerSm INT,
	maxRegistersPerSm INT, maxShmemPerSm INT, asyncEngines INT);
CREATE TABLE StringIds (id INT, value TEXT);
CREATE TABLE ThreadNames (nameId INT, globalTid INT);
CREATE TABLE TARGET_INFO_CUDA_STREAM (streamId INT, processId INT, contextId INT, priority INT, flag INT);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INT, end INT, eventClass INT, globalTid INT, correlationId INT,
	nameId INT);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, deviceId INT, contextId INT, streamId INT,
	correlationId INT, globalPid INT, shortName INT, gridX INT, gridY INT, gridZ INT, blockX INT, blockY INT,
	blockZ INT, registersPerThread INT, staticSharedMemory INT, dynamicSharedMemory INT);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INT, end INT, deviceId INT, contextId INT, streamId INT,
	correlationId INT, globalPid INT, bytes INT, copyKind INT, srcKind INT, dstKind INT);
CREATE TABLE NVTX_EVENTS (start INT, end INT, eventType INT, text TEXT, globalTid INT);
CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (deviceId INT, contextId INT, streamId INT, correlationId INT,
	globalPid INT, eventId INT);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INT, end INT, deviceId INT, contextId INT, streamId INT,
	correlationId INT, globalPid INT, syncType INT, eventId INT);
CREATE TABLE SCHED_EVENTS (start INT, cpu INT, isSchedIn INT, globalTid INT, threadState INT);

INSERT INTO TARGET_INFO_GPU SELECT 0, 0, 'GPU', sms, threads_per_sm / 32, blocks_per_sm, 65536, 98304, engines
	FROM r.platform;
INSERT INTO StringIds VALUES (0, 'cudaLaunchKernel'), (1, 'cudaMemcpyAsync'), (2, 'kernel'),
	(3, 'cudaEventRecord'), (4, 'cudaStreamWaitEvent'), (5, 'cudaEventSynchronize');
INSERT INTO StringIds SELECT 10 + task_idx, name FROM r.task;
CREATE TEMP TABLE thread AS SELECT task_id, 20 + task_idx AS lane, (7 << 24) + 100 + task_idx AS tid FROM r.task;
INSERT INTO ThreadNames SELECT 10 + task_idx, tid FROM thread JOIN r.task USING (task_id);
INSERT INTO TARGET_INFO_CUDA_STREAM SELECT lane, 7, 1, 0, 2 FROM thread
	UNION SELECT 20 + stream, 7, 1, 0, 2 FROM r.segment WHERE stream >= 0 AND kind != 'wait';

CREATE TEMP TABLE op AS SELECT row_number() OVER () AS id, i.task_id, i.seq, tid, s.name,
	CASE WHEN s.stream >= 0 THEN 20 + s.stream ELSE lane END AS lane, s.segment_idx, s.kind, s.awaits, s.direction,
	s.grid_blocks, s.block_threads,
	coalesce(min(CASE WHEN i.kind = 'launch' THEN i.start_ns END), min(i.ready_ns)) AS issued,
	min(CASE WHEN i.kind = 'run' THEN i.start_ns END) AS began, max(CASE WHEN i.kind = 'run' THEN i.end_ns END) AS ended
	FROM r.segment_interval i JOIN r.segment s USING (task_id, segment_idx) JOIN thread USING (task_id)
	WHERE s.kind != 'cpu' AND i.kind IN ('launch', 'run') GROUP BY i.task_id, i.seq, s.segment_idx;
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT issued, issued, 0, tid, id, kind = 'copy' FROM op;
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT began, ended, 0, 1, lane, id, 7 << 24, 2, grid_blocks, 1,
	1, block_threads, 1, 1, 0, 0, 0 FROM op WHERE kind = 'kernel';
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY SELECT began, ended, 0, 1, lane, id, 7 << 24, 4096,
	CASE direction WHEN 'to_cpu' THEN 2 ELSE 1 END, 1, 2 FROM op WHERE kind = 'copy';
INSERT INTO NVTX_EVENTS SELECT release_ns, finish_ns, 59, 'job', tid FROM r.job JOIN thread USING (task_id);

-- What is behind an event, or waited for, by a name: the event is recorded behind the operation of that name; its stream
-- waits just before the other one's call, and the thread where the segment of the CPU before its wait has ended.
CREATE TEMP TABLE awaited AS SELECT row_number() OVER () AS event, op.*, waiter.at AS wait_at, waiter.stream AS waiter,
	waiter.back
	FROM (SELECT task_id, seq, awaits, issued - 1 AS at, lane AS stream, NULL AS back FROM op WHERE awaits IS NOT NULL
		UNION ALL SELECT i.task_id, i.seq, s.awaits, max(i.end_ns), NULL, 0 FROM r.segment s JOIN r.segment_interval i
			ON i.task_id = s.task_id AND i.segment_idx = s.segment_idx - 1
			WHERE s.kind = 'wait' GROUP BY i.task_id, i.seq, s.segment_idx) waiter
	JOIN json_each(waiter.awaits) name
	JOIN op ON op.task_id = waiter.task_id AND op.seq = waiter.seq AND op.name = name.value;
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT issued + 1, issued + 1, 0, tid, 1000000 + event, 3 FROM awaited;
INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT SELECT 0, 1, lane, 1000000 + event, 7 << 24, event FROM awaited;
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT wait_at, coalesce(max(wait_at, ended + back), wait_at), 0, tid,
	2000000 + event, CASE WHEN back IS NULL THEN 4 ELSE 5 END FROM awaited;
INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION SELECT wait_at, coalesce(max(wait_at, ended + back), wait_at), 0, 1,
	coalesce(waiter, 0), 2000000 + event, 7 << 24, CASE WHEN back IS NULL THEN 2 ELSE 1 END, event FROM awaited;

-- A thread that has to wait for its CPU had one until a moment ago, and could have gone on.
CREATE TEMP TABLE worked AS SELECT tid, seq, segment_idx, ready_ns, start_ns, end_ns, ended
	FROM r.segment_interval JOIN thread USING (task_id) WHERE resource = 'cpu' AND kind IN ('run', 'launch', 'switch');
CREATE TEMP TABLE on_cpu AS SELECT tid, start_ns, end_ns, CASE ended WHEN 'preempted' THEN 1 ELSE 2 END AS state
	FROM worked;
INSERT INTO on_cpu SELECT tid, ready - 1, ready, 1
	FROM (SELECT tid, min(ready_ns) AS ready, min(start_ns) AS start FROM worked GROUP BY tid, seq, segment_idx)
	WHERE ready < start AND (tid, ready) NOT IN (SELECT tid, end_ns FROM worked);
INSERT INTO SCHED_EVENTS SELECT start_ns, 0, 1, tid, 0 FROM on_cpu UNION ALL SELECT end_ns, 0, 0, tid, state FROM on_cpu
	ORDER BY 1, 3;
END

# Responses; when the GPU, the engines and the core did what. What overheads took is time of the CPU in an import.
cat >job.sql <<'END'
SELECT t.name, release_ns - min(release_ns) OVER (), response_ns FROM job JOIN task t USING (task_id) ORDER BY 1, 2;
END
cat >schedule.sql <<'END'
SELECT t.name, i.seq, i.resource, i.start_ns, i.end_ns FROM segment_interval i JOIN task t USING (task_id)
	WHERE i.kind = 'run' AND (i.resource != 'cpu' OR (SELECT name FROM taskset) NOT LIKE 'overheads%') ORDER BY 4, 1, 3;
END

# same NAME [IMPORT-OPTION...]: runs NAME.yaml, makes an export of it, imports that, and runs it
same() {
	name=$1
	shift
	run run "$name.yaml" -p fifo-cke -o "$name.db" --record segments -q
	expect_status 0 "$name: a run"
	rm -f "$name.sqlite"
	sqlite3 -bail "$name.sqlite" "ATTACH '$name.db' AS r; BEGIN" ".read export.sql" COMMIT
	run import "$name.sqlite" --job nvtx:job -o "$name-again.yaml" "$@"
	expect_status 0 "its export is imported"
	run run "$name-again.yaml" -o "$name-again.db" --record segments -q
	expect_status 0 "and runs"
	for what in job schedule; do
		for db in "$name.db" "$name-again.db"; do
			sqlite3 "$db" ".read $what.sql" >"$db.$what"
		done
		[ -s "$name.db.$what" ] && cmp -s "$name.db.$what" "$name-again.db.$what"
		report $? "$name: the same, $(wc -l <"$name.db.$what") rows of each $what" ||
			diff "$name.db.$what" "$name-again.db.$what" | sed -n '1,20s/^/#   /p'
	done
}

cat >one.yaml <<'END'
cegsim: 1
horizon: 200ms
execution: uniform
platform: {copy: {engines: 2}, gpu: {sms: 4, threads_per_sm: 2048, blocks_per_sm: 32}}
tasks:
  - name: one
    period: 20ms
    segments:
      - {cpu: [1ms, 2ms]}
      - {copy: to_gpu, time: [300us, 500us]}
      - {cpu: 7us}
      - {kernel: {grid: 65, block: 256, block_time: [1ms, 1500us]}}
      - {kernel: {grid: 8, block: 1024, block_time: [100us, 200us]}}
      - {copy: to_cpu, time: [300us, 500us]}
      - {cpu: [1ms, 2ms]}
END
same one

# What launching takes is in the times of the CPU.
{
	sed '/^platform/d' one.yaml
	echo 'platform: {copy: {engines: 2}, gpu: {sms: 4, threads_per_sm: 2048, blocks_per_sm: 32},
  overheads: {launch: 4us, latency: 1.8us, gap: 1us, sync: 2us, switch: 3us}}'
} >overheads.yaml
same overheads

# Two threads in each other's way: on the core, for the engine to the GPU, for SMs.
cat >two.yaml <<'END'
cegsim: 1
horizon: 300ms
execution: uniform
platform: {copy: {engines: 2}, gpu: {sms: 4, threads_per_sm: 2048, blocks_per_sm: 32}}
tasks:
  - name: quick
    period: 10ms
    segments:
      - {cpu: [500us, 1ms]}
      - {copy: to_gpu, time: [300us, 500us]}
      - {kernel: {grid: 8, block: 1024, block_time: [1ms, 2ms]}}
      - {copy: to_cpu, time: [300us, 500us]}
      - {cpu: [500us, 1ms]}
  - name: slow
    period: 37ms
    segments:
      - {cpu: [3ms, 6ms]}
      - {copy: to_gpu, time: [1ms, 2ms]}
      - {kernel: {grid: 8, block: 1024, block_time: [2ms, 6ms]}}
      - {cpu: [1ms, 3ms]}
      - {kernel: {grid: 8, block: 1024, block_time: [2ms, 6ms]}}
      - {copy: to_cpu, time: [1ms, 2ms]}
END
same two

# Two streams, one of which waits for the other, while the thread goes on; and a wait for one operation of two.
cat >overheads-flights.yaml <<'END'
cegsim: 1
horizon: 300ms
execution: uniform
platform: {copy: {engines: 2}, gpu: {sms: 4, threads_per_sm: 2048, blocks_per_sm: 32}, overheads: {launch: 4us}}
tasks:
  - name: detect
    period: 20ms
    segments:
      - {cpu: [500us, 1ms]}
      - {name: left in, copy: to_gpu, time: [1ms, 2ms], stream: 11, async: true}
      - {name: left, kernel: {grid: 32, block: 1024, block_time: [300us, 500us], stream: 11}, async: true}
      - {copy: to_gpu, time: [1ms, 2ms], stream: 12, async: true}
      - {kernel: {grid: 8, block: 256, block_time: [2ms, 3ms], stream: 13}, async: true, after: [left in]}
      - {kernel: {grid: 8, block: 256, block_time: [1ms, 2ms], stream: 12}, async: true, after: [left]}
      - {cpu: [1ms, 2ms]}
      - {wait: [left]}
      - {cpu: [100us, 200us]}
      - {copy: to_cpu, time: [500us, 600us], stream: 11}
      - {cpu: [500us, 1ms]}
END
same overheads-flights
for what in "async: true" "after: \[" "{wait: \["; do
	grep -q "$what" overheads-flights-again.yaml
	report $? "flights: the scenario has '$what'"
done

finish
