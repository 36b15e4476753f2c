#!/bin/sh
# tests/tables.sh CEGSIM - the tables in the pages are those that the program prints. Prints differences and a TAP result.
set -eu
program=$(realpath "$1")
cd "$(dirname "$0")/.."

echo "1..1"
if ! difference=$(docs/tables.sh --check "$program" 2>&1); then
	echo "$difference" | sed 's/^/# /'
	echo "# docs/tables.sh $program renews them"
	echo "not ok 1 - tables of docs/ say what the program says"
	exit 1
fi
echo "ok 1 - tables of docs/ say what the program says"
