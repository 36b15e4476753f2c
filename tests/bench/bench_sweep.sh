#!/bin/sh
# tests/bench/bench_sweep.sh [SETS] - measures a campaign of SETS generated task sets (default 100,000) under two
# policies: sets per second with one and with two workers, the time of the merge, and the memory of the largest process.
set -eu
: "${CEGSIM:=build/cli/cegsim}"
sets=${1:-100000}
CEGSIM=$(cd "$(dirname "$CEGSIM")" && pwd)/${CEGSIM##*/}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat >campaign.yaml <<END
cegsim-campaign: 1
name: bench
sets: $((sets / 4))
generate: {recipe: rtgpu-table1, utilisation: [50%, 100%, 150%, 200%]}
policies: [fifo-cke, rm]
run: {horizon: {periods: 2}, stop: horizon}
END

# Takes the time from the line in which a sweep reports it.
seconds() {
	sed -n 's/^cegsim: [0-9]* sets in \([0-9.]*\) s .*/\1/p' err
}
merging() {
	sed -n 's/.*merged in \([0-9.]*\) s$/\1/p' err
}

echo "load of this machine: $(cut -d' ' -f1-3 /proc/loadavg), $(nproc) processors"
echo "workers  sets    s       sets/s  merge_s  processor_s  largest_process_MB"
for workers in 1 2; do
	rm -f out.db
	/usr/bin/time -o used -f '%U %S %M' "$CEGSIM" sweep campaign.yaml -o out.db -j $workers >out 2>err
	read -r user system kilobytes <used
	awk -v w=$workers -v n=$((sets / 4 * 4)) -v s="$(seconds)" -v m="$(merging)" -v u="$user" -v y="$system" \
		-v k="$kilobytes" 'BEGIN {
			printf "%-8d %-7d %-7.1f %-7.0f %-8.1f %-12.1f %.0f\n", w, n, s, n / s, m, u + y, k / 1024
		}'
	echo "$(seconds) $(merging)" >"took$workers"
done
cat took1 took2 | awk '{ run[NR] = $1; all[NR] = $1 + $2 }
	END { printf "scaling from 1 to 2 workers: %.2f (with the merge %.2f)\n", run[1] / run[2], all[1] / all[2] }'
stat -c %s out.db | awk -v n=$((sets / 4 * 4)) '{ printf "recording: %.0f MB, %.0f bytes a set\n", $1 / 1e6, $1 / n }'
