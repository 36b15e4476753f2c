#!/bin/sh
# Both writers of `run -o` leave the same recording of every shipped scenario: the same content, a sound file, and the same
# answers of every named query, of the audit and of traces.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/writers_lib.sh
. "$SOURCES/tests/cli/writers_lib.sh"

# both SCENARIO LEVEL: pages/r.db and sqlite/r.db
mkdir pages sqlite
both() {
	for writer in pages sqlite; do
		(cd $writer && "$CEGSIM" run "$1" -q -o r.db --force --record "$2" --writer $writer >out 2>&1)
	done
}

wrong=0
count=0
for scenario in "$SOURCES"/scenarios/examples/*.yaml "$SOURCES"/scenarios/papers/*.yaml; do
	both "$scenario" blocks
	[ -f sqlite/r.db ] || continue
	count=$((count + 1))
	wanted=$(content sqlite/r.db)
	if [ -z "$wanted" ] || [ "$(content pages/r.db)" != "$wanted" ] ||
		[ "$(sqlite3 pages/r.db 'PRAGMA integrity_check')" != ok ]; then
		echo "# $scenario"
		wrong=$((wrong + 1))
	fi
	rm -f pages/r.db sqlite/r.db
done
[ "$count" -gt 40 ] && [ "$wrong" -eq 0 ]
report $? "the content of all shipped scenarios, and sound files"

for scenario in vehicle:blocks warps:issues; do
	name=${scenario%:*}
	both "$SOURCES/scenarios/examples/$name.yaml" "${scenario#*:}"
	for writer in pages sqlite; do
		(
			cd $writer || exit
			answers r.db >of-queries
			"$CEGSIM" audit r.db >of-audit 2>&1
			"$CEGSIM" trace r.db -o of-trace --force >/dev/null 2>&1
		)
	done
	for what in of-queries of-audit of-trace; do
		[ -s pages/$what ] && cmp pages/$what sqlite/$what
		report $? "$name: ${what#of-}"
	done
	(cd pages && "$CEGSIM" view r.db -o page.html --force >out 2>&1 && [ -s page.html ])
	report $? "$name: a page"
done

run run "$SOURCES/scenarios/examples/vehicle.yaml" -o other.db --writer other
expect_status 2 "another writer is a mistake"
finish
