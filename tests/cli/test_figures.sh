#!/bin/sh
# The numbers of the general figures, compared with a second computation from the base tables alone (figures_check.py):
# runs of the examples, unchanged, overloaded, with late jobs dropped or aborted, and cut short; campaigns of random sets
# on several platforms, with replications, refusals, energy and decisions; kernels of warps. With the argument `long`
# there are more and larger campaigns.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

EXAMPLES=$SOURCES/scenarios/examples
CHECK=$SOURCES/tests/cli/figures_check.py
runs='misses energy tightness bounds speed-up response-cdf response-cdf-normalised response-tail response-tail-normalised response-box response-box-normalised
	utilisation power energy-window occupancy prediction-error'
sets='acceptance grid miss-ratio energy-by-utilisation scaling'
warps='stalls epochs warps'

# agree FILE.db NAME FIGURE[,PARAMETER=VALUE...]...: the figures must be right, also if there is nothing to draw
agree() {
	file=$1 name=$2
	shift 2
	run_command python3 "$CHECK" --all "$CEGSIM" "$file" "$@"
	[ "$status" -eq 0 ] && grep -q '^ok' out
	report $? "$name: its figures have its numbers" || grep -v '^ok' out | sed 's/^/#   /'
}

# overload SED: writes over.yaml: the example of all policies with shorter periods, changed by SED
overload() {
	sed -e 's/^horizon: 20s/horizon: 200ms\nstop: horizon/; s/period: 25$/period: 8/; s/deadline: 12/deadline: 5/' \
		-e 's/period: 60/period: 15/; s/period: 80/period: 20/; s/period: 150/period: 30/; s/period: 400/period: 500/' \
		-e "$1" "$EXAMPLES/policies.yaml" >over.yaml
}

if [ "${1:-}" = long ]; then
	seeds='1 2 3 4 5 6 7 8' count=6
else
	seeds='1' count=2
fi

sed 's/^horizon: 20s/horizon: 400ms/' "$EXAMPLES/policies.yaml" >run.yaml
run run run.yaml -o run.db -q
run analyze run.db
# shellcheck disable=SC2086 # lists of names
agree run.db "every policy" $runs power,from=10,to=50 power,run=3,to=1e9 occupancy,from=3,to=45.5 \
	occupancy,from=3,to=3.0005 energy-window,window=0.5 energy-window,window=5000 energy-window,window=-1 speed-up,baseline=rm tightness,analysis=mpcp bounds,analysis=rtgpu \
	misses,run=2 response-cdf,task=map response-tail,task=map response-box,run=9 utilisation,run=8 occupancy,run=4 acceptance energy,taskset=1
for kind in drop abort limit worst; do
	case $kind in
	drop) overload 's/^seed:/on_miss: drop\n&/' ;;
	abort) overload 's/^seed:/on_miss: abort\n&/; s/^record: .*/record: jobs/' ;;
	limit) overload 's/^stop: .*/limit: 220ms/; s/^record: .*/record: summary/' ;;
	worst) overload 's/^execution: .*/execution: worst/' ;;
	esac
	run run over.yaml -o over.db -q --force
	run analyze over.db
	# shellcheck disable=SC2086
	agree over.db "overload, $kind" $runs
done
overload 's/^horizon: .*/horizon: 4s/; s/^policies: .*/policies: [fcfs, rm]/; s/^record: .*/record: segments/'
run run over.yaml -o many.db -q
agree many.db "more than 400 values" response-cdf response-cdf-normalised response-tail response-tail-normalised response-box power power,to=2000 energy-window misses
sed 's/^horizon: 2s/horizon: 200ms/' "$EXAMPLES/profiles-rtx3070.yaml" >profiles.yaml
run run profiles.yaml -o profiles.db -q
agree profiles.db "kernels with profiles" scaling response-cdf utilisation power energy grid prediction-error

sed 's/^replications: .*/replications: 4/; s|\.\./examples|'"$EXAMPLES"'|; s/, jetson-agx-orin//
	s/^    platform.copy/    horizon: [200ms, 300ms]\n&/' "$SOURCES/scenarios/campaigns/test-car.yaml" >car.yaml
run sweep car.yaml -j 1 -q -o car.db
agree car.db "a campaign of a scenario" misses-by-bandwidth response-by-bandwidth response-by-bandwidth,task=camera \
	grid grid,axis=platform.copy.bandwidth misses response-cdf acceptance miss-ratio

for seed in $seeds; do
	cat >platforms.yaml <<-YAML
		cegsim-campaign: 1
		seed: $seed
		sets: $count
		replications: 2
		generate: {recipe: rtgpu-table1, tasks: 3, subtasks: [2, 3], utilisation: [60%, 150%]}
		platforms: [{preset: jetson-agx-xavier}, {preset: t400}, {preset: t400, copy: {engines: unlimited}}]
		analyses: [stgm, rtgpu, {name: rtgpu, form: start-time}]
		bounds: true
		policies: [{name: fcfs, unit: kernel}, fcfs, {name: stgm, admit: any}, rtgpu]
		run: {horizon: {periods: 1}, stop: horizon, execution: uniform, release: {sporadic: {max_delay: 20%}}}
		detail: {record: segments, sets: [0]}
	YAML
	cat >boards.yaml <<-YAML
		cegsim-campaign: 1
		seed: $seed
		sets: $((count + 1))
		replications: 2
		generate: {recipe: sbeet, mode: uunifast, swap: [true, false], gpu: [t400, synthetic-8sm], utilisation: [40%, 140%]}
		policies: [fcfs, {name: stgm, test: utilization}, sbeet, {name: sbeet, queue: fcfs}]
		run: {horizon: 500ms, stop: horizon, on_miss: drop, execution: uniform}
		record: segments
	YAML
	cat >one.yaml <<-YAML
		cegsim-campaign: 1
		seed: $seed
		sets: 1
		generate: {recipe: gcaps, tasks: [[3], [5]]}
		policies: [rm, fcfs, mpcp]
		run: {horizon: {periods: 2}, on_miss: abort}
	YAML
	for campaign in platforms boards one; do
		run sweep $campaign.yaml -j 1 -q -o $campaign.db --force
		expect_status 0 "seed $seed: $campaign"
	done
	# shellcheck disable=SC2086
	agree platforms.db "seed $seed: three platforms" $sets $runs acceptance,platform=t400 grid,axis=subtasks energy,taskset=2 \
		speed-up,taskset=3 miss-ratio,platform=jetson-agx-xavier
	# Rare cases: bounds that are exceeded, runs that were cut short or crashed.
	run_command python3 -c "import sqlite3; d = sqlite3.connect('platforms.db'); d.executescript('''
		UPDATE bound SET bound_ns = bound_ns / 3 WHERE task_id % 2;
		UPDATE run SET status = 'truncated' WHERE status = 'ok' AND run_id % 5 = 0;
		DELETE FROM run_task WHERE run_id % 7 = 0; DELETE FROM segment_interval WHERE run_id % 7 = 0;
		DELETE FROM power_interval WHERE run_id % 7 = 0; DELETE FROM job WHERE run_id % 7 = 0;
		UPDATE run SET status = 'error', jobs = NULL, misses = NULL, stop_ns = NULL, window_ns = NULL, energy_uj = NULL,
			energy_rest_uwns = NULL WHERE run_id % 7 = 0;''')"
	# shellcheck disable=SC2086
	agree platforms.db "seed $seed: with exceeded bounds and runs that failed" $sets $runs bounds,limit=7
	# shellcheck disable=SC2086
	agree boards.db "seed $seed: two boards" $sets $runs grid,axis=gpu grid,axis=swap,platform=t400 \
		energy-by-utilisation,platform=t400 prediction-error,taskset=1 scaling,taskset=5 misses,taskset=5 \
		response-cdf,taskset=6
	# shellcheck disable=SC2086
	agree one.db "seed $seed: sets without a utilisation" $sets $runs grid,axis=tasks
done

sed 's/^horizon: .*/horizon: 30us/' "$EXAMPLES/warps.yaml" >warps.yaml
run run warps.yaml -o warps.db -q
# shellcheck disable=SC2086
agree warps.db "kernels of warps" $warps $runs stalls,run=3 epochs,run=4 epochs,run=2,kernel=alarm
sed 's/^sets: .*/sets: 2/; s/goal: \[50%, .*/goal: [50%, 80%]/; s/200us/12us/' "$SOURCES/scenarios/campaigns/qos-fig6a.yaml" >qos.yaml
run sweep qos.yaml -j 1 -q -o qos.db
agree qos.db "a campaign of such" stalls warps,taskset=3 epochs grid speed-up misses response-cdf

finish
