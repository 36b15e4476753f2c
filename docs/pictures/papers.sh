#!/bin/sh
# docs/pictures/papers.sh CEGSIM FOLDER - runs the shipped campaigns (sBEET's with 100 sets per point instead of 1000; its
# Fig. 9 and 10 with 100, too) and draws the papers' figures of docs/paper-figures.md in FOLDER. This takes a quarter of
# an hour on two processors. Existing results are not made again.
set -eu

cegsim=$1
folder=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$folder"

# draw CAMPAIGN FIGURE...
draw() {
	campaign=$1
	shift
	sed 's/^sets: 1000/sets: 100/' "$root/scenarios/campaigns/$campaign.yaml" >"$folder/$campaign.yaml"
	"$cegsim" sweep "$folder/$campaign.yaml" -o "$folder/$campaign.db" --resume -q >"$folder/$campaign.txt"
	for figure in "$@"; do
		"$cegsim" plot "$folder/$campaign.db" "$figure" -o "$folder/$figure.svg" --force
	done
}

draw rtgpu-fig8 rtgpu-fig8
draw rtgpu-fig11 rtgpu-fig11
"$cegsim" calibrate "$root/scenarios/papers/rtgpu-fig3.yaml" --sms 1,2,4,8,16,28 --plot "$folder/rtgpu-fig3.svg" --force -q >"$folder/rtgpu-fig3.txt"
draw sbeet-fig8 sbeet-fig8a sbeet-fig8b
draw sbeet-fig9 sbeet-fig9
draw sbeet-fig10 sbeet-fig10
draw qaws-fig4a qaws-fig4a
draw qos-fig6a qos-fig6a qos-fig7
