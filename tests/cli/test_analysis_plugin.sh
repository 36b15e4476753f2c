#!/bin/sh
# Analyses from outside the tree, in C, made as a user makes them: with installed headers. The shipped example has the
# bounds of the built-in analyses; every kind of mistake has its own message.
#
# plugins/analyses/refused/NAME.c is not loaded: all of standard error is NAME.expected. plugins/analyses/wrong.c has
# bounds that are none: its set has an error.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/fault/sweep_lib.sh
. "$SOURCES/tests/fault/sweep_lib.sh"

: "${CEGSIM_BUILD_ROOT:?is the folder of the build}"
examples=$SOURCES/scenarios/examples
plugins=$SOURCES/tests/cli/plugins/analyses
rta=$SOURCES/contrib/plugin/rta.c

run_command meson install -C "$CEGSIM_BUILD_ROOT" --no-rebuild --tags runtime,devel --destdir "$FOLDER/root"
expect_status 0 "the program and its headers are installed"
pc=$(find root -name cegsim.pc)
CEGSIM=$FOLDER/$(find root -name cegsim -type f -perm -u+x)
PKG_CONFIG_PATH=$FOLDER/${pc%/*}
PKG_CONFIG_SYSROOT_DIR=$FOLDER/root
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR

# build SOURCE NAME [FLAG...]: builds NAME.so
build() {
	source=$1
	name=$2
	shift 2
	# shellcheck disable=SC2046 # words
	run_command "${CC:-cc}" -shared -fPIC -O2 "$@" $(pkg-config --cflags cegsim) -o "$name.so" "$source"
	[ "$status" -eq 0 ] || { echo "# $last"; show_file err; }
	return "$status"
}

# ---- one recording -----------------------------------------------------------------------
build "$rta" rta -O1 -g -std=c17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wundef -Werror \
	-fvisibility=hidden
report $? "the example is built without a warning, with everything else hidden"
sed 's/is_unsafe(params) ? 0 : longest_section(t)/0/; s/"rta"/"forgets"/' "$rta" >forgets.c
run_command diff "$rta" forgets.c
[ "$(grep -c '^>' out)" -eq 2 ]
report $? "and one that forgets blocking"
build forgets.c forgets || report 1 "is built"
sha=$(sha256sum rta.so | cut -c1-16)

run analyze "$examples/vehicle.yaml" -p mpcp:wait=busy -a 'mpcp, ./rta.so' -a ./forgets.so,./rta.so:blocking=none --format csv
expect_status 0 "several in one list, with built-in ones"
cut -d, -f 3 out | sort | uniq -c | awk '$2 != "analysis" { print $2, $1 }' >counts
compare counts "each has its rows" <<'END'
forgets 5
mpcp 5
rta 10
END
run analyze "$examples/vehicle.yaml" -p mpcp:wait=busy -a ./rta.so -v
expect_line out 'Audsley, Burns, Richardson' "its source is printed"
run run "$examples/vehicle.yaml" -p mpcp:wait=busy -o v.db -q
run validate v.db -a ./rta.so
expect_status 0 "no job exceeds the bounds of the example"
expect_line out '^mpcp:wait=busy +rta +1 +0 +1 ' "which has some"
run validate v.db -a ./forgets.so
expect_status 1 "without blocking they are exceeded"
expect_line out '^forgets under mpcp:wait=busy: exceeded 3 times$' "by every task that has a bound and lower ones with sections"
run validate v.db -a ./rta.so:blocking=none
expect_status 0 "an option that is called unsafe is no news"
expect_line out '^rta:blocking=none \(unsafe\) under mpcp:wait=busy: exceeded 3 times; its bounds are known to be unsafe$' "and is marked"
run validate v.db -a ./rta.so:blocking=some
expect_status 2 "options are checked"
expect_err "with the values there are" <<'END'
cegsim: error: analysis rta 'blocking' is "some"; one of: longest none
END
run validate v.db -a ./rta.so:block=none
expect_err "and with a guess" <<'END'
cegsim: error: analysis rta has no option 'block'; did you mean 'blocking'?
END

run analyze v.db -a ./rta.so -a ./forgets.so
expect_status 0 "bounds are stored"
run query v.db "SELECT analysis, params, safety, version FROM analysis_run ORDER BY 1" --format csv
compare out "with the options, and the file by its SHA-256" <<END
analysis,params,safety,version
forgets,"{""blocking"":""longest"",""plugin"":""$(sha256sum forgets.so | cut -c1-16)""}",sound,1
rta,"{""blocking"":""longest"",""plugin"":""$sha""}",sound,1
END
run query v.db "SELECT count(*), sum(p.sum = b.bound_ns) FROM bound b JOIN analysis_run USING (analysis_run_id) JOIN
	(SELECT analysis_run_id, task_id, sum(amount_ns) AS sum FROM bound_part GROUP BY 1, 2) p
	USING (analysis_run_id, task_id) WHERE analysis = 'rta'" --format csv
expect_line out '^3,3$' "and with the parts of each"
run validate v.db
expect_status 1 "they are compared from there"
expect_line out '^forgets:blocking=longest under mpcp:wait=busy: exceeded 3 times$' "without the files"
run query v.db @bounds --format csv
expect_line out ',rta,' "a named query has them"
run list analyses ./rta.so
expect_status 0 "what it is, is listed"
expect_line out '^rta: for plans of mpcp, rm$' "for which plans"
expect_line out '^rta +blocking +longest +longest \| none +B: ' "with its options"

# ---- campaigns ---------------------------------------------------------------------------
mkdir study
cp rta.so forgets.so study
boosted='{name: mpcp, wait: busy}'
cat >study/boosted.yaml <<END
cegsim-campaign: 1
seed: 7
sets: 60
generate: {recipe: custom, tasks: 5, utilisation: [60%, 100%, 150%], lo_ratio: 50%}
platforms: [{preset: jetson-tx2}]
policies: [$boosted]
analyses: [{name: mpcp, policy: $boosted}, {name: ./rta.so, policy: $boosted}, {name: rta.so, blocking: none, policy: $boosted}]
bounds: true
run: {horizon: {periods: 10}, stop: horizon}
END
cat >study/core.yaml <<'END'
cegsim-campaign: 1
seed: 8
sets: 100
generate: {recipe: custom, tasks: 6, sections: 0, utilisation: [60%, 80%, 100%], periods: log-uniform}
platforms: [{preset: jetson-tx2}]
policies: [rm]
analyses: [{name: fp, policy: rm}, {name: ./rta.so, policy: rm}]
bounds: true
run: {horizon: {periods: 10}, stop: horizon}
END
# same_bounds FILE ANALYSIS: the number of bounds of the example; of those that differ from ANALYSIS; of tasks of which
# the example has none, though the other's is within the deadline
same_bounds() {
	sqlite3 "$1" "SELECT sum(a.bound_ns IS NOT NULL), sum(b.bound_ns <> a.bound_ns),
		sum(a.bound_ns IS NULL AND b.bound_ns <= t.deadline_ns), sum(b.bound_ns = a.bound_ns)
		FROM bound a JOIN analysis_run x USING (analysis_run_id) JOIN task t USING (task_id)
		JOIN analysis_run y ON y.taskset_id = x.taskset_id AND y.analysis = '$2'
		LEFT JOIN bound b ON b.analysis_run_id = y.analysis_run_id AND b.task_id = a.task_id
		WHERE x.analysis = 'rta' AND x.safety = 'sound'"
}
run sweep study/core.yaml -o core.db -q
expect_status 0 "a campaign names it beside itself"
same_bounds core.db fp >out
expect_line out '^(1[0-9]{3})\|0\|0\|\1$' "on the core it has the bounds of fp"
run sweep study/boosted.yaml -o boosted.db -j 1 -q
expect_status 0 "also with options"
same_bounds boosted.db mpcp >out
expect_line out '^[0-9]{3}\|0\|0\|[0-9]{3}$' "with boosted sections it has those of mpcp, wherever that has one"
run query boosted.db "SELECT count(DISTINCT params) FROM analysis_run WHERE analysis = 'rta'" --format csv
expect_line out '^2$' "with other options it is another analysis"
run validate boosted.db
expect_status 0 "no sound bound is exceeded"
expect_line out '^rta:blocking=none \(unsafe\) under mpcp:wait=busy: exceeded [0-9]+ times; ' "the unsafe ones are"
run sweep study/boosted.yaml -o two.db -j 2 -q
[ "$(digest boosted.db)" = "$(digest two.db)" ]
report $? "the same for any number of workers"
run sweep study/boosted.yaml -o share0.db --shard 0/2 -q
run sweep study/boosted.yaml -o share1.db --shard 1/2 -q
run merge share0.db share1.db -o merged.db
[ "$(digest boosted.db)" = "$(digest merged.db)" ]
report $? "and for shares of it"
printf x >>study/rta.so
run sweep study/boosted.yaml -o other1.db --shard 1/2 -q
cp rta.so study/rta.so
run merge share0.db other1.db -o mixed.db
expect_status 2 "shares with different files do not go together"
expect_err "which is said" <<'END'
cegsim: error: other1.db: its list of analyses is not that of the other parts; an analysis of your own is known by the digest of its file
END
expect_no_file mixed.db "and nothing is merged"
run plot boosted.db tightness -o tightness.svg
expect_status 0 "a figure draws them"
grep -q '>rta[, ].*blocking=none' tightness.svg
report $? "under their name"
sed 's/name: rta\.so, blocking: none/name: .\/rta.so, blocking: nothing/; s/name: mpcp, policy/name: .\/tra.so, policy/' \
	study/boosted.yaml >study/mistaken.yaml
run sweep study/mistaken.yaml -o mistaken.db
expect_status 2 "mistakes are input errors"
line=$(grep -n '^analyses' study/mistaken.yaml | cut -d: -f 1)
expect_err "each at its place" <<END
study/mistaken.yaml:$line:19: error: plug-in study/./tra.so cannot be opened: No such file or directory
study/mistaken.yaml:$line:143: error: analysis 'rta': 'blocking' is "nothing"; one of: longest none
END
sed "s/^analyses: .*/analyses: [.\/rta.so, {name: rta.so, policy: $boosted}]/" study/boosted.yaml >study/any.yaml
run sweep study/any.yaml -o any.db -q
expect_status 0 "without a policy of its own it is asked about the one it is for"
run query any.db "SELECT DISTINCT p.params FROM analysis_run JOIN policy p USING (policy_id) ORDER BY 1" --format csv
compare out "the first that it names" <<'END'
params
"{""wait"":""busy""}"
"{""wait"":""suspend""}"
END
run schema campaign
cp out schema.json
run_command python3 -c '
import json, re
analyses = json.load(open("schema.json"))["properties"]["analyses"]["items"]["anyOf"]
patterns = [re.compile(p["pattern"]) for p in analyses + [q["properties"]["name"] for q in analyses if "properties" in q]
	if "pattern" in p]
raise SystemExit([bool(p.search(n)) for p in patterns for n in ("./mine.so", "a/b", "x.so", "rm")] !=
	[True, True, True, False] * 2)'
expect_status 0 "the schema lets plug-ins pass"

# ---- search ------------------------------------------------------------------------------
run search "$examples/vehicle.yaml" -p mpcp:wait=busy -a ./rta.so --budget 300 -q --format csv
expect_status 0 "a search finds nothing beyond a sound bound"
expect_line out ',rta,' "that it looked at"
run search "$examples/vehicle.yaml" -p mpcp:wait=busy -a ./forgets.so --budget 300 -q --shrink -o found.yaml
expect_status 1 "and finds what is wrong"
line=$(sed -n 's/^#   \(cegsim run found.yaml .*\)/\1/p' found.yaml | sed 's/FILE\.db/found.db/g')
run_command sh -c "$(echo "${line:-false}" | sed "s|cegsim |'$CEGSIM' |g")"
expect_status 1 "the command in the scenario shows it again"
expect_line out '^forgets under mpcp:wait=busy: exceeded ' "by the file's name"
[ "$(grep -c '^  - name: ' found.yaml)" -eq 2 ]
report $? "with two tasks" || show_file found.yaml
run search boosted.db -a ./forgets.so --budget 100 -q
expect_status 1 "so does a search of generated sets"

# ---- a policy and an analysis in one file ------------------------------------------------
{
	cat "$SOURCES/contrib/plugin/edf.c"
	sed '1,/^ \*.*\*\/$/d; s/struct option options/struct option my_options/; s/"mpcp|rm"/"my-edf"/
		s/options = options/options = my_options/; s/order_by_priority/order_by_deadline/' "$rta"
} >both.c
build both.c both -Wall -Wextra -Werror
report $? "a file may have a policy and an analysis"
cat >none.yaml <<'END'
cegsim: 1
horizon: 1s
platform: {preset: jetson-tx2}
tasks:
  - {name: a, period: 10ms, segments: [{cpu: 2ms}]}
  - {name: b, period: 20ms, segments: [{cpu: 5ms}]}
END
run analyze none.yaml -a ./both.so --format csv
expect_status 0 "the policy is the analysis's own"
expect_line out '^my-edf,' "and is bounded under its name"
build "$SOURCES/contrib/plugin/edf.c" edf || report 1 "edf is built"
run analyze none.yaml -a ./edf.so
expect_status 2 "a policy is no analysis"
expect_err "which is said" <<'END'
cegsim: error: plug-in ./edf.so has no analysis; it has the policy 'my-edf', which goes behind -p, or into 'policies'
END
run run none.yaml -p ./rta.so
expect_status 2 "an analysis is no policy"
expect_err "which is said, too" <<'END'
cegsim: error: plug-in ./rta.so has no policy; it has the analysis 'rta', which goes behind -a, or into 'analyses'
END
cp rta.so copy.so
printf x >>copy.so
run validate v.db -a ./rta.so -a ./copy.so
expect_status 2 "two analyses of one name do not go together"
expect_err "and says so" <<'END'
cegsim: error: plug-in ./copy.so: name is "rta", as that of plug-in ./rta.so
END

# ---- what is refused ---------------------------------------------------------------------
for source in "$plugins"/refused/*.c; do
	name=$(basename "$source" .c)
	build "$source" "$name" -Wall -Wextra -Werror || report 1 "$name is built"
	run analyze none.yaml -p rm -a "./$name.so"
	expect_status 2 "refused/$name: an input error"
	expect_err "refused/$name: says what is wrong" <"$plugins/refused/$name.expected"
done
cp -r "$(pkg-config --cflags-only-I cegsim | sed 's/^-I//; s/ *$//')" headers
sed -i 's/^\tuint32_t assumes;$/&\n\tint64_t of_tomorrow;/' headers/analysis/analysis.h
"${CC:-cc}" -shared -fPIC -Iheaders -o larger.so "$rta"
run analyze none.yaml -p rm -a ./larger.so
expect_status 2 "a plug-in built against other headers is refused"
expect_line err '^cegsim: error: plug-in \./larger\.so was built against other headers: struct task_bound has ([0-9]+) bytes there, [0-9]+ here; build it again ' \
	"with the struct that differs"
for name in nowhere.so ./nowhere.so; do
	run analyze none.yaml -p rm -a "$name"
	expect_status 2 "$name: is not there"
	expect_line err "^cegsim: error: plug-in $name cannot be opened: No such file or directory$" "and is named"
done
run analyze none.yaml -p rm -a "$rta"
expect_line err ' cannot be loaded: invalid ELF header; a plug-in is a shared object, built with -shared -fPIC$' "so is the source"

# ---- what goes wrong at run time ---------------------------------------------------------
build "$plugins/wrong.c" wrong -Wall -Wextra -Werror || report 1 "wrong is built"
for how in nothing no-parts; do
	run analyze none.yaml -p rm -a "./wrong.so:how=$how"
	expect_status 0 "$how: is nothing wrong"
done
# wrong HOW SENTENCE: the set has an error
wrong() {
	run analyze none.yaml -p rm -a "./wrong.so:how=$1" --format csv
	expect_status 2 "$1: an error of the set"
	grep -Fqx "cegsim: error: wrong under rm: $2" err
	report $? "$1: is told" || show_file err
	expect_no_line out ',in time,' "$1: no bound of it is shown"
}
erred='its bound() erred:'
wrong no-verdict "$erred verdict.reason is empty; analysis_judge() or analysis_refuse() sets the verdict"
wrong no-task "$erred task is NULL; analysis_begin() makes it"
wrong failing-task "$erred verdict.failing_task is 1000 of 2 tasks"
wrong endless-reason "$erred verdict.reason has no end"
wrong accepted-refusal "$erred the plan is refused, and accepted"
wrong failed-count "$erred failed_count is 1000; analysis_begin() makes room for 2 tasks"
wrong failed-task "$erred failed[0] is 1000 of 2 tasks"
wrong assumes "$erred the bound of task 'a' assumes something of 1 failed tasks, of 0"
wrong assumes-from "$erred the bound of task 'a' assumes something from failed task 1 up to 0"
wrong negative "$erred the bound of task 'a' is -1 ns"
wrong late "$erred the set is accepted, but the bound of task 'a' exceeds its deadline"
wrong part-kind "$erred the bound of task 'a' has a part of kind 17"
wrong part-by "$erred the bound of task 'a' has interference by task 1000 of 2"
wrong part-negative "$erred the bound of task 'a' has a part of -1 ns"
wrong parts-null "$erred the parts of the bound of task 'a' are NULL"
wrong parts-sum "$erred the parts of the bound of task 'a' add up to 10000000 ns, not to 9999999 ns"
wrong gives-up "cannot say"
wrong fails "these options contradict each other"
wrong fails-silently "its bound() failed without a reason"
run analyze none.yaml -p rm -a ./wrong.so:how=no-memory
expect_status 3 "no memory is a failure"
build "$plugins/wrong.c" crashes -O0 -g || report 1 "crashes is built"
run analyze none.yaml -p rm -a ./crashes.so:how=crash
expect_status 3 "a crash ends the program"
expect_line err '^cegsim: error: plug-in \./crashes\.so crashed \(abort\); built with -g, addr2line -e \./crashes\.so 0x[0-9a-f]+ says where$' \
	"and names the plug-in"
cp wrong.so study
sed 's/^sets: .*/sets: 2/; s/^analyses: .*/analyses: [fp, {name: .\/wrong.so, how: fails}, {name: wrong.so, how: crash}]/' \
	study/core.yaml >study/erring.yaml
run sweep study/erring.yaml -o erring.db -j 2 -q
expect_status 0 "a campaign goes on without what errs or crashes"
run query erring.db "SELECT json_extract(params, '\$.how'), verdict, count(*), min(reason) FROM analysis_run
	WHERE analysis = 'wrong' GROUP BY 1, 2" --format csv
expect_line out '^fails,error,6,these options contradict each other$' "which are recorded as errors"
expect_line out '^crash,error,6,"?the worker process was ended by signal 6 ' "with the signal they died of"
run query erring.db "SELECT count(*), sum(status = 'ok') FROM run" --format csv
expect_line out '^6,6$' "and the runs are made"
run validate erring.db -a ./wrong.so:how=negative
expect_status 2 "validate says so, too"
expect_line err "^cegsim: error: wrong:how=negative under rm gave no answer for 6 of 6 sets; first, set 1: its bound\(\) erred: the bound of task 't1' is -1 ns$" \
	"and how often"
finish
