#!/bin/sh
# docs/pictures/make.sh CEGSIM FOLDER - makes the pictures of the README and of docs/ in FOLDER, and the recordings for
# them in FOLDER/recordings. demo.sh calls it. A test compares the results with the shipped pictures, byte by byte. (The
# pictures of the page of `cegsim view` are made by hand: tests/browser/screenshots.mjs.)
set -eu

cegsim=$1
folder=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
recordings=$folder/recordings
mkdir -p "$recordings"

# record NAME SCENARIO OPTION...
record() {
	name=$1
	scenario=$2
	shift 2
	"$cegsim" run "$root/scenarios/$scenario" -o "$recordings/$name.db" --force -q "$@" >"$recordings/$name.txt"
}

# draw PICTURE RECORDING FIGURE OPTION...
draw() {
	picture=$1
	recording=$2
	figure=$3
	shift 3
	"$cegsim" plot "$recordings/$recording.db" "$figure" -o "$folder/$picture.svg" --force "$@"
}

record quickstart examples/quickstart.yaml --record blocks
record policies examples/policies.yaml
record fig3 papers/qaws-fig3.yaml --record issues
"$cegsim" sweep "$root/scenarios/campaigns/tour.yaml" -o "$recordings/tour.db" --force -q >"$recordings/tour.txt"
"$cegsim" sweep "$root/scenarios/campaigns/test-car.yaml" -o "$recordings/car.db" --force -q >"$recordings/car.txt"

capture=$root/scenarios/examples/drive.sqlite
"$cegsim" import "$capture" -o "$recordings/drive.yaml" --force >"$recordings/drive.txt"
"$cegsim" run "$recordings/drive.yaml" -p fifo-cke,fcfs -o "$recordings/drive.db" --record segments --force -q >"$recordings/drive.txt"
"$cegsim" import "$capture" --compare "$recordings/drive.db" --store >"$recordings/drive.txt" 2>&1

# The page has this scenario.
awk '/^```$/ { shown = 0 } /^# pipeline.yaml$/ { shown = 1 } shown' "$root/docs/machine-of-today.md" >"$recordings/pipeline.yaml"
"$cegsim" run "$recordings/pipeline.yaml" -o "$recordings/pipeline.db" --record segments --force -q >"$recordings/pipeline.txt"

draw gantt quickstart gantt
draw chain pipeline gantt -P chain=drive
draw measured drive gantt -P run=2 -P from=50 -P to=100
draw responses policies response-box-normalised
draw energy policies energy
draw acceptance tour acceptance
draw bandwidth car misses-by-bandwidth
draw issues fig3 issue-strip
