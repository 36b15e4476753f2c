/* tests/unit/test_bounds_csv.c - runs/bounds/bounds_csv.h: what a table of bounds says, what is wrong with it
 * and where, and what it says nothing about. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runs/bounds/bounds_csv.h"
#include "tests/support/test.h"

/* Sets 1 "a" (x, y), 2 "b" (x), 3 "b" (x), 5 "2" (x). */
static const char *two_tasks[] = {"x", "y"};
static struct roster_set sets[] = {{1, "a", two_tasks, 2, 0}, {2, "b", two_tasks, 1, 2},
	{3, "b", two_tasks, 1, 3}, {5, "2", two_tasks, 1, 4}};
static const char *policies[] = {"rm", "fifo-cke:order=release"};
static const char *platforms[] = {"tx2", "xavier"};

struct reading {
	struct roster roster;
	struct known_list list;
	struct bounds_csv csv;
	struct diagnostics d;
	struct error err;
	bool ok;
};

static int begin(void **state)
{
	static struct reading r;
	r = (struct reading){.roster = {.sets = sets,
				     .set_count = 4,
				     .policies = policies,
				     .policy_count = 2,
				     .platforms = platforms,
				     .platform_count = 2,
				     .task_count = 5}};
	assert_true(roster_sort(&r.roster, &r.err));
	diagnostics_init(&r.d, "mine.csv");
	*state = &r;
	return 0;
}

static int end(void **state)
{
	struct reading *r = *state;
	diagnostics_finish(&r->d);
	known_finish(&r->list);
	roster_finish(&r->roster);
	return 0;
}

EACH_TEST(begin, end);

static void read_bytes(struct reading *r, const char *name, const char *text, size_t length)
{
	char *copy = malloc(length + 1);
	assert_non_null(copy);
	memcpy(copy, text, length);
	copy[length] = '\0';
	diagnostics_finish(&r->d);
	known_finish(&r->list);
	diagnostics_init(&r->d, "mine.csv");
	r->csv = bounds_csv_of(name);
	r->ok = bounds_csv_read(&r->csv, copy, length, &r->roster, &r->list, &r->d, &r->err);
	free(copy);
	assert_int_equal(r->ok, r->d.count == 0);
	assert_true(r->ok || r->err.status == STATUS_INPUT);
}

static void read_text(struct reading *r, const char *text)
{
	read_bytes(r, "folder/mine.csv", text, strlen(text));
}

/* Every row as "set.task=bound policy platform;", the analyses one behind the other. */
static void expect_rows(const struct reading *r, const char *wanted)
{
	char out[1000] = "";
	size_t at = 0;
	for (uint32_t i = 0; i < r->list.count; i++) {
		const struct known *k = r->list.items[i];
		at += (size_t)snprintf(out + at, sizeof(out) - at, "%s%s:", i ? " " : "", k->name);
		for (size_t n = 0; n < k->row_count; n++) {
			const struct known_row *row = &k->rows[n];
			char bound[24] = "-";
			if (row->bound_ns != NO_BOUND)
				snprintf(bound, sizeof(bound), "%lld", (long long)row->bound_ns);
			at += (size_t)snprintf(out + at, sizeof(out) - at, " %lld.%u=%s%s%s%s%s",
				(long long)row->of.taskset_id, row->task, bound, row->policy ? "@" : "",
				row->policy ? row->policy : "", row->platform ? "/" : "",
				row->platform ? row->platform : "");
		}
	}
	assert_true(r->ok);
	assert_string_equal(out, wanted);
}

/* All diagnostics, a line each, without the file's name: "2:3: text". */
static void expect_wrong(struct reading *r, const char *wanted)
{
	char out[4000] = "";
	size_t at = 0;
	diagnostics_sort(&r->d);
	for (size_t i = 0; i < r->d.count; i++)
		at += (size_t)snprintf(out + at, sizeof(out) - at, "%s%u:%u: %s", i ? "\n" : "",
			r->d.items[i].line, r->d.items[i].column, r->d.items[i].text);
	assert_string_equal(out, wanted);
}

TEST("a row is a bound of a task, for every policy and platform")
{
	struct reading *r = *state;
	read_text(r, "set,task,bound_ns\na,y,12\na,x,\n3,x,0\n");
	expect_rows(r, "csv:mine.csv: 1.0=- 1.1=12 3.0=0");
}

TEST("columns stand in any order, and choose")
{
	struct reading *r = *state;
	read_text(r, "# ours\nbound_ns, platform, set, analysis, policy, task\n"
		     "1,tx2,a,,rm,x\n2,xavier,a,,rm,x\n3,,a,csv:,fifo-cke:order=release,x\n"
		     "4,,\"a\",other,,x\n5,,1,csv:other,,y\n");
	expect_rows(r, "csv:mine.csv: 1.0=1@rm/tx2 1.0=2@rm/xavier 1.0=3@fifo-cke:order=release "
		       "csv:other: 1.0=4 1.1=5");
}

TEST("a name holds the safety and the digest of the file")
{
	struct reading *r = *state;
	static const char text[] = "set,task,bound_ns\n1,x,1\n";
	read_bytes(r, "safety=unsafe:folder/\"m\".csv", text, strlen(text));
	assert_true(r->ok && r->list.items[0]->unsafe);
	assert_string_equal(r->list.items[0]->name, "csv:\"m\".csv");
	/* printf 'set,task,bound_ns\n1,x,1\n' | sha256sum */
	assert_string_equal(r->list.items[0]->json,
		"{\"file\":\"\\\"m\\\".csv\",\"safety\":\"unsafe\",\"files\":\"f439b6545d72faad\"}");
	read_bytes(r, "safety=sound:m.csv", text, strlen(text));
	assert_true(r->ok && !r->list.items[0]->unsafe);
}

TEST("what has no row is counted")
{
	struct reading *r = *state;
	read_text(r, "set,task,bound_ns\na,y,\n5,x,1\n");
	assert_int_equal(r->csv.missing.sets, 2);
	assert_int_equal(r->csv.missing.tasks, 1);
	assert_int_equal(r->csv.missing.tasks_of, 3);
}

TEST("mistakes of the first line")
{
	struct reading *r = *state;
	read_text(r, "");
	expect_wrong(r, "1:1: there are no bounds in it");
	read_text(r, "set,task,bound_ns\n# nothing\n");
	expect_wrong(r, "1:1: there are no bounds in it");
	read_text(r, "\nset,bounds_ns,set\na,x,1\n");
	expect_wrong(r, "2:1: column 'task' is missing; the first line names the columns, such as "
			"set,task,bound_ns\n"
			"2:1: column 'bound_ns' is missing; the first line names the columns, such as "
			"set,task,bound_ns\n"
			"2:5: no column is called \"bounds_ns\"; did you mean 'bound_ns'?\n"
			"2:15: column 'set' is given twice");
	read_text(r, "set,task,bound_ns,\"x\n");
	expect_wrong(r, "1:19: a cell with a quote that does not fit");
	read_bytes(r, "m.csv", "set\0,task", 9);
	expect_wrong(r, "1:1: this is not a text file: it holds a NUL character");
}

TEST("mistakes of rows, all at once")
{
	struct reading *r = *state;
	read_text(r, "set,task,bound_ns,policy,platform\n"
		     "c,x,1,,\nb,x,1,,\n2,x,1,,\n7,x,1,,\na,z,1,,\n"
		     "a,x,-1,rmm,tx3\na,x,1.5,,\na,x,9223372036854775807,,\na,x\na,x,1,,,\n\"a\"b,x,1,,\n");
	expect_wrong(r, "2:1: no set is called \"c\", or has that number\n"
			"3:1: 2 sets are called \"b\"; give the number (taskset_id) of the one you mean\n"
			"4:1: \"2\" is the name of set 5 and the number of another\n"
			"5:1: no set is called \"7\", or has that number\n"
			"6:3: set 'a' has no task \"z\"\n"
			"7:5: 'bound_ns' wants a whole number of ns, or nothing, got \"-1\"\n"
			"7:8: the recording has no policy \"rmm\"; did you mean 'rm'?\n"
			"7:12: the recording has no platform \"tx3\"; did you mean 'tx2'?\n"
			"8:5: 'bound_ns' wants a whole number of ns, or nothing, got \"1.5\"\n"
			"9:5: 'bound_ns' is 9223372036854775807; at most 9223372036854775806\n"
			"10:1: has 2 cells; the first line has 5\n"
			"11:1: has 6 cells; the first line has 5\n"
			"12:1: a cell with a quote that does not fit");
}

TEST("two rows for one run are a mistake")
{
	struct reading *r = *state;
	read_text(r, "set,task,bound_ns,policy,platform,analysis\n"
		     "a,x,1,rm,,\n1,x,1,rm,tx2,\na,x,1,,,\na,x,1,,,other\na,y,1,,,\na,x,1,rm,xavier,\n");
	expect_wrong(r, "3:1: line 2 has a bound of this task already\n"
			"4:1: line 2 has a bound of this task already\n"
			"7:1: line 2 has a bound of this task already");
	read_text(r, "set,task,bound_ns,policy,platform\n"
		     "a,x,1,rm,tx2\na,x,1,rm,xavier\na,x,1,fifo-cke:order=release,tx2\n");
	assert_true(r->ok);
}

TEST("it stops at twenty mistakes")
{
	struct reading *r = *state;
	char text[2000] = "set,task,bound_ns\n";
	for (int i = 0; i < 100; i++)
		strcat(text, "c,x,1\n");
	read_text(r, text);
	assert_int_equal(r->d.count, 20);
}
