# shellcheck shell=sh
# tests/cli/page_lib.sh - does what a page of docs/ says, in the current folder, and compares.
#
#   walk PAGE      needs lib.sh; one case for each command of the page
#
# Of a page's boxes (between lines of three backticks) these count:
#
# * A box whose first line names a file, "# small.yaml", "/* recent.c - ..." or "<!-- tasks.xml -->", is that file.
# * A line "$ COMMAND" is a command, which goes on in lines "> ...". The lines behind it, up to the next command or the
#   end of the box, are what it prints, to both outputs. "..." alone in a line is any number of lines.
#   A command succeeds, unless a line of these begins as "cegsim: error: " or "file.yaml:1:2: error: " does.
# * "<!-- if COMMAND -->" alone in a line: the next box counts only where COMMAND succeeds.

# steps_of PAGE FOLDER: writes what is to be done as FOLDER/NNN.KIND, in order; KIND is file, command, wanted or condition
steps_of() {
	rm -rf "$2"
	mkdir "$2"
	awk -v folder="$2" '
		function step(kind) { return sprintf("%s/%03d.%s", folder, steps, kind) }
		function begin() {
			steps++
			if (condition != "")
				print condition >step("condition")
			close(step("condition"))
		}
		function finish() {
			if (writing != "")
				close(writing)
			writing = ""
		}
		/^<!-- if .* -->$/ { condition = substr($0, 9, length($0) - 12); next }
		/^```/ && !inside { inside = first = 1; next }
		/^```/ { finish(); inside = 0; condition = ""; next }
		!inside { next }
		first && match($0, /^(#|\/\*|<!--) [A-Za-z0-9_-]+\.[a-z0-9]+( -|$)/) {
			begin()
			writing = step("file")
			print $2 >step("name")
			close(step("name"))
		}
		{ first = 0 }
		/^\$ / && writing !~ /\.file$/ {
			finish()
			begin()
			writing = step("command")
			sub(/^\$ /, "")
		}
		# The line behind a command, if it is not more of it.
		writing ~ /\.command$/ && begun == steps && !sub(/^> /, "") {
			finish()
			writing = step("wanted")
		}
		{ begun = steps }
		writing != "" { print >writing }' "$1"
}

# printed WANTED GOT: GOT is WANTED, whose lines "..." are any lines; else the first line that is not there
printed() {
	awk '
		FILENAME == ARGV[1] { wanted[++lines] = $0; next }
		{ got[++all] = $0 }
		END {
			at = 1
			for (i = 1; i <= lines; i++) {
				if (wanted[i] == "...") {
					any = 1
					continue
				}
				while (any && at <= all && got[at] != wanted[i])
					at++
				if (at > all || got[at] != wanted[i]) {
					print "#   wanted: " wanted[i]
					print "#   got:    " (at > all ? "(the end)" : got[at])
					exit 1
				}
				at++
				any = 0
			}
			if (!any && at <= all) {
				print "#   more than is shown: " got[at]
				exit 1
			}
		}' "$1" "$2"
}

# title STEP: its first line; in TAP a number sign ends a title
title() {
	head -n 1 "$1" | tr -d '#' | sed 's/^ *//'
}

# run_shown COMMAND: the step's command, as typed; both outputs in `shown`
run_shown() {
	last=$(cat "$1")
	status=0
	sh -c "$last" </dev/null >shown 2>&1 || status=$?
	wanted=${1%.command}.wanted
	: >>"$wanted"
	fails=0
	! grep -Eq '^[^ ]+ error: ' "$wanted" || fails=1
	complaint=$(printed "$wanted" shown) && [ $((status != 0)) -eq $fails ]
	report $? "$page: $(title "$1")" && return
	echo "#   status $status"
	if [ -n "$complaint" ]; then echo "$complaint"; else show_file shown; fi
}

walk() {
	page=${1##*/}
	# Where `steps` cannot be in the way of a command.
	steps=$FOLDER/steps.${page%.md}
	steps_of "$1" "$steps"
	[ -n "$(ls "$steps")" ]
	report $? "$page has something to do"
	for step in "$steps"/*.file "$steps"/*.command; do
		[ -e "$step" ] && echo "$step"
	done | sort >"$steps.order"
	while read -r step; do
		condition=${step%.*}.condition
		if [ -e "$condition" ] && ! sh -c "$(cat "$condition")" >/dev/null 2>&1; then
			report 0 "$page: $(title "$step") # SKIP without: $(cat "$condition")"
			continue
		fi
		case $step in
		*.file) cp "$step" "$(cat "${step%.file}.name")" ;;
		*.command) run_shown "$step" ;;
		esac
	done <"$steps.order"
}
