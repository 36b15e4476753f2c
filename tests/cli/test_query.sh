#!/bin/sh
# cegsim query: tables that fit a terminal and are unchanged in a pipe, records, --describe, hints after typing errors.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

run run "$SOURCES/scenarios/examples/quickstart.yaml" -o quickstart.db --record blocks -q
run run "$SOURCES/scenarios/papers/qaws-fig3.yaml" -o warps.db --record issues -q
sed 's/^sets: .*/sets: 1/' "$SOURCES/scenarios/campaigns/rtgpu-fig8.yaml" >fig8.yaml
run sweep fig8.yaml -o fig8.db -q
expect_status 0 "three recordings"

run query quickstart.db @blocking -P run=2 -P limit=1 --format csv
expect_out "@blocking: who had the GPU while a copy waited for the gate, too" <<'END'
run_id,task,seq,segment_idx,segment,resource,ready_ms,waited_ms,blocker,blocker_seq,meanwhile_ms,blocker_on,blocker_segment
2,radar,1,1,copy,copy,22,3.23627,camera,0,0.016554,copy,3
2,radar,1,1,copy,copy,22,3.23627,camera,0,3.219716,gpu,2
END

# --- widths -----------------------------------------------------------------------------

run list queries --format json
sed -n 's/^{"query": "\([^"]*\)".*/\1/p' out | sort -u >names
[ "$(wc -l <names)" -gt 40 ]
report $? "there are many named queries"
: >wide
for recording in quickstart warps fig8; do
	while read -r name; do
		"$CEGSIM" query $recording.db "@$name" --width 80 2>err | sed 's/…/./g' >fitted
		LC_ALL=C awk -v what="$recording @$name" 'length > 80 { print what ": " $0 }' fitted >>wide
		[ -s fitted ] || grep -q "^cegsim: error: @$name \(needs runs recorded with\|is about kernels of warps\)" err ||
			echo "$recording @$name: nothing" >>wide
	done <names
done
compare wide "no line of a named query is wider than asked for" </dev/null

run query quickstart.db "SELECT run_id, policy, 'jetson-tx2' AS platform, schedulable, task, worst_normalised, max_ms, mean_ms
	FROM v_task_response JOIN v_run USING (run_id, policy) ORDER BY run_id LIMIT 4" --width 60
cp out fitted
expect_out "to the byte" <<'END'
platform: jetson-tx2   schedulable: 1

                               worst_
run_id  policy    task     normalised    max_ms   mean_ms
------  --------  -------  ----------  --------  --------
     1  fifo-cke  camera     0.655907  26.23627  26.23627
     1  fifo-cke  radar      0.253333   3.80000   3.80000
     1  fifo-cke  control    0.150000   1.50000   1.50000
     2  fcfs      camera     0.655907  26.23627  26.23627
END

# What a program reads, or a file keeps, does not depend on the terminal.
run query quickstart.db @overview
cp out piped
COLUMNS=60 run query quickstart.db @overview
compare out "a pipe is no terminal" <piped
run query quickstart.db @overview --width 0
compare out "nor is --width 0" <piped
head -n 3 piped >first
sed 's/.* //' piped >same_as
compare first "and tables are as wide as they are there" <<'END'
run_id  policy    params                                  taskset     platform    status  jobs  misses  schedulable  stop_ms  energy_j  reason  same_as
------  --------  --------------------------------------  ----------  ----------  ------  ----  ------  -----------  -------  --------  ------  -------
     1  fifo-cke  {"order":"head","priorities":"honour"}  quickstart  jetson-tx2  ok        14       0            1     71.5  -         -             -
END
compare same_as "who has the schedule of an earlier run names it" <<'END'
same_as
-------
-
-
2
END
run query quickstart.db "SELECT copy_bandwidth, shared_memory_per_sm FROM platform"
expect_out "nor do headers change"  <<'END'
copy_bandwidth  shared_memory_per_sm
--------------  --------------------
   10000000000                 65536
END
for format in csv json; do
	run query quickstart.db @overview --format $format
	cp out piped
	run query quickstart.db @overview --format $format --width 40
	compare out "$format has no width" <piped
done
run query quickstart.db @overview --width 10
expect_status 2 "a width must hold a column"

# on_terminal WIDTH ARGUMENT...: runs the program with a terminal as all three streams; if the terminal says 0, COLUMNS
# counts
on_terminal() {
	columns=$1
	shift
	last="cegsim $* (on a terminal)"
	status=0
	script -qec "stty cols $columns; $CEGSIM $*" /dev/null </dev/null >typed 2>&1 || status=$?
	tr -d '\r' <typed >out
}

run query quickstart.db @response --width 70
cp out fitted
on_terminal 70 query quickstart.db @response
compare out "a terminal says how wide it is" <fitted
COLUMNS=70
export COLUMNS
on_terminal 0 query quickstart.db @response
unset COLUMNS
compare out "or else COLUMNS does" <fitted
run query quickstart.db @response --width 80
cp out fitted
on_terminal 0 query quickstart.db @response
compare out "or else it is 80" <fitted

# --- units and records ------------------------------------------------------------------

units='SELECT copy_bandwidth, copy_latency_ns, shared_memory_per_sm, jobs AS unit FROM platform JOIN run USING (platform_id) LIMIT 2'
run query quickstart.db "$units" --width 100
expect_out "a header has the unit that its name does not say" <<'END'
copy_bandwidth (bytes/s)  copy_latency_ns  shared_memory_per_sm (bytes)  unit
------------------------  ---------------  ----------------------------  ----
             10000000000            10000                         65536    14
             10000000000            10000                         65536    14
END
run query quickstart.db "$units" --format records
expect_out "as records, too" <<'END'
copy_bandwidth (bytes/s)     | 10000000000
copy_latency_ns              | 10000
shared_memory_per_sm (bytes) | 65536
unit                         | 14
-----------------------------+--------------------
copy_bandwidth (bytes/s)     | 10000000000
copy_latency_ns              | 10000
shared_memory_per_sm (bytes) | 65536
unit                         | 14
END

# --- limits ------------------------------------------------------------------------------

run query fig8.db @overview -P limit=5
expect_no_output_on_stderr "who names a limit knows it"
run query quickstart.db @overview
expect_no_output_on_stderr "what is not at its limit is all there is"
run query fig8.db @only-one
expect_err "where rows were cut it is said" <<'END'
cegsim: note: these are the first 100 rows, and there may be more: -P limit=N
END

# --- descriptions ------------------------------------------------------------------------

run query --describe quickstart.db
expect_status 0 "--describe"
expect_line out '^table +run +3 +a simulation: ' "counts rows"
expect_line out '^view +v_run +- +a run: ' "and lists views"
expect_no_line out '^(table|view) .* -$' "every table says what it is for"
run query --describe quickstart.db profile
expect_out "a table and its columns" <<'END'
table profile - a row is a kernel on a number of SMs: its time and its power

column          type     unit  description
--------------  -------  ----  ----------------------------------------------------
taskset_id      integer  -     the task set it belongs to
profile_idx     integer  -     number in the set, from 0
name            text     -     name given
sms             integer  -     on so many SMs (m)
best_ns         integer  ns    least time on m SMs
worst_ns        integer  ns    greatest time on m SMs
total_power_uw  integer  uW    power of the whole GPU meanwhile; NULL: not measured
END
run query quickstart.db @utilisation -P run=1 --format csv
cp out busy
run query quickstart.db "SELECT lane, utilisation FROM v_utilisation WHERE run_id = 1 AND resource <> 'sm' ORDER BY 1" --format csv
awk -F, '$3 !~ /SMs$|^threads$|^pool$/ { print $3 "," $6 }' busy | LC_ALL=C sort >lanes
LC_ALL=C sort out | cmp -s - lanes
report $? "@utilisation: CPU, copy engines and GPU are those of the view" || show_file busy
run query quickstart.db "SELECT avg(utilisation), min(utilisation), max(utilisation), count(*) FROM v_utilisation
	WHERE run_id = 1 AND resource = 'sm'" --format csv
cp out sms
run query quickstart.db @utilisation-sms -P run=1 --format csv
[ "$(($(wc -l <out) - 1))" = "$(sed -n '2s/.*,//p' sms)" ]
report $? "@utilisation-sms: a row for each SM"
[ "$(awk -F, '$3 ~ / SMs$/ { printf "%.6f %.6f %.6f", $6, $7, $8 }' busy)" = \
	"$(awk -F, 'NR == 2 { printf "%.6f %.6f %.6f", $1, $2, $3 }' sms)" ]
report $? "and of the SMs the mean, the least and the most" || show_file busy
run query quickstart.db "SELECT 1.0 * sum(b.threads * (b.end_ns - b.start_ns)) / l.sms / l.threads_per_sm / r.stop_ns AS share
	FROM block_interval b JOIN run r USING (run_id) JOIN platform l USING (platform_id) WHERE r.run_id = 1" --format csv
[ "$(awk -F, '$3 == "threads" { printf "%.6f", $6 }' busy)" = "$(awk 'NR == 2 { printf "%.6f", $1 }' out)" ]
report $? "and the share of their threads" || show_file busy
run query --describe quickstart.db v_utilisation --width 70
cp out described
LC_ALL=C awk 'length > 70' described >wide
compare wide "fits" </dev/null
run query --describe quickstart.db v_utilisation --format csv
head -n 2 out >first
compare first "for programs in one table" <<'END'
kind,table,column,type,unit,description
view,v_utilisation,run_id,INTEGER,,the run
END
run query --describe quickstart.db --format csv
[ "$(wc -l <out)" -gt 300 ]
report $? "of all columns without a name"
run query --describe quickstart.db @histogram
expect_out "a named query" <<'END'
query @histogram - response times of a task as a histogram

parameter  default  help
---------  -------  ----------------
run        1        the run
task       -        name of the task

SELECT h.run_id, t.name AS task, h.lower_ns / 1e6 AS from_ms, h.upper_ns / 1e6 AS to_ms, h.jobs
FROM run_task_hist h JOIN task t USING (task_id)
WHERE h.run_id = :run AND (:task IS NULL OR t.name = :task) ORDER BY h.task_id, h.bucket;
END
run query --describe quickstart.db @histogram --format json
expect_line out '"query": "histogram", .*"parameter": "run", "default": "1"' "also for programs"
run query --describe quickstart.db profile -P run=1
expect_status 2 "which takes no parameter"

# --- hints -----------------------------------------------------------------------------

run query --describe quickstart.db v_jbo
expect_status 2 "there is no such table"
expect_err "but one near" <<'END'
cegsim: error: there is no table or view 'v_jbo'; did you mean 'v_job'? (--describe without a name prints all)
END
run query --describe quickstart.db @respons
expect_err "or a query" <<'END'
cegsim: error: there is no query named 'respons'; did you mean 'response'? (see cegsim list queries)
END
run query quickstart.db 'SELECT * FROM v_tsk_response'
expect_status 2 "SQL asks for tables"
expect_err "that are near" <<'END'
cegsim: error: quickstart.db: no such table: v_tsk_response; did you mean 'v_task_response'?
END
run query quickstart.db 'SELECT j.respone_ms FROM v_job j'
expect_err "or columns of the tables it names" <<'END'
cegsim: error: quickstart.db: no such column: j.respone_ms; did you mean 'response_ms'?
END
run query quickstart.db 'SELECT release_ns FROM v_job'
expect_err "never the name that is wrong there" <<'END'
cegsim: error: quickstart.db: no such column: release_ns; did you mean 'release_ms'?
END
run query quickstart.db 'SELECT qqqqqqq FROM v_job'
expect_err "only where one is near" <<'END'
cegsim: error: quickstart.db: no such column: qqqqqqq
END

# A cell takes the same time however many columns the table has.
columns=$(awk 'BEGIN { for (i = 0; i < 1000; i++) printf "%s%d", i ? "," : "", i }')
(
	# shellcheck disable=SC3045 # all shells in use have it
	ulimit -t 4
	run query quickstart.db "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) SELECT $columns FROM n" \
		--format records
	[ "$status" -eq 0 ] && [ "$(wc -l <out)" -eq 200199 ]
)
report $? "records of a thousand columns"

# --- patience ---------------------------------------------------------------------------

on_terminal 80 query quickstart.db @overview
expect_no_line out 'still asking' "who is quick says nothing"
last='a query without end, and Ctrl-C'
status=0
script -qec "timeout --preserve-status -s INT 1.3 $CEGSIM query quickstart.db 'WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL
	SELECT x + 1 FROM c) SELECT count(*) FROM c'" /dev/null </dev/null >out 2>err || status=$?
expect_status 130 "Ctrl-C ends a query"
expect_line out '^cegsim: still asking; Ctrl-C ends it' "that says it is at work after a second"
finish
