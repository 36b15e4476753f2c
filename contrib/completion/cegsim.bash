# bash completion for cegsim. The program itself is asked for everything except the layout of the command line, so the
# completion always fits its version.

# __cegsim_names LIST: the first column of `cegsim list LIST`
__cegsim_names() {
	"${COMP_WORDS[0]}" list "$1" --format json 2>/dev/null | sed -n 's/^{"[a-z]*": "\([^"]*\)".*/\1/p' | sort -u
}

# __cegsim_commands: the names below "Commands:" in the help
__cegsim_commands() {
	"${COMP_WORDS[0]}" --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p'
}

# __cegsim_options VERB: the long options in the help
__cegsim_options() {
	# shellcheck disable=SC2086 # expands to nothing before a verb is typed
	"${COMP_WORDS[0]}" $1 --help 2>/dev/null | sed -n 's/^ .*\(--[a-z][a-z-]*\).*/\1/p' | sort -u
}

# __cegsim_subjects: what the usage of list names as policies|presets|...
__cegsim_subjects() {
	"${COMP_WORDS[0]}" list --help 2>/dev/null | sed -n '/|/{s/.*\] *//; s/^ *//; s/|/\n/gp; q}'
}

_cegsim() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} verb='' words='' i
	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-*) ;;
		*)
			verb=${COMP_WORDS[i]}
			break
			;;
		esac
	done

	# bash splits words at '=' and '@', which become words of their own.
	if [[ $cur == = ]]; then
		cur=''
	elif [[ $prev == = ]]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	if [[ $verb == query && $cur == @ ]]; then
		cur='' prev=@
	fi

	case $verb/$prev in
	query/--format) words='table records csv json' ;;
	list/--format) words='table csv json markdown' ;;
	*/--format) words='table csv json' ;;
	run/-p | run/--policy | analyze/-p | analyze/--policy | search/-p | search/--policy | calibrate/-p | calibrate/--policy) words=$(__cegsim_names policies) ;;
	analyze/-a | analyze/--analysis | validate/-a | validate/--analysis | search/-a | search/--analysis) words=$(__cegsim_names analyses) ;;
	run/--record) words='summary jobs segments blocks issues' ;;
	calibrate/--form) words='profile grid work shared' ;;
	search/--method) words='climb random synchronous' ;;
	search/--releases) words='sporadic periodic' ;;
	query/@) words=$(__cegsim_names queries) ;;
	plot/--chart) words='curves steps points bars stacks boxes' ;;
	plot/*.db) words=$(__cegsim_names figures) ;;
	*)
		if [[ $cur == -* ]]; then
			words=$(__cegsim_options "$verb")
		elif [[ -z $verb ]]; then
			words=$(__cegsim_commands)
		elif [[ $verb == gen && $prev == gen ]]; then
			words=$(__cegsim_names recipes)
		elif [[ $verb == list ]]; then
			words=$(__cegsim_subjects)
		fi
		;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}

# If nothing is offered, bash completes file names.
complete -o default -F _cegsim cegsim
