#!/bin/sh
# docs/tables.sh - renews the tables in the pages that the program can print. Everything between a line "<!-- cegsim list
# SUBJECT -->" or "<!-- cegsim schema FILE --keys=MAPPING -->" and the next line "<!-- end -->" is replaced by what that
# command prints as markdown.
set -eu

usage() {
	cat <<-'TEXT'
	usage: docs/tables.sh [--check] [CEGSIM]

	Renews the tables in docs/*.md that the program CEGSIM (build/cli/cegsim) prints.

	  --check  changes nothing; prints what would change, and ends with status 1 if anything would
	TEXT
}

check=false
case ${1-} in
--check) check=true && shift ;;
-h | --help) usage && exit ;;
-*) usage >&2 && exit 2 ;;
esac
[ $# -le 1 ] || { usage >&2 && exit 2; }
program=${1:-build/cli/cegsim}
case $program in
/*) ;;
*) program=$PWD/$program ;;
esac
[ -x "$program" ] || { echo "docs/tables.sh: there is no $program" >&2 && exit 2; }
cd "$(dirname "$0")"
new=$(mktemp)
trap 'rm -f "$new"' EXIT

status=0
for page in *.md; do
	grep -q '^<!-- cegsim ' "$page" || continue
	awk -v program="$program" -v page="$page" '
		function fail(what) { print "docs/" page ": " what >"/dev/stderr"; bad = 1; exit 1 }
		/^<!-- end -->$/ {
			if (!inside)
				fail("line " FNR " ends no table")
			inside = 0
		}
		!inside
		/^<!-- cegsim (list [a-z]+|schema [a-z]+ --keys=[a-z0-9_.]+) -->$/ {
			if (inside)
				fail("the table in front of line " FNR " has no end")
			inside = 1
			print ""
			fflush()
			what = $3 " " $4 ($5 == "-->" ? "" : " " $5)
			if (system("\"" program "\" " what " --format markdown") != 0)
				fail("cegsim " what " fails")
			print ""
		}
		END { if (!bad && inside) fail("a table has no end") }' "$page" >"$new"
	cmp -s "$page" "$new" && continue
	if $check; then
		diff -u --label "docs/$page" --label "what the program says" "$page" "$new" || status=1
	else
		cat "$new" >"$page"
		echo "docs/$page"
	fi
done
exit $status
