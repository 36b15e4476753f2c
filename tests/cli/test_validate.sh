#!/bin/sh
# cegsim validate: compares responses with bounds.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

blocking=$SOURCES/scenarios/papers/stgm-blocking.yaml

# sql FILE STATEMENT: changes a recording as no user would
sql() {
	python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()' "$1" "$2"
}

run run "$blocking" -o runs.db -q

run validate runs.db
expect_status 0 "bounds that are computed now hold"
expect_out "and how near the responses come" <<'END'
policy  analysis  sets  refused  runs  outside  removing  unbounded  beyond_period  not_assumed  exceeded  truncated  unanswered  holds     worst      mean
------  --------  ----  -------  ----  -------  --------  ---------  -------------  -----------  --------  ---------  ----------  -----  --------  --------
stgm    stgm         1        0     1        0         0          0              0            0         0          0           0      2  0.862069  0.852909

Bounds that hold, tasks in runs by observed / bound:

policy  analysis  <=10%  <=20%  <=30%  <=40%  <=50%  <=60%  <=70%  <=80%  <=90%  <=100%
------  --------  -----  -----  -----  -----  -----  -----  -----  -----  -----  ------
stgm    stgm          0      0      0      0      0      0      0      0      2       0

Closest to its bound:

policy  analysis  set  run  task  observed_ms  bound_ms     ratio
------  --------  ---  ---  ----  -----------  --------  --------
stgm    stgm        1    1  tau1           25        29  0.862069
END

# ---- what has no bound ----

run run "$SOURCES/scenarios/examples/quickstart.yaml" -p fifo-cke -p fcfs -o none.db -q
run validate none.db
expect_status 0 "a policy without bounds is no error"
expect_err "but said, once" <<'END'
cegsim: note: no analysis has a bound for 1 set under fcfs: fp: task 'camera' uses the GPU: method preemptive is for the core alone
END
expect_line out '^fifo-cke  *fifo-chains  *1  *0  *1  *0  *0  *1  *0  *0  *0  *0  *0  *2 ' \
	"a bound that rests on a task is held against a run in which that is in time"
sql none.db "UPDATE task SET deadline_ns = 3799999 WHERE name = 'radar'"
run validate none.db
expect_line out '^fifo-cke  *fifo-chains  *1  *0  *1  *0  *0  *1  *0  *2  *0  *0  *0  *0 ' "not if it is late"
run analyze none.db -p fifo-cke -q
run validate none.db
expect_line out '^fifo-cke  *fifo-chains  *1  *0  *1  *0  *0  *1  *0  *2  *0  *0  *0  *0 ' "nor if the bound is stored"

# ---- an unsafe variant ----

run validate runs.db -a stgm:blocking=textbook
expect_status 0 "that an unsafe variant is exceeded is shown, no more"
expect_line out '^stgm  *stgm:blocking=textbook \(unsafe\)  *1  *0  *1  *0  *0  *0  *0  *0  *1  *0  *0  *1  *1\.190' "as exceeded"
sed -n '/^stgm:blocking/,$p' out >rest
compare rest "with the job and how to see it again" <<'END'
stgm:blocking=textbook (unsafe) under stgm: exceeded once; its bounds are known to be unsafe
  first: run 1, task 'tau1', job 0: observed 25 ms, bound 21 ms
  once more: cegsim run runs.db --run 1
END
expect_line out '^stgm  *stgm:blocking=textbook \(unsafe\)  *1  *1  *tau1  *25  *21  *1\.190476$' "as the closest, too"

# ---- made small ----

run validate runs.db -a stgm:blocking=textbook --shrink
expect_status 0 "an excess is made small"
expect_line out '^counterexample\.yaml: 18ms of task .tau1. by 2 jobs of 2 tasks; ' "into the usual file"
expect_line counterexample.yaml \
	'^# Found by cegsim validate in run 1: task .tau1., job 0 takes 18ms .* is 10ms: exceeded$' "whose head says where from"
expect_line counterexample.yaml '^time_unit: ms$' "in the unit of its numbers"
digest=$(sed -n 's/^# Digest of the run: //p' counterexample.yaml)
run run counterexample.yaml -o small.db --format csv -q
expect_line out ",$digest," "it runs to the digest that it says"
run validate small.db -a stgm:blocking=textbook
expect_line out '^stgm  *stgm:blocking=textbook \(unsafe\)  *1  *1  *tau1  *18  *10  *1\.8$' "and the bound is exceeded there"
[ "$(grep -c 'name: "tau' counterexample.yaml)" -eq 2 ] && [ "$(grep -c '^      - {' counterexample.yaml)" -eq 4 ]
report $? "by two tasks of two segments"
run validate runs.db -a stgm:blocking=textbook --shrink
expect_status 2 "what exists is not overwritten"
expect_line err 'counterexample.yaml exists already; choose another name, or overwrite it with --force$' "and it says so"
run validate runs.db -a stgm:blocking=textbook --shrink -o small.yaml
cmp -s counterexample.csv small.csv
report $? "-o names another"
run validate runs.db -a stgm --shrink -o none.yaml
expect_status 0 "where no bound is exceeded"
expect_line out '^No bound is exceeded: there is nothing to shrink\.$' "it says so"
expect_no_file none.yaml "and writes nothing"
run validate runs.db -o none.yaml
expect_status 2 "-o is for --shrink"
run validate runs.db -a stgm:blocking=textbook --shrink -o /nowhere/at/all.yaml
expect_status 3 "a file that cannot be written"

run run runs.db --run 1
expect_status 0 "that command works"
run run runs.db --run 2
expect_status 2 "on a run that there is"
run run "$blocking" --run 1
expect_status 2 "and on recordings alone"
run validate runs.db -a rtgpu
expect_status 2 "an analysis that is for other policies"
run validate runs.db -a rtgp
expect_status 2 "and one that there is not"

# ---- stored bounds ----

run analyze runs.db -a stgm
run validate runs.db
expect_status 0 "stored bounds hold"
cp runs.db spoiled.db
sql spoiled.db "UPDATE bound SET bound_ns = 24999999 WHERE task_id = 1"
run validate spoiled.db
expect_status 1 "a bound that is exceeded is a no"
expect_line out "^  first: run 1, task 'tau1', job 0: observed 25 ms, bound 24.999999 ms" "by one nanosecond, too"
run validate spoiled.db -a stgm
expect_status 1 "-a takes what is stored"
sql spoiled.db "UPDATE analysis_run SET version = 0"
run validate spoiled.db -a stgm
expect_status 0 "unless another version of the analysis stored it"
sql spoiled.db "UPDATE analysis_run SET safety = 'unsafe'"
run validate spoiled.db
expect_status 0 "or it is marked unsafe"
run validate spoiled.db --format json
cp out answer
run_command python3 -c '
import json
row, = json.load(open("answer"))
assert row["exceeded"] == 1 and row["holds"] == 1 and row["run_id"] == 1 and row["task"] == "tau1" and row["seq"] == 0, row
assert row["safety"] == "unsafe" and row["observed_ns"] == 25000000 and row["bound_ns"] == 24999999
assert sum(row["to_%d" % k] for k in range(10, 101, 10)) == 1
assert (row["closest_set"], row["closest_run"], row["closest_task"]) == (1, 1, "tau1"), row
assert row["closest_observed_ns"] == 25000000 and row["closest_bound_ns"] == 24999999, row'
expect_status 0 "json has it all"
show_file err

cp runs.db exact.db
sql exact.db "UPDATE bound SET bound_ns = 25000000 WHERE task_id = 1"
run validate exact.db
expect_status 0 "a response may be its bound"
expect_line out '^stgm  *stgm  .*  1$' "and is counted into the last tenth"

# ---- what never makes a bound look safe ----

cp runs.db cut.db
sql cut.db "UPDATE run SET status = 'truncated'"
run validate cut.db
expect_status 0 "a truncated run"
expect_line out '^stgm  *stgm  *1  *0  *1  *0  *0  *0  *0  *0  *0  *2  *0  *0  *-  *-$' "is counted apart"
sql cut.db "UPDATE bound SET bound_ns = 20000000"
run validate cut.db
expect_status 1 "but can show that a bound is exceeded"
sql cut.db "UPDATE run SET status = 'ok', on_miss = 'drop'"
run validate cut.db
expect_status 0 "a run in which jobs are removed shows nothing"
expect_line out '^stgm  *stgm  *1  *0  *1  *0  *2  *0  *0  *0  *0  *0  *0  *0  *-  *-$' "and is counted apart"
sql cut.db "UPDATE run SET status = 'refused', on_miss = 'continue'"
run validate cut.db
expect_status 2 "without a run that came to an end there is nothing to say"

cp runs.db early.db
sql early.db "UPDATE run_task SET max_response_ns = NULL, responses = 0, worst_lower_bound_ns = 40000000 WHERE task_id = 1"
run validate early.db
expect_status 1 "an unfinished job has taken at least so long"

# ---- a bound beyond the period ----

cat >over.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 30
tasks:
  - {name: a, period: 4, segments: [{cpu: 2}]}
  - {name: b, period: 5, segments: [{cpu: 3}]}
policies: [mpcp]
END
run run over.yaml -o over.db -q
run validate over.db -a mpcp
expect_status 0 "a bound beyond the period promises nothing"
expect_line out '^mpcp  *mpcp  *1  *0  *1  *0  *0  *0  *1  *0  *0  *0  *0  *1  *1  *1$' "and is counted apart"
run analyze over.db -a mpcp
run query over.db "SELECT task, holds FROM v_bound_check ORDER BY task" --format csv
expect_out "in the recording, too" <<'END'
task,holds
a,1
b,
END

# ---- traces that leave what the tasks declare ----

cat >traced.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 40
release: {trace: t.csv}
tasks:
  - {name: a, period: 10, segments: [{cpu: [1, 2]}]}
policies: [mpcp]
END
for case in '0,1 10,2 20,2:0' '0,1 9,2 20,2:1' '0,1 10,3 20,2:1' '0,1 10,0.5 20,2:1' '0,2 15,1 26,2:0'; do
	{
		echo 'task,seq,release,segment,duration'
		seq=0
		for job in ${case%:*}; do
			echo "a,$seq,${job%,*}ms,0,${job#*,}ms"
			seq=$((seq + 1))
		done
	} >t.csv
	run run traced.yaml -o traced.db --force -q
	run validate traced.db -a fp --format csv
	cp out answer
	run_command python3 -c '
import csv
row, = csv.DictReader(open("answer"))
print(row["outside"])'
	expect_line out "^${case#*:}\$" "a trace of ${case%:*} is $([ "${case#*:}" = 1 ] && echo outside || echo inside)"
done

# ---- campaigns ----

cat >campaign.yaml <<'END'
cegsim-campaign: 1
seed: 3
sets: 6
generate: {recipe: rtgpu-table1, utilisation: 30%}
policies: [rtgpu, {name: stgm, exclusive: false}]
analyses: [rtgpu, {name: rtgpu, form: start-time}, {name: stgm, policy: {name: stgm, exclusive: false}}]
run: {horizon: {periods: 3}}
END
run sweep campaign.yaml -o one.db -j 1 -q
expect_status 0 "a campaign with analyses"
expect_line out '2 policies: 12 runs; 3 analyses; 1 worker$' "says how many"
expect_line out ' rtgpu  *rtgpu  *sound  *6  *0\.3 .*  \{"form":"start-time","gaps":"deadline"\}$' "and what they accept"
run sweep campaign.yaml -o two.db -j 3 -q
run sweep campaign.yaml -o part0.db --shard 0/2 -q
run sweep campaign.yaml -o part1.db --shard 1/2 -q
run merge part1.db part0.db -o three.db
run merge --digest one.db two.db three.db --format csv
[ "$(sed 1d out | cut -d, -f2 | sort -u | wc -l)" -eq 1 ]
report $? "is the same for any number of workers, and from shares"
run query three.db "SELECT count(*) AS n, sum(verdict = 'schedulable') AS yes, (SELECT count(*) FROM bound) AS bounds FROM analysis_run" --format csv
expect_line out '^18,18,0$' "verdicts alone, unless bounds are asked for"
run validate three.db
expect_status 0 "its runs are held against bounds that are computed now"
(cat campaign.yaml && echo 'bounds: true') >full.yaml
run sweep full.yaml -o full.db -q
run query full.db "SELECT count(*) AS n, sum((SELECT sum(amount_ns) FROM bound_part p WHERE p.analysis_run_id = b.analysis_run_id AND p.task_id = b.task_id) = bound_ns) AS whole FROM bound b" --format csv
expect_line out '^90,90$' "whose parts add up"
run validate full.db
expect_status 0 "stored bounds hold"
run query full.db @tightness --format csv
expect_line out '^rtgpu-10-sms,rtgpu,.*,sound,0,0,0,0,0,0,0,0,30,0\.[0-9]*,0\.[0-9]*$' "and so says @tightness"
run analyze part0.db -a rtgpu
run merge part0.db part1.db -o four.db
expect_status 2 "a share to which analyses were added is not merged"
grep -v -e '^policies' -e '^run' campaign.yaml >alone.yaml
run sweep alone.yaml -o alone.db -q --format csv
expect_status 0 "a campaign of analyses alone"
expect_line out '^analysis,0.3,rtgpu-10-sms,rtgpu,' "has their acceptance"
run query alone.db 'SELECT count(*) AS runs FROM run' --format csv
expect_line out '^0$' "and no runs"

cat >wrong.yaml <<'END'
cegsim-campaign: 1
sets: 1
generate: {recipe: rtgpu-table1}
analyses:
  - rtgp
  - {name: stgm, blocking: never}
  - {name: rtgpu, policy: {name: rtgpu, searching: greedy}}
  - {name: rtgpu, form: published, form: start-time}
bounds: maybe
END
run sweep wrong.yaml -o wrong.db
expect_status 2 "a wrong campaign"
expect_err "is told all that is wrong" <<'END'
wrong.yaml:5:5: error: no analysis is called "rtgp"; did you mean 'rtgpu'?
wrong.yaml:6:28: error: analysis 'stgm': 'blocking' is "never"; one of: safe textbook
wrong.yaml:7:41: error: policy 'rtgpu' has no option 'searching'; did you mean 'search'?
wrong.yaml:8:36: error: 'form' is given twice
wrong.yaml:9:9: error: 'bounds' is true or false, got "maybe"
END

cat >empty.yaml <<'END'
cegsim-campaign: 1
sets: 1
generate: {recipe: rtgpu-table1}
END
run sweep empty.yaml -o wrong.db
expect_err "a campaign has policies or analyses" <<'END'
empty.yaml:1:1: error: 'policies' or 'analyses' is missing here
END
echo 'policies: [rm]' >>empty.yaml
run sweep empty.yaml -o wrong.db
expect_err "and with policies a run" <<'END'
empty.yaml:1:1: error: 'run' is missing here
END
{ cat alone.yaml; echo 'record: jobs'; } | sed 's/^analyses: .*/analyses: [rtgpu, {name: rtgpu, form: published}]/' >twice.yaml
run sweep twice.yaml -o wrong.db
expect_err "nor an analysis twice" <<'END'
twice.yaml:5:19: error: 'rtgpu' is listed twice with the same options and policy
END

# ---- a stranger's recording --------------------------------------------------------------
run run "$SOURCES/scenarios/examples/policies.yaml" -q -o stranger.db
run analyze stranger.db -p rtgpu -a rtgpu -q
expect_status 0 "a recording with bounds"
sqlite3 stranger.db "UPDATE bound SET bound_ns = 1; UPDATE analysis_run SET analysis = './mine.so', params = '{}'"
run validate stranger.db --shrink -o small.yaml
expect_status 2 "--shrink does not load a plug-in that a recording names"
expect_line err "stranger\.db wants to load the plug-in '\./mine\.so'; -a with its file lets it\$" "but names it"

finish
