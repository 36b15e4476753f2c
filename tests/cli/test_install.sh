#!/bin/sh
# What `meson install` puts down: program, manual, completion, headers, pages with pictures, scenarios, scripts; and
# nothing else.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

: "${CEGSIM_BUILD_ROOT:?is the folder of the build}"
run_command meson install -C "$CEGSIM_BUILD_ROOT" --no-rebuild --destdir "$FOLDER/root"
expect_status 0 "meson install succeeds"
show_file err
CEGSIM=$FOLDER/$(find root -path '*/bin/cegsim')
prefix=${CEGSIM%/bin/cegsim}
share=$prefix/share
(cd "$prefix" && find . -type f) | sed 's|^\./||' | sort >installed
find root -type f ! -path "root${prefix#"$FOLDER/root"}/*" >outside
! [ -s outside ]
report $? "everything is below the prefix" || show_file outside

run --version
expect_status 0 "the program runs from its place"

# same NAME FOLDER: the files in the list `names`, each with the folder in front, are what is installed in the folder
same() {
	sed "s|^|$2/|" names | sort >wanted
	grep "^$2/" installed | cmp -s - wanted
	report $? "$1" && return
	grep "^$2/" installed | diff wanted - | sed 's/^/#   /'
}

# from SOURCE...: what is below these folders or files of the sources, under their own names
from() {
	for source in "$@"; do
		(cd "$SOURCES/${source%/*}" && find "${source##*/}" -type f)
	done
}

(cd "$SOURCES/docs" && find . -name '*.md' -o -name '*.svg' -o -name '*.png') | sed 's|^\./||' >names
same "all pages and their pictures" share/doc/cegsim/docs
from scenarios/examples scenarios/papers scenarios/campaigns contrib/parallel contrib/plugin contrib/python contrib/slurm >names
same "all scenarios, scripts for clusters, a plug-in" share/cegsim
printf '%s\n' bash-completion/completions/cegsim fish/vendor_completions.d/cegsim.fish \
	zsh/site-functions/_cegsim >places
grep 'complet\|site-functions' installed | sed 's|^share/||' | diff places - >difference
report $? "completion, where each shell looks for it" || show_file difference
for page in CHANGELOG.md CITATION.cff LICENSE README.md; do
	cmp "$share/doc/cegsim/$page" "$SOURCES/$page"
	report $? "$page"
done

if grep -q '^share/man/' installed; then
	# shellcheck disable=SC2012 # names of ours
	(cd "$SOURCES/docs/man" && ls ./*.scd) | sed 's|^\./||; s|\.scd$||' |
		sed 's|.*\.\(.\)$|man\1/&|' >names
	printf '%s\n' man5/cegsim-campaign.5 man5/cegsim-scenario.5 >>names # made from pages of docs/
	same "a manual page of every source of one" share/man
else
	report 0 "manual # SKIP scdoc is not installed"
fi

grep '^include/' installed | sed 's|^include/||' >headers
while read -r header; do
	printf '#include <%s>\n' "${header#cegsim/}"
done <headers >all.c
run_command "${CC:-cc}" -std=c17 -Wall -Werror -fsyntax-only -I"$prefix/include/cegsim" all.c
expect_status 0 "the headers need no others"
show_file err
[ "$(wc -l <headers)" -ge 14 ]
report $? "and they are there"

# Links between installed pages lead somewhere. What is of the sources only is no page for users.
grep -o '](\(\.\./\)*[a-z/-]*\.\(md\|svg\|png\)' "$share"/doc/cegsim/docs/*.md | sed 's/:](/ /' >links
bad_links=0
while read -r page link; do
	[ -e "${page%/*}/$link" ] && continue
	case $link in
	*../scenarios/* | *../tests/* | *../report/* | *../CONTRIBUTING.md) ;;
	*) bad_links=1 && echo "# ${page##*/}: $link" ;;
	esac
done <links
report $bad_links "links from page to page lead somewhere"

grep -v '^\(bin/cegsim\|include/cegsim/\|share/\)' installed >others
! [ -s others ]
report $? "nothing else" || show_file others
grep '^share/' installed |
	grep -v '/\(cegsim/\|pkgconfig/cegsim\.pc$\|doc/cegsim/\|man/man[15]/cegsim\|bash-completion/\|fish/\|zsh/\)' >others
! [ -s others ]
report $? "nothing else in share" || show_file others

finish
