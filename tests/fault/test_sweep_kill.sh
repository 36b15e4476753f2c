#!/bin/sh
# tests/fault/test_sweep_kill.sh [MOMENTS] - the whole process group of a sweep is killed at random moments, again and
# again. The sweep goes on with --resume, loses nothing that was on the disk, and ends with the content of an undisturbed
# one.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
# shellcheck source=tests/fault/sweep_lib.sh
. "$SOURCES/tests/fault/sweep_lib.sh"
moments=${1:-12}

# milliseconds up to N, from the kernel's random numbers
random_below() {
	echo $(($(od -An -N4 -tu4 /dev/urandom) % $1))
}

# Sets on the disk, in whichever recording: sum over the parts.
sets_on_disk() {
	total=0
	for part in killed.db.parts/*.part; do
		[ -e "$part" ] || continue
		# Reads a copy, with its log, since reading repairs a recording.
		rm -rf copy && mkdir copy && cp "$part"* copy/ 2>/dev/null
		units=$(sqlite3 "copy/${part##*/}" 'SELECT coalesce(sum(units), 0) FROM stretch' 2>/dev/null)
		total=$((total + ${units:-0}))
	done
	echo "$total"
}

campaign campaign.yaml 6000s 30
begun=$(date +%s%N)
run sweep campaign.yaml -o whole.db -j 2
expect_status 0 "an undisturbed sweep"
whole=$(digest whole.db)
took_ms=$((($(date +%s%N) - begun) / 1000000))
echo "# undisturbed: $took_ms ms"

lost=0
kills=0
in_between=0
worse=0
last="kill -9 of the process group"
while [ $kills -lt "$moments" ]; do
	before=$(sets_on_disk)
	setsid "$CEGSIM" sweep campaign.yaml -o killed.db -j 2 --resume -q >out 2>err &
	pid=$!
	delay=$(random_below $((took_ms / 2 + 200)))
	sleep "$(printf '%d.%03d' $((delay / 1000)) $((delay % 1000)))"
	if [ -e killed.db ]; then
		# It ended too early: this round is finished, and the next one begins anew.
		wait $pid || worse=$((worse + 1))
		[ "$(digest killed.db)" = "$whole" ] || lost=$((lost + 1))
		rm -rf killed.db killed.db.parts
		continue
	fi
	kill -KILL "-$pid" 2>/dev/null
	wait $pid 2>/dev/null
	kills=$((kills + 1))
	if [ -e killed.db ]; then
		[ "$(digest killed.db)" = "$whole" ] || lost=$((lost + 1))
	else
		after=$(sets_on_disk)
		[ "$after" -gt 0 ] && in_between=$((in_between + 1))
		[ "$after" -ge "$before" ] || {
			echo "# $before sets were on the disk before, $after after"
			lost=$((lost + 1))
		}
	fi
	# Sometimes let it end, so that several histories are compared.
	[ $((kills % 6)) -eq 0 ] || continue
	run sweep campaign.yaml -o killed.db -j 2 --resume -q
	[ "$status" -eq 0 ] || {
		worse=$((worse + 1))
		show_file err
	}
	[ "$(digest killed.db)" = "$whole" ] || lost=$((lost + 1))
	[ ! -e killed.db.parts ] || worse=$((worse + 1))
	rm -rf killed.db killed.db.parts
done
echo "# after $in_between of $kills kills there was something on the disk"
[ $in_between -gt 0 ]
report $? "kills came in between"
report $lost "$kills kills lost nothing that was on the disk, and the content is that of an undisturbed sweep"
report $worse "and every resumed sweep ended well"

run sweep campaign.yaml -o killed.db -j 1 --resume -q
expect_status 0 "a resumed sweep with another number of workers"
[ "$(digest killed.db)" = "$whole" ]
report $? "has the same content"
finish
