#!/bin/sh
# tests/data/regressions/sbeet-late.yaml: two tasks whose releases are late by a period. sbeet used to expect them at
# offset + k * period, which was over, so it gave t1 all SMs just before t2 came. Now they are expected one period after
# their last releases.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

run run "$SOURCES/tests/data/regressions/sbeet-late.yaml" -o late.db --record blocks -q
expect_status 0 "it runs"

run query late.db "SELECT task, seq, release_ms, response_ms, missed FROM v_job ORDER BY task, seq" --format csv
expect_out "t2 is in time at 1 and 211 ms; at 111 it is overdue since 101, which nobody foresees" <<'END'
task,seq,release_ms,response_ms,missed
t1,0,0,10,0
t1,1,110,8,0
t1,2,210,10,0
t2,0,1,6,0
t2,1,111,8,1
t2,2,211,6,0
END
run query late.db "SELECT time_ns, t.name, sms, feasible FROM decision JOIN task t USING (task_id) WHERE chosen ORDER BY 1" --format csv
expect_out "at 210 ms t1 leaves t2 two SMs" <<'END'
time_ns,name,sms,feasible
0,t1,6,1
1000000,t2,2,1
110000000,t1,8,1
117000000,t2,8,0
210000000,t1,6,1
211000000,t2,2,1
END
run audit late.db
expect_status 0 "nothing is found in the recording"

# tests/data/regressions/sbeet-offline-overload.yaml: nobody is admitted up to the end, as planned. It was an error.
run run "$SOURCES/tests/data/regressions/sbeet-offline-overload.yaml" -o overload.db --record blocks
expect_status 0 "a timetable may come too late for all"
expect_line out "sbeet:offline=true +ok " "and that is no fault of the policy"
run audit overload.db
expect_status 0 "nothing is found in that recording, either"
finish
