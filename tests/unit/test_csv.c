/* tests/unit/test_csv.c - base/csv.h: how lines are cut into cells, what is skipped, and where errors are. */
#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "tests/support/test.h"

#define COLUMNS 3
static const char *const columns[COLUMNS] = {"who", "when", "what"};

/* One line: its cells as "text@column|text@column", followed by an error, if any. */
struct line {
	const char *in, *out;
};

static void say(const struct csv *c, char *out, size_t size)
{
	size_t at = 0;
	*out = '\0';
	for (uint32_t i = 0; i < c->count && i < c->most; i++)
		at += (size_t)snprintf(
			out + at, size - at, "%s%s@%u", i ? "|" : "", c->cells[i].text, c->cells[i].column);
	if (c->fault != CSV_FINE)
		snprintf(out + at, size - at, " %s %u of %u", c->fault == CSV_QUOTE ? "quote" : "more",
			c->fault_column, c->count);
}

TEST("lines are cut into cells")
{
	static const struct line lines[] = {
		{"a,b,c", "a@1|b@3|c@5"},
		{"a", "a@1"},
		{",", "@1|@2"},
		{"  a b \t, c ,\td\t", "a b@3|c@10|d@14"},
		{"\"a, b\",\"c\"\"d\" , \"\"", "a, b@1|c\"d@8|@17"},
		{"a\"b\",c", "a\"b\"@1|c@6"},
		{"a,b,c\r", "a@1|b@3|c@5"},
		{"a # b", "a # b@1"},
		{"a,\"b", "a@1 quote 3 of 1"},
		{"a, \"b\" c", "a@1 quote 3 of 1"},
		{"a,b,c,d", "a@1|b@3|c@5 more 7 of 4"},
		{"a,b,c, d,\"e\",f,", "a@1|b@3|c@5 more 7 of 7"},
		{"a,b,c,d,\"e", "a@1|b@3|c@5 more 7 of 4"},
	};
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		char text[80], out[80];
		snprintf(text, sizeof(text), "%s", lines[i].in);
		struct csv csv = csv_of(text, columns, COLUMNS);
		assert_true(csv_next(&csv));
		say(&csv, out, sizeof(out));
		assert_string_equal(out, lines[i].out);
		assert_false(csv_next(&csv));
	}
}

TEST("empty lines and remarks are skipped")
{
	char text[] = "\n# a remark, \"\r\n \t\r\na\n\n  # not one\n";
	struct csv csv = csv_of(text, columns, COLUMNS);
	assert_true(csv_next(&csv));
	assert_int_equal(csv.line, 4);
	assert_int_equal(csv.row, 1);
	assert_string_equal(csv.cells[0].text, "a");
	assert_true(csv_next(&csv));
	assert_int_equal(csv.line, 6);
	assert_int_equal(csv.row, 2);
	assert_string_equal(csv.cells[0].text, "# not one");
	assert_false(csv_next(&csv));
	char nothing[] = "";
	csv = csv_of(nothing, columns, COLUMNS);
	assert_false(csv_next(&csv));
}

TEST("only the first row names columns")
{
	char text[] = "\xef\xbb\xbfwho,\"when\", what\nwho,when,what\n";
	struct csv csv = csv_of(text, columns, COLUMNS);
	assert_true(csv_next(&csv) && csv_is_header(&csv));
	assert_int_equal(csv.cells[0].column, 1);
	assert_true(csv_next(&csv));
	assert_false(csv_is_header(&csv));
	char less[] = "who,when", other[] = "who,what,when", more[] = "who,when,what,why";
	csv = csv_of(less, columns, COLUMNS);
	assert_true(csv_next(&csv) && csv_is_header(&csv));
	csv = csv_of(other, columns, COLUMNS);
	assert_true(csv_next(&csv));
	assert_false(csv_is_header(&csv));
	csv = csv_of(more, columns, COLUMNS);
	assert_true(csv_next(&csv) && csv.fault == CSV_MORE);
	assert_false(csv_is_header(&csv));
}
