#!/bin/sh
# The command line in general: help, versions, mistakes, exit codes, output that cannot be written.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

run
expect_status 2 "no command is a usage error"
expect_err "which asks for one" <<-'END'
	cegsim: which command?
	Try `cegsim --help' or `cegsim --usage' for more information.
END

run lits
expect_status 2 "an unknown command is a usage error"
expect_err "with a suggestion" <<-'END'
	cegsim: there is no command 'lits'; did you mean 'list'?
	Try `cegsim --help' or `cegsim --usage' for more information.
END

run frobnicate
expect_err "a suggestion only where one is near" <<-'END'
	cegsim: there is no command 'frobnicate'
	Try `cegsim --help' or `cegsim --usage' for more information.
END

run --frobnicate
expect_status 2 "an unknown option is a usage error"

run --version
expect_status 0 "--version"
expect_line out '^cegsim [0-9]+\.[0-9]+\.[0-9]+$' "prints name and version"

run --help
expect_status 0 "--help"
cp out help
verbs=$(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' help)
for verb in audit list query replay run schema; do
	expect_line help "^  $verb +[a-z]" "--help lists $verb"
done

for verb in $verbs; do
	run "$verb" --help
	expect_status 0 "$verb --help"
	expect_line out "^Usage: cegsim $verb " "$verb --help begins with its usage"
	run "$verb" --usage
	expect_status 0 "$verb --usage"
	run "$verb" --version
	expect_line out '^cegsim [0-9]' "$verb --version"
	run "$verb" --frobnicate
	expect_status 2 "$verb with an unknown option"
	expect_line err "^cegsim $verb: " "names the command"
done

output=/dev/full
run --help
expect_status 3 "a full disk is an I/O error"
expect_err "and said so" <<-'END'
	cegsim: error: cannot write to standard output: No space left on device
END
run list presets
expect_status 3 "also below a table"
expect_err "once" <<-'END'
	cegsim: error: cannot write the table: No space left on device
END

finish
