#!/bin/sh
# Every column of a recording is filled in: the recordings of the shipped scenarios, of some made here, of bounds and of a
# small campaign together have a value other than 0 and NULL in each. A column that nobody fills in fails here.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

cat >made.yaml <<'END'
cegsim: 1
name: made
time_unit: ms
horizon: {hyperperiods: 2}
release: {sporadic: {max_delay: 10%}}
execution: {scale: 50%}
platform: {preset: jetson-tx2, gpu: {pin_overhead: 0.01, reset: 0.02, preemption_delay: 0.03}}
tasks:
  - {name: a, period: 20, priority: 2, process: p, gpu_priority: 1, best_effort: true,
     release: {sporadic: {max_delay: 20%}}, segments: [{cpu: 1}, {kernel: {work: 2, overhead: 0.1, idempotent: true}}]}
  - {name: b, period: 10, priority: 1, gpu_priority: 2, segments: [{cpu: 2}]}
policies: [rtgpu]
END
cat >traced.yaml <<'END'
cegsim: 1
name: traced
time_unit: ms
horizon: 40
platform: {gpu: {sms: 1}}
tasks:
  - {name: a, period: 20, segments: [{cpu: [1, 2]}]}
  - {name: late, period: 20, release: {jitter: 1}, deadline: 2, misses: {at_most: 1, in: 2}, segments: [{cpu: 1}, {name: wait, cpu: [1, 2]}]}
release: {trace: releases.csv}
execution: {samples: samples.csv}
policies: [rm]
END
printf 'task,segment,value\nlate,1,1.5ms\nlate,1,1ms\n' >samples.csv
printf 'task,seq,release,segment,duration\na,0,0ms,0,1.5ms\na,1,20ms,0,1ms\n' >releases.csv
sed -e 's/goal: {share: 92%}/goal: {kernel_time: 20us}/' "$SOURCES/scenarios/examples/warps.yaml" >warps.yaml
cat >swap.yaml <<'END'
cegsim: 1
name: swap
horizon: {cycles: 10000}
stop: horizon
platform: {gpu: {sms: 1, threads_per_sm: 256}}
warp:
  clock: 1GHz
  sub_cores: 1
  memory: {bandwidth: 1, l1_size: 1KiB, l2_size: 4KiB, requests: 16}
  kernels:
    - {name: a, blocks: 4, block_threads: 64, goal: {ipc: 1000}, program: [{compute: {count: 200}}]}
    - {name: b, blocks: 3, block_threads: 64, registers: 1,
       program: [{loop: {times: 30, shared: blocks, body: [{compute: {count: 3}}, {load: {reuse: 1}}]}}]}
policies: [{name: lrr, rotate: cycle, manager: rollover, epoch: 50, samples: 10}]
END
sed 's/async: true/&, graph: halves/' "$SOURCES/scenarios/examples/two-streams.yaml" >graph.yaml
cat >campaign.yaml <<'END'
cegsim-campaign: 1
name: campaign
sets: 2
bounds: true
generate: {recipe: rtgpu-table1, utilisation: [20%, 300%]}
analyses: [rtgpu]
policies: [rtgpu]
replications: 2
run: {horizon: {periods: 2}, stop: horizon}
END

failed=
for scenario in "$SOURCES"/scenarios/examples/*.yaml "$SOURCES"/scenarios/papers/*.yaml \
	made.yaml traced.yaml swap.yaml graph.yaml; do
	level=blocks
	grep -q '^warp:' "$scenario" && level=issues
	name=${scenario##*/}
	set -- --seed 3
	[ "$name" = made.yaml ] && set -- --seed 3 -p rtgpu:admit=any
	run run "$scenario" "$@" --record $level -q -o "${name%.yaml}.db"
	[ "$status" -eq 0 ] || failed="$failed $name"
done
run run warps.yaml -p two-level:active=2 --record issues -q -o goals.db
[ "$status" -eq 0 ] || failed="$failed warps.yaml"
run replay "$SOURCES/scenarios/examples/drive.sqlite" -q -o replay.db
[ "$status" -eq 0 ] || failed="$failed drive.sqlite"
run import "$SOURCES/scenarios/examples/drive.sqlite" -o drive.yaml
run run drive.yaml --record segments -q -o drive.db
run import "$SOURCES/scenarios/examples/drive.sqlite" --compare drive.db --store
[ "$status" -eq 0 ] || failed="$failed drive.yaml"
cat >pair.yaml <<'END'
cegsim: 1
name: pair
time_unit: ms
horizon: 100
tasks:
  - {name: a, period: 10, segments: [{cpu: 1}]}
  - {name: b, period: 20, segments: [{cpu: 2}]}
chains: [{name: there, tasks: [a, b]}, {name: back, tasks: [b, a]}]
policies: [rm]
analyses: [chain]
END
run run pair.yaml -q -o pair.db
[ "$status" -eq 0 ] || failed="$failed pair.yaml"
cat >gpus.yaml <<'END'
cegsim: 1
name: gpus
time_unit: ms
horizon: 50
platform: {gpus: [{sms: 2, power: {static: 1W}}, {sms: 2, power: {static: 2W}}]}
profiles:
  there: {time: [3, 2]}
  here: {time: [6.000001, 4.000001]}
tasks:
  - {name: a, period: 50, gpu: 1, segments: [{copy: to_gpu, times: [2, 1]}, {kernel: {profile: [there, here], power: 1W}}]}
policies: [{name: sbeet-mg, assign: given}]
END
run run gpus.yaml --record blocks -q -o gpus.db
[ "$status" -eq 0 ] || failed="$failed gpus.yaml"
run sweep campaign.yaml -q -o campaign.db
sed 's/^policies.*/policies: [rtgpu, fifo-cke]/; s/^run:.*/run: {horizon: 1s, limit: 1s, stop: drained}/; /^bounds/d' \
	campaign.yaml >verdicts.yaml
printf 'record: verdicts\nkeep: []\n' >>verdicts.yaml
run sweep verdicts.yaml -q -o verdicts.db
[ "$status" -eq 0 ] || failed="$failed verdicts.yaml"
run analyze "$SOURCES/scenarios/examples/quickstart.yaml" -p fifo-cke -a fifo-chains -o bounds.db
[ "$status" -eq 0 ] || failed="$failed campaign.yaml"
report "$([ -z "$failed" ]; echo $?)" "all scenarios run:$failed"

# Of parts of campaigns only, and of units that failed: tests/cli/test_sweep.sh and tests/fault/ have those.
run_command python3 -c '
import glob, sqlite3
elsewhere = {"failed_unit", "stretch", "stretch_end", "segment_shape"}
files = [sqlite3.connect(name) for name in sorted(glob.glob("*.db"))]
columns = files[0].execute("SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c"
                           " WHERE m.type = \"table\" AND m.name NOT LIKE \"sqlite%\"").fetchall()
def filled(table, column):
    asked = f"SELECT 1 FROM {table} WHERE {column} NOT IN (0, \"\") LIMIT 1"
    return any(f.execute(asked).fetchone() for f in files)
empty = [f"{t}.{c}" for t, c in columns if t not in elsewhere and not filled(t, c)]
print(len(columns), "columns in", len(files), "recordings; never filled in:", *empty)
raise SystemExit(len(columns) < 150 or bool(empty))'
expect_status 0 "every column has a value somewhere"
show_file out

finish
