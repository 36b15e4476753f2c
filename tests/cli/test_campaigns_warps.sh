#!/bin/sh
# The shipped campaigns of QAWS' and QoS' evaluations: QAWS' figures in full, the first sets of the others, and the
# answers of each figure's named query.
# shellcheck source=tests/cli/lib.sh disable=SC2016
. "$(dirname "$0")/lib.sh"

CAMPAIGNS=$SOURCES/scenarios/campaigns

# first_sets CAMPAIGN SETS: the first sets of a campaign, as CAMPAIGN.db
first_sets() {
	run sweep "$CAMPAIGNS/$1.yaml" -o "$1.db" --limit-units "$2" -q
	expect_status 0 "$1: the first $2 sets"
	run query "$1.db" "SELECT count(*) FROM run WHERE status <> 'ok'" --format csv
	expect_line out '^0$' "all of them good"
}

# holds NAME PROGRAM: runs an awk program over the CSV in `out`; it must set `good`
holds() {
	sed 's/"\[1,/1:/; s/\]"//' out | awk -F, "$2 END { exit !good }"
	report $? "$1"
}

# ---- QAWS, Figure 4 ----------------------------------------------------------------------------
first_sets qaws-fig4a 9
run query qaws-fig4a.db @qaws-fig4 --format csv
expect_line out '^qaws-4sm,his\+his,qaws,' "a row for each pair"
holds "under qaws K2 answers more than 10 % sooner, on average" '$2 == "mean" && $3 == "qaws" && $9 > 10 { good = 1 }'
holds "and hardly sooner where latency is the limit" '($2 == "his+his" || $2 == "atax+atax") && $3 == "qaws" && $9 < 2 && $9 > -2 { good = ++n == 2 }'
holds "under gto later than under lrr" '$2 == "mean" && $3 == "gto" && $9 < 0 { good = 1 }'
first_sets qaws-fig4b 10
run query qaws-fig4b.db @qaws-fig4 --format csv
expect_line out '^qaws-4sm,pf\+dxtc,serial,' "and one after the other"
holds "alone each kernel answers sooner than beside another" '$3 == "serial" { n++; good = n == 6 && !bad; bad = bad || $5 >= 1 }'
holds "in heterogeneous pairs, too" '$2 == "mean" && $3 == "qaws" && $9 > 5 { good = 1 }'
first_sets qaws-fig4a-pool 9
run query qaws-fig4a-pool.db @qaws-fig4 --format csv
holds "out of a pool K2 answers more than 20 % sooner, on average" '$2 == "mean" && $3 == "qaws" && $9 > 20 { good = 1 }'
holds "and both together hardly later" '$2 == "mean" && $3 == "qaws" && $11 < 1.03 { good = 1 }'
holds "and K1 hardly later" '$2 == "mean" && $3 == "qaws" && $5 < 1.03 { good = 1 }'
first_sets qaws-fig4b-pool 10
run query qaws-fig4b-pool.db @qaws-fig4 --format csv
holds "in heterogeneous pairs, too" '$2 == "mean" && $3 == "qaws" && $9 > 20 { good = 1 }'
run audit qaws-fig4a-pool.db
expect_status 0 "the audit finds nothing"
first_sets qaws-alone 9
run query qaws-alone.db @warp-kernels --format csv
holds "compute-bound kernels issue in more than 60 % of the cycles" '$2 ~ /-(pc|pf|2dc|dxtc|bin)$/ { n++; good = good || n == 1; good = good && $7 > 0.6 }'
holds "latency-bound ones wait for loads" '$2 ~ /-(his|atax)$/ { n++; good = good || n == 1; good = good && $9 > 0.75 }'

# ---- QoS ---------------------------------------------------------------------------------------
for campaign in qos-fig6a qos-fig6b qos-fig6c qos-ablations; do
	first_sets $campaign 1
	for query in reach reach-by-kernel misses throughput energy swaps; do
		run query $campaign.db @qos-$query --format csv
		expect_status 0 "$campaign: $query"
		[ "$(wc -l <out)" -gt 1 ]
		report $? "has an answer"
	done
done
run query qos-fig6a.db @qos-overshoot --format csv
expect_status 0 "overshoot"
first_sets qos-alone 10
run query qos-alone.db @warp-kernels --format csv
holds "memory-bound kernels fill the bandwidth" '$2 ~ /^(histo|lbm|sad|spmv|stencil)$/ { n++; good = good || n == 1; good = good && $13 > 0.85 }'

finish
