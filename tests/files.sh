#!/bin/sh
# tests/files.sh - prints the files of the tree in the current folder, without what a build or a run leaves behind: what
# git does not ignore; where there is no .git, all but the folders that usually have such things.
set -eu

of_git() {
	[ -e .git ] && git ls-files --cached --others --exclude-standard 2>/dev/null
}
found() {
	find . \( -path './build*' -o -path './demo-out' -o -name node_modules -o -path './.*' ! -path './.ci*' \) \
		-prune -o -type f -print | sed 's|^\./||'
}

{ of_git || found; } | sort -u | while read -r file; do
	if [ -f "$file" ]; then
		echo "$file"
	fi
done
