#!/bin/sh
# The template of `cegsim view` and the driver of its test match their sources: neither was changed without the other. And
# neither loads anything from elsewhere.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

template=$SOURCES/report/viewer/template.html
driver=$SOURCES/tests/browser/puppeteer.mjs
lock=$SOURCES/report/viewer/package-lock.json

# lacks FILE REGEX NAME: like expect_no_line, for files with long lines: shows the match, not the file
lacks() {
	grep -oE -- "$2" "$1" | cut -c 1-100 | sort -u >found
	compare found "$3" </dev/null
}

# --- the template -------------------------------------------------------------------------------

expect_line "$template" '<meta name="cegsim-viewer-source" content="[0-9a-f]{64}">' "the template says what it was made of"
(
	cd "$SOURCES/report/viewer" || exit 99
	# shellcheck disable=SC2046 # paths without blanks, as in report/viewer/README.md
	cat $(find src -type f | LC_ALL=C sort) build.mjs package.json package-lock.json | sha256sum
) | cut -d ' ' -f 1 >now
sed -n 's/.*<meta name="cegsim-viewer-source" content="\([0-9a-f]*\)">.*/\1/p' "$template" >built
compare built "and these are the sources (else: npm run build in report/viewer)" <now
for marker in meta data; do
	[ "$(grep -c "^<!--cegsim:$marker-->\$" "$template")" -eq 1 ] && [ "$(grep -o "<!--cegsim:$marker-->" "$template" | wc -l)" -eq 1 ]
	report $? "it has one place for the recording's $marker"
done

# Names of XML namespaces are no addresses, nor is an address in an error message.
addresses() {
	grep -oE '(https?|wss?|ftp)://[^]"'"'"'`<>() \\]*' "$1" | sort -u
}
addresses "$template" | grep -vE '^http://www\.w3\.org/(1999/xhtml|1999/xlink|2000/svg|2000/xmlns/|XML/1998/namespace)$' >named
compare named "it names no address but that of a discussion, in the text of an error" <<'END'
https://github.com/sql-js/sql.js/pull/647
END
lacks "$template" '(src|href|action|poster|data)="?(https?:)?//' "and has no element from elsewhere"
lacks "$template" '@import|url\((https?:)?//' "nor styles"
# The element is on one line or on two.
grep -A 1 'http-equiv="Content-Security-Policy"' "$template" | cut -c 1-400 >policy
expect_line policy "content=\"default-src 'none'; " "a policy forbids everything else"
lacks policy "connect-src|[^-]unsafe-eval|frame-src|https?:" "and makes no exception"
expect_line "$template" 'SQLite|sql\.js' "the licences are inside: sql.js"
expect_line "$template" 'Mike Bostock|Observable, Inc' "and Plot and D3"

# --- the packages -------------------------------------------------------------------------------

expect_no_line "$lock" '"resolved"|https?://[a-z.]*(npm|yarn)' "the lock names no place to get packages from"
expect_line "$lock" '"integrity": "sha512-' "but their checksums"
version=$(sed -n '/"node_modules\/puppeteer-core"/,/}/s/.*"version": "\(.*\)".*/\1/p' "$lock")
expect_line "$driver" "^puppeteer-core $version, copyright Google Inc" "the driver of the test is of the version in the lock"
expect_line "$driver" 'Apache License' "with its licence"
lacks "$driver" 'googleapis|npmjs' "and fetches no browser"

finish
