/* tests/unit/test_why.c - @why and @waits of recordings worked out by hand (audit_sample.c describes them).
 */
#include <string.h>

#include "db/parameters.h"
#include "db/queries.h"
#include "tests/support/test.h"
#include "tests/unit/audit_making.h"

static struct error err;

static struct db_cursor *ask(struct db_reader *reader, const char *name, const struct parameters *p)
{
	struct named_query query;
	assert_true(query_find(name, &query));
	struct db_cursor *c = cursor_open_bytes(reader, query.sql, query.sql_length, &err);
	if (!c || !parameters_bind(p, &query, c, &err))
		fail_msg("%s: %s", name, err.text);
	return c;
}

static const char *text_of(const struct db_cursor *c, const char *column)
{
	for (int i = 0; i < cursor_columns(c); i++)
		if (strcmp(cursor_column_name(c, i), column) == 0)
			return cursor_text(c, i) ? cursor_text(c, i) : "NULL";
	fail_msg("no column is named %s", column);
	return NULL;
}

/* The answers of @why, a line for a job: "task seq state response_ms: why". */
static void assert_why(struct audit_sample s, const struct parameters *p, const char *expected)
{
	struct text answer = {0};
	struct db_reader *reader = sample_read(&s);
	struct db_cursor *c = ask(reader, "why", p);
	bool row;
	while (cursor_next(c, &row, &err) && row)
		text_printf(&answer, "%s %s %s %s: %s\n", text_of(c, "task"), text_of(c, "seq"),
			text_of(c, "state"), text_of(c, "response_ms"), text_of(c, "why"));
	cursor_close(c);
	reader_close(reader);
	assert_string_equal(text_data(&answer), expected);
	text_finish(&answer);
}

static const struct parameters none;

TEST("its own time, the core, the GPU, the gate, and who has them")
{
	assert_why(sample_fifo(), &none,
		"camera 0 finished 8.0: own 8\n"
		"lidar 0 finished 11.0: own 7 + cpu 1 (camera #0 1) + slowed 3 (camera #0 3)\n");
	assert_why(sample_section(), &none,
		"fast 0 finished 6.0: own 6\n"
		"slow 0 finished 13.0: own 9 + cpu 1 (fast #0 1) + gpu 2 (fast #0 2) + gate 1 (fast #0 1)\n");
	assert_why(sample_busy(), &none,
		"spinner 0 finished 4.0: own 4\n"
		"other 0 finished 6.0: own 2 + cpu 4 (spinner #0 4)\n");
}

TEST("copies, streams, SMs that tasks have in common")
{
	assert_why(sample_copies(), &none,
		"high 0 finished 3.0: own 1 + copy 2 (low #0 2)\n"
		"middle 0 finished 6.0: own 2 + copy 4 (low #0 3, high #0 1)\n"
		"low 0 finished 4.0: own 4\n");
	assert_why(sample_streams(), &none,
		"a 0 finished 4.0: own 4\n"
		"b 0 finished 6.0: own 2 + stream 4 (a #0 4)\n"
		"c 0 finished 8.0: own 3 + stream 5 (a #0 3, b #0 2)\n");
	assert_why(sample_sets(), &none,
		"high 0 finished 2.0: own 2\n"
		"middle 0 finished 5.0: own 2 + gpu 3 (low #0 3)\n"
		"low 0 finished 4.0: own 4\n"
		"lowest 0 finished 6.0: own 1 + gpu 4 (high #0 2, middle #0 2) + gate 1 (low #0 1)\n");
}

TEST("jobs that were dropped, aborted or not finished")
{
	assert_why(sample_drop(), &none,
		"long 0 finished 6.0: own 6\n"
		"brief 0 dropped 5.0: cpu 5 (long #0 5)\n");
	assert_why(sample_abort(), &none,
		"cut 0 aborted 2.0: own 2\n"
		"copier 0 aborted 4.0: own 4\n");
	assert_why(sample_stopped(), &none,
		"long 0 unfinished 5.0: own 5\n"
		"brief 0 unfinished 4.0: cpu 4 (long #0 4)\n");
}

/* Three jobs of 6 ms released every 4 ms, each of which waits for those before it; the third one longest, as
 * long as the fourth, which is cut off. quick has the core [6, 7). */
static struct audit_sample sample_backlog(void)
{
	struct audit_sample s = sample_begin("fifo-cke", "{\"order\":\"head\"}", 16);
	add_task(&s, "behind", 4, 100, 0);
	add_segment(&s, "cpu", 6);
	add_task(&s, "quick", 100, 100, 0);
	add_segment(&s, "cpu", 1);
	add_job(&s, 0, 0, 0, 0, 6);
	add_job(&s, 0, 1, 4, 7, 13);
	add_job(&s, 0, 2, 8, 13, 19);
	add_job(&s, 0, 3, 12, 19, 23);
	add_interval(&s, 0, 0, 0, ROW_CPU, 0, 0, 6);
	add_interval(&s, 0, 1, 0, ROW_CPU, 6, 7, 13);
	add_interval(&s, 0, 2, 0, ROW_CPU, 13, 13, 19);
	add_interval(&s, 0, 3, 0, ROW_CPU, 19, 19, 23);
	add_job(&s, 1, 0, 6, 6, 7);
	add_interval(&s, 1, 0, 0, ROW_CPU, 6, 6, 7);
	add_power(&s, 23, 1000000, 0);
	return sample_end(&s, 23);
}

TEST("behind earlier jobs; of equally long ones the first; a job that is asked for")
{
	assert_why(sample_backlog(), &none,
		"behind 2 finished 11.0: own 6 + job 5 (behind 5)\n"
		"quick 0 finished 1.0: own 1\n");
	assert_why(sample_backlog(), &(struct parameters){{"task=behind", "seq=1"}, 2},
		"behind 1 finished 9.0: own 6 + job 2 (behind 2) + cpu 1 (quick #0 1)\n");
	assert_why(sample_backlog(), &(struct parameters){{"seq=0"}, 1},
		"behind 0 finished 6.0: own 6\n"
		"quick 0 finished 1.0: own 1\n");
	assert_why(
		sample_backlog(), &(struct parameters){{"task=quick"}, 1}, "quick 0 finished 1.0: own 1\n");
	assert_why(sample_backlog(), &(struct parameters){{"task=quick", "seq=7"}, 2}, "");
}

static void assert_waits(struct audit_sample s, const struct parameters *p, const char *expected)
{
	struct text answer = {0};
	struct db_reader *reader = sample_read(&s);
	struct db_cursor *c = ask(reader, "waits", p);
	bool row;
	while (cursor_next(c, &row, &err) && row)
		for (int i = 0; i < cursor_columns(c); i++)
			text_printf(&answer, "%s%c", cursor_text(c, i) ? cursor_text(c, i) : "-",
				i + 1 < cursor_columns(c) ? ' ' : '\n');
	cursor_close(c);
	reader_close(reader);
	assert_string_equal(text_data(&answer), expected);
	text_finish(&answer);
}

TEST("@waits has the same as rows, of one job")
{
	assert_waits(sample_sets(), &none,
		"lowest 0 own - - - 1.0 0.166666666666667\n"
		"lowest 0 gpu high 1 0 2.0 0.333333333333333\n"
		"lowest 0 gpu middle 1 0 2.0 0.333333333333333\n"
		"lowest 0 gate low 1 0 1.0 0.166666666666667\n");
	assert_waits(sample_backlog(), &(struct parameters){{"task=behind", "seq=1"}, 2},
		"behind 1 own - - - 6.0 0.666666666666667\n"
		"behind 1 job behind 1 0 2.0 0.222222222222222\n"
		"behind 1 cpu quick 1 0 1.0 0.111111111111111\n");
}
