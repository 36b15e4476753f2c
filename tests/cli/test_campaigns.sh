#!/bin/sh
# The shipped campaigns of sBEET's and RTGPU's evaluations: their first sets run under every policy and analysis, and each
# figure's named query has an answer.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

CAMPAIGNS=$SOURCES/scenarios/campaigns

# first_sets FIGURE SETS [PAPER]: the first sets of a campaign, as FIGURE.db
first_sets() {
	run sweep "$CAMPAIGNS/${3-sbeet}-$1.yaml" -o "$1.db" --limit-units "$2" -q
	expect_status 0 "$1: the first $2 sets"
	run query "$1.db" "SELECT count(*) FROM run WHERE status = 'error'" --format csv
	expect_line out '^0$' "without an error"
	run audit "$1.db"
	expect_status 0 "and the audit finds nothing"
}

# ---- Figures 4 and 5: every benchmark on every number of SMs -----------------------------------
for gpu in rtx-3070 t400 synthetic-8sm; do
	first_sets "fig5-$gpu" 8
done
run query fig5-rtx-3070.db @sbeet-profile --format csv
expect_line out '^rtx-3070,bfs,16,4\.425,9\.159' "the time on 16 SMs, and the speed-up"
grep m_opt out | cut -d, -f2,3 >least
compare least "m_opt on the RTX 3070" <<'END'
bfs,16
dxtc,46
hist,30
hist2,30
hotspot,46
mmul,46
mmul2,44
stereodisparity,46
END
run query fig5-synthetic-8sm.db @sbeet-profile -P benchmark=bfs --format csv
expect_line out '^synthetic-8sm,bfs,3,4\.42,.*,m_opt$' "and on the synthetic board"
[ "$(wc -l <out)" -eq 9 ]
report $? "of one benchmark, if asked"

# ---- Figures 8 to 10 ---------------------------------------------------------------------------
first_sets fig8 4
run query fig8.db @sbeet-fig8 --format csv
expect_line out '^synthetic-8sm,,0\.1,fcfs,4,0,0,1,,' "Fig. 8: fcfs against itself"
expect_line out '^synthetic-8sm,,0\.1,sbeet,4,' "sbeet"
expect_line out '^synthetic-8sm,,0\.1,stgm,4,[0-9.]+,[-0-9.]+,1\.[0-9]+,0,' "and stgm on its own SMs, with more energy"
first_sets fig8-readings 2
run query fig8-readings.db @sbeet-fig8 --format csv
[ "$(wc -l <out)" -eq 12 ]
report $? "eleven readings"
first_sets line14 4
run query line14.db "SELECT count(*), count(DISTINCT taskset_id), count(DISTINCT policy_id) FROM run" --format csv
expect_line out '^8,4,2$' "both readings of the same sets"
first_sets fig9 4
run query fig9.db @sbeet-fig9 --format csv
expect_line out '^synthetic-8sm,no,0%,sbeet,4,[1-9][0-9]*,[0-9.]+,0,,' "Fig. 9: light tasks alone"
first_sets fig10 4
run query fig10.db @sbeet-fig10 --format csv
expect_line out '^synthetic-8sm,response,own SMs,25%,2,4,4,0,0,0\.9[0-9]+,' "Fig. 10: less energy than stgm"
run query fig10.db @sbeet-fig10 -P platform=t400 --format csv
[ "$(wc -l <out)" -eq 1 ]
report $? "and nothing of a platform that is not there"

# ---- RTGPU -------------------------------------------------------------------------------------
for figure in 7 8 9 10; do
	rm -f "fig$figure.db"
	first_sets "fig$figure" 3 rtgpu
	run query "fig$figure.db" @curves --format csv
	for analysis in 'rtgpu,rtgpu' 'self-suspension,self-suspension' 'stgm,stgm' 'mpcp,mpcp'; do
		expect_line out "^\"\",rtgpu-[0-9]*-sms,$analysis,sound,3,0\.1,0\.1,0\.1,1," "Fig. $figure: $analysis"
	done
	for policy in rtgpu stgm mpcp fifo-cke; do
		expect_line out "^\"\",rtgpu-[0-9]*-sms,$policy,,,3,0\.1,0\.1,0\.1,1," "Fig. $figure: runs under $policy"
	done
	[ "$(wc -l <out)" -eq 11 ]
	report $? "six analyses and four policies"
done
for figure in 11 12; do
	first_sets "fig$figure" 3 rtgpu
	run validate "fig$figure.db"
	expect_status 0 "Fig. $figure: no bound is exceeded"
	run query "fig$figure.db" @tightness --format csv
	expect_line out '"admit"":""any""}",rtgpu,.*,sound,0,0,0,0,0,0,0,0,[1-9][0-9]*,' "and they were compared"
done
for readings in sets gpu baselines copies; do
	first_sets "readings-$readings" 2 rtgpu
	run query "readings-$readings.db" @curves --format csv
	expect_line out ',sound,2,0\.1,0\.1,0\.1,1,' "readings of the $readings"
done

# The paper's "1.1 utilization rate" at 1:8, with one copy: T - R gaps reach it, the published ones 0.7.
awk '/^policies:/ { exit } /^  utilisation:/ { print "  utilisation: [70%, 80%, 110%, 130%]"; getline; next }
	/^  ratio:/ { print "  ratio: \"1:8\""; next } /^  copies:/ { print "  copies: [one, two]"; next }
	/^sets:/ { print "sets: 50"; next } { print }' "$CAMPAIGNS/rtgpu-fig7.yaml" >numbers.yaml
run sweep numbers.yaml -o numbers.db -q
expect_status 0 "Fig. 7 in a few points"
run query numbers.db @curves -P analysis=rtgpu --format csv
grep '^copies=one' out | cut -d, -f8 >most
compare most "95 % with T - D, and with T - R gaps" <<'END'
0.8
1.1
END
run query numbers.db @analysis-grid -P analysis=rtgpu --format csv
for copies in one two; do
	awk -F, -v point="copies=$copies utilisation=70%" '$1 == point { print $7 }' out >"$copies"
done
paste one two | awk '$1 <= $2 { worse = 1 } END { exit worse || NR != 2 }'
report $? "and one copy beats two"

# Copies of at most 5 % of the kernels: the paper's 1.1 with its own gaps, and 0.7 for self-suspension.
cat >short.yaml <<'END'
cegsim-campaign: 1
seed: 20230007
sets: 100
generate:
  recipe: rtgpu-table1
  ratio: "1:8"
  copy_share: 5%
  utilisation: [60%, 70%, 80%, 90%, 100%, 110%, 120%, 130%, 140%]
analyses: [rtgpu, self-suspension]
END
run sweep short.yaml -o short.db -q
expect_status 0 "Fig. 7 with shorter copies"
run query short.db @curves --format csv
awk -F, 'NR > 1 { print $4, $7 }' out >all
compare all "all accepted up to the paper's utilisations" <<'END'
rtgpu 1.1
self-suspension 0.7
END
finish
