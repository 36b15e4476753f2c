#!/bin/sh
# contrib/packages.sh - installs the Debian packages that cegsim needs.
#
#   contrib/packages.sh build          what is needed to build and run
#   contrib/packages.sh build test     and to run test.sh
#   contrib/packages.sh package        to make and try the packages of contrib/debian and contrib/tarball, with build
#
# As root, or with sudo, it installs missing packages. Otherwise it prints the command to run and ends with status 3.
set -eu

# Package, list it belongs to, what it is for.
packages() {
	cat <<'LIST'
gcc              build  the compiler (C17)
libc6-dev        build  the C library's headers
meson            build  configures the build
ninja-build      build  runs it
pkg-config       build  finds the libraries below
libsqlite3-dev   build  recordings
libyaml-dev      build  scenario files
libjansson-dev   build  recordings of real hardware (JSON)
zlib1g-dev       build  pages of cegsim view
libev-dev        build  progress, signals and worker processes of a run
librandom123-dev build  counter-based random numbers (headers only)
gnuplot-nox      build  draws figures
scdoc            build  man pages
python3          test   adds up the results of test.sh
libcmocka-dev    test   unit tests
clang            test   a second compiler, with sanitizers and fuzzers
libclang-rt-14-dev test what they are linked with
llvm             test   names of functions in what sanitizers report
clang-tidy       test   looks for mistakes that compilers let pass
shellcheck       test   the same in scripts
protobuf-compiler test  decodes traces with eyes other than ours
nodejs           test   runs the test of the page
chromium         test   the browser of that test
sqlite3          test   looks into recordings with eyes other than ours
clang-format-14  test   checks the form of the code; another version has another form
zsh              test   a shell whose completion is tried
fish             test   another one
debhelper        package  makes the Debian package
dpkg-dev         package  finds what it depends on
debootstrap      package  makes the clean Debian that packages are tried in
LIST
}

missing() {
	for list in "$@"; do
		packages | awk -v list="$list" '$2 == list { print $1 }'
	done | while read -r package; do
		case $(dpkg-query -W -f='${Status}' "$package" 2>/dev/null) in
		"install ok installed") ;;
		*) echo "$package" ;;
		esac
	done
}

if [ $# -eq 0 ]; then
	echo "usage: $0 build|test|package..." >&2
	exit 2
fi
if ! command -v dpkg-query >/dev/null 2>&1; then
	echo "$0: no dpkg here; going on as if all packages were installed" >&2
	exit 0
fi

wanted=$(missing "$@" | tr '\n' ' ')
wanted=${wanted% }
[ -n "$wanted" ] || exit 0

install="apt-get install -y --no-install-recommends $wanted"
if [ "$(id -u)" -eq 0 ]; then
	as_root=
elif command -v sudo >/dev/null 2>&1 && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
	as_root=sudo
else
	echo "cegsim needs some Debian packages. Please run" >&2
	echo >&2
	echo "  sudo apt-get update && sudo $install" >&2
	exit 3
fi

echo "installing: $wanted"
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086 # both are lists of words
{
	$as_root apt-get update -qq && $as_root $install
} || {
	echo "cegsim: installing packages failed" >&2
	exit 3
}
