#!/bin/sh
# The bash completion offers what the program knows.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# offers NAME WORD... <<END: completing the last of the words, which bash has split
offers() {
	name=$1
	shift
	# shellcheck disable=SC2016 # for the inner shell
	run_command bash -c '
		. "$0"
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		_cegsim
		printf "%s\n" "${COMPREPLY[@]}"' "$SOURCES/contrib/completion/cegsim.bash" "$CEGSIM" "$@"
	expect_out "$name"
}

offers "commands" li <<'END'
list
END
offers "subjects of list" list pres <<'END'
presets
END
offers "options" list --f <<'END'
--format
END
offers "options before a command" --ver <<'END'
--version
END
offers "values of --format" list --format '' <<'END'
table
csv
json
markdown
END
offers "values of --format of others" gen --format '' <<'END'
table
csv
json
END
offers "values behind =" list --format = c <<'END'
csv
END
offers "figures" plot out.db acc <<'END'
acceptance
END
offers "kinds of charts" plot out.db --chart s <<'END'
steps
stacks
END
offers "policies" run -p fifo <<'END'
fifo-cke
END
offers "policies of analyze" analyze -p stg <<'END'
stgm
END
offers "policies of calibrate" calibrate -p gt <<'END'
gto
END
offers "forms of calibrate" calibrate --form '' <<'END'
profile
grid
work
shared
END
offers "analyses" validate -a rtg <<'END'
rtgpu
END
offers "recipes" gen rt <<'END'
rtgpu-table1
END
offers "queries" query rec.db @ resp <<'END'
response
END
offers "nothing where files are meant" query rec <<'END'

END

finish
