#!/bin/sh
# cegsim list: every subject in every format.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

run list
expect_status 2 "list needs a subject"
run list policy
expect_status 2 "a wrong subject"
expect_line err "^cegsim list: list wants one of: analyses, columns, figures, interleaves, kernels, laws, policies, presets, queries, recipes, tables; got 'policy'" "names those there are"
run list policies presets
expect_status 2 "two subjects"
run list policies --papers
expect_status 2 "--papers of policies"
run list policies --format cvs
expect_err "a mistyped format" <<-'END'
	cegsim list: --format wants one of: table, csv, json, markdown; got 'cvs'; did you mean 'csv'?
	Try `cegsim list --help' or `cegsim list --usage' for more information.
END

run list policies
expect_status 0 "list policies"
expect_no_line out 'head \| release' "is short"
expect_line out '^Options of one: cegsim list policies NAME; of all: cegsim list policies -v$' "and says where the rest is"
for policy in fifo-cke fcfs rm prio-streams; do
	expect_line out "^$policy  +[A-Za-z]" "has $policy"
done
run list policies fifo-cke
expect_status 0 "list policies fifo-cke"
expect_line out '^fifo-cke +order +head +head \| release ' "has options with default and values"
expect_no_line out '^rm ' "of this one only"
run list policies edf
expect_status 0 "a policy with others that have the same options"
run list policies fifo-cke --format csv
expect_no_line out '^rm,' "in csv, too"
run list policies fifo-cke --format markdown
expect_line out '^\| `fifo-cke` \| `order` \| `head` ' "and in markdown"
run list policies -v
expect_line out '^fifo-cke +order +head +head \| release ' "-v: of all"
expect_line out '^rm +unit +section ' "with all options"
run list policies fifo-ck
expect_status 2 "a policy that there is not"
expect_err "is named, with the near one" <<'END'
cegsim: error: there is no policy 'fifo-ck'; did you mean 'fifo-cke'?
END
run list presets jetson-tx1
expect_status 2 "presets have no more to say"
run list policies rm fcfs
expect_status 2 "one at a time"

run list recipes
expect_status 0 "list recipes"
for recipe in rtgpu-table1 sbeet gcaps custom; do
	expect_line out "^$recipe  +[A-Za-z]" "has $recipe"
done
run list recipes sbeet
expect_line out '^sbeet +gpu +rtx-3070 +rtx-3070 \| t400 ' "has options with default and values"

run list presets
expect_status 0 "list presets"
expect_line out '^jetson-tx1 +5\.3 +2 +2048 +32 +1 ' "has the Jetson TX1"

run list queries
expect_status 0 "list queries"
expect_line out '^response  +-  +[a-z]' "has the responses"
expect_no_line out 'name of the policy$' "without parameters"
run list queries response
expect_line out '^response +run +- +the run$' "has parameters"

run list figures
expect_status 0 "list figures"
expect_line out '^acceptance  +-  +[a-z]' "has acceptance"
expect_no_line out '^rtgpu-fig7 ' "has no figures of papers"
expect_line out '^[0-9]+ more, of papers: cegsim list figures --papers$' "but says where they are"
run list figures --papers
expect_line out '^rtgpu-fig7  +-  +[A-Za-z]' "list figures --papers has them"
expect_line out '^qos-swaps ' "by whatever name"
expect_no_line out '^acceptance ' "and no others"
run list figures acceptance --papers
expect_out "a figure of no paper" <<-'END'
	acceptance is of no paper: cegsim list figures acceptance
END
run list figures sbeet-fig2 --papers
expect_line out '^sbeet-fig2 +segments +sBEET, Fig. 2: ' "a figure of a paper"
run list queries first-miss
expect_no_line out '^Parameters' "without parameters there is no table of them"
run list figures nosuch
expect_status 2 "a figure that there is not"
run list figures -v
expect_line out '^rtgpu-fig7 +copies +-' "-v has the parameters of all"
expect_line out '^acceptance +platform ' "of all"
run list figures acceptance
expect_line out '^acceptance +platform +- +name of the platform$' "has parameters"

run list laws
expect_status 0 "list laws"
expect_line out '^r1-order  *blocks  *only the head of the primary queue' "has the laws of blocks"
expect_line out '^warp-choice  *issues  *[a-z]' "and of warps"
expect_line out '^verdict  *summary  *[a-z]' "and that which asks the policies again"

run list tables
expect_status 0 "list tables"
expect_line out '^v_job  *a job: response' "has the views"

run list columns
expect_status 0 "list columns"
expect_line out '^job +.*, seq, ' "has the columns of every table"
run list columns job
expect_line out '^job +seq +integer ' "NAME: one table"
expect_no_line out '^run ' "and no other"
run list columns jobs
expect_line err "there is no table 'jobs'; did you mean 'job'\\?" "there must be one"
run list columns -v
expect_status 0 "list columns -v"
expect_line out '^job +seq +integer ' "has columns with their types"
expect_line out '^run +stop_ns +integer +ns +S, ' "with units and meaning"
expect_line out '^v_job +response_ms +- +ms ' "and those of views"

for subject in analyses columns figures interleaves kernels laws policies presets queries recipes tables; do
	run list "$subject" --format markdown
	expect_status 0 "$subject as markdown"
	run_command awk '
		!/^\|/ { columns = 0; next }
		{ gsub(/\\\|/, ""); n = gsub(/\|/, "|") }
		!columns { columns = n }
		n != columns || !/\|$/ { exit 1 }' out
	expect_status 0 "every row of a table has as many columns"
done
run list policies --format markdown
expect_line out '^\| `rm` \| one GPU section' "names are code"
expect_line out '^\| `fcfs`, `rm`, `edf` \| `unit` \| `section` \| section .\| kernel \|' "an option that several have is one row"
run list analyses --format markdown
expect_line out '^\| `stgm` \| static .* \| `stgm` \|$' "analyses say whose plans they are for"

for subject in analyses columns figures interleaves kernels laws policies presets queries recipes tables; do
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
expect_no_line out '^  source' "is short"
run list analyses stgm
expect_line out '^  source: ' "NAME: one, with its source"
expect_no_line out '^rtgpu' "and no other"
run list analyses -v
expect_status 0 "list analyses -v"
expect_line out '^stgm  *blocking  *safe  *safe \| textbook' "with its options"
expect_line out '^rtgpu: for plans of rtgpu$' "what each is for"
expect_line out '^  source: RTGPU' "where it comes from"
expect_line out '^  assumes: SMs of their own' "and what it assumes"
run list analyses --format csv
expect_line out '^analysis,version,summary,policies,source,assumptions,option,default,values,help$' "csv has all of that in columns"
expect_line out '^stgm,[0-9]+,static .*,blocking,safe,safe \| textbook,' "a row per option"

finish
