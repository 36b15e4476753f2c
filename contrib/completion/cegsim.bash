# Completion of cegsim in bash. The program knows what fits (`cegsim complete`); this only passes on what was typed.

# __cegsim_words: the words up to the cursor, in the array `typed`. bash splits them at = : @ as well; pieces without a
# blank between them are one word again.
__cegsim_words() {
	local line=${COMP_LINE:0:COMP_POINT} rest i
	typed=()
	for ((i = 0; i <= COMP_CWORD; i++)); do
		rest=${line#"${line%%[![:blank:]]*}"}
		local piece=${COMP_WORDS[i]}
		((i < COMP_CWORD)) || piece=$rest
		if ((i > 0)) && [[ $rest == "$line" ]]; then
			typed[-1]+=$piece
		else
			typed+=("$piece")
		fi
		line=${rest#"$piece"}
	done
}

_cegsim() {
	local typed word kept='' i files=''
	__cegsim_words
	word=${typed[-1]}
	# readline replaces only what is behind the last = or : in the word.
	for ((i = 1; i <= ${#word}; i++)); do
		[[ ${word:i-1:1} == [=:] && $COMP_WORDBREAKS == *"${word:i-1:1}"* ]] && kept=${word:0:i}
	done
	COMPREPLY=()
	while IFS=$'\t' read -r word _; do
		if [[ $word == :files ]]; then
			files=yes
		else
			COMPREPLY+=("${word#"$kept"}")
		fi
	done < <("${typed[0]/#~\//$HOME/}" complete -- "${typed[@]:1}" 2>/dev/null)
	# Without a candidate bash offers files (-o default).
	[[ -n $files || ${#COMPREPLY[@]} -gt 0 ]] || compopt +o default
	[[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace
}

complete -o default -F _cegsim cegsim
