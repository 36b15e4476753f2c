/* tests/unit/test_table.c - the three printed forms of a result, to the byte. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/table/table.h"
#include "tests/support/test.h"

static char *printed;
static size_t printed_size;

static struct table begin(enum table_format format, const char *const *columns, size_t count)
{
	struct table t;
	FILE *out = open_memstream(&printed, &printed_size);
	assert_non_null(out);
	table_begin(&t, out, format, columns, count);
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

static void fill(struct table *t)
{
	table_text(t, "camera");
	table_integer(t, 30);
	table_real(t, 3.8);
	table_null(t);
	table_text(t, "caf\u00e9");
	table_integer(t, -5);
	table_real(t, 12);
	table_text(t, "late");
}

static const char *const four[] = {"task", "jobs", "max_ms", "note"};

TEST("aligns columns")
{
	struct table t = begin(TABLE_TEXT, four, 4);
	fill(&t);
	assert_printed(&t, "task    jobs  max_ms  note\n"
			   "------  ----  ------  ----\n"
			   "camera    30     3.8  -\n"
			   "caf\u00e9      -5    12.0  late\n");
}

TEST("writes CSV")
{
	struct table t = begin(TABLE_CSV, four, 4);
	fill(&t);
	table_text(&t, "");
	table_integer(&t, INT64_MIN);
	table_real(&t, 0.1);
	table_text(&t, "a,\"b\"\nc");
	assert_printed(&t, "task,jobs,max_ms,note\n"
			   "camera,30,3.8,\n"
			   "caf\u00e9,-5,12,late\n"
			   "\"\",-9223372036854775808,0.1,\"a,\"\"b\"\"\nc\"\n");
}

TEST("writes JSON")
{
	struct table t = begin(TABLE_JSON, four, 4);
	fill(&t);
	assert_printed(&t, "[\n"
			   "{\"task\": \"camera\", \"jobs\": 30, \"max_ms\": 3.8, \"note\": null},\n"
			   "{\"task\": \"caf\u00e9\", \"jobs\": -5, \"max_ms\": 12, \"note\": \"late\"}\n"
			   "]\n");
}

TEST("JSON keys are unique")
{
	static const char *const same[] = {"a", "b\"", "a", "a"};
	struct table t = begin(TABLE_JSON, same, 4);
	for (int i = 0; i < 4; i++)
		table_integer(&t, i);
	assert_printed(&t, "[\n{\"a\": 0, \"b\\\"\": 1, \"a:1\": 2, \"a:2\": 3}\n]\n");
}

TEST("empty results are valid")
{
	static const char *const names[] = {"task", "response_ms"};
	struct table t = begin(TABLE_TEXT, names, 2);
	assert_printed(&t, "task  response_ms\n----  -----------\n");
	t = begin(TABLE_CSV, names, 2);
	assert_printed(&t, "task,response_ms\n");
	t = begin(TABLE_JSON, names, 2);
	assert_printed(&t, "[]\n");
}

TEST("reals are readable or exact")
{
	static const double values[] = {0, 1.0 / 3, -2.5, 1e300, 1e-9, 123456789.000001, 0.1 + 0.2};
	static const char *const name[] = {"x"};
	const size_t count = sizeof(values) / sizeof(values[0]);
	struct table t = begin(TABLE_TEXT, name, 1);
	for (size_t i = 0; i < count; i++)
		table_real(&t, values[i]);
	table_real(&t, (double)NAN);
	table_real(&t, (double)INFINITY);
	assert_printed(&t, "               x\n"
			   "----------------\n"
			   "        0.000000\n"
			   "        0.333333\n"
			   "       -2.500000\n"
			   "          1e+300\n"
			   "           1e-09\n"
			   "123456789.000001\n"
			   "        0.300000\n"
			   "               -\n"
			   "             inf\n");
	t = begin(TABLE_JSON, name, 1);
	for (size_t i = 0; i < count; i++)
		table_real(&t, values[i]);
	table_real(&t, (double)INFINITY);
	assert_printed(&t, "[\n{\"x\": 0},\n{\"x\": 0.3333333333333333},\n{\"x\": -2.5},\n{\"x\": 1e+300},\n"
			   "{\"x\": 1e-09},\n"
			   "{\"x\": 123456789.000001},\n{\"x\": 0.30000000000000004},\n{\"x\": null}\n]\n");
}

static void fill_quantities(struct table *t)
{
	table_time(t, 34750);
	table_time(t, -1);
	table_energy(t, (int128)9223372036 * 1000000000 + 854775807);
	table_integer(t, 1);
	table_null(t);
	table_time(t, 1500);
	table_null(t);
	table_integer(t, 2);
	table_time(t, 1);
	table_null(t);
	table_energy(t, 1);
	table_null(t);
}

/* Milliseconds and joules for people, whole numbers that lose nothing for programs. */
TEST("times and energies")
{
	static const char *const names[] = {TABLE_MS("bound"), TABLE_US("max"), TABLE_JOULES("energy"), "n"};
	struct table t = begin(TABLE_TEXT, names, 4);
	fill_quantities(&t);
	assert_printed(&t, "bound_ms  max_us     energy_j  n\n"
			   "--------  ------  -----------  -\n"
			   "0.034750  -0.001  9223.372037  1\n"
			   "       -   1.500            -  2\n"
			   "0.000001       -        1e-15  -\n");
	t = begin(TABLE_CSV, names, 4);
	fill_quantities(&t);
	assert_printed(&t, "bound_ns,max_ns,energy_uj,energy_rest_uwns,n\n"
			   "34750,-1,9223372036,854775807,1\n"
			   ",1500,,,2\n"
			   "1,,0,1,\n");
	t = begin(TABLE_JSON, names, 4);
	fill_quantities(&t);
	assert_printed(&t,
		"[\n"
		"{\"bound_ns\": 34750, \"max_ns\": -1, \"energy_uj\": 9223372036, \"energy_rest_uwns\": "
		"854775807, \"n\": 1},\n"
		"{\"bound_ns\": null, \"max_ns\": 1500, \"energy_uj\": null, \"energy_rest_uwns\": "
		"null, \"n\": 2},\n"
		"{\"bound_ns\": 1, \"max_ns\": null, \"energy_uj\": 0, \"energy_rest_uwns\": "
		"1, \"n\": null}\n"
		"]\n");
}

TEST("nothing reaches the terminal as a command")
{
	static const char *const name[] = {"text", "n"};
	struct table t = begin(TABLE_TEXT, name, 2);
	char longer[TABLE_TEXT_COLUMNS + 2];
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	const char *const texts[] = {"\033[2Jred\x7f", "two\nlines\tand \xff\xc2\x9b", longer, longer + 1};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) { /* the last just fits */
		table_text(&t, texts[i]);
		table_integer(&t, 1);
	}
	end(&t);
	assert_non_null(strstr(printed, "\n?[2Jred?  "));
	assert_non_null(strstr(printed, "\ntwo lines and ??  "));
	char *line = strstr(printed, "xxx");
	assert_memory_equal(line + TABLE_TEXT_COLUMNS - 2, "\u2026   1\nxxx", 11);
	line = strstr(line, "\n") + 1;
	assert_memory_equal(line, longer + 1, TABLE_TEXT_COLUMNS);
	assert_string_equal(line + TABLE_TEXT_COLUMNS, "  1\n");
	free(printed);
}

TEST("a sentence in the last column is whole, under a line of ordinary length")
{
	static const char *const names[] = {"run", "reason"};
	char sentence[3 * TABLE_TEXT_COLUMNS];
	memset(sentence, 'x', sizeof(sentence) - 1);
	sentence[sizeof(sentence) - 1] = '\0';
	struct table t = begin(TABLE_TEXT, names, 2);
	table_integer(&t, 1);
	table_text(&t, sentence);
	end(&t);
	const char *line = strstr(printed, "xxx");
	assert_int_equal(strspn(line, "x"), strlen(sentence));
	assert_string_equal(line + strlen(sentence), "\n");
	line = strstr(printed, "---  ") + 5;
	assert_int_equal(strspn(line, "-"), TABLE_TEXT_COLUMNS);
	free(printed);
}

TEST("mixed columns stand to the left")
{
	static const char *const names[] = {"value", "n"};
	struct table t = begin(TABLE_TEXT, names, 2);
	table_integer(&t, 5);
	table_integer(&t, 1);
	table_text(&t, "drained");
	table_integer(&t, 10);
	assert_printed(&t, "value     n\n"
			   "-------  --\n"
			   "5         1\n"
			   "drained  10\n");
}

TEST("long results stream")
{
	static const char *const names[] = {"n", "square"};
	struct table t = begin(TABLE_TEXT, names, 2);
	for (int64_t i = 0; i < TABLE_BUFFERED - 1; i++) {
		table_integer(&t, i);
		table_integer(&t, 7);
	}
	assert_int_equal(fflush(t.out), 0);
	assert_int_equal(printed_size, 0); /* nothing yet */
	table_integer(&t, TABLE_BUFFERED - 1);
	table_integer(&t, 7);
	assert_int_equal(fflush(t.out), 0);
	size_t line = strlen("  0       7\n");
	assert_int_equal(printed_size, (TABLE_BUFFERED + 2) * line);
	table_integer(&t, 5000000000); /* wider than the settled column */
	table_real(&t, 0.5);
	table_integer(&t, 3);
	table_integer(&t, 7);
	end(&t);
	assert_int_equal(t.rows, TABLE_BUFFERED + 2);
	assert_string_equal(printed + (TABLE_BUFFERED + 2) * line, "5000000000     0.5\n  3       7\n");
	free(printed);
}

TEST("a full disk is an error")
{
	static const char *const name[] = {"x"};
	static const char *const reason[] = {"cannot write the table: No space left on device",
		"cannot write the table: an earlier write failed"};
	FILE *full = fopen("/dev/full", "w");
	assert_non_null(full);
	for (int unbuffered = 0; unbuffered < 2; unbuffered++) {
		for (int format = TABLE_TEXT; format <= TABLE_JSON; format++) {
			struct table t;
			struct error err;
			table_begin(&t, full, (enum table_format)format, name, 1);
			table_integer(&t, 1);
			assert_false(table_end(&t, &err));
			assert_int_equal(err.status, STATUS_IO);
			assert_string_equal(err.text, reason[unbuffered]);
			clearerr(full);
		}
		assert_int_equal(setvbuf(full, NULL, _IONBF, 0), 0);
	}
	fclose(full);
}

TEST("markdown is a table between pipes")
{
	static const char *const columns[] = {TABLE_CODE("name"), "count", TABLE_MS("max"), "note"};
	struct table t = begin(TABLE_MARKDOWN, columns, 4);
	table_text(&t, "a_|_b");
	table_integer(&t, 3);
	table_time(&t, 1500000);
	table_text(&t, "x*y, v_job, _v_ and `a*b`; <i>, a <= b\nnext");
	table_null(&t);
	table_null(&t);
	table_null(&t);
	table_text(&t, "one ` and \\");
	assert_printed(&t, "| name | count | max_ms | note |\n"
			   "|---|---|---|---|\n"
			   "| `a_\\|_b` | 3 | 1.5 | x\\*y, v_job, \\_v\\_ and `a*b`; \\<i>, a <= b next |\n"
			   "| | | | one ` and \\\\ |\n");
}
