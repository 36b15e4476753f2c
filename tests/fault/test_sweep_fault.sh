#!/bin/sh
# tests/fault/test_sweep_fault.sh - sweeps whose workers abort, hang or are killed, sweeps that are interrupted, and
# sweeps whose disk is full. All of this is done to the processes from outside.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
# shellcheck source=tests/fault/sweep_lib.sh
. "$SOURCES/tests/fault/sweep_lib.sh"

# The first set of the first point takes hours under the first policy, so whatever happens to it happens in the run
# numbered 0. The other sets are short.
cat >hours.yaml <<'END'
cegsim-campaign: 1
seed: 3
sets: 6
generate: {recipe: custom, tasks: 3, utilisation: 30%}
platforms: [{preset: jetson-tx2}]
policies: [fifo-cke, rm]
run: {horizon: 200000000s, stop: horizon}
END
campaign short.yaml 60s 4
campaign long.yaml 20000s 30

# Some sweeps here would last for hours: all are ended with the test.
started=
# shellcheck disable=SC2317 # at the end
end_all() {
	for pid in $started; do
		kill -KILL "$pid" 2>/dev/null
	done
	rm -rf "$FOLDER"
}
trap end_all EXIT
trap 'exit 1' HUP INT TERM

# start NAME ARGUMENT...: a sweep in the background, its errors in NAME.err
start() {
	name=$1
	shift
	last="cegsim sweep $*"
	"$CEGSIM" sweep "$@" >"$name.out" 2>"$name.err" &
	pid=$!
	started="$started $pid"
	wait_for has_worker $pid
}

# end_of NAME: its exit status, into $status
end_of() {
	status=0
	wait $pid 2>/dev/null || status=$?
	started=$(echo "$started" | sed "s/ $pid\$//")
	cp "$1.err" err
	cp "$1.out" out
}

run sweep short.yaml -o whole.db -j 2
expect_status 0 "an undisturbed sweep"
whole=$(digest whole.db)

campaign middle.yaml 10000s 10
run sweep middle.yaml -o middle.db -j 2 -q

# Bug: one that somebody stopped between two units was waited for for ever. It has half a minute: judged at the end.
start stuck middle.yaml -o stuck.db -j 2 --timeout 1s
# shellcheck disable=SC2046 # one word
kill -STOP $(workers_of $pid | cut -d' ' -f1)
stuck=$pid

# ---- a worker that is killed once --------------------------------------------------------
start once middle.yaml -o once.db -j 2
sleep 0.3
# shellcheck disable=SC2046 # one word
kill -KILL $(workers_of $pid | cut -d' ' -f1)
end_of once
expect_status 0 "a sweep one of whose workers is killed ends well"
expect_line err 'ended by signal 9 \(Killed\).*(tried once more|replaced)' "and says what happened"
[ "$(digest once.db)" = "$(digest middle.db)" ]
report $? "with the same content"

# ---- a run that takes the worker down twice ----------------------------------------------
sed 's/sets: 6/sets: 1/; s/\[fifo-cke, rm\]/[fifo-cke]/' hours.yaml >one.yaml
start twice one.yaml -o twice.db -j 1
first=$(workers_of $pid | tr -d ' ')
wait_for computes "$first"
kill -ABRT "$first"
# shellcheck disable=SC2317 # wait_for calls it
replaced() {
	second=$(workers_of "$pid" | tr -d ' ')
	[ -n "$second" ] && [ "$second" != "$first" ]
}
wait_for replaced
wait_for computes "$second"
kill -ABRT "$second"
end_of twice
expect_status 0 "a run that aborts its worker twice does not end the campaign"
expect_line err 'unit 0, run 0: .*signal 6 \(Aborted\); it is tried once more' "it is tried once more"
expect_line err 'unit 0, run 0: .*signal 6 \(Aborted\); recorded as an error' "then recorded"
run query twice.db "SELECT status, reason, jobs FROM run" --format csv
expect_out "with the reason" <<'END'
status,reason,jobs
error,the worker process was ended by signal 6 (Aborted),
END

# ---- runs that take too long -------------------------------------------------------------
sed 's/sets: 6/sets: 2/' hours.yaml >slow.yaml
run sweep slow.yaml -o slow.db -j 2 --timeout 500ms
expect_status 0 "runs that take too long are stopped"
run query slow.db "SELECT status, reason, count(*) FROM run GROUP BY 1, 2" --format csv
expect_out "and recorded as errors" <<'END'
status,reason,count(*)
error,the run took longer than 0.5 s and was stopped,4
END

# ---- a worker that hangs -----------------------------------------------------------------
start hang middle.yaml -o hang.db -j 2 --timeout 4s
first=$(workers_of $pid | cut -d' ' -f1)
wait_for computes "$first"
kill -STOP "$first"
end_of hang
expect_status 0 "a worker that hangs is replaced"
expect_line err 'took longer than 4 s and was stopped; it is tried once more|did nothing for 30 s' "when its time is over"
[ "$(digest hang.db)" = "$(digest middle.db)" ]
report $? "with the same content"

# ---- signals -------------------------------------------------------------------------------
for signal in INT TERM; do
	start $signal long.yaml -o $signal.db -j 2
	workers=$(workers_of $pid)
	sleep 0.5
	kill -$signal $pid
	end_of $signal
	expect_status 130 "SIG$signal interrupts"
	expect_line err 'interrupted after [0-9]+ of 90 sets; what has finished is kept in .*: go on with --resume' \
		"and says how to go on"
	# shellcheck disable=SC2086 # words
	ended $workers
	report $? "no worker is left"
	expect_no_file $signal.db "nothing under the final name"
	kept=$(for part in "$signal.db.parts"/*.part; do
		sqlite3 "$part" 'SELECT coalesce(sum(units), 0) FROM stretch'
	done | awk "{ sum += \$1 } END { print sum }")
	grep -q "interrupted after $kept of" err
	report $? "as many sets are on the disk as it says"
done

start hours hours.yaml -o hours.db -j 2
workers=$(workers_of $pid)
sleep 0.3
kill -INT $pid
end_of hours
expect_status 130 "a signal does not wait for sets that take hours"
# shellcheck disable=SC2086 # words
ended $workers
report $? "their workers are killed"
expect_line err 'interrupted after 0 of 6 sets' "and they are made again with --resume"

start orphan hours.yaml -o orphan.db -j 2
workers=$(workers_of $pid)
kill -KILL $pid
end_of orphan
# shellcheck disable=SC2086 # words
wait_for ended $workers
report $? "workers die with a sweep that is killed"

# ---- sets by number -------------------------------------------------------------------------
# Bug: a sweep of some sets said to go on with --resume, which was refused; and one of all sets took theirs for its own.
some="long.yaml --units 20..49 --record summary"
# shellcheck disable=SC2086 # words
start some $some -o some.db -j 1
sleep 0.3
kill -INT $pid
end_of some
expect_status 130 "a sweep of thirty sets is interrupted"
expect_line err 'of 30 sets; what has finished is kept in some\.db\.parts: go on with --resume' "and says how to go on"
run sweep long.yaml -o some.db --resume
expect_status 2 "not with all sets"
expect_line err 'some\.db\.parts/0\.part is of other sets \(20\.\.49 summary\), not of these \(all\)' "it says why"
run sweep long.yaml --units 20..50 --record summary -o some.db --resume
expect_line err 'is of other sets \(20\.\.49 summary\), not of these \(20\.\.50 summary\)' "nor with others"
run sweep long.yaml --units 20..49 --record jobs -o some.db --resume
expect_line err 'is of other sets \(20\.\.49 summary\), not of these \(20\.\.49 jobs\)' "nor as finely as others"
# shellcheck disable=SC2086 # words
run sweep $some -o some.db --resume
expect_status 0 "with the same"
# shellcheck disable=SC2086 # words
run sweep $some -o undisturbed.db
[ "$(digest some.db)" = "$(digest undisturbed.db)" ]
report $? "the content is that of an undisturbed one"
# shellcheck disable=SC2086 # words
run sweep $some -o some.db --resume
expect_status 0 "it is complete then"
expect_line err 'some\.db is complete already' "and says so"

run sweep short.yaml --limit-units 3 -o three.db -q
mkdir less.db.parts
mv three.db less.db.parts/0.part
run sweep short.yaml --limit-units 1 -o less.db --resume
expect_status 2 "fewer sets than are there"
expect_line err 'less\.db\.parts has set 2, which is not asked for now; go on with more sets, or begin anew' "are refused"
run sweep short.yaml --limit-units 5 -o less.db --resume
expect_status 0 "more are not"

# ---- two sweeps on one file ----------------------------------------------------------------
start first hours.yaml -o same.db -j 1
run sweep hours.yaml -o same.db -j 1
expect_status 3 "a second sweep into one file is refused"
expect_line err 'same\.db\.parts: another sweep is writing there' "because there is one"
run sweep hours.yaml -o same.db -j 1 --resume
expect_status 3 "also with --resume"
run sweep hours.yaml -o same.db -j 1 --force
expect_status 3 "and --force"
kill -KILL $pid
end_of first

# ---- disks ---------------------------------------------------------------------------------
# A file that may not grow beyond 2000 blocks of 512 bytes imitates a full disk.
campaign wide.yaml 60s 200
last="cegsim sweep wide.yaml, disk full"
status=0
(
	ulimit -f 2000
	exec "$CEGSIM" sweep wide.yaml -o full.db -j 2 -q
) >out 2>err || status=$?
expect_status 3 "a full disk is an I/O error"
expect_line err '^cegsim: error: .*full\.db' "with a reason"
expect_no_file full.db "nothing under the final name"
run sweep wide.yaml -o full.db --resume -q
expect_status 0 "with room again, it goes on"
run sweep wide.yaml -o wide.db -q
[ "$(digest full.db)" = "$(digest wide.db)" ]
report $? "to the same content"

run sweep short.yaml -o /proc/short.db
expect_status 3 "a folder that cannot be written"
expect_line err '^cegsim: error: cannot make the folder /proc/short\.db\.parts: ' "is named"
run sweep short.yaml -o nowhere/short.db
expect_status 3 "so is a folder that is not there"

run sweep short.yaml -o again.db -j 1 -q
[ "$(digest again.db)" = "$whole" ]
report $? "and nothing of this changes what a sweep gives"

pid=$stuck
end_of stuck
# On a machine that has nothing else to do it is in its first run by then.
expect_status 0 "a worker that is stopped as soon as it is there is replaced, too"
expect_line err 'did nothing for 30 s, and was ended between two units; it is replaced|took longer than 1 s and was stopped' "and it says so"
[ "$(digest stuck.db)" = "$(digest middle.db)" ]
report $? "with the same content"
finish
