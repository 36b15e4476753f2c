#!/bin/sh
# contrib/slurm/sweep.sh - runs a campaign as a Slurm job array, one share per array task.
#
#   contrib/slurm/submit.sh CAMPAIGN.yaml FILE.db 64
#
# submits the array and the job that merges the shares afterwards. An array task that is requeued or submitted again
# continues (--resume). One that runs out of time first gets SIGTERM, and keeps what it has.
#SBATCH --job-name=cegsim-sweep
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=4
#SBATCH --time=04:00:00
#SBATCH --signal=B:TERM@120
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=sweep.%A_%a.out
set -eu
campaign=$1
output=$2
shares=$3
share=$SLURM_ARRAY_TASK_ID

cegsim=${CEGSIM:-cegsim}
"$cegsim" sweep "$campaign" --shard "$share/$shares" --resume -j "${SLURM_CPUS_PER_TASK:-1}" \
	-o "${output%.db}.$share-of-$shares.db" &
sweep=$!
# Slurm sends the signal to this shell only.
trap 'kill -TERM $sweep' TERM
status=0
wait $sweep || status=$?
# A trap interrupts the wait, not the sweep.
while kill -0 $sweep 2>/dev/null; do
	status=0
	wait $sweep || status=$?
done
exit $status
