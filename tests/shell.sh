#!/bin/sh
# tests/shell.sh - shellcheck finds nothing in our scripts. Prints what it says and a TAP result.
set -eu
cd "$(dirname "$0")/.."

scripts() {
	tests/files.sh | grep -E '\.(sh|bash)$|^\.ci/'
}

echo "1..1"
if ! command -v shellcheck >/dev/null; then
	echo "ok 1 - scripts # SKIP no shellcheck here"
	exit
fi
if ! findings=$(scripts | xargs shellcheck --format gcc 2>&1); then
	echo "$findings" | sed 's/^/# /'
	echo "not ok 1 - shellcheck has nothing to say of the scripts"
	exit 1
fi
echo "ok 1 - shellcheck has nothing to say of the scripts"
