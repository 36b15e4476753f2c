#!/bin/sh
# tests/version.sh - meson.build, CITATION.cff and CHANGELOG.md name one version. Prints a TAP result.
set -eu
cd "$(dirname "$0")/.."

built=$(sed -n "s/^  version: '\(.*\)',$/\1/p" meson.build)
cited=$(sed -n 's/^version: //p' CITATION.cff)
logged=$(sed -n 's/^## \([0-9][^ ]*\).*/\1/p' CHANGELOG.md | head -n 1)

echo "1..1"
if [ -z "$built" ] || [ "$built" != "$cited" ] || [ "$built" != "$logged" ]; then
	echo "# meson.build: $built; CITATION.cff: $cited; the last one in CHANGELOG.md: $logged"
	echo "not ok 1 - there is one version"
	exit 1
fi
echo "ok 1 - there is one version"
