#!/bin/sh
# cegsim trace: the trace, decoded by protoc, has what the recording has, queried in SQL (trace_check.py); and what
# happens if there is nothing to draw or nowhere to write.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# decode FILE.pftrace: into trace.txt
decode() {
	protoc --decode=perfetto.protos.Trace -I "$SOURCES/tests/data" perfetto_subset.proto <"$1" >trace.txt
}

# same RECORDING RUN NAME [FROM TO]: the trace of a run, or of a window in ns, equals the recording
same() {
	recording=$1 number=$2 name=$3
	shift 3
	run trace "$recording" -r "$number" -o same.pftrace --force ${1:+--from "${1}ns" --to "${2}ns"}
	if [ "$status" -eq 0 ] && decode same.pftrace; then
		run_command python3 "$SOURCES/tests/cli/trace_check.py" trace.txt "$CEGSIM" "$recording" "$number" "$@"
	else
		status=99
	fi
	expect_status 0 "$name"
	show_file out
}

# ---- whole runs ----

run run "$SOURCES/scenarios/examples/quickstart.yaml" --record blocks -o quickstart.db -q
run trace quickstart.db -o quickstart.pftrace
expect_status 0 "a trace"
expect_line out '^quickstart.pftrace: run 1 \(fifo-cke, record: blocks\): 110 slices on [0-9]* tracks, ' "says what it wrote"
expect_no_output_on_stderr "and nothing else"
run trace quickstart.db -o again.pftrace
cmp -s quickstart.pftrace again.pftrace
report $? "and is the same to the byte the next time"
for number in 1 2 3; do
	same quickstart.db "$number" "quickstart, run $number, is what was recorded"
done

cat >named.yaml <<'END'
cegsim: 1
name: named
time_unit: ms
horizon: 40
platform: {copy: {engines: 1, bandwidth: 1GB/s}, gpu: {sms: 2, threads_per_sm: 2048}}
tasks:
  - name: camera
    period: 20
    segments: [{name: grab, cpu: 1}, {copy: to_gpu, time: 1}, {name: detect, kernel: {grid: 6, block: 1024, block_time: 3}}]
  - name: lidar
    period: 40
    segments: [{cpu: 1}, {name: map, kernel: {grid: 4, block: 1024, block_time: 5}}]
policies: [fcfs]
END
run run named.yaml --record blocks -o named.db -q
same named.db 1 "names of segments are those of the recording, of intervals and of blocks"
run query named.db @blocking --format csv
expect_line out '^1,lidar,0,1,map,gpu,2,6,camera,0,6,gpu,2$' "@blocking has them"

sed 's/^horizon:.*/horizon: 400ms/' "$SOURCES/scenarios/examples/vehicle.yaml" >vehicle.yaml
run run vehicle.yaml --record blocks -o vehicle.db -q
for number in 1 3; do
	same vehicle.db "$number" "vehicle, run $number, is what was recorded"
	expect_line out '^[0-9]* slices.* \([1-9][0-9]* copy-kernel, [1-9][0-9]* kernel-copy\)' "with flows from copies to kernels and back"
done
for level in jobs segments; do
	run run vehicle.yaml --record $level -p rm -o $level.db -q
	same $level.db 1 "recorded with $level, it is what there is"
done
expect_line out 'CPU, copy engine 0, GPU kernels, Jobs, Queues, GPU power$' "without SMs"

run run "$SOURCES/scenarios/examples/uneven-blocks.yaml" -o uneven.db -q
for number in 1 2; do
	same uneven.db "$number" "blocks that are not alike, run $number"
done

# Two copy engines, threads pooled over the GPU, tasks that spin and are late, backlogs, blanks in names.
cat >odd.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 40
platform: {gpu: {sms: 2, threads_per_sm: 1024, pool: gpu}, copy: {engines: 2}}
tasks:
  - {name: a, period: 10, segments: [{cpu: 1}, {copy: to_gpu, time: 2}, {kernel: {grid: 8, block: 512, block_time: 1}}, {copy: to_cpu, time: 2}]}
  - {name: b, period: 10, deadline: 8, segments: [{cpu: 1}, {copy: to_gpu, time: 5}, {kernel: {grid: 9, block: 64, block_time: 1.5}}, {copy: to_cpu, time: 2}]}
  - {name: c, period: 5, segments: [{cpu: 3}]}
  - {name: d é, period: 20, segments: [{kernel: {grid: 3, block: 32, block_time: 0.3}}]}
policies: [fifo-cke, {name: mpcp, wait: busy}]
on_miss: continue
END
sed -e 's/engines: 2/engines: unlimited/' -e 's/, pool: gpu//' -e 's/on_miss: continue/on_miss: abort/' odd.yaml >free.yaml
run run odd.yaml --record blocks -o odd.db -q
run run free.yaml --record blocks -o free.db -q
for number in 1 2; do
	same odd.db "$number" "a pooled GPU with two engines, run $number"
	expect_line out ' [1-9][0-9]* MISS' "which has misses"
	same free.db "$number" "copies that never wait, jobs that are aborted, run $number"
done
run query odd.db "SELECT count(*) AS spins FROM segment_interval WHERE run_id = 2 AND kind <> 'run'" --format csv
expect_line out '^[1-9]' "which spin"

# Launches, switches, interrupts, waiting that holds the core, and jobs that are cut off.
sed -e '/^platform:/a\  overheads: {launch: 0.1, latency: 0.05, gap: 0.02, sync: 0.03, switch: 0.04, release: 0.06}' \
	-e '/^platform:/s/{gpu: \(.*\), copy: \(.*\)}$/\n  gpu: \1\n  copy: \2/' free.yaml >costly.yaml
run run costly.yaml --record blocks -o costly.db -q
expect_status 0 "overheads"
for number in 1 2; do
	same costly.db "$number" "overheads, run $number"
done
decode same.pftrace
for word in launch switch release; do
	expect_line trace.txt "^ *name: \"$word\"\$" "there is a category for $word"
	expect_line trace.txt "^ *name: \"b #0 $word\"\$" "and the slices say so"
done

# Several GPUs: each has its engines, kernels, SMs, queues and counters; `a` is on one, then on the other.
cat >gpus.yaml <<'END'
cegsim: 1
name: gpus
time_unit: ms
horizon: 40
platform:
  cores: 2
  gpus: [{preset: t400}, {preset: t400, sms: 4, pool: gpu}, {sms: 2, threads_per_sm: 1024, copy: {engines: unlimited}}]
tasks:
  - {name: a, core: 0, period: 20, segments: [{cpu: 1}, {copy: to_gpu, time: 2}, {kernel: {grid: 8, block: 512, block_time: 3}},
    {kernel: {grid: 8, block: 256, block_time: 2}, gpu: 1}, {copy: to_cpu, time: 1}]}
  - {name: b, core: 1, gpu: 1, period: 10, segments: [{cpu: 1}, {copy: to_gpu, time: 1}, {kernel: {grid: 4, block: 512, block_time: 4}}]}
  - {name: c, core: 1, period: 10, segments: [{copy: to_gpu, time: 2}, {kernel: {grid: 8, block: 512, block_time: 4}}]}
  - {name: d, core: 0, gpu: 2, period: 10, segments: [{copy: to_gpu, time: 1}, {kernel: {grid: 3, block: 64, block_time: 2}}]}
  - {name: e, core: 1, gpu: 2, period: 20, segments: [{copy: to_gpu, time: 1}, {kernel: {grid: 3, block: 64, block_time: 1}}]}
policies: [rm, fifo-cke]
END
run run gpus.yaml --record blocks -o gpus.db -q
for number in 1 2; do
	same gpus.db "$number" "several GPUs, run $number"
	expect_line out 'GPU 0 copy engine 0, GPU 0 kernels, GPU 1 copy engine 0, GPU 1 kernels, GPU 2 copies, GPU 2 kernels, GPU 0 SMs,' \
		"which have tracks of their own"
	expect_line out 'GPU 1 SMs, GPU 2 SMs, Jobs, Queues, GPU 0 power, GPU 1 power, GPU 2 power, GPU 0 threads,' "and counters"
done
same gpus.db 1 "a window of several GPUs" 3000000 7000000
cp gpus.db more.db
run_command sqlite3 more.db "UPDATE block_interval SET gpu = 3 WHERE gpu = 2"
run trace more.db -o m.pftrace
expect_status 2 "a GPU that the platform has not"
expect_line err 'run 1 has rows of GPU 3, which its platform has not' "and it says which"

run run "$SOURCES/scenarios/examples/warps.yaml" --record blocks -o warps.db -q
for number in 1 4; do
	same warps.db "$number" "kernels of warps, run $number"
done

# ---- windows ----

same vehicle.db 1 "a window has what is in it" 100000000 130000000
same odd.db 2 "one in which something goes on from before to behind" 3000000 3000001
same quickstart.db 2 "one to the end" 30000000 9000000000000000000
same warps.db 4 "one of warps" 40000 50000
run trace vehicle.db --from 130ms --to 100ms -o w.pftrace
expect_status 2 "a window that ends before it begins is none"
run trace vehicle.db --from 5 -o w.pftrace
expect_status 2 "an instant has a unit"
expect_line err '--from wants a duration such as 250us or 1.5ms, got "5"' "and one is told so"

# ---- what cannot be drawn ----

run run vehicle.yaml --record summary -o summary.db -q
run trace summary.db -o s.pftrace
expect_status 2 "a summary has nothing to draw"
expect_err "and it says what does" <<'END'
cegsim: error: summary.db holds no run with something to draw; it takes --record jobs, segments or blocks; runs: 1 fifo-cke (summary), 2 fcfs (summary), 3 rm (summary)
END
run trace summary.db -r 2 -o s.pftrace
expect_err "also of one run" <<'END'
cegsim: error: a trace needs runs recorded with --record jobs; run 2 was recorded with summary
END
run trace quickstart.db -r 7 -o s.pftrace
expect_status 2 "a run that is not there"
expect_err "is told which are" <<'END'
cegsim: error: quickstart.db holds no run 7; it has: 1 fifo-cke (blocks), 2 fcfs (blocks), 3 rm (blocks)
END
run trace quickstart.db
expect_status 2 "the file to write must be named"
run trace vehicle.yaml -o s.pftrace
expect_status 2 "a scenario is no recording"
expect_no_file s.pftrace "and nothing is written"

# ---- the file ----

cp quickstart.pftrace old
run trace quickstart.db -r 2 -o quickstart.pftrace
expect_status 2 "an existing file is not replaced"
cmp -s quickstart.pftrace old
report $? "and stays as it was"
run trace quickstart.db -r 2 -o quickstart.pftrace --force
expect_status 0 "unless forced to"
! cmp -s quickstart.pftrace old
report $? "and then replaced"
ln -s quickstart.db linked.db
cp quickstart.db kept.db
for name in quickstart.db ./quickstart.db linked.db; do
	run trace quickstart.db -o "$name" --force
	expect_status 2 "the recording is not replaced by its trace, though forced ($name)"
done
run_command cmp quickstart.db kept.db
expect_status 0 "and is whole"
run trace quickstart.db -o nowhere/x.pftrace
expect_status 3 "a folder that is not there"
(
	ulimit -f 16
	run trace vehicle.db -o full.pftrace
	[ "$status" -eq 3 ]
)
report $? "a file that may not grow"
[ "$(find . -name 'full*' -o -name '*.part*')" = "" ]
report $? "leaves nothing"

finish
