#!/bin/sh
# contrib/slurm/submit.sh CAMPAIGN.yaml FILE.db SHARES [SBATCH-OPTION...] - runs a campaign on a Slurm cluster: a job
# array makes the shares, and a later job merges them. Options (--partition=..., --time=...) go to the array; with
# SLURM_AT_ONCE=N, N of its tasks run at a time. All nodes must see this folder.
set -eu
if [ $# -lt 3 ]; then
	echo "usage: $0 CAMPAIGN.yaml FILE.db SHARES [SBATCH-OPTION...]" >&2
	exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
campaign=$1
output=$2
shares=$3
shift 3
array=$(sbatch --parsable --array="0-$((shares - 1))${SLURM_AT_ONCE:+%$SLURM_AT_ONCE}" "$@" \
	"$here/sweep.sh" "$campaign" "$output" "$shares")
merge=$(sbatch --parsable --dependency="afterok:$array" "$here/merge.sh" "$output" "$shares")
echo "array job $array, then job $merge makes $output"
