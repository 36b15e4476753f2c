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
finish
