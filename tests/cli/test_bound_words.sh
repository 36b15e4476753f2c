#!/bin/sh
# The words about a bound and a task in a run. There is a recording for every word, on both sides of its edges. Everything
# that compares bounds with runs is asked about each: v_bound_check, @tightness, validate with stored and with computed
# bounds, the figures; and search, for the words that a search can reach.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

CHECK=$SOURCES/tests/cli/figures_check.py
words='outside removing unbounded beyond_period not_assumed exceeded truncated unanswered holds'

sql() {
	python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()' "$1" "$2"
}

# count WORD: "0,0,1,0,..." for one task in one run
count() {
	for each in $words; do
		[ "$each" = "$1" ] && printf '1,' || printf '0,'
	done
}

# A task of 4 in every 10 ms, alone: fp gives the bound 4, and the run reaches it.
cat >base.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 40
tasks:
  - {name: a, period: 10, segments: [{cpu: 4}]}
policies: [rm]
record: jobs
END
run run base.yaml -o base.db -q
run analyze base.db -a fp

# said WORD CASE [STORED]: of case.db; with STORED, a bound computed now would be another one
said() {
	word=$1 name=$2 verdict=$(echo "$1" | tr _ ' ') holds='' draws=1 code=0 ratios=,
	[ "$word" = holds ] && holds=1 draws=0
	[ "$word" = exceeded ] && holds=0 draws=0 code=1
	[ "$holds" ] && ratios='[0-9.]+,[0-9.]+'
	run query case.db "SELECT verdict, holds FROM v_bound_check" --format csv
	expect_line out "^$verdict,$holds\$" "$name: v_bound_check says $verdict"
	run query case.db @tightness --format csv
	expect_line out ",sound,$(count "$word")$ratios\$" "$name: @tightness counts it"
	run validate case.db --format csv
	expect_status "$code" "$name: the status of validate"
	expect_line out "^rm,.*,fp,.*,sound,1,0,1,$(count "$word")$ratios,[01]," "$name: validate says the same of what is stored"
	if [ $# -lt 3 ]; then
		cp case.db computed.db
		sql computed.db "DELETE FROM bound; DELETE FROM analysis_run"
		run validate computed.db -a fp --format csv
		expect_status "$code" "$name: and with a bound computed now"
		expect_line out "^rm,.*,fp,.*,sound,1,0,1,$(count "$word")$ratios,[01]," "$name: it says so, too"
	fi
	for figure in tightness bounds; do
		run plot case.db $figure --script case.gp --force
		expect_status "$draws" "$name: the figure '$figure' $([ $draws -eq 0 ] && echo has it || echo leaves it out)"
	done
	run_command python3 "$CHECK" --all "$CEGSIM" case.db tightness bounds
	expect_status 0 "$name: at its place"
}

# changed SQL WORD CASE [STORED]
changed() {
	cp base.db case.db
	sql case.db "$1"
	shift
	said "$@"
}

longest='UPDATE run_task SET max_response_ns ='
unfinished='UPDATE run_task SET responses = responses - 1, worst_lower_bound_ns ='
trace="INSERT INTO release_trace VALUES (1, 'x'); UPDATE task SET release_kind = 'trace', trace_id = 1;"

cp base.db case.db
said holds "a response that is its bound"
changed "$longest 4000001" exceeded "1 ns more"
changed "$longest 3999999" holds "1 ns less"
changed "$unfinished 3999999" unanswered "a job that is unfinished below the bound"
changed "$unfinished 4000000" exceeded "one that is unfinished at the bound takes longer"
changed "UPDATE run_task SET jobs = 0, responses = 0, max_response_ns = NULL" unanswered "no job at all"
changed "UPDATE run SET status = 'truncated'" truncated "a run that was cut short"
changed "UPDATE run SET status = 'truncated'; $longest 4000001" exceeded "a run that was cut short, with an excess"
changed "UPDATE run SET status = 'truncated'; $unfinished 4000000" exceeded "the same of an unfinished job"
changed "UPDATE run SET status = 'truncated'; $unfinished 3999999" truncated "and without"
changed "UPDATE run SET on_miss = 'drop'; $longest 4000001" removing "jobs are dropped"
changed "UPDATE run SET on_miss = 'abort'" removing "jobs are aborted"
changed "$trace INSERT INTO trace_release VALUES (1, 0, 0), (1, 1, 9999999); $longest 4000001" outside \
	"a release 1 ns too near"
changed "$trace INSERT INTO trace_release VALUES (1, 0, 0), (1, 1, 10000000); $longest 4000001" exceeded \
	"and one at the period"
changed "$trace INSERT INTO trace_release VALUES (1, 0, 0); INSERT INTO trace_duration VALUES (1, 0, 0, 4000001);
	$longest 4000001" outside "a time beyond the worst"
changed "$trace INSERT INTO trace_release VALUES (1, 0, 0); INSERT INTO trace_duration VALUES (1, 0, 0, 4000000)" holds \
	"and the worst"
changed "UPDATE bound SET bound_ns = NULL" unbounded "no bound" stored
changed "UPDATE bound SET bound_ns = 10000000" holds "a bound at the period" stored
changed "UPDATE bound SET bound_ns = 10000001" beyond_period "a bound beyond it" stored
changed "UPDATE bound SET bound_ns = 10000001; $longest 10000002" beyond_period "even if it is exceeded" stored

changed "UPDATE bound SET assumes = '[0]'" holds "a bound that rests on a task that is in time" stored
late="UPDATE bound SET assumes = '[0]'; UPDATE task SET deadline_ns ="
changed "$late 3999999" not_assumed "on one that is late" stored
changed "$late 3999999; $longest 4000001" not_assumed "even if it is exceeded" stored
changed "$late 4000001; $longest 4000001" exceeded "and exceeded, if it is not late" stored

# What people read about an unfinished job: its response is not known, only that it is longer.
cp base.db case.db
sql case.db "$unfinished 4000000; UPDATE job SET outcome = 3, finish_ns = NULL WHERE seq = 3;
	UPDATE run SET stop_ns = 34000000"
run validate case.db
expect_line out "^fp under rm: exceeded once\$" "validate says how often"
expect_line out "^  first: run 1, task 'a', job 3: observed more than 4 ms, bound 4 ms\$" "and what is known of the first"
run validate case.db --format json
expect_line out '"task": "a", "seq": 3, "observed_ns": 4000000, "bound_ns": 4000000' "json has whole nanoseconds"

# A task that has no bound: more work than time.
sed 's/^  - .*/&\n  - {name: b, period: 20, segments: [{cpu: 13}]}/; s/^horizon: .*/horizon: 20/' base.yaml >over.yaml
run run over.yaml -o over.db -q
for stored in 0 1; do
	run validate over.db -a fp --format csv
	expect_line out '^rm,.*,fp,.*,sound,1,0,1,0,0,1,0,0,0,0,0,1,1,1,' "no bound, $([ $stored -eq 0 ] && echo computed || echo stored)"
	run analyze over.db -a fp
done

# ---- recordings of earlier versions ----
cp base.db case.db
sql case.db "DROP VIEW v_bound_check; CREATE VIEW v_bound_check AS SELECT 'other' AS analysis, 0 AS holds FROM bound;
	DELETE FROM column_doc WHERE tbl = 'v_bound_check' AND col = 'verdict'; PRAGMA user_version = 2; $longest 4000001"
said exceeded "a recording of version 2, with a view of its time"
run view case.db -o case.html
expect_status 0 "a page of it"
# The view as programs wrote it then; a stranger's would not be read.
cat >v_bound.sql <<'END'
CREATE VIEW v_bound AS
WITH part AS (
	SELECT analysis_run_id, task_id, sum(CASE part WHEN 'own' THEN amount_ns ELSE 0 END) AS own_ns,
		sum(CASE part WHEN 'copy' THEN amount_ns ELSE 0 END) AS copy_ns,
		sum(CASE part WHEN 'gpu' THEN amount_ns ELSE 0 END) AS gpu_ns,
		sum(CASE part WHEN 'blocking' THEN amount_ns ELSE 0 END) AS blocking_ns,
		sum(CASE part WHEN 'interference' THEN amount_ns ELSE 0 END) AS interference_ns
	FROM bound_part GROUP BY analysis_run_id, task_id)
SELECT a.analysis_run_id, a.analysis, a.params AS analysis_params, a.safety, p.name AS policy, p.params,
	l.name AS platform, a.taskset_id, a.verdict, b.task_id, t.name AS task, b.rank,
	t.deadline_ns / 1e6 AS deadline_ms, b.bound_ns / 1e6 AS bound_ms,
	coalesce(b.bound_ns <= t.deadline_ns, 0) AS meets,
	r.own_ns / 1e6 AS own_ms, r.copy_ns / 1e6 AS copy_ms, r.gpu_ns / 1e6 AS gpu_ms,
	r.blocking_ns / 1e6 AS blocking_ms, r.interference_ns / 1e6 AS interference_ms
FROM bound b JOIN analysis_run a USING (analysis_run_id) JOIN task t ON t.task_id = b.task_id
	JOIN policy p ON p.policy_id = a.policy_id JOIN platform l ON l.platform_id = a.platform_id
	LEFT JOIN part r ON r.analysis_run_id = b.analysis_run_id AND r.task_id = b.task_id;
END
cp base.db case.db
sql case.db "DROP VIEW v_bound_check; DROP VIEW v_bound; ALTER TABLE bound DROP COLUMN assumes; PRAGMA user_version = 3;
	$(cat v_bound.sql)
	CREATE VIEW v_bound_check AS SELECT 'other' AS analysis, 0 AS holds FROM bound; $longest 4000001"
said exceeded "a recording of version 3, which does not say on what bounds rest"
run query case.db "SELECT bound_ms, assumes_in_time FROM v_bound" --format csv
expect_line out '^4,$' "they rest on nobody"

# ---- the search ----
cat >found.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 1
tasks:
  - {name: a, period: 4, segments: [{cpu: 2}]}
  - {name: b, period: 5, segments: [{cpu: 3}]}
policies: [mpcp]
END
run search found.yaml -a mpcp --budget 50 --format csv
expect_line out '^mpcp,a,,mpcp,2000000,2000000,1,holds,4000000,' "search: a bound that is reached"
expect_line out '^mpcp,b,,mpcp,[0-9]*,[0-9]*,[0-9.]*,beyond period,5000000,' "search: one beyond the period"
run search found.yaml -a mpcp -t a.0 --budget 50 --format csv
expect_line out '^mpcp,a,0,mpcp,,2000000,,unbounded,4000000,' "search: a segment has none"
run search "$SOURCES/scenarios/papers/stgm-blocking.yaml" -t tau1 -a stgm:blocking=textbook --format json -o caught.yaml
expect_line out '"bound_ns": 21000000, "observed_ns": 25000000, .*"verdict": "exceeded", "deadline_ns": 90000000' \
	"search: one that is exceeded"
expect_line caught.yaml 'its bound by stgm:blocking=textbook \(unsafe\) is 21ms: exceeded$' "and so says the scenario of it"
run run caught.yaml -o caught.db -q
run validate caught.db -a stgm:blocking=textbook --format csv
expect_line out ',unsafe,1,0,1,0,0,0,0,0,1,0,0,1,' "and validate of that"

# A search keeps to what tasks declare, so what it writes is never outside: kernels of work whose blocks take less than
# the work, or (with an overhead) more than their share.
cat >work.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 1
platform: {gpu: {sms: 4, virtual_sms_per_sm: 2}}
tasks:
  - {name: a, period: 20, segments: [{cpu: [1, 2]}, {copy: to_gpu, time: [0.5, 1]}, {kernel: {work: [8, 16], overhead: 1, interleave: 1.8}}]}
  - {name: b, period: 30, segments: [{cpu: [1, 2]}, {copy: to_gpu, time: [0.5, 1]}, {kernel: {work: [8, 16], overhead: 1, interleave: 1.5}}]}
policies: [rtgpu, {name: stgm, exclusive: false}]
END
run search work.yaml --method random --budget 60 --whole -o work -q --format csv
expect_status 0 "search: kernels of work"
cut -d, -f8 out | sed 1d | sort -u >verdicts
compare verdicts "whose bounds hold" <<'END'
holds
END
for file in work/*.yaml; do
	run run "$file" -o work.db --force -q
	run query work.db "SELECT count(*) > 0 AS traced FROM trace_duration d JOIN task k USING (trace_id) JOIN segment g
		ON g.task_id = k.task_id AND g.segment_idx = d.segment_idx WHERE g.form = 'work'" --format csv
	expect_line out '^1$' "${file##*/} has times of blocks of work"
	run validate work.db --format json
	cp out answer
	run_command python3 -c '
import json
for row in json.load(open("answer")):
    assert row["outside"] == 0 and row["holds"] == 2, row'
	expect_status 0 "and is not outside"
done
finish
