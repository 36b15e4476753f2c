#!/bin/sh
# test.sh - builds cegsim with all warnings as errors and runs its tests, then the tests of
# single parts once more under AddressSanitizer and UndefinedBehaviorSanitizer. The last
# line is "N passed, N failed"; the exit status is 0 if none failed.
#
# A slow or busy machine must not fail: compiling has no limit, and the limit of every single test is ten times
# (CEGSIM_TEST_PATIENCE) the usual one, so that only one that hangs is ended.
#
# The suite "long" is not run: meson test -C build-test --suite long
set -eu
cd "$(dirname "$0")"

patience=${CEGSIM_TEST_PATIENCE:-10}
logs=

contrib/packages.sh build test

# Whatever happens from here on, the last line says how it went.
# shellcheck disable=SC2317 # runs at the exit
finish() {
	status=$?
	trap - EXIT
	# shellcheck disable=SC2086 # a list of words
	python3 tests/summary.py "$status" $logs || exit 1
}
trap finish EXIT

# configure FOLDER OPTION...
configure() {
	folder=$1
	shift
	if [ -f "$folder/build.ninja" ]; then
		meson configure "$folder" "$@"
	else
		meson setup "$folder" "$@"
	fi
}

# run_tests FOLDER OPTION...: of a build that is there. The log counts also when a test fails.
failed=0
run_tests() {
	folder=$1
	shift
	rm -f "$folder/meson-logs/testlog.json"
	logs="$logs $folder/meson-logs/testlog.json"
	meson test -C "$folder" --no-rebuild --print-errorlogs --timeout-multiplier "$patience" "$@" || failed=1
}

# Without link-time optimisation, which would link a hundred test programs for minutes.
echo "== release build"
configure build-test -Dwerror=true -Dtests=enabled -Db_lto=false
meson compile -C build-test
echo "== sanitizer build"
configure build-asan -Dwerror=true -Dtests=enabled -Ddebug=true -Doptimization=1 \
	-Db_ndebug=false -Db_lto=false -Db_sanitize=address,undefined
meson compile -C build-asan

echo "== tests"
run_tests build-test --no-suite long
echo "== tests under the sanitizers"
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
run_tests build-asan --suite unit --suite property --suite fault

exit $failed
