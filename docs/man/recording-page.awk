# docs/man/recording-page.awk - makes cegsim-recording(5). It copies the page (first file) and replaces its line @COLUMNS@
# by what the rows of column_doc (second file, from db/column_doc.c) say about every column. Each row is a single line:
# ('table', 'column', unit, 'description'), where unit is NULL or a text.

function plain(sql) {
	gsub(/''/, "'", sql)
	gsub(/[\\_*#]/, "\\\\&", sql)
	return sql
}

# Removes the first SQL text, or NULL, from `rest`, and returns it.
function take(    value) {
	if (match(rest, /^NULL/)) {
		value = ""
	} else {
		match(rest, /^'([^']|'')*'/)
		value = plain(substr(rest, 2, RLENGTH - 2))
	}
	rest = substr(rest, RLENGTH + 1)
	sub(/^, */, "", rest)
	return value
}

NR == FNR {
	page[++lines] = $0
	next
}
/^\('/ {
	rest = substr($0, 2)
	table = take()
	column = take()
	unit = take()
	if (table != last)
		columns = columns "\n## " table "\n"
	last = table
	columns = columns "\n*" column "*" (unit == "" ? "" : " (" unit ")") "\n\t" take() "\n"
}
END {
	for (i = 1; i <= lines; i++) {
		if (page[i] == "@COLUMNS@")
			print columns
		else
			print page[i]
	}
}
