# shellcheck shell=sh
# tests/cli/lib.sh - runs the program as a user does, and reports in TAP.
#
#   . "$(dirname "$0")/lib.sh"
#   run list policy                      cegsim list policy; keeps $status, out, err
#   expect_status 2 "a wrong subject is a usage error"
#   expect_err "and says so" <<-'END'    the whole of standard error, to the byte
#   	cegsim list: ...
#   END
#   finish                               the last line
#
# $input and $output, if set, are the files that replace standard input (empty) and `out`. The program is $CEGSIM. A
# script starts in a folder of its own, which is removed when it ends. $SOURCES is the root of the sources.

set -u
# shellcheck disable=SC2034 # for the scripts
SOURCES=$(cd "$(dirname "$0")/../.." && pwd)

# real FILE: the path of a recording that others have made; it does not come with the program (tests/support/recordings.h)
real() {
	echo "${CEGSIM_SHARED:-$SOURCES/../shared}/data/$1"
}
: "${CEGSIM:?is the program to test}"
case $CEGSIM in
/*) ;;
*) CEGSIM=$(cd "$(dirname "$CEGSIM")" && pwd)/${CEGSIM##*/} ;;
esac
FOLDER=$(mktemp -d)
trap 'rm -rf "$FOLDER"' EXIT
cd "$FOLDER" || exit 99

cases=0
bad=0
status=0
last=

# report GOOD NAME: one case; GOOD is 0 or not
report() {
	cases=$((cases + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $cases - $2"
	else
		bad=$((bad + 1))
		echo "# after: $last"
		echo "not ok $cases - $2"
	fi
	return "$1"
}

# run ARGUMENT...: the program
run() {
	last="cegsim $*"
	status=0
	"$CEGSIM" "$@" <"${input:-/dev/null}" >"${output:-out}" 2>err || status=$?
}

# run_command COMMAND...: any other program
run_command() {
	last=$*
	status=0
	"$@" <"${input:-/dev/null}" >"${output:-out}" 2>err || status=$?
}

show_file() {
	sed -n '1,40s/^/#   /p' "$1"
}

expect_status() {
	[ "$status" -eq "$1" ]
	report $? "$2" && return
	echo "#   status $status instead of $1; standard error:"
	show_file err
}

# compare FILE NAME: with standard input
compare() {
	cat >expected
	cmp -s "$1" expected
	report $? "$2" && return
	diff -u expected "$1" | sed 's/^/#   /'
}

expect_out() {
	compare out "$1"
}

expect_err() {
	compare err "$1"
}

# expect_no_output NAME: nothing on standard output, nothing on standard error
expect_no_output() {
	! [ -s out ] && ! [ -s err ]
	report $? "$1" && return
	cat out err >both
	show_file both
}

expect_no_output_on_stderr() {
	! [ -s err ]
	report $? "$1" && return
	show_file err
}

# expect_line FILE REGEX NAME: a line of FILE matches the extended regular expression
expect_line() {
	grep -Eq -- "$2" "$1"
	report $? "$3" && return
	echo "#   no line of $1 matches $2:"
	show_file "$1"
}

expect_no_line() {
	! grep -Eq -- "$2" "$1"
	report $? "$3" && return
	echo "#   a line of $1 matches $2:"
	show_file "$1"
}

expect_no_file() {
	! [ -e "$1" ]
	report $? "$2"
}

finish() {
	echo "1..$cases"
	[ "$bad" -eq 0 ]
	exit $?
}
