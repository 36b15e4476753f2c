#!/bin/sh
# Policies from outside the tree, made as a user makes them: with installed headers, found by pkg-config. The tutorial's
# file runs and is identical to the text; every kind of mistake has its own message.
#
# plugins/refused/NAME.c is not loaded: all of standard error is NAME.expected. plugins/wrong/NAME.c makes a wrong plan,
# or does something forbidden in decide(): its run is recorded with that reason. plugins/crash/NAME.c ends the program: a
# line of standard error matches.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/fault/sweep_lib.sh
. "$SOURCES/tests/fault/sweep_lib.sh"

: "${CEGSIM_BUILD_ROOT:?is the folder of the build}"
examples=$SOURCES/scenarios/examples
plugins=$SOURCES/tests/cli/plugins

# ---- installing --------------------------------------------------------------------------
run_command meson install -C "$CEGSIM_BUILD_ROOT" --no-rebuild --tags runtime,devel --destdir "$FOLDER/root"
expect_status 0 "the program and its headers are installed"
pc=$(find root -name cegsim.pc)
CEGSIM=$FOLDER/$(find root -name cegsim -type f -perm -u+x)
PKG_CONFIG_PATH=$FOLDER/${pc%/*}
PKG_CONFIG_SYSROOT_DIR=$FOLDER/root
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
run_command pkg-config --modversion cegsim
expect_status 0 "pkg-config knows cegsim"
run --version
expect_line out "cegsim $(pkg-config --modversion cegsim)" "in the program's version"
run_command pkg-config --libs cegsim
expect_no_line out '[-]l' "and no library to link"

# build SOURCE NAME [FLAG...]: builds NAME.so as the tutorial says
build() {
	source=$1
	name=$2
	shift 2
	# shellcheck disable=SC2046 # words
	run_command "${CC:-cc}" -shared -fPIC -O2 "$@" $(pkg-config --cflags cegsim) -o "$name.so" "$source"
	[ "$status" -eq 0 ] || { echo "# $last"; show_file err; }
	return "$status"
}

# ---- the tutorial ------------------------------------------------------------------------
tutorial=$SOURCES/docs/adding-a-policy.md
edf=$SOURCES/contrib/plugin/edf.c
[ "$(wc -l <"$edf")" -le 30 ]
report $? "EDF takes at most 30 lines"
awk '/^```c$/ { inside = !done; next } /^```$/ { done = done || inside; inside = 0 } inside' "$tutorial" >shown.c
run_command cmp shown.c "$edf"
expect_status 0 "the tutorial shows the shipped file"
cp "$edf" edf.c
# shellcheck disable=SC2016 # not ours to expand
command=$(sed -n 's/^\$ \(cc -shared .*\)$/\1/p' "$tutorial" | head -n 1)
run_command sh -c "${command:-false}"
expect_status 0 "and a command that builds it"
build edf.c strict -O1 -g -std=c17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wundef -Werror \
	-fvisibility=hidden
report $? "without a warning, with everything else hidden"

# ---- running -----------------------------------------------------------------------------
run run "$examples/vehicle.yaml" -p ./edf.so -p edf --record jobs -o both.db --format csv
expect_status 0 "runs under it"
expect_no_line err error "without an error"
expect_line out '^vehicle,my-edf,ok,' "under the name of the policy, not of the file"
run query both.db "SELECT count(*) > 20, count(DISTINCT task_id || ' ' || seq || ' ' || release_ns || ' ' ||
	coalesce(finish_ns, '-')) * 2 = count(*) FROM job" --format csv
expect_line out '^1,1$' "every job ends when it ends under the built-in edf"
run query both.db "SELECT name, params, version FROM policy ORDER BY policy_id LIMIT 1" --format csv
expect_line out "^my-edf,\"\{\"\"plugin\"\":\"\"$(sha256sum edf.so | cut -c1-16)\"\"\}\",1\$" \
	"the recording knows the file by its SHA-256"
run audit both.db
expect_status 0 "the audit finds nothing in it"

run run both.db
expect_status 2 "it is not repeated without the plug-in"
expect_err "which is asked for by name and content" <<END
cegsim: error: run 1 is under policy 'my-edf' of a plug-in, a file whose SHA-256 begins with $(sha256sum edf.so |
	cut -c1-16): name that file with -p
END
run run both.db -p ./edf.so
expect_status 0 "and is with it"
expect_line out '^ +1 +my-edf +ok .* yes$' "to the same schedule"
expect_no_output_on_stderr "without a word"
run run both.db -p ./strict.so
expect_status 0 "another build of the same source makes the same schedule"
expect_line err "^cegsim: ./strict.so \(SHA-256 $(sha256sum strict.so | cut -c1-16)\.\.\.\) is not the file that policy \
'my-edf' was recorded with \($(sha256sum edf.so | cut -c1-16)\.\.\.\)$" "but is not taken for the same file"
sed 's/order_by_deadline;/order_by_priority;/' edf.c >rm.c
build rm.c other
run run both.db -p ./other.so -q
expect_status 1 "another policy of that name does not make the same schedule"
run run both.db -p rm
expect_status 2 "-p brings no other policies to a recording"
run run "$examples/vehicle.yaml" -p ./edf.so -p ./strict.so
expect_status 2 "two policies of one name do not go together"
expect_err "which is said" <<'END'
cegsim: error: plug-in ./strict.so: name is "my-edf", as that of plug-in ./edf.so
END
mkdir -p a:b
cp edf.so a:b/edf.so
ln -s a:b/edf.so link.so
run run "$examples/vehicle.yaml" -p a:b/edf.so -p link.so --format csv
expect_status 0 "folders may have colons, and one file may have two names"

# ---- options -----------------------------------------------------------------------------
sed 's/"template"/"my-template"/; s/policy_template/my_template/; s/^const struct/static const struct/' \
	"$SOURCES/policies/template.c" >template.c
sed -i '/^#include "/d; s/^#include <stdio.h>/&\n#include <cegsim.h>/' template.c
echo 'CEGSIM_POLICY(my_template);' >>template.c
build template.c template -Wall -Wextra -Werror
report $? "the tree's template is a plug-in with one line more"
run run "$examples/vehicle.yaml" -p ./template.so:unit=kernel -p rm:unit=kernel --format csv -o template.db
expect_status 0 "options follow a colon"
expect_line out '^vehicle,my-template:unit=kernel,ok,' "and are shown"
[ "$(cut -d, -f 4-9 out | sed 1d | sort -u | wc -l)" -eq 1 ]
report $? "it schedules as rm does"
run query template.db "SELECT json_extract(params, '\$.unit') FROM policy WHERE name = 'my-template'" --format csv
expect_line out '^kernel$' "they are recorded"
run run template.db -p ./template.so
expect_status 0 "and read again"
run run "$examples/vehicle.yaml" -p ./template.so:unit=block
expect_status 2 "a wrong value is an input error"
expect_err "with the values there are" <<'END'
cegsim: error: policy my-template 'unit' is "block"; one of: section kernel
END
run list policies ./template.so
expect_status 0 "what it has is listed"
expect_line out '^my-template +unit +section +section \| kernel +' "with its options"
run list policies ./template.so --format csv
[ "$(cut -d, -f 1 out | sort -u | tr '\n' ' ')" = "my-template policy " ]
report $? "and nothing else" || show_file out

# ---- scenarios and campaigns -------------------------------------------------------------
mkdir -p study/plugins
cp template.so edf.so study/plugins
sed '/^policies:/d' "$SOURCES/scenarios/examples/quickstart.yaml" >study/scenario.yaml
echo 'policies: [rm, ./plugins/edf.so, {name: plugins/template.so, unit: kernel}]' >>study/scenario.yaml
run run study/scenario.yaml --format csv
expect_status 0 "a scenario names plug-ins beside it"
expect_line out '^scenario,my-template:unit=kernel,ok' "with options"
sed -i 's/unit: kernel/unit: block/; s/edf\.so/edt.so/' study/scenario.yaml
run run study/scenario.yaml
expect_status 2 "mistakes in them are input errors"
line=$(grep -n '^policies' study/scenario.yaml | cut -d: -f 1)
expect_err "each at its place" <<END
study/scenario.yaml:$line:16: error: plug-in study/./plugins/edt.so cannot be opened: No such file or directory
study/scenario.yaml:$line:68: error: policy 'my-template': 'unit' is "block"; one of: section kernel
END

cat >study/campaign.yaml <<'END'
cegsim-campaign: 1
seed: 7
sets: 6
generate:
  recipe: custom
  utilisation: [20%, 60%]
platforms: [{preset: jetson-tx2}]
policies: [edf, ./plugins/edf.so]
run: {horizon: {periods: 5}, stop: horizon}
END
run sweep study/campaign.yaml -o sweep.db -j 2 -q
expect_status 0 "a campaign runs under them on two workers"
run query sweep.db "SELECT count(*), count(DISTINCT r.taskset_id || r.digest), sum(r.status = 'ok') FROM run r" --format csv
expect_line out '^24,12,24$' "to the schedules of the built-in edf"
run sweep study/campaign.yaml -o sweep1.db -j 1 -q
[ "$(digest sweep.db)" = "$(digest sweep1.db)" ]
report $? "the same for any number of workers"
run run sweep.db -p study/plugins/edf.so -q
expect_status 0 "each run is repeated from the recording"
run schema
cp out schema.json
run_command python3 -c '
import json, re
policies = json.load(open("schema.json"))["properties"]["policies"]["items"]["anyOf"]
patterns = [re.compile(p["pattern"]) for p in policies + [q["properties"]["name"] for q in policies if "properties" in q]
	if "pattern" in p]
raise SystemExit([bool(p.search(n)) for p in patterns for n in ("./mine.so", "a/b", "x.so", "rm")] !=
	[True, True, True, False] * 2)'
expect_status 0 "the schema lets plug-ins pass"

# ---- what is refused ---------------------------------------------------------------------
for source in "$plugins"/refused/*.c; do
	name=$(basename "$source" .c)
	build "$source" "$name" -Wall -Wextra -Werror || report 1 "$name is built"
	run run "$examples/quickstart.yaml" -p "./$name.so" -o "$name.db"
	expect_status 2 "refused/$name: an input error"
	expect_err "refused/$name: says what is wrong" <"$plugins/refused/$name.expected"
	expect_no_file "$name.db.part" "refused/$name: no recording"
done

mkdir -p smaller/models
cp -r "$(pkg-config --cflags-only-I cegsim | sed 's/^-I//; s/ *$//')" smaller/headers
sed -i 's/^\tuint32_t virtual_sms;  .*V_SM.*/&\n\tint64_t of_tomorrow;/' smaller/headers/models/policy.h
"${CC:-cc}" -shared -fPIC -Ismaller/headers -o larger.so edf.c
run run "$examples/quickstart.yaml" -p ./larger.so
expect_status 2 "a plug-in built against other headers is refused"
expect_line err '^cegsim: error: plug-in \./larger\.so was built against other headers: struct plan has ([0-9]+) bytes there, [0-9]+ here; build it again ' \
	"with the struct that differs"

run run "$examples/quickstart.yaml" -p ./nowhere.so
expect_err "a missing file is named" <<'END'
cegsim: error: plug-in ./nowhere.so cannot be opened: No such file or directory
END
run run "$examples/quickstart.yaml" -p ./study
expect_err "so is a folder" <<'END'
cegsim: error: plug-in ./study is not a shared object
END
run run "$examples/quickstart.yaml" -p ./edf.c
expect_err "so is the source" <<'END'
cegsim: error: plug-in ./edf.c cannot be loaded: invalid ELF header; a plug-in is a shared object, built with -shared -fPIC
END
run run "$examples/quickstart.yaml" -p "$CEGSIM"
expect_line err 'cannot be loaded: .*executable; a plug-in is a shared object, built with -shared -fPIC$' "so is a program"

# ---- what goes wrong at run time ---------------------------------------------------------
for source in "$plugins"/wrong/*.c; do
	name=$(basename "$source" .c)
	build "$source" "$name" -Wall -Wextra -Werror || report 1 "$name is built"
	run run "$examples/quickstart.yaml" -p "./$name.so" -p rm --format json -o "$name.db"
	reason=$(cat "$plugins/wrong/$name.expected")
	expect_status 2 "wrong/$name: is an error"
	grep -Fqx "cegsim: error: quickstart under mine: $reason" err
	report $? "wrong/$name: which is said" || show_file err
	sqlite3 "$name.db" "SELECT status, reason FROM run ORDER BY run_id" >runs
	compare runs "wrong/$name: its reason is recorded, and the other run made" <<END
error|$reason
ok|
END
done
sqlite3 admits-nobody.db "SELECT DISTINCT run_id FROM job UNION SELECT DISTINCT run_id FROM run_task" >runs
compare runs "of an error run there are no rows" <<'END'
2
END
cp admits-nobody.so study/plugins
sed 's/edf\.so/admits-nobody.so/; s/sets: 6/sets: 2/' study/campaign.yaml >study/erring.yaml
run sweep study/erring.yaml -o erring.db -j 2 -q
expect_status 0 "a campaign goes on without the runs in which decide() errs"
run query erring.db "SELECT policy, status, count(*), count(reason) FROM v_run GROUP BY 1, 2 ORDER BY 1" --format csv
compare out "which are recorded as errors" <<'END'
policy,status,count(*),count(reason)
edf,ok,4,0
mine,error,4,4
END
run query erring.db "SELECT DISTINCT reason FROM run WHERE status = 'error'" --format csv
expect_line out "^policy 'mine' at [0-9]+ ns admits a unit when none is waiting\$" "with what it did"
run audit erring.db
expect_status 0 "no law is broken"
expect_line out '^4 of 8 runs ended with an error: they have no schedule to check$' "and the audit says that they have no schedule"
expect_line out '^8 runs: [0-9]+ laws hold, [0-9,]+ rows; ' "while those of the others hold"
run audit erring.db --run "$(sqlite3 erring.db "SELECT min(run_id) FROM run WHERE status = 'error'")"
expect_line out '^no schedule was checked: the run ended with an error$' "of one such run nothing else is claimed"
run run erring.db -p study/plugins/admits-nobody.so --format csv
expect_status 0 "and come out the same again"

cp asleep.so study/plugins
sed 's/edf\.so/asleep.so/; s/stop: horizon/stop: drained/; s/sets: 6/sets: 2/' study/campaign.yaml >study/sleeping.yaml
run sweep study/sleeping.yaml -o sleeping.db -j 2 -q
expect_status 0 "a campaign goes on without the runs in which nobody is let in"
expect_line err '^cegsim: 4 runs ended with an error, e\.g\. run .*wait at the gate for ever' "and says so"
sed 's/stop: drained/stop: horizon/' study/sleeping.yaml >study/dozing.yaml
run sweep study/dozing.yaml -o dozing.db -j 2 -q
expect_line err '^cegsim: 4 runs ended with an error, e\.g\. run .*has never admitted task ' "also where the clock stops at the horizon"
run query dozing.db "SELECT count(*), count(DISTINCT policy) FROM v_run WHERE policy = 'mine' AND status = 'error'" --format csv
expect_line out '^4,1$' "which is recorded"
run audit dozing.db
expect_status 0 "in which the audit finds nothing"
sed 's/^horizon: .*/&\nstop: horizon/' "$examples/quickstart.yaml" >horizon.yaml
for name in asleep asks-for-ever leaves-one-out; do
	run run horizon.yaml -p "./$name.so" -q
	expect_status 2 "$name: is an error with stop: horizon, too"
	expect_line err "^cegsim: error: horizon under mine: policy 'mine' at 80000000 ns has never admitted task 'camera': its \
job 0 came to the gate at 4000000 ns, and for [0-9]* ns nothing was admitted while the task waited\$" "$name: with task and job"
done
sed 's/^horizon: .*/horizon: 30ms\nstop: horizon/' "$examples/quickstart.yaml" >short.yaml
run run short.yaml -p ./leaves-one-out.so -q
expect_status 0 "but not before a period and a deadline are over"
run search "$examples/quickstart.yaml" -p ./asleep.so --budget 50 -q
expect_status 2 "a search ends with such a run"
expect_line err "^cegsim: error: .*policy 'mine' at .* wait at the gate for ever" "which it names"

for source in "$plugins"/crash/*.c; do
	name=$(basename "$source" .c)
	# Not optimised: undefined behaviour may become anything.
	build "$source" "$name" -O0 || report 1 "$name is built"
	run run "$examples/quickstart.yaml" -p "./$name.so" -o "$name.db"
	expect_status 3 "crash/$name: ends with 3"
	expect_line err "$(cat "$plugins/crash/$name.expected")" "crash/$name: names the plug-in"
	expect_no_file "$name.db" "crash/$name: no recording pretends to be whole"
done
run run "$examples/quickstart.yaml" -p rm -o in-decide.db --force
expect_status 0 "what the crash left can be overwritten"
cp in-decide.so study/plugins
sed 's/edf\.so/in-decide.so/; s/sets: 6/sets: 2/' study/campaign.yaml >study/crashing.yaml
run sweep study/crashing.yaml -o crashing.db -j 2 -q
expect_status 0 "a campaign goes on without the runs that crash"
run query crashing.db "SELECT policy, status, count(*) FROM v_run GROUP BY 1, 2 ORDER BY 1" --format csv
compare out "which are recorded as errors" <<'END'
policy,status,count(*)
edf,ok,4
mine,error,4
END
run query crashing.db "SELECT DISTINCT reason FROM run WHERE status = 'error'" --format csv
expect_line out '^the worker process was ended by signal 8 ' "with the signal they died of"
finish
