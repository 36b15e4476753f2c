#!/bin/sh
# The man pages match the program: every command and option, every key of a scenario and a campaign, every option of a
# policy. Their examples run.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

pages=$SOURCES/docs/man

# ---- Commands ----

# sections FILE SECTION...: the page has them
sections() {
	page=$1
	shift
	for section in "$@"; do
		expect_line "$page" "^# $section\$" "${page##*/} has $section"
	done
}

run --help
# shellcheck disable=SC2013 # one word per line
for verb in $(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' out); do
	expect_line "$pages/cegsim.1.scd" "^\|\[ \*$verb\*\$" "cegsim(1) names $verb"
	[ "$verb" = help ] && continue
	page=$pages/cegsim-$verb.1.scd
	[ -f "$page" ]
	report $? "$verb has a page" || continue
	sections "$page" NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' EXAMPLES 'SEE ALSO'
	expect_line "$pages/cegsim.1.scd" "\*cegsim-$verb\*\(1\)" "cegsim(1) refers to cegsim-$verb(1)"
	sed -n '/^# OPTIONS$/,/^# /p' "$page" >options
	run "$verb" --help
	# shellcheck disable=SC2013
	for option in $(sed -n 's/^ .*\(--[a-z][a-z-]*\).*/\1/p' out | sort -u); do
		expect_line options "^(\*-.*[,;] )?\*$option\*" "cegsim-$verb(1) explains $option"
	done
	sed -n '/^# SYNOPSIS$/,/^# /p' "$page" >synopsis
	# shellcheck disable=SC2013
	for option in $(sed -n 's/^  -\(.\), --.*/-\1/p; s/^      \(--[a-z][a-z-]*\).*/\1/p' out); do
		case $option in
		'-?' | --usage | -V) continue ;;
		esac
		expect_line synopsis "\*$option\*" "its synopsis has $option"
	done
done
sections "$pages/cegsim.1.scd" NAME SYNOPSIS DESCRIPTION COMMANDS 'COMMON OPTIONS' 'EXIT STATUS' ENVIRONMENT FILES EXAMPLES

# ---- Examples ----

mkdir bin
ln -s "$CEGSIM" bin/cegsim
PATH=$PWD/bin:$PATH
for page in "$pages"/*.1.scd; do
	folder=example-${page##*/}
	mkdir "$folder"
	cd "$folder" || exit 99
	ln -s "$SOURCES/scenarios" scenarios
	case $page in
	*-replay.1.scd)
		for i in 1 2 3; do
			cp "$SOURCES/tests/data/replay/head_of_line_$i.json" "stream$i.json"
		done
		cp stream3.json stream4.json
		cp "$SOURCES/tests/data/captures/kineto-2023.json" trace.json
		printf 'log, kernel, direction, amount\nstream1.json, A, to_cpu, 256MiB\n' >copies.csv
		;;
	esac
	sed -n '/^# EXAMPLES$/,/^# SEE ALSO$/p' "$page" | sed -n '/^```$/,/^```$/s/^cegsim /&/p' >examples
	[ -s examples ]
	report $? "${page##*/} has examples"
	while read -r example; do
		run_command sh -c "$example"
		expect_status 0 "$example"
	done <examples
	cd ..
done

# ---- Files ----

# make_page NAME PAGE: NAME.scd, as docs/meson.build makes it of docs/PAGE
make_page() {
	awk -v name="$1" -v says=- -v see=- -f "$pages/page.awk" "$SOURCES/docs/$2" >"$1.scd"
}
make_page cegsim-scenario scenario.md
make_page cegsim-campaign campaigns.md

# keys_on_page FILE NAME PAGE...: each key of the FILE, with its default, is on one of the pages
keys_on_page() {
	run schema "$1" --keys --format json
	cp out keys.json
	name=$2
	shift 2
	run_command python3 -c '
import json, re, sys
pages = [open(name, encoding="utf-8").read() for name in sys.argv[1:]]
entries = {}
for page in pages:
    for key, text in re.findall(r"^\*([^*\n]+)\*: [^\n]*\n\t([^\n]+)$", page, re.M):
        entries.setdefault(key, []).append(text)
plain = {key.replace("\\", ""): [t.replace("\\", "") for t in texts] for key, texts in entries.items()}
keys = json.load(open("keys.json", encoding="utf-8"))
def told(row):
    texts = [t for t in plain.get(row["key"], []) if row["meaning"].rstrip(".") in t]
    return any((row["default"] or "").lower() in t.lower() for t in texts)
missing = [row["mapping"] + ": " + row["key"] for row in keys if not told(row)]
print(len(keys), "keys; missing:", *missing, sep="\n")
raise SystemExit(len(keys) < 40 or bool(missing))' "$@"
	expect_status 0 "$name"
	show_file out
}
keys_on_page scenario "cegsim-scenario(5) has every key of the schema, with its default" cegsim-scenario.scd
keys_on_page campaign "cegsim-campaign(5) has those that scenarios do not have" cegsim-campaign.scd cegsim-scenario.scd

# The table of keys leaves no key of the schema out.
run schema --keys --format json
cp out keys.json
run schema
cp out schema.json
run_command python3 -c '
import json
def keys(value):
    if isinstance(value, dict):
        properties = value.get("properties", {})
        found = set(properties) if isinstance(properties, dict) else set()
        return found.union(*(keys(v) for k, v in value.items() if k not in ("policies", "analyses")), set())
    if isinstance(value, list):
        return set().union(*(keys(v) for v in value), set())
    return set()
found = keys(json.load(open("schema.json", encoding="utf-8")))
listed = {row["key"] for row in json.load(open("keys.json", encoding="utf-8"))}
missing = sorted(found - listed)
print(len(found), "keys; missing:", *missing)
raise SystemExit(len(found) < 40 or bool(missing))'
expect_status 0 "schema --keys has every key of the schema"
show_file out

run list policies --format json
cp out policies.json
run_command python3 -c '
import json
page = open("cegsim-scenario.scd", encoding="utf-8").read().split("# POLICIES")[1].split("\n# ")[0]
options = {row["option"] for row in json.load(open("policies.json", encoding="utf-8")) if row["option"]}
missing = sorted(option for option in options if "*" + option.replace("_", "\\_") + "* (" not in page)
print(len(options), "options; missing:", *missing)
raise SystemExit(len(options) < 20 or bool(missing))'
expect_status 0 "cegsim-scenario(5) has every option of the policies"
show_file out

# The examples at the top of the pages are files.
# example PAGE FILE: the first fenced block in YAML of docs/PAGE
example() {
	# shellcheck disable=SC2016
	sed -n '/^```yaml$/,/^```$/p' "$SOURCES/docs/$1" | sed '1d; /^```$/,$d' >"$2"
}
example scenario.md example.yaml
run run example.yaml -o example.db
expect_status 0 "the example of cegsim-scenario(5) runs"
example campaigns.md campaign.yaml
run sweep campaign.yaml -o campaign.db --limit-units 3
expect_status 0 "the example of cegsim-campaign(5) runs"

# ---- The table of keys ----

run schema --keys=release.sporadic --format csv
expect_status 0 "schema --keys=MAPPING"
expect_out "prints its keys" <<-'END'
	key,value,default,meaning
	max_delay,ratio up to 10000%,required,The gap between two releases is the period and up to this share of it more.
END
run schema campaign --keys=run.horizon --format csv
expect_line out '^periods,1 or more,"one of: periods, hyperperiods",' "of campaigns, too"
run schema --keys=tasks.segmants
expect_status 2 "a mapping that does not exist"
expect_err "is corrected" <<-'END'
	cegsim: error: no mapping is called 'tasks.segmants'; did you mean 'tasks.segments'?; 'cegsim schema --keys' shows them
END
run schema --format csv
expect_status 2 "--format without --keys"

finish
