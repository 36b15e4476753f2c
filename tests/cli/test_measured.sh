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
cp drive.sqlite kept.sqlite
run replay kept.sqlite -o ./kept.sqlite --force
expect_status 2 "but not the profile itself"
expect_line err '^cegsim: error: \./kept\.sqlite is the file that is read, and is not overwritten' "which is said"
cmp -s drive.sqlite kept.sqlite
report $? "and it is as it was"
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

# ---- jobs of a capture beside those of a run ----
run import drive.sqlite -o app.yaml
run run app.yaml -p fifo-cke,fcfs --record segments -q -o app.db
run import drive.sqlite --compare app.db --format csv
cp out compared.csv
run import drive.sqlite --compare app.db --store --format csv
expect_status 0 "jobs of the capture are stored"
compare out "and compared as without" <compared.csv
run query app.db "SELECT run_id, task, count(*) AS rows, count(reason) AS reasons, max(abs(deviation_ms)) AS most FROM v_measured
	GROUP BY run_id, task_id" --format csv
expect_out "beside those of each run" <<'END'
run_id,task,rows,reasons,most
1,camera,140,0,0
1,planner,12,0,0.3
1,planner-2,20,0,0
2,camera,140,0,6.19
2,planner,12,0,0.3
2,planner-2,20,0,0.08
END
run query app.db "SELECT segment_idx, kind, simulated_start_ms, simulated_end_ms, start_ms, end_ms FROM v_measured
	WHERE run_id = 1 AND task = 'planner' AND seq = 0" --format csv
expect_out "segment by segment" <<'END'
segment_idx,kind,simulated_start_ms,simulated_end_ms,start_ms,end_ms
0,cpu,3,4,3,4
1,kernel,4,10,4,10
2,cpu,10.3,10.41,10,10.1
END
run audit app.db
expect_status 0 "the recording keeps the rules"
run import drive.sqlite --compare app.db --store
run query app.db "SELECT count(*) FROM measured" --format csv
expect_line out '^344$' "stored again, they are there once"
run import drive.sqlite --learn first-half -o half.yaml
run run half.yaml --record segments -q -o half.db
run import drive.sqlite --learn first-half --compare half.db --store
run query half.db "SELECT count(DISTINCT seq), count(*) - count(deviation_ms) FROM v_measured WHERE task = 'camera'" --format csv
expect_line out '^10,0$' "of half of the jobs, those that were released"
cp app.db both.db
run import drive.sqlite --release periodic -o periodic.yaml
run run periodic.yaml --record segments -q -o periodic.db
run import drive.sqlite --compare periodic.db --store
expect_status 2 "jobs released otherwise have nothing beside them"
expect_line err '^cegsim: error: periodic\.db has no run that released its jobs as those of the capture' "which is said"
run run app.yaml periodic.yaml --record segments -q -o mixed.db
run import drive.sqlite --compare mixed.db --store
expect_status 0 "runs of both kinds"
expect_line err '^cegsim: note: 1 run of mixed\.db released jobs otherwise than the capture did: nothing is stored for it$' \
	"are told apart"
run run app.yaml -q -o jobs.db
run import drive.sqlite --compare jobs.db --store
expect_status 2 "without segments there is nothing to put them beside"
expect_line err 'run 1 was recorded with jobs: .* --record segments$' "which is said"
run import drive.sqlite --job every:3 --compare app.db --store
expect_status 2 "so it is with other jobs"
run import drive.sqlite --store
expect_status 2 "--store is of --compare"

# ---- a recording without the table ----
cp drive.db old.db
run_command sqlite3 old.db "DROP VIEW v_measured; DROP TABLE measured"
run query old.db "SELECT count(*) FROM v_measured" --format csv
expect_line out '^0$' "a recording of earlier reads as one without"
run audit old.db
expect_status 0 "and is checked"
cp app.db old.db
run_command sqlite3 old.db "DROP VIEW v_measured; DROP TABLE measured"
run import drive.sqlite --compare old.db --store
expect_status 2 "nothing can be stored in it"
expect_line err 'old\.db was made before recordings had' "which is said"

# ---- drawn ----
# same RECORDING RUN: the rows `measured` of a chart, and their strips, are those of v_measured (us apart: 20)
same() {
	run plot "$1" gantt -P run="$2" --script chart.gp --force
	[ "$status" -eq 0 ] && run query "$1" "SELECT count(*), coalesce(sum(deviation_ms < -0.02), 0), coalesce(sum(deviation_ms > 0.02), 0),
		round(sum(end_ms - start_ms), 6) FROM v_measured WHERE run_id = $2" --format csv
	tail -n 1 out >wanted
	awk '/^\$run1_/ { block = $1; sub(/[0-9]+$/, "", block); sub(/.*_/, "", block); next } /^EOD/ { block = ""; next }
		block == "measured" { all++; time += $2 - $1 }
		block == "later" { later++ }
		block == "earlier" { earlier++ }
		END { printf "%d,%d,%d,%.6g\n", all, later, earlier, time }' chart.gp >found
	sed -i 's/\(\.[0-9]*[1-9]\)0*$/\1/; s/\.0*$//' wanted
	compare found "$1, run $2: the chart has what was measured" <wanted
}
same drive.db 1
same app.db 1
same app.db 2
run plot app.db gantt -P run=2 --script chart.gp --force
expect_line chart.gp "began over 20us earlier than simulated" "the legend says what a strip is"
expect_no_line chart.gp "later than simulated" "of those that occur"
run plot app.db gantt -P run=2 -P tolerance=7ms --script chart.gp --force
expect_no_line chart.gp "than simulated" "within a tolerance of one's own nothing deviates"
run_command sqlite3 both.db "UPDATE measured SET start_ns = start_ns + 1000000, end_ns = end_ns + 1000000"
same both.db 2
run plot app.db gantt -P run=2 -P measured=0 --script without.gp
cp app.db bare.db
run_command sqlite3 bare.db "DELETE FROM measured"
run plot bare.db gantt -P run=2 --script bare.gp
sed -n '/^# Data/,$p' bare.gp >bare
sed -n '/^# Data/,$p' without.gp >found
compare found "measured=0: as without rows, byte by byte" <bare
expect_no_line bare "measured" "which has nothing of it"
run plot old.db gantt -P run=2 --script older.gp
sed -n '/^# Data/,$p' older.gp >found
compare found "a recording of earlier is drawn as one without" <bare
run plot drive.db gantt --script chart.gp --force
sed -n "s/^set label '{\/\*0.9 '.\"\(stream[^\"]*\)\".'}' at graph.*/\1/p" chart.gp >found
compare found "the operations of a stream share a row" <<'END'
stream 13
stream 14
END
run plot drive.db gantt -P from=3 -P to=11 --script chart.gp --force
expect_line chart.gp '^task\[[0-9]+\] = .*search' "and are named after their kernels"
run plot drive.db gantt -P task='stream 14' -o chart.svg
expect_status 0 "a stream may be looked at"
run plot drive.db gantt -P tolerance=soon -o chart.svg --force
expect_status 2 "a tolerance is a time"

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

# ---- a long queue ----
# A thousand copies of one stream are called at once: each waits for all before it.
{
	printf 'cegsim: 1\ntime_unit: us\nhorizon: 1000000\nplatform: {preset: jetson-tx2}\npolicies: [fifo-cke]\ntasks:\n'
	awk 'BEGIN { for (i = 0; i < 1000; i++)
		printf "  - {name: t%d, period: 1000000, segments: [{copy: to_gpu, time: %d, stream: 1}]}\n", i, 1 + i % 7 }'
} >queue.yaml
run run queue.yaml -o queue.db --record segments -q
run audit queue.db -v --format csv
expect_status 0 "its schedule keeps the rules"
expect_line out '^waits,.*,[1-9][0-9]{4},0,' "v_wait is not asked for all of its half a million rows"
run query queue.db @why -P task=t9 --format csv
expect_line out '\(t6 #0 0.007, .*, t0 #0 0.001, t7 #0 0.001\)"$' "nine are named"
run query queue.db @why -P task=t999 --format csv
expect_line out '146 #0 0.007, 991 others 3.935\)"$' "of many the eight with the most"
finish
