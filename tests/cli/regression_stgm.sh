#!/bin/sh
# Former wrong schedules of stgm, on SMs that tasks share: what engine, audit, validate and search must give now.
#
#     regression_stgm.sh NAME          of tests/data/regressions/NAME.yaml
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

scenario=$SOURCES/tests/data/regressions/$1.yaml

run run "$scenario" -o runs.db --record blocks -q
expect_status 0 "$1: runs"
cp runs.db spoiled.db

# number VALUE QUERY WHAT: the query's one number
number() {
	run query runs.db "$2" --format csv
	[ "$(sed 1d out)" = "$1" ]
	report $? "$3 $1 ns"
}

# starts TASK SEGMENT NS, responds TASK NS: of job 0
starts() {
	number "$3" "SELECT i.start_ns FROM segment_interval i JOIN task t ON t.task_id = i.task_id
		WHERE t.name = '$1' AND i.seq = 0 AND i.segment_idx = $2 AND i.granted IS NOT NULL" "the kernel of $1 starts at"
}
responds() {
	number "$2" "SELECT j.finish_ns - j.release_ns FROM job j JOIN task t ON t.task_id = j.task_id
		WHERE t.name = '$1' AND j.seq = 0" "the response of $1 is"
}

# late TASK SEGMENT NS WORDS: if the kernel of job 0 is as late as it once was, law `gate` finds it, in these words
late() {
	python3 - "$@" <<-'END'
		import sqlite3, sys
		task, segment, by = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
		db = sqlite3.connect('spoiled.db')
		for rows in 'segment_interval SET', 'block_interval SET':
		    kernel = ' AND granted IS NOT NULL' if rows.startswith('segment') else ''
		    db.execute(f'UPDATE {rows} start_ns = start_ns + ?, end_ns = end_ns + ? WHERE seq = 0 AND segment_idx = ?'
		               f' AND task_id = (SELECT task_id FROM task WHERE name = ?){kernel}', (by, by, segment, task))
		db.commit()
	END
	run audit spoiled.db
	expect_status 1 "the kernel of $1 as late as it was is found"
	sed -n '/^gate:/,/^$/p' out >gate
	expect_line gate "task '$1', job 0, segment $2: $4" "by law gate"
}

case $1 in
stgm-shared-tie)
	starts hi 1 6000000
	responds hi 3000000
	late hi 1 94000000 'at 6ms it waits, since 6ms, and its SMs are idle and wanted by no higher one'
	;;
set-76-stgm)
	starts t0 2 150
	responds t0 34
	late t0 2 185 'at 150ns it waits, since 150ns, and its SMs are idle'
	;;
set-465-stgm)
	starts t2 2 20
	responds t2 47
	late t2 2 39 'at 20ns it waits, since 20ns, and its SMs are idle'
	;;
stgm-abort)
	starts l1 0 21000000
	responds l1 20000000
	late l1 0 80000000 'at 21ms it waits, since 3ms, and its SMs are idle'
	;;
*)
	report 1 "there is a scenario '$1'"
	;;
esac

run audit runs.db
expect_status 0 "nothing is found in the recording"
run validate runs.db -a stgm
expect_status 0 "no bound is exceeded"
run search "$scenario" -a stgm
expect_status 0 "nor is any by a schedule that cegsim search finds"
finish
