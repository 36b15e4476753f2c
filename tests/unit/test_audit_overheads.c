/* tests/unit/test_audit_overheads.c - the laws on overheads: each accepts a correct recording, and finds
 * something when one row of it is wrong. */
#include "tests/support/test.h"
#include "tests/unit/audit_defects.h"

/* The n-th interval of this kind on the core. */
static struct segment_interval_row *nth(struct audit_sample *s, enum row_kind kind, size_t n)
{
	for (size_t i = 0; i < s->intervals; i++) {
		uint8_t code = s->interval[i].code & 0xCF;
		if (code == segment_interval_code(ROW_CPU, kind, ROW_SPAN_DONE) && n-- == 0)
			return &s->interval[i];
	}
	fail_msg("no such interval");
	return NULL;
}

static void drop(struct audit_sample *s, struct segment_interval_row *row)
{
	*row = s->interval[--s->intervals];
}

static void kernel_not_launched(struct audit_sample *s)
{
	drop(s, nth(s, ROW_LAUNCH, 2));
}

static void copy_beside_its_launch(struct audit_sample *s)
{
	struct segment_interval_row *row = interval(s, 1, 0, 0);
	shift(-2 * MS, &row->start_ns, &row->end_ns);
}

static void short_launch(struct audit_sample *s)
{
	nth(s, ROW_LAUNCH, 2)->end_ns -= MS;
}

static void launch_of_nothing(struct audit_sample *s)
{
	nth(s, ROW_LAUNCH, 2)->segment_idx = 2;
}

static void copy_at_once(struct audit_sample *s)
{
	struct segment_interval_row *row = interval(s, 1, 0, 0);
	shift(-MS, &row->start_ns, &row->end_ns);
}

static void kernel_without_gap(struct audit_sample *s)
{
	move_kernel(s, 1, 1, -MS);
}

static void no_sync(struct audit_sample *s)
{
	struct segment_interval_row *row = interval(s, 1, 0, 2);
	row->ready_ns = 19 * MS;
	shift(-2 * MS, &row->start_ns, &row->end_ns);
}

static void ends_before_sync(struct audit_sample *s)
{
	drop(s, interval(s, 1, 0, 2));
	s->set.segment_count--; /* the CPU segment is the last */
	job(s, 1, 0)->finish_ns = 20 * MS;
}

static void no_switch(struct audit_sample *s)
{
	drop(s, nth(s, ROW_SWITCH, 2));
}

static void long_switch(struct audit_sample *s)
{
	s->platform.overhead_switch_ns = MS / 2;
}

static void needless_switch(struct audit_sample *s)
{
	nth(s, ROW_LAUNCH, 1)->code = segment_interval_code(ROW_CPU, ROW_SWITCH, ROW_SPAN_DONE);
}

static void switch_for_another_segment(struct audit_sample *s)
{
	nth(s, ROW_SWITCH, 2)->segment_idx = 1;
}

static void start_behind_the_switch(struct audit_sample *s)
{
	job(s, 0, 0)->first_start_ns += MS;
}

static void no_interrupt(struct audit_sample *s)
{
	drop(s, nth(s, ROW_RELEASE, 0));
}

static void short_interrupt(struct audit_sample *s)
{
	nth(s, ROW_RELEASE, 1)->end_ns -= MS / 2;
}

static void interrupt_of_another(struct audit_sample *s)
{
	nth(s, ROW_RELEASE, 0)->task = 1;
}

static void interrupt_without_release(struct audit_sample *s)
{
	nth(s, ROW_SWITCH, 0)->code = segment_interval_code(ROW_CPU, ROW_RELEASE, ROW_SPAN_DONE);
	nth(s, ROW_RELEASE, 1)->ready_ns = nth(s, ROW_RELEASE, 1)->start_ns;
}

static void long_interrupts(struct audit_sample *s)
{
	s->platform.overhead_release_ns = 20 * MS;
}

static void during_an_interrupt(struct audit_sample *s)
{
	nth(s, ROW_SWITCH, 0)->start_ns -= MS;
}

static const struct defect defects[] = {
	{"launches", sample_overheads, kernel_not_launched, "it was not launched"},
	{"precedence", sample_overheads, copy_beside_its_launch, "before it is launched"},
	{"lengths", sample_overheads, short_launch, "ran for 1ms, expected 2ms"},
	{"precedence", sample_overheads, launch_of_nothing, "no such segment left"},
	{"distances", sample_overheads, copy_at_once, "it was issued at 9ms"},
	{"distances", sample_overheads, kernel_without_gap, "and a gap of 4ms, at 16ms"},
	{"precedence", sample_overheads, no_sync, "ended at 21ms"},
	{"precedence", sample_overheads, ends_before_sync, "waits behind its GPU section"},
	{"switches", sample_overheads, no_switch, "of the switch to it 1ms is left"},
	{"switches", sample_overheads, long_switch, "more for the switch"},
	{"switches", sample_overheads, needless_switch, "nothing is left to pay"},
	{"switches", sample_overheads, switch_for_another_segment, "does not need the core for this"},
	{"first-start", sample_overheads, start_behind_the_switch, "by its segments at 4ms"},
	{"interrupts", sample_overheads, no_interrupt, "does not interrupt the core"},
	{"interrupts", sample_overheads, short_interrupt, "does not last as long"},
	{"interrupts", sample_overheads, interrupt_of_another, "another release comes first"},
	{"interrupts", sample_overheads, interrupt_without_release, "no release needs"},
	{"stop", sample_overheads, long_interrupts, "its last job or interrupt ended at 40ms"},
	{"cpu-exclusive", sample_overheads, during_an_interrupt, "during the interrupt"},
};

TEST("every defect is found")
{
	assert_defects_found(defects, sizeof(defects) / sizeof(defects[0]));
}

static bool on_overheads(const struct audit_result *law)
{
	return audit_is_of_overheads(law->law);
}

TEST("every law is tested")
{
	assert_laws_tested(on_overheads, defects, sizeof(defects) / sizeof(defects[0]));
}
