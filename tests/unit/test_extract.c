/* tests/unit/test_extract.c - which rows of a run are copied: those that a span touches, at its edges. */
#include <stdio.h>

#include "db/extract.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

static struct error err;
static char recording[512], folder[512];

static int begin(void **state)
{
	snprintf(recording, sizeof(recording), "%s", sample_path("extract.db"));
	snprintf(folder, sizeof(folder), "%s", sample_path(""));
	return sample_write(recording, &err) ? 0 : -1;
}

static int end(void **state)
{
	sample_clean();
	return 0;
}

ALL_TESTS(begin, end);

static bool goes_on(void *self)
{
	return *(bool *)self;
}

/* Jobs of run 1: from 0 to 4 ms, from 10 to 16 ms, from 1 to 26 ms. */
static void assert_kept(const struct extract_span *spans, size_t count, int64_t should)
{
	bool on = true;
	int64_t kept;
	const int64_t run = 1;
	const struct extract_choice choice = {
		.table = EXTRACT_JOB, .run_id = 1, .spans = spans, .count = count};
	struct extract *e = extract_begin(recording, folder, goes_on, &on, &err);
	assert_non_null(e);
	assert_true(extract_things(e, &run, 1, &err));
	if (!extract_rows(e, &choice, &kept, &err))
		fail_msg("%s", err.text);
	assert_int_equal(kept, should);
	extract_close(e);
}

#define KEPT(should, ...)                                                                                    \
	do {                                                                                                 \
		const struct extract_span spans[] = {__VA_ARGS__};                                           \
		assert_kept(spans, sizeof(spans) / sizeof(spans[0]), should);                                \
	} while (0)

TEST("rows at the edges of spans")
{
	assert_kept(NULL, 0, 3);
	KEPT(1, {0, 1});
	KEPT(1, {0, 1 * MS});
	KEPT(2, {0, 1 * MS + 1});
	KEPT(2, {4 * MS - 1, 4 * MS});
	KEPT(1, {4 * MS, 4 * MS + 1});
	KEPT(1, {9 * MS, 10 * MS});
	KEPT(2, {9 * MS, 10 * MS + 1});
	KEPT(1, {26 * MS - 1, INT64_MAX});
	KEPT(0, {26 * MS, INT64_MAX});
	KEPT(3, {0, INT64_MAX});
}

/* A row that begins where a span ends may reach into the next one. */
TEST("rows between spans")
{
	KEPT(2, {0, 1 * MS}, {20 * MS, 21 * MS});
	KEPT(1, {0, 1 * MS}, {26 * MS, 27 * MS});
	KEPT(3, {0, 1}, {15 * MS, 16 * MS});
	KEPT(2, {0, 1}, {16 * MS, 17 * MS});
	KEPT(2, {9 * MS, 10 * MS}, {12 * MS, 13 * MS}, {40 * MS, 50 * MS});
}

TEST("cycles become ns without wrapping")
{
	assert_int_equal(extract_cycle_ns(0, 1), 0);
	assert_int_equal(extract_cycle_ns(1, 3), 333333334);
	assert_int_equal(extract_cycle_ns(3, 3000000000), 1);
	assert_int_equal(extract_cycle_ns(4, 3000000000), 2);
	assert_int_equal(extract_cycle_ns(INT64_MAX, 1000000000), INT64_MAX);
	assert_int_equal(extract_cycle_ns(INT64_MAX, 999999999), INT64_MAX);
}
