#!/bin/sh
# contrib/parallel/sweep.sh CAMPAIGN.yaml FILE.db SHARES [PARALLEL-OPTION...] - runs a campaign with GNU parallel: on this
# machine or, with --sshloginfile, on several machines that share this folder. After an interruption run it again:
# finished shares are not repeated, the others go on from where they were.
#
# On one machine alone, `cegsim sweep -j` does the same without shares.
set -eu
if [ $# -lt 3 ]; then
	echo "usage: $0 CAMPAIGN.yaml FILE.db SHARES [PARALLEL-OPTION...]" >&2
	exit 2
fi
campaign=$1
output=$2
shares=$3
shift 3
cegsim=${CEGSIM:-cegsim}
part=${output%.db}.{}-of-$shares.db
seq 0 $((shares - 1)) | parallel --will-cite --halt soon,fail=1 "$@" \
	"$cegsim" sweep "$campaign" --shard "{}/$shares" --resume -j 1 -q --format csv -o "$part" '>' /dev/null
# shellcheck disable=SC2046 # one word for each share
"$cegsim" merge $(seq 0 $((shares - 1)) | sed "s|.*|${output%.db}.&-of-$shares.db|") -o "$output"
