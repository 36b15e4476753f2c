#!/bin/sh
# cegsim sweep and merge: the same recording for any number of workers and shares; what is refused, and the messages.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/fault/sweep_lib.sh
. "$SOURCES/tests/fault/sweep_lib.sh"

cat >small.yaml <<'END'
cegsim-campaign: 1
name: small
seed: 7
sets: 8
generate:
  recipe: custom
  tasks: [2, 3]
  utilisation: [20%, 120%]
platforms: [{preset: jetson-tx2}]
policies: [fifo-cke, rm]
run: {horizon: {periods: 5}, stop: horizon}
END

# ---- one recording -----------------------------------------------------------------------
run sweep small.yaml -o one.db -j 1
expect_status 0 "a sweep"
expect_line out '^small: 4 grid points x 8 sets \(custom\), each under 2 policies: 64 runs; 1 worker$' \
	"prints the size of the grid"
expect_line out '^tasks=2 +jetson-tx2 +rm +- +- +16 +(0\.2|1\.2) ' "and each curve of acceptance"
sed '1d; /^$/,$d' out >printed
run query one.db @curves
cp out asked
run_command cmp printed asked
expect_status 0 "which are the answer of @curves"
run sweep small.yaml -o one.db -j 1 --force
expect_line out '^One row for each utilisation: cegsim query one\.db @acceptance$' "with where more is"
expect_line err '^cegsim: 32 sets in .* s \(.* sets/s, .* M events/s\), merged in .* s$' "and how fast it was"
expect_no_file one.db.parts "and leaves no parts"
expect_no_file one.db.part "nor a .part"
whole=$(digest one.db)
run sweep small.yaml -o two.db -j 2 -q
expect_no_output_on_stderr "quiet is quiet"
[ "$(digest two.db)" = "$whole" ]
report $? "two workers give the same content as one"
for file in one two; do
	sqlite3 $file.db .dump | grep -v '^INSERT INTO run VALUES' >$file.sql
	sqlite3 $file.db 'SELECT run_id, set_number, policy_id, digest, jobs, energy_uj FROM run' >>$file.sql
done
run_command cmp one.sql two.sql
expect_status 0 "to the ids"
run audit two.db
expect_status 0 "and the audit finds nothing in it"
run run two.db -q
expect_status 0 "every run can be repeated from it"

run sweep small.yaml -o csv.db --format csv -q
expect_line err '^small: 4 grid points' "other formats: the size on standard error"
head -n 1 out >first
compare first "the table on standard output" <<'END'
target_utilisation,platform,policy,params,runs,accepted,ratio,lower95,upper95,refused,truncated
END

# ---- a cap on jobs -------------------------------------------------------------------------
cat >capped.yaml <<'END'
cegsim-campaign: 1
seed: 3
sets: 20
generate: {recipe: custom, tasks: 5, utilisation: [30%], periods: log-uniform, period: 1ms..1s, sections: 0, copies: none}
policies: [rm]
run: {horizon: {periods: 2}, jobs: 800}
record: jobs
END
run sweep capped.yaml -o capped.db -q
expect_status 0 "a cap on jobs"
run query capped.db "SELECT sum(status = 'truncated') BETWEEN 1 AND 19, max(jobs) BETWEEN 700 AND 800, sum(status = 'truncated' AND stop_ns >= horizon_ns),
	sum(status = 'ok' AND stop_ns IS NULL), sum(status = 'truncated' AND reason LIKE '%run.jobs%') = sum(status = 'truncated') FROM run" --format csv
expect_line out '^1,1,0,0,1$' "a run has no more jobs, and stops before the horizon, truncated"
run query capped.db "SELECT k + truncated = n FROM v_acceptance" --format csv
expect_line out '^1$' "and is not accepted"
run audit capped.db
expect_status 0 "the audit finds nothing in it"
run run capped.db -q
expect_status 0 "and it can be repeated"
sqlite3 capped.db "UPDATE run SET status = 'ok' WHERE status = 'truncated'"
run audit capped.db
expect_line out 'its limit .* is before its horizon' "a run that was cut, and says it is ok, is found out"
sed 's/jobs: 800/jobs: 3/' capped.yaml >three.yaml
run sweep three.yaml -o three.db -q
expect_line err "more are released at the beginning" "fewer jobs than tasks: no run"

# ---- what exists already -------------------------------------------------------------------
run sweep small.yaml -o one.db
expect_status 2 "an existing recording is not overwritten"
expect_err "and it says so" <<'END'
cegsim: error: one.db exists already; choose another name, or overwrite it with --force
END
run sweep small.yaml -o one.db --resume -q
expect_status 0 "to resume what is complete is no mistake"
[ "$(digest one.db)" = "$whole" ]
report $? "and changes nothing"
run sweep small.yaml -o one.db --force -q
expect_status 0 "--force overwrites"
sed 's/seed: 7/seed: 8/' small.yaml >other.yaml
run sweep other.yaml -o one.db --resume -q
expect_status 2 "another campaign does not resume"
run sweep small.yaml -o fresh.db --resume -q
expect_status 0 "to resume what was never begun begins it"

mkdir left.db.parts
cp two.db left.db.parts/3.part
run sweep small.yaml -o left.db -q
expect_status 2 "the parts of an interrupted sweep are not overwritten"
expect_err "and it says what to do" <<'END'
cegsim: error: left.db.parts is left over from an interrupted sweep: go on with --resume, or begin anew with --force
END
run sweep other.yaml -o left.db -q --resume
expect_status 2 "they are refused by another campaign"
expect_line err 'left\.db\.parts/3\.part is of another campaign \(small\.yaml\)|with another text' "with the reason"
run sweep small.yaml -o left.db -q --force
expect_status 0 "--force begins anew"
[ "$(digest left.db)" = "$whole" ]
report $? "from nothing"

# ---- parts of it ---------------------------------------------------------------------------
run sweep small.yaml -o try.db --limit-units 3 -q
expect_status 0 "the first sets only"
run query try.db 'SELECT count(*), (SELECT value FROM meta WHERE key = '"'interrupted'"') FROM run' --format csv
expect_line out '^6,only the first 3 of 32 sets were asked for$' "are marked as such"
run sweep small.yaml -o try.db -q --resume
expect_status 2 "more sets are not added to a recording that has its name"
expect_line err '^cegsim: error: try\.db exists already, but does not hold all sets' "with the reason"
expect_no_line err 'are kept in' "and without parts that do not exist"

# Equal schedules of policies.
cat >equal.yaml <<'END'
cegsim-campaign: 1
seed: 3
sets: 20
generate: {recipe: custom, tasks: 3, utilisation: ["100%"]}
platforms: [{preset: jetson-tx2}]
policies: [fifo-cke, rm, prio-streams, edf, {name: rm, unit: kernel}]
run: {horizon: {periods: 5}, stop: horizon}
END
run sweep equal.yaml -o equal.db -q
expect_line out '^fifo-cke and prio-streams: the same schedule in 20 of 20 sets$' "policies with equal schedules are named"
expect_line out '^[0-9]+ more pairs? of policies made the same schedule in some: cegsim query equal\.db @same-schedule$' \
	"and where the others are"
expect_no_line out '^fifo-cke and rm [^:]*: the same schedule' "pairs that differ are not"
run query equal.db @same-schedule --format csv
cp out same
sqlite3 -csv equal.db "SELECT p.name, json_extract(p.params, '\$.unit'), q.name, json_extract(q.params, '\$.unit'), sum(a.digest = b.digest), count(*)
	FROM run a JOIN run b ON a.taskset_id = b.taskset_id AND a.policy_id < b.policy_id JOIN policy p ON p.policy_id = a.policy_id
	JOIN policy q ON q.policy_id = b.policy_id GROUP BY a.policy_id, b.policy_id HAVING sum(a.digest = b.digest) > 0" |
	sort >wanted
sed '1d; s/"{""unit"":""\([a-z]*\)""}"/\1/g; s/"{[^}]*}"//g; s/{}//g; s/,20$//' same | sort >given
compare given "@same-schedule has the pairs" <wanted
run sweep equal.yaml -o equal.db --force -q --format csv
expect_no_line out 'same schedule' "CSV has no sentences"

for i in 0 1 2; do
	run sweep small.yaml -o share$i.db --shard $i/3 -q
	expect_status 0 "share $i"
done
run merge share2.db share0.db share1.db -o merged.db
expect_status 0 "shares are merged"
[ "$(digest merged.db)" = "$whole" ]
report $? "to the content of the undivided sweep"
expect_line out '^tasks=3 +jetson-tx2 +fifo-cke ' "and the acceptance is shown"
sqlite3 merged.db .dump | grep -v '^INSERT INTO run VALUES' >merged.sql
sqlite3 merged.db 'SELECT run_id, set_number, policy_id, digest, jobs, energy_uj FROM run' >>merged.sql
run_command cmp one.sql merged.sql
expect_status 0 "to the ids"

run merge share2.db share0.db -o missing.db
expect_status 2 "a missing share is refused"
expect_line err '[0-9]+ of 32 sets are missing; there is no part for the shares 1/3 \(--partial' "and named"
expect_no_file missing.db "without a recording"
run merge share2.db share0.db -o missing.db --partial
expect_status 0 "--partial merges what there is"
run merge share0.db share1.db share2.db share1.db -o twice.db
expect_status 2 "a share that is given twice is refused"
expect_line err 'unit [0-9]+ of the campaign is in share1\.db and in share1\.db' "and named"
run sweep other.yaml -o other1.db --shard 1/3 -q
run merge share0.db other1.db share2.db -o mixed.db
expect_status 2 "shares of different campaigns are refused"
expect_line err 'are parts of different campaigns' "with the reason"
run sweep small.yaml -o quarter.db --shard 1/4 -q
run merge share0.db quarter.db -o mixed.db --partial
expect_status 2 "so are shares of different divisions"
run merge share0.db merged.db -o mixed.db
expect_status 2 "and a share with the whole"
run merge small.yaml -o mixed.db
expect_status 2 "and what is no recording"
run merge nowhere.db -o mixed.db
expect_status 3 "and what is not there"
run merge share0.db share1.db share2.db -o merged.db
expect_status 2 "an existing recording is not overwritten"
cp share1.db damaged.db
sqlite3 damaged.db 'UPDATE stretch SET units = 1000000000000000000 WHERE stretch_id = 1'
run merge share0.db damaged.db share2.db -o mixed.db
expect_status 2 "and a share of more units than any campaign has"
expect_line err '^cegsim: error: damaged\.db: the recording is damaged, table stretch: 1000000000000000000 units from 1$' "with the reason"
cp one.db damaged.db
sqlite3 damaged.db 'UPDATE stretch SET units = 4000000000'
run sweep small.yaml -o damaged.db -q --resume
expect_status 2 "a recording of more sets than its campaign has is not complete"
expect_line err 'damaged\.db: the recording is damaged, table stretch: its units are beyond those of the campaign$' "and is said to be damaged"
run sweep small.yaml -o empty.db --shard 40/41 -q
expect_status 0 "a share without a set"
run merge empty.db -o nothing.db --partial
expect_status 0 "is a part, too"

# ---- usage ---------------------------------------------------------------------------------
run sweep small.yaml
expect_status 2 "the recording must be named"
run sweep -o x.db
expect_status 2 "and the campaign"
for shard in 3/3 -1/3 1 1/0 1/3x /; do
	run sweep small.yaml -o x.db --shard=$shard
	expect_status 2 "--shard $shard is refused"
done
run sweep small.yaml -o x.db --timeout 0
expect_status 2 "so is no time"
run sweep small.yaml -o x.db -j 0
expect_status 2 "and no worker"
run sweep small.yaml -o x.db --resume --force
expect_status 2 "and resume with force"

sed 's/custom/costum/; s/ rm/ rn/' small.yaml >bad.yaml
run sweep bad.yaml -o x.db
expect_status 2 "an error in the campaign"
expect_err "is reported at its place, with all others" <<'END'
bad.yaml:6:11: error: no recipe is called "costum"; did you mean 'custom'?
bad.yaml:10:22: error: no policy is called "rn"; did you mean 'rm'?
END
expect_no_file x.db.parts "before anything is begun"
finish
