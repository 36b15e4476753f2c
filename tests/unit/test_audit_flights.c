/* tests/unit/test_audit_flights.c - the laws on operations in flight: each accepts a correct recording, and
 * finds each defect. */
#include <string.h>

#include "tests/support/test.h"
#include "tests/unit/audit_defects.h"

static void move(struct audit_sample *s, uint16_t segment, int64_t by)
{
	struct segment_interval_row *row = interval(s, 0, 0, segment);
	shift(by, &row->start_ns, &row->end_ns);
}

static void too_early_after_k(struct audit_sample *s)
{
	move(s, 4, -MS / 2);
}

static void ready_later(struct audit_sample *s)
{
	interval(s, 0, 0, 3)->ready_ns += MS;
}

static void wait_cut_short(struct audit_sample *s)
{
	move(s, 6, -MS / 2);
}

static void longer_copy(struct audit_sample *s)
{
	interval(s, 0, 0, 1)->end_ns += MS;
}

static void short_kernel(struct audit_sample *s)
{
	interval(s, 0, 0, 3)->end_ns -= MS;
}

static void never_ran(struct audit_sample *s)
{
	interval(s, 0, 0, 4)->seq = 1;
}

static void ends_later(struct audit_sample *s)
{
	job(s, 0, 0)->finish_ns += MS;
}

static void beside_the_copy(struct audit_sample *s)
{
	move(s, 2, -MS);
}

static void null_stream_too_early(struct audit_sample *s)
{
	s->segment[4].stream = -2;
	s->segment[4].awaits = NULL;
	move(s, 4, -MS / 2);
}

static const struct defect defects[] = {
	{"flights", sample_flights, too_early_after_k,
		"before segment 2, after which it comes, has ended at 6ms"},
	{"flights", sample_flights, ready_later, "said to be ready at 2ms, but its job came to it at 1ms"},
	{"flights", sample_flights, wait_cut_short, "it starts before 7ms, when it is issued and eligible"},
	{"flights", sample_flights, longer_copy, "ran for 3ms, expected 2ms"},
	{"flights", sample_flights, short_kernel, "ran for 3ms, expected at least 4ms"},
	{"flights", sample_flights, never_ran, "its segment 4 never ran"},
	{"flights", sample_flights, ends_later, "it ended at 9ms, but its last operation, or wait, at 8ms"},
	{"flight-order", sample_flights, beside_the_copy,
		"issued earlier to its hardware queue has ended, at 3ms"},
	{"flight-order", sample_flights, null_stream_too_early,
		"issued earlier to the other streams has ended, at 6ms"},
};

TEST("every defect is found")
{
	assert_defects_found(defects, sizeof(defects) / sizeof(defects[0]));
}

static bool on_flights(const struct audit_result *law)
{
	return strncmp(law->law, "flight", 6) == 0;
}

TEST("every law is tested")
{
	assert_laws_tested(on_flights, defects, sizeof(defects) / sizeof(defects[0]));
}

TEST("a correct recording is clean")
{
	struct audit_sample s = sample_flights();
	assert_clean(&s);
}
