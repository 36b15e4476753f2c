#!/bin/sh
# demo.sh - builds cegsim and shows it at work: a vehicle's task set under three policies,
# answers from SQL, and an audit of the recorded schedules. Writes into demo-out/ only.
set -eu
cd "$(dirname "$0")"

contrib/packages.sh build
[ -f build/build.ninja ] || meson setup build
meson compile -C build cegsim

PATH=$PWD/build/cli:$PATH
mkdir -p demo-out

show() {
	printf '\n$'
	printf ' %s' "$@"
	printf '\n'
	"$@"
}

database=demo-out/vehicle.db
rm -f $database
show cegsim run scenarios/examples/vehicle.yaml -p fifo-cke -p fcfs -p rm -o $database --record blocks
show cegsim query $database @response
show cegsim audit $database
printf '\nThe recording is %s: ask it anything with "cegsim query" or sqlite3.\n' "$database"
