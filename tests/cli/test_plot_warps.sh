#!/bin/sh
# The figures of kernels of warps and of the QAWS and QoS papers, from shortened campaigns: each is drawn without a
# message, and its script has the numbers of the named query that belongs to it. The strip of issued instructions has a
# rectangle for each of them, and is grey where there is none.
# shellcheck source=tests/cli/lib.sh disable=SC2016
. "$(dirname "$0")/lib.sh"

CAMPAIGNS=$SOURCES/scenarios/campaigns
sets=3

# sweep_short NAME: a campaign with $sets sets at two goals and a tenth of the time, as NAME.db
sweep_short() {
	sed 's/^sets: .*/sets: '"$sets"'/; s/goal: \[\(50%\|25%\), .*/goal: [\1, 80%]/; s/200us/20us/; s/sms: \[4, 16\]/sms: [1, 2]/' \
		"$CAMPAIGNS/$1.yaml" >"$1.yaml"
	run sweep "$1.yaml" -o "$1.db" -q
	expect_status 0 "$1: $sets sets"
}

# draw FILE.db FIGURE ARGUMENT...: draws an SVG. Writes what is drawn to `figure`, in lines NAME OF SERIES;GROUP OR
# X;VALUE, and the ends of error bars to `errors`, in lines NAME;GROUP low;VALUE and NAME;GROUP high;VALUE
draw() {
	file=$1 name=$2
	shift 2
	: >errors
	run plot "$file" "$name" -o "$name.svg" --script "$name.gp" --force "$@"
	expect_no_output "$name is drawn"
	awk -v CONVFMT=%.17g '/^\$data/ { getline; name = substr($0, 3); on = 1; next }
		/^EOD/ { on = 0 }
		on && /^#/ { next }
		on && / # / { group = $0; sub(/.* # /, "", group); if ($4 != "NaN") print name ";" group ";" $4 - $3
			if ($5 != "NaN") print name ";" group " low;" $5 "\n" name ";" group " high;" $6 >"errors"; next }
		on && $2 != "NaN" { print name ";" $1 ";" $2 }' "$name.gp" >figure
}

# ask FILE.db QUERY AWK ARGUMENT...: writes the named query's answer to `answer`, in the same kind of lines. The figure
# may leave out what is zero everywhere (in stacks). If $only is set, the figure has more lines, and $only matches those
# that are compared.
ask() {
	file=$1 query=$2 program=$3
	shift 3
	run query "$file" "@$query" --format csv "$@"
	sed '1d; s/"\([a-z-]*\), swap: free"/\1/g; s/"\[1,[0-9]*\]"/budgets/g; s/,"{.*$//' out | awk -F, -v CONVFMT=%.17g '
		BEGIN { s["spart"] = "Spart"; s["history"] = "Naïve + history"; s["elastic"] = "Elastic"; s["rollover"] = "Rollover"
			s["rollover-time"] = "Rollover-Time"; s["naive"] = "naive"; s["smk"] = "smk" }
		function say(name, group, value) { if (value != "") print name ";" (group == "all" ? "mean" : group) ";" value }
		'"$program" >answer
}

# agree NAME: both have the same lines, values to nine digits
agree() {
	grep -E -- "${only:-.}" figure | LC_ALL=C sort >left
	LC_ALL=C sort answer >right
	paste -d';' left right | awk -F';' '
		{ n++; d = $3 - $6; m = $6 < 0 ? -$6 : $6; if (d < 0) d = -d; if (m < 1) m = 1 }
		$1 != $4 || $2 != $5 || !(d < 1e-9 * m) { print "#   " $0; bad = 1 }
		END { exit bad || n == 0 }'
	report $? "$1"
}

# refuse FILE.db FIGURE CAMPAIGN [STATUS]: there is nothing to draw, and it says which campaign has it
refuse() {
	run plot "$1" "$2" -o refused.svg
	expect_status "${4-1}" "$2 of ${1%.db}: nothing"
	expect_line err "$3" "which has it"
	expect_no_file refused.svg "and no file"
}

# ---- instructions, QAWS's Figure 3 ---------------------------------------------------------------
run run "$SOURCES/scenarios/papers/qaws-fig3.yaml" -o fig3.db --record issues
expect_status 0 "the four runs of Figure 3"

# rectangles FILE.gp: PANEL;ROW;CYCLE;RESULT;NUMBER of each
rectangles() {
	awk '/^set tmargin/ { panel++ }
		/^set ytics/ { n = split($0, part, "\""); for (i = 2; i <= n; i += 2) row[panel, i / 2 - 1] = part[i] }
		/^\$issued/ { on = 1; next }
		/^EOD/ { on = 0 }
		on && !/^#/ { print panel ";" row[panel, $2] ";" $1 ";" $3 ";" $4 }' "$1" | sort
}

# strips FILE.gp: one line per panel, as @issue-strip writes them: the row in every cycle with a rectangle, . where it is
# grey
strips() {
	awk '/^set tmargin/ { panel++ }
		/^\$issued/ { on = 1; next }
		/^\$blank/ { on = 2; next }
		/^EOD/ { on = 0 }
		on == 1 && !/^#/ { at[panel, $1] = at[panel, $1] $2; if ($1 >= end[panel]) end[panel] = $1 + 1 }
		on == 2 { for (i = $1; i < $2; i++) at[panel, i] = at[panel, i] "."; if ($2 > end[panel]) end[panel] = $2 }
		END { for (p = 1; p <= panel; p++) { line = ""; for (i = 0; i < end[p]; i++)
			line = line ((p, i) in at ? at[p, i] : "?"); print line } }' "$1"
}

run plot fig3.db issue-strip -o strip.svg --script strip.gp
expect_no_output "the strip is drawn"
rectangles strip.gp >have
for n in 1 2 3 4; do
	"$CEGSIM" query fig3.db @issues -P run=$n --format csv | awk -F, -v n=$n \
		'NR > 1 { print n ";" $3 " " $5 ":" $6 ";" $1 ";" $12 ";" $7 }'
done | sort >wanted
compare have "a rectangle for each instruction, where it belongs" <wanted
[ "$(wc -l <have)" -eq 144 ]
report $? "nine of each of four warps in four runs"
strips strip.gp >have
"$CEGSIM" query fig3.db @issue-strip --format csv | awk -F, 'NR > 1 { print $NF }' >wanted
compare have "rectangles and grey are the strings of @issue-strip" <wanted
run plot fig3.db qaws-fig3 -o fig3.svg --script fig3.gp
expect_no_output "Figure 3 is drawn"
strips fig3.gp >have
for n in 2 1 3 4; do "$CEGSIM" query fig3.db @issue-strip -P run=$n --format csv | awk -F, 'NR > 1 { print $NF }'; done >wanted
compare have "the same in the paper's order" <wanted
expect_line fig3.gp '"\(d\) QAWS, budgets 1 and 6: K1 until cycle 38, K2 until cycle 24"' "with the numbers of its text"
run plot fig3.db issue-strip -o window.svg --script window.gp -P run=2 -P from=10 -P cycles=5
expect_no_output "five cycles of one run are drawn"
rectangles window.gp | awk -F';' '{ print $1 ";" $2 ";" $3 }' >have
compare have "their rectangles only" <<-'END'
	1;K1 0:0;14
	1;K1 0:1;10
	1;K1 0:1;11
	1;K1 0:1;12
	1;K1 0:1;13
END
sed -n '/^\$waits1_1/,/^EOD/p' window.gp >have
compare have "and lines to results, from before and beyond, up to the edges" <<-'END'
	$waits1_1 << EOD
	10 0 11
	10 0 12
	10 0 13
	10 0 14
	11 1 15
	12 1 15
	13 1 15
	14 1 15
	EOD
END
run plot fig3.db issue-strip -o none.svg -P cycles=0
expect_status 2 "no cycles are a usage error"
expect_err "and it says what is expected" <<-'END'
	cegsim: error: figure issue-strip: parameter 'cycles' is '0'; expected a whole number from 1 to 2000
END
run plot fig3.db issue-strip -o none.svg -P from=soon
expect_status 2 "so is a cycle that is no number"
run plot fig3.db issue-strip -o none.svg --size 6x2.2
expect_status 2 "so is a page that is too small"
expect_line err 'more warps than fit' "for the warps"

# Long names that differ at their ends only; names with line feeds, which scenarios refuse.
cp fig3.db names.db
sqlite3 names.db "UPDATE task SET name = printf('%.90c', 'k') || name"
run plot names.db issue-strip -P run=1 --script long.gp
expect_no_output "kernels with long names are drawn"
sed -n '/^\$issued/{N;s/.*k\(K[12]\): .*/\1/p;}' long.gp >have
compare have "each in its own colour" <<-'END'
	K1
	K2
END
[ "$(grep 'set ytics' long.gp | grep -o 'kK[12] [01]:[0-9]*' | wc -l)" -eq 4 ]
report $? "each warp in its own row"
sqlite3 names.db "UPDATE task SET name = 'p' || char(10) || 'EOD' || char(10) || 'system \"touch ran\"' || char(10) || 'q' WHERE task_idx = 0"
run plot names.db issue-strip -P run=1 -o names.svg
expect_status 0 "a name of several lines"
expect_no_file ran "is no command"

# ---- a scenario ----------------------------------------------------------------------------------
sed 's/^horizon: 100us.*/horizon: 30us/' "$SOURCES/scenarios/examples/warps.yaml" >warps.yaml
run run warps.yaml -o warps.db --record jobs
expect_status 0 "four runs of the example"
only='^custom: (issued|quota|unit|memory|dependence);gto rollover;'
draw warps.db stalls -P run=4
ask warps.db stalls '{ split("issued 4 quota 6 unit 7 memory 9 dependence 10", c, " ")
	for (i = 1; i < 10; i += 2) say("custom: " c[i], "gto rollover", 100 * $c[i + 1]) }' -P run=4
agree "shares of a run's cycles are those of @stalls"
only=
draw warps.db warps
ask warps.db warps '{ name = $4 ($5 == "smk" ? "" : " " $5); say(name ": alone", $2, $12); say(name ": goal", $2, $14)
	say(name ": with the others", $2, $11) }'
agree "IPCs are those of @warps"
draw warps.db epochs -P run=4
ask warps.db epochs 'BEGIN { split("IPC,goal,adjusted goal,IPC since the start", c, ",") }
	{ for (i = 1; i <= 4; i++) if ($(4 + i) != "") { n = $4 ": " c[i]; print n ";" sprintf("%g", $2 / 1e3) ";" $(4 + i)
		end[n] = sprintf("%g", $3 / 1e3) ";" $(4 + i) } }
	END { for (n in end) print n ";" end[n] }' -P run=4
agree "epochs are those of @epochs, up to their end"

# ---- kernels alone -------------------------------------------------------------------------------
sweep_short qos-alone
draw qos-alone.db warp-kernels
ask qos-alone.db warp-kernels '{ say($1 ": " $3, $2, $6) }'
agree "IPCs alone are those of @warp-kernels"
only=' (issued|unit|memory|dependence|barrier);'
draw qos-alone.db warp-kernels-stalls
ask qos-alone.db warp-kernels '{ split("issued unit memory dependence barrier", c, " ")
	for (i = 1; i <= 5; i++) say($1 ", " $3 ": " c[i], $2, 100 * $(6 + i)) }'
agree "and so are the shares of their cycles"
only=

# ---- QAWS's Figure 4 -----------------------------------------------------------------------------
pairs='{ n = toupper($3); say("response of K1 / that of K1 under LRR: " n, $2, $5)
	say("response of K2 / that of K1 under LRR: " n, $2, $6)
	if (n == "SERIAL") next
	say("speed-up of K2 against LRR: " n, $2, $8); say("mean response of K1 and K2 / LRR'\''s: " n, $2, $10) }'
for letter in a b; do
	sweep_short qaws-fig4$letter
	draw qaws-fig4$letter.db qaws-fig4$letter
	ask qaws-fig4$letter.db qaws-fig4 "$pairs"
	agree "Figure 4$letter is @qaws-fig4"
done
refuse qaws-fig4a.db qaws-fig4b 'qaws-fig4b'
refuse qaws-fig4b.db qaws-fig4a 'qaws-fig4a'

# ---- QoS -----------------------------------------------------------------------------------------
reach='keep($5) { say(s[$5], $4 == "all" || !two ? $4 : $4 "+" $4, $8) }'
others='keep($5) { say(panel s[$5], $4, $7) }'
two_of='function keep(m) { return m == "spart" || m == "rollover" }'
timed='function keep(m) { return m == "rollover-time" || m == "rollover" }'
every='function keep(m) { return 1 }'
for campaign in qos-fig6a qos-fig6b qos-fig6c qos-fig12 qos-ablations; do
	sweep_short $campaign
done
draw qos-fig6a.db qos-fig5 -P manager=all
ask qos-fig6a.db qos-misses '{ split("0 - 1,1 - 5,5 - 10,10 - 20,over 20", b, ",")
	for (i = 1; i <= 5; i++) print s[$3] ";" b[i] ";" $(5 + i) }'
agree "Figure 5 is @qos-misses"
draw qos-fig6a.db qos-fig6a
ask qos-fig6a.db qos-reach "$every $reach"
agree "Figure 6a is @qos-reach"
cp errors figure
ask qos-fig6a.db qos-reach '{ k = $7; n = $6; z = 1.96; r = z * sqrt(k * (n - k) / n + z * z / 4); m = k + z * z / 2
	say(s[$5], ($4 == "all" ? "mean" : $4) " low", k ? 100 * (m - r) / (n + z * z) : 0)
	say(s[$5], ($4 == "all" ? "mean" : $4) " high", k < n ? 100 * (m + r) / (n + z * z) : 100) }'
agree "with Wilson's intervals"
draw qos-fig6b.db qos-fig6b
ask qos-fig6b.db qos-reach "$every $reach"
agree "and 6b"
draw qos-fig6c.db qos-fig6c
ask qos-fig6c.db qos-reach "BEGIN { two = 1 } $every $reach"
agree "and 6c, with both goals"
draw qos-fig12.db qos-fig12
ask qos-fig12.db qos-reach "$every $reach"
agree "and 12"
draw qos-fig6a.db qos-fig10
ask qos-fig6a.db qos-reach "$timed $reach"
agree "and 10"
draw qos-fig6a.db qos-fig7
only='^[^;]*;([^m]|m[^e])'
ask qos-fig6a.db qos-reach-by-kernel "$two_of"' keep($4) { say(s[$4], $3, $7) }'
agree "Figure 7 is @qos-reach-by-kernel"
only=
draw qos-fig6a.db qos-fig8
ask qos-fig6a.db qos-throughput "BEGIN { panel = \"(a) pairs: \" } $two_of $others"
agree "Figure 8a is @qos-throughput"
draw qos-fig6b.db qos-fig8
ask qos-fig6b.db qos-throughput "BEGIN { panel = \"(b) trios, one kernel with a goal: \" } $two_of $others"
agree "and 8b"
draw qos-fig6c.db qos-fig8
ask qos-fig6c.db qos-throughput "BEGIN { panel = \"(c) trios, two kernels with a goal: \" } $two_of $others"
agree "and 8c"
draw qos-fig6a.db qos-fig11
ask qos-fig6a.db qos-throughput "$timed $others"
agree "and 11"
draw qos-fig12.db qos-fig13
ask qos-fig12.db qos-throughput "$two_of $others"
agree "and 13"
draw qos-fig6a.db qos-fig9
ask qos-fig6a.db qos-overshoot "$two_of"' keep($4) { say(s[$4], $3, 1 + $6 / 100) }'
agree "Figure 9 is @qos-overshoot"
cp errors figure
"$CEGSIM" query qos-fig6a.db "SELECT manager, CAST(round(100 * goal_ipc / alone_ipc) AS INTEGER), times_goal FROM v_warp_kernel
	WHERE reached AND (manager = 'spart' OR manager = 'rollover')" --format csv | awk -F, -v CONVFMT=%.17g '
	NR > 1 { for (i = 0; i < 2; i++) { g = ($1 == "spart" ? "Spart" : "Rollover") ";" (i ? "mean" : $2)
		x[g, ++n[g]] = $3; sum[g] += $3 } }
	END { for (g in n) { mean = sum[g] / n[g]; v = 0; for (i = 1; i <= n[g]; i++) v += (x[g, i] - mean) ^ 2
		if (n[g] > 1) { e = 1.96 * sqrt(v / (n[g] - 1) / n[g]); print g " low;" mean - e "\n" g " high;" mean + e } } }' >answer
agree "with 1.96 standard errors"
draw qos-fig6a.db qos-fig14
ask qos-fig6a.db qos-energy '$4 == "rollover" { say("Rollover", $3, $7) }'
agree "Figure 14 is @qos-energy"
swaps='$3 == of { v = $4 == "no" ? "no history" : $5 == "no" ? "blocks stay" : $6 == "free" ? "swaps are free" : s[of]
	say("cases that reach their goals", v, $8); say("others'\'' IPC, of that alone", v, $10 == "" ? "" : 100 * $10)
	if (v != s[of]) say("others'\'' IPC, more than " s[of], v, $12) }'
draw qos-ablations.db qos-swaps
ask qos-ablations.db qos-swaps 'BEGIN { of = "rollover" } '"$swaps"
agree "section 4.8 is @qos-swaps"
draw qos-ablations.db qos-swaps -P manager=history
ask qos-ablations.db qos-swaps 'BEGIN { of = "history" } '"$swaps"
agree "and that of Naïve"

# Only of their own campaign.
refuse qos-fig12.db qos-fig6a 'qos-fig6a'
refuse qos-ablations.db qos-fig6a 'qos-fig6a'
refuse qos-fig6a.db qos-fig12 'qos-fig12'
refuse qos-fig6b.db qos-fig6c 'qos-fig6c'
refuse qos-fig6a.db qos-swaps 'qos-ablations'
sed -i '/history: false/d; /adjust: false/d; /swap: free/d; s/^sets: .*/sets: 1/' qos-ablations.yaml
run sweep qos-ablations.yaml -o plain.db -q
refuse plain.db qos-swaps 'qos-ablations'
refuse qaws-fig4a.db qos-fig8 'qos-fig6a'
refuse qaws-fig4a.db warp-kernels 'qos-alone'
refuse qaws-fig4a.db epochs 'record: jobs' 2
refuse qaws-fig4a.db issue-strip 'record: issues' 2
refuse qos-fig6a.db qaws-fig3 'qaws-fig3' 2

finish
