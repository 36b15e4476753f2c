#!/bin/sh
# Bounds of one's own, three ways with the same verdicts: a program (pipe:), a table (--bounds), a plug-in in C. A sound
# formula is never exceeded; of one with a mistake planted every excess is found, as many as SQL counts. Then what tables
# and stored names do besides.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

: "${CEGSIM_BUILD_ROOT:?is the folder of the build}"
run_command meson install -C "$CEGSIM_BUILD_ROOT" --no-rebuild --tags runtime,devel --destdir "$FOLDER/root"
expect_status 0 "the program and its headers are installed"
CEGSIM=$FOLDER/$(find root -name cegsim -type f -perm -u+x)
pc=$(find root -name cegsim.pc)
PKG_CONFIG_PATH=$FOLDER/${pc%/*}
PKG_CONFIG_SYSROOT_DIR=$FOLDER/root
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR

# ---- the walk -----------------------------------------------------------------------------
cat >study.yaml <<'END'
cegsim-campaign: 1
seed: 7
sets: 20
generate: {recipe: custom, tasks: 4, sections: 1, periods: log-uniform, utilisation: [40%, 60%, 80%]}
platforms: [{preset: jetson-tx2}]
policies: [{name: mpcp, wait: busy}]
run: {horizon: {periods: 20}}
END
run sweep study.yaml -o study.db -q
expect_status 0 "the sets are run"

# Tasks spin during their GPU section, above all priorities: the longest one of a lower task blocks.
cp "$SOURCES/contrib/python/cegsim_bound.py" .
cat >sound.py <<'END'
import cegsim_bound as c


def blocking(lower):
    return max((c.worst(t, "copy", "kernel") for t in lower), default=0)


def bounds(question):
    tasks = question["tasks"]

    def response(i):
        def demand(r):
            jobs = sum(-(-r // t["period"]) * c.worst(t) for t in tasks[:i])
            return c.worst(tasks[i]) + blocking(tasks[i + 1:]) + jobs

        return c.fixed_point(demand, 1, tasks[i]["deadline"])

    return [response(i) for i in range(len(tasks))]


if __name__ == "__main__":
    c.answer(bounds)
END
sed 's/return max(.*/return 0/' sound.py >blocking.py
sed 's|-(-r // t\["period"\])|(r // t["period"])|' sound.py >rounding.py
# The same in C: the example that comes with cegsim, and with one line changed.
sed 's|"rta"|"sound"|' "$SOURCES/contrib/plugin/rta.c" >sound.c
sed 's|"sound"|"blocking"|; s|blocking = longest > blocking ? longest : blocking;|(void)longest;|' sound.c >blocking.c

cat >table.py <<'END'
"""The answers to questions as a table: table.py QUESTIONS ANSWERS"""
import json
import sys

print("set,task,bound_ns")
for question, answer in zip(open(sys.argv[1]), open(sys.argv[2])):
    q, a = json.loads(question), json.loads(answer)
    for task, bound in zip(q["tasks"], a["bounds"]):
        print(f'{q["set"]},{task["name"]},{"" if bound is None else bound}')
END
run analyze study.db --dump-sets
expect_status 0 "the questions are printed"
cp out questions
expect_no_output_on_stderr "and nothing else"
for name in sound blocking rounding; do
	python3 "$name.py" <questions >answers
	python3 table.py questions answers >"$name.csv"
done

# Counts, from the rows of the recording and those of a table, how often a response exceeds a bound up to the period.
cat >count.py <<'END'
import csv
import sqlite3
import sys

db = sqlite3.connect(sys.argv[1])
db.execute("CREATE TEMP TABLE mine (taskset, task, bound)")
with open(sys.argv[2]) as rows:
    db.executemany("INSERT INTO mine VALUES (:set, :task, nullif(:bound_ns, '') + 0)", csv.DictReader(rows))
print(*db.execute("""SELECT count(*) FROM mine m JOIN taskset s ON s.name = m.taskset
    JOIN task t ON t.taskset_id = s.taskset_id AND t.name = m.task JOIN run_task a ON a.task_id = t.task_id
    WHERE m.bound <= t.period_ns
    AND (a.max_response_ns > m.bound OR (a.responses < a.jobs AND a.worst_lower_bound_ns >= m.bound))""").fetchone())
END

# verdicts NAME: those of an analysis, set by set
verdicts() {
	"$CEGSIM" query study.db "SELECT taskset_id, verdict FROM analysis_run WHERE analysis = '$1' ORDER BY 1" --format csv
	"$CEGSIM" query study.db "SELECT run_id, task, verdict, bound_ms FROM v_bound_check WHERE analysis = '$1' ORDER BY 1, 2" \
		--format csv
}

# walk NAME STATUS WAY...: all ways end so, and say the same
walk() {
	name=$1
	wanted=$2
	shift 2
	planted=$(python3 count.py study.db "$name.csv")
	[ "$((planted > 0))" -eq "$wanted" ]
	report $? "$name: SQL counts $planted responses beyond the bounds"
	for way; do
		case $way in
		*.csv)
			set -- --bounds "$way"
			stored=csv:$way
			;;
		*.so)
			set -- -a "./$way"
			stored=${way%.so}
			;;
		*)
			set -- -a "pipe:python3 $way"
			stored=pipe:$way
			;;
		esac
		run validate study.db "$@" --format csv
		expect_status "$wanted" "$way: as a sound or a wrong formula"
		[ "$(python3 -c 'import csv, sys; print(sum(int(r["exceeded"]) for r in csv.DictReader(sys.stdin)))' <out)" -eq "$planted" ]
		report $? "$way: every excess is found"
		run analyze study.db "$@"
		expect_status 0 "$way: its bounds are stored"
		verdicts "$stored" >"$way.verdicts"
		cmp -s "$name.py.verdicts" "$way.verdicts"
		report $? "$way: the same verdicts and bounds, set by set" || diff "$name.py.verdicts" "$way.verdicts" | sed 's/^/#   /;10q'
	done
	[ "$(wc -l <"$name.py.verdicts")" -eq 302 ]
	report $? "$name: of every set and task"
}

build() {
	# shellcheck disable=SC2046 # words
	run_command "${CC:-cc}" -shared -fPIC -O2 $(pkg-config --cflags cegsim) -o "$1.so" "$1.c"
	expect_status 0 "$1.c is built"
}
build sound
build blocking
walk sound 0 sound.py sound.csv sound.so
walk blocking 1 blocking.py blocking.csv blocking.so
walk rounding 1 rounding.py rounding.csv

# ---- names that are stored ------------------------------------------------------------------
run validate study.db -a pipe:blocking.py
expect_status 1 "a stored name is enough: nothing is run"
expect_line out '^mpcp:wait=busy  *pipe:blocking\.py  *60  *0 ' "for all sets"
run validate study.db -a csv:blocking.csv
expect_status 1 "that of a table"
run validate study.db -a blocking
expect_status 1 "that of a plug-in"
run validate study.db -a pipe:other.py
expect_status 2 "a name that is not stored is a program"
expect_err "and that is not there" <<'END'
cegsim: error: analysis pipe:other.py: there is no program 'other.py'
END
run search study.db -a pipe:blocking.py --budget 20 --method synchronous -q
expect_status 1 "search takes stored names"
expect_line out '^mpcp:wait=busy  *pipe:blocking\.py  *synchronous  *60 ' "for the sets of the recording"
run search study.db -a pipe:blocking.py --shrink -o small.yaml
expect_status 2 "but has only bounds of these sets"
expect_line err '^cegsim: error: --shrink asks about sets that are not in study\.db, and of pipe:blocking\.py only the bounds are known' "says it"
run search study.db -a pipe:blocking.py -p rm --budget 5 -q
expect_status 0 "under another policy there are none"
run query study.db @bounds --param analysis=pipe:blocking.py --param limit=1
expect_status 0 "queries know the name"
run plot study.db tightness --param analysis=csv:sound.csv -o tightness.svg
expect_status 0 "figures, too"
# What it said besides its bounds is stored, too: these sets are not schedulable, though their bounds are.
cat >modest.py <<'END'
import json, sys
for line in sys.stdin:
    tasks = json.loads(line)["tasks"]
    print(json.dumps({"bounds": [t["deadline"] for t in tasks], "verdict": "unschedulable"}), flush=True)
END
run analyze study.db -a 'pipe:python3 modest.py'
run search study.db -a pipe:modest.py --budget 2 --method synchronous -q
expect_line out '^mpcp:wait=busy  *pipe:modest\.py  *synchronous  *60  *0 ' "a stored verdict counts"
cat >bold.py <<'END'
import json, sys
for line in sys.stdin:
    tasks = json.loads(line)["tasks"]
    print(json.dumps({"bounds": [None for t in tasks], "verdict": "schedulable"}), flush=True)
END
run analyze study.db -a 'pipe:python3 bold.py'
run search study.db -a pipe:bold.py --budget 2 --method synchronous -q
expect_line out '^mpcp:wait=busy  *pipe:bold\.py  *synchronous  *60  *60  *0  *240  *-  *-  *240 ' "also without bounds"
# A program of that name on the disk changes nothing.
printf '#!/bin/sh\nexit 9\n' >other.py
chmod +x other.py
mkdir bin
cp other.py bin/blocking.py
run_command env "PATH=$PWD/bin:$PATH" "$CEGSIM" validate study.db -a pipe:blocking.py
expect_status 1 "the stored name comes first"

# ---- versions of a formula ------------------------------------------------------------------
mkdir later
cp cegsim_bound.py later
{ cat sound.py && echo '# later'; } >later/blocking.py
run analyze study.db -a 'pipe:python3 later/blocking.py'
run validate study.db -a pipe:blocking.py
expect_line out "^mpcp:wait=busy  *pipe:blocking\\.py #$(sha256sum blocking.py | cut -c1-8) .* [1-9][0-9]*  *0  *0  *[0-9]* " "the first version"
expect_line out "^mpcp:wait=busy  *pipe:blocking\\.py #$(sha256sum later/blocking.py | cut -c1-8) .* 0  *0  *0  *[0-9]* " "and the later one"
run analyze study.db -a 'pipe:python3 sound.py' -a 'pipe:python3 blocking.py' -a 'pipe:python3 later/blocking.py'
expect_line out '^mpcp:wait=busy  *pipe:sound\.py  *60 ' "a label that there is once needs no mark"
expect_line out "^mpcp:wait=busy  *pipe:blocking\\.py #$(sha256sum later/blocking.py | cut -c1-8)  *60 " "others have theirs"

# ---- tables ---------------------------------------------------------------------------------
head -n 40 sound.csv >part.csv
run validate study.db --bounds part.csv
expect_status 0 "a table may lack sets"
expect_line out '^mpcp:wait=busy  *csv:part\.csv  *60  *50 ' "which are refused"
expect_err "and said once, with the tasks it lacks" <<'END'
cegsim: note: 50 of 60 sets of study.db have no bound in part.csv
cegsim: note: 1 of 40 tasks of the other sets of study.db have no bound in part.csv
END
run validate study.db --bounds safety=unsafe:blocking.csv
expect_status 0 "a table that is not meant to hold"
expect_line out '^mpcp:wait=busy  *csv:blocking\.csv \(unsafe\)  *60 ' "is marked"
# Other columns, another order, two analyses in a table; sets by number.
cat >both.csv <<'END'
# two formulas
analysis,bound_ns,policy,platform,set,task
one,1,mpcp:wait=busy,jetson-tx2,1,t1
two,,,,1,t1
END
run validate study.db --bounds both.csv --format csv
expect_status 1 "a bound of a nanosecond is exceeded"
cut -d, -f4-9 out >counts
sed -i 's/.*csv:/csv:/; s/"//g' counts
expect_line out ',csv:one,.*,sound,60,59,1,' "for the one set"
expect_line out ',csv:two,.*,sound,60,59,1,0,0,4,' "no bound at all is none for any task"
cat >wrong.csv <<'END'
set,task,bound_ns,policy
custom-0,t1,1,
1,t1,2,rm
custom-0,t9,x,mpcp:wait=busy
99,t1,1,
END
cp wrong.csv typo.csv
sed -i 's/policy/polcy/' typo.csv
run validate study.db --bounds wrong.csv --bounds typo.csv
expect_status 2 "what is wrong with tables is an input error"
expect_err "all of it at once, with its place" <<'END'
wrong.csv:3:8: error: the recording has no policy "rm"
wrong.csv:4:10: error: set 'custom-0' has no task "t9"; did you mean 't1'?
wrong.csv:4:13: error: 'bound_ns' wants a whole number of ns, or nothing, got "x"
wrong.csv:5:1: error: no set is called "99", or has that number
typo.csv:1:19: error: no column is called "polcy"; did you mean 'policy'?
END
cp study.db before.db
run analyze study.db --bounds wrong.csv
expect_status 2 "nor is anything stored of it"
cmp -s study.db before.db
report $? "the recording is as it was"
run validate study.db --bounds no-such.csv
expect_status 2 "a table that is not there"
expect_err "is named" <<'END'
no-such.csv: error: cannot be opened: No such file or directory
END
run analyze "$SOURCES/scenarios/examples/vehicle.yaml" --bounds part.csv
expect_status 2 "a table is for a recording"
# Of sets that were never run, under a policy that is named.
run gen sbeet -n 3 -o sets.db -q
run analyze sets.db -p rm --dump-sets
cp out questions
python3 sound.py <questions >answers
python3 table.py questions answers | sed 's/$/,rm/; 1s/rm$/policy/' >sets.csv
run analyze sets.db -p rm -p fcfs --bounds sets.csv
expect_status 0 "sets without runs"
expect_line out '^rm  *csv:sets\.csv  *3 .* 0$' "are bounded under the policy of -p"
expect_line out '^fcfs  *csv:sets\.csv  *3 .* 3$' "and under no other"

# ---- questions ------------------------------------------------------------------------------
run analyze "$SOURCES/scenarios/examples/vehicle.yaml" -p rm -p mpcp --dump-sets
expect_status 0 "a scenario's questions"
[ "$(wc -l <out)" -eq 2 ]
report $? "one for each policy"
python3 sound.py <out >answers
[ "$(wc -l <answers)" -eq 2 ]
report $? "which a formula answers by itself"
run gen sbeet -n 3 -o bare.db -q
run analyze bare.db --dump-sets
expect_status 2 "sets without a policy"
run analyze sets.db --dump-sets -p rm -a fp
expect_status 2 "with -p only"
cat >jitter.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 100
platform: {gpu: {sms: 2}, copy: {bandwidth: 1GB/s}}
policies: [rm]
tasks: [{name: t1, period: 10, release: {jitter: 1}, segments: [{cpu: 1}]}]
END
run analyze jitter.yaml --dump-sets
expect_status 0 "a set that is not asked about"
expect_err "is said" <<'END'
cegsim: note: 1 set is not asked about; the first, 'jitter' under rm: task 't1' is released with jitter; a question releases at least a period apart
END

finish
