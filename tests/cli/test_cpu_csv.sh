#!/bin/sh
# tests/cli/test_cpu_csv.sh - contrib/cpu-csv.awk makes the same CSV of what trace-cmd and babeltrace2 print.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
script=$here/../../contrib/cpu-csv.awk
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/trace-cmd" <<'TEXT'
cpus=2
          <idle>-0     [001] d..2.  1696392840.000000500: sched_switch:         prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=my app next_pid=11 next_prio=120
          my app-11    [001] d..2.  1696392840.000001500: sched_switch:         prev_comm=my app prev_pid=11 prev_prio=120 prev_state=R+ ==> next_comm=b next_pid=12 next_prio=120
           other-77    [000] d..2.  1696392840.000001600: sched_switch:         prev_comm=other prev_pid=77 prev_prio=120 prev_state=S ==> next_comm=my app next_pid=11 next_prio=120
               b-12    [001] d..2.  1696392840.000001900: sched_switch:         prev_comm=b prev_pid=12 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
          my app-11    [000] d..2.  1696392841.000000000: sched_switch:         prev_comm=my app prev_pid=11 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
TEXT
sed -n 's/^.*\[00\([01]\)\] [^ ]*  \([0-9.]*\): sched_switch: *prev_comm=\(.*\) prev_pid=\([0-9]*\) prev_prio=120 prev_state=\([^ ]*\) ==> next_comm=\(.*\) next_pid=\([0-9]*\).*$/[\2] (+0.000000001) host sched_switch: { cpu_id = \1 }, { prev_comm = "\3", prev_tid = \4, prev_prio = 20, prev_state = \5, next_comm = "\6", next_tid = \7, next_prio = 20 }/p' \
	"$work/trace-cmd" | sed 's/prev_state = R+/prev_state = 256/; s/prev_state = R,/prev_state = 0,/
		s/prev_state = S/prev_state = ( "TASK_INTERRUPTIBLE" : container = 1 )/' >"$work/babeltrace2"

cat >"$work/right" <<'TEXT'
start_ns,end_ns,cpu,tid,state
1696392840000000500,1696392840000001500,1,11,R
1696392840000001500,1696392840000001900,1,12,S
1696392840000001600,1696392841000000000,0,11,S
TEXT
cat >"$work/shifted" <<'TEXT'
start_ns,end_ns,cpu,tid,state
412824950,412825950,1,11,R
412825950,412826350,1,12,S
412826050,1412824450,0,11,S
TEXT

number=0
# check WHAT FILE RIGHT [OPTION...]
check() {
	what=$1 file=$2 right=$3
	shift 3
	number=$((number + 1))
	awk "$@" -f "$script" "$work/$file" | sed 's/R+$/R/' >"$work/out"
	if cmp -s "$work/out" "$work/$right"; then
		echo "ok $number - $what"
	else
		echo "not ok $number - $what"
		sed 's/^/# /' "$work/out"
	fi
}

check 'trace-cmd' trace-cmd right
check 'trace-cmd, since the session began' trace-cmd shifted -v zero=1696392839.587175550
check 'babeltrace2' babeltrace2 right
check 'babeltrace2, since the session began' babeltrace2 shifted -v zero=1696392839.587175550
echo "1..$number"
