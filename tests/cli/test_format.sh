#!/bin/sh
# tests/format.sh finds every kind of offence that it looks for.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

check() {
	run_command sh "$SOURCES/tests/format.sh" "$FOLDER/tree"
}

plant() {
	rm -rf tree
	mkdir -p tree/base tree/contrib/plugin tree/build-x/base
	cp "$SOURCES/.clang-format" tree
	printf '/* base/own.h - a header. */\nint own(int number);\n' >tree/base/own.h
	printf '/* base/own.c - see base/own.h. */\n#include "base/own.h"\n\n#include <stdio.h>\n' >tree/base/own.c
	printf '/* mine.c - a plug-in. */\n' >tree/contrib/plugin/mine.c
	printf 'int made ;\n' >tree/build-x/base/made.c
}

plant
check
expect_status 0 "a tree in order passes"

# offend TEXT MESSAGE NAME: TEXT is added to own.c, from line 5 on
offend() {
	plant
	printf '%b' "$1" >>tree/base/own.c
	check
	expect_status 1 "$3"
	expect_line out "^# $2\$" "and is named"
}

long=$(printf '%0100d' 0)
offend "\\n/* 45678$long */\\n" 'base/own\.c:6: 111 columns' "a line of 111 columns"
offend "\\n/* ---- here -------- */\\n" 'base/own\.c:6: not /\* ---- title ---- \*/' "another ruler"
offend "\\n/* --- here --- */\\n" 'base/own\.c:6: not /\* ---- title ---- \*/' "a shorter one"
offend "\\nint a[sizeof 3];\\n" 'base/own\.c:6: sizeof\(\.\.\.\)' "sizeof without parentheses"

plant
printf '\n/* 4567%s */\n' "$long" >>tree/base/own.c
printf '\n/* ---- here ---- */\n\nint a[sizeof(int)];\n' >>tree/base/own.c
check
expect_status 0 "110 columns, a ruler and sizeof with parentheses are in order"

plant
printf '\nstruct s {\n\tint a[%s];\n};\n' "$(printf '%095d' 0)" >>tree/base/own.c
check
expect_line out '^# base/own\.c:7: 111 columns$' "a tab counts as many columns as it takes"

plant
printf '/* base/own.c - see base/own.h. */\n#include <stdio.h>\n\n#include "base/own.h"\n' >tree/base/own.c
check
expect_line out '^# base/own\.c:4: its own header comes first$' "its own header behind others"

plant
printf '/* base/other.c - see base/own.h. */\n' >tree/base/own.c
check
expect_line out '^# base/own\.c:1: the first line is not /\* base/own\.c - what it owns$' "the name of another file"

plant
printf '\nint  a;\n' >>tree/base/own.c
check
if grep -q '^ok 1 .* # SKIP' out; then
	expect_status 0 "without clang-format 14 it is left out"
else
	expect_status 1 "blanks that clang-format would not write"
	expect_line out '^# base/own\.c:6:[0-9]*: not as clang-format writes it$' "and are named"
fi

finish
