# docs/man/page.awk - makes a man page, for scdoc, of a page of docs/. So both have one source.
#
#   awk -v name=cegsim-scenario -v says='what cegsim simulates' -v see='*cegsim*(1)' -f page.awk scenario.md
#
# It knows what the pages use: headings, paragraphs, lists, code, tables, links, `code`, **bold** and *emphasis*. What is in
# front of the first heading of level 2 is the description. A row of a table becomes a paragraph with a hanging
# indent: the first cell, then the others.

# Text without markup, for scdoc.
function plain(text) {
	gsub(/[\\_*]/, "\\\\&", text)
	gsub(/\001/, "|", text)
	return text
}

# Emphasis; `sign` is ** or *.
function emphasis(text, sign, by,    out, at, from) {
	from = 1
	while ((at = index(substr(text, from), sign)) > 0) {
		out = out substr(text, from, at - 1) by
		from += at - 1 + length(sign)
	}
	return out substr(text, from)
}

# [words](page.md#part) becomes: words (docs/page.md)
function links(text,    out, words, target) {
	while (match(text, /\[[^]\[]*\]\([^)]*\)/)) {
		out = out substr(text, 1, RSTART - 1)
		words = substr(text, RSTART + 1, RLENGTH - 2)
		target = substr(words, index(words, "](") + 2)
		words = substr(words, 1, index(words, "](") - 1)
		text = substr(text, RSTART + RLENGTH)
		sub(/#.*/, "", target)
		if (target ~ /^[a-z0-9-]*\.md$/)
			target = "docs/" target
		out = out words (target == "" ? "" : " (" target ")")
	}
	return out text
}

# A line outside of code: what is between backticks is code. \002 and \003 are the signs of scdoc for bold and underlined.
function inline(text,    parts, count, i, out, part) {
	count = split(links(text), parts, "`")
	for (i = 1; i <= count; i++) {
		part = parts[i]
		if (i % 2 == 0) {
			out = out "*" plain(part) "*"
			continue
		}
		part = emphasis(part, "**", "\002")
		gsub(/\\\*/, "\004", part)
		part = emphasis(part, "*", "\003")
		gsub(/\004/, "*", part)
		gsub(/\\</, "<", part)
		part = plain(part)
		gsub(/\002/, "*", part)
		gsub(/\003/, "_", part)
		out = out part
	}
	return out
}

# A line of prose must not begin as a heading, a table or a list of scdoc.
function prose(text) {
	text = inline(text)
	return text ~ /^[#|\[\]+.-]/ ? "\\" text : text
}

# A sentence, with a capital and a full stop. A word in front of a colon is a value: it stays what it is.
function sentence(text) {
	if (text ~ /^[a-z]/ && text !~ /^[a-z-]+:/)
		text = toupper(substr(text, 1, 1)) substr(text, 2)
	return text (text ~ /[.!?]$/ ? "" : ".")
}

function cell(text) {
	sub(/^ +/, "", text)
	sub(/ +$/, "", text)
	return inline(text)
}

# A key with its values, its default and what it means.
function print_key(term, values, fallback, meaning) {
	print "\n" term (values == "" ? "" : ": " values)
	if (fallback ~ /^(required|one of|only)/)
		fallback = " " sentence(fallback)
	else if (fallback != "")
		fallback = " Default: " fallback "."
	print "\t" sentence(meaning) fallback
}

function print_row(    i, rest) {
	if (head[1] == "key" && cells == 4) {
		print_key(row[1], row[2], row[3], row[4])
	} else if (head[2] == "option" && cells == 5) {
		print_key(row[2] " (" row[1] ")", row[4], row[3], row[5])
	} else {
		print "\n" row[1]
		for (i = 2; i <= cells; i++)
			if (row[i] != "")
				rest = rest (rest == "" ? "" : " " head[i] ": ") sentence(row[i])
		print "\t" rest
	}
}

function end_code() {
	if (indented)
		print "```"
	indented = 0
}

BEGIN {
	print name "(5)\n\n# NAME\n\n" name " - " says "\n\n# DESCRIPTION"
}

/^```/ {
	end_code()
	fenced = !fenced
	if (fenced)
		print ""
	print "```"
	next
}
fenced {
	print
	next
}
/^    / && !item {
	if (!indented)
		print "\n```"
	indented = 1
	print substr($0, 5)
	next
}
{
	end_code()
}
/^<!--/ {
	next
}
/^# / {
	next
}
/^##+ / {
	match($0, /^#+/)
	level = RLENGTH - 1
	text = substr($0, RLENGTH + 2)
	print "\n" (level == 1 ? "# " toupper(text) : "## " plain(text)) "\n"
	next
}
/^\|/ {
	gsub(/\\\|/, "\001")
	sub(/^\|/, "")
	sub(/\| *$/, "")
	cells = split($0, row, "|")
	for (i = 1; i <= cells; i++)
		row[i] = cell(row[i])
	if (!table)
		for (i = 1; i <= cells; i++)
			head[i] = row[i]
	else if (table > 1)
		print_row()
	table++
	next
}
{
	table = 0
}
/^\* / {
	item = 1
	print "- " inline(substr($0, 3))
	next
}
/^$/ {
	item = 0
	print ""
	next
}
{
	print item && /^  / ? "  " inline(substr($0, 3)) : prose($0)
}
END {
	end_code()
	print "\n# SEE ALSO\n\n" see
}
