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
again merge c.db -o c.db
cp a.yaml new.db.part
run run a.yaml -o new.db
expect_err "and what was left over, too" <<'END'
cegsim: error: new.db.part is left over from an interrupted command; remove it, or overwrite it with --force
END

# ---- plans that fail, on a pipe ----------------------------------------------------------
sed 's/period: 10/period: 10, deadline: 2.122/; s/name: a/name: a-task-with-a-name-that-is-as-long-as-some-people-like-their-names-to-be/' a.yaml >long.yaml
run run long.yaml -p stgm
expect_no_line out '^scenario .* task ' "there is no table of tasks where no run was made"
expect_line out "^long  .* refused .* it takes at least 2\.5ms$" "a long reason is whole"

# ---- blocks that no GPU takes ------------------------------------------------------------
sed 's/block: 256/block: 2048/' a.yaml >big.yaml
run run big.yaml -q
expect_status 0 "the model takes blocks above 1024 threads"
expect_err "and says that no GPU does" <<'END'
cegsim: warning: big: 'a' has blocks of 2048 threads; on a GPU a block has at most 1024
END
sed 's/block: 256/block: 1024/' a.yaml >fits.yaml
run run fits.yaml -q
expect_no_output_on_stderr "1024 are fine"
finish
