#!/bin/sh
# demo.sh - builds cegsim and shows what it does: a vehicle's task set under three policies, queries in SQL, an audit of
# the recorded schedules, and pictures of them; one set under nine policies, and a search for the worst case of one of
# them; a small campaign; and the pictures of the README. It writes into demo-out/ only.
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
show cegsim plot $database gantt -P to=100 -o demo-out/vehicle.svg --force
show cegsim view $database -o demo-out/vehicle.html --force

policies=demo-out/policies.db
rm -f $policies
show cegsim run scenarios/examples/policies.yaml -o $policies
show cegsim query $policies @idle-share
show cegsim validate $policies
show cegsim search scenarios/examples/policies.yaml -p rtgpu

tour=demo-out/tour.db
rm -f $tour
printf '\n$ cegsim sweep scenarios/campaigns/tour.yaml -o %s -q\n' $tour
cegsim sweep scenarios/campaigns/tour.yaml -o $tour -q >demo-out/tour.txt
show cegsim query $tour @curves
show cegsim plot $tour acceptance -o demo-out/acceptance.svg --force
show docs/pictures/make.sh "$(command -v cegsim)" demo-out/pictures

printf '\nThe recordings are %s, %s and %s: ask them anything with "cegsim query" or sqlite3.\n' \
	"$database" "$policies" "$tour"
printf 'Open demo-out/vehicle.html in a browser to walk through the schedules; pictures are demo-out/*.svg and\n'
printf 'demo-out/pictures/*.svg.\n'
