#!/bin/sh
# Completion: `cegsim complete` offers what the program knows, and bash, zsh and fish put it on the command line.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# complete_words WORD...: what the program offers for the last one
complete_words() {
	# shellcheck disable=SC3044 # not the shell's complete
	run complete -- "$@"
}

# offers NAME WORD... <<END: the candidates for the last of the words, without what they mean
offers() {
	name=$1
	shift
	complete_words "$@"
	cut -f 1 out >names
	compare names "$name"
}

# ---- what the program offers -------------------------------------------------------------
offers "commands" li <<'END'
list
END
offers "commands to help with" help li <<'END'
list
END
offers "nothing behind a command that does not exist" lisst '' </dev/null
offers "nothing without words" </dev/null
offers "options before a command" --ver <<'END'
--version
END
offers "mappings of a file" schema --keys=tasks.segments.kernel <<'END'
--keys=tasks.segments.kernel
--keys=tasks.segments.kernel.block_shares
--keys=tasks.segments.kernel.block_times
END
offers "mappings of the other file" schema campaign --keys=run.h <<'END'
--keys=run.horizon
END
offers "behind an option that needs no value" schema --keys camp <<'END'
campaign
END
offers "subjects of list" list pres <<'END'
presets
END
offers "options" list --f <<'END'
--format
END
offers "no options behind --" run -- --f <<'END'
:files
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
offers "values behind =" list --format=c <<'END'
--format=csv
END
offers "figures" plot out.db acc <<'END'
acceptance
END
offers "figures behind options with values" plot --size 3x2 -o x.svg out.db acc <<'END'
acceptance
END
offers "kinds of charts" plot out.db --chart s <<'END'
steps
stacks
END
offers "policies, or a plug-in" run -p fifo <<'END'
fifo-cke
:files
END
offers "names behind a subject of list" list policies rt <<'END'
rtgpu
END
offers "names of queries have no mark there" list queries resp <<'END'
response
END
offers "tables" list columns v_jo <<'END'
v_job
END
offers "nothing where no name is taken" list presets j </dev/null
offers "policies behind others" run -p rm,fi <<'END'
rm,fifo-cke
:files
END
offers "and behind a blank" run -p 'rm, fi' <<'END'
rm, fifo-cke
:files
END
offers "options of the last policy" run -p rm,rtgpu:s <<'END'
rm,rtgpu:search=
END
offers "policies behind a short option" run -qprm,fi <<'END'
-qprm,fifo-cke
:files
END
offers "analyses behind others" validate -artgpu,mp <<'END'
-artgpu,mpcp
:files
END
offers "series" plot out.db acceptance --series rm=RM,fifo-c <<'END'
rm=RM,fifo-cke
rm=RM,fifo-chains
END
offers "options of a policy" run -p rtgpu:s <<'END'
rtgpu:search=
END
offers "options of a policy, behind others" run -p 'rtgpu:allocation=[2,1],ad' <<'END'
rtgpu:allocation=[2,1],admit=
END
offers "values of an option of a policy" run --policy=fifo-cke:order= <<'END'
--policy=fifo-cke:order=head
--policy=fifo-cke:order=release
END
offers "analyses" validate -a rtg <<'END'
rtgpu
:files
END
offers "presets" replay log.json --platform jetson-t <<'END'
jetson-tx1
jetson-tx2
END
offers "recipes" gen rtg <<'END'
rtgpu-table1
END
offers "options of a recipe" gen rtgpu-table1 count <<'END'
count_as=
END
offers "queries" query rec.db @resp <<'END'
@response
END
offers "parameters of a query" query rec.db @response -P r <<'END'
run=
END
offers "files for a recording" query rec <<'END'
:files
END
offers "levels" run --record '' <<'END'
summary
jobs
segments
blocks
issues
END
offers "nothing for a number" run --seed '' </dev/null

complete_words query rec.db @response
expect_line out "^@response	[a-z]" "what a candidate means comes behind a tab"

run list policies --format json
sed -n 's/^{"[a-z]*": "\([^"]*\)".*/\1/p' out | uniq >listed
complete_words run -p ''
cut -f 1 out | grep -v '^:files$' | cmp - listed
report $? "all policies that are listed"

run help complete
expect_status 2 "help complete"
expect_line err "^cegsim help: 'complete' has no page: it is for shells" "says that there is no page"
run list presets jetson-tx2
expect_line err "^cegsim list: list presets has all of them, and takes no name; what is 'jetson-tx2'\?$" "list presets NAME"

# Every value and every argument that the help names is of a kind that the completion knows.
run --help
sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p' out >verbs
unknown=0
missing=0
options=0
while read -r verb; do
	complete_words "$verb" ''
	[ "$status" -eq 0 ] || { unknown=1 && show_file err; }
	run "$verb" --help
	# shellcheck disable=SC2013 # one word per line
	for option in $(sed -n 's/^ .*\(--[a-z][a-z-]*\)=.*/\1/p' out); do
		options=$((options + 1))
		complete_words "$verb" "$option" ''
		[ "$status" -eq 0 ] || { unknown=1 && show_file err; }
		complete_words "$verb" "$option"
		grep -q "^$option	" out || { missing=1 && echo "# $verb $option"; }
	done
done <verbs
report $missing "every option in the help is offered"
report $unknown "there is an answer for each of $options options with a value"
[ "$options" -gt 60 ]
report $? "and they were found"

# ---- what shells make of it --------------------------------------------------------------
mkdir bin zsh
cp "$SOURCES/contrib/completion/cegsim.zsh" zsh/_cegsim
ln -s "$CEGSIM" bin/cegsim
PATH=$FOLDER/bin:$PATH
: >mine.db

# completes SHELL TYPED LINE: with a tab behind TYPED the line is LINE; blanks at its end do not count.
completes() {
	run_command python3 "$SOURCES/tests/cli/press_tab.py" "$1" "$2"
	sed 's/ *$//' out >line
	echo "$3" | cmp -s - line
	report $? "$1: $2" && return
	show_file line
	show_file err
}

for shell in bash zsh fish; do
	if ! command -v $shell >/dev/null; then
		report 0 "$shell # SKIP it is not installed"
		continue
	fi
	case $shell in
	bash) start=". $SOURCES/contrib/completion/cegsim.bash" ;;
	zsh) start="fpath=($FOLDER/zsh \$fpath); autoload -U compinit; compinit -u -D" ;;
	fish) start="source $SOURCES/contrib/completion/cegsim.fish" ;;
	esac
	export CEGSIM_SHELL_START="$start"
	completes $shell 'cegsim sch' 'cegsim schema'
	completes $shell 'cegsim run --form' 'cegsim run --format'
	completes $shell 'cegsim list --format=ma' 'cegsim list --format=markdown'
	completes $shell 'cegsim query mine.db @compa' 'cegsim query mine.db @compare'
	completes $shell 'cegsim run x.yaml -p fifo-cke:order=re' 'cegsim run x.yaml -p fifo-cke:order=release'
	completes $shell 'cegsim run x.yaml -p mpcp:wa' 'cegsim run x.yaml -p mpcp:wait='
	completes $shell 'cegsim audit mi' 'cegsim audit mine.db'
	completes $shell 'cegsim run --seed mi' 'cegsim run --seed mi'
done

finish
