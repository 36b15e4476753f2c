#!/bin/sh
# Analyses of users: -a 'pipe:COMMAND', and what programs do wrong.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

scenario=$SOURCES/scenarios/examples/vehicle.yaml
cp "$SOURCES/contrib/python/cegsim_bound.py" .

# A task alone needs so long: no bound beside others. With the whole deadline nothing is claimed that does not hold.
cat >alone.py <<'END'
import cegsim_bound as c
c.answer(lambda q: [c.worst(t) for t in q["tasks"]])
END
cat >deadline.py <<'END'
import cegsim_bound as c
c.answer(lambda q: [t["deadline"] for t in q["tasks"]])
END

run run "$scenario" -p rm -o v.db -q
run validate v.db -a 'pipe:python3 deadline.py'
expect_status 0 "a bound that holds"
run validate v.db -a 'pipe:python3 alone.py'
expect_status 1 "one that is exceeded is a no"
expect_line out '^pipe:alone.py under rm: exceeded 5 times$' "of all tasks"
run validate v.db -a 'pipe:safety=unsafe:python3 alone.py'
expect_status 0 "unless its user calls it unsafe"
run analyze v.db -a 'pipe:python3 alone.py'
expect_status 0 "bounds are stored"
run validate v.db
expect_status 1 "and compared from there"
expect_line out '^pipe:alone.py under rm: exceeded 5 times$' "under the same name"

# wrong COMMAND SENTENCE: the set has an error
wrong() {
	run analyze "$scenario" -p rm -a "pipe:$1" --timeout 1s
	expect_status 2 "$1"
	expect_line err "^cegsim: error: pipe:[^ ]* under rm: it $2" "is told"
}
wrong false 'ended with status 1$'
wrong 'sh -c "kill -9 \$\$"' 'was ended by signal 9 '
wrong 'echo hello' 'gave an answer that is not JSON'
wrong "echo '{\"bounds\": [1]}'" 'gave 1 bound for 5 tasks$'
wrong "echo '{\"bound\": [1]}'" "gave an answer with 'bound'; did you mean 'bounds'"
wrong 'sleep 100' 'gave no answer within 1 s$'
run analyze "$scenario" -p rm -a pipe:no-such-program
expect_status 2 "a program that is not there"
run analyze "$scenario" -p rm -a "pipe:python3 'x"
expect_status 2 "an open quote"

finish
