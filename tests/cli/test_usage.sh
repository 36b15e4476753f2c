#!/bin/sh
# The command line in general: help, versions, mistakes, exit codes, output that cannot be written.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

run
expect_status 2 "no command is a usage error"
expect_no_output_on_stderr "without a message"
expect_line out '^cegsim simulates real-time tasks' "but with a short help: what it is,"
expect_line out '^  cegsim run SCENARIO.yaml -o out.db ' "what to do first,"
sed -n '/^Commands:/,/^$/p' out >commands
expect_line commands '^  validate  ' "and all commands"

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
run_command grep -cvxFf help commands
expect_status 1 "--help lists the same commands"
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

run help
expect_out "help is the same as --help" <help
run run --help
cp out run_help
run help run
expect_status 0 "help COMMAND"
expect_out "is what COMMAND --help prints, where no terminal is" <run_help
run help lits
expect_status 2 "help with an unknown command"
expect_err "has the same suggestion" <<-'END'
	cegsim help: there is no command 'lits'; did you mean 'list'?
	Try `cegsim help --help' or `cegsim help --usage' for more information.
END
run help run list
expect_status 2 "help takes one command"
run schema campaign --keys
cp out keys
run help campaign
expect_status 0 "help of a kind of file"
expect_out "is its keys, where no terminal is" <keys
run help scenario
expect_line out ' horizon ' "also of scenarios"
run help recording
expect_line out '^segment_interval ' "or the tables of a recording"
run help campaign run
expect_status 2 "and then no command"

# On a terminal man shows the page, if it knows it.
mkdir bin
cat >bin/man <<-'END'
	#!/bin/sh
	echo "man $*" >>called
	if [ "$1" = -w ]; then
		echo where it is
		[ "$2" = cegsim-run ]
	else
		echo the page
	fi
END
chmod +x bin/man
inner_path=$PWD/bin:$PATH
# on_terminal ARGUMENT...: the program, with a terminal as its output
on_terminal() {
	rm -f called
	# shellcheck disable=SC2016 # the inner program's words
	export inner_path
	run_command python3 -c '
import os, pty, sys
os.environ["PATH"] = os.environ["inner_path"]
output = open("out.terminal", "wb")
def read(fd):
    data = os.read(fd, 4096)
    output.write(data.replace(b"\r\n", b"\n"))
    return data
status = pty.spawn(sys.argv[1:], read, lambda fd: b"")
raise SystemExit(status >> 8)' "$CEGSIM" "$@"
}
on_terminal help run
expect_status 0 "help COMMAND on a terminal"
run_command cat out.terminal
expect_out "shows the man page, and nothing else" <<-'END'
	the page
END
run_command cat called
expect_out "after man was asked for it" <<-'END'
	man -w cegsim-run
	man cegsim-run
END
on_terminal help list
expect_status 0 "a command whose page man does not have"
run list --help
cp out list_help
run_command cmp list_help out.terminal
expect_status 0 "has its --help"
inner_path=$PWD/nothing
on_terminal help run
expect_status 0 "without any man"
run_command cmp run_help out.terminal
expect_status 0 "too"

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
