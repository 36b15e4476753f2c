#!/bin/sh
# The analysis gcaps: where the paper's bounds are exceeded, by shipped scenarios and by searches; GPU priorities that
# the policy assigns; the campaigns of the paper's figure 8.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

papers=$SOURCES/scenarios/papers

# ---- docs/findings.md, 16 ----------------------------------------------------------------
run run "$papers/gcaps-end-call.yaml" -o end.db -q
expect_status 0 "a section whose end call waits for its core"
run validate end.db -a gcaps -a gcaps:variant=paper --format csv
expect_status 0 "only a bound that is known to be unsafe is exceeded"
expect_line out 'paper.*,unsafe,.*,1,0,0,2,2\.391.*,tau3,55000000,23000000$' "55 against 23"
expect_line out 'safe.*,sound,.*,0,0,0,3,.*' "ours holds"
for wait in suspend busy; do
	run search "$papers/gcaps-end-call.yaml" -p "gcaps:wait=$wait" -t tau3 -a gcaps -a gcaps:variant=paper --format csv
	expect_status 0 "a search finds it, $wait"
	expect_line out "^gcaps.*,tau3,.*variant=paper.*,23000000,6[01][0-9]*,.*exceeded" "61 against 23"
	expect_line out '^gcaps.*,tau3,,gcaps,61000000,6[01][0-9]*,.*holds' "and that ours is tight"
done

# ---- 17 ----------------------------------------------------------------------------------
run run "$papers/gcaps-calls.yaml" -o calls.db -q
run validate calls.db -a gcaps -a gcaps:variant=paper --format csv
expect_line out 'paper.*,unsafe,.*,1,0,0,4,1\.024.*,tau1,256000000,250000000$' "256 against 250"
for wait in suspend busy; do
	run search "$papers/gcaps-calls.yaml" -p "gcaps:wait=$wait,update=10ms,call=10ms" -t tau1 -a gcaps \
		-a gcaps:variant=paper --budget 300000 --seed 2 --format csv
	expect_line out '^.*tau1,.*variant=paper.*,250000000,25[1-9][0-9]*,.*exceeded|,250000000,260000000,.*exceeded' \
		"a search finds more than 250, $wait"
	expect_line out 'tau1,,gcaps,260000000,.*holds' "and no more than 260"
done

# ---- GPU priorities of the policy's own --------------------------------------------------
run analyze "$papers/gcaps-example2.yaml" -a gcaps:variant=paper --format csv
expect_status 0 "the paper's example 2"
run analyze "$papers/gcaps-example2.yaml" -p gcaps -a gcaps:variant=paper
expect_line out '^gcaps .*unschedulable +tau4' "its test fails with one priority"
run analyze "$papers/gcaps-example2.yaml" -p gcaps:gpu_priorities=paper -a gcaps:variant=paper
expect_line out '^gcaps:gpu_priorities=paper .* schedulable' "and passes with two"
run run "$papers/gcaps-example2.yaml" -o example.db -q
run query example.db "SELECT task, max_ms FROM v_task_response WHERE params LIKE '%\"paper\"%'" --format csv
expect_line out '^tau3,154$' "figure 5b"
expect_line out '^tau4,105$' "figure 5b, in time"
run audit example.db
expect_status 0 "no law is broken"

# ---- the campaigns -----------------------------------------------------------------------
for axis in a b c d e f; do
	sed 's/^sets: .*/sets: 1/' "$SOURCES/scenarios/campaigns/gcaps-fig8$axis.yaml" >"fig8$axis.yaml"
	run sweep "fig8$axis.yaml" -o "fig8$axis.db" -q
	expect_status 0 "figure 8$axis"
	run query "fig8$axis.db" "SELECT sum(verdict = 'refused' OR verdict = 'error') FROM analysis_run" --format csv
	expect_line out '^0$' "no analysis refuses a set"
done
finish
