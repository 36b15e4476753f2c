#!/bin/sh
# cegsim analyze: bounds of a scenario, and of the sets of a recording.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

blocking=$SOURCES/scenarios/papers/stgm-blocking.yaml

# ---- a scenario ----

run analyze "$blocking" -a stgm
expect_status 0 "a scenario is analysed"
expect_out "bounds and what they are made of" <<'END'
policy  analysis  verdict      failing  reason
------  --------  -----------  -------  ------
stgm    stgm      schedulable  -        -

policy  analysis  task  rank  deadline_ms  bound_ms  verdict  own_ms  copy_ms  gpu_ms  blocking_ms  interference_ms
------  --------  ----  ----  -----------  --------  -------  ------  -------  ------  -----------  ---------------
stgm    stgm      tau1     0           90        29  in time       3        4       6           16                0
stgm    stgm      tau2     1          100        32  in time       2       16       1            0               13
END
expect_no_output_on_stderr "without a word on standard error"

run analyze "$blocking"
expect_line out '^stgm  *fp  *refused  *tau1  *task .tau1. uses the GPU' "without -a all analyses for the policy are asked"
expect_line out '^stgm  *stgm  *schedulable' "and those that fit answer"

run analyze "$blocking" -a stgm:blocking=textbook -a rtgpu -v
expect_status 0 "an analysis that is for others is no error"
expect_line out '^stgm  *stgm:blocking=textbook \(unsafe\)  *schedulable' "unsafe variants are marked"
expect_line out '^stgm  *rtgpu  *refused  *-  *it is for plans of rtgpu, or without a gate, not for those of stgm$' \
	"and one that is for other policies is refused"
expect_line out '^  assumes: Static sets of whole SMs' "--verbose says what is assumed"
expect_line out '^  source: RTGPU \(Zou' "and where it comes from"

run analyze "$blocking" -p edf --strict
expect_status 1 "a policy that no analysis is for is not shown to be schedulable"
expect_err "which is said" <<'END'
cegsim: note: tasks without a bound that always holds: 2 of 2 under edf (no analysis is for it)
END
run analyze "$blocking" -a stgm --format json
cp out answer
run_command python3 -c '
import json
rows = json.load(open("answer"))
assert [r["task"] for r in rows] == ["tau1", "tau2"], rows
assert json.loads(rows[1]["interference_by_ns"]) == {"tau1": 13000000}
assert rows[0]["safety"] == "sound" and json.loads(rows[0]["analysis_params"]) == {"blocking": "safe"}
for r in rows:
    parts = sum(r[k + "_ns"] for k in ("own", "copy", "gpu", "blocking", "interference"))
    assert parts == r["bound_ns"] and type(parts) is int and r["meets"] == "yes" and r["sms"] == 1'
expect_status 0 "json has the interference task by task"
show_file err

run analyze "$blocking" -p self-suspension -p mpcp
expect_line out '^self-suspension  *self-suspension ' "-p takes the place of the scenario's policies"
expect_no_line out '^stgm' "which are not asked then"

run analyze "$SOURCES/scenarios/examples/quickstart.yaml" -p fifo-cke -a fifo-chains
expect_line out '^fifo-cke  *fifo-chains  *camera .* in time if .* radar$' "a bound that rests on another task says on which"
expect_line out '^fifo-cke  *fifo-chains  *control .* in time .* -$' "and the others do not"
expect_err "what has no bound is said once" <<'END'
cegsim: note: tasks without a bound that always holds: 2 of 3 under fifo-cke (fifo-chains: task 'radar': no bound within its period, 20ms, was found; beyond that jobs wait for their predecessors)
END
run analyze "$SOURCES/scenarios/examples/quickstart.yaml" -p fcfs -p edf -p sbeet -p rm
expect_err "one note has all policies, those with one reason together" <<'END'
cegsim: note: tasks without a bound that always holds: 3 of 3 under fcfs, 3 of 3 under sbeet (fp: task 'camera' uses the GPU: method preemptive is for the core alone); 3 of 3 under edf (no analysis is for it); 1 of 3 under rm (mpcp: task 'radar': the bound on its response, 28.03627ms, exceeds its deadline, 15ms)
END
run analyze "$SOURCES/scenarios/examples/quickstart.yaml" -p fifo-cke -a fifo-chains -o rests.db --format csv
expect_line out ',camera,.*,radar$' "csv has it, too"
run query rests.db --format csv "SELECT task, meets, assumes_in_time FROM v_bound WHERE bound_ms IS NOT NULL ORDER BY task"
expect_out "it is stored with what it rests on" <<'END'
task,meets,assumes_in_time
camera,,radar
control,1,
END

grep -v -e '^policies:' -e '^  - stgm' "$blocking" >bare.yaml
run analyze bare.yaml -a stgm -a rtgpu
expect_status 0 "without policies"
expect_line out '^stgm  *stgm  *schedulable' "an analysis takes the policy it is made for"
expect_line out '^rtgpu  *rtgpu ' "each its own"
expect_no_line out '^(stgm  *rtgpu|rtgpu  *stgm)' "and is not asked about another's"

# ---- verdicts and exit codes ----

sed 's/deadline: 90/deadline: 28/' "$blocking" >tight.yaml
run analyze tight.yaml -a stgm -p stgm:admit=any
expect_status 0 "a set that is not schedulable is an answer"
expect_line out "^stgm:admit=any  *stgm  *unschedulable  *tau1  *task 'tau1': the bound on its response, 29ms, exceeds" "with the task"
expect_line out '^stgm:admit=any  *stgm  *tau1  *0  *28  *29  *late' "that is late"
run analyze tight.yaml -a stgm -p stgm:admit=any --strict
expect_status 1 "and a no under --strict"
run analyze tight.yaml -a stgm:blocking=textbook -p stgm:admit=any --strict
expect_status 1 "where an unsafe variant does not count"
run analyze tight.yaml -a stgm --strict
expect_status 1 "nor a set that the policy refuses"
expect_line out '^stgm  *stgm  *refused  *tau1  *policy stgm refuses the set' "with its reason"
run analyze "$blocking" --strict
expect_status 0 "one sound analysis that accepts is enough"

run analyze
expect_status 2 "a scenario or recording is wanted"
run analyze nowhere.yaml
expect_status 2 "one that is there"
run analyze "$blocking" -a stmg
expect_status 2 "an analysis that does not exist"
expect_err "has one that is near" <<'END'
cegsim: error: there is no analysis 'stmg'; did you mean 'stgm'?
END
run analyze "$blocking" -a stgm:blocking=never
expect_status 2 "nor a value"
expect_line err "^cegsim: error: analysis stgm 'blocking' is \"never\"; one of: safe textbook$" "with what there is"
run analyze "$blocking" -p rn
expect_status 2 "nor a policy"
sed 's/wait/x/; s/horizon: 100/horizon: never/; s/sms: 2/sms: many/' "$blocking" >wrong.yaml
run analyze wrong.yaml
expect_status 2 "a wrong scenario"
[ "$(grep -c '^wrong.yaml:[0-9]*:[0-9]*: error: ' err)" -eq 2 ]
report $? "is told all that is wrong"

# ---- a recording of a scenario's bounds ----

run analyze "$blocking" -a stgm -a stgm:blocking=textbook -o bounds.db
expect_status 0 "bounds into a recording"
run query bounds.db "SELECT analysis, safety, task, bound_ms, own_ms, copy_ms, gpu_ms, blocking_ms, interference_ms FROM v_bound ORDER BY analysis_run_id, rank" --format csv
expect_out "and out of it" <<'END'
analysis,safety,task,bound_ms,own_ms,copy_ms,gpu_ms,blocking_ms,interference_ms
stgm,sound,tau1,29,3,4,6,16,0
stgm,sound,tau2,32,2,16,1,0,13
stgm,unsafe,tau1,21,3,4,6,8,0
stgm,unsafe,tau2,32,2,16,1,0,13
END
run query bounds.db "SELECT allocation, verdict, (SELECT count(*) FROM run) AS runs FROM analysis_run" --format csv
expect_line out '^"\[\{""sms"":\[0\]\},\{""sms"":\[1\]\}\]",schedulable,0$' "with the SMs of the tasks"
run analyze "$blocking" -o bounds.db
expect_status 2 "an existing file is not replaced"
run analyze "$blocking" -o bounds.db --force
expect_status 0 "but with --force"

# ---- sets of a recording ----

run gen rtgpu-table1 utilisation=0.3 -n 5 -o sets.db -q
run analyze sets.db -a rtgpu
expect_status 0 "generated sets are analysed"
expect_out "with a summary" <<'END'
policy  analysis  sets  schedulable  ratio  unschedulable  refused
------  --------  ----  -----------  -----  -------------  -------
rtgpu   rtgpu        5            5      1              0        0
END
run merge --digest sets.db
cp out first
run analyze sets.db -a rtgpu
expect_status 0 "an analysis may be repeated"
run merge --digest sets.db
cmp -s out first
report $? "and replaces itself"
run query sets.db "SELECT count(*) AS n, count(DISTINCT taskset_id) AS sets FROM analysis_run" --format csv
expect_line out '^5,5$' "and is there once"
run analyze sets.db -p stgm -a stgm --format csv
expect_line out '^stgm,stgm,5,' "another policy adds to it"
run query sets.db "SELECT policy, n FROM v_analysis_acceptance ORDER BY policy" --format csv
expect_out "both are there" <<'END'
policy,n
rtgpu,5
stgm,5
END
expect_no_file sets.db-journal "and no journal"

run run "$blocking" -o runs.db -q
run analyze runs.db
expect_status 0 "a recording of runs"
expect_line out '^stgm  *stgm  *1  *1' "is analysed under the policies of its runs"
run analyze runs.db -a rtgpu
expect_status 2 "an analysis that is for none of them"
expect_err "says so" <<'END'
cegsim: error: no analysis that was asked for is for a policy of runs.db: name one with -p
END
run analyze runs.db -o other.db
expect_status 2 "-o is for scenarios"
cp runs.db before.db
chmod a-w runs.db
if [ "$(id -u)" -ne 0 ]; then
	run analyze runs.db
	expect_status 3 "a file that may not be written"
fi
cmp -s runs.db before.db
report $? "a recording is as it was when something fails"
echo "SQLite format 3" >fake.db
run analyze fake.db
expect_status 2 "what is no recording is refused"

finish
