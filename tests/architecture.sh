#!/bin/sh
# tests/architecture.sh [ROOT] - the direction of includes between the rooms (folders), and
# the size of files. Prints every offence and a TAP result.
#
# A room may include what its line names, and whatever that room may include.
set -eu
cd "${1:-$(dirname "$0")/..}"

rooms='
base
sim       base
models    sim base
db        base
analysis  models
warps     models
calibration scenarios warps
workload  models warps
policies  models analysis warps
scenarios policies workload db
runs      policies models warps db
audit     db base
replay    scenarios models policies runs
campaign  scenarios runs
report    db
search    scenarios analysis db runs
provenance audit campaign scenarios runs policies
cli       base sim models db analysis workload policies scenarios runs audit replay calibration campaign report search provenance
tests     *
bench     *
contrib
'
longest=600

# Files of the product: not what a build or a run leaves behind.
sources() {
	find . -mindepth 2 \( -path './build*' -o -path './.*' -o -path './demo-out' -o -name node_modules \) -prune -o \
		-type f \( -name '*.c' -o -name '*.h' \) -print | sed 's|^\./||' | sort
}

offences=$(
	sources | awk -v rooms="$rooms" -v longest="$longest" '
	function close_over(room,    changed, a, b) {
		do {
			changed = 0
			for (a in known) if ((room, a) in may)
				for (b in known) if ((a, b) in may && !((room, b) in may)) {
					may[room, b] = 1
					changed = 1
				}
		} while (changed)
	}
	function check(file, line, text,    from, to) {
		from = file
		sub(/\/.*/, "", from)
		if (text !~ /\//) {
			print file ":" line ": includes \"" text "\" without its folder"
			return
		}
		to = text
		sub(/\/.*/, "", to)
		if (!(to in known))
			print file ":" line ": includes \"" text "\" of an unknown room"
		else if (from != to && !((from, to) in may) && !((from, "*") in may))
			print file ":" line ": " from " may not include " to
	}
	BEGIN {
		count = split(rooms, table, "\n")
		for (i = 1; i <= count; i++) {
			words = split(table[i], word, " ")
			if (words == 0)
				continue
			known[word[1]] = 1
			for (k = 2; k <= words; k++)
				may[word[1], word[k]] = 1
		}
		for (room in known)
			close_over(room)
	}
	{
		file = $0
		room = file
		sub(/\/.*/, "", room)
		if (!(room in known))
			print file ": in an unknown room"
		for (lines = 0; (getline text < file) > 0; ) {
			lines++
			if (match(text, /^[ \t]*#[ \t]*include[ \t]*"[^"]*"/)) {
				gsub(/^[^"]*"|".*$/, "", text)
				check(file, lines, text)
			}
		}
		close(file)
		if (lines > longest)
			print file ": has " lines " lines; at most " longest
	}'
)

echo "1..1"
if [ -n "$offences" ]; then
	echo "$offences" | sed 's/^/# /'
	echo "not ok 1 - rooms include only what is below them"
	exit 1
fi
echo "ok 1 - rooms include only what is below them"
