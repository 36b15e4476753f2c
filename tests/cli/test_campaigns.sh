#!/bin/sh
# The shipped campaigns of sBEET's evaluation: their first sets run under every policy, and the named query of each
# figure answers from the recording.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

CAMPAIGNS=$SOURCES/campaigns

# first_sets FIGURE SETS: the first sets of a campaign, as FIGURE.db
first_sets() {
	run sweep "$CAMPAIGNS/sbeet-$1.yaml" -o "$1.db" --limit-units "$2" -q
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
first_sets fig9 4
run query fig9.db @sbeet-fig9 --format csv
expect_line out '^synthetic-8sm,no,0%,sbeet,4,[1-9][0-9]*,[0-9.]+,0,,' "Fig. 9: light tasks alone"
first_sets fig10 4
run query fig10.db @sbeet-fig10 --format csv
expect_line out '^synthetic-8sm,response,own SMs,25%,2,4,4,0,0,0\.9[0-9]+,' "Fig. 10: less energy than stgm"
run query fig10.db @sbeet-fig10 -P platform=t400 --format csv
[ "$(wc -l <out)" -eq 1 ]
report $? "and nothing of a platform that is not there"
finish
