#!/bin/sh
# demo.sh - builds cegsim and shows it at work: a vehicle's task set under three policies, answers from SQL, an
# audit of the recorded schedules; one set under nine policies, and a search for the worst case of one of them.
# Writes into demo-out/ only.
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

policies=demo-out/policies.db
rm -f $policies
show cegsim run scenarios/examples/policies.yaml -o $policies
show cegsim query $policies @idle-share
show cegsim validate $policies
show cegsim search scenarios/examples/policies.yaml -p rtgpu
printf '\nThe recordings are %s and %s: ask them anything with "cegsim query" or sqlite3.\n' \
	"$database" "$policies"
