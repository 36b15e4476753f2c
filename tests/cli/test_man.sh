#!/bin/sh
# The man pages match the program: every command, option, key of a scenario, and option of a policy.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

pages=$SOURCES/docs/man

run --help
# shellcheck disable=SC2013 # one word per line
for verb in $(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' out); do
	cp "$pages/cegsim.1.scd" page
	expect_line page "^\*$verb\*" "cegsim(1) explains $verb"
	run "$verb" --help
	# shellcheck disable=SC2013
	for option in $(sed -n 's/^ .*\(--[a-z][a-z-]*\).*/\1/p' out | sort -u); do
		expect_line page "\*$option\*" "cegsim(1) explains $option of $verb"
	done
done

run schema
cp out schema.json
cp "$pages/cegsim-scenario.5.scd" page
run_command python3 -c '
import json, re
def keys(value):
    if isinstance(value, dict):
        properties = value.get("properties", {})
        found = set(properties) if isinstance(properties, dict) else set()
        return found.union(*(keys(v) for v in value.values()), set())
    if isinstance(value, list):
        return set().union(*(keys(v) for v in value), set())
    return set()
page = open("page", encoding="utf-8").read()
found = keys(json.load(open("schema.json", encoding="utf-8")))
missing = sorted(key for key in found if not re.search(rf"\b{key}\b", page))
print(len(found), "keys; missing:", *missing)
raise SystemExit(len(found) < 40 or bool(missing))'
expect_status 0 "cegsim-scenario(5) has every key of the schema"
show_file out

run list policies --format json
cp out policies.json
run_command python3 -c '
import json
page = open("page", encoding="utf-8").read().split("# POLICIES")[1].split("\n# ")[0]
options = {row["option"] for row in json.load(open("policies.json", encoding="utf-8")) if row["option"]}
missing = sorted(option for option in options if f"*{option}*" not in page)
print(len(options), "options; missing:", *missing)
raise SystemExit(len(options) < 20 or bool(missing))'
expect_status 0 "cegsim-scenario(5) has every option of the policies"
show_file out

# The example at the top of the page is a scenario.
# shellcheck disable=SC2016
sed -n '/^```$/,/^```$/p' page | sed '1d; /^```$/,$d' >example.yaml
run run example.yaml -o example.db
expect_status 0 "its example runs"

finish
