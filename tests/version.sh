#!/bin/sh
# tests/version.sh - meson.build, CITATION.cff and CHANGELOG.md name one version; db/sql.h and docs/recording.md one
# version of recordings. Prints TAP results.
set -eu
cd "$(dirname "$0")/.."

built=$(sed -n "s/^  version: '\(.*\)',$/\1/p" meson.build)
cited=$(sed -n 's/^version: //p' CITATION.cff)
logged=$(sed -n 's/^## \([0-9][^ ]*\).*/\1/p' CHANGELOG.md | head -n 1)
written=$(sed -n 's/^#define RECORDING_VERSION \([0-9]*\).*/\1/p' db/sql.h)
explained=$(tr '\n' ' ' <docs/recording.md | sed -n "s/.*schema's version, \([0-9]*\)\..*/\1/p")
status=0

echo "1..2"
if [ -n "$built" ] && [ "$built" = "$cited" ] && [ "$built" = "$logged" ]; then
	echo "ok 1 - there is one version"
else
	echo "# meson.build: $built; CITATION.cff: $cited; the last one in CHANGELOG.md: $logged"
	echo "not ok 1 - there is one version"
	status=1
fi
if [ -n "$written" ] && [ "$written" = "$explained" ]; then
	echo "ok 2 - there is one version of recordings"
else
	echo "# db/sql.h: RECORDING_VERSION $written; docs/recording.md, \"The file\": $explained."
	echo "# There, say also what older recordings lack, and in CHANGELOG.md that there is a new version."
	echo "not ok 2 - there is one version of recordings"
	status=1
fi
exit $status
