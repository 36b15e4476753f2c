#!/bin/sh
# If a recording's level leaves something out, the program says so: an empty table must not look like "nothing happened".
# Tested for all named queries and figures, for users' statements, and for recordings in which only some runs have the
# level.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

cp "$SOURCES/scenarios/examples/quickstart.yaml" small.yaml
cp "$SOURCES/scenarios/examples/warps.yaml" warps.yaml
for level in summary jobs segments blocks; do
	run run small.yaml --record $level -o $level.db -q
done
run run warps.yaml --record jobs -o warps.db -q

# has LEVEL NEEDED: do runs at LEVEL have what needs NEEDED?
has() {
	case $2/$1 in
	jobs/summary | segments/summary | segments/jobs | blocks/summary | blocks/jobs | blocks/segments) return 1 ;;
	esac
}

# ---- every named query, at every level ----
run list queries --format json
sed -n 's/^{"query": "\([^"]*\)".*"level": "\([a-z]*\)[,"].*/\1 \2/p' out | sort -u >levels
sed -n 's/^{"query": "\([^"]*\)".*"level": null.*/\1 -/p' out | sort -u >>levels
[ "$(grep -c ' -$' levels)" -gt 20 ] && [ "$(grep -vc ' -$' levels)" -gt 10 ]
report $? "the list of queries says what each needs"
run list queries
expect_line out '^where-time-went +segments +where the time of one job went' "also the one for people"
run list figures
expect_line out '^gantt +segments +schedule of a run' "as does that of figures"
run list queries --format json
sed -n 's/^{"query": "\([^"]*\)".*"level": "[a-z]*, of warps".*/\1/p' out | sort -u >of_warps
: >wrong
for level in summary jobs segments blocks; do
	while read -r name needed; do
		run query $level.db "@$name" --format csv
		if grep -qx "$name" of_warps; then
			[ $status -eq 2 ] && grep -q "^cegsim: error: @$name is about kernels of warps; " err
		elif has $level "$needed"; then
			[ $status -eq 0 ] && ! grep -q needs err
		else
			[ $status -eq 2 ] && ! [ -s out ] &&
				grep -Eqx "cegsim: error: @$name needs runs recorded with --record $needed; (the recording holds|run 1 was recorded with) $level" err
		fi || echo "$level @$name: $status $(cat err)" >>wrong
	done <levels
done
compare wrong "each answers, or says what it needs" </dev/null

# ---- views of waiting: without intervals all of a job would look like it ----
for view in v_wait v_wait_sum v_why; do
	run query jobs.db "SELECT count(*) FROM $view" --format csv
	[ "$(tail -1 out)" = 0 ] && grep -q 'needs runs recorded with --record segments; the recording holds jobs$' err
	report $? "$view says nothing of runs without intervals"
done

# ---- the sentence ----
run query jobs.db @where-time-went
expect_status 2 "no intervals at level jobs"
expect_err "which is said, and how to get them" <<'END'
cegsim: error: @where-time-went needs runs recorded with --record segments; run 1 was recorded with jobs
END
run query summary.db @misses
expect_err "also of all runs" <<'END'
cegsim: error: @misses needs runs recorded with --record jobs; the recording holds summary
END
run query warps.db @issues
expect_err "of instructions of warps" <<'END'
cegsim: error: @issues needs runs recorded with --record issues; run 1 was recorded with jobs
END
run query blocks.db @stalls
expect_err "and of what tasks do not have at any level" <<'END'
cegsim: error: @stalls is about kernels of warps; no run of the recording has any
END
run query --describe summary.db @occupancy
expect_line out '^Needs runs recorded with --record blocks\.$' "a description has it"

# ---- what a parameter names and is not there ----
for wrong in 'run=99 @misses run' 'task=nobody @misses task' 'taskset=7 @bounds task set' 'policy=none @curves policy' \
	'platform=moon @sbeet-fig8 platform'; do
	# shellcheck disable=SC2086 # three words
	set -- $wrong
	run query blocks.db "$2" -P "$1"
	expect_status 2 "-P $1 is no empty answer"
	expect_line err "^cegsim: error: blocks\.db has no ${3}.* '${1#*=}'; it has: " "but said"
done

run run warps.yaml -p lrr --record issues -o issues.db -q
run query issues.db @issues -P sm=4
expect_status 2 "an SM that is not there is no empty answer"
expect_err "but said" <<'END'
cegsim: error: issues.db, run 1, has no SM '4'; it has: 0, 1, 2, 3
END
run query issues.db @issue-strip -P sub_core=one
expect_status 2 "nor is a sub-core"
expect_err "nor is one that is no number" <<'END'
cegsim: error: issues.db has no sub-core 'one'; it has: 0, 1, 2, 3
END
run query issues.db @issues -P sm=3 -P sub_core=3 --format csv
expect_status 0 "the last ones are there"
run query blocks.db @issues -P sub_core=0
expect_status 2 "without warps there are none"
expect_err "which is said" <<'END'
cegsim: error: blocks.db, run 1, has no sub-core '0'
END

# ---- statements of users ----
run query jobs.db 'SELECT * FROM segment_interval'
expect_status 0 "SQL is answered"
expect_err "with a hint where there can be no rows" <<'END'
cegsim: note: segment_interval needs runs recorded with --record segments; the recording holds jobs
END
run query summary.db 'SELECT count(*), max(response_ms) FROM v_job'
expect_err "through a view, and where 0 is counted of nothing" <<'END'
cegsim: note: job needs runs recorded with --record jobs; the recording holds summary
END
for quiet in 'SELECT count(*) FROM v_job' 'SELECT * FROM run WHERE 0' 'SELECT * FROM v_job WHERE missed AND seq > 1000'; do
	run query jobs.db "$quiet"
	expect_no_output_on_stderr "nothing is said of: $quiet"
done
run query segments.db 'SELECT * FROM v_gantt LIMIT 3'
expect_no_output_on_stderr "nor of a view that has something to say without blocks"
run plot jobs.db 'SELECT start_ns AS x, end_ns AS y FROM block_interval' --chart points -o no.svg
expect_status 1 "a chart of no rows"
expect_err "says it, too" <<'END'
cegsim: error: the query has no rows; block_interval needs runs recorded with --record blocks; the recording holds jobs
END

# ---- figures, traces ----
run list figures --format json
sed -n 's/^{"figure": "\([^"]*\)".*"level": "\([a-z]*\)"}.*/\1 \2/p' out | sort -u >figures
[ "$(wc -l <figures)" -gt 10 ]
report $? "figures need levels"
: >wrong
while read -r name needed; do
	case $name in
	gantt | power | utilisation | occupancy | energy-window | prediction-error | sbeet-fig6) ;;
	*) continue ;;
	esac
	for level in summary jobs segments; do
		has $level "$needed" && continue
		run plot $level.db "$name" -o no.svg
		[ $status -eq 2 ] && grep -q "^cegsim: error: figure $name needs runs recorded with --record $needed; .* $level\$" err ||
			echo "$level $name: $status $(cat err)" >>wrong
	done
done <figures
compare wrong "each says what it needs" </dev/null
expect_no_file no.svg "and draws nothing"
run plot warps.db epochs -P run=1 -o epochs.svg
expect_status 0 "what is there is drawn"
run trace summary.db -r 1 -o no.pftrace
expect_status 2 "a trace without jobs"
expect_err "says it in the same words" <<'END'
cegsim: error: a trace needs runs recorded with --record jobs; run 1 was recorded with summary
END

run audit jobs.db
expect_status 0 "the audit of a recording with jobs"
expect_line out '^3 runs: [0-9]+ laws hold, [0-9,]+ rows; [0-9]+ do not apply; 2[0-9] were not checked, as too little was recorded: [0-9]+ need --record segments, [0-9]+ need --record blocks$' \
	"says that it does not know everything"
run audit summary.db
expect_line out ' were not checked, as too little was recorded: [0-9]+ need --record jobs, [0-9]+ need --record segments, ' \
	"of a summary it says what is left out"
run audit blocks.db
expect_line out '^3 runs: [0-9]+ laws hold, [0-9,]+ rows; [0-9]+ do not apply$' "and nothing of the kind where it does"

# Of many jobs the law `waits` asks about a thousand, a few rows each.
sed 's/^horizon:.*/horizon: 20s/' small.yaml >long.yaml
run run long.yaml -p rm --record segments -o long.db -q
run audit long.db -v --format csv
expect_status 0 "the audit of a recording with 3,500 jobs"
asked=$(sed -n 's/^waits,.*",1,0,0,\([0-9]*\),0,.*/\1/p' out)
run query long.db "SELECT count(DISTINCT task_id * 100000 + seq) FROM v_wait" --format csv
jobs=$(tail -1 out)
run query long.db "SELECT count(*) FROM v_wait" --format csv
rows=$(tail -1 out)
[ "${asked:-0}" -gt 0 ] && [ "$((asked * 2))" -lt "$rows" ] && [ "$jobs" -gt 3000 ]
report $? "the law waits is asked about some of its jobs: $asked of $rows rows, $jobs jobs"

# ---- some runs have it ----
cat >some.yaml <<'END'
cegsim-campaign: 1
name: some
sets: 3
generate: {recipe: rtgpu-table1, subtasks: 3, utilisation: 30%}
policies: [fifo-cke]
run: {horizon: {periods: 2}, stop: horizon}
detail: {record: segments, sets: [1]}
END
run sweep some.yaml -o some.db -q
expect_status 0 "a campaign with one set in detail"
run query some.db @utilisation --format csv
expect_status 0 "an answer of some runs"
expect_err "says how many are left out" <<'END'
cegsim: note: 2 of 3 runs are left out: @utilisation needs record: segments (in the campaign), and they were recorded with summary
END
run query some.db @utilisation -P run=2 --format csv
expect_status 0 "the run that has it"
expect_no_output_on_stderr "needs no word"
run query some.db @schedule -P run=1 --format csv
expect_status 2 "one of those that have it not"
expect_err "is told so" <<'END'
cegsim: error: @schedule needs runs recorded with record: segments (in the campaign); run 1 was recorded with summary
END
run query some.db 'SELECT count(*) FROM segment_interval' --format csv
expect_err "statements are told the same" <<'END'
cegsim: note: 2 of 3 runs have no rows in it: segment_interval needs record: segments (in the campaign), and they were recorded with summary
END

# ---- nothing has run ----
run gen rtgpu-table1 -n 1 -o sets.db -q
run query sets.db @misses
expect_err "a recording without runs" <<'END'
cegsim: note: the recording holds no run
END
for question in @overview @acceptance 'SELECT * FROM v_run'; do
	run query sets.db "$question"
	expect_err "also where every level does: $question" <<'END'
cegsim: note: the recording holds no run
END
done
run query sets.db 'SELECT count(*) FROM task'
expect_no_output_on_stderr "but not where nobody asks for runs"
for question in @bounds @tightness 'SELECT * FROM v_bound_check'; do
	run query jobs.db "$question"
	expect_status 0 "$question without bounds is answered"
	expect_err "with what is missing" <<'END'
cegsim: note: the recording holds no bounds; cegsim analyze FILE.db stores them
END
done
cp jobs.db bounded.db
run analyze bounded.db
run query bounded.db @bounds
expect_no_output_on_stderr "nothing is missing behind an analysis"
run audit sets.db
expect_line out '^0 runs: there is no run to check$' "nor does the audit find that nothing is wrong"
finish
