# shellcheck shell=sh
# tests/cli/writers_lib.sh - what tests of both writers compare. Needs lib.sh.

# A digest of all that a recording says.
content() {
	"$CEGSIM" merge --digest --format csv "$1" | sed -n '2s/^[^,]*,//p'
}

# The answers of all named queries.
answers() {
	sed -n 's/^-- name: //p' "$SOURCES/db/queries.sql" | while read -r query; do
		echo "== @$query"
		"$CEGSIM" query "$1" "@$query" --format csv 2>&1
	done
}
