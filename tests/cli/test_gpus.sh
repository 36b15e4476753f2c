#!/bin/sh
# Several GPUs (docs/model.md, "Several GPUs"): mistakes in the file; runs are recorded, repeated, audited, asked for, drawn
# and varied GPU by GPU.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

cp "$SOURCES/scenarios/examples/two-gpus.yaml" .

# ---- mistakes ----

# wrong SCRIPT WHERE MESSAGE: the example, changed by sed
wrong() {
	sed "$1" two-gpus.yaml >wrong.yaml
	run run wrong.yaml
	[ "$status" -eq 2 ] && grep -Fq "wrong.yaml:$2: error: $3" err
	report $? "$3" || show_file err
}
where=$(grep -n '^    gpu: 1$' two-gpus.yaml | cut -d: -f1)
list=$(grep -n '^  gpus:$' two-gpus.yaml | cut -d: -f1)
wrong 's/^    gpu: 1$/    gpu: -1/' "$where:10" "'gpu' is -1; it must be 0 to 15"
wrong 's/^    gpu: 1$/    gpu: one/' "$where:10" "'gpu' wants a whole number, got \"one\""
wrong "${where}s/1/2/" "$((where + 4)):31" "'gpu' is 2: the platform has 2, counted from 0"
wrong 's/^  cores: 2/&\n  preset: t400/' "$list:11" "'gpus' has all that is said of GPUs: 'preset' belongs into its entries"
wrong 's/t400/t401/' "$((list + 2)):16" "no preset is called \"t401\"; did you mean 't400'?"
wrong 's/preset: t400, //' "$((list + 2)):7" "'sms' is missing here"
wrong 's/, bandwidth: 6GB.s//' "$((where + 4)):31" "a copy given in bytes needs the platform's copy bandwidth"
wrong "$((list + 1)),$((list + 2))d; ${list}s/$/ []/" "$list:9" "'gpus' is empty"

# All at once, on one GPU or another.
sed 's/^  cores: 2/&\n  preset: t400\n  power: {static: 1W}/' two-gpus.yaml >wrong.yaml
run run wrong.yaml
cp err wrong.txt
run_command grep -c "belongs into its entries" wrong.txt
expect_out "each key beside 'gpus' is named" <<-'END'
	2
END
cat >wrong.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 20
platform: {gpus: [{sms: 1}, {sms: 1}]}
tasks:
  - {name: a, gpu: 7, period: 20, segments: [{copy: to_gpu, time: 1}]}
  - {name: c, gpu: 2, period: 20, segments: [{copy: to_gpu, times: [5, 3, 1]}]}
policies: [fifo-cke]
END
run run wrong.yaml
cut -d: -f2- err >out
expect_out "mistakes of one segment come together" <<-'END'
	6:46: error: 'gpu' is 7: the platform has 2, counted from 0
	7:46: error: 'gpu' is 2: the platform has 2, counted from 0
	7:46: error: a copy with times for GPUs needs one for each
END

# ---- runs ----

for level in jobs segments blocks; do
	run run two-gpus.yaml --record $level -o $level.db
	expect_status 0 "runs, recorded with $level"
	expect_line out '^two-gpus +fifo-cke +ok +18 +0 +14\.632 .* b639debec5a98607 ' "fifo-cke: nobody is late"
	expect_line out '^two-gpus +rm +ok +18 +0 +14\.668 .* 7c5969eb821b1f70 ' "rm: nobody is late"
	run run $level.db
	expect_status 0 "$level: runs again"
	expect_line out ' 7c5969eb821b1f70  7c5969eb821b1f70  yes$' "$level: with the same digest"
	run audit $level.db
	expect_status 0 "$level: keeps every law"
done
sed 's/gpu: 1/gpu: 0/' two-gpus.yaml >one.yaml
run run one.yaml -p rm
expect_line out '^one +rm +plan +12 +4 ' "on one GPU 'plan' waits for 'detect', and is late"
sed 's/^policies.*/policies: [stgm, sbeet, tsg-rr, gcaps]/' two-gpus.yaml >refused.yaml
run run refused.yaml
cp out refused.txt
run_command grep -c "the platform has 2 GPUs" refused.txt
expect_out "policies for one GPU refuse" <<-'END'
	4
END
run analyze two-gpus.yaml -p rm
expect_line out 'mpcp +refused +map +task .map. has GPU sections on several GPUs; it holds' "analyses are for tasks of one GPU each"
cat >each.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 100
platform: {gpus: [{sms: 1}, {sms: 2}]}
tasks:
  - {name: a, period: 20, segments: [{cpu: 1}, {kernel: {grid: 2, block: 32, block_time: 3}}]}
  - {name: b, period: 30, gpu: 1, segments: [{cpu: 1}, {kernel: {grid: 4, block: 32, block_time: 3}}]}
  - {name: c, period: 40, segments: [{kernel: {grid: 1, block: 32, block_time: 5}}]}
policies: [mpcp]
END
run analyze each.yaml -a mpcp -a stgm -v
expect_line out 'mpcp +schedulable' "bounded GPU by GPU"
run run each.yaml -o each.db
run validate each.db
expect_status 0 "no job exceeds its bound"

# ---- questions, GPU by GPU ----

mv blocks.db two.db
run query two.db "SELECT gpu, name, sms, engines FROM v_gpu" --format csv
expect_out "what each GPU is" <<-'END'
	gpu,name,sms,engines
	0,rtx-3070,46,2
	1,t400,6,1
END
run query two.db "SELECT t.name, i.gpu, count(*) FROM segment_interval i JOIN task t USING (task_id)
	WHERE run_id = 2 AND resource = 'gpu' GROUP BY 1, 2" --format csv
expect_out "who ran where" <<-'END'
	name,gpu,count(*)
	detect,0,4
	map,0,2
	map,1,2
	plan,1,12
END
run query two.db @utilisation -P run=2 --format csv
for lane in 'GPU 0 copy 1' 'GPU 1 copy 0' 'GPU 0' 'GPU 1' 'GPU 0 46 SMs' 'GPU 1 6 SMs' 'GPU 1 threads'; do
	expect_line out "^2,rm,$lane," "@utilisation has $lane"
done
run query two.db @energy-by-gpu -P run=2 --format csv
expect_line out '^2,rm,.*,0,rtx-3070,132,13\.156,' "@energy-by-gpu: the first"
expect_line out '^2,rm,.*,1,t400,132,1\.512,' "@energy-by-gpu: the second"
run query two.db @power -P run=2 --format csv
cp out power.csv
expect_line power.csv '^2,rm,0,4,17,161,46,0$' "@power: 46 W and 46 times 2.5 W while detect runs"
expect_line power.csv '^2,rm,1,1\.5,4,20,6,0$' "@power: 8 W and 6 times 2 W while plan does"
run_command awk -F, 'NR > 1 { sum[$3] += $6 * ($5 - $4) / 1e3 } END { printf "%.3f %.3f\n", sum[0], sum[1] }' power.csv
expect_out "which is the energy of each" <<-'END'
	13.156 1.512
END
# Two GPUs with an engine each; b waits for a, of its GPU. c is on engine 0 of the other one at that time.
cat >wait.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 20
platform: {gpus: [{sms: 1}, {sms: 1}]}
tasks:
  - {name: a, period: 20, segments: [{copy: to_gpu, time: 5}]}
  - {name: c, gpu: 1, period: 20, segments: [{copy: to_gpu, time: 5}]}
  - {name: b, period: 20, segments: [{copy: to_gpu, time: 1}]}
policies: [fifo-cke]
record: blocks
END
run run wait.yaml -o wait.db
run query wait.db @blocking --format csv
expect_out "@blocking: only who used the same engine" <<-'END'
	run_id,task,seq,segment_idx,segment,resource,ready_ms,waited_ms,blocker,blocker_seq,meanwhile_ms,blocker_on,blocker_segment
	1,b,0,0,copy,copy,0,5,a,0,5,copy,0
END

# ---- charts, the page, a trace ----

run plot two.db gantt -P run=2 -P power=1 --script gantt.gp
expect_status 0 "a Gantt chart"
for lane in 'GPU 0 copy 1' 'GPU 1 copy 0' 'GPU 0 SM 44' 'GPU 1 SM 0'; do
	expect_line gantt.gp "$lane" "with $lane"
done
expect_no_line gantt.gp 'SM 65536' "SMs count from 0 on each"
expect_no_line gantt.gp 'threads high' "SMs of the two are not equally high: nothing says so"
sed -n '/^\$run1_power1 << EOD/,/^EOD/p' gantt.gp | sed -n '2,9p' >out
expect_out "the power is that of both" <<-'END'
	0 54
	1.5 54
	1.5 66
	4 66
	4 169
	12.5 169
	12.5 181
	15 181
END
sed -n '/^\$run1_power_of_gpu2 << EOD/,/^EOD/p' gantt.gp | sed -n '2,5p' >out
expect_out "and, over it, that of each" <<-'END'
	0 8
	1.5 8
	1.5 20
	4 20
END
expect_line gantt.gp 'power of GPU 1' "which the legend names"
run plot two.db gantt -P run=2 -o gantt.svg
expect_line gantt.svg 'GPU 1 copy 0' "which gnuplot draws"
sed 's/grid: 138, block: 512/grid: 20000, block: 32/; s/\[10, 13\]/0.01/' two-gpus.yaml >fine.yaml
run run fine.yaml -p rm -o fine.db
run plot fine.db gantt --script fine.gp
expect_line fine.gp 'GPU 0 SM 44–45' "SMs that share a row are of one GPU"
expect_line fine.gp 'GPU 1 SM 0–3' "and those of the next begin a row"
run plot two.db power --script power.gp
for series in 'fifo-cke, GPU 0' 'fifo-cke, GPU 1' 'rm, GPU 0' 'rm, GPU 1'; do
	expect_line power.gp "$series" "power has $series"
done
run view two.db -o two.html
expect_status 0 "a page"
run trace two.db -r 2 -o two.pftrace
expect_status 0 "a trace"
for track in 'GPU 0 kernels' 'GPU 1 SMs' 'GPU 1 power'; do
	run_command grep -c "$track" two.pftrace
	expect_status 0 "with $track"
done

# ---- hardware queues ----

# Bug: those of the first GPU were taken for those of all.
cat >queues.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 40
record: segments
platform: {gpus: [{sms: 4}, {sms: 4, work_queues: 1}]}
tasks:
  - {name: long, period: 40, gpu: 1, stream: 1, segments: [{kernel: {grid: 1, block: 64, block_time: 10}}]}
  - {name: short, period: 40, offset: 1, gpu: 1, stream: 2, segments: [{kernel: {grid: 1, block: 64, block_time: 2}}]}
policies: [fifo-cke]
END
run run queues.yaml -o queues.db -q
run query queues.db @why --format csv
expect_line out ',short,.*,own 2 \+ stream 9 \(long #0 9\)$' "@why: on a GPU with one hardware queue, streams wait for each other"
run query queues.db "SELECT DISTINCT resource, by_task_id FROM v_wait WHERE task_id = 2 ORDER BY 1" --format csv
expect_out "and so says v_wait" <<-'END'
	resource,by_task_id
	own,
	stream,1
END

# ---- campaigns ----

cat >campaign.yaml <<'END'
cegsim-campaign: 1
name: gpus
seed: 1
replications: 1
policies: [rm]
generate: {recipe: scenario, file: two-gpus.yaml, set: {platform.gpus.1.sms: [2, 6], tasks.plan.gpu: [0, 1]}}
END
run sweep campaign.yaml -o campaign.db -q
expect_status 0 "a campaign varies a GPU, and who is where"
run query campaign.db "SELECT u.sms, count(*), sum(r.misses > 0) FROM run r JOIN v_gpu u USING (platform_id) WHERE u.gpu = 1
	GROUP BY 1" --format csv
expect_out "in four runs, two of them with misses" <<-'END'
	sms,count(*),sum(r.misses > 0)
	2,2,1
	6,2,1
END
sed -i 's/gpus.1.sms: .2, 6./gpus.2.sms: [2, 6]/' campaign.yaml
run sweep campaign.yaml -o none.db -q
expect_status 2 "a GPU that the platform has not"
finish
