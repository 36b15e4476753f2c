#!/bin/sh
# Chains and triggers: what `run` prints and answers, at every level of recording; repeated, merged and read by those
# who know none; bounds against runs.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

cat >pair.yaml <<'END'
cegsim: 1
name: pair
time_unit: ms
horizon: 400
tasks:
  - {name: a, period: 10, segments: [{cpu: 1}]}
  - {name: b, period: 20, segments: [{cpu: 2}]}
chains:
  - {name: there, tasks: [a, b], reaction: 23, age: 23}
  - {name: back, tasks: [b, a]}
policies: [rm]
analyses: [chain, {name: chain, method: duerr}, {name: chain, method: periodic}]
END

for level in summary jobs segments; do
	run run pair.yaml --strict --record $level -o $level.db
	expect_status 0 "$level: limits that are met are no reason for --strict"
	expect_line out '^pair +rm +there +23 +23 +23 +18 +23 +23$' "$level: a chain"
	expect_line out '^pair +rm +back +25 +30 +- +30 +30 +-$' "$level: and back"
	run query $level.db @chains --format csv
	expect_line out '^1,rm,there,a > b,19,23,23,23,0,0,38,18,23,23,0,1,1$' "$level: with the worst jobs"
	run run $level.db
	expect_status 0 "$level: runs again"
	run audit $level.db
	expect_status 0 "$level: keeps every law"
done
sed 's/reaction: 23, age: 23/reaction: 22, age: 22/' pair.yaml >late.yaml
run run late.yaml
expect_status 0 "limits are limits only under --strict"
expect_line out "^pair, rm: chain 'there': an age of 23ms, from job 0 of 'a' to job 0 of 'b'; its limit is 22ms$" \
	"but said"
expect_line out "^pair, rm: chain 'there': a reaction of 23ms, from job 0 of 'a' to job 1 of 'b'; its limit is 22ms$" \
	"of reactions, too"
run run late.yaml --strict
expect_status 1 "a chain above its limit"

# ---- bounds ----
run analyze pair.yaml
expect_line out '^rm +chain +there +34 +23 +23$' "Davare's bound"
expect_line out '^rm +chain:method=duerr +there +33 ' "Duerr's"
expect_line out '^rm +chain:method=periodic +back +31 ' "that of periods"
run validate jobs.db
expect_status 0 "no bound is exceeded"
expect_line out '^rm +chain:method=periodic +sound +0 +2 +0 +1' "and one is met"
cp jobs.db wrong.db
run_command sqlite3 wrong.db "UPDATE chain_run SET max_age_ns = 99000000 WHERE chain_idx = 1"
run validate wrong.db
expect_status 1 "an age above a bound"
run audit wrong.db
expect_status 1 "which the audit knows to be wrong"
expect_line out "chain 'back': the greatest age is 99ms, but the job rows give 30ms" "by its rows of jobs"

# ---- the way of the data ----

run query segments.db @chain-path --format csv
expect_out "which job read and wrote what was oldest, by hand" <<-'END'
	run_id,policy,chain,figure,amount_ms,stage,task,seq,read_ms,write_ms,from_ms,to_ms
	1,rm,there,age,23,0,a,0,0,1,0,23
	1,rm,there,age,23,1,b,0,1,3,0,23
	1,rm,there,reaction,23,0,a,2,20,21,0,23
	1,rm,there,reaction,23,1,b,1,21,23,0,23
	1,rm,back,age,30,0,b,0,1,3,1,31
	1,rm,back,age,30,1,a,2,20,21,1,31
	1,rm,back,reaction,30,0,b,1,21,23,1,31
	1,rm,back,reaction,30,1,a,3,30,31,1,31
END
run plot segments.db gantt -P chain=there --script there.gp
expect_status 0 "a chart of it"
# Instants and rows: along the job of a, of b, and on to where b writes again; and from a to b.
sed -n "/^\$run1_[a-z]* *<< EOD/,/^EOD/p;/^\$run1_\(age\|reaction\)[a-z]*1 <</,/^EOD/p" there.gp >out
expect_out "from read to write along the jobs, with an arrow to the next stage" <<-'END'
	$run1_age1 << EOD
	0 1 1 1
	1 2 3 2
	3 2 23 2
	EOD
	$run1_agehop1 << EOD
	1 1 1 2
	EOD
	$run1_reaction1 << EOD
	0 1 20 1
	20 1 21 1
	21 2 23 2
	EOD
	$run1_reactionhop1 << EOD
	21 1 21 2
	EOD
END
expect_line there.gp '"there: greatest age, 23ms"' "the legend has the figures"
expect_line there.gp 'set xrange \[-' "the window begins with the data"
run plot segments.db gantt -P chain=there -o there.svg
expect_status 0 "which gnuplot draws"
run plot segments.db gantt -P chain=there -P from=100 -P to=200 --script far.gp
[ "$status" -eq 0 ] && ! grep -q 'greatest age' far.gp
report $? "elsewhere nothing is said of it"
run plot segments.db gantt --script plain.gp
[ "$status" -eq 0 ] && ! grep -q 'age1\|between' plain.gp
report $? "nor where no chain was asked for"
run plot segments.db gantt -P chain=their -o their.svg
expect_status 2 "a chain that is not there"
expect_err "with those that are" <<-'END'
	cegsim: error: run 1 has no chain 'their'; it has: there, back
END
# Whatever was recorded: the way of an age begins and that of a reaction ends with the jobs of the row of chain_run, and
# nobody reads what is not written.
run run "$SOURCES/scenarios/examples/chains.yaml" -o many.db -q --record jobs
run query many.db @chain-path --format csv
cp out way
run query many.db "SELECT run_id, chain, age_first_seq, age_last_seq, reaction_last_seq FROM v_chain" --format csv
awk -F, 'NR == FNR { if (FNR > 1) { first[$1, $2] = $3; last[$1, $2, "age"] = $4; last[$1, $2, "reaction"] = $5 } next }
	FNR == 1 { next }
	{ rows++; key = $1 SUBSEP $3 SUBSEP $4 }
	$6 == 0 && $4 == "age" && ($8 != first[$1, $3] || $9 < $11) { print "begins elsewhere: " $0 }
	$6 > 0 && wrote[key] > $9 + 0 { print "reads before it is written: " $0 }
	$10 < $9 { print "writes before it reads: " $0 }
	{ wrote[key] = $10; seq[key] = $8; to[key] = $12 }
	END { for (key in last) if (seq[key] != last[key] || (key ~ /reaction/ ? wrote[key] != to[key] : wrote[key] >= to[key]))
		print "ends elsewhere: " key
		print rows " steps" }' out way >out.way
mv out.way out
expect_out "the ways of the example, with the jobs that its chains have" <<-'END'
	36 steps
END

# ---- logical execution time ----
sed -e 's/period: 10,/period: 10, deadline: 7,/; s/period: 20,/period: 20, deadline: 8,/' \
	-e 's/, reaction: 23, age: 23//; s/\]}$/], communication: let}/' -e '/segments/s/, communication: let//' pair.yaml >let.yaml
run run let.yaml
expect_line out '^pair +rm +there +38 +38 +- +32.864865 +38 +-$' "let"
expect_line out '^pair +rm +back +32 +37 +- +37.000000 +37 +-$' "let, and back"

# ---- triggers, in a campaign: the same bytes for any number of workers, and of its parts ----
cat >triggered.yaml <<'END'
cegsim: 1
name: triggered
time_unit: ms
horizon: 200
execution: uniform
tasks:
  - {name: a, period: 10, segments: [{cpu: [1, 2]}]}
  - {name: b, period: 20, segments: [{cpu: [1, 3]}]}
  - {name: c, period: 20, release: {after: [a, b]}, segments: [{cpu: [1, 3]}]}
  - {name: d, period: 20, deadline: 5, release: {after: c}, segments: [{cpu: 1}]}
chains:
  - {name: through, tasks: [a, c, d], reaction: 60}
policies: [fifo-cke]
END
cat >campaign.yaml <<'END'
cegsim-campaign: 1
name: campaign
generate:
  recipe: scenario
  file: triggered.yaml
  set:
    tasks.d.release: [periodic, {after: b}]
    chains.through.communication: [implicit, let]
    chains.0.reaction: [40, 60]
replications: 2
record: jobs
END
run sweep campaign.yaml -q -j 1 -o one.db
expect_status 0 "a campaign with chains"
run sweep campaign.yaml -q -j 2 -o two.db
run sweep campaign.yaml -q --shard 0/2 -o first.db
run sweep campaign.yaml -q --shard 1/2 -o second.db
run merge first.db second.db -o merged.db
expect_status 0 "its parts are merged"
for file in one.db two.db merged.db; do
	run query $file "SELECT s.name, c.* FROM chain_run c JOIN run r USING (run_id) JOIN taskset s USING (taskset_id)
		ORDER BY r.identity_digest, c.chain_idx" --format csv
	sed 's/,[0-9]*,/,RUN,/' out >"$file.rows"
done
compare two.db.rows "the same with two workers" <one.db.rows
compare merged.db.rows "the same of its parts" <one.db.rows
run query one.db "SELECT count(*) AS n, count(DISTINCT taskset_id) AS sets, sum(reactions > 0) AS reacts FROM v_chain" \
	--format csv
expect_line out '^16,16,16$' "a chain for each run"
run audit merged.db
expect_status 0 "every law holds of what was merged"
run run merged.db
expect_status 0 "and its runs are made again"

# ---- who does not take them ----
run run triggered.yaml -p stgm -p rtgpu -p sbeet --format csv
expect_line out "task 'c' is released by the ends of other jobs; its test holds for releases at least a period apart" \
	"policies with a test refuse triggers"
run analyze triggered.yaml -a fp -a chain
expect_line out "refused .*task 'c' is released by the ends of other jobs; it holds for releases at least" "analyses do"
run search triggered.yaml -p rm
expect_status 2 "a search does"
expect_line err "task 'c' is released by the ends of other jobs; a search is for" "with the reason"
run analyze "$SOURCES/scenarios/examples/quickstart.yaml" -p fifo-cke -a chain
expect_line out 'chain +refused .*the set has no chains' "no chains, no bounds"

# ---- recordings that have none ----
run run "$SOURCES/scenarios/examples/quickstart.yaml" -o old.db -q
run_command sqlite3 old.db "DROP VIEW v_chain; DROP VIEW v_chain_check; DROP TABLE chain_bound; DROP TABLE chain_run;
	DROP TABLE chain_task; DROP TABLE chain; DROP TABLE task_after;
	DELETE FROM column_doc WHERE tbl LIKE '%chain%' OR tbl = 'task_after'"
run run old.db
expect_status 0 "a recording without the tables runs again"
run audit old.db
expect_status 0 "and is audited"
run validate old.db
expect_status 0 "and validated"
run view old.db -o old.html
expect_status 0 "and looked at"
run view jobs.db -o new.html
expect_status 0 "one with chains, too"
run trace jobs.db -o new.pftrace
expect_status 0 "a trace of chains"
if command -v protoc >protoc.path; then
	run_command sh -c "protoc --decode=perfetto.protos.Trace -I '$SOURCES/tests/data' perfetto_subset.proto <new.pftrace |
		grep -c 'name_iid: [45]\$'"
	expect_line out '^4$' "marks where the worst of each was"
fi
run trace old.db -o old.pftrace
expect_status 0 "and of a recording without the tables"

finish
