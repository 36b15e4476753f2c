/* tests/unit/test_table_fit.c - a table in a given width: every step of cli/table/table.h, to the byte; and
 * no line is wider. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "cli/table/layout.h"
#include "tests/support/test.h"

static char *printed;
static size_t printed_size;

static struct table begin(size_t width, const char *const *columns, size_t count)
{
	struct table t;
	FILE *out = open_memstream(&printed, &printed_size);
	assert_non_null(out);
	table_begin(&t, out, TABLE_TEXT, columns, count);
	table_fit(&t, width);
	return t;
}

static void end(struct table *t)
{
	struct error err;
	FILE *out = t->out;
	if (!table_end(t, &err))
		fail_msg("%s", err.text);
	assert_int_equal(fclose(out), 0);
}

static void assert_printed(struct table *t, const char *expected)
{
	end(t);
	assert_string_equal(printed, expected);
	free(printed);
}

TEST("what fits stays as it is")
{
	static const char *const names[] = {"policy", "max_ms", "copy_bandwidth"};
	struct table t = begin(45, names, 3);
	table_unit(&t, 2, "bytes/s");
	for (int i = 0; i < 2; i++) {
		table_text(&t, "rm");
		table_real(&t, i + 0.123456);
		table_null(&t);
	}
	assert_printed(&t, "policy    max_ms  copy_bandwidth (bytes/s)\n"
			   "------  --------  ------------------------\n"
			   "rm      0.123456  -\n"
			   "rm      1.123456  -\n");
}

static void fill_constant(struct table *t, int rows)
{
	for (int i = 0; i < rows; i++) {
		table_text(t, "jetson-agx-xavier-with-a-long-name");
		table_integer(t, i + 1);
		table_text(t, "ok");
		table_null(t);
	}
}

TEST("what is the same in all rows is said once")
{
	static const char *const names[] = {"platform", "run_id", "status", "reason"};
	struct table t = begin(50, names, 4);
	fill_constant(&t, 2);
	assert_printed(&t, "platform: jetson-agx-xavier-with-a-long-name\n"
			   "status: ok   reason: -\n"
			   "\n"
			   "run_id\n"
			   "------\n"
			   "     1\n"
			   "     2\n");
	t = begin(80, names, 4); /* but only if necessary */
	fill_constant(&t, 2);
	end(&t);
	assert_null(strstr(printed, "status: ok"));
	free(printed);
}

TEST("one column stays")
{
	static const char *const names[] = {"first_of_two_columns", "second_of_two_columns"};
	struct table t = begin(40, names, 2);
	for (int i = 0; i < 4; i++)
		table_text(&t, "same");
	assert_printed(&t, "second_of_two_columns: same\n"
			   "\n"
			   "first_of_two_columns\n"
			   "--------------------\n"
			   "same\n"
			   "same\n");
}

TEST("names are broken at underscores")
{
	static const char *const names[] = {
		"task", "max_normalised_response", "analysis_params", "shared_memory_per_sm"};
	struct table t = begin(44, names, 4);
	table_unit(&t, 3, "bytes");
	for (int i = 0; i < 2; i++) {
		table_text(&t, "radar");
		table_integer(&t, i);
		table_text(&t, i ? "x" : "y");
		table_real(&t, 98304.123456 + i); /* no digit is lost as long as names can be broken */
	}
	assert_printed(&t, "task: radar\n"
			   "\n"
			   "max_normalised_  analysis_  shared_memory_\n"
			   "       response  params     per_sm (bytes)\n"
			   "---------------  ---------  --------------\n"
			   "              0  y            98304.123456\n"
			   "              1  x            98305.123456\n");
	static const char *const words[] = {"n", "max_normalised_response", "least_normalised_response"};
	t = begin(34, words, 3); /* three lines, but only where they are needed */
	for (int i = 0; i < 6; i++)
		table_integer(&t, i);
	assert_printed(&t, "                         least_\n"
			   "   max_normalised_  normalised_\n"
			   "n         response     response\n"
			   "-  ---------------  -----------\n"
			   "0                1            2\n"
			   "3                4            5\n");
}

static void fill_reals(struct table *t)
{
	static const double start[] = {123.456789, 0.654321, 7}, error[] = {0.000002, 3.831933, -0.1};
	for (int i = 0; i < 3; i++) {
		table_real(t, start[i]);
		table_real(t, error[i]);
		table_real(t, i * 0.25); /* has not more digits than it needs */
		table_real(t, 1e300);
	}
}

TEST("reals lose digits that count least")
{
	static const char *const names[] = {"start_ms", "error", "share", "size"};
	struct table t = begin(28, names, 4);
	fill_reals(&t);
	assert_printed(&t, "size: 1e+300\n"
			   "\n"
			   "  start_ms      error  share\n"
			   "----------  ---------  -----\n"
			   "123.456789   0.000002   0.00\n"
			   "  0.654321   3.831933   0.25\n"
			   "  7.000000  -0.100000   0.50\n");
	t = begin(27, names, 4);
	fill_reals(&t);
	assert_printed(&t, "size: 1e+300\n"
			   "\n"
			   " start_ms      error  share\n"
			   "---------  ---------  -----\n"
			   "123.45679   0.000002   0.00\n"
			   "  0.65432   3.831933   0.25\n"
			   "  7.00000  -0.100000   0.50\n");
	t = begin(20, names, 4); /* the largest keeps four digits, the smallest one */
	fill_reals(&t);
	assert_printed(&t, "size: 1e+300\n"
			   "\n"
			   "start_ms      error\n"
			   "--------  ---------\n"
			   " 123.457   0.000002\n"
			   "   0.654   3.831933\n"
			   "   7.000  -0.100000\n"
			   "\n"
			   "start_ms  share\n"
			   "--------  -----\n"
			   " 123.457   0.00\n"
			   "   0.654   0.25\n"
			   "   7.000   0.50\n");
	t = begin(32, names, 4);
	for (int i = 0; i < 2; i++) {
		table_real(&t, 123456.789012 + i);
		table_real(&t, 0.999996 + i * 1e-6);
		table_real(&t, 12345678.123456);
		table_real(&t, i + 0.123456);
	}
	assert_printed(&t, "share: 12345678.123456\n"
			   "\n"
			   " start_ms     error      size\n"
			   "---------  --------  --------\n"
			   "123456.79  0.999996  0.123456\n"
			   "123457.79  0.999997  1.123456\n");
}

static const char json[] = "{\"order\":\"head\",\"wait\":\"busy\"}";

TEST("long data become notes")
{
	static const char *const names[] = {"params", "run_id", "policy"};
	struct table t = begin(40, names, 3);
	table_text(&t, json);
	table_integer(&t, 1);
	table_text(&t, "fifo-cke");
	table_text(&t, "{}");
	table_integer(&t, 2);
	table_text(&t, "rm");
	table_null(&t);
	table_integer(&t, 3);
	table_text(&t, "edf");
	table_text(&t, json);
	table_integer(&t, 4);
	table_text(&t, "stgm");
	assert_printed(&t, "params  run_id  policy\n"
			   "------  ------  --------\n"
			   "[1]          1  fifo-cke\n"
			   "[2]          2  rm\n"
			   "-            3  edf\n"
			   "[1]          4  stgm\n"
			   "\n"
			   "params [1]  {\"order\":\"head\",\n"
			   "            \"wait\":\"busy\"}\n"
			   "params [2]  {}\n");
}

TEST("prose at the end is broken into lines")
{
	static const char *const names[] = {"column", "description"};
	struct table t = begin(40, names, 2);
	table_text(&t, "copy_bandwidth");
	table_text(&t, "NULL: not given, copies have times of their own");
	table_text(&t, "cores");
	table_text(&t, "CPU cores");
	assert_printed(&t, "column          description\n"
			   "--------------  ------------------------\n"
			   "copy_bandwidth  NULL: not given, copies\n"
			   "                have times of their own\n"
			   "cores           CPU cores\n");
}

TEST("other texts are cut where it hides least")
{
	static const char *const names[] = {"point", "policy", "run"};
	static const char *const points[] = {"copies=two subtasks=3 u=10%", "copies=two subtasks=3 u=20%"};
	struct table t = begin(40, names, 3);
	for (int i = 0; i < 14; i++) {
		char text[64];
		snprintf(text, sizeof(text), "%s %02d", points[i / 7], i);
		table_text(&t, text);
		table_text(&t,
			i % 2 ? "self-suspension" : "\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e");
		table_integer(&t, i);
	}
	assert_printed(&t, "point            policy              run\n"
			   "---------------  ------------------  ---\n"
			   "copies=…=10% 00  日本語日本語日本語    0\n"
			   "copies=…=10% 01  self-suspension       1\n"
			   "copies=…=10% 02  日本語日本語日本語    2\n"
			   "copies=…=10% 03  self-suspension       3\n"
			   "copies=…=10% 04  日本語日本語日本語    4\n"
			   "copies=…=10% 05  self-suspension       5\n"
			   "copies=…=10% 06  日本語日本語日本語    6\n"
			   "copies=…=20% 07  self-suspension       7\n"
			   "copies=…=20% 08  日本語日本語日本語    8\n"
			   "copies=…=20% 09  self-suspension       9\n"
			   "copies=…=20% 10  日本語日本語日本語   10\n"
			   "copies=…=20% 11  self-suspension      11\n"
			   "copies=…=20% 12  日本語日本語日本語   12\n"
			   "copies=…=20% 13  self-suspension      13\n");
}

static void assert_cut(const char *text, size_t width, bool inside, const char *expected)
{
	struct text cut = {0};
	layout_cut(text, width, inside, &cut);
	assert_string_equal(text_data(&cut), expected);
	text_finish(&cut);
}

TEST("what is cut fits")
{
	assert_cut("abcdefgh", 4, false, "abc\u2026");
	assert_cut("abcdefgh", 4, true, "ab\u2026h");
	assert_cut("abcdefgh", 5, true, "ab\u2026gh");
	assert_cut("\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e", 6, false,
		"\u65e5\u672c\u2026"); /* two columns each */
	assert_cut("\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e", 7, true, "\u65e5\u2026\u8a9e");
}

/* At each letter a look at all behind it would take days. */
TEST("a text of millions of letters is cut")
{
	enum { LETTERS = 4000000 };
	char *text = malloc(LETTERS + 1);
	assert_non_null(text);
	memset(text, 'x', LETTERS);
	memcpy(text + LETTERS - 2, "yz", sizeof("yz"));
	assert_cut(text, 5, true, "xx\u2026yz");
	assert_cut(text, 5, false, "xxxx\u2026");
	free(text);
}

TEST("the rest goes on below with what tells rows apart")
{
	static const char *const names[] = {"run_id", "task", "response_ms", "utilisation", "acceptance"};
	struct table t = begin(40, names, 5);
	for (int i = 0; i < 4; i++) {
		table_integer(&t, 1 + i / 2);
		table_text(&t, i % 2 ? "radar" : "camera");
		table_integer(&t, 1000000000 + i);
		table_integer(&t, 2000000000 + i);
		table_integer(&t, 3000000000 + i);
	}
	assert_printed(&t, "run_id  task    response_ms  utilisation\n"
			   "------  ------  -----------  -----------\n"
			   "     1  camera   1000000000   2000000000\n"
			   "     1  radar    1000000001   2000000001\n"
			   "     2  camera   1000000002   2000000002\n"
			   "     2  radar    1000000003   2000000003\n"
			   "\n"
			   "run_id  task    acceptance\n"
			   "------  ------  ----------\n"
			   "     1  camera  3000000000\n"
			   "     1  radar   3000000001\n"
			   "     2  camera  3000000002\n"
			   "     2  radar   3000000003\n");
}

TEST("what was cut in vain is whole")
{
	static const char *const names[] = {"policy", "first", "second", "third"};
	struct table t = begin(40, names, 4);
	for (int i = 0; i < 2; i++) {
		table_text(&t, i ? "self-suspension" : "mpcp");
		table_integer(&t, 1000000000 + i);
		table_integer(&t, 2000000000 + i);
		table_integer(&t, 3000000000 + i);
	}
	assert_printed(&t, "policy                first      second\n"
			   "---------------  ----------  ----------\n"
			   "mpcp             1000000000  2000000000\n"
			   "self-suspension  1000000001  2000000001\n"
			   "\n"
			   "policy                third\n"
			   "---------------  ----------\n"
			   "mpcp             3000000000\n"
			   "self-suspension  3000000001\n");
}

TEST("a single wide row is a record")
{
	static const char *const names[] = {"scenario", "response_ms", "reason", "note"};
	struct table t = begin(40, names, 4);
	table_unit(&t, 3, "bytes");
	table_text(&t, "vehicle");
	table_real(&t, 1.0 / 3);
	table_text(&t, "with 1 SM its response is bounded by 12.8ms only");
	table_null(&t);
	assert_printed(&t, "scenario     | vehicle\n"
			   "response_ms  | 0.333333\n"
			   "reason       | with 1 SM its response is\n"
			   "             | bounded by 12.8ms only\n"
			   "note (bytes) | -\n");
}

TEST("records have a line for each value")
{
	static const char *const names[] = {"name", "text"};
	struct table t;
	FILE *out = open_memstream(&printed, &printed_size);
	assert_non_null(out);
	table_begin(&t, out, TABLE_RECORDS, names, 2);
	table_unit(&t, 1, "bytes");
	table_text(&t, "caf\u00e9");
	table_text(&t, "a: 1\n  b: \033[2J\n");
	table_integer(&t, 5);
	table_real(&t, 0.5);
	assert_printed(&t, "name         | café\n"
			   "text (bytes) | a: 1\n"
			   "             |   b: ?[2J\n"
			   "-------------+--------------------\n"
			   "name         | 5\n"
			   "text (bytes) | 0.5\n");
}

TEST("nothing is an answer")
{
	static const char *const names[] = {"task", "response_ms"};
	struct table t = begin(80, names, 2);
	assert_printed(&t, "task  response_ms\n----  -----------\n");
}

TEST("later rows are a table of their own")
{
	static const char *const names[] = {"n", "square"};
	struct table t = begin(40, names, 2);
	for (int64_t i = 0; i < TABLE_BUFFERED; i++) {
		table_integer(&t, i);
		table_integer(&t, 7);
	}
	assert_int_equal(fflush(t.out), 0);
	assert_int_equal(printed_size, 0); /* these may be all */
	table_integer(&t, 5000000000);
	assert_int_equal(fflush(t.out), 0);
	size_t before = printed_size;
	assert_true(before > 5 * TABLE_BUFFERED);
	table_integer(&t, 7);
	end(&t);
	assert_string_equal(printed + before, "\n"
					      "         n  square\n"
					      "----------  ------\n"
					      "5000000000       7\n");
	free(printed);
}

/* Columns of one line of the output; *at moves to the next line. */
static size_t line_width(char **at)
{
	char *line = *at, *feed = strchr(line, '\n');
	assert_non_null(feed);
	*feed = '\0';
	*at = feed + 1;
	return utf8_width(line);
}

TEST("no line is wider")
{
	static const char *const names[] = {"run_id", "params", "max_normalised_response", "\u8a9e_\u8a9e",
		"lower_bound_ms", "point", "who", "idle_sm_share", "reason"};
	static const char *const words[] = {"{\"a\":[1,2,3],\"b\":\"ccccccccccccccccccc\"}", "x", "",
		"two words and more of them than fit a line of forty columns",
		"\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e\u65e5",
		"unbreakable-and-longer-than-any-column-that-there-can-be-here"};
	uint64_t seed = 12345;
	for (int round = 0; round < 400; round++) {
		size_t width = TABLE_WIDTH_MIN + (size_t)round % 90, count = 1 + (size_t)round % 9;
		struct table t = begin(width, names, count);
		for (size_t i = 0; i < count * (size_t)(round % 17); i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			uint64_t draw = seed >> 33;
			if (draw % 5 == 0)
				table_null(&t);
			else if (i % count % 3 == 0)
				table_integer(&t, (int64_t)(draw % 100000));
			else if (i % count % 3 == 1)
				table_text(&t, words[draw % 6]);
			else
				table_real(&t, (double)draw / 3e6);
		}
		end(&t);
		for (char *at = printed; *at;)
			assert_in_range(line_width(&at), 0, width);
		free(printed);
	}
}
