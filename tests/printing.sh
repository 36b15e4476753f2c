#!/bin/sh
# tests/printing.sh - the program prints through say() (base/say.h) or a table (cli/table/table.h), which make printable
# what strangers wrote: elsewhere nothing is printed but literals, and what is named here. Prints every offence and a TAP
# result.
set -eu
cd "$(dirname "$0")/.."

# Answers for programs, help, and the program's own text of several lines.
allowed='
cli/dump_sets.c fwrite(line->data
cli/main.c text_data(&help)
cli/query_describe.c text_data(&sql)
cli/replay_json.c text_data(&t)
cli/replay_profile.c text_data(t)
cli/schema.c text_data(&schema)
'

# Not of the program: what builds it. Progress has codes of its own; a crash may call nothing.
sources() {
	tests/files.sh | grep -E '^[a-z]+/.*\.c$' | grep -Ev '^(tests|contrib|cli/table)/' |
		grep -Ev '^(base/say|db/column_doc|db/make_template|runs/progress|policies/plugin/crash)\.c$'
}

offences=$(sources | allowed="$allowed" xargs awk '
	BEGIN { count = split(ENVIRON["allowed"], may, "\n") }
	function is_allowed(    i, at) {
		for (i = 1; i <= count; i++) {
			at = index(may[i], " ")
			if (at && FILENAME == substr(may[i], 1, at - 1) && index($0, substr(may[i], at + 1)))
				return 1
		}
		return 0
	}
	# A literal, or one of two.
	function is_own() {
		return $0 !~ /(^|[^a-z_.>])(f?puts\(|fwrite\(.*, std)/ || /puts\(([^,;"]* [?] "[^"]*" : )?"/
	}
	/(^|[^a-z_])(v?f?printf|perror)\(/ || (!is_own() && !is_allowed()) {
		print FILENAME ":" FNR ": prints without say(): " $0
	}')

echo "1..1"
if [ -n "$offences" ]; then
	echo "$offences" | sed 's/^/# /'
	echo "not ok 1 - all that is printed is printable"
	exit 1
fi
echo "ok 1 - all that is printed is printable"
