#!/bin/sh
# A recording of a program before contexts, operations in flight, masks, several cores and GPUs (older.py) still is
# audited, queried, drawn, looked at and run again.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

for name in first profiles-rtx3070; do
	run run "$SOURCES/scenarios/examples/$name.yaml" -o $name.db --record blocks -q
	expect_status 0 "$name is recorded"
	run query $name.db "SELECT * FROM v_job" --format csv
	cp out jobs.csv
	for what in @utilisation @utilisation-sms "SELECT * FROM v_utilisation"; do
		run query $name.db "$what" --format csv
		cat out
	done >busy.csv
	run_command python3 "$SOURCES/tests/cli/older.py" $name.db
	expect_status 0 "and made older"
	run audit $name.db --format csv
	expect_status 1 "it is audited"
	cp out laws.csv
	expect_line laws.csv '^r1-order,.*,0,$' "laws on blocks hold"
	run_command python3 -c 'import csv
for law in csv.DictReader(open("laws.csv")):
    if int(law["findings"]): print(law["law"])'
	expect_out "nothing is found but digests of columns that are gone" <<-'END'
		platform-digest
		set-digest
	END
	run query $name.db "SELECT * FROM v_job" --format csv
	cp out again.csv
	run_command cmp again.csv jobs.csv
	expect_status 0 "v_job says the same"
	for what in @utilisation @utilisation-sms "SELECT * FROM v_utilisation"; do
		run query $name.db "$what" --format csv
		cat out
	done >busy-again.csv
	run_command cmp busy-again.csv busy.csv
	expect_status 0 "and so say those of utilisation"
	run query $name.db @where-time-went
	expect_status 0 "@where-time-went has an answer"
	run plot $name.db gantt -o gantt.svg
	expect_status 0 "a Gantt chart is drawn"
	rm -f gantt.svg
	run trace $name.db -o $name.pftrace
	expect_status 0 "a trace is written"
	run view $name.db -o $name.html
	expect_status 0 "and a page"
	run run $name.db -o again-$name.db -q
	expect_status 0 "it is run again"
	expect_no_line out ' no$' "with the same schedules"
done
finish
