# tests/circles.awk - reads the sources and headers named on its standard input and prints every circle among them:
# headers that include each other, and sources that call each other's functions by name. A function in a table is not a
# call: the registered function's file does not know who calls it.
#
# -v machines=...: groups of sources, one per line and without ".c", that form one machine and may call each other.

# The line without comments and without the contents of quotes.
function code_of(line,    out, mark) {
	out = ""
	while (line != "") {
		if (in_comment) {
			if (!match(line, /\*\//))
				return out
			in_comment = 0
			line = substr(line, RSTART + 2)
		} else if (match(line, /\/\*|\/\/|["']/)) {
			out = out substr(line, 1, RSTART - 1)
			mark = substr(line, RSTART, RLENGTH)
			line = substr(line, RSTART + RLENGTH)
			if (mark == "//")
				return out
			if (mark == "/*")
				in_comment = 1
			else
				line = behind_quote(line, mark)
			out = out " "
		} else
			return out line
	}
	return out
}

function behind_quote(line, mark,    end) {
	while (match(line, mark == "\"" ? /\\.|"/ : /\\.|'/)) {
		end = substr(line, RSTART, RLENGTH) == mark
		line = substr(line, RSTART + RLENGTH)
		if (end)
			return line
	}
	return ""
}

# A function begins in the first column, and a prototype ends with its line. `hidden`: other files cannot call it. Returns
# what follows its name.
function note_definition(file, code,    head, name) {
	if (!match(code, /^[A-Za-z_][A-Za-z0-9_ *]*[ *][A-Za-z_][A-Za-z0-9_]*\(/))
		return code
	head = substr(code, 1, RLENGTH - 1)
	name = head
	sub(/^.*[ *]/, "", name)
	if (head ~ /(^| )static( |$)/)
		hidden[file, name] = 1
	else if (code !~ /;[ \t]*$/ && head !~ /^(typedef|extern) /)
		home[name] = file
	return substr(code, length(head) + 1)
}

function note_calls(file, code,    before, name) {
	while (match(code, /[A-Za-z_][A-Za-z0-9_]*\(/)) {
		before = RSTART > 1 ? substr(code, RSTART - 1, 1) : ""
		name = substr(code, RSTART, RLENGTH - 1)
		code = substr(code, RSTART + RLENGTH)
		if (before == "." || before == ">" || (file, name) in called)
			continue
		called[file, name] = 1
		calls[file, ++call_count[file]] = name
	}
}

function add_edge(from, to, how) {
	if (from == to || (from, to) in known_edge)
		return
	known_edge[from, to] = how
	edge[from, ++edges[from]] = to
}

function read(file,    line, code) {
	in_comment = 0
	while ((getline line < file) > 0)
		if (line ~ /^[ \t]*#[ \t]*include[ \t]*"/ && file ~ /\.h$/) {
			gsub(/^[^"]*"|".*$/, "", line)
			add_edge(file, line, "")
		} else if (file ~ /\.c$/ && line !~ /^[ \t]*#/) {
			code = code_of(line)
			note_calls(file, note_definition(file, code))
		}
	close(file)
}

function one_machine(a, b) {
	return a in machine && b in machine && machine[a] == machine[b]
}

function say(to,    i, at, text) {
	for (i = depth; path[i] != to; i--)
		;
	text = path[i]
	for (at = i + 1; at <= depth + 1; at++)
		text = text " -> " (at <= depth ? path[at] : to) known_edge[path[at - 1], at <= depth ? path[at] : to]
	print text ": a circle"
}

function visit(file,    i) {
	path[++depth] = file
	state[file] = "open"
	for (i = 1; i <= edges[file]; i++)
		if (!(edge[file, i] in state))
			visit(edge[file, i])
		else if (state[edge[file, i]] == "open")
			say(edge[file, i])
	state[file] = "closed"
	depth--
}

BEGIN {
	rows = split(machines, row, "\n")
	for (i = 1; i <= rows; i++) {
		words = split(row[i], word, " ")
		for (k = 1; k <= words; k++)
			machine[word[k] ".c"] = i
	}
}
{
	files[++file_count] = $0
	read($0)
}
END {
	for (i = 1; i <= file_count; i++)
		for (k = 1; k <= call_count[files[i]]; k++) {
			name = calls[files[i], k]
			if (name in home && !((files[i], name) in hidden) && !one_machine(files[i], home[name]))
				add_edge(files[i], home[name], " (" name ")")
		}
	for (i = 1; i <= file_count; i++)
		if (!(files[i] in state))
			visit(files[i])
}
