#!/bin/sh
# Suite long: bounds against a million adversarial schedules. No sound analysis is exceeded. The unsafe variants are, and
# the search finds each within a minute.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

sets=${1:-60}
total=0

# held NAME POLICY ANALYSIS FILE: no bound is exceeded; adds up the evaluations
held() {
	run search "$4" -p "$2" -a "$3" --format csv
	expect_status 0 "$1: $3 under $2"
	tally=$(awk -F, 'NR > 1 { sum += $NF; sets += $(NF - 5) } END { printf "%d %d", sum, sets }' out)
	total=$((total + ${tally% *}))
	report "${tally#* }" "$1: $3 under $2 is nowhere exceeded"
}

for load in 60 90; do
	run gen custom tasks=3 sections=2 lo_ratio=10% utilisation=$load% -n "$sets" -o sets.db --force -q
	expect_status 0 "sets at $load %"
	held "$load %" rtgpu rtgpu sets.db
	held "$load %" rtgpu rtgpu:form=start-time,gaps=response sets.db
	held "$load %" stgm stgm sets.db
	held "$load %" stgm:exclusive=false stgm sets.db
	held "$load %" mpcp mpcp sets.db
	held "$load %" mpcp:wait=busy mpcp sets.db
	held "$load %" self-suspension self-suspension sets.db
	held "$load %" self-suspension self-suspension:form=start-time,gaps=response sets.db
done
# Sets of SMs that overlap without being equal, and kernels some of which are much longer than others.
for allocation in 1,2,1,3,2 2,1,3,1,2; do
	run gen custom tasks=5 sms=4 copies=none cpu=1ms..2ms gpu=1ms..60ms lo_ratio=10% utilisation=60% -n "$sets" \
		-o meeting.db --force -q
	expect_status 0 "sets of SMs that meet: $allocation"
	held "on $allocation SMs" "stgm:exclusive=false,allocation=[$allocation]" stgm meeting.db
done
[ "$sets" -lt 60 ] || [ "$total" -ge 1000000 ]
report $? "at least a million schedules were tried ($total)"

# ---- what is known to be unsafe ----------------------------------------------------------------
began=$(date +%s)
run gen custom tasks=3 sections=1 lo_ratio=50% utilisation=90% -n 300 -o small.db -q
run search small.db -p stgm -a stgm:blocking=textbook --method climb --format csv
expect_status 0 "unsafe variants do not fail a search"
exceeded=$(awk -F, 'NR > 1 { sum += $(NF - 1) } END { print sum + 0 }' out)
[ "$exceeded" -gt 0 ] && [ $(($(date +%s) - began)) -le 60 ]
report $? "one copy of a lower task is not all that blocks ($exceeded sets)"
began=$(date +%s)
run search "$SOURCES/scenarios/papers/suspension-jitter.yaml" -t tau3 -a self-suspension:method=jitter \
	-a self-suspension:method=bletsas --jobs-per-task 30 --budget 30000 --seed 2 --format csv
expect_status 0 "suspension as jitter"
expect_line out '^self-suspension,tau3,,self-suspension:method=jitter \(unsafe\),12000000,21950000,.*,exceeded,' "is exceeded"
expect_line out '^self-suspension,tau3,,self-suspension:method=bletsas,22000000,21950000,.*,holds,' "the right jitter is not"
[ $(($(date +%s) - began)) -le 60 ]
report $? "and found within a minute"

# hunted RECORDING POLICY UNSAFE SOUND: near sets of the recording the one is exceeded, the other not. The budget
# is a number of simulations, so the result is the same everywhere.
hunted() {
	run search "$1" -p "$2" -a "$3" -a "$4" --method hunt --format csv -q
	expect_status 0 "$4 stands near all sets"
	[ "$(awk -F, '/unsafe/ && /,hunt,/ { print $(NF - 1) }' out)" -gt 0 ]
	report $? "$3 falls near some"
}
run gen custom tasks=3 sections=1 -n 30 -o near.db -q
hunted near.db stgm stgm:blocking=textbook stgm
run gen gcaps tasks=4 gpu_tasks=25% gpu_segments=5 lo_ratio=0% utilisation=70%..90% misc_as=cpu -n 300 -o one.db -q
hunted one.db self-suspension self-suspension:method=jitter self-suspension:method=bletsas

# A condition for bounded responses gives no bound to exceed: responses grow with the horizon in sets it accepts.
for horizon in 1s 10s; do
	cat >claim.yaml <<-END
	cegsim-campaign: 1
	seed: 1
	sets: 100
	generate: {recipe: custom, tasks: 3, kernel: grid, cpu: 0s, copies: none, sms: 2, gpu: 1ms..5ms,
	  utilisation: [50%, 100%, 200%], task_utilisation: 0%..180%}
	analyses: [{name: fifo-utilisation, condition: literal}, {name: fifo-utilisation, condition: overlapping}, fifo-utilisation]
	policies: [fifo-cke]
	run: {horizon: $horizon, stop: drained}
	END
	run sweep claim.yaml -o claim.db --force -q
	run query claim.db "SELECT json_extract(a.params, '\$.condition'), count(DISTINCT CASE WHEN
		t.max_response_ns > 0.05 * r.horizon_ns THEN r.run_id END) FROM analysis_run a JOIN run r
		USING (taskset_id, platform_id, policy_id) JOIN run_task t USING (run_id)
		WHERE a.verdict = 'schedulable' GROUP BY 1" --format csv
	expect_line out '^literal,12$' "12 sets that the literal condition accepts grow with $horizon"
	expect_line out '^overlapping,13$' "13 that U_sum <= mu accepts"
	expect_line out '^proven,0$' "none that the proven one accepts"
done
finish
