#!/bin/sh
# cegsim plot: every general figure from recordings that have its data, its numbers compared with those of queries, the
# script, and what it refuses. (Layout and quoting: tests/unit/test_chart.c, test_script.c.)
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

sed 's/^horizon: 20s/horizon: 400ms/' "$SOURCES/scenarios/examples/policies.yaml" >run.yaml
sed 's/^horizon: 2s/horizon: 200ms/' "$SOURCES/scenarios/examples/profiles-rtx3070.yaml" >profiles.yaml
cat >campaign.yaml <<'YAML'
cegsim-campaign: 1
seed: 5
sets: 3
generate: {recipe: sbeet, mode: uunifast, gpu: [t400, synthetic-8sm], tasks: [3, 5], utilisation: [40%, 120%]}
analyses: [stgm, rtgpu]
policies: [fcfs, rm, {name: stgm, admit: any}, {name: stgm, admit: any, wait: suspend}, sbeet]
run: {horizon: 2s, stop: horizon}
YAML
sed 's/^replications: .*/replications: 2/; s|\.\./examples|'"$SOURCES/scenarios/examples"'|' \
	"$SOURCES/scenarios/campaigns/test-car.yaml" >car.yaml
run sweep car.yaml -o car.db -q
expect_status 0 "a campaign of a scenario"
run run run.yaml -o run.db
expect_status 0 "a run under every policy, with blocks"
run analyze run.db
expect_status 0 "its bounds"
run run profiles.yaml -o profiles.db
expect_status 0 "a run with profiles"
run sweep campaign.yaml -j 1 -q -o campaign.db
expect_status 0 "a campaign"

# --- every figure ---------------------------------------------------------------------------------------------

source_of() {
	case $1 in
	misses-by-bandwidth | response-by-bandwidth) echo car ;;
	acceptance | grid | miss-ratio | energy-by-utilisation) echo campaign ;;
	scaling) echo profiles ;;
	*) echo run ;;
	esac
}

figures=$(sed -n 's/^-- name: //p' "$SOURCES/report/figures/general.sql" "$SOURCES/report/figures/times.sql")
run list figures
cp out list
for figure in $figures; do
	expect_line list "^$figure  +[a-z-]" "list figures has $figure"
	run plot "$(source_of "$figure").db" "$figure" -o "$figure.svg" --script "$figure.gp"
	expect_status 0 "$figure is drawn"
	expect_no_output "without a word"
	rm "$figure.svg"
	run_command gnuplot --default-settings "$figure.gp"
	[ "$status" -eq 0 ] && ! [ -s out ] && ! [ -s err ]
	report $? "its script is drawn by gnuplot, without a word" || show_file err
	expect_line "$figure.svg" '^</svg>' "and makes the figure"
done
for figure in acceptance misses power; do
	run plot "$(source_of $figure).db" $figure -o again.svg --force
	cmp -s again.svg $figure.svg
	report $? "$figure is the same figure, byte by byte"
done

# In another folder, with settings, another language and another terminal.
mkdir -p home
echo 'set title "no"; set xrange [5:6]' >home/.gnuplot
(
	cd home || exit
	HOME=$PWD GNUTERM=dumb LC_ALL=C TZ=Asia/Tokyo "$CEGSIM" plot ../run.db response-cdf -o here.svg
)
cmp -s home/here.svg response-cdf.svg
report $? "and wherever it is drawn"

# What a recording does not have.
for figure in $figures; do
	case $(source_of "$figure") in
	run) other=profiles ;;
	*) other=run ;;
	esac
	run plot $other.db "$figure" -o other.svg --force
	[ "$status" -eq 0 ] || { [ "$status" -gt 0 ] && [ "$status" -le 2 ] && grep -q '^cegsim: error: [a-z].*\(recording\|recorded\|run of\)' err; }
	report $? "$figure of $other.db is drawn, or says what is missing" || show_file err
done

# --- numbers --------------------------------------------------------------------------------------------------

# rows SCRIPT: its data: "panel: series" (or only one of them), then the numbers; separated by tabs
rows() {
	awk '/^\$data/ { getline; name = substr($0, 3); getline; inside = 1; next }
		/^EOD/ { inside = 0 }
		inside { sub(/ # .*/, "\t&"); sub(/\t # /, "\t"); split($0, part, "\t"); gsub(/ /, "\t", part[1]); print name "\t" part[1] "\t" part[2] }' "$1"
}
for figure in $figures; do
	rows "$figure.gp" >"$figure.rows"
done
run query campaign.db 'SELECT platform, policy, params, target_utilisation, k, n, miss_ratio FROM v_acceptance JOIN
	v_energy_policy USING (platform, policy, params, target_utilisation)' --format json
cp out acceptance.json
run query campaign.db @grid --format json
cp out grid.json
run query run.db @response --format json
cp out response.json
run query run.db "SELECT policy, task, response_ms FROM v_job WHERE response_ms IS NOT NULL" --format csv
awk -F, 'NR > 1 { print $1 "\t" $2 "\t" $3 }' out >jobs.rows
run query run.db 'SELECT policy, lane, utilisation FROM v_utilisation' --format json
cp out utilisation.json
run query run.db @energy --format json
cp out energy.json
run query run.db 'SELECT policy, sum(threads * (end_ns - start_ns)) AS area FROM block_interval JOIN v_run USING (run_id)
	GROUP BY policy' --format json
cp out area.json
cat >check.py <<'PYTHON'
import json, sys
def load(name):
    return json.load(open(name + ".json", encoding="utf-8"))
def rows(name):
    return [line.rstrip("\n").split("\t") for line in open(name + ".rows", encoding="utf-8")]
def near(a, b):
    assert abs(a - b) <= 1e-6 * max(1, abs(a), abs(b)), (a, b)
def series(policy, params):  # as the figure names them
    params = json.loads(params)
    return policy + (" wait=" + params["wait"] if policy == "stgm" else "")
which = sys.argv[1]
if which == "acceptance":
    found = {(r[0], float(r[1])): [float(v) for v in r[2:5]] for r in rows("acceptance") if "(analysis)" not in r[0]}
    wanted = load("grid")
    assert len(found) == len(wanted) == 40, (len(found), len(wanted))
    for w in wanted:
        point = dict(part.split("=") for part in w["point"].split(" "))
        key = ("gpu=%s, tasks=%s: %s" % (point["gpu"], point["tasks"], series(w["policy"], w["params"])),
            float(point["utilisation"][:-1]) / 100)
        for a, b in zip(found[key], (w["ratio"], w["lower95"], w["upper95"])):
            near(a, b)
elif which == "responses":
    box = {(r[0], r[-1]): [float(v) for v in r[3:-1]] for r in rows("response-box")}
    wanted = load("response")
    assert len(box) == len(wanted) > 40
    for w in wanted:
        least, q1, median, q3, p99, greatest = box[w["policy"], w["task"]]
        near(least, w["min_ms"]); near(greatest, w["max_ms"])
        assert least <= q1 <= median <= q3 <= p99 <= greatest
    last = {}
    for r in rows("response-cdf"):
        x, y = float(r[1]), float(r[2])
        assert r[0] not in last or last[r[0]] <= (x, y), r
        last[r[0]] = (x, y)
    assert len(last) == len(wanted) and all(0.8 < y <= 1 for x, y in last.values())
    worst = {(w["policy"], w["task"]): w["max_ms"] for w in wanted}
    jobs = {}
    for line in rows("jobs"):
        jobs.setdefault((line[0], line[1]), []).append(float(line[2]))
    tail = {}
    for r in rows("response-tail"):
        task, policy = r[0].split(" (deadline ")[0], r[0].split(": ")[1]
        tail.setdefault((policy, task), []).append((float(r[1]), float(r[2])))
    assert tail.keys() == worst.keys()
    for key, points in tail.items():
        assert points[0][1] == 1 and all(y > 0 for x, y in points), points
        for x, y in points[1:-1]:  # the share of jobs that need longer; at x itself, at the step, one of both
            longer = {sum(v > x + d for v in jobs[key]) / len(jobs[key]) for d in (-1e-6, 1e-6)}
            assert min(longer) - 1e-6 <= y <= max(longer) + 1e-6, (key, x, y, longer)
        near(points[-1][0], worst[key])
        near(points[-1][1], 0.5 / len(jobs[key]))  # falls to half a job
elif which == "resources":
    lanes = {}
    for w in load("utilisation"):
        lanes.setdefault((w["policy"], "SMs" if w["lane"].startswith("SM ") else w["lane"]), []).append(w["utilisation"])
    found = {(r[0], r[-1]): [float(v) for v in r[4:-1]] for r in rows("utilisation")}
    assert found.keys() == lanes.keys()
    for key, shares in lanes.items():
        near(found[key][0], sum(shares) / (8 if key[1] == "SMs" else 1))
        if key[1] == "SMs":
            near(found[key][2], max(shares))
    energy = {}
    for r in rows("energy"):
        energy[r[5]] = energy.get(r[5], 0) + float(r[4]) - float(r[3])
    wanted = load("energy")
    assert len(energy) == len(wanted)
    for w in wanted:
        near(energy[w["policy"]], w["energy_j"])
    area, before = {}, {}
    for r in rows("occupancy"):
        x, y = float(r[1]) * 1e6, float(r[2])
        if r[0] in before:
            area[r[0]] = area.get(r[0], 0) + before[r[0]][1] * (x - before[r[0]][0])
        before[r[0]] = (x, y)
    for w in load("area"):
        assert abs(area[w["policy"]] / w["area"] - 1) < 1e-5, w
elif which == "energy in windows":
    window = load("energy")[0]["window_ms"]
    powers, before = {}, {}
    for r in rows("power-all"):
        x, y = float(r[1]), float(r[2])
        powers.setdefault(r[0], []).append((x, y))
    for name, steps in powers.items():
        wanted = [w for w in load("energy") if w["policy"] == name][0]
        near(sum((b[0] - a[0]) * a[1] / 1e3 for a, b in zip(steps, steps[1:])), wanted["energy_j"])
        found = [(float(r[1]), float(r[2])) for r in rows("energy-window") if r[0] == name]
        assert len(found) == 400
        for t, joule in found[::57]:
            near(joule, sum(max(min(b[0], t + 100) - max(a[0], t), 0) * a[1] / 1e3 for a, b in zip(steps, steps[1:])))
PYTHON
run plot run.db power -P to=1e9 --script power-all.gp
rows power-all.gp >power-all.rows
for what in acceptance responses resources "energy in windows"; do
	run_command python3 check.py "$what"
	expect_status 0 "$what: the figures have the numbers of the queries"
done
expect_line speed-up.rows '^against edf: rtgpu' "speed-ups name their baseline"
run plot run.db speed-up -P baseline=rm -P taskset=1 --script rm.gp
expect_line rm.gp '^# against rm: fcfs' "and may have another"
run plot campaign.db grid -P axis=tasks --script grid.gp --force
expect_line grid.gp '^set label 11 "tasks=5" ' "a grid over one of its axes"
expect_line grid.gp '^# gpu=t400: stgm wait=suspend$' "has panels for the others"

# --- looks and series -----------------------------------------------------------------------------------------

# colour SCRIPT SERIES: the colour of the series in the first panel that has it
colour() {
	awk -v series="$2" '/^\$data/ { data = $1; getline; name = substr($0, 3); sub(/^.*: /, "", name); if (name == series) found[data] = 1 }
		/^set linetype/ { line[$3] = $6 " " $10 }
		/ lt [0-9]+/ && $1 in found && /with (linespoints|steps|points)/ { sub(/.* lt /, ""); sub(/[^0-9].*/, ""); print line[$0]; exit }' "$1"
}
[ "$(colour response-cdf.gp sbeet)" = "'#d55e00' 1" ] && [ "$(colour power.gp sbeet)" = "'#d55e00' 1" ] &&
	[ "$(colour acceptance.gp sbeet)" = "'#d55e00' 1" ]
report $? "a policy has one colour in all figures"
[ "$(colour acceptance.gp 'rtgpu (analysis)')" = "'#0072b2' 2" ] && [ "$(colour response-cdf.gp rtgpu)" = "'#0072b2' 1" ]
report $? "an analysis has its policy's, and dashes" || colour acceptance.gp 'rtgpu (analysis)'
run plot run.db response-cdf --series 'rm=RM, rate monotonic' --script no.gp
expect_err "a series that is not there" <<-'END'
	cegsim: error: --series: this figure has no series ' rate monotonic' (it has 'edf', 'fcfs', 'fifo-cke', 'mpcp', 'rm', 'rtgpu', 'sbeet', 'self-suspension', 'stgm')
END
expect_status 2 "is an input error"
run plot run.db response-cdf --series 'sbeet=Ours,fifo-cke=FIFO' --script chosen.gp
expect_status 0 "series are chosen and named"
grep '^set label .*Ours\|^set label .*FIFO\|^set label .*rm' chosen.gp | awk '{ printf "%s ", $4 }' >out
expect_line out '^"Ours" "FIFO" $' "in that order, without others"
[ "$(colour chosen.gp Ours)" = "'#d55e00' 1" ]
report $? "and keep their colours"
run plot run.db energy --series 'stgm=STGM,rm' --script chosen.gp --force
expect_line chosen.gp '^set label 10 "STGM" ' "where policies are the groups, these are chosen"
expect_no_line chosen.gp 'sbeet' "and no others"
run plot run.db gantt --series rm -o no.svg
expect_err "a figure that has none" <<-'END'
	cegsim: error: --series: figure gantt has no series
END
expect_line response-cdf.gp '^set arrow 1 from 12,graph 0 to 12,graph 1 ' "the deadline is a line in response-cdf"
expect_line response-tail.gp '^set logscale y' "the tail has a logarithmic axis"
expect_line response-box.gp '^# place half-width least q1 median q3 p99 greatest' "boxes that would be flat are percentiles"
expect_line prediction-error.gp '^# place half-width least q1 median q3 greatest' "others are boxes"

# --- own SQL, sizes, names ------------------------------------------------------------------------------------

run plot run.db "SELECT policy AS 'group', energy_j AS y FROM v_run" --chart bars --y-label 'energy (J)' -o own.svg
expect_status 0 "own SQL is drawn"
expect_line own.svg 'energy \(J\)' "with its label"
run plot run.db "SELECT policy AS \"group\", energy_j AS z FROM v_run" --chart bars -o own2.svg
expect_err "a column that means nothing" <<-'END'
	cegsim: error: column 'z' means nothing to a chart of bars, which has: [panel] [series] group y [low high] [policy] [dashed]
END
run plot run.db "SELECT run_id AS x, NULL AS y FROM run" --chart points -o own2.svg
expect_status 1 "rows without numbers"
expect_err "it says so" <<-'END'
	cegsim: error: the query's rows have no numbers to draw
END

# --- no power is given: there is no energy ----------------------------------------------------------------------

run run "$SOURCES/scenarios/examples/quickstart.yaml" -o powerless.db --record blocks -q --format csv
expect_line out '^quickstart,fifo-cke,ok,14,0,,,71500000,' "an energy that is not known is empty in CSV"
run run "$SOURCES/scenarios/examples/quickstart.yaml" -q --format json
expect_line out '"misses": 0, "energy_uj": null, "energy_rest_uwns": null, ' "and null in JSON"
run query powerless.db "SELECT count(*), count(energy_j), count(mean_power_w) FROM v_run" --format csv
expect_line out '^3,0,0$' "and NULL in the views"
run audit powerless.db
expect_status 0 "the audit wants none"
cp powerless.db powered.db
run_command sqlite3 powered.db "UPDATE run SET energy_uj = 1, energy_rest_uwns = 0 WHERE run_id = 2"
run audit powered.db
expect_line out '^energy-parts: ' "and finds one that is there"
for figure in power energy energy-window energy-by-utilisation; do
	run plot powerless.db $figure -o powerless.svg
	expect_status 2 "figure $figure without power"
	expect_line err "^cegsim: error: figure $figure: no run of the recording has energy, as no power is given" "it says why"
done
run plot powerless.db "SELECT policy AS 'group', energy_j AS y FROM v_run" --chart bars -o powerless.svg
expect_status 2 "a figure of one's own without power"
expect_line err 'have no numbers to draw; no run of the recording has energy, as no power is given' "it says why"
run plot powerless.db gantt -P power=1 -o powerless.svg
expect_status 1 "a Gantt chart with power"

run plot run.db "SELECT 1 AS x, 2 AS y WHERE 0" --chart points -o own2.svg
expect_status 1 "no rows"
run plot run.db "SELECT 1 AS x, 2 AS y" -o own2.svg
expect_err "SQL without a kind" <<-'END'
	cegsim: error: SQL needs --chart KIND: curves, steps, points, bars, stacks or boxes
END
many="WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
run plot run.db "$many SELECT i AS x, i AS y FROM n" --chart points -o own2.svg
expect_status 2 "more points than can be seen, without end"
expect_line err 'too much for a chart: it has at most 1000000 points$' "it says how many can be"
run plot run.db "$many SELECT i AS series, i AS x, i AS y FROM n" --chart points -o own2.svg
expect_status 2 "more series than can be seen"
expect_line err 'too much for a chart: it has at most 2000 panels, series and groups of each$' "it says how many can be"
expect_no_file own2.svg "nothing of what failed is left"
for size in 3.4x2.4 7x3; do
	run plot campaign.db miss-ratio --size $size -o size.svg --force
	expect_line size.svg "^ width=\"$(echo $size | awk -Fx '{ printf "%.0f", $1 * 96 }')\" height=\"$(echo $size | awk -Fx '{ printf "%.0f", $2 * 96 }')\"" "$size inches"
done
run plot campaign.db acceptance --size 1x0.8 -o tiny.svg
expect_status 2 "a size that is too small"
expect_line err 'inches are too small for this figure; it needs a (width|height) of at least' "and what would do"
run plot run.db response-cdf --size 3.4x0.8 -o tiny.svg
height=$(sed -n 's/.*it needs a height of at least \([0-9.]*\)$/\1/p' err)
run plot run.db response-cdf --size "3.4x$height" -o tiny.svg
expect_status 0 "a figure of the height that was named"
run plot run.db power -o power.pdf
run_command sh -c 'head -c 5 power.pdf; tail -c 6 power.pdf'
expect_line out '^%PDF-%%EOF' "PDF"
sleep 1.1
TZ=Asia/Tokyo run plot run.db power -o power2.pdf
cmp -s power.pdf power2.pdf
report $? "a second later, in another time zone, it is the same PDF, byte by byte"
run plot run.db power -o power.png
expect_status 0 "PNG"

run plot run.db powr -o x.svg
expect_err "a mistyped figure" <<-'END'
	cegsim: error: there is no figure named 'powr'; did you mean 'power'? (see cegsim list figures)
END
expect_status 2 "is an input error"
run plot run.db sbeet-fig8 -o x.svg
expect_err "the begin of names" <<-'END'
	cegsim: error: there is no figure named 'sbeet-fig8'; did you mean 'sbeet-fig8a' or 'sbeet-fig8b'? (see cegsim list figures)
END
run plot run.db response-cdf -P normalised=1 -o x.svg
expect_err "what figures that share their SQL differ in is nobody's parameter" <<-'END'
	cegsim: error: figure response-cdf has no parameter 'normalised' (it has run, taskset, task)
END
run list figures --format csv
cp out list.csv
expect_line list.csv '^policy_name AS ' "the SQL that figures share is listed with them"
expect_no_line list.csv '^policy_name,' "and is no figure"
run plot run.db power -P rin=1 -o x.svg
expect_err "a mistyped parameter" <<-'END'
	cegsim: error: figure power has no parameter 'rin'; did you mean 'run'? (it has run, from, to)
END
run plot run.db power -P run=99 -o x.svg
expect_status 2 "a run that is not there"
expect_line err "^cegsim: error: run.db has no run '99'" "is said"
run plot run.db power -o x.jpg
expect_err "another format" <<-'END'
	cegsim: error: x.jpg: a figure's name ends in .svg, .pdf or .png
END
run plot run.db power
expect_status 2 "no file, and no terminal"
run plot run.db power -o power.png
expect_status 2 "a file that exists"
expect_line err "^cegsim: error: power.png exists already" "stays"
set -- ./*.db
cp "$1" itself.svg
for where in -o --script; do
	run plot itself.svg misses "$where" ./itself.svg --force
	expect_status 2 "the recording itself is not drawn over by $where"
	expect_line err "^cegsim: error: \./itself\.svg is the file that is read" "and it says so"
done

# --- gnuplot, the disk, the terminal --------------------------------------------------------------------------

mkdir empty
PATH=$PWD/empty run plot run.db power -o none.svg
expect_status 3 "no gnuplot"
expect_line err "there is no gnuplot here; it is Debian's package gnuplot-nox" "says what to install"
PATH=$PWD/empty run plot run.db power --script none.gp
expect_status 0 "scripts are written without it"
printf '#!/bin/sh\ncat >/dev/null\necho "no memory" >&2\nexit 4\n' >empty/gnuplot
chmod +x empty/gnuplot
PATH=$PWD/empty:$PATH run plot run.db power -o none.svg
expect_status 3 "gnuplot fails"
expect_line err 'gnuplot could not draw the figure: no memory$' "and its words are passed on"
# A limit on the size of files imitates a full disk.
run_command sh -c "trap '' XFSZ; ulimit -f 4; exec \"\$0\" plot run.db power -o none.svg" "$CEGSIM"
expect_status 3 "no room for the figure"
expect_no_file none.svg "leaves nothing"
expect_no_file none.svg.part "at all"

run_command python3 -c '
import fcntl, os, pty, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], [sys.argv[1], "plot", "run.db", "misses"])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 90, 0, 0))
text = b""
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:
        break
    if not part:
        break
    text += part
sys.stdout.write(text.decode().replace("\r", ""))
raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))' "$CEGSIM"
expect_status 0 "on a terminal figures are drawn in letters"
expect_line out ' radar .* plan' "with their names"
expect_no_line out '.{100}' "as wide as the terminal"

finish
