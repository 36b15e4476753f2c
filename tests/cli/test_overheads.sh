#!/bin/sh
# platform.overheads from file to file: read, written by the YAML writer, recorded, repeated, varied by campaigns, drawn;
# and recordings from before there were any. Gantt charts and traces: test_plot_gantt.sh, test_trace.sh.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

cat >all.yaml <<'END'
cegsim: 1
name: all
time_unit: us
horizon: 4000
platform:
  preset: jetson-agx-xavier
  copy: {bandwidth: 10GB/s}
  overheads: {launch: 3.7, latency: 1.8us, gap: 0.001, sync: 2100ns, switch: 3, release: 5}
tasks:
  - {name: a, period: 2000, segments: [{cpu: 100}, {copy: to_gpu, bytes: 1MiB}, {kernel: {grid: 8, block: 256, block_time: 200, power: 1W}}, {cpu: 50}]}
  - {name: b, period: 4000, segments: [{kernel: {grid: 90, block: 256, block_time: 300, power: 1W}}, {cpu: 250}]}
policies: [rm, {name: mpcp, wait: busy}]
record: blocks
END

# platform_of FILE.db: what the recorded platforms have
platform_of() {
	run query "$1" "SELECT overhead_launch_ns, overhead_latency_ns, overhead_gap_ns, overhead_sync_ns, overhead_switch_ns,
		overhead_release_ns FROM platform" --format csv
}

# ---- read, recorded, repeated ----

run run all.yaml -o all.db --format csv
expect_status 0 "a scenario with all overheads and a preset"
cp out ran
platform_of all.db
expect_line out '^3700,1800,1,2100,3000,5000$' "are recorded to the nanosecond"
run run all.db --format csv
expect_status 0 "the recording runs again"
[ "$(grep -c ',yes$' out)" -eq 2 ]
report $? "both runs with the same digest"
run audit all.db
expect_status 0 "which keep the laws, that of energy, too"
sed 's/switch: 3,/switch: 3.001,/' all.yaml >other.yaml
run run other.yaml --format csv
! cmp -s out ran
report $? "a nanosecond more makes another run"

run query all.db "SELECT sum(end_ns - start_ns) FROM segment_interval WHERE run_id = 1 AND kind = 'release'" --format csv
expect_line out '^15000$' "three releases of 5 us"
run query all.db "SELECT kind, count(*) FROM segment_interval WHERE run_id = 1 AND kind IN ('launch', 'release') GROUP BY 1" --format csv
expect_line out '^launch,5$' "five operations were launched"
# 612 mW in 4 ms, and blocks of 1 W per SM and 74 mW per idle one of 8.
run query all.db "SELECT energy_uj * 1000000000 + energy_rest_uwns - 612000 * 4000000
	= sum((power_uw - 612000) * (p.end_ns - p.start_ns)) FROM run r JOIN power_interval p USING (run_id) WHERE run_id = 1
	AND p.active_sms > 0" --format csv
expect_line out '^1$' "beside static power only what runs on SMs takes energy"

run query all.db @waits -P run=1 -P task=a -P seq=0 --format csv
sed 1d out | cut -d, -f3 | sort -u | paste -sd, >words
compare words "@waits names each" <<-'END'
	latency,launch,own,release,switch,sync
END
run query all.db @waits -P run=1 -P task=a -P seq=0 --format json
grep -o '"amount_ms": *[0-9.]*' out | awk -F: '{ sum += $2 } END { printf("%.6f\n", sum) }' >sum
run query all.db "SELECT printf('%.6f', response_ms) FROM v_job WHERE run_id = 1 AND task = 'a' AND seq = 0" --format csv
sed 1d out | cmp -s - sum
report $? "and they add up to the response"

sed 's/{launch: 3.7/{lauch: 3.7/' all.yaml >typo.yaml
run run typo.yaml
expect_status 2 "a mistyped key"
expect_line err 'typo.yaml:8:.*lauch.*launch' "is told what it may have been"
sed 's/launch: 3.7/launch: -1/' all.yaml >negative.yaml
run run negative.yaml
expect_status 2 "a negative time"
expect_line err 'negative.yaml:8:.*' "has its place"

# ---- written ----

run search all.yaml -p rm -t a --budget 5 --whole -o worst.yaml
expect_status 0 "a search"
expect_line worst.yaml '^  overheads: \{launch: 3\.7, latency: 1\.8, gap: 0\.001, sync: 2\.1, switch: 3, release: 5\}$' \
	"writes them into its scenario"
run run worst.yaml -o worst.db --format csv
expect_line out ",$(sed -n 's/^# Digest of the run: //p' worst.yaml)," "which gives the run that was found"
platform_of worst.db
expect_line out '^3700,1800,1,2100,3000,5000$' "on the same platform"
sed 's/overheads: {.*}/overheads: {sync: 7}/' all.yaml >one.yaml
run search one.yaml -p rm -t a --budget 5 --whole -o one-worst.yaml
expect_line one-worst.yaml '^  overheads: \{sync: 0\.007\}$' "only those that are given"
sed '/overheads: /d' all.yaml >none.yaml
run search none.yaml -p rm -t a --budget 5 --whole -o none-worst.yaml
expect_no_line none-worst.yaml 'overheads' "none, if there are none"

# ---- varied ----

cat >campaign.yaml <<'END'
cegsim-campaign: 1
policies: [rm]
record: jobs
generate:
  recipe: scenario
  file: none.yaml
  set:
    platform.overheads.launch: [0us, 50us, 400us]
    platform.overheads.switch: [0us, 10us]
    platform.overheads.sync: 2us
END
run sweep campaign.yaml -o campaign.db -q
expect_status 0 "a campaign over two of them, with a third"
run query campaign.db "SELECT overhead_launch_ns, overhead_switch_ns, overhead_sync_ns,
	round(max(response_ms), 6) AS most FROM platform JOIN run USING (platform_id) JOIN v_job USING (run_id)
	WHERE task = 'a' GROUP BY platform_id ORDER BY 1, 2" --format csv
[ "$(sed 1d out | wc -l)" -eq 6 ] && sed 1d out | grep -q '^400000,10000,2000,'
report $? "has six platforms"
show_file out
[ "$(sed 1d out | cut -d, -f4 | sort -u | wc -l)" -eq 6 ]
report $? "and six worst responses"
sed 1d out | awk -F, 'NR % 2 { without = $4 } NR % 2 == 0 && $4 <= without { exit 1 }'
report $? "longer ones with switches than without"
run plot campaign.db grid -P axis=platform.overheads.launch -o grid.svg --script grid.gp
expect_status 0 "a figure over one of them"
expect_line grid.gp '400us' "has its values"
run plot campaign.db "SELECT overhead_launch_ns / 1000 AS x, coalesce(overhead_switch_ns, 0) AS series, max(response_ms) AS y
	FROM platform JOIN run USING (platform_id) JOIN v_job USING (run_id) GROUP BY 1, 2" --chart curves -o curves.svg
expect_status 0 "and one of our own"
run audit campaign.db
expect_status 0 "the recording is what it says"
run run campaign.db --format csv
[ "$status" -eq 0 ] && [ "$(grep -c ',yes$' out)" -eq 6 ]
report $? "and runs again"
sed 's/400us/-400us/' campaign.yaml >wrong.yaml
run sweep wrong.yaml -o wrong.db
expect_status 2 "a wrong value"
expect_line err 'wrong.yaml:8:' "is reported at its place"

cat >recipe.yaml <<'END'
cegsim-campaign: 1
sets: 2
generate: {recipe: rtgpu-table1, utilisation: 50%}
platforms:
  - {preset: gtx-1080-ti, overheads: {launch: 10us, sync: 5us}}
  - {preset: gtx-1080-ti}
policies: [fifo-cke]
record: segments
run: {horizon: {periods: 2}}
END
run sweep recipe.yaml -o recipe.db -q
expect_status 0 "sets of a recipe on two machines"
run query recipe.db "SELECT p.overhead_launch_ns, p.overhead_sync_ns, count(DISTINCT run_id), sum(kind = 'launch') > 0
	FROM platform p JOIN run USING (platform_id) JOIN segment_interval USING (run_id) GROUP BY 1, 2 ORDER BY 1" --format csv
sed 1d out >got
compare got "of which one has overheads" <<-'END'
	,,2,0
	10000,5000,2,1
END

# ---- recordings without the columns ----

run run none.yaml -o new.db -q
cp new.db old.db
drops=$(for name in launch latency gap sync switch release; do echo "ALTER TABLE platform DROP COLUMN overhead_${name}_ns;"; done)
views=$(sqlite3 new.db "SELECT group_concat('DROP VIEW ' || name || ';', ' ') FROM sqlite_schema WHERE type = 'view'")
kept=$(sqlite3 new.db "SELECT group_concat(sql, ';') FROM sqlite_schema WHERE type = 'view' AND name <> 'v_wait'")
run_command sqlite3 old.db "$views $drops $kept; PRAGMA user_version = 3"
expect_status 0 "a recording of before overheads"
for what in @why @where-time-went @blocking "SELECT * FROM v_wait ORDER BY 1, 2, 3, 4, 5, 6" "SELECT * FROM v_utilisation"; do
	run query new.db "$what" --format csv
	cp out new.csv
	run query old.db "$what" --format csv
	[ "$status" -eq 0 ] && cmp -s out new.csv
	report $? "answers $what as one of today"
done
[ "$(wc -l <new.csv)" -gt 4 ]
report $? "and there is an answer"
run run old.db --format csv
[ "$status" -eq 0 ] && [ "$(grep -c ',yes$' out)" -eq 2 ]
report $? "runs again"
run audit old.db
expect_status 1 "the audit reads it"
expect_line out '^platform-digest: ' "its digests are those of version 4"
expect_line out ': 1 law is broken, 1 finding; [1-9][0-9]* laws hold' "and nothing else is wrong"
run view old.db -o old.html
expect_status 0 "it becomes a page"
run trace old.db -o old.pftrace
expect_status 0 "a trace"
run plot old.db gantt -o old.svg
expect_status 0 "and a chart"

finish
