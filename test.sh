#!/bin/sh
# test.sh - runs the tests; "./test.sh --help" says which. It leaves out `meson test -C build-test --suite long`.
#
# A slow or busy machine must not make a test fail. So compiling has no time limit, and the limit of each test is ten
# times (CEGSIM_TEST_PATIENCE) the usual one: only a test that hangs is ended.
set -eu
cd "$(dirname "$0")"

usage() {
	cat <<-'TEXT'
	usage: ./test.sh [quick]

	Builds cegsim with all warnings as errors and tests it. It ends with the cases that failed, what they say, and
	the line "N passed, N failed"; the exit status is 0 if none failed.

	  quick  the suites unit, golden, property and house (rooms, shellcheck, clang-tidy) of a release build in
	         build-test/: a minute, and what it takes to build them
	         Without it, also the suites mutant, fault, cli and browser; and of clang's build with
	         AddressSanitizer and UndefinedBehaviorSanitizer in build-clang/ the suites unit, property and
	         fault, and each fuzzer for 20 seconds

	Environment: CEGSIM_TEST_PATIENCE=N makes the limit of each test N times as long (10).
	TEXT
}

quick=false
case ${1-} in
'') ;;
quick) quick=true ;;
-h | --help) usage && exit ;;
*) usage >&2 && exit 2 ;;
esac
[ $# -le 1 ] || { usage >&2 && exit 2; }

patience=${CEGSIM_TEST_PATIENCE:-10}
logs=

contrib/packages.sh build test

# A python3 that is a script itself and looks for another takes half a second each time. The tests start hundreds.
python=$(python3 -c 'import sys; print(sys.executable)')
[ "$python" = "$(command -v python3)" ] || PATH=${python%/*}:$PATH

# From here on the last line printed gives the result, whatever happens.
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

# run_tests FOLDER OPTION...: builds what the tests need first. The log is kept even if a test fails.
failed=0
run_tests() {
	folder=$1
	shift
	rm -f "$folder/meson-logs/testlog.json"
	logs="$logs $folder/meson-logs/testlog.json"
	meson test -C "$folder" --print-errorlogs --timeout-multiplier "$patience" "$@" || failed=1
}

# Without link-time optimisation and debugging information, and by gold: linking hundreds of test programs would take
# minutes.
export CC_LD=gold
echo "== release build"
configure build-test -Dwerror=true -Dtests=enabled -Db_lto=false -Ddebug=false
if $quick; then
	run_tests build-test --suite unit --suite golden --suite property --suite house
	exit $failed
fi
meson compile -C build-test
# Three checks double the time of compiling: what they find of null and of objects' sizes, AddressSanitizer finds, too.
echo "== clang's build, with sanitizers and fuzzers"
CC=clang configure build-clang -Dwerror=true -Dtests=enabled -Dfuzz=true -Ddebug=true -Doptimization=1 \
	-Db_ndebug=false -Db_lto=false -Db_lundef=false -Db_sanitize=address,undefined \
	-Dc_args="-fno-sanitize=null,object-size,alignment -gline-tables-only"
meson compile -C build-clang

echo "== tests"
run_tests build-test --no-rebuild --no-suite long
echo "== tests under the sanitizers, fuzzers"
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
run_tests build-clang --no-rebuild --suite unit --suite property --suite fault --suite fuzz

exit $failed
