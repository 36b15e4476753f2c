#!/bin/sh
# contrib/tarball/build.sh - makes a tarball that runs on every Linux with glibc 2.31 or later (Debian 11, Ubuntu
# 20.04), without root and without installed libraries. Plug-ins work.
#
#   contrib/tarball/build.sh [FOLDER]     puts cegsim-VERSION-linux-ARCH.tar.gz into FOLDER (default: build-package)
#
# As root, on Debian 12: it is built in a clean Debian 11, with the libraries linked in (all but the C library's).
# The last line that it prints is the file.
set -eu

sources=$(cd "$(dirname "$0")/../.." && pwd)
. "$sources/contrib/packaging.sh"
explain "${1-}"
need_root
begin
folder=${1:-$sources/build-package}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
version=$(program_version)
name=cegsim-$version-linux-$(uname -m)

say "a clean Debian 11"
make_root bullseye "$root"
say "what the build needs"
install_in "$root" gcc libc6-dev ninja-build pkg-config python3 scdoc \
	libsqlite3-dev libyaml-dev libjansson-dev zlib1g-dev libev-dev librandom123-dev
# Debian 11's meson is too old. That of Debian 12 is Python, and runs there.
mkdir -p "$root/usr/lib/python3/dist-packages"
cp -R /usr/lib/python3/dist-packages/mesonbuild "$root/usr/lib/python3/dist-packages/"
cp "$(command -v meson)" "$root/usr/bin/meson"
# Without the shared ones the linker takes the static libraries.
for library in sqlite3 yaml jansson z ev; do
	in_root "$root" sh -c "ls /usr/lib/*/lib$library.a && rm -f /usr/lib/*/lib$library.so" >/dev/null ||
		fail "Debian 11 has no static lib$library"
done

say "building $version"
copy_sources "$root/build/cegsim"
in_root "$root" sh -ec "cd /build/cegsim
	meson setup build --prefix=/$name --libdir=lib -Dwerror=false -Dtests=disabled -Dman=enabled -Dstrip=true \
		-Dpkgconfig.relocatable=true -Db_asneeded=false -Dc_link_args='-lpthread -ldl -lm'
	meson install -C build" >"$work/log" 2>&1 || {
	tail -n 30 "$work/log" >&2
	fail "the build failed"
}
# The licences of what is linked in ask to be passed on.
licences=$root/$name/share/doc/cegsim/libraries
mkdir "$licences"
for library in libsqlite3-dev libyaml-dev libjansson-dev zlib1g-dev libev-dev librandom123-dev; do
	cp -L "$root/usr/share/doc/$library/copyright" "$licences/$library"
done
tar -c -C "$root" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(source_time)" "$name" |
	gzip -n -9 >"$folder/$name.tar.gz"
ls "$folder/$name.tar.gz"
