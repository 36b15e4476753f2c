#!/bin/sh
# What a real machine did beside what the model says of it: recordings of replays (cegsim replay -o).
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

cp "$SOURCES/scenarios/examples/drive.sqlite" .

# ---- a replay as a recording ----
run replay drive.sqlite --format csv -o drive.db
expect_status 0 "a replay is recorded"
cp out table.csv
run replay drive.sqlite --format csv
compare out "and printed as without" <table.csv
run audit drive.db
expect_status 0 "its schedule keeps the rules"
run run drive.db
expect_status 0 "and is made again from what is recorded"
expect_line out '^ *1 +fifo-cke +ok +72 +0 .* yes$' "job by job"
# agrees FILE.db: the largest error in the table of `replay --format csv` is the largest deviation of the run.
agrees() {
	run query "$1" "SELECT count(*) || ',' || round(1e3 * max(abs(deviation_ms)), 3) FROM v_measured WHERE reason
		IS NOT NULL" --format csv
	awk -F, '$1 == "(all)" { printf "%d,%s\n", $2, $5 == int($5) ? $5 ".0" : $5 }' table.csv >wanted
	tail -n 1 out | tr -d '"' >found
	compare found "$1: operations and their largest error are those of the table" <wanted
}
agrees drive.db
run query drive.db "SELECT task, segment, kind, resource, unit, simulated_start_ms, start_ms, end_ms, deviation_ms, reason
	FROM v_measured WHERE task_id IN (2, 4)" --format csv
expect_out "an operation is a job of its stream" <<'END'
task,segment,kind,resource,unit,simulated_start_ms,start_ms,end_ms,deviation_ms,reason
stream 13 #2,detect,kernel,gpu,0,0.1,0.1,2.1,0,in_time
stream 14 #4,search,kernel,gpu,0,3.695,3.7,9.7,-0.005,in_time
END
run query drive.db "SELECT count(*) FROM measured m JOIN segment_interval i USING (run_id, task_id, seq, segment_idx)
	WHERE i.end_ns - i.start_ns <> m.end_ns - m.start_ns" --format csv
expect_line out '^0$' "each takes as long as it took"

run replay drive.sqlite -o drive.db
expect_status 2 "a recording that exists is not overwritten"
expect_line err '^cegsim: error: drive\.db exists already' "which is said"
run replay drive.sqlite -o drive.db --force -q
expect_status 0 "unless it is asked for"
run replay drive.sqlite -o nowhere/drive.db
expect_status 3 "a folder that is not there"
[ ! -s out ]
report $? "nothing is printed then"
run replay drive.sqlite --fit -o fit.db
expect_status 2 "a fit is no replay"
expect_no_file fit.db "and writes nothing"
run replay drive.sqlite --force
expect_status 2 "--force is of a file"
cp "$SOURCES/tests/data/replay/head_of_line_1.json" log.json
run replay log.json -o log.db
expect_status 2 "logs are not recorded"
expect_line err '^cegsim: error: -o is for profiles; log\.json is a log$' "which is said"

if [ -e /dev/full ]; then
	(ulimit -f 300 && "$CEGSIM" replay drive.sqlite -q -o full.db >out 2>err)
	status=$?
	[ "$status" -ne 0 ]
	report $? "a disk that is full ends it"
	expect_no_file full.db "and nothing takes what there is for a recording"
fi

# ---- recordings of others ----
for profile in nsys/cloverleaf-a100.sqlite traces/v100-dnn-ns.json.gz; do
	file=$(real "$profile")
	name=${profile##*/}
	if ! [ -e "$file" ]; then
		report 0 "$name # SKIP"
		continue
	fi
	run replay "$file" --format csv -q -o "$name.db"
	expect_status 0 "$name is recorded"
	cp out table.csv
	agrees "$name.db"
	run audit "$name.db"
	expect_status 0 "$name: its schedule keeps the rules"
done
finish
