#!/bin/sh
# cegsim sweep with `record: verdicts`: the acceptance of the same campaign with all rows; which sets keep their rows; shares,
# interruptions; what is refused.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/fault/sweep_lib.sh
. "$SOURCES/tests/fault/sweep_lib.sh"

# Bounds that accept every set, and are half of what a job takes in some.
cp "$SOURCES/contrib/python/cegsim_bound.py" .
cat >half.py <<'END'
import cegsim_bound


def bounds(question):
    half = question["tasks"][0]["period"] % 3 == 0
    return [cegsim_bound.worst(t) // 2 if half else t["deadline"] for t in question["tasks"]]


cegsim_bound.answer(bounds)
END
cat >full.yaml <<'END'
cegsim-campaign: 1
name: few
seed: 5
sets: 12
replications: 2
generate: {recipe: custom, tasks: [3, 5], utilisation: [40%, 100%, 160%]}
platforms: [{preset: jetson-tx2}, {preset: jetson-tx1}]
policies: [fifo-cke, rm, stgm]
run: {horizon: {periods: 5}, stop: horizon, release: {sporadic: {max_delay: 20%}}}
analyses: [stgm, {name: stgm, blocking: textbook}, {name: self-suspension, policy: rm}]
bounds: true
END
sed '/^bounds/d' full.yaml >brief.yaml
echo 'record: verdicts' >>brief.yaml

# variant FILE KEEP...: the campaign with other sets kept
variant() {
	cp brief.yaml "$1"
	echo "keep: [$2]" >>"$1"
}

# units FILE.db SQL: one a line, in order
units() {
	sqlite3 "$1" "$2" | sort -nu
}
kept="SELECT recipe_index FROM taskset"

run sweep full.yaml -o full.db -q
expect_status 0 "the campaign with all rows"
run sweep brief.yaml -o brief.db -q
expect_status 0 "with verdicts"
expect_line out '^tasks=3 +jetson-tx2 +rm ' "acceptance is printed as ever"
variant none.yaml ''
run sweep none.yaml -o none.db -q
expect_status 0 "with verdicts alone"
[ "$(sqlite3 none.db "SELECT (SELECT count(*) FROM verdict) || ' ' || (SELECT count(*) FROM taskset) || ' ' ||
	(SELECT count(*) FROM segment)")" = "$(sqlite3 full.db "SELECT ((SELECT count(*) FROM run) +
	(SELECT count(*) FROM analysis_run)) || ' 0 0'")" ]
report $? "a row for each run and analysis, and nothing of the sets"

for query in acceptance analysis-acceptance curves analysis-grid grid; do
	for file in full brief none; do
		# means of misses and energies are not known of verdicts
		"$CEGSIM" query $file.db @$query --format csv 2>/dev/null | sed 's/\(,[0-9]*\),[0-9.e-]*,[0-9.e-]*$/\1/' >$file.csv
	done
	[ "$query" = grid ] || for file in full brief none; do
		"$CEGSIM" query $file.db @$query --format csv >$file.csv 2>/dev/null
	done
	[ "$(wc -l <full.csv)" -gt 6 ] && cmp full.csv brief.csv && cmp full.csv none.csv
	report $? "@$query is that of the campaign with all rows"
done
for figure in acceptance grid; do
	for file in full brief none; do
		"$CEGSIM" plot $file.db $figure --force -o $file.svg 2>/dev/null
	done
	cmp full.svg brief.svg && cmp full.svg none.svg
	report $? "and so is the figure $figure"
done
run query none.db 'SELECT count(*) AS n FROM run' --format csv
expect_err "other questions come with a note" <<'END'
cegsim: note: none.db has verdicts alone of 72 sets; @acceptance, @analysis-acceptance, @curves, @grid, @analysis-grid and @verdicts count them, all else is about the 0 that were kept (cegsim sweep none.db --units N -o SET.db records set N)
END

# The paper's figure, and policies whose analyses have other options than their runs
cat >fig8.yaml <<'END'
cegsim-campaign: 1
sets: 4
generate: {recipe: rtgpu-table1, subtasks: [3, 5], copies: two, utilisation: [20%, 80%, 200%]}
analyses: [rtgpu, {name: rtgpu, gaps: response, policy: {name: rtgpu, gaps: response}}, stgm]
policies: [{name: rtgpu, admit: any}, {name: stgm, admit: any}, fifo-cke]
run: {horizon: {periods: 5}, stop: horizon}
END
sed '$a\record: verdicts\nkeep: [miss]' fig8.yaml >fig8-miss.yaml
sed '$a\record: verdicts\nkeep: []' fig8.yaml >fig8-none.yaml
for file in fig8 fig8-miss fig8-none; do
	run sweep $file.yaml -o $file.db -q
	for figure in acceptance grid rtgpu-fig8; do
		"$CEGSIM" plot $file.db $figure --force -o $file-$figure.svg 2>/dev/null
	done
	"$CEGSIM" plot $file.db rtgpu-fig8 -P runs=all -P bands=all --force -o $file-all.svg 2>/dev/null
done
for figure in acceptance grid rtgpu-fig8 all; do
	[ -s fig8-$figure.svg ] && cmp fig8-$figure.svg fig8-miss-$figure.svg && cmp fig8-$figure.svg fig8-none-$figure.svg
	report $? "the figure $figure of a campaign of the RTGPU paper's"
done
run query fig8-none.db @bounds
expect_line err 'note: the recording holds no set$' "an answer without rows says why"

# ---- which sets are kept -------------------------------------------------------------------
missing="SELECT recipe_index FROM run JOIN taskset USING (taskset_id) WHERE misses > 0"
exceeding="SELECT recipe_index FROM v_bound_check JOIN taskset USING (taskset_id) WHERE verdict = 'exceeded'"
disagreeing="SELECT s.recipe_index FROM analysis_run a JOIN taskset s USING (taskset_id) WHERE verdict = 'schedulable' AND
	(EXISTS (SELECT 1 FROM run r WHERE r.taskset_id = a.taskset_id AND r.platform_id = a.platform_id AND
		r.policy_id = a.policy_id AND misses > 0) OR
	EXISTS (SELECT 1 FROM analysis_run b WHERE b.taskset_id = a.taskset_id AND b.platform_id = a.platform_id AND
		b.policy_id = a.policy_id AND b.verdict = 'unschedulable'))"
units full.db "$missing" >wanted
variant miss.yaml miss
run sweep miss.yaml -o miss.db -q
units miss.db "$kept" >got
[ -s wanted ] && [ "$(wc -l <wanted)" -lt 72 ] && cmp wanted got
report $? "miss: sets with a job that misses, $(wc -l <wanted) of 72"
[ "$(sqlite3 miss.db "SELECT count(*), count(DISTINCT unit) FROM verdict WHERE unit IN ($kept)")" = "0|0" ]
report $? "which have no verdict besides"
sqlite3 full.db "SELECT s.digest, r.digest, r.jobs, r.misses FROM run r JOIN taskset s USING (taskset_id)
	WHERE s.recipe_index IN ($missing) ORDER BY run_id" >wanted
sqlite3 miss.db "SELECT s.digest, r.digest, r.jobs, r.misses FROM run r JOIN taskset s USING (taskset_id) ORDER BY run_id" >got
[ -s wanted ] && cmp wanted got
report $? "and have the sets and runs that they have with all rows"

sed 's/name: self-suspension, policy: rm/name: pipe, command: [python3, half.py], policy: rm, safety: unsafe/' full.yaml >own.yaml
run sweep own.yaml -o own.db -q
expect_status 0 "a bound that is wrong"
for why in exceed disagree; do
	sed '/^bounds/d' own.yaml >own-$why.yaml
	printf 'record: verdicts\nkeep: [%s]\n' $why >>own-$why.yaml
	run sweep own-$why.yaml -o own-$why.db -q
	[ $why = exceed ] && sql=$exceeding || sql=$disagreeing
	units own.db "$sql" >wanted
	units own-$why.db "$kept" >got
	[ -s wanted ] && [ "$(wc -l <wanted)" -lt 72 ] && cmp wanted got
	report $? "$why: such sets are kept, $(wc -l <wanted) of 72"
done

cp none.yaml chosen.yaml
echo 'detail: {record: jobs, sets: [1, 3]}' >>chosen.yaml
run sweep chosen.yaml -o chosen.db -q
[ "$(units chosen.db "$kept" | tr '\n' ' ')" = "1 3 13 15 25 27 37 39 49 51 61 63 " ] &&
	[ "$(sqlite3 chosen.db "SELECT min(record) || max(record) FROM run")" = jobsjobs ]
report $? "sets with detail are kept at its level"

# ---- the promises of every campaign ----------------------------------------------------------
whole=$(digest brief.db)
run sweep brief.yaml -o one.db -j 1 -q
[ -n "$whole" ] && [ "$(digest one.db)" = "$whole" ]
report $? "one worker gives the same content as several"
for i in 0 1 2 3 4 5 6 7 8 9 10; do
	run sweep brief.yaml -o share$i.db --shard $i/11 -q
done
run merge share*.db -o merged.db
expect_status 0 "shares are merged"
[ "$(digest merged.db)" = "$whole" ]
report $? "to the content of the undivided sweep"
for file in brief full; do
	run query $file.db 'SELECT kind, target_utilisation, platform, policy, params, analysis, analysis_params, safety, n,
		k AS accepted, ratio, refused, truncated FROM v_accepted ORDER BY kind DESC, target_utilisation, platform, policy,
		params, analysis, analysis_params' --format csv
	cp out wanted
	run merge --acceptance share*.db --format csv
	cmp out wanted
	report $? "the acceptance of the shares is that of $file.db, without merging"
done
run merge --acceptance share1.db share2.db
expect_status 2 "of all shares"
expect_line err 'there is no part for the shares 0/11, 3/11' "or those that are missing are named"
cp share3.db older3.db
sqlite3 older3.db "DELETE FROM stretch_end WHERE tbl = 'verdict'"
run merge share[0-2].db older3.db -o wrong.db --partial
expect_status 2 "a share of a build that had no such table"
expect_line err 'older3.db was made by another build of cegsim: [0-9.]+ with [0-9]+ tables of sets, this is [0-9.]+ with' \
	"is told from one that is damaged"
sqlite3 older3.db "INSERT INTO stretch_end SELECT stretch_id, 'verdict', -1 FROM stretch"
run merge share[0-2].db older3.db -o wrong.db --partial
expect_status 2 "which is"
expect_line err 'the recording is damaged, table stretch_end' "that"
sqlite3 brief.db 'SELECT rowid, * FROM verdict; SELECT * FROM tally' >wanted
sqlite3 merged.db 'SELECT rowid, * FROM verdict; SELECT * FROM tally' >got
[ -s wanted ] && cmp wanted got
report $? "row by row, with their counts"
[ "$(digest none.db)" != "$whole" ]
report $? "verdicts are content"
sqlite3 merged.db "UPDATE verdict SET verdict = 'refused' WHERE rowid = 3"
[ "$(digest merged.db)" != "$whole" ]
report $? "each of them"

sed 's/^sets: .*/sets: 250/' brief.yaml >long.yaml
run sweep long.yaml -o long.db -q
killed=0
while [ $killed -lt 4 ]; do
	setsid "$CEGSIM" sweep long.yaml -o killed.db -j 2 --resume -q >/dev/null 2>&1 &
	pid=$!
	sleep 0.7
	[ -e killed.db ] || kill -KILL "-$pid" 2>/dev/null
	wait $pid 2>/dev/null
	killed=$((killed + 1))
done
run sweep long.yaml -o killed.db --resume -q
expect_status 0 "a sweep that was killed goes on"
[ "$(digest killed.db)" = "$(digest long.db)" ]
report $? "to the same content"

run audit brief.db
expect_status 0 "the audit finds nothing in what is kept"
run run brief.db -q
expect_status 0 "which can be repeated"
run view none.db -o none.html
expect_status 0 "there is a page of it"
expect_line err '^cegsim: note: none.db has verdicts alone of 72 sets' "which says what is missing"
cp none.db many.db
sqlite3 many.db "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
	INSERT INTO verdict SELECT v.* FROM verdict v, n"
for file in none many; do
	run view $file.db -o $file.html --force -q
	python3 "$SOURCES/tests/cli/view_page.py" $file $file.db >/dev/null
done
[ "$(sqlite3 none.x 'SELECT count(*) > 500 FROM verdict')$(sqlite3 many.x 'SELECT count(*) FROM verdict')" = 10 ] &&
	[ "$(sqlite3 many.x 'SELECT sum(n) FROM tally')" = "$(sqlite3 none.db 'SELECT count(*) FROM verdict')" ]
report $? "with the verdicts, unless there are too many; the counts in any case"
for verb in audit run analyze validate search; do
	run $verb none.db
	expect_line err '^cegsim: note: none.db has verdicts alone of 72 sets.* the 0 that were kept' "so does $verb"
done
run trace none.db -o none.pftrace
expect_line err '^cegsim: note: none.db has verdicts alone of 72 sets' "and trace"

# ---- what is refused -------------------------------------------------------------------------
sed '/^record/d' none.yaml >wrong.yaml
run sweep wrong.yaml -o wrong.db -q
expect_status 2 "keep without verdicts"
expect_line err "^wrong.yaml:[0-9]+:[0-9]+: error: 'keep' goes with record: verdicts$" "at its place"
finish
