#!/bin/sh
# cegsim run --seeds: the tables, one recording, what is refused.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

sed 's/^horizon: .*/horizon: 400ms/; s/^policies: .*/policies: [fifo-cke, rm]/' \
	"$SOURCES/scenarios/examples/test-car.yaml" >car.yaml

run run car.yaml --seeds 1..3,7 -o car.db -q
expect_status 0 "a list of seeds"
expect_line out '^scenario +policy +seeds +without_miss +refused +errors +jobs +misses$' "has a row for each policy"
expect_line out '^test-car +rm +4 +[0-4] +0 +0 +[0-9]+ +[0-9]+$' "over all seeds"
for seed in 1 2 3 7; do
	run run car.yaml --seed $seed --format csv -q
	grep ',rm,' out | sed "s/$/,$seed/" >>single
done
run run car.yaml --seeds 1..3,7 --format csv -q
grep ',rm,' out >listed
compare listed "csv: a row for every run, as that of --seed, with its seed" <single
jobs=$(awk -F, '{n += $4} END {print n}' single) misses=$(awk -F, '{n += $5} END {print n}' single)
run run car.yaml --seeds 1..3,7 -q
expect_line out "^test-car +rm +4 +[0-4] +0 +0 +$jobs +$misses\$" "jobs and misses are their sums"
worst=$(sqlite3 car.db "SELECT printf('%.6f', max_response_ns / 1e6) || ' +' || seed FROM run_task JOIN run USING (run_id)
	JOIN policy USING (policy_id) JOIN task USING (task_id) WHERE policy.name = 'rm' AND task.name = 'camera'
	ORDER BY max_response_ns DESC, seed LIMIT 1")
missing=$(sqlite3 car.db "SELECT sum(r.misses) || ' +' || sum(r.misses > 0) FROM run_task r JOIN run USING (run_id)
	JOIN policy USING (policy_id) JOIN task USING (task_id) WHERE policy.name = 'rm' AND task.name = 'camera'")
expect_line out "^test-car +rm +camera +[0-9]+ +$missing +[0-9.]+ +$worst +33\$" \
	"every task has its misses, the seeds in which it missed, its worst response, and the seed of that"
sqlite3 car.db "SELECT replication, seed FROM run JOIN policy USING (policy_id) WHERE name = 'rm' ORDER BY run_id" >numbers
compare numbers "in the recording a seed's number is the replication" <<'END'
0|1
1|2
2|3
3|7
END
run audit car.db
expect_status 0 "the audit finds nothing"
run run car.db -q
expect_status 0 "and every run can be repeated"
sqlite3 car.db "UPDATE scenario SET overrides = replace(overrides, '3,7', '3,8')"
run audit car.db
expect_status 1 "it sees a seed that was not asked for"
expect_line out ": seed is 7, and should be 8$" "and says so"

run run car.yaml --seeds 1..2 --strict -q -p rm
expect_status 1 "--strict: a miss under any seed"
sed 's/^execution: .*/execution: worst/; s/^release: .*/release: periodic/' car.yaml >fixed.yaml
run run fixed.yaml --seeds 1..3 -q -p rm
expect_status 0 "a scenario without draws"
expect_line err '^cegsim: test-car under rm: the schedules of all 3 seeds are equal; ' "is told to have none"

for list in 1.. ..3 3..1 1,,2 -1 x 1..3,2 0..100000 99999999999999999999 ''; do
	run run car.yaml --seeds "$list"
	expect_status 2 "refused: '$list'"
done
run run car.yaml --seeds 1..3,2
expect_line err '^cegsim run: seed 2 is given twice$' "a seed given twice is named"
run run car.yaml --seeds 1..5 -q -p rm,edf,fifo-cke,prio-streams --format csv
same=$(awk -F, '$2 == "rm" {rm[$12] = $10} $2 == "edf" {n += rm[$12] == $10} END {print n + 0}' out)
run run car.yaml --seeds 1..5 -q -p rm,edf,fifo-cke,prio-streams,rm
if [ "$same" -gt 0 ]; then
	expect_line out "^test-car: rm and edf: the same schedule with $same of 5 seeds\$" "policies with equal schedules"
else
	expect_no_line out 'rm and edf: the same' "policies with equal schedules"
fi
expect_line out '^test-car: rm and rm: the same schedule with 5 of 5 seeds$' "a policy and itself have them with all seeds"
expect_no_line out 'with 0 of' "who has none is not named"
run run car.yaml --seeds 1 --seed 2
expect_status 2 "--seed and --seeds"
run run car.db --seeds 1
expect_status 2 "--seeds with a recording"
finish
