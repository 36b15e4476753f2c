#!/bin/sh
# The README and the tour: the program prints what they show, scenarios are the shipped ones, pictures are what is drawn.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/page_lib.sh
. "$SOURCES/tests/cli/page_lib.sh"

PATH=${CEGSIM%/*}:$PATH
ln -s "$SOURCES/scenarios" scenarios
walk "$SOURCES/README.md"
walk "$SOURCES/docs/tour.md"

# shown_yaml PAGE: the first scenario on it
shown_yaml() {
	sed -n '/^```yaml$/,/^```$/p' "$1" | sed '/^```/d; /^# /d'
}
for pair in README.md:first docs/tour.md:quickstart; do
	shown_yaml "$SOURCES/${pair%:*}" >shown.yaml
	grep -v '^#' "$SOURCES/scenarios/examples/${pair#*:}.yaml" >shipped.yaml
	run_command cmp shown.yaml shipped.yaml
	expect_status 0 "the scenario of ${pair%:*} is the shipped one"
done

# The pictures: each is drawn anew; those of the tour by the command in the tour, too.
run_command sh "$SOURCES/docs/pictures/make.sh" "$CEGSIM" drawn
expect_status 0 "the pictures are drawn"
for picture in "$SOURCES"/docs/pictures/*.svg; do
	name=${picture##*/}
	run_command cmp "$picture" "drawn/$name"
	expect_status 0 "$name is what is drawn today"
	grep -q "(docs/pictures/$name)" "$SOURCES/README.md" ||
		grep -q "(pictures/$name)" "$SOURCES/docs/tour.md" "$SOURCES/docs/from-nsight.md" "$SOURCES/docs/machine-of-today.md"
	report $? "$name is in the README, the tour or a guide"
	if [ -e "$name" ]; then
		run_command cmp "$picture" "$name"
		expect_status 0 "the tour's command draws $name"
	fi
done

[ "$(wc -l <"$SOURCES/README.md")" -le 150 ]
report $? "the README has at most 150 lines"
finish
