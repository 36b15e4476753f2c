#!/bin/sh
# cegsim trace: slices, flows and counters of a trace, read by a second decoder (trace_tables.py, which knows Perfetto's
# schema and not our code), are counted and compared with SQL on the recording (trace_counts.py). And the comparison finds
# each of a list of defects. With the argument `long`: a run of 100,000 jobs.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# counted RECORDING RUN NAME [FROM TO]: what a run's trace, or that of a window in ns, counts is what the recording counts
counted() {
	recording=$1 number=$2 name=$3
	shift 3
	run trace "$recording" -r "$number" -o counted.pftrace --force ${1:+--from "${1}ns" --to "${2}ns"}
	[ "$status" -ne 0 ] ||
		run_command python3 "$SOURCES/tests/cli/trace_counts.py" counted.pftrace "$recording" "$number" "$@"
	expect_status 0 "$name"
	show_file out
}

if [ "${1:-}" = long ]; then
	sed 's/^horizon:.*/horizon: 575s/' "$SOURCES/scenarios/examples/quickstart.yaml" >long.yaml
	run run long.yaml --record segments -p fcfs -o long.db -q
	counted long.db 1 "100,000 jobs are counted alike"
	expect_line out ' 100625 job, .* 143750 flows; ' "and none is missing"
	finish
fi

run run "$SOURCES/scenarios/examples/quickstart.yaml" --record blocks -o quickstart.db -q
for number in 1 2 3; do
	counted quickstart.db "$number" "quickstart, run $number, is counted alike"
done
counted quickstart.db 2 "and a window of it" 3000000 40000001

sed 's/^horizon:.*/horizon: 400ms/' "$SOURCES/scenarios/examples/vehicle.yaml" >vehicle.yaml
run run vehicle.yaml --record blocks -o vehicle.db -q
counted vehicle.db 1 "vehicle is counted alike"
expect_line out 'CPU queue [1-9].* GPU power [1-9].* GPU queue [1-9].* active SMs [1-9].* copy queue [1-9].* threads on the GPU [1-9]' \
	"with every counter"
counted vehicle.db 3 "under rm, where jobs preempt each other on the CPU"
counted vehicle.db 1 "a window of it, with its part of the energy" 100000000 130000000
for level in jobs segments; do
	run run vehicle.yaml --record $level -p rm -o $level.db -q
	counted $level.db 1 "recorded with $level"
done

run run "$SOURCES/scenarios/examples/warps.yaml" --record blocks -o warps.db -q
for number in 1 4; do
	counted warps.db "$number" "kernels of warps, run $number"
done

# Jobs that are late, spin and are boosted; a clock that stops at its limit; jobs that are aborted; copies that never wait.
cat >late.yaml <<'YAML'
cegsim: 1
time_unit: ms
horizon: 40
platform: {gpu: {sms: 2, threads_per_sm: 1024}, copy: {engines: 2}}
tasks:
  - {name: a, period: 10, segments: [{cpu: 1}, {copy: to_gpu, time: 2}, {kernel: {grid: 8, block: 512, block_time: 1}}, {copy: to_cpu, time: 2}]}
  - {name: b, period: 10, deadline: 8, segments: [{cpu: 1}, {copy: to_gpu, time: 5}, {kernel: {grid: 9, block: 64, block_time: 1.5}}, {copy: to_cpu, time: 2}]}
  - {name: c, period: 5, segments: [{cpu: 4}]}
  - {name: d é, period: 20, segments: [{kernel: {grid: 3, block: 32, block_time: 0.3}}]}
policies: [fifo-cke, {name: mpcp, wait: busy}]
on_miss: continue
YAML
sed 's/^horizon: 40/&\nlimit: 43/' late.yaml >cut.yaml
sed -e 's/engines: 2/engines: unlimited/' -e 's/threads_per_sm: 1024/&, pool: gpu/' -e 's/on_miss: continue/on_miss: abort/' \
	late.yaml >aborted.yaml
for set in late cut aborted; do
	run run $set.yaml --record blocks -o $set.db -q
	for policy in 1 2; do
		counted $set.db "$policy" "jobs that are $set, run $policy"
	done
done
run query cut.db "SELECT count(*) AS cut FROM run WHERE status = 'truncated'" --format csv
expect_line out '^2$' "the runs of cut.db are truncated"
run query cut.db "SELECT count(*) AS stopped FROM segment_interval WHERE ended = 'stopped'" --format csv
expect_line out '^[1-9]' "in the middle of segments"

# ---- the comparison finds what it should ----

run trace quickstart.db -r 2 -o whole.pftrace
mkdir mutants
run_command python3 "$SOURCES/tests/cli/trace_mutants.py" whole.pftrace mutants
expect_status 0 "traces with one defect each"
cp out mutants.txt
while read -r mutant; do
	run_command python3 "$SOURCES/tests/cli/trace_counts.py" "mutants/$mutant.pftrace" quickstart.db 2
	[ "$status" -eq 1 ] && grep -q '^# ' out err && ! grep -q Traceback err
	report $? "a trace with $mutant is refused"
done <mutants.txt

finish
