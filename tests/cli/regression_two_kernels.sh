#!/bin/sh
# tests/data/regressions/two-kernels.c: a plug-in that admits two kernels at a time, on the shipped vehicle. Blocks of two
# kernels that are placed on one SM at the same instant take its lowest free slots; the audit cannot know in which order.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

run_command "${CC:-cc}" -shared -fPIC -O2 -I"$SOURCES/models" -I"$SOURCES" -o two-kernels.so \
	"$SOURCES/tests/data/regressions/two-kernels.c"
expect_status 0 "the plug-in is built"
run run "$SOURCES/scenarios/examples/vehicle.yaml" -p ./two-kernels.so --record blocks -o two.db -q
expect_status 0 "runs on the vehicle"
run_command sqlite3 two.db "SELECT count(*) > 50 FROM (SELECT 1 FROM block_interval GROUP BY sm, start_ns
	HAVING count(DISTINCT task_id) > 1)"
expect_line out '^1$' "two kernels place blocks on one SM at one instant, often"
run audit two.db -v
expect_status 0 "the audit finds nothing"
expect_line out '^slots +[1-9][0-9]+ +0 ' "though it asks for every slot"
sqlite3 two.db "UPDATE block_interval SET slot = slot + 40 WHERE rowid = (SELECT max(rowid) FROM block_interval)"
run audit two.db -v
expect_status 1 "but for one that is wrong"
expect_line out '^slots +[1-9][0-9]+ +1 ' "and is found"
finish
