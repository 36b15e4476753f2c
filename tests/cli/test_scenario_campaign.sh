#!/bin/sh
# Campaigns of a scenario: one recording for any number of workers and shares, the runs of the scenario edited by hand, what
# is recorded, and what is refused. tests/unit/test_variants.c has the messages about paths and values.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

mkdir cars
cp "$SOURCES/scenarios/examples/test-car.yaml" cars/car.yaml
cat >car.yaml <<'END'
cegsim-campaign: 1
replications: 3
generate:
  recipe: scenario
  file: cars/car.yaml
  set:
    horizon: 400ms
    platform.preset: [jetson-agx-xavier, jetson-agx-orin]
    platform.copy.bandwidth: [2GB/s, 8GB/s]
    policies.rm.unit: kernel
analyses: [mpcp]
policies: [fifo-cke, rm, mpcp]
END

digest() {
	"$CEGSIM" merge --digest "$1" --format csv | sed -n '2s/[^,]*,\([^,]*\),.*/\1/p'
}

# ---- one recording -----------------------------------------------------------------------
run sweep car.yaml -o one.db -j 1
expect_status 0 "a campaign of a scenario"
expect_line out '^car: 4 grid points x 3 replications \(car\.yaml\), each under 3 policies: 36 runs; 1 analysis; 1 worker$' \
	"prints the size of the grid"
expect_line out '^platform\.copy\.bandwidth=2GB/s platform\.preset=jetson-agx-orin +' "and every point"
whole=$(digest one.db)
run sweep car.yaml -o two.db -j 2 -q
[ "$(digest two.db)" = "$whole" ]
report $? "two workers give the same content as one"
for i in 0 1 2; do
	run sweep car.yaml -o "part$i.db" --shard "$i/3" -q
	expect_status 0 "share $i of 3"
done
run merge part0.db part1.db part2.db -o merged.db
expect_status 0 "shares are merged"
expect_no_output_on_stderr "and none is missing"
[ "$(digest merged.db)" = "$whole" ]
report $? "to the same content"
run audit two.db
expect_status 0 "the audit finds nothing in it"
run run two.db -q
expect_status 0 "every run can be repeated from it"
run query two.db "SELECT count(*), count(DISTINCT taskset_id), min(set_number), max(set_number) FROM run" --format csv
expect_line out '^36,12,0,0$' "a set for each replication, with the draws of cegsim run"
run query two.db "SELECT count(*), count(DISTINCT taskset_id) FROM analysis_run" --format csv
expect_line out '^4,4$' "analyses are asked once a point"
run query two.db "SELECT kind, name, text LIKE '%test car%' FROM scenario ORDER BY kind" --format csv
expect_line out '^scenario,car\.yaml,1$' "the scenario's text is recorded"
run query two.db @grid --format csv
expect_line out '^platform\.copy\.bandwidth=8GB/s platform\.preset=jetson-agx-orin,jetson-agx-orin,rm,' "values are options of the sets"
run validate two.db
expect_status 0 "bounds are validated as usual"

# ---- the scenario edited by hand -----------------------------------------------------------
sqlite3 one.db "SELECT printf('%s %d %d', l.name, l.copy_bandwidth / 1000000000, r.seed) FROM run r JOIN platform l USING
	(platform_id) GROUP BY 1 ORDER BY r.run_id" >points
[ "$(wc -l <points)" -eq 12 ]
report $? "twelve of them"
while read -r board bandwidth seed; do
	sed "s/^horizon: .*/horizon: 400ms/; s/preset: .*/preset: $board/; s/bandwidth: 12GB/bandwidth: ${bandwidth}GB/
		s/^policies: .*/policies: [fifo-cke, {name: rm, unit: kernel}, mpcp]/" cars/car.yaml >edited.yaml
	"$CEGSIM" run edited.yaml --seed "$seed" --format csv -q 2>sizes | sed 1d | cut -d, -f4,5,10 >by-hand
	sqlite3 -csv one.db "SELECT jobs, misses, r.digest FROM run r JOIN platform l USING (platform_id) WHERE l.name = '$board' AND
		l.copy_bandwidth = ${bandwidth}000000000 AND r.seed = $seed ORDER BY run_id" | tr -d '\r' >recorded
	compare recorded "$board, $bandwidth GB/s, seed $seed: the runs of the edited scenario" <by-hand
done <points

# ---- levels, resume --------------------------------------------------------------------------
sed 's/^analyses: .*/detail: {record: blocks, sets: [1]}\nrecord: jobs/' car.yaml >detail.yaml
run sweep detail.yaml -o detail.db -q
run query detail.db "SELECT record, count(*), min(replication), max(replication) FROM run GROUP BY 1 ORDER BY 1" --format csv
cp out levels
compare levels "detail of one replication of each point" <<'END'
record,count(*),min(replication),max(replication)
blocks,12,1,1
jobs,24,0,2
END
run audit detail.db
expect_status 0 "and the audit finds nothing"
run sweep car.yaml -o one.db --resume -q
expect_status 0 "what is complete is left by --resume"
sed -i 's/deadline: 60/deadline: 70/' cars/car.yaml
run sweep car.yaml -o one.db --resume -q
expect_status 2 "another text of the scenario does not resume"
expect_err "and is named" <<'END'
cegsim: error: one.db is of another text of the scenario (car.yaml)
END
run sweep car.yaml -o part2.db --shard 2/3 -q --force
run merge part0.db part1.db part2.db -o other.db
expect_status 2 "nor are its shares merged"
run query two.db "SELECT count(*) FROM task WHERE deadline_ns = 60000000" --format csv
sqlite3 two.db "UPDATE scenario SET text = replace(text, 'deadline: 60', 'deadline: 61') WHERE kind = 'scenario'"
run audit two.db
expect_status 1 "the audit sees a scenario's text that was changed"
expect_line out "scenario 'car\.yaml': task: row 3 .*: deadline_ns is 60000000, and should be 61000000" "and what differs"

# ---- refused -----------------------------------------------------------------------------------
sed 's/copy\.bandwidth/copy.bandwith/; s/jetson-agx-orin/jetson-agx-orni/; s/rm\.unit/mr.unit/' car.yaml >wrong.yaml
run sweep wrong.yaml -o wrong.db
expect_status 2 "wrong paths and values"
expect_err "are reported at once, each at its place" <<'END'
wrong.yaml:8:42: error: platform.preset: no preset is called "jetson-agx-orni"; did you mean 'jetson-agx-orin'?
wrong.yaml:9:5: error: platform.copy.bandwith: 'copy' has no 'bandwith'; did you mean 'bandwidth'?
wrong.yaml:10:5: error: policies.mr.unit: nothing in 'policies' is called 'mr'; did you mean 'rm'?
END
expect_no_file wrong.db.parts "before anything is run"

# ---- release traces, samples, plug-ins -----------------------------------------------------------
{
	echo task,seq,release
	for job in 0 1 2 3 4 5; do echo "camera,$job,$((job * 33))ms"; done
} >cars/log.csv
sed 's/,\([0-9]*\)ms/,\1.5ms/' cars/log.csv >cars/later.csv
sed -i 's/    period: 33/&\n    release: {trace: log.csv}/' cars/car.yaml
sed 's/    horizon: 400ms/&\n    tasks.camera.release.trace: [log.csv, later.csv]/; /platform.copy/d' car.yaml >trace.yaml
run sweep trace.yaml -o trace.db -q
expect_status 0 "a scenario with a release trace"
run query trace.db "SELECT count(*), count(DISTINCT trace_id), sum(jobs) FROM run_task JOIN task USING (task_id) WHERE name = 'camera'" --format csv
expect_line out '^36,2,216$' "each file is a value of its own"
run audit trace.db
expect_status 0 "the audit reads the campaign again, with the recorded trace"
run run trace.db -q
expect_status 0 "every run can be repeated from it"
for i in 0 1; do
	run sweep trace.yaml -o "trace$i.db" --shard "$i/2" -q
done
run merge trace0.db trace1.db -o merged.db --force
[ "$(digest merged.db)" = "$(digest trace.db)" ]
report $? "shares are merged to the same content"
sed -i 's/,33\.5ms/,34ms/; s/,33ms/,34ms/' cars/log.csv
run sweep trace.yaml -o trace1.db --shard 1/2 -q --force
run merge trace0.db trace1.db -o merged.db --force
expect_status 2 "but not shares with another trace"
expect_line err "^cegsim: error: trace1\.db: its list of release trace entries is not that of the other parts\$" "it says so"
rm cars/log.csv
run sweep trace.yaml -o trace.db --force
expect_status 2 "a trace that is not there"
expect_line err "log\.csv' cannot be opened" "is named"

{
	echo task,segment,value
	for n in 1 2 3 4 5; do echo "camera,0,1.${n}ms"; done
} >times.csv
cat >inside.yaml <<'END'
cegsim-campaign: 1
replications: 4
record: jobs
policies: [fifo-cke, ./edf.so]
generate:
  recipe: scenario
  set: {platform.copy.bandwidth: [2GB/s, 4GB/s]}
  scenario:
    horizon: 400ms
    execution: {samples: times.csv}
    platform: {preset: jetson-tx2, copy: {bandwidth: 3GB/s}}
    tasks:
      - name: camera
        period: 33ms
        segments: [{cpu: [1ms, 2ms]}, {copy: to_gpu, bytes: 8MiB}, {kernel: {grid: 64, block: 256, block_time: 1ms}}]
      - {name: other, period: 20ms, segments: [{cpu: 1ms}, {copy: to_gpu, bytes: 4MiB}]}
END
run_command "${CC:-cc}" -shared -fPIC -O2 -I"$SOURCES/models" -I"$SOURCES" -o edf.so "$SOURCES/contrib/plugin/edf.c"
expect_status 0 "a plug-in is built"
run sweep inside.yaml -o inside.db -q
expect_status 0 "a scenario in the campaign, with samples beside it and a plug-in"
run audit inside.db
expect_status 0 "the audit reads it again, with the recorded samples"
run query inside.db "SELECT count(DISTINCT digest), group_concat(DISTINCT policy) FROM v_run" --format csv
expect_line out '^16,"fifo-cke,my-edf"$' "every replication has draws of its own"
run run inside.db -p ./edf.so -q
expect_status 0 "every run can be repeated from it"
mkdir elsewhere
cp inside.yaml elsewhere
run sweep elsewhere/inside.yaml -o no.db
expect_status 2 "files are looked for beside the campaign"
expect_line err '^elsewhere/inside\.yaml:10:26: error: .elsewhere/times\.csv. cannot be opened' "the samples"
expect_line err '^elsewhere/inside\.yaml:4:22: error: plug-in elsewhere/\./edf\.so cannot be opened' "and the plug-in"
finish
