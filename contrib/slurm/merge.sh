#!/bin/sh
# contrib/slurm/merge.sh - the last job of a campaign: merges the shares, and removes them if that succeeded.
#SBATCH --job-name=cegsim-merge
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --time=01:00:00
#SBATCH --output=merge.%j.out
set -eu
output=$1
shares=$2
set --
share=0
while [ "$share" -lt "$shares" ]; do
	set -- "$@" "${output%.db}.$share-of-$shares.db"
	share=$((share + 1))
done
"${CEGSIM:-cegsim}" merge "$@" -o "$output"
rm -f "$@"
