#!/bin/sh
# What users get wrong in their first hour, and the answer to each (bad_input has the mistakes in scenario files).
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

cat >a.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 100
platform: {preset: jetson-tx2}
tasks:
  - {name: a, period: 10, segments: [{cpu: 1}, {copy: to_gpu, time: 0.5}, {kernel: {grid: 4, block: 256, block_time: 1}}]}
  - {name: b, period: 20, segments: [{cpu: 2}]}
policies: [rm]
END
cat >c.yaml <<'END'
cegsim-campaign: 1
sets: 2
generate: {recipe: rtgpu-table1, utilisation: [20%, 300%]}
policies: [rtgpu, fifo-cke]
analyses: [rtgpu]
run: {horizon: {periods: 2}}
END

# ---- an output that is an input ----------------------------------------------------------
cp a.yaml a.kept
cp c.yaml c.kept
run run a.yaml -o kept.db -q
cp kept.db kept
for words in 'run a.yaml -o a.yaml' 'run c.yaml a.yaml -o ./a.yaml' 'sweep c.yaml -o c.yaml' 'merge kept.db -o kept.db'; do
	# shellcheck disable=SC2086
	run $words --force
	expect_status 2 "$words --force"
	expect_line err ' is the file that is read, and is not overwritten$' "is refused"
done
cmp -s a.yaml a.kept && cmp -s c.yaml c.kept && cmp -s kept.db kept
report $? "nothing is lost"
run run a.yaml -o ''
expect_status 2 "a recording without a name"
expect_line err '-o wants the name of a file, and got none$' "is told so"

# ---- numbers as scripts print them -------------------------------------------------------
sed 's/cpu: 1}/cpu: 0.6000000000000001}/; s/cpu: 2}/cpu: 5e-05}/' a.yaml >noise.yaml
run run noise.yaml -o noise.db -q
expect_status 0 "numbers with the noise of floating point, and with an exponent"
run query noise.db "SELECT worst_ns FROM segment WHERE kind = 'cpu' ORDER BY task_id" --format csv
expect_out "are whole nanoseconds" <<'END'
worst_ns
600000
50
END

cat >whole.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 100.0
seed: 1e0
platform: {preset: jetson-tx2, gpu: {virtual_sms_per_sm: 2.0}}
tasks:
  - {name: a, period: 10, offset: -1e-17, segments: [{kernel: {grid: 20.0, block: 512.0, block_time: 1}}]}
  - {name: b, period: 20, offset: -0.0, segments: [{cpu: 2}, {kernel: {work: 3, interleave: 1.8e0}}]}
policies: [{name: rtgpu, admit: any, allocation: [2.0, 2e0]}]
END
sed 's/100\.0/100/; s/1e0/1/; s/20\.0/20/; s/512\.0/512/; s/2\.0}/2}/; s/, offset: -[^,]*//; s/1\.8e0/1.8/; s/\[2\.0, 2e0\]/[2, 2]/' whole.yaml >plain.yaml
for file in whole plain; do
	run run $file.yaml -q --format csv
	expect_status 0 "$file numbers"
	sed "s/^$file/x/" out >$file.csv
done
cmp -s whole.csv plain.csv
report $? "whole numbers may have a point or an exponent"
[ "$(sed -n '2s/,.*//p' whole.csv)" = x ]
report $? "and there is a run"
sed 's/grid: 20.0/grid: 20.5/; s/seed: 1e0/seed: -1.0/; s/offset: -0.0/offset: -1e-6/; s/512.0/1e30/; s/offset: -1e-17/offset: 0e999/' whole.yaml >wrong.yaml
run run wrong.yaml
expect_err "others keep their answers" <<'END'
wrong.yaml:4:7: error: 'seed' is -1.0; it must be 0 to 9223372036854775807
wrong.yaml:7:69: error: 'grid' wants a whole number, got "20.5"
wrong.yaml:7:82: error: 'block' is 1e30; it must be 1 to 1048576
wrong.yaml:8:35: error: 'offset' must not be negative, got "-1e-6"
END
run run a.yaml --seed 2.5
expect_line err "^cegsim run: seed wants a whole number from 0 to 9223372036854775807, got '2\.5'$" "as on the command line"
run run a.yaml --seed 2.0 -q
expect_status 0 "which reads them, too"

# ---- keys in the wrong place -------------------------------------------------------------
sed 's/period: 20,/period: 20, execution: best,/; s/{cpu: 2}/{cpu: 2, period: 3}/' a.yaml >place.yaml
run run place.yaml
expect_err "are told where they go" <<'END'
place.yaml:7:27: error: 'execution' goes beside 'tasks', not inside of it
place.yaml:7:64: error: 'period' goes beside 'segments', not inside of it
END

# ---- one unit in a sentence, and utilisations that say what they are ---------------------
run run a.yaml -o a.db
expect_line out '^a: 2 tasks on jetson-tx2; planned utilisation: cpu 0\.200, copy 0\.050, gpu 0\.100; U_sum \(threads in use on average\): 102\.4 of 4096$' \
	"planned utilisations, and what U_sum is"
run query --describe a.db v_utilisation
run list queries
expect_line out '^utilisation .* measured utilisation' "the other one is measured"
sed '/^  - {name: b/d' a.yaml >one.yaml
run run one.yaml
expect_line out '^one: 1 task on ' "one task is no tasks"
sed 's/period: 10/period: 10, deadline: 2.122/' a.yaml >late.yaml
run run late.yaml -p stgm:admit=any -o late.db -q
expect_line out "task 'a' alone does not meet its deadline, 2\.122ms, on any number of SMs: it takes at least 2\.5ms$" "two durations in one unit"
sed 's/period: 10/period: 3e12/' a.yaml >far.yaml
run run far.yaml
expect_err "a value and its limit" <<'END'
far.yaml:6:23: error: 'period' is 3000000000s; it must be at most 2000000000s
END
sqlite3 late.db "UPDATE run SET reason = replace(reason, '2.122ms', '2122us')"
run audit late.db
expect_no_line out '^verdict:' "a reason that an earlier build wrote in another unit is the same one"
sqlite3 late.db "UPDATE run SET reason = replace(reason, '2122us', '2121us')"
run audit late.db
expect_line out '^verdict:' "but not with another duration"

# ---- a file of the other kind ------------------------------------------------------------
run run c.yaml
expect_status 2 "run of a campaign"
expect_err "is told of sweep, in one line" <<'END'
c.yaml:1:1: error: this is a campaign, not a scenario; run it with: cegsim sweep c.yaml -o FILE.db
END
run sweep a.yaml -o x.db
expect_status 2 "sweep of a scenario"
expect_err "is told of run, in one line" <<'END'
a.yaml:1:1: error: this is a scenario, not a campaign; run it with: cegsim run a.yaml
END
expect_no_file x.db "and makes nothing"

# ---- names -------------------------------------------------------------------------------
preset() {
	sed "s/jetson-tx2/$1/" a.yaml >p.yaml
	run run p.yaml
	expect_status 2 "preset $1"
	expect_err "is nearly $2" <<-END
		p.yaml:4:20: error: no preset is called "$1"; did you mean '$2'?
	END
}
preset tx2 jetson-tx2
preset orin jetson-agx-orin
preset "jetson orin" jetson-agx-orin
preset 3090 rtx-3090
preset geforce-rtx-3070 rtx-3070
run list policy
expect_status 2 "list policy"
expect_line err "got 'policy'; did you mean 'policies'\\?$" "is nearly list policies"
run list query
expect_line err "got 'query'; did you mean 'queries'\\?$" "as is list query"
run analyze a.yaml -a nosuch
expect_status 2 "an analysis that there is not"
expect_err "where to find those there are" <<'END'
cegsim: error: there is no analysis 'nosuch'; `cegsim list analyses' names them
END
run run a.yaml -p nosuch
expect_err "the same of policies" <<'END'
cegsim: error: there is no policy 'nosuch'; `cegsim list policies' names them
END
run gen uunifast
expect_status 2 "a way to draw utilisations is no recipe"
expect_line err "^cegsim gen: there is no recipe 'uunifast'; it is a value of an option: \`cegsim gen [a-z0-9-]+ [a-z]+=uunifast'$" \
	"but an option of one"
said=$(sed -n "s/.*\`cegsim \\(gen .*\\)'\$/\\1/p" err)
# shellcheck disable=SC2086 # a list of words
run $said -n 1
expect_status 0 "what it says can be run"
run gen nosuch
expect_line err "^cegsim gen: there is no recipe 'nosuch'; \`cegsim list recipes' names them$" "and where recipes are listed"

# ---- several policies in one option ------------------------------------------------------
run run a.yaml -p rm,fcfs --format csv
expect_status 0 "-p a,b"
cut -d, -f2 out >policies
compare policies "is two policies" <<'END'
policy
rm
fcfs
END
run run a.yaml -p 'rm,rtgpu:allocation=[2,0],admit=any' --format csv
expect_line out '^a,"rtgpu:allocation=\[2,0\],admit=any",ok' "commas behind a colon belong to options"
touch here.so
run run a.yaml -p 'rm, fcfs , edf:unit=kernel, preemption=x'
expect_err "blanks may follow commas" <<'END'
cegsim: error: policy edf has no option 'preemption'
END
run run a.yaml -p rm,./here.so
expect_err "a name, then a plug-in" <<'END'
cegsim: error: plug-in ./here.so is not a shared object
END
run run a.yaml -p ./here.so,nosuch
expect_err "a plug-in, then a name: the plug-in is looked at" <<'END'
cegsim: error: plug-in ./here.so is not a shared object
END
run run a.yaml -p ./he,re.so
expect_err "a comma inside of a path" <<'END'
cegsim: error: plug-in ./he,re.so cannot be opened: No such file or directory
END
for names in 'rm,' ',rm' 'rm,,fcfs' ''; do
	run run a.yaml -p "$names"
	expect_status 2 "-p '$names'"
	expect_line err '^cegsim run: -p wants the name of a policy, or several with a comma between$' "lacks a name"
done
run run a.yaml -p rm,fcf
expect_err "a wrong one is named" <<'END'
cegsim: error: there is no policy 'fcf'; did you mean 'fcfs'?
END
run run a.yaml -p rtgpu:admit=any,rm
expect_status 2 "a policy behind options"
expect_err "wants a -p of its own" <<'END'
cegsim: error: policy rtgpu: 'rm' is another policy, not an option; give it a -p of its own
END
run analyze a.yaml -p rm -a mpcp,self-suspension --format csv
expect_status 0 "-a a,b"
[ "$(grep -c '^rm,.*,mpcp,' out)" -gt 0 ] && [ "$(grep -c '^rm,.*,self-suspension,' out)" -gt 0 ]
report $? "is two analyses" || show_file out

# ---- values of query parameters ----------------------------------------------------------
run query a.db @response -P task=c
expect_status 2 "a task that there is not"
expect_err "those there are" <<'END'
cegsim: error: a.db has no task 'c'; it has: a, b
END
run query a.db @response -P run=7
expect_err "and of numbers no near one" <<'END'
cegsim: error: a.db has no run '7'; it has: 1
END
sed 's/name: a,/name: x,/' a.yaml >x.yaml
run run a.yaml x.yaml -o two.db -q --record segments
run query two.db @where-time-went -P seq=99
expect_status 2 "a job that there is not"
expect_err "those there are, in the run that is asked" <<'END'
cegsim: error: two.db has no such job '99'; it has: 0 to 9 of 'a', 0 to 4 of 'b'
END
run query two.db @where-time-went -P seq=7 -P task=b
expect_err "of the task that is asked" <<'END'
cegsim: error: two.db has no such job '7'; it has: 0 to 4 of 'b'
END
run query two.db @where-time-went -P seq=7 -P task=a --format csv
expect_line out '^a,7,0,cpu,' "one that there is"
run query two.db @where-time-went -P task=x
expect_err "a task of another run" <<'END'
cegsim: error: two.db, run 1, has no task 'x'; it has: a, b
END
run query two.db @where-time-went -P task=x -P run=2 --format csv
expect_line out '^x,' "is one of its own"
run sweep c.yaml -o c.db -q
run query c.db @curves -P policy=fifo
expect_err "but the near name" <<'END'
cegsim: error: c.db has no policy 'fifo'; it has: rtgpu, fifo-cke; did you mean 'fifo-cke'?
END

# ---- what exists already -----------------------------------------------------------------
again() {
	output=/dev/null run "$@"
	expect_status 2 "$1 into a file that exists"
	expect_line err ' exists already; choose another name, or overwrite it with --force$' "names --force"
}
touch there.html there.svg there.pftrace
again run a.yaml -o a.db
again sweep c.yaml -o c.db
again gen custom -o a.db
again view a.db -o there.html
again plot a.db response-box -o there.svg
again trace a.db -o there.pftrace
again merge c.db -o a.db
cp a.yaml new.db.part
run run a.yaml -o new.db
expect_err "and what has the name that a recording has while it is written" <<'END'
cegsim: error: new.db.part is in the way, and is no recording that was begun; remove it, or overwrite it with --force
END
head -c 5000 a.db >new.db.part
run run a.yaml -o new.db
expect_status 0 "but what a killed command has left is overwritten"
expect_no_file new.db.part "and is gone"

# ---- plans that fail, on a pipe ----------------------------------------------------------
sed 's/period: 10/period: 10, deadline: 2.122/; s/name: a/name: a-task-with-a-name-that-is-as-long-as-some-people-like-their-names-to-be/' a.yaml >long.yaml
run run long.yaml -p stgm
expect_no_line out '^scenario .* task ' "there is no table of tasks where no run was made"
expect_line out "^long  .* refused .* it takes at least 2\.5ms$" "a long reason is whole"

# ---- blocks that no GPU takes ------------------------------------------------------------
sed 's/block: 256/block: 2048/; s/platform: .*/platform: {gpu: {sms: 2, threads_per_sm: 2048}}/' a.yaml >big.yaml
run run big.yaml -q
expect_status 0 "the model takes blocks above 1024 threads"
expect_err "and says that no GPU does" <<'END'
cegsim: warning: big: 'a' has blocks of 2048 threads; on a GPU a block has at most 1024
END
sed 's/gpu: {/&threads_per_block: 1024, /' big.yaml >limited.yaml
run run limited.yaml -q
expect_status 2 "a platform may have that limit"
expect_line err '^limited.yaml:[0-9]+:[0-9]+: error: a block has 2048 threads; this GPU takes at most 1024 \(threads_per_block\)$' "and says what exceeds it"
sed 's/platform: .*/platform: {preset: jetson-tx1}/' big.yaml >preset.yaml
run run preset.yaml -q
expect_line err '^preset.yaml:[0-9]+:[0-9]+: error: a block has 2048 threads; this GPU takes at most 1024 ' "presets have it"
cat >warps.yaml <<'END'
cegsim: 1
horizon: 1us
platform: {preset: titan-v}
warp:
  kernels:
    - {name: fits, blocks: 1, block_threads: 1024, program: [{compute: {}}]}
    - {name: large, blocks: 1, block_threads: 1025, program: [{compute: {}}]}
END
run run warps.yaml -q
expect_line err '^warps.yaml:7:[0-9]+: error: .*a block has 1025 threads; this GPU takes at most 1024 ' "so also kernels of warps"
sed 's/block: 256/block: 1024/' a.yaml >fits.yaml
run run fits.yaml -q
expect_no_output_on_stderr "1024 are fine"
finish
