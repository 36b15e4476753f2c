#!/bin/sh
# cegsim run: exit codes, and which file has the final name if a run does not end as it should.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# Three jobs of 1 ms, each with the deadline DEADLINE.
scenario() {
	cat >"$1.yaml" <<-END
		cegsim: 1
		horizon: 30ms
		tasks: [{name: t, period: 10ms, deadline: ${2:-5ms}, segments: [{cpu: 1ms}]}]
		policies: [fifo-cke, fcfs]
	END
}

# Hours of work, so that a signal arrives in the middle of it.
cat >endless.yaml <<'END'
cegsim: 1
horizon: 30000s
tasks: [{name: t, period: 10us, segments: [{cpu: 4us}]}]
policies: [fifo-cke]
record: summary
END

scenario good
scenario late 500us

run run good.yaml -o good.db
expect_status 0 "a run"
expect_line out '^good: 1 tasks? on .*cpu 0\.100' "prints utilisations first"
expect_line out '^good +fifo-cke +ok +3 +0 ' "and what came of it"
expect_no_output_on_stderr "without progress off a terminal"
expect_no_file good.db.part "the recording has its final name"
run_command sqlite3 good.db 'PRAGMA integrity_check; SELECT count(*) FROM job WHERE NOT missed'
expect_out "and can be read by others" <<'END'
ok
6
END

run run good.yaml -o good.db
cp err first
expect_status 2 "an existing recording is not overwritten"
run run good.yaml -o good.db --force -p rm
expect_status 0 "unless forced to"
run query good.db 'SELECT DISTINCT policy FROM v_run' --format csv
expect_out "and then replaced" <<'END'
policy
rm
END

run run late.yaml
expect_status 0 "misses are an answer"
run run late.yaml --strict
expect_status 1 "under --strict the answer is no"
run run good.yaml --strict
expect_status 0 "without a miss it is yes"

# Allocations: commas in brackets belong to the list, and the printed label can be typed again.
cat >kernels.yaml <<'END'
cegsim: 1
horizon: 20ms
platform: {gpu: {sms: 4}}
tasks:
  - {name: a, period: 10ms, segments: [{kernel: {time: 1ms}}]}
  - {name: b, period: 10ms, segments: [{kernel: {time: 1ms}}]}
END
sed 's/kernel: {time: 1ms}/kernel: {work: 4ms}/' kernels.yaml >work.yaml
run run work.yaml -p 'stgm:allocation=[2,1],wait=suspend' --format csv -o list.db
expect_status 0 "a list in brackets"
expect_line out '^scenario,policy,status,jobs,misses,energy_uj,energy_rest_uwns,end_ns,events,digest,reason$' \
	"whole numbers for programs"
expect_line out '^work,"[^"]*",ok,4,0,,,[0-9]+,' "without a point"
label=$(sed -n 's/^work,"\(.*\)",ok,.*/\1/p' out)
digest=$(sed -n 's/^work,.*,\([0-9a-f]\{16\}\),.*/\1/p' out)
[ "$label" = 'stgm:wait=suspend,allocation=[2,1]' ]
report $? "is printed as it can be typed"
run run work.yaml -p "$label"
expect_status 0 "and typed"
expect_line out " $digest" "with the same schedule"
run run list.db
expect_status 0 "and repeated from a recording"
run run work.yaml -p rtgpu -p fifo-cke -q -o refused.db --format csv
expect_line out '^work,rtgpu,refused,,,,,,,,"?task .a.: .*no interleave ratio' "a refused run has no figures: 0 misses would be one"
expect_line out '^work,fifo-cke,ok,4,0,' "others have"
run run refused.db --format csv
expect_line out '^1,rtgpu,refused,,,,,yes$' "nor has it when it is repeated"
run run work.yaml -p 'stgm:allocation=2,1'
expect_status 2 "without brackets it is no list"
expect_err "as the message says" <<'END'
cegsim: error: policy stgm: an option is name=value, and a list name=[1,2], not '1'
END
run run work.yaml -p 'stgm:allocation=[2,1'
expect_status 2 "nor is it with one of them"

# A set that the policy's test refuses, and that runs nevertheless.
sed 's/period: 10ms/period: 1500us/' work.yaml >tight.yaml
run run tight.yaml -p stgm:admit=any -o tight.db
expect_status 0 "a set runs against the test"
expect_line out '^tight +stgm:admit=any +ok .* task .b. needs 3 SMs, and 1 of 4 is left$' \
	"and the verdict stands beside it"
run_command sqlite3 tight.db "SELECT status, failing_task, reason LIKE 'task ''b'' needs%' FROM v_run"
expect_out "and in the recording" <<'END'
ok|b|1
END
run run tight.db
expect_status 0 "from which the run can be repeated"
run audit tight.db
expect_status 0 "and audited"

{
	echo 'cegsim: 1'
	echo 'horizon: 10ms'
	echo 'platform: {gpu: {sms: 3000, work_queues: 128}}'
	echo 'tasks:'
	for i in $(seq 100); do
		echo "  - {name: t$i, period: 100ms, segments: [{kernel: {work: 10us}}]}"
	done
} >hundred.yaml
run run hundred.yaml -o hundred.db -p "stgm:admit=any,allocation=[$(seq -s, 1 50),$(seq -s, 5 54)]"
expect_status 0 "an allocation of a hundred tasks"
run_command sqlite3 hundred.db 'SELECT sum(sms) FROM run_task'
expect_out "is in force" <<'END'
2750
END
run run hundred.db
expect_status 0 "and is read again"

# Two tasks, and an allocation for one.
cat >wrong.yaml <<'END'
cegsim: 1
horizon: 30ms
platform: {preset: jetson-tx2}
tasks:
  - {name: a, period: 10ms, segments: [{kernel: {grid: 2, block: 128, block_time: 1ms}}]}
  - {name: b, period: 10ms, segments: [{kernel: {grid: 2, block: 128, block_time: 1ms}}]}
policies: [{name: stgm, allocation: [1]}, fcfs]
END
run run wrong.yaml -o wrong.db --strict
expect_status 2 "a run that ends as an error is an error"
expect_line err '^cegsim: error: wrong under stgm[^ ]*: .' "which is said"
expect_line out '^wrong +fcfs +ok ' "the other run is made"
run query wrong.db 'SELECT policy, status FROM v_run ORDER BY run_id' --format csv
expect_out "and kept" <<'END'
policy,status
stgm,error
fcfs,ok
END

run run good.yaml -p fifo
expect_status 2 "an unknown policy"
expect_err "has a suggestion" <<'END'
cegsim: error: there is no policy 'fifo'; did you mean 'fifo-cke'?
END
run run good.yaml -p fifo-cke:ordr=head
expect_err "so has an unknown option" <<'END'
cegsim: error: policy fifo-cke has no option 'ordr'; did you mean 'order'?
END
run run good.yaml -o nowhere/good.db
expect_status 3 "a folder that is not there"

# The same scenario gives the same bytes, except for the time that it took.
run run good.yaml -o once.db
run run good.yaml -o again.db
for file in once again; do
	sqlite3 $file.db .dump | sed 's/^INSERT INTO run VALUES.*//' >$file.sql
	sqlite3 $file.db 'SELECT policy_id, digest, jobs, events, energy_uj FROM run' >>$file.sql
done
run_command cmp once.sql again.sql
expect_status 0 "runs can be repeated"

run run once.db
expect_status 0 "also from their recording alone"
expect_line out '^ +1 +fifo-cke +ok +3 +0 +([0-9a-f]{16})  \1  yes$' "with the digest recorded"
run audit once.db
expect_status 0 "and pass the audit"
run_command sqlite3 once.db "UPDATE run SET digest = '0000000000000000' WHERE run_id = 2;
	UPDATE job SET finish_ns = finish_ns + 1 WHERE run_id = 1 AND seq = 1"
run run once.db
expect_status 1 "a run that comes out otherwise is an answer"
run audit once.db
expect_status 1 "and so is a finding of the audit"

# limited BLOCKS ARGUMENT...: runs the program; files may not grow beyond so many blocks of 512 bytes
limited() {
	blocks=$1
	shift
	last="cegsim $*, ulimit -f $blocks"
	status=0
	(
		ulimit -f "$blocks"
		exec "$CEGSIM" "$@"
	) >out 2>err || status=$?
}

limited 64 run good.yaml -o full.db
expect_status 3 "a limit of the file size is an I/O error"
expect_line err '^cegsim: error: ' "with a reason"
expect_no_file full.db "and leaves nothing under the final name"
expect_no_file full.db.part "nor of a recording that could not be begun"
limited 4000 run "$SOURCES/scenarios/examples/vehicle.yaml" --seeds 1..300 --record blocks -o full.db -q
expect_status 3 "so it is later"
expect_line err '^cegsim: error: .*full.db.part' "with a reason"
expect_no_file full.db "and leaves nothing under the final name"
[ -z "$(find . -name 'full.db*')" ]
report $? "nor anything else"
cp once.db amended.db
limited 64 analyze amended.db
expect_status 3 "analyze reports it as well"
expect_line err '^cegsim: error: ' "with a reason"
run_command cmp amended.db once.db
expect_status 0 "and leaves the recording as it was"

# interrupt SIGNAL NAME: the signal arrives when good runs have ended, during an endless one
interrupt() {
	last="cegsim run good.yaml endless.yaml -o $2.db, $1"
	"$CEGSIM" run good.yaml endless.yaml -o "$2.db" >out 2>err &
	pid=$!
	tries=0
	while ! [ -e "$2.db.part" ] && [ $tries -lt 100 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	sleep 0.5
	kill "-$1" $pid
	status=0
	wait $pid 2>wait_says || status=$?
}

interrupt KILL killed
expect_status 137 "a killed run"
expect_no_file killed.db "leaves nothing under the final name"

interrupt INT interrupted
expect_status 130 "an interrupted run"
run_command sqlite3 interrupted.db \
	"SELECT value FROM meta WHERE key = 'status'; SELECT count(*), sum(jobs) FROM run"
expect_out "keeps what had ended, and says that it is not complete" <<'END'
interrupted
2|6
END

# impatient_interrupt: SIGINT again and again, also while the recording is being finished
sed 's/^horizon: 3s/horizon: 30s/' "$SOURCES/scenarios/examples/vehicle.yaml" >long.yaml
last="cegsim run long.yaml endless.yaml -o impatient.db, SIGINT again and again"
"$CEGSIM" run long.yaml endless.yaml -p rm --record blocks -o impatient.db -q >out 2>err &
pid=$!
sleep 2
while kill -INT $pid 2>kill_says; do
	sleep 0.01
done
status=0
wait $pid 2>wait_says || status=$?
expect_status 130 "who cannot wait is told the same"
expect_no_file impatient.db.part "finishing is not cut short"
run_command sqlite3 impatient.db "SELECT value FROM meta WHERE key = 'status'"
expect_out "and what had ended is kept" <<'END'
interrupted
END

# Goals are judged over the whole run.
cat >goal.yaml <<'END'
cegsim: 1
horizon: {cycles: 2000}
platform: {gpu: {sms: 1, threads_per_sm: 2048}}
warp:
  kernels: [{name: k, library: qaws-pc, repeat: true, goal: {ipc: 10}}]
policies: [gto]
END
run run goal.yaml
expect_status 0 "a kernel with a goal"
expect_line err "^cegsim: warning: goal: goals are judged to the end of the run, but with 'stop: drained'" "warns of a drained run"
sed 's/^horizon:/stop: horizon\nhorizon:/' goal.yaml >goal-horizon.yaml
run run goal-horizon.yaml
expect_no_line err 'warning' "and not of one that ends at the horizon"

# --- equal schedules ----------------------------------------------------------------------------

cat >same.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 20ms
platform: {cores: 1, gpu: {sms: 1, threads_per_sm: 1024}}
tasks:
  - {name: a, period: 10, segments: [{cpu: 1}, {kernel: {grid: 1, block: 64, block_time: 2}}]}
  - {name: b, period: 20, segments: [{cpu: 1}, {kernel: {grid: 1, block: 64, block_time: 3}}]}
END
run run same.yaml -p fifo-cke,rm,fcfs
expect_line out '^Runs 2 and 3 are the same schedule: rm, fcfs\.$' "equal schedules are named"
run run same.yaml -p fcfs,fifo-cke,rm,edf
expect_line out '^Runs 1, 3 and 4 are the same schedule: fcfs, rm, edf\.$' "of three runs"
run run same.yaml same.yaml -p fifo-cke
expect_no_line out 'same schedule' "but not those of two scenarios"
run run same.yaml -p rm,fcfs --format csv
expect_no_line out 'same schedule' "and not between the rows of CSV"

# --- energy -------------------------------------------------------------------------------------

cat >megawatts.yaml <<'END'
cegsim: 1
horizon: 500000000s
limit: 1000000000s
platform: {preset: jetson-tx2, power: {static: 1000000W}}
tasks: [{name: a, period: 500000000s, segments: [{cpu: 1s}]}]
policies: [rm]
record: jobs
END
run run megawatts.yaml -o megawatts.db -q
expect_status 2 "an energy that 64 bits of microjoules do not hold"
expect_line err 'its energy is 5e\+14 J, and a recording can hold 9\.22e\+12 J' "is said"
run query megawatts.db 'SELECT status, energy_uj, (SELECT count(*) FROM job) FROM run' --format csv
expect_line out '^error,,0$' "and not recorded as another one"

finish
