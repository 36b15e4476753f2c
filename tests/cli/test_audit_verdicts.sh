#!/bin/sh
# cegsim audit on campaigns of which verdicts alone are recorded: the laws `verdicts` and `tally` hold, and each thing that
# they ask has a changed recording in which it is found, and nothing else is.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

cat >campaign.yaml <<'END'
cegsim-campaign: 1
sets: 8
replications: 2
generate: {recipe: rtgpu-table1, utilisation: [40%, 200%]}
platforms: [{preset: jetson-tx2}, {preset: jetson-tx1}]
policies: [fifo-cke, fcfs]
analyses: [rtgpu, {name: self-suspension, method: baseline}]
run: {horizon: 300ms}
record: verdicts
keep: [miss]
END
run sweep campaign.yaml -o kept.db -q
expect_status 0 "a campaign of which some sets are kept"
[ "$(sqlite3 kept.db 'SELECT count(DISTINCT unit) BETWEEN 9 AND 15 FROM verdict')" -eq 1 ]
report $? "and others are verdicts, at both points"
run audit kept.db -v
expect_status 0 "holds"
expect_line out '^verdicts +[1-9][0-9]+ +0  -$' "law verdicts"
expect_line out '^tally +[1-9][0-9]* +0  -$' "law tally"
sed 's/keep:.*/keep: []/' campaign.yaml >brief.yaml
run sweep brief.yaml -o brief.db -q
run audit brief.db
expect_status 0 "verdicts of all sets"
expect_line out '^0 runs: 2 laws hold, ' "are audited without a run"
run sweep brief.yaml -o part.db -q --limit-units 5
run audit part.db
expect_status 0 "so is a beginning of a campaign"
run audit kept.db --run 1
expect_status 0 "one run"

cat >base.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 500
execution: uniform
release: {sporadic: {max_delay: 10%}}
platform: {preset: jetson-tx2}
tasks:
  - {name: camera, period: 40, segments: [{cpu: [1, 2]}, {kernel: {grid: 20, block: 512, block_time: [2, 3]}}]}
  - {name: radar, period: 10, deadline: 8, segments: [{cpu: [0.5, 1]}, {kernel: {grid: 4, block: 256, block_time: [1, 2]}}]}
policies: [fifo-cke, fcfs]
END
cat >varied.yaml <<'END'
cegsim-campaign: 1
replications: 20
generate: {recipe: scenario, file: base.yaml, set: {tasks.camera.period: [40ms, 50ms]}}
record: verdicts
keep: [miss]
detail: {record: summary, sets: [3, 7]}
END
run sweep varied.yaml -o varied.db -q
expect_status 0 "replications of a scenario"
run audit varied.db
expect_status 0 "hold, each with its number"
[ "$(sqlite3 varied.db 'SELECT count(DISTINCT unit) BETWEEN 2 AND 36 FROM verdict')" -eq 1 ]
report $? "kept or not"

# finds LAWS SQL WORDS: this change of rows, by these laws alone.
finds() {
	cp "${of:-kept.db}" wrong.db
	sqlite3 wrong.db "$2"
	run audit wrong.db
	expect_status 1 "$2"
	[ "$(awk '/^  first of/ { sub(/:.*/, "", last); printf "%s ", last } { last = $0 }' out)" = "$1 " ]
	report $? "by law $1"
	expect_line out "$3" "which says what"
}
row='WHERE rowid = (SELECT max(rowid) FROM verdict)'
finds tally 'UPDATE tally SET k = k + 1 WHERE rowid = 3' 'point 0, platform 1, question 3: k is .*, and the verdicts make it'
finds tally 'UPDATE tally SET n = n - 1 WHERE rowid = 1' 'n is .*, and the verdicts make it'
finds tally 'UPDATE tally SET sets = sets + 1 WHERE rowid = 2' 'sets is .*, and the verdicts make it'
finds tally 'UPDATE tally SET refused = refused + 1 WHERE rowid = 2' 'refused is .*, and the verdicts make it'
finds tally 'UPDATE tally SET truncated = 1 WHERE rowid = 2' 'truncated is 1, and the verdicts make it 0'
finds tally 'UPDATE tally SET first_unit = 1 WHERE rowid = 1' 'first_unit is 1, and the verdicts make it 0'
finds tally 'DELETE FROM tally WHERE rowid = 4' 'point 0 has 7 rows, and verdicts of 8 platforms and questions'
finds tally 'INSERT INTO tally SELECT 9, platform_id, question_id, 0, 1, 1, 1, 0, 0 FROM tally LIMIT 1' \
	'1 rows, the first of point 9, are of no point, platform or question'
finds tally "UPDATE verdict SET verdict = CASE verdict WHEN 'schedulable' THEN 'refused' ELSE 'schedulable' END $row" \
	'and the verdicts make it'
finds verdicts "UPDATE verdict SET replication = 5 $row AND replication IS NOT NULL; UPDATE verdict SET replication = 1 $row" \
	'not those to the same questions as unit'
finds verdicts 'DELETE FROM verdict WHERE unit = 3; UPDATE tally SET sets = sets - 1, n = n - CASE WHEN question_id < 3
	THEN 2 ELSE 1 END, k = (SELECT count(*) FROM verdict v WHERE v.point_id = tally.point_id AND v.platform_id =
	tally.platform_id AND v.question_id = tally.question_id AND verdict = '"'schedulable'"'), refused = (SELECT count(*)
	FROM verdict v WHERE v.point_id = tally.point_id AND v.platform_id = tally.platform_id AND v.question_id =
	tally.question_id AND verdict = '"'refused'"') WHERE point_id = 0' 'unit 3 was written, and it has neither rows nor verdicts'
finds verdicts 'UPDATE stretch SET units = 17' 'unit 16 was written, and it has neither rows nor verdicts'
before=$(date +%s)
finds verdicts 'UPDATE stretch SET units = 1000000000000000000' 'units 16 to 999999999999999999 were written, and they'
finds verdicts 'UPDATE stretch SET units = 9223372036854775807, first_unit = 1' 'units 16 to 9223372036854775806 were written'
finds verdicts 'UPDATE stretch SET units = 1000000; INSERT INTO failed_unit VALUES (20, '"'no set'"')' \
	'units 16 to 19 were written, and they have neither rows nor verdicts'
[ "$(($(date +%s) - before))" -lt 60 ]
report $? "however many units a stretch says that it has"
finds verdicts 'INSERT INTO failed_unit VALUES (4, '"'no set'"')' 'unit 4 has rows of its own, too'
finds verdicts "UPDATE question SET analysis = NULL, params = NULL, safety = NULL, version = NULL WHERE question_id = 4" \
	'question 4 has 1 answers on a platform, which are not of replications'
finds 'set-digest verdicts scenario-rows' 'UPDATE taskset SET recipe = (SELECT recipe FROM grid_point WHERE point_id = 0), digest = digest' \
	'the set of unit [0-9]+ is of another recipe than its point'
of=varied.db
finds verdicts 'UPDATE verdict SET replication = replication + 1 WHERE unit = 24' 'unit 24 is not replication 5'
of=brief.db
finds verdicts 'UPDATE verdict SET unit = unit + 1 WHERE unit = 15' 'unit 16 is of point 1, and others say that a point has 8 units'
finds verdicts 'UPDATE grid_point SET point_id = point_id + 1 WHERE point_id = 1; UPDATE tally SET point_id = 2 WHERE
	point_id = 1; UPDATE verdict SET point_id = 2 WHERE point_id = 1' 'unit 8 is of point 2, and others say'
finds verdicts 'UPDATE verdict SET unit = 11 - unit WHERE unit IN (5, 6)' 'unit 5 comes behind unit 6'

# A scenario: units are replications, the points have policies with other options, analyses are of replication 0
cat >car.yaml <<'END'
cegsim-campaign: 1
replications: 4
policies: [rm, fifo-cke]
generate:
  recipe: scenario
  set: {tasks.a.period: [9ms, 30ms], policies.rm.unit: [kernel, section]}
  scenario:
    horizon: 100ms
    execution: uniform
    platform: {preset: jetson-tx2}
    tasks: [{name: a, period: 9ms, segments: [{cpu: [1ms, 2ms]}, {kernel: {grid: 4, block: 1024, block_time: [4ms, 8ms]}}]}]
analyses: [{name: self-suspension, policy: rm}, {name: fifo-chains, policy: fifo-cke}]
record: verdicts
keep: []
END
run sweep car.yaml -o car.db -q
run audit car.db
expect_status 0 "verdicts of a scenario hold"
expect_line out '^0 runs: 2 laws hold, 56 rows' "all of them"
sed '/^keep/d' car.yaml >car-kept.yaml
run sweep car-kept.yaml -o car-kept.db -q
run audit car-kept.db
expect_status 0 "where some are kept, too"
of=car.db
other='not those of a replication to the questions at its point'
finds verdicts 'UPDATE verdict SET replication = 2 WHERE unit = 5' 'unit 5 is not replication 2 of point 1'
finds verdicts 'UPDATE verdict SET replication = 3 WHERE unit = 2' 'unit 2 is not replication 3 of point 0'
finds verdicts 'UPDATE verdict SET replication = 0 WHERE unit = 5 AND question_id = 2' "unit 5 has . answers, $other"
finds 'verdicts tally' 'UPDATE verdict SET question_id = 3 WHERE unit = 1 AND question_id = 1' "unit 1 has 2 answers, $other"
finds 'verdicts tally' 'DELETE FROM verdict WHERE rowid = 3' "unit 0 has 3 answers, $other"
finds 'verdicts tally' 'INSERT INTO verdict SELECT 15, 3, 1, question_id, NULL, verdict FROM verdict WHERE rowid = 3' \
	"unit 15 has 3 answers, $other"
finds 'verdicts tally' 'DELETE FROM verdict WHERE unit = 6' 'unit 6 was written, and it has neither rows nor verdicts'
finish
