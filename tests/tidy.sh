#!/bin/sh
# tests/tidy.sh BUILD - clang-tidy finds nothing in the product's sources, with the checks of .clang-tidy. Prints what it
# says and a TAP result.
set -eu
build=$1
cd "$(dirname "$0")/.."

# The product's sources.
sources() {
	tests/files.sh | grep '\.c$' | grep -Ev '^(tests|contrib)/'
}

echo "1..1"
if ! command -v clang-tidy >/dev/null; then
	echo "ok 1 - sources # SKIP no clang-tidy here"
	exit
fi
# The options are those of the build's compiler; clang does not know some of them.
if ! findings=$(sources | xargs -P "$(nproc)" -n 40 clang-tidy --quiet -p "$build" \
	--extra-arg=-Wno-unknown-warning-option 2>/dev/null); then
	echo "$findings" | sed 's/^/# /'
	echo "not ok 1 - clang-tidy has nothing to say of the sources"
	exit 1
fi
echo "ok 1 - clang-tidy has nothing to say of the sources"
