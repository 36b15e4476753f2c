#!/bin/sh
# cegsim plot FILE.db gantt: the script of a small schedule, byte for byte; the scripts of random schedules compared with
# their recordings, queried in SQL (gantt_check.py); and what happens if there is nothing to draw.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# same RECORDING RUN FROM TO NAME [shares]: the chart of a window in ns equals the recording
same() {
	recording=$1 number=$2 from=$3 to=$4 name=$5
	shift 5
	run plot "$recording" gantt -P run="$number" -P from="${from}ns" -P to="${to}ns" --script same.gp --force
	[ "$status" -eq 0 ] && run_command python3 "$SOURCES/tests/cli/gantt_check.py" same.gp "$CEGSIM" "$recording" "$number" \
		"$from" "$to" "$@"
	expect_status 0 "$name"
	[ "$status" -eq 0 ] || show_file out
}

# ask RECORDING SQL: one number
ask() {
	"$CEGSIM" query "$1" "$2" --format csv | sed -n 2p
}

# ---- to the letter ----

cat >small.yaml <<'END'
cegsim: 1
name: small
time_unit: ms
horizon: 12
on_miss: abort
platform: {gpu: {sms: 2, threads_per_sm: 1024}, copy: {engines: 1}}
tasks:
  - {name: a_1, period: 6, segments: [{cpu: 1}, {copy: to_gpu, time: 1}, {kernel: {grid: 3, block: 512, block_time: 1.5}}]}
  - {name: b, period: 12, deadline: 5, offset: 1, segments: [{kernel: {grid: 2, block: 768, block_time: 2.25}}, {cpu: 2}]}
policies: [fifo-cke, {name: mpcp, wait: busy}]
record: blocks
END
run run small.yaml -o small.db -q
expect_status 0 "a small schedule"
run plot small.db gantt -P run=1,2 --script small.gp
expect_status 0 "its chart"
expect_no_output "says nothing"
sed -n "/^# Data/,\$p" small.gp >out # what is before is every figure's
expect_out "to the letter" <"$SOURCES/tests/data/charts/gantt.gp"
run plot small.db gantt -P run=1,2 -o small.svg
expect_status 0 "drawn"
run plot small.db gantt -P run=1 -o one.svg
# What is drawn later is above: the grid comes before the rectangles, and their labels come last.
awk '/class="gridline"/ { kind = "grid" } /<title>\$run1_task/ { kind = "rectangles" } /<title>\$run1_label/ { kind = "labels" }
	kind != last { print kind; last = kind }' one.svg >out
expect_out "labels stand above rectangles, and these above the grid" <<-'END'
	grid
	rectangles
	labels
END
cp small.svg first.svg
run plot small.db gantt -P run=1,2 -o small.svg --force
run_command cmp small.svg first.svg
expect_status 0 "the same again, byte by byte"
sed 's/^platform: {/&power: {static: 1W}, /' small.yaml >powered.yaml
run run powered.yaml -o powered.db -q
for size in 3.4x3 7x9; do
	run plot powered.db gantt --size $size -P power=1 -P task=b -o "size$size.pdf"
	expect_status 0 "$size inches"
done

# ---- what the recording has ----

same small.db 1 0 12000000 "the small schedule"
same small.db 2 0 12000000 "with waits that hold the core"
same small.db 1 999999 3250001 "the last nanosecond of an interval, and the first of another"
same small.db 1 1000000 3250000 "none of them"

# Overheads: hatched the other way than waiting, over the pale colour of their task.
sed 's/copy: {engines: 1}/&, overheads: {launch: 0.1, latency: 0.05, sync: 0.05, switch: 0.15, release: 0.2}/' small.yaml >costly.yaml
run run costly.yaml -o costly.db -q
expect_status 0 "a schedule with overheads"
same costly.db 1 0 12000000 "they are there"
expect_line same.gp '"launch, switch, release, call"' "and in the legend"
expect_line same.gp "run1_overhead1 using .* with boxxyerror fc rgb '#9ec9e2' fs solid 1 border" "pale"
expect_line same.gp "run1_overhead1 using .* with boxxyerror fc rgb '#003f62' fs transparent pattern 2 noborder" "with their own hatch"
run query costly.db "SELECT count(*) FROM segment_interval WHERE run_id = 1 AND kind IN ('launch', 'switch', 'release')" --format csv
expect_line out "^$(sed -n '/run1_overhead[0-9]* << EOD/,/^EOD/p' same.gp | grep -c '^[0-9]')\$" "one rectangle each"
same costly.db 2 0 12000000 "also beside jobs that spin"
expect_line same.gp '"spins, boosted"' "which the legend tells apart"
run plot small.db gantt -P run=1 --script without.gp
expect_no_line without.gp '"launch, switch, release, call"' "without any, it does not name them"

for seed in 1 2 3; do
	python3 - $seed >random.yaml <<'END'
import random, sys
r = random.Random(int(sys.argv[1]))
print("cegsim: 1\nname: random\ntime_unit: us\nhorizon: 3000\nseed: 5\nexecution: uniform")
print("on_miss: " + r.choice(["continue", "drop", "abort"]))
print("platform: {gpu: {sms: %d, threads_per_sm: 2048}, copy: {engines: %d}}" % (r.randint(1, 5), r.randint(1, 2)))
print("tasks:")
for task in range(r.randint(2, 5)):
    print("  - {name: t%d, period: %d, deadline: %d, segments: [{cpu: [%d, 40]}, {copy: to_gpu, time: 9}, "
          "{kernel: {grid: %d, block: %d, block_time: [%d, 170]}}]}" % (task, r.randint(300, 900), r.randint(150, 290),
          r.randint(1, 39), r.randint(1, 30), r.choice([96, 128, 384, 512, 1024]), r.randint(10, 160)))
print("policies: [fifo-cke, rm, {name: mpcp, wait: busy}]\nrecord: blocks")
END
	run run random.yaml -o random.db --force -q
	expect_status 0 "random schedule $seed"
	same random.db 1 0 3000000 "random schedule $seed under fifo-cke"
	same random.db 3 0 3000000 "random schedule $seed under mpcp"
	# A window whose ends are ends of blocks, and of jobs.
	from=$(ask random.db "SELECT end_ns FROM block_interval WHERE run_id = 2 AND end_ns > 400000 ORDER BY end_ns")
	to=$(ask random.db "SELECT start_ns FROM block_interval WHERE run_id = 2 AND start_ns > 1500000 ORDER BY start_ns")
	same random.db 2 "$from" "$to" "random schedule $seed, from the end of a block to the start of one"
	from=$(ask random.db "SELECT release_ns FROM job WHERE run_id = 2 AND seq = 1")
	to=$(ask random.db "SELECT max(abs_deadline_ns) FROM job WHERE run_id = 2 AND seq = 2")
	same random.db 2 "$from" "$to" "random schedule $seed, from a release to a deadline"
done
expect_line same.gp 'deadlines1 << EOD' "which has deadlines"

# The default is the first miss, if the run has many intervals.
cat >many.yaml <<'END'
cegsim: 1
name: many
time_unit: us
horizon: 500ms
on_miss: continue
platform: {gpu: {sms: 3, threads_per_sm: 1024}}
tasks:
  - {name: t, period: 2000, segments: [{cpu: 100}, {kernel: {grid: 90, block: 128, block_time: 150}}]}
  - {name: late, period: 100000, deadline: 450, offset: 250000, segments: [{kernel: {grid: 20, block: 256, block_time: 300}}]}
policies: [fifo-cke]
record: blocks
END
run run many.yaml -o many.db -q
run plot many.db gantt --script many.gp
expect_status 0 "many intervals"
expect_line many.gp 'run1_missed1 << EOD' "the first miss is shown"
expect_line many.gp '"fifo-cke, run 1: [0-9.]* to [0-9.]* of 500 ms"' "and the title says which part that is"
expect_no_line many.gp 'run1_share' "block by block"
same many.db 1 100000000 110000000 "a part of it"
same many.db 1 0 500000000 "all of it is added up" shares
expect_line same.gp 'shares of a lane in bins' "and the legend says so"

sed 's/sms: 3,/sms: 18,/; s/grid: 90/grid: 130/' many.yaml >wide.yaml
run run wide.yaml -o wide.db -q
same wide.db 1 0 500000000 "and of many SMs, two by two" shares
expect_line same.gp '"SM 16–17"' "which the names say"
run plot wide.db gantt -P to=500 -P sms=0-17 --script wide.gp
expect_line wide.gp '"SM 17"' "unless each is asked for"

# Jobs and power are summed up, too, however many jobs there are and however long they wait.
cat >crowd.yaml <<'END'
cegsim: 1
name: crowd
time_unit: us
horizon: 80000
stop: horizon
on_miss: continue
platform: {gpu: {sms: 2, threads_per_sm: 1024}, power: {static: 25W, idle_per_sm: 200mW}}
tasks:
  - {name: late, period: 50, deadline: 12, segments: [{cpu: [1, 30]}]}
  - {name: backlog, period: 20, segments: [{cpu: 12}]}
  - {name: a, period: 8, segments: [{cpu: 1}, {kernel: {grid: 2, block: 64, block_time: [0.2, 1], power: 1W}}]}
  - {name: b, period: 9, segments: [{cpu: 1}, {kernel: {grid: 2, block: 64, block_time: [0.2, 1], power: 2W}}]}
execution: uniform
policies: [rm]
record: blocks
END
run run crowd.yaml -o crowd.db -q
expect_status 0 "a crowd of jobs"
run plot crowd.db gantt -P from=0 -P power=1 --script crowd.gp
expect_status 0 "drawn as means"
run_command python3 "$SOURCES/tests/cli/gantt_jobs_check.py" crowd.gp "$CEGSIM" crowd.db
expect_status 0 "which are those of the recording"
show_file out
expect_line crowd.gp 'many jobs: their mean number in bins, red: late' "and the legend says so"
expect_line crowd.gp 'power: means of bins' "of power, too"
[ "$(wc -c <crowd.gp)" -lt 500000 ]
report $? "the script does not grow with the recording"

sqlite3 crowd.db "WITH RECURSIVE n (i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n WHERE i < 65536)
	INSERT INTO task (task_id, taskset_id, task_idx, name, offset_ns) SELECT 1000 + i, 1, i, 't' || i, 0 FROM n"
run plot crowd.db gantt -P from=0 -o no.svg
expect_status 2 "more tasks than a chart has room for"
expect_line err 'run 1: too much for a chart: 65537 tasks and lanes; it has at most 5000' "and it says how many"
expect_no_file no.svg "nothing is drawn"

# ---- names ----

cat >names.yaml <<'END'
cegsim: 1
name: names
time_unit: ms
horizon: 20
platform: {gpu: {sms: 1, threads_per_sm: 1024}}
tasks:
  - {name: "日本語1", period: 20, segments: [{cpu: 2}]}
  - {name: "日本国1", period: 20, segments: [{cpu: 2}]}
  - {name: "c\\d", period: 20, segments: [{cpu: 2}]}
  - {name: "a name of more letters than the legend of a figure has room for 1", period: 20, segments: [{cpu: 2}]}
policies: [fifo-cke]
record: blocks
END
run run names.yaml -o names.db -q
run plot names.db gantt -o names.svg --script names.gp
expect_status 0 "names of all kinds"
run_command python3 -c 'import sys; [open(name, encoding="utf-8").read() for name in sys.argv[1:]]' names.svg names.gp
expect_status 0 "short forms end where characters do"
[ "$(grep -c '>c\\d<' names.svg)" -eq 3 ]
report $? "a backslash is one in row, legend and label"
expect_line names.gp '"a name of more letters than the legend …"' "a long name is cut in the legend"
expect_line names.gp '"a name of more letters …"\..* right ' "a longer one also beside its row"
# A recording may come from anywhere: names with line feeds, which scenarios refuse, must not run commands.
sqlite3 names.db "UPDATE task SET name = 'p' || char(10) || 'system \"touch ran\"' || char(10) || 'q' WHERE task_idx = 2"
run plot names.db gantt -o names.svg --force
expect_status 0 "a name of several lines"
expect_no_file ran "is no command"

# ---- what is asked for ----

run plot small.db gantt -P from=13 -P to=20 -o no.svg
expect_status 1 "a window behind the end has nothing, though it has an end"
cp small.db two.db
sqlite3 two.db "CREATE TABLE p AS SELECT * FROM platform; UPDATE p SET platform_id = 9, digest = 'x', threads_per_sm = 2048;
	INSERT INTO platform SELECT * FROM p; DROP TABLE p; UPDATE run SET platform_id = 9 WHERE run_id = 2"
run plot two.db gantt -P run=1,2 --script two.gp
expect_status 0 "runs on two platforms"
expect_no_line two.gp 'threads high' "whose SMs have no common height"

run plot small.db gantt -P sms=1 -P labels=0 --script part.gp
expect_status 0 "one SM, no labels"
expect_line part.gp '"SM 1"' "has SM 1"
expect_no_line part.gp '"SM 0"' "has no SM 0"
expect_no_line part.gp 'run1_label' "has no labels"
run plot small.db gantt -P run=7 -o no.svg
expect_status 2 "no such run"
expect_err "and which there are" <<-'END'
	cegsim: error: there is no run 7; the recording has: 1 fifo-cke, 2 mpcp
END
run run small.yaml --record jobs -o jobs.db -q
run plot jobs.db gantt -o no.svg
expect_status 2 "no intervals"
expect_err "says which level has them" <<-'END'
	cegsim: error: figure gantt needs runs recorded with --record segments; run 1 was recorded with jobs
END
for wrong in run=1,x sms=0-2 sms=x labels=2 power=on from=9x 'to=0' task=c; do
	run plot small.db gantt -P "$wrong" -o no.svg
	expect_status 2 "-P $wrong"
done
run plot small.db gantt -P from=13 -o no.svg
expect_status 1 "behind the end"
run run "$SOURCES/scenarios/examples/warps.yaml" -o warps.db -q
run plot warps.db gantt -P power=1 -o no.svg
expect_status 1 "no power"
run plot warps.db gantt -o warps.svg
expect_status 0 "kernels of warps"
run run "$SOURCES/scenarios/examples/applications.yaml" -o parts.db -q
run plot parts.db gantt -P to=30us --script parts.gp
for part in 'solver: part 0' 'solver: part 1' 'solver: part 2' 'filter: part 0' 'filter: part 1'; do
	expect_line parts.gp "^task\\[[0-9]+\\] = '$part'\$" "parts of applications have names: $part"
done
run query parts.db "SELECT name FROM v_segment WHERE task = 'filter' ORDER BY segment_idx" --format csv
expect_out "and so has v_segment" <<-'END'
	name
	part 0
	part 1
END
run plot small.db sbeet-fig2 -o no.svg
expect_status 1 "another paper's scenario"
expect_line err 'sbeet-example1' "says which"
expect_no_file no.svg "and nothing is left"
for figure in sbeet-example1:sbeet-fig2 yang-anderson-example1:yang-anderson-fig2 rtss17-fig8:rtss17-fig8; do
	run run "$SOURCES/scenarios/papers/${figure%:*}.yaml" -o paper.db --force -q
	run plot paper.db "${figure#*:}" -o paper.svg --force
	expect_status 0 "figure ${figure#*:}"
done

finish
