# shellcheck shell=sh
# contrib/packaging.sh - what the scripts that make and test packages share. They set $sources, the root of the sources,
# and source this file.
: "${sources:?is the root of the sources}"

# explain ARGUMENT: ends the script with its head for -h and --help, with its usage for what is no argument of it
explain() {
	case $1 in
	-h | --help) sed -n '2,/^set /{/^set /d; s/^# \{0,1\}//p;}' "$0" && exit ;;
	-*) sed -n 's/^#   contrib/contrib/p' "$0" >&2 && exit 2 ;;
	esac
}

# begin: installs what packages are made with. Makes the folder $work, which goes at the end; a clean Debian is $root.
begin() {
	"$sources/contrib/packages.sh" build package
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	root=$work/root
}

say() {
	echo "== $*"
}

fail() {
	echo "$0: $*" >&2
	exit 1
}

# need_root: debootstrap and chroot work for root only.
need_root() {
	[ "$(id -u)" -eq 0 ] || fail "please run as root: debootstrap makes a clean Debian, chroot goes into it"
}

program_version() {
	sed -n "s/^  version: '\(.*\)',\$/\1/p" "$sources/meson.build"
}

# copy_sources FOLDER: the files under version control as they are now. Without git: all but what a build makes.
copy_sources() {
	mkdir -p "$1"
	if git -C "$sources" rev-parse --git-dir >/dev/null 2>&1; then
		(cd "$sources" && git ls-files -z --cached --others --exclude-standard |
			tar -c --null -T - --ignore-failed-read)
	else
		tar -c -C "$sources" --exclude='./build*' --exclude='./demo-out' --exclude=node_modules .
	fi | tar -x -C "$1"
}

# source_time: seconds since 1970 of the last change, so that the same sources give the same package.
source_time() {
	git -C "$sources" log -1 --format=%ct 2>/dev/null || stat -c %Y "$sources/CHANGELOG.md"
}

# make_root SUITE FOLDER: a clean Debian with the essential packages and apt. The mirror is the one that this machine's
# apt takes its packages from. With CEGSIM_ROOT_CACHE=FOLDER a root that was made once is unpacked from there.
make_root() {
	cached=${CEGSIM_ROOT_CACHE:+$CEGSIM_ROOT_CACHE/$1.tar}
	if [ -n "$cached" ] && [ -f "$cached" ]; then
		mkdir -p "$2"
		tar -x -f "$cached" -C "$2"
		return
	fi
	# shellcheck disable=SC1091 # of the system
	release=$(. /etc/os-release && echo "${VERSION_CODENAME:?is the release of this Debian}")
	mirror=$(apt-get indextargets --format '$(RELEASE) $(SITE)' 'Created-By: Packages' |
		awk -v release="$release" '$1 == release { print $2; exit }')
	[ -n "$mirror" ] || fail "apt has no source for $release here; where is Debian to come from?"
	debootstrap --variant=minbase "$1" "$2" "$mirror" >"$2.log" 2>&1 || {
		tail -n 5 "$2.log" >&2
		fail "debootstrap $1 failed"
	}
	rm -f "$2.log"
	if [ -n "$cached" ]; then
		mkdir -p "$CEGSIM_ROOT_CACHE"
		tar -c -f "$cached" -C "$2" .
	fi
}

# in_root FOLDER COMMAND...: runs it there, with a plain environment
in_root() {
	into=$1
	shift
	chroot "$into" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root \
		DEBIAN_FRONTEND=noninteractive ${http_proxy:+http_proxy="$http_proxy"} "$@"
}

# as_user COMMAND: in a shell in the clean Debian $root, in the folder of a user without rights
as_user() {
	chroot --userspec=1000:1000 --groups= "${root:?}" /usr/bin/env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 HOME=/home/user \
		sh -ec "cd /home/user && $1"
}

# install_in ROOT PACKAGE...: with apt, quietly
install_in() {
	into=$1
	shift
	in_root "$into" apt-get update -qq
	in_root "$into" apt-get install -y -qq --no-install-recommends "$@" >"$into.log" 2>&1 || {
		tail -n 5 "$into.log" >&2
		fail "installing $* in the clean Debian failed"
	}
	rm -f "$into.log"
}

# check SENTENCE COMMAND...: one line if it succeeds; its output and the end if it fails
check() {
	sentence=$1
	shift
	if "$@" >"${work:?}/check.log" 2>&1; then
		echo "ok - $sentence"
	else
		echo "not ok - $sentence: $*"
		tail -n 20 "$work/check.log"
		exit 1
	fi
}
