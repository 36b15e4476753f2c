#!/bin/sh
# The key `analyses` of a scenario: what analyze asks without -a, and what run stores beside the runs.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

mkdir study
cp "$SOURCES/contrib/python/cegsim_bound.py" "$SOURCES/contrib/python/rta.py" study
sed 's|-(-r // t\["period"\])|(r // t["period"])|' study/rta.py >study/forgets.py
cat >study/own.yaml <<'END'
cegsim: 1
time_unit: ms
horizon: 100
platform: {gpu: {sms: 2}, copy: {bandwidth: 1GB/s}}
policies: [rm, fcfs]
analyses:
  - fp
  - {name: pipe, command: [python3, rta.py], policy: rm}
  - {name: pipe, command: [python3, forgets.py], safety: unsafe}
  - {name: self-suspension, policy: self-suspension}
tasks:
  - {name: t1, period: 10, segments: [{cpu: 4}]}
  - {name: t2, period: 15, segments: [{cpu: 4}]}
END
sed '/^analyses/,/^  - {name: self/d' study/own.yaml >study/plain.yaml

# verdicts: policy and analysis of the table of verdicts in `out`
verdicts() {
	awk 'NR > 2 { if ($0 == "") exit; print $1, $2, $3 }' out >said
}

run analyze study/own.yaml
expect_status 0 "analyze asks what the file says"
verdicts
compare said "each analysis about its policy, or about those of the file" <<'END'
rm fp schedulable
rm pipe:rta.py schedulable
rm pipe:forgets.py (unsafe)
fcfs fp schedulable
fcfs pipe:forgets.py (unsafe)
self-suspension self-suspension schedulable
END
run analyze study/own.yaml -p rm
verdicts
compare said "under the policies of -p alone, if they are given" <<'END'
rm fp schedulable
rm pipe:rta.py schedulable
rm pipe:forgets.py (unsafe)
END
run analyze study/own.yaml -a fp
verdicts
compare said "or the analyses of -a" <<'END'
rm fp schedulable
fcfs fp schedulable
END

run run study/own.yaml -o own.db -q
expect_status 0 "run stores their bounds"
run query own.db "SELECT p.name AS policy, a.analysis, a.verdict, a.safety FROM analysis_run a JOIN policy p USING (policy_id)" --format csv
expect_out "the same ones" <<'END'
policy,analysis,verdict,safety
rm,fp,schedulable,sound
rm,pipe:rta.py,schedulable,sound
rm,pipe:forgets.py,schedulable,unsafe
fcfs,fp,schedulable,sound
fcfs,pipe:forgets.py,schedulable,unsafe
self-suspension,self-suspension,schedulable,sound
END
run validate own.db --format csv
expect_status 0 "validate holds the runs against them"
cut -d, -f1 out >policies
[ "$(grep -c . policies)" -eq 6 ]
report $? "and against no others"
run validate own.db
expect_line out '^pipe:forgets\.py \(unsafe\) under rm: exceeded once' "the unsafe one is exceeded"
run audit own.db
expect_status 0 "the audit reads the stored text without the programs"

# The runs are those of the file without analyses.
run run study/plain.yaml -o plain.db -q
for file in own plain; do
	run query "$file.db" "SELECT p.name AS policy, r.digest FROM run r JOIN policy p USING (policy_id) ORDER BY 1" --format csv
	cp out "$file.digests"
done
cmp -s own.digests plain.digests
report $? "the digests of runs do not depend on it"
run query plain.db "SELECT count(*) AS n FROM analysis_run" --format csv
expect_out "without the key nothing is stored" <<'END'
n
0
END
run run study/own.yaml -p fcfs -o fcfs.db -q
run query fcfs.db "SELECT DISTINCT p.name AS policy FROM analysis_run a JOIN policy p USING (policy_id)" --format csv
expect_out "under -p alone, too" <<'END'
policy
fcfs
END

# Analyses that give no answer, or have none to be asked about.
sed 's/rta\.py/broken.py/' study/own.yaml >study/broken.yaml
echo 'raise SystemExit(7)' >study/broken.py
run run study/broken.yaml -o broken.db -q
expect_status 2 "an analysis that ends without an answer"
expect_line err '^cegsim: error: broken: pipe:broken\.py under rm: it ended with status 7$' "is told"
run query broken.db "SELECT analysis, verdict FROM analysis_run WHERE verdict = 'error'" --format csv
expect_out "and recorded, with the runs" <<'END'
analysis,verdict
pipe:broken.py,error
END
# A signal while an answer is waited for: the runs are kept.
sed 's/rta\.py/hangs.py/' study/own.yaml >study/hangs.yaml
cat >study/hangs.py <<'END'
import os, signal, sys, time
sys.stdin.readline()
os.kill(os.getppid(), signal.SIGINT)
time.sleep(100)
END
run run study/hangs.yaml -o hangs.db -q
expect_status 130 "a signal while bounds are computed"
expect_line err '^cegsim: interrupted while bounds were computed; the runs are kept$' "is told"
run query hangs.db "SELECT (SELECT count(*) FROM run) AS runs, (SELECT count(*) FROM analysis_run) AS analyses" --format csv
expect_line out '^2,1$' "with what was complete"
sed '/^policies/d' study/own.yaml >study/none.yaml
run analyze study/none.yaml
expect_status 2 "an analysis for any policy wants one"
expect_err "and says so" <<'END'
cegsim: error: pipe:forgets.py is for any policy, and the scenario has none: name one with -p
END
sed 's/, safety: unsafe/, policy: fcfs/' study/none.yaml >study/each.yaml
run analyze study/each.yaml
verdicts
expect_line said '^fcfs pipe:forgets\.py ' "with a policy of its own it is asked about that"
expect_line said '^self-suspension self-suspension ' "as are the others"
expect_no_line said '^fcfs fp ' "and about no other"

finish
