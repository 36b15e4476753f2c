#!/bin/sh
# contrib/debian/build.sh - makes a Debian package of these sources.
#
#   contrib/debian/build.sh [FOLDER]     puts cegsim_VERSION_ARCH.deb into FOLDER (default: build-package)
#
# On Debian 12. Installs what it needs (contrib/packages.sh). The last line that it prints is the file.
set -eu

sources=$(cd "$(dirname "$0")/../.." && pwd)
. "$sources/contrib/packaging.sh"
explain "${1-}"
folder=${1:-$sources/build-package}

begin
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
version=$(program_version)
SOURCE_DATE_EPOCH=$(source_time)
export SOURCE_DATE_EPOCH

copy_sources "$work/cegsim"
cp -R "$sources/contrib/debian" "$work/cegsim/debian"
rm -f "$work/cegsim/debian/build.sh" "$work/cegsim/debian/test.sh"
cat >"$work/cegsim/debian/changelog" <<CHANGELOG
cegsim ($version) unstable; urgency=medium

  * See CHANGELOG.md.

 -- The authors of cegsim <cegsim@localhost>  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
CHANGELOG

say "building $version"
(cd "$work/cegsim" && dpkg-buildpackage --build=binary --unsigned-changes --unsigned-source) >"$work/log" 2>&1 || {
	tail -n 30 "$work/log" >&2
	fail "dpkg-buildpackage failed"
}
cp "$work"/cegsim_*.deb "$folder"
ls "$folder/cegsim_${version}_$(dpkg --print-architecture).deb"
