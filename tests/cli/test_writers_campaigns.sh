#!/bin/sh
# Both writers of `merge` leave the same recording of every shipped campaign: the same content and a sound file; and of one
# with all that can be recorded the same answers of every named query, of the audit and of the page.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/writers_lib.sh
. "$SOURCES/tests/cli/writers_lib.sh"

mkdir pages sqlite
# halves CAMPAIGN UNITS: its first task sets, in two shares, merged by both writers: pages/m.db and sqlite/m.db
halves() {
	rm -f half0.db half1.db
	for half in 0 1; do
		"$CEGSIM" sweep "$1" -o half$half.db --shard $half/2 --limit-units "$2" -j 1 -q >out 2>&1
	done
	for writer in pages sqlite; do
		"$CEGSIM" merge half0.db half1.db -o $writer/m.db --partial --force --writer $writer >out 2>&1
	done
}

wrong=0
count=0
for campaign in "$SOURCES"/scenarios/campaigns/*.yaml; do
	halves "$campaign" 2
	count=$((count + 1))
	wanted=$(content sqlite/m.db)
	if [ -z "$wanted" ] || [ "$(content pages/m.db)" != "$wanted" ] ||
		[ "$(sqlite3 pages/m.db 'PRAGMA integrity_check')" != ok ]; then
		echo "# $campaign"
		wrong=$((wrong + 1))
	fi
done
[ "$count" -gt 30 ] && [ "$wrong" -eq 0 ]
report $? "the content of all shipped campaigns"

cat >blocks.yaml <<'EOF'
cegsim-campaign: 1
seed: 5
sets: 2
record: blocks
generate: {recipe: rtgpu-table1, sms: [4], utilisation: [40%, 80%]}
policies: [{name: rtgpu, admit: any}, fifo-cke, fcfs]
analyses: [rtgpu]
run: {horizon: {periods: 1}, stop: horizon}
EOF
halves blocks.yaml 4
for writer in pages sqlite; do
	(
		cd $writer || exit
		answers m.db >of-queries
		"$CEGSIM" audit m.db >of-audit 2>&1
		"$CEGSIM" view m.db -o page.html --force >of-page 2>&1 && [ -s page.html ] && echo a page >>of-page
		# Rows at the same places, and the index in use
		for table in job segment_interval block_interval power_interval run_task_hist; do
			sqlite3 m.db "SELECT rowid, * FROM $table" "SELECT rowid FROM $table WHERE run_id = 3"
		done >of-rows
	)
done
for what in of-queries of-audit of-page of-rows; do
	[ -s pages/$what ] && cmp pages/$what sqlite/$what
	report $? "a campaign with blocks: ${what#of-}"
done

run merge half0.db half1.db -o other.db --writer other
expect_status 2 "another writer is a mistake"
finish
