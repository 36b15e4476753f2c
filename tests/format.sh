#!/bin/sh
# tests/format.sh [ROOT] - checks the form of all C sources: as clang-format 14 makes it with .clang-format, and a few
# rules that clang-format does not have. Prints every offence and a TAP result. Other versions of clang-format give
# another form, so without version 14 that check is skipped.
# shellcheck disable=SC2016 # awk's, not the shell's
set -eu
tests=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$tests/..}"

longest=110
count=0
status=0

sources() {
	"$tests/files.sh" | grep '/.*\.[ch]$'
}

# The name of clang-format in the right version, if it is installed.
clang_format() {
	for name in clang-format-14 clang-format; do
		case $($name --version 2>/dev/null) in
		*'version 14.'*)
			echo "$name"
			return
			;;
		esac
	done
}

# result NAME OFFENCES
result() {
	count=$((count + 1))
	if [ -n "$2" ]; then
		echo "$2" | sed 's/^/# /'
		echo "not ok $count - $1"
		status=1
	else
		echo "ok $count - $1"
	fi
}

echo "1..5"

program=$(clang_format)
if [ -n "$program" ]; then
	offences=$(sources | xargs "$program" --dry-run --Werror --ferror-limit=1 2>&1 |
		sed -n 's/^\([^ ]*\): error: .*/\1: not as clang-format writes it/p' | sort)
	result "the form is that of clang-format" "$offences"
else
	count=1
	echo "ok 1 - the form is that of clang-format # SKIP there is no clang-format 14"
fi

# every RULE: runs an awk program over all files; it has a function for the number of columns of a line.
every() {
	sources | xargs awk -v longest=$longest '
	function columns(text,    i, at) {
		for (at = 0; (i = index(text, "\t")) > 0; text = substr(text, i + 1))
			at += i - 1 + 8 - (at + i - 1) % 8
		return at + length(text)
	}
	'"$1"
}

result "lines have at most $longest columns" "$(every '
	length > longest / 8 && columns($0) > longest { print FILENAME ":" FNR ": " columns($0) " columns" }')"

result "a file includes its own header first" "$(every '
	FNR == 1 { included = 0 }
	/^#include/ && included++ && FILENAME ~ /\.c$/ {
		own = FILENAME
		sub(/c$/, "h", own)
		if (index($0, "\"" own "\""))
			print FILENAME ":" FNR ": its own header comes first"
	}')"

# Files that users write have no fixed place in the tree; nor have the plug-ins that imitate them.
result "a file begins with its name, parts with /* ---- their title ---- */" "$(every '
	FNR == 1 && index($0, "/* " FILENAME " ") != 1 && FILENAME !~ /(^|\/)(contrib\/plugin|cli\/plugins|data)\// {
		print FILENAME ":1: the first line is not /* " FILENAME " - what it owns"
	}
	/^[ \t]*\/\* -.* -+ \*\/$/ && !/\/\* ---- [^ ].* ---- \*\/$/ || /[^-]-----+ \*\/$/ {
		print FILENAME ":" FNR ": not /* ---- title ---- */"
	}')"

result "sizeof has parentheses" "$(every '
	/(^|[^A-Za-z_"])sizeof [^(]/ && !/^ \*/ { print FILENAME ":" FNR ": sizeof(...)" }')"

exit $status
