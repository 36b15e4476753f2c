#!/bin/sh
# tests/fault/test_own_bounds_fault.sh - analyses of users that hang or die while analyze, validate, search and sweep
# wait for them; signals then; and cegsim that is killed.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
# shellcheck source=tests/fault/sweep_lib.sh
. "$SOURCES/tests/fault/sweep_lib.sh"

cp "$SOURCES/contrib/python/cegsim_bound.py" .
# Answers the questions about sets whose number is below the first argument. At the next one it leaves its process id
# in the file `hangs`, and sleeps for hours.
cat >hangs.py <<'END'
import os, sys, time
import cegsim_bound

def bounds(question):
    if int(question["set"].rsplit("-", 1)[-1]) >= int(sys.argv[1]):
        with open("hangs.new", "w") as f:
            f.write(str(os.getpid()))
        os.rename("hangs.new", "hangs")
        time.sleep(100000)
    return [t["deadline"] for t in question["tasks"]]

cegsim_bound.answer(bounds)
END
# Ends at some sets.
cat >dies.py <<'END'
import sys
import cegsim_bound

def bounds(question):
    if question["set"].endswith("-3"):
        sys.exit(7)
    return [t["deadline"] for t in question["tasks"]]

cegsim_bound.answer(bounds)
END
cat >study.yaml <<'END'
cegsim-campaign: 1
seed: 7
sets: 8
generate: {recipe: custom, tasks: 3, sections: 0, utilisation: 60%}
platforms: [{preset: jetson-tx2}]
policies: [rm]
run: {horizon: {periods: 3}}
END
run sweep study.yaml -o study.db -q

started=
# shellcheck disable=SC2317 # at the end
end_all() {
	for pid in $started; do
		kill -KILL "$pid" 2>/dev/null
	done
	rm -rf "$FOLDER"
}
trap end_all EXIT
trap 'exit 1' HUP INT TERM

# start ARGUMENT...: cegsim in the background, until the analysis hangs; its process is $child
start() {
	last="cegsim $*"
	rm -f hangs
	"$CEGSIM" "$@" >out 2>err &
	pid=$!
	started="$started $pid"
	wait_for test -e hangs
	child=$(cat hangs)
	started="$started $child"
}

# end_of NAME: the status; the process of the analysis must be gone
end_of() {
	status=0
	wait $pid 2>/dev/null || status=$?
	wait_for ended "$child"
	report $? "$1: no process is left"
}

# ---- signals -------------------------------------------------------------------------------
for signal in INT TERM; do
	cp study.db some.db
	start analyze some.db -a 'pipe:python3 hangs.py 3'
	kill -$signal $pid
	end_of "analyze, SIG$signal"
	expect_status 130 "it is interrupted"
	expect_line err '^cegsim: interrupted after 3 of 8 sets; the bounds until then are stored$' "and says what it keeps"
	expect_line out '^rm  *pipe:hangs.py 3  *3  *3 ' "it prints that"
done
run query some.db "SELECT count(*) AS n FROM analysis_run" --format csv
expect_line out '^3$' "which is in the file"
run validate some.db
expect_status 0 "as whole bounds"
expect_line out '^rm  *pipe:hangs.py 3  *3  *0  *3 ' "of three sets"
start analyze study.db -a 'pipe:python3 hangs.py 0'
kill -INT $pid
end_of "analyze, at the first set"
expect_status 130 "it is interrupted"
expect_line err '^cegsim: error: interrupted before the first bound$' "before there is anything"
start analyze "$SOURCES/scenarios/examples/quickstart.yaml" -p rm -a 'pipe:sh -c "echo $$ >hangs; read x; sleep 100000"'
kill -INT $pid
end_of "analyze of a scenario"
expect_status 130 "it is interrupted"
start validate study.db -a 'pipe:python3 hangs.py 3'
kill -INT $pid
end_of "validate"
expect_status 130 "it is interrupted"
expect_line err '^cegsim: interrupted after 3 of 8 sets; this is what they say$' "and says how far it came"
expect_line out '^rm  *pipe:hangs.py 3  *3  *0  *3 ' "with their bounds"
start search study.db -a 'pipe:python3 hangs.py 3' --method synchronous -q -j 1
kill -INT $pid
end_of "search of a recording"
expect_status 130 "it is interrupted"
expect_line err '^cegsim: interrupted; this is what was complete$' "and says so"
expect_line out '^rm  *pipe:hangs.py 3  *synchronous  *3  *3  *0  *9 ' "with three sets"
start search "$SOURCES/scenarios/examples/quickstart.yaml" -p rm -a 'pipe:sh -c "echo $$ >hangs; read x; sleep 100000"'
kill -INT $pid
end_of "search of a scenario"
expect_status 130 "it is interrupted"

# Says that a task needs its own time, and hangs at a question, by its number.
cat >alone.py <<'END'
import os, sys, time
import cegsim_bound

asked = 0

def bounds(question):
    global asked
    asked += 1
    if asked == int(sys.argv[1]):
        with open("hangs.new", "w") as f:
            f.write(str(os.getpid()))
        os.rename("hangs.new", "hangs")
        time.sleep(100000)
    return [cegsim_bound.worst(t) for t in question["tasks"]]

cegsim_bound.answer(bounds)
END
# made_small FILE: it is a scenario that shows the excess, though not the smallest
made_small() {
	expect_status 130 "it is interrupted"
	expect_line err "^cegsim: interrupted; .* as small as it was then\$" "and says so"
	digest=$(sed -n 's/^# Digest of the run: //p' "$1")
	run run "$1" -o small.db --force --format csv -q
	expect_line out ",$digest," "what was written runs to its digest"
	run validate small.db -a 'pipe:python3 alone.py 0'
	expect_status 1 "and exceeds the bound"
}
start validate study.db -a 'pipe:python3 alone.py 14' --shrink -o small.yaml
kill -INT $pid
end_of "validate --shrink"
made_small small.yaml
run validate study.db -a 'pipe:python3 alone.py 0' --shrink -o smallest.yaml
expect_status 1 "undisturbed it comes to its end"
[ "$(wc -c <smallest.yaml)" -lt "$(wc -c <small.yaml)" ]
report $? "with a smaller file"
cat >two.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 1
tasks:
  - {name: a, period: 10.123, segments: [{cpu: [1, 2.345]}, {cpu: 1.234}]}
  - {name: b, period: 20.456, segments: [{cpu: 4.567}, {cpu: 1.111}]}
policies: [rm]
END
start search two.yaml -t b -a 'pipe:python3 alone.py 4' --shrink -o found.yaml
kill -INT $pid
end_of "search --shrink"
made_small found.yaml

# ---- a campaign ----------------------------------------------------------------------------
{ cat study.yaml && echo 'analyses: [{name: pipe, command: [sh, once.sh]}]' && echo 'bounds: true'; } >hangs.yaml
# shellcheck disable=SC2016 # for that sh
echo 'if [ -e go ]; then exec python3 hangs.py 100; else exec python3 hangs.py ${HANGS_AT:-3}; fi' >once.sh
touch go
run sweep hangs.yaml -o whole.db -q
whole=$(digest whole.db)
rm go
start sweep hangs.yaml -o swept.db -j 1
kill -INT $pid
end_of "sweep"
expect_status 130 "a signal does not wait for an answer that does not come"
expect_line err 'interrupted after [0-3] of 8 sets; what has finished is kept in swept.db.parts: go on with --resume$' \
	"and it says what is kept"
touch go
run sweep hangs.yaml -o swept.db --resume -q
expect_status 0 "it goes on"
[ "$(digest swept.db)" = "$whole" ]
report $? "to the content of an undisturbed one"
rm go
export HANGS_AT=7
start sweep hangs.yaml -o slow.db -j 1 --timeout 2s
end_of "sweep, an answer that never comes"
expect_status 0 "the campaign goes on"
run query slow.db "SELECT a.verdict, a.reason FROM analysis_run a JOIN taskset s USING (taskset_id) WHERE s.recipe_index = 7" --format csv
expect_out "and has an error for that set" <<'END'
verdict,reason
error,it gave no answer within 2 s
END
unset HANGS_AT

# ---- cegsim is killed ----------------------------------------------------------------------
for verb in analyze validate 'search -q -j 2'; do
	# shellcheck disable=SC2086 # words
	start $verb study.db -a 'pipe:python3 hangs.py 1'
	kill -KILL $pid
	end_of "$verb, SIGKILL"
done
start sweep hangs.yaml -o killed.db -j 2 -q
kill -KILL $pid
end_of "sweep, SIGKILL"
wait_for ended "$pid"
touch go
run sweep hangs.yaml -o killed.db --resume -q
expect_status 0 "a killed campaign goes on"
[ "$(digest killed.db)" = "$whole" ]
report $? "to the content of an undisturbed one"

# ---- errors ----------------------------------------------------------------------------------
run search study.db -a 'pipe:python3 dies.py' --method synchronous -q --format csv
expect_status 2 "a search whose analysis ends at a set"
expect_err "says so" <<'END'
cegsim: error: pipe:dies.py gave no answer for 1 of 8 sets; first, set 4 under rm: it ended with status 7
END
expect_line out '^rm,pipe:dies.py,synchronous,8,7,1,21,' "counts it, and goes on"
run search "$SOURCES/scenarios/examples/quickstart.yaml" -p rm -a pipe:false -a self-suspension --method synchronous
expect_status 2 "of a scenario"
expect_line err '^cegsim: error: pipe:false under rm: it ended with status 1$' "it says so, too"
expect_line out '^rm .* self-suspension ' "and other analyses are asked"
finish
