#!/bin/sh
# contrib/debian/test.sh - tries a Debian package as a user does, in a clean Debian 12: install, run, manual, a plug-in
# compiled with the installed headers, uninstall.
#
#   contrib/debian/test.sh [FILE.deb]     without a file, contrib/debian/build.sh makes one
#
# As root. It needs the network for Debian's packages.
set -eu

sources=$(cd "$(dirname "$0")/../.." && pwd)
. "$sources/contrib/packaging.sh"
explain "${1-}"
need_root
begin
package=${1:-$("$sources/contrib/debian/build.sh" | tail -n 1)}
[ -f "$package" ] || fail "$package is not a file"

start=$(date +%s)

say "a clean Debian 12"
make_root bookworm "$root"
mkdir -p "$root/home/user"
chown 1000:1000 "$root/home/user"
cp "$package" "$root/cegsim.deb"
in_root "$root" apt-get update -qq
say "$(($(date +%s) - start)) s; installing"
start=$(date +%s)
check "apt-get install ./cegsim.deb" in_root "$root" apt-get install -y ./cegsim.deb
say "$(($(date +%s) - start)) s; running"
start=$(date +%s)
check "gnuplot came with it" as_user 'command -v gnuplot'
version=$(dpkg-deb -f "$package" Version)
check "cegsim --version says $version" as_user "test \"\$(cegsim --version)\" = 'cegsim $version'"
check "a shipped example runs" as_user \
	'cegsim run /usr/share/cegsim/examples/quickstart.yaml --record blocks -o quickstart.db'
check "the audit finds nothing in it" as_user 'cegsim audit quickstart.db'
check "a figure is drawn" as_user \
	'cegsim plot quickstart.db gantt -o gantt.pdf && test -s gantt.pdf'
check "a page is made" as_user 'cegsim view quickstart.db -o quickstart.html && test -s quickstart.html'
check "a campaign runs" as_user 'cegsim sweep /usr/share/cegsim/campaigns/tour.yaml --limit-units 2 -o tour.db'

# These are not of the package: its users have them or not.
install_in "$root" man-db gcc libc6-dev pkg-config bash-completion zsh fish
check "every page of the manual is found and printed" as_user '
	for page in $(dpkg -L cegsim | sed -n "s|^/usr/share/man/man./\(.*\)\.[0-9]\.gz$|\1|p"); do
		man -w "$page" && man "$page" | grep -q .
	done; man -w cegsim; man -w cegsim-scenario'
check "an own policy is compiled and runs" as_user '
	cc -shared -fPIC -O2 $(pkg-config --cflags cegsim) -o edf.so /usr/share/cegsim/plugin/edf.c
	cegsim run /usr/share/cegsim/examples/quickstart.yaml -p ./edf.so -o own.db
	cegsim audit own.db; cegsim query own.db "SELECT name FROM policy" --format csv | grep -qx my-edf'
check "so is an own analysis" as_user '
	cc -shared -fPIC -O2 $(pkg-config --cflags cegsim) -o rta.so /usr/share/cegsim/plugin/rta.c
	cegsim analyze /usr/share/cegsim/examples/vehicle.yaml -p mpcp:wait=busy -a ./rta.so --format csv | grep -q ",rta,"'
check "fish completes" as_user 'fish -c "complete -C \"cegsim list pres\"" | grep -q ^presets'
check "zsh knows the completion" as_user \
	'zsh -f -c "autoload -U compinit; compinit -u -D; test \"\$_comps[cegsim]\" = _cegsim"'
check "bash finds the completion" as_user \
	'bash -c ". /usr/share/bash-completion/bash_completion; _completion_loader cegsim; complete -p cegsim"'

say "$(($(date +%s) - start)) s; removing"
in_root "$root" dpkg -L cegsim >"$work/installed"
find "$root" -path "$root/proc" -prune -o -print | sort >"$work/before"
check "the package is removed" in_root "$root" apt-get purge -y cegsim
find "$root" -path "$root/proc" -prune -o -print | sort >"$work/after"
# Folders such as /usr are of other packages, too.
left() {
	while read -r path; do
		if [ -e "$root$path" ] && { [ -f "$root$path" ] || [ -L "$root$path" ]; }; then
			echo "$path"
		fi
	done <"$work/installed"
	comm -13 "$work/before" "$work/after" | grep -v '/var/\(lib\|cache\|log\)/' || true
	grep -i cegsim "$work/after" | grep -v "^$root/\(home/user/\|cegsim.deb\)" || true
}
left >"$work/left"
check "nothing is left" diff /dev/null "$work/left"
echo "all well: $package"
