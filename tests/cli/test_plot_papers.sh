#!/bin/sh
# The figures of the RTGPU and sBEET papers, drawn from a few sets of their campaigns: the script's numbers are those of
# the named queries, and a recording of another campaign is refused.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# few NAME SETS [EDIT...]: runs the campaign NAME with SETS sets per point and three utilisations, as NAME.db
few() {
	campaign=$1
	sets=$2
	shift 2
	awk -v sets="$sets" '/^sets:/ { print "sets: " sets; next }
		/^  utilisation: \[/ { print "  utilisation: [60%, 110%, 190%]"; skip = !/\]/; next }
		skip { skip = !/\]/; next }
		{ print }' "$SOURCES/scenarios/campaigns/$campaign.yaml" | sed -e "" "$@" >"$campaign.yaml"
	run sweep "$campaign.yaml" -o "$campaign.db" -q
	[ "$status" -eq 0 ]
	report $? "$campaign, $sets sets a point" || show_file err
}

# draw RECORDING FIGURE [OPTION...]: draws FIGURE.svg; writes the script's data to `drawn`, in lines panel: series|x or
# group|y|low|high
draw() {
	recording=$1
	figure=$2
	shift 2
	run plot "$recording.db" "$figure" -o "$figure.svg" --script "$figure.gp" --force "$@"
	expect_status 0 "$figure is drawn"
	expect_no_output "without a word"
	expect_line "$figure.svg" '</svg>' "and complete"
	awk '/^\$data[0-9]* << EOD/ { getline; name = substr($0, 3); next }
		/^EOD/ { name = "" }
		/^#/ || name == "" { next }
		/ # / { group = $0; sub(/.* # /, "", group); sub(/ # .*/, ""); $0 = group " " $4 " " $5 " " $6 }
		{ printf "%s|%s|%.6g|%s\n", name, $1, $2, $3 == "" ? "" : sprintf("%.6f|%.6f", $3, $4) }' "$figure.gp" |
		sort >drawn
}

# same NAME: `asked` has the lines of `drawn`, in any order
same() {
	sort -o asked asked
	[ -s asked ] && cmp -s asked drawn
	report $? "$1" && return
	diff -u asked drawn | sed 's/^/#   /' | head -20
}

# refuse RECORDING FIGURE WANTS: it is not of the figure's campaign
refuse() {
	run plot "$1.db" "$2" -o no.svg
	expect_status 1 "$2 is not drawn from $1"
	expect_line err "cegsim: error: .* sweep scenarios/campaigns/$3\.yaml" "which says what it wants"
	expect_no_file no.svg "and leaves nothing"
}

# ---- RTGPU: analyses as @analysis-grid has them, runs as @grid -------------------------------------
# rtgpu NUMBER OPTION VALUE-OF-A VALUE-OF-B VALUE-OF-C WORDS
rtgpu() {
	few "rtgpu-fig$1" 2
	draw "rtgpu-fig$1" "rtgpu-fig$1"
	run query "rtgpu-fig$1.db" @analysis-grid --format csv
	cp out analyses
	run query "rtgpu-fig$1.db" @grid --format csv
	awk -F, -v option="$2" -v a="$3" -v b="$4" -v c="$5" -v words="$6" '
		FNR == 1 { file++; next }
		{
			split($1, given, " ")
			for (i in given) {
				split(given[i], pair, "=")
				is[pair[1]] = pair[2]
			}
			value = is[option]
			panel = "(" (value == a ? "a" : value == b ? "b" : value == c ? "c" : "?") ") "
			panel = panel (words ~ /^[a-z]* $/ && option == "ratio" ? words value : value words)
			panel = panel ", " is["copies"] (is["copies"] == "one" ? " copy" : " copies")
			banded = 0
			gaps = $0 ~ /gaps"":""response/ ? ", T − R gaps (ours)" : ""
			if (file == 1) {
				series = $4 == "mpcp" ? "Enhanced MPCP" : "Self-Suspension"
				if ($4 == "rtgpu" || $4 == "stgm")
					series = toupper($4)
				banded = series == "RTGPU" && gaps == ""
				series = series gaps
				at = 8
			} else {
				if ($3 != "rtgpu")
					next
				series = "rtgpu" (!plans ? "" : gaps == "" ? " gaps=deadline" : " gaps=response") ", simulated"
				banded = 1
				for (at = 4; $at !~ /}"$/; at++)
					;
				at += 3
			}
			printf "%s: %s|%s|%.6g|%s\n", panel, series, is["utilisation"] / 100, $at,
				banded ? sprintf("%.6f|%.6f", $(at + 1), $(at + 2)) : ""
		}' plans="${7-}" analyses out >asked
	same "what @analysis-grid and @grid answer"
}

rtgpu 7 ratio 2:1 1:2 1:8 'ratio '
rtgpu 8 subtasks 3 5 7 ' subtasks'
draw rtgpu-fig8 rtgpu-fig8 -P copies=one -P runs=all -P bands=none
grep -c 'two copies\|[0-9]|[0-9.]*|[0-9]' drawn >counted
compare counted "one model alone, without bands" <<'END'
0
END
sed 's/.*: \([^|]*\)|.*/\1/' drawn | sort -u >counted
compare counted "and the runs of all policies" <<'END'
Enhanced MPCP
RTGPU
RTGPU, T − R gaps (ours)
STGM
Self-Suspension
Self-Suspension, T − R gaps (ours)
fifo-cke, simulated
mpcp, simulated
rtgpu, simulated
stgm, simulated
END
rtgpu 9 tasks 3 5 7 ' tasks'
rtgpu 10 sms 5 8 10 ' SMs'
rtgpu 11 sms 5 8 10 ' SMs' plans
rtgpu 12 sms 3 5 8 ' SMs' plans
for figure in 7 8 9 10 11 12; do
	refuse "rtgpu-fig$((figure == 12 ? 11 : figure + 1))" "rtgpu-fig$figure" "rtgpu-fig$figure"
done

# ---- sBEET: one benchmark alone ---------------------------------------------------------------------
few sbeet-fig5-synthetic-8sm 1
draw sbeet-fig5-synthetic-8sm sbeet-fig5
run query sbeet-fig5-synthetic-8sm.db @sbeet-profile --format csv
awk -F, 'NR > 1 { m[$2, $3] = $9; if ($10 != "") best[$2] = $3 }
	END { for (k in m) { split(k, is, SUBSEP)
		printf "%s, least on %s|%s|%.6g|\n", is[1], best[is[1]], is[2], m[k] } }' out >asked
same "energy against all SMs, and m_opt, are those of @sbeet-profile"
draw sbeet-fig5-synthetic-8sm sbeet-fig4
run query sbeet-fig5-synthetic-8sm.db @sbeet-profile --format csv
awk -F, 'NR > 1 { ms[$2, $3] = $4; w[$2, $3] = $6
		if ($4 > most[$2]) most[$2] = $4
		if ($6 > high[$2]) high[$2] = $6 }
	END { for (k in ms) { split(k, is, SUBSEP)
		panel = sprintf("%s: %.3g ms, %.3g W", is[1], most[is[1]], high[is[1]])
		printf "%s: time|%s|%.6g|\n", panel, is[2], ms[k] / most[is[1]]
		printf "%s: power|%s|%.6g|\n", panel, is[2], w[k] / high[is[1]] } }' out >asked
same "and so are time and power"

# ---- sBEET: misses, energy --------------------------------------------------------------------------
# Standard errors computed from the runs, with a square root by other means.
named='function named(p) { return p == "fcfs" ? "FCFS" : p == "rm" ? "RM" : p == "stgm" ? "STGM" : "sBEET" }'
few sbeet-fig8 3 -e 's/t400, rtx-3070/t400/' -e 's/110%, 190%/120%/'
for what in a b; do
	[ $what = a ] && column=6 && ratio='100.0 * r.misses, r.jobs'
	[ $what = b ] && column=8 && ratio='r.energy_uj / 1e6, f.energy_uj / 1e6'
	draw sbeet-fig8 "sbeet-fig8$what"
	run query sbeet-fig8.db @sbeet-fig8 --format csv
	sed 's/|[0-9.]*|[0-9.]*$/|/' drawn >short
	cut -d'|' -f1,2,4- drawn >bands
	mv short drawn
	awk -F, -v at="$column" "$named"' NR > 1 {
		printf "%s, %s tasks: %s|%s|%.6g|\n", $1, substr($2, 7), named($4), $3, $at }' out >asked
		same "Fig. 8$what is @sbeet-fig8"
	mv bands drawn
	run query sbeet-fig8.db "SELECT l.name || ', ' || s.task_count || ' tasks', p.name,
			s.target_utilisation_ppm / 1e6, $ratio
		FROM run r JOIN platform l USING (platform_id) JOIN policy p USING (policy_id)
			JOIN taskset s USING (taskset_id)
			JOIN run f ON f.taskset_id = r.taskset_id AND f.platform_id = r.platform_id
			JOIN policy q ON q.policy_id = f.policy_id AND q.name = 'fcfs'" --format csv
	sed 's/"//g' out | awk -F, "$named"' NR > 1 { key = $1 "," $2 ": " named($3) "|" $4; n[key]++
			a[key, n[key]] = $5; b[key, n[key]] = $6; sa[key] += $5; sb[key] += $6 }
		END { for (key in n) { q = sa[key] / sb[key]; v = 0
			for (i = 1; i <= n[key]; i++) v += (a[key, i] - q * b[key, i]) ^ 2
			e = 1.96 * sqrt(v) / sb[key]
			printf "%s|%.6f|%.6f\n", key, (q > e ? q - e : 0), q + e } }' >asked
		same "its bands are 1.96 standard errors"
done
few sbeet-fig9 1 -e 's/t400, rtx-3070/t400/' -e 's/heavy_ratio: .*/heavy_ratio: [0%, 40%, 80%]/'
draw sbeet-fig9 sbeet-fig9 -P swap=all
sed -i 's/|[0-9.]*|[0-9.]*$/|/' drawn
run query sbeet-fig9.db @sbeet-fig9 --format csv
awk -F, "$named"' NR > 1 && $7 != "" { sub("%", "", $3)
	printf "%s, %s: %s|%s|%.6g|\n", $1, $2 == "yes" ? "exchanged" : "as printed", named($4), $3, $7 }' out >asked
same "Fig. 9 is @sbeet-fig9"
draw sbeet-fig9 sbeet-fig9 -P platform=t400
sed -i 's/|[0-9.]*|[0-9.]*$/|/' drawn
run query sbeet-fig9.db @sbeet-fig9 --format csv
awk -F, "$named"' $1 == "t400" && $2 == "no" && $7 != "" { sub("%", "", $3)
	printf "%s: %s|%s|%.6g|\n", $1, named($4), $3, $7 }' out >asked
same "one platform, with the ranges as printed"
few sbeet-fig10 2 -e 's/t400, rtx-3070/t400/' -e 's/tasks: .*/tasks: [2, 3]/'
for reading in 'own 100% own SMs,100%' 'mean 400% mean,400%'; do
	draw sbeet-fig10 sbeet-fig10 -P stgm="${reading%% *}" -P kernels="$(echo "$reading" | cut -d' ' -f2)"
	sed -i 's/|[0-9.]*|[0-9.]*$/|/' drawn
	run query sbeet-fig10.db @sbeet-fig10 --format csv
	awk -F, -v reading="$(echo "$reading" | cut -d' ' -f3-)" '$3 "," $4 == reading && $7 > 0 {
		printf "%s: STGM|%s|1|\n%s: sBEET|%s|%.6g|\n", $1, $5, $1, $5, $10 }' out >asked
	same "Fig. 10 is @sbeet-fig10"
done

# ---- sBEET: what it predicts ------------------------------------------------------------------------
rm sbeet-fig8.db
few sbeet-fig8 1 -e '1i detail: {record: blocks, sets: [0]}' -e 's/, t400, rtx-3070//' \
	-e 's/tasks: .*/tasks: 5/' -e 's/60%, 110%, 190%/120%/' -e 's/^seed: .*/seed: 6/' \
	-e 's/horizon: 10s/horizon: 3s/' # whose predictions err to either side
mv sbeet-fig8.db decided.db
draw decided sbeet-fig6
sed -i '/|all|/!d' drawn
run query decided.db @prediction-error --format csv
awk -F, 'NR > 1 { sub(/.*}",/, ""); split($0, is, ",")
	printf "synthetic-8sm|all|%.6g|\n", 100 * is[4] }' out >asked
same "the mean is that of @prediction-error"
awk -F, 'NR > 1 { sub(/.*}",/, ""); split($0, is, ","); printf "%.6f\n", is[7] }' out >asked
run query decided.db "SELECT predicted_j, true_j FROM v_decision WHERE chosen AND error IS NOT NULL" --format csv
awk -F, 'NR > 1 { p[++n] = $1; t[n] = $2; sum += $2 }
	END { for (i = 1; i <= n; i++) { off += (p[i] - t[i]) ^ 2; spread += (t[i] - sum / n) ^ 2 }
		printf "%.6f\n", 1 - off / spread }' out >drawn
same "so is R squared"

# ---- Recordings of other campaigns ------------------------------------------------------------------
rm sbeet-fig10.db
few sbeet-fig10 1 -e 's/synthetic-8sm, t400, rtx-3070/t400/' -e 's/tasks: .*/tasks: 2/' -e 's/times: .*/times: 100%/'
few rtgpu-readings-baselines 1
refuse rtgpu-readings-baselines rtgpu-fig7 rtgpu-fig7
few sbeet-fig8-readings 1 -e 's/horizon: 10s/horizon: 1s/'
refuse sbeet-fig8-readings sbeet-fig8a sbeet-fig8
refuse rtgpu-fig7 sbeet-fig4 sbeet-fig5-synthetic-8sm
refuse sbeet-fig9 sbeet-fig5 sbeet-fig5-synthetic-8sm
refuse sbeet-fig9 sbeet-fig8a sbeet-fig8
refuse sbeet-fig10 sbeet-fig8b sbeet-fig8
refuse sbeet-fig10 sbeet-fig9 sbeet-fig9
refuse rtgpu-fig7 sbeet-fig10 sbeet-fig10
refuse sbeet-fig9 rtgpu-fig7 rtgpu-fig7
run plot sbeet-fig9.db sbeet-fig6 -o no.svg
expect_status 2 "decisions are not in a summary"
expect_err "and a campaign is told what it must record" <<'END'
cegsim: error: figure sbeet-fig6 needs runs recorded with record: segments (in the campaign); the recording holds summary
END
finish
