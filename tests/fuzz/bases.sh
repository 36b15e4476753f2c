#!/bin/sh
# tests/fuzz/bases.sh CEGSIM SOURCES FOLDER - makes the recordings that fuzz_recording changes, FOLDER/base-*.db: of blocks
# with all that a scenario can say, of warps, and of campaigns with packed segments and with verdicts.
set -eu
cegsim=$1
examples=$2/scenarios/examples
folder=$3

for name in first chains overheads two-cores two-gpus two-streams uneven-blocks programs warps; do
	"$cegsim" run "$examples/$name.yaml" -o "$folder/base-$name.db" --record blocks --force >"$folder/bases.txt"
done
for kind in runs verdicts; do
	cat >"$folder/base-$kind.yaml" <<-TEXT
		cegsim-campaign: 1
		seed: 1
		sets: 3
		generate: {recipe: rtgpu-table1, tasks: 2, subtasks: 2, utilisation: [40%, 160%]}
		analyses: [rtgpu, stgm]
		policies: [{name: rtgpu, admit: any}, fifo-cke]
		run: {horizon: {periods: 3}, stop: horizon}
		$([ $kind = verdicts ] && echo 'record: verdicts')
	TEXT
	"$cegsim" sweep "$folder/base-$kind.yaml" -o "$folder/base-$kind.db" -j 1 --force -q >"$folder/bases.txt"
done
for file in "$folder"/base-*.db; do
	sqlite3 "$file" 'PRAGMA page_size = 1024; VACUUM'
done
