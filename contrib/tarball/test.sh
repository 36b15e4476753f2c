#!/bin/sh
# contrib/tarball/test.sh - tries the tarball as a user does, in a clean Debian 11 without the libraries: unpack, run,
# audit, a plug-in compiled with its headers, moved to another folder.
#
#   contrib/tarball/test.sh [FILE.tar.gz]     without a file, contrib/tarball/build.sh makes one
#
# As root. It needs the network for Debian's packages.
set -eu

sources=$(cd "$(dirname "$0")/../.." && pwd)
. "$sources/contrib/packaging.sh"
explain "${1-}"
need_root
begin
tarball=${1:-$("$sources/contrib/tarball/build.sh" | tail -n 1)}
[ -f "$tarball" ] || fail "$tarball is not a file"
name=$(basename "$tarball" .tar.gz)

start=$(date +%s)

say "a clean Debian 11"
make_root bullseye "$root"
mkdir -p "$root/home/user"
cp "$tarball" "$root/home/user/"
chown -R 1000:1000 "$root/home/user"
say "$(($(date +%s) - start)) s; running"
start=$(date +%s)

check "it is unpacked" as_user "tar -x -f '$name.tar.gz' && mv '$name' cegsim"
version=$(program_version)
check "cegsim --version says $version" as_user "test \"\$(cegsim/bin/cegsim --version)\" = 'cegsim $version'"
check "of shared libraries it needs the C library's only" as_user '
	ldd cegsim/bin/cegsim
	! ldd cegsim/bin/cegsim | grep -v "linux-vdso\|ld-linux\|lib\(c\|m\|dl\|pthread\)\.so"'
check "the licences of the libraries are there" as_user \
	'test "$(cat cegsim/share/doc/cegsim/libraries/* | grep -ic copyright)" -ge 6'
check "a shipped example runs" as_user \
	'cegsim/bin/cegsim run \
	cegsim/share/cegsim/examples/quickstart.yaml --record blocks -o quickstart.db'
check "the audit finds nothing in it" as_user 'cegsim/bin/cegsim audit quickstart.db'
# 2 or 3 would be SQL that the linked SQLite, older than that of the tests, does not understand.
check "its SQLite understands each query and figure" as_user '
	cegsim/bin/cegsim run cegsim/share/cegsim/examples/warps.yaml --record issues -o warps.db
	cegsim/bin/cegsim complete -- query x.db @ | cut -f 1 >queries
	cegsim/bin/cegsim complete -- plot x.db "" | cut -f 1 >figures
	test "$(wc -l <queries)" -gt 40 -a "$(wc -l <figures)" -gt 40
	for recording in quickstart warps; do
		while read -r name; do
			status=0
			cegsim/bin/cegsim query $recording.db "$name" >out 2>err || status=$?
			test $status -le 1 || { echo "$recording $name: $(cat err)"; exit 1; }
		done <queries
		while read -r name; do
			status=0
			cegsim/bin/cegsim plot $recording.db "$name" --script=s.gp --force >out 2>err || status=$?
			test $status -le 1 || { echo "$recording $name: $(cat err)"; exit 1; }
		done <figures
	done'
check "a page is made of it" as_user \
	'cegsim/bin/cegsim view quickstart.db -o quickstart.html && test -s quickstart.html'
check "a campaign runs" as_user \
	'cegsim/bin/cegsim sweep cegsim/share/cegsim/campaigns/tour.yaml --limit-units 2 -o tour.db'
check "the manual is there" as_user \
	'cd cegsim/share/man && test -s man1/cegsim.1 && test -s man5/cegsim-scenario.5'

# A compiler and pkg-config are not of the tarball.
install_in "$root" gcc libc6-dev pkg-config
check "an own policy and an own analysis are compiled and run, in a folder that was moved" as_user '
	mkdir elsewhere && mv cegsim "elsewhere/here"
	export PKG_CONFIG_PATH=elsewhere/here/share/pkgconfig
	cc -shared -fPIC -O2 $(pkg-config --cflags cegsim) -o edf.so elsewhere/here/share/cegsim/plugin/edf.c
	elsewhere/here/bin/cegsim run elsewhere/here/share/cegsim/examples/quickstart.yaml -p ./edf.so -o own.db
	elsewhere/here/bin/cegsim audit own.db
	elsewhere/here/bin/cegsim query own.db "SELECT name FROM policy" --format csv | grep -qx my-edf
	cc -shared -fPIC -O2 $(pkg-config --cflags cegsim) -o rta.so elsewhere/here/share/cegsim/plugin/rta.c
	elsewhere/here/bin/cegsim analyze elsewhere/here/share/cegsim/examples/vehicle.yaml -p mpcp:wait=busy \
		-a ./rta.so --format csv | grep -q ",rta,"'
check "it is removed with its folder" as_user \
	'rm -rf elsewhere && ! find / -xdev -name "cegsim*" 2>/dev/null | grep -v home/user'
say "$(($(date +%s) - start)) s"
echo "all well: $tarball"
