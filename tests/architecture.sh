#!/bin/sh
# tests/architecture.sh [ROOT] - checks the direction of includes between the rooms (folders), the size of files, and that
# neither headers nor calls between files form a circle (tests/circles.awk). Prints every offence and a TAP result.
#
# A room may include the rooms that its line names, and whatever these may include. A room within a room counts
# separately: a file belongs to the room with the longest name that begins its path.
set -eu
tests=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$tests/..}"

rooms='
base
sim                   base
models                sim base
models/warps          models
analysis              models
policies              models analysis models/warps
policies/sbeet        policies
policies/pipe         policies analysis
policies/plugin       policies
policies/use          policies policies/pipe policies/plugin analysis
db                    base db/pages
db/pages              base
db/audit              db base
captures              db
report                db
scenarios             policies policies/use policies/pipe policies/plugin scenarios/workload db
scenarios/workload    models models/warps
scenarios/calibration scenarios models/warps
scenarios/import      scenarios captures
scenarios/traced      scenarios captures models/warps
runs                  policies policies/use models models/warps db
runs/bounds           runs analysis policies/pipe db
runs/campaign         scenarios runs runs/bounds
runs/search           scenarios analysis db runs runs/bounds
runs/replay           scenarios models policies runs captures
runs/provenance       db/audit runs/campaign scenarios runs policies
cli                   base sim models db captures analysis policies policies/use policies/pipe policies/plugin report scenarios scenarios/workload scenarios/calibration scenarios/import scenarios/traced runs runs/bounds db/audit runs/replay runs/campaign runs/search runs/provenance cli/table
cli/table             base
tests                 *
contrib
'
longest=600

# Sources that work as one machine, one group per line: an operation, a block or a run passes from one to the other and
# back.
machines='
models/simulation models/flights models/jobs models/cpu models/copies models/streams models/gpu models/resident models/table models/stays models/programs models/gate models/deciding models/contexts models/devices models/calls
models/warps/blocks models/warps/placing models/warps/issue
db/writer db/runs db/content db/packed
db/reader db/reader_views
runs/load runs/load_chains runs/load_flights runs/load_gpus runs/load_masks runs/load_platform runs/load_programs runs/load_warps
db/audit/recording db/audit/block_times db/audit/carveout db/audit/chains db/audit/contexts db/audit/flights db/audit/gpus db/audit/masks db/audit/placed db/audit/programs db/audit/samples db/audit/shapes db/audit/warp_read
db/audit/sweep db/audit/jobs_in_time db/audit/shapes_in_time db/audit/gpu_in_time db/audit/table_in_time db/audit/gate_in_time db/audit/overheads_in_time db/audit/contexts_in_time db/audit/calls_in_time db/audit/queues db/audit/rows
db/audit/warp_walk db/audit/warp_blocks db/audit/warp_choice db/audit/warp_dispatch db/audit/warp_epochs db/audit/warp_issue db/audit/warp_jobs db/audit/warp_rows db/audit/warp_targets db/audit/warp_totals
'

sources() {
	"$tests/files.sh" | grep '/.*\.[ch]$'
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
	# The room with the longest name that the path is in; if there is none, the first folder of the path.
	function room_of(path,    room) {
		for (room = path; sub(/\/[^\/]*$/, "", room); )
			if (room in known)
				return room
		sub(/\/.*/, "", path)
		return path
	}
	function check(file, line, text,    from, to) {
		from = room_of(file)
		if (text !~ /\//) {
			print file ":" line ": includes \"" text "\" without its folder"
			return
		}
		to = room_of(text)
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
		if (!(room_of(file) in known))
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

# Tests may depend on each other as much as what they test.
circles=$(sources | grep -Ev '^(tests|bench|contrib)/' | awk -v machines="$machines" -f "$tests/circles.awk")

# verdict NUMBER NAME OFFENCES
verdict() {
	if [ -z "$3" ]; then
		echo "ok $1 - $2"
		return
	fi
	echo "$3" | sed 's/^/# /'
	echo "not ok $1 - $2"
	failed=1
}

failed=0
echo "1..2"
verdict 1 "rooms include only what is below them" "$offences"
verdict 2 "files do not call or include each other in circles" "$circles"
exit $failed
