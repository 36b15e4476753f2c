/* tests/unit/test_measured.c - what a real machine did with segments of a run: written behind the run, and
 * replaced in a finished recording. */
#include <stdio.h>
#include <string.h>

#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

static struct error err;
static char file[512];
static struct db_writer *w;
static struct sample ids;

static int begin(void **state)
{
	w = sample_open(file, &ids, &err);
	return w ? 0 : -1;
}

static int clean(void **state)
{
	(void)state;
	sample_clean();
	return 0;
}

ALL_TESTS(NULL, clean);
EACH_TEST(begin, NULL);

static void add_run(int64_t replication)
{
	bool there;
	struct run_row run = sample_run(&ids, ids.fcfs_id, replication);
	assert_true(writer_begin_run(w, &run, &there, &err));
	assert_true(writer_end_run(w, &run, &err));
}

TEST("measured segments")
{
	const struct measured_row rows[] = {
		{1, 3, 65535, -5, INT64_MAX, "earlier_issue"}, {0, UINT32_MAX, 0, 1, 2, NULL}};
	add_run(1);
	add_run(2);
	assert_true(writer_measured(w, 1, rows, 2, &err));
	assert_true(writer_measured(w, 2, rows + 1, 1, &err));
	assert_true(writer_finish(w, NULL, &err));
	assert_string_equal(sample_rows(file, "SELECT * FROM measured"),
		"1|2|3|65535|-5|9223372036854775807|earlier_issue\n1|1|4294967295|0|1|2|-\n"
		"2|1|4294967295|0|1|2|-");
	/* Of a finished recording they are replaced; those of other runs are not. */
	w = writer_amend(file, &err);
	assert_non_null(w);
	assert_true(writer_measured(w, 1, rows + 1, 1, &err));
	assert_true(writer_amended(w, &err));
	assert_string_equal(sample_rows(file, "SELECT * FROM measured"),
		"2|1|4294967295|0|1|2|-\n1|1|4294967295|0|1|2|-");
}

TEST("measured of no run")
{
	const struct measured_row row = {.reason = NULL};
	assert_false(writer_measured(w, 1, &row, 1, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_non_null(strstr(err.text, "there is no run 1"));
	writer_abandon(w, false);
}

TEST("a reason that is none")
{
	const struct measured_row row = {.reason = "late"};
	add_run(1);
	assert_false(writer_measured(w, 1, &row, 1, &err));
	writer_abandon(w, false);
}
