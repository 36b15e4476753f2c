#compdef cegsim
# Completion of cegsim in zsh. The program knows what fits (`cegsim complete`); this only passes on what was typed.

_cegsim() {
	local line name files=1
	local -a names shown open open_shown
	for line in "${(@f)$("${${(Q)words[1]}/#\~\//$HOME/}" complete -- \
		"${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
		name=${line%%$'\t'*}
		case $name in
		'') ;;
		:files) files=0 ;;
		*=)
			open+=("$name")
			open_shown+=("${line/$'\t'/  -- }")
			;;
		*)
			names+=("$name")
			shown+=("${line/$'\t'/  -- }")
			;;
		esac
	done
	(($#names)) && compadd -l -d shown -a names && files=1
	# A value follows: no blank.
	(($#open)) && compadd -S '' -l -d open_shown -a open && files=1
	((files)) || _files
}

_cegsim "$@"
