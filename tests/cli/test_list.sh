#!/bin/sh
# cegsim list: every subject in every format.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

run list
expect_status 2 "list needs a subject"
run list policy
expect_status 2 "a wrong subject"
expect_line err "^cegsim list: list wants one of: analyses, figures, interleaves, kernels, policies, presets, queries, recipes; got 'policy'" "names those there are"
run list policies presets
expect_status 2 "two subjects"
run list policies --format cvs
expect_err "a mistyped format" <<-'END'
	cegsim list: --format wants one of: table, csv, json; got 'cvs'; did you mean 'csv'?
	Try `cegsim list --help' or `cegsim list --usage' for more information.
END

run list policies
expect_status 0 "list policies"
for policy in fifo-cke fcfs rm prio-streams; do
	expect_line out "^$policy  +[A-Za-z]" "has $policy"
done
expect_line out '^fifo-cke +order +head +head \| release ' "has options with default and values"

run list recipes
expect_status 0 "list recipes"
for recipe in rtgpu-table1 sbeet gcaps custom; do
	expect_line out "^$recipe  +[A-Za-z]" "has $recipe"
done
expect_line out '^sbeet +gpu +rtx-3070 +rtx-3070 \| t400 ' "has options with default and values"

run list presets
expect_status 0 "list presets"
expect_line out '^jetson-tx1 +5\.3 +2 +2048 +32 +1 ' "has the Jetson TX1"

run list queries
expect_status 0 "list queries"
expect_line out '^response  +[a-z]' "has the responses"
expect_line out '^response +run +- +the run$' "has parameters"

run list figures
expect_status 0 "list figures"
expect_line out '^acceptance  +[a-z]' "has acceptance"
expect_line out '^acceptance +platform +- +name of the platform$' "has parameters"

for subject in analyses figures interleaves kernels policies presets queries recipes; do
	run list "$subject" --format json
	cp out json
	run_command python3 -c '
import json
rows = json.load(open("json", encoding="utf-8"))
assert rows and all(row.keys() == rows[0].keys() for row in rows)'
	expect_status 0 "$subject as json"
	run list "$subject" --format=csv
	cp out csv
	run_command python3 -c '
import csv, json
rows = json.load(open("json", encoding="utf-8"))
table = list(csv.DictReader(open("csv", encoding="utf-8", newline="")))
assert [{k: "" if v is None else str(v) for k, v in row.items()} for row in rows] == table'
	expect_status 0 "$subject as csv says the same"
done

run list analyses
expect_status 0 "list analyses"
expect_line out '^stgm  *static SM sets and busy-waiting' "has stgm"
expect_line out '^stgm  *blocking  *safe  *safe \| textbook' "with its options"
expect_line out '^rtgpu: for plans of rtgpu$' "what each is for"
expect_line out '^  source: RTGPU' "where it comes from"
expect_line out '^  assumes: SMs of their own' "and what it assumes"
run list analyses --format csv
expect_line out '^analysis,version,summary,policies,source,assumptions,option,default,values,help$' "csv has all of that in columns"
expect_line out '^stgm,[0-9]+,static .*,blocking,safe,safe \| textbook,' "a row per option"

finish
