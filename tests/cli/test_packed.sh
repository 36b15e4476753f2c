#!/bin/sh
# The segments of campaigns (db/packed.h): the first sets of every shipped campaign, through the view as any SQLite computes it
# and through the program's own table, make the digests that the sets got from their rows when they were written.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

for campaign in "$SOURCES"/scenarios/campaigns/*.yaml; do
	name=${campaign##*/}
	name=${name%.yaml}
	run sweep "$campaign" -o "$name.db" --limit-units 2 -q
	[ "$status" -eq 0 ] || report 1 "$name: its first sets"
	run query "$name.db" "SELECT * FROM segment ORDER BY task_id, segment_idx" --format csv
	mv out own
	run query "$name.db" "SELECT * FROM main.segment ORDER BY task_id, segment_idx" --format csv
	cmp -s own out
	report $? "$name: the program's table has the rows of the view"
	run_command python3 "$SOURCES/tests/cli/packed.py" "$name.db"
	expect_status 0 "of which other programs make the digests of the sets"
	run audit "$name.db"
	expect_status 0 "and so does the audit"
done
run query tour.db "EXPLAIN QUERY PLAN SELECT * FROM main.segment WHERE task_id = 3" --format csv
expect_line out 'SEARCH k USING INTEGER PRIMARY KEY' "a task is found by its id"
run query tour.db "SELECT count(*) FROM task k LEFT JOIN segment g ON g.task_id = k.task_id AND g.segment_idx = 2 WHERE kind = 'kernel'
	UNION ALL SELECT count(*) FROM task WHERE task_id NOT IN (SELECT task_id FROM segment)
	UNION ALL SELECT count(*) FROM segment WHERE task_id IN (-1, 'x', 1.5, 1000000) OR segment_idx = 17
	UNION ALL SELECT count(*) FROM segment WHERE task_id = 1 AND segment_idx IN (-1, 0, 16, 17, 1e12)" --format csv
compare out "joins and conditions on it" <<'END'
count(*)
10
0
0
2
END
terms='(task_id = 1 AND segment_idx < 3) OR (task_id = 2 AND segment_idx = 1) OR task_id = 3'
count="SELECT count(*), sum(task_id * 100 + segment_idx) FROM segment WHERE $terms"
run query tour.db "$count" --format csv
tail -1 out >ours
sqlite3 -csv tour.db "$count" >stock
compare ours "terms of an OR lose no row" <stock
run query tour.db "SELECT (SELECT count(*) FROM segment_shape) < (SELECT count(*) FROM segment) / 10 AS few" --format csv
expect_line out '^1$' "shapes are fewer than segments"

# A recording of cegsim run has a table, and so has the page.
run run "$SOURCES/scenarios/examples/two-gpus.yaml" -o run.db
run query run.db "SELECT type, (SELECT count(*) FROM task_segments) AS packed FROM sqlite_master WHERE name = 'segment'" --format csv
expect_line out '^table,0$' "sets of cegsim run have rows"

# Shares that a program before made lack the tables.
run sweep "$SOURCES/scenarios/campaigns/tour.yaml" -o old.db --limit-units 2 --shard 1/2 -q
run_command sqlite3 old.db "DROP VIEW segment; DROP TABLE task_segments; CREATE TABLE segment (task_id, segment_idx)"
run merge old.db -o merged.db
expect_status 2 "a share of a program before"
expect_line err 'was written by another version of cegsim' "is refused, and that is why"
finish
