#!/bin/sh
# tests/data/regressions/trace-nearer-than-period.yaml: jobs are released 1 ms apart, but the task declares 10. No bound
# covers that, and validate, @tightness and the figure must all say so: validate used to report no violation, @tightness
# and the figure two.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

near=$SOURCES/tests/data/regressions/trace-nearer-than-period.yaml
run run "$near" -o near.db -q
expect_status 0 "the run"
run query near.db "SELECT task, max_ms FROM v_task_response ORDER BY task_id" --format csv
expect_out "whose responses are beyond what fp says" <<'END'
task,max_ms
a,4
b,9
END
run validate near.db -a fp --format csv
expect_status 0 "validate, with bounds computed now"
expect_line out ',fp,.*,sound,1,0,1,2,0,0,0,0,0,0,0,0,,,' "compares neither task: outside"
run analyze near.db -a fp
run validate near.db --format csv
expect_status 0 "with stored ones"
expect_line out ',fp,.*,sound,1,0,1,2,0,0,0,0,0,0,0,0,,,' "neither"
run query near.db "SELECT task, observed_ms, bound_ms, verdict, holds FROM v_bound_check ORDER BY task" --format csv
expect_out "v_bound_check says why" <<'END'
task,observed_ms,bound_ms,verdict,holds
a,4,2,outside,
b,9,5,outside,
END
run query near.db @tightness --format csv
expect_line out ',fp,.*,sound,2,0,0,0,0,0,0,0,0,,$' "@tightness counts them apart"
for figure in tightness bounds; do
	run plot near.db $figure -o near.svg
	expect_status 1 "the figure '$figure' has nothing to show"
	expect_line err 'no run of this recording tells whether a bound holds' "and says so"
done
run search "$near" -p rm -a fp --budget 50 --format csv
expect_status 0 "a search, whose releases are its own,"
expect_line out '^rm,a,,fp,2000000,2000000,1,holds,' "finds that the bounds hold"
expect_line out '^rm,b,,fp,5000000,5000000,1,holds,' "of both tasks"
finish
