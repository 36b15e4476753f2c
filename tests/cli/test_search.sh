#!/bin/sh
# cegsim search: known worst cases are found, written and run again; bounds are checked; what is refused, and the
# messages.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# A lower task's copy of 9 runs before a copy of 2 (docs/search.md).
cat >copy.yaml <<'END'
cegsim: 1
name: copy
time_unit: ms
horizon: 1
platform: {gpu: {sms: 2}}
tasks:
  - {name: tau1, period: 40, segments: [{cpu: 1}, {copy: both, time: 2}, {kernel: {grid: 1, block: 32, block_time: 1}}, {cpu: 1}]}
  - {name: tau2, period: 60, segments: [{cpu: [0.5, 1]}, {copy: both, time: 9}, {kernel: {grid: 1, block: 32, block_time: 1}}, {cpu: 1}]}
policies: [rtgpu]
END

# ---- a scenario ---------------------------------------------------------------------------
run search copy.yaml -t tau1 --method synchronous --format csv
expect_status 0 "a synchronous release"
expect_out "takes two evaluations" <<'END'
policy,task,segment,analysis,bound_ns,observed_ns,ratio,verdict,deadline_ns,from,evaluations
rtgpu,tau1,,rtgpu,14000000,5000000,0.35714285714285715,holds,40000000,synchronous,2
END
run search copy.yaml --format csv -o worst -j 2
expect_status 0 "a climb"
expect_line out '^rtgpu,tau1,,rtgpu,14000000,13000000,0\.92[0-9]*,holds,40000000,[a-z-]*,1500$' \
	"finds the copy that starts before"
cp out two
run search copy.yaml --format csv -j 1
cmp -s out two
report $? "one worker finds what two do"
run search copy.yaml --format csv --seed 2
expect_status 0 "another seed"
run search copy.yaml -t tau1.1 --format csv
expect_line out '^rtgpu,tau1,1,rtgpu,,1[01][0-9]{6},,unbounded,40000000,' "a segment has a response, and no bound"
run search copy.yaml -v
expect_line out '^3000 evaluations in ' "-v says how fast it was"

# ---- the files ------------------------------------------------------------------------------
run search copy.yaml -t tau1 -o worst.yaml
expect_line out '^worst\.yaml: 13ms.* of task .tau1. by 2 jobs of 2 tasks; ' \
	"the smallest that gives the response is written"
digest=$(sed -n 's/^# Digest of the run: //p' worst.yaml)
run search copy.yaml -t tau1 --format csv
response=$(awk -F, '$2 == "tau1" { print $6 / 1000000 }' out)
run run worst.yaml --format csv -q
expect_status 0 "it runs"
expect_line out ",$digest," "to the same digest"
run run worst.yaml -q
expect_line out "^copy +rtgpu +tau1 +1 +0 +$response(\\.0*)? " "with the same response, to the nanosecond"
[ -f worst/rtgpu-0-tau1.yaml ] && [ -f worst/rtgpu-1-tau2.csv ]
report $? "a folder has a scenario for every task"
run search copy.yaml -t tau1 -o worst.yaml
expect_status 2 "what exists is not overwritten"
expect_line err 'worst.yaml exists already; choose another name, or overwrite it with --force$' "and it says so"
run search copy.yaml -t tau1 -o worst.yaml --force --whole
expect_status 0 "but with --force"
expect_line out '^worst\.yaml: 13ms.* by [3-9] jobs of 2 tasks' "--whole leaves it as it was found"
digest=$(sed -n 's/^# Digest of the run: //p' worst.yaml)
run run worst.yaml --format csv -q
expect_line out ",$digest," "and runs to the same digest, too"
run search copy.yaml -t tau1 -p stgm -p stgm:exclusive=false --method synchronous -o same
expect_status 0 "two policies of one name"
[ -f same/stgm-0-tau1.yaml ] && grep -q 'exclusive: false' same/stgm.2-0-tau1.yaml
report $? "are written apart"
run search copy.yaml -o /nowhere/here.yaml
expect_status 3 "a file that cannot be written"

# ---- all of it ------------------------------------------------------------------------------
run search copy.yaml --exhaustive --jobs-per-task 2 --step 1ms --format csv
expect_out "--exhaustive certifies the worst case of a grid" <<'END'
policy,task,segment,analysis,bound_ns,observed_ns,ratio,verdict,deadline_ns,from,evaluations
rtgpu,tau1,,rtgpu,14000000,13000000,0.9285714285714286,holds,40000000,exhaustive,19200
rtgpu,tau2,,rtgpu,20000000,14000000,0.7,holds,60000000,exhaustive,19200
END
run search copy.yaml --exhaustive --jobs-per-task 2 --step 1ms --limit 19199
expect_status 2 "more than the limit"
expect_err "is refused with the number" <<'END'
cegsim: error: there are 19200 combinations of offsets, separations and lengths, and the limit is 19199: a longer --step, fewer --jobs-per-task or a higher --limit may help
END
run search copy.yaml --exhaustive -t tau1 -t tau2.1
expect_status 2 "an exhaustive search takes one segment at a time"

# ---- bounds -----------------------------------------------------------------------------------
run search "$SOURCES/scenarios/papers/stgm-blocking.yaml" -t tau1 -a stgm -a stgm:blocking=textbook --format csv
expect_status 0 "a bound that is known to be unsafe may be exceeded"
expect_line out '^stgm,tau1,,stgm,29000000,25[0-9]{6},0\.[0-9]*,holds,90000000,' "the sound one is not"
expect_line out '^stgm,tau1,,stgm:blocking=textbook \(unsafe\),21000000,25[0-9]{6},1\.[0-9]*,exceeded,90000000,' "the textbook's is"

# A bound that rests on radar: the same schedule, in which radar is in time, and late.
sed '/- name: radar/,/deadline/s/deadline: 15/deadline: 10.5/' "$SOURCES/scenarios/examples/quickstart.yaml" >late.yaml
run search "$SOURCES/scenarios/examples/quickstart.yaml" -p fifo-cke -a fifo-chains -t camera --format csv
expect_line out '^fifo-cke,camera,,fifo-chains,34064841,28336270,0\.8[0-9]*,holds,' "is compared where radar is in time"
run search late.yaml -p fifo-cke -a fifo-chains -t camera --format csv -o rests.yaml
expect_line out '^fifo-cke,camera,,fifo-chains,34064841,28336270,0\.8[0-9]*,not assumed,' "and not where it is late"
expect_line rests.yaml '^# Found by cegsim search: .* takes 28\.33627ms under fifo-cke$' "a file does not name such a bound"

# ---- made small, with its set ---------------------------------------------------------------------
run search "$SOURCES/scenarios/papers/stgm-blocking.yaml" -t tau1 -a stgm:blocking=textbook -o paper.yaml --shrink
expect_status 0 "--shrink makes the set small, too"
[ "$(grep -c 'name: "tau' paper.yaml)" -eq 2 ] && [ "$(grep -c 'copy: to_' paper.yaml)" -eq 4 ] && ! grep -q kernel: paper.yaml
report $? "two tasks and four copies are left"
expect_line paper.yaml '^# observed [0-9.]*ms > bound [0-9.]*ms ' "its head says what is shown"
expect_line paper.yaml "validate FILE.db -a 'stgm:blocking=textbook'$" "and by what command"
run run paper.yaml -o paper.db -q
run validate paper.db -a stgm:blocking=textbook
expect_line out '^stgm:blocking=textbook .* exceeded once; ' "which shows it"
run search "$SOURCES/scenarios/papers/stgm-blocking.yaml" -t tau1 -a stgm -o holds.yaml --shrink
expect_line holds.yaml '^# observed .* <= bound .*0\.8[5-9]|0\.9|1\.0' "where none is exceeded the ratio stays"
run search copy.yaml --shrink
expect_status 2 "--shrink needs -o"
run search copy.yaml --shrink --whole -o no.yaml
expect_status 2 "and nothing that is kept whole"

# A bound of one's own, without what lower tasks add.
cat >mine.py <<'END'
import json, sys
for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps({"bounds": [sum(s["worst"] for s in t["segments"]) for t in question["tasks"]]}), flush=True)
END
run search copy.yaml -t tau1 -p rtgpu -a 'pipe:python3 mine.py' -o mine.yaml --shrink
expect_status 1 "a bound of one's own is hunted"
expect_line mine.yaml '^# observed [0-9.]*ms > bound [0-9.]*ms ' "and its counterexample made small"

# ---- what is wrong ------------------------------------------------------------------------------
run search copy.yaml -t tau3
expect_status 2 "a task that is not there"
expect_err "is not there" <<'END'
cegsim: error: there is no task 'tau3'; did you mean 'tau1'?
END
run search copy.yaml -t tau1.4
expect_status 2 "nor is a segment"
expect_err "of four" <<'END'
cegsim: error: task 'tau1' has segments 0 to 3, not '4'
END
run search copy.yaml -p nonsense
expect_status 2 "a policy that is not there"
run search copy.yaml --budget 0
expect_status 2 "no budget"
run search
expect_status 2 "no scenario"
sed '/^policies/d' copy.yaml >bare.yaml
run search bare.yaml
expect_status 2 "no policy"
expect_err "is said" <<'END'
cegsim: error: bare.yaml names no policies: give some with -p
END
sed 's/cpu: 1}, {copy/cpu: 41}, {copy/' copy.yaml >over.yaml
run search over.yaml
expect_status 2 "a set that the policy refuses"
expect_line err 'nothing to search: no policy takes the set$' "leaves nothing to search"

# ---- interrupted -----------------------------------------------------------------------------------
last="cegsim search copy.yaml --budget 1000000000, interrupted"
"$CEGSIM" search copy.yaml --budget 1000000000 -q -o cut.yaml >out 2>err &
pid=$!
sleep 1
kill -INT $pid
status=0
wait $pid || status=$?
expect_status 130 "SIGINT ends it"
expect_line out '^rtgpu +tau1 .* 1[0-4]' "the worst so far is printed"
expect_line err '^cegsim: interrupted; this is the worst so far$' "and said to be that"
run run cut.yaml -q
expect_status 0 "and written"

# ---- a recording -------------------------------------------------------------------------------------
run gen custom tasks=3 sections=1 lo_ratio=50% utilisation=90% -n 40 -o sets.db -q
run search sets.db -p rtgpu -a rtgpu:form=start-time,gaps=response --budget 600 --format csv -q -j 2
expect_status 0 "the sets of a recording"
cp out two
run search sets.db -p rtgpu -a rtgpu:form=start-time,gaps=response --budget 600 --format csv -q -j 1
cmp -s out two
report $? "are searched the same by any number of workers"
ratio() { awk -F, -v method="$1" '$0 ~ "," method "," { print $(NF - 9) }' out; }
awk -v c="$(ratio climb)" -v s="$(ratio synchronous)" -v r="$(ratio random)" \
	'BEGIN { exit !(c > 0.5 && c < 1 && c >= s + 0.05 && c >= r + 0.01) }'
report $? "climbing beats a synchronous release by 0.05 and drawing by 0.01"
run search sets.db
expect_status 2 "sets without a policy"
expect_err "need one" <<'END'
cegsim: error: sets.db has sets without a policy: name one with -p
END
run search sets.db -p rtgpu -t t1
expect_status 2 "a target is for a scenario"

# The unsafe textbook blocking is exceeded, the sound one is not.
run gen custom tasks=3 sections=1 lo_ratio=50% utilisation=90% -n 60 -o small.db -q
run search small.db -p stgm -a stgm -a stgm:blocking=textbook --method climb -q --budget 1000 -o found
expect_status 0 "sets of which an unsafe bound is exceeded"
expect_line out '^stgm +stgm +climb .* 0 +0 +0 +0 +0 +[1-9][0-9]* +0 +[0-9]+$' "the sound bound stands"
expect_line out '^stgm +stgm:blocking=textbook \(unsafe\) +climb .* 0 +0 +[1-9][0-9]* +0 +0 +[1-9][0-9]* +[1-9][0-9]* +[0-9]+$' \
	"the textbook's falls"
expect_line out '^set [0-9]+ under stgm: task .* its bound by stgm:blocking=textbook \(unsafe\) is [0-9a-z.]+: exceeded ' "and it says where"
for file in found/*.yaml; do
	digest=$(sed -n 's/^# Digest of the run: //p' "$file")
	run run "$file" --format csv -q
	expect_line out ",$digest," "${file##*/} runs to the same digest"
done

# ---- a hunt: near the sets of a recording --------------------------------------------------------------
run gen custom tasks=3 sections=1 -n 30 -o near.db -q
run search near.db -p stgm -a stgm -a stgm:blocking=textbook --method climb -q
expect_line out '^stgm +stgm:blocking=textbook \(unsafe\) .* 0 +0 +0 +0 +0 +[1-9][0-9]* +0 +[0-9]+$' "no set shows that the textbook's blocking is unsafe"
run search near.db -p stgm -a stgm -a stgm:blocking=textbook --method hunt --budget 6000 -q -o hunted -j 2
expect_status 0 "sets near them do"
expect_line out '^stgm +stgm +hunt .* 0 +0 +0 +0 +0 +[1-9][0-9]* +0 +[0-9]+$' "the sound bound stands there, too"
expect_line out '^stgm +stgm:blocking=textbook \(unsafe\) +hunt .* 0 +0 +[1-9][0-9]* +0 +0 +[0-9]+ +[1-9][0-9]* +[0-9]+$' "the textbook's falls"
expect_line out '^near set [0-9]+ under stgm: task .*: exceeded \(hunt\)$' "it says near which set"
for file in hunted/*.yaml; do
	digest=$(sed -n 's/^# Digest of the run: //p' "$file")
	run run "$file" --format csv -q
	expect_line out ",$digest," "${file##*/} runs to the same digest"
done
run search near.db -p stgm -a stgm --method hunt --budget 600 --format csv -q -j 1
cp out one
run search near.db -p stgm -a stgm --method hunt --budget 600 --format csv -q -j 2
cmp -s out one
report $? "two workers hunt as one does"
run search copy.yaml --method hunt
expect_status 2 "a scenario is not hunted"
expect_line err 'a hunt begins with the sets of a recording' "and it says so"

finish
