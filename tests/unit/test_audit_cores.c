/* tests/unit/test_audit_cores.c - the laws on several cores: each accepts a correct recording, and finds
 * something when one row of it is wrong. */
#include "tests/support/test.h"
#include "tests/unit/audit_defects.h"

static void on_another_core(struct audit_sample *s)
{
	interval(s, 0, 0, 0)->unit = 1;
}

static void on_no_core(struct audit_sample *s)
{
	interval(s, 2, 0, 0)->unit = 2;
}

static void core_idle(struct audit_sample *s)
{
	struct segment_interval_row *row = interval(s, 2, 0, 0);
	shift(MS, &row->start_ns, &row->end_ns);
}

/* low, or c, goes on for a millisecond, and the higher one comes that much later. */
static void preempted_late(struct audit_sample *s, uint32_t high, uint32_t low)
{
	struct segment_interval_row *row = interval(s, high, 0, 0);
	shift(MS, &row->start_ns, &row->end_ns);
	interval(s, low, 0, 0)->end_ns += MS;
}

static void lower_goes_on(struct audit_sample *s)
{
	preempted_late(s, 0, 1);
}

static void lower_goes_on_anywhere(struct audit_sample *s)
{
	preempted_late(s, 0, 2);
}

static void idle_beside_d(struct audit_sample *s)
{
	struct segment_interval_row *row = interval(s, 3, 0, 0);
	shift(MS, &row->start_ns, &row->end_ns);
}

static void two_on_core_1(struct audit_sample *s)
{
	interval(s, 3, 0, 0)->unit = 1;
}

static void other_way_round(struct audit_sample *s)
{
	for (size_t i = 0; i < s->intervals; i++)
		s->interval[i].unit = !s->interval[i].unit;
}

/* c moves when core 0 is idle. */
static void moves(struct audit_sample *s)
{
	struct segment_interval_row *first = &s->interval[3], *second = &s->interval[s->intervals++];
	assert_int_equal(first->part, 1);
	*second = *first;
	second->part = 2;
	second->unit = 0;
	second->start_ns = first->end_ns = 5 * MS;
	first->code = segment_interval_code(ROW_CPU, ROW_RUN, ROW_SPAN_PREEMPTED);
	interval(s, 3, 0, 0)->unit = 1;
}

static void task_without_core(struct audit_sample *s)
{
	s->task[2].core = DB_NULL;
}

static const struct defect defects[] = {
	{"parts", sample_cores, on_another_core, "on another core than its task's"},
	{"parts", sample_cores, task_without_core, "on another core than its task's"},
	{"parts", sample_global, on_no_core, "on one that is not there"},
	{"cpu-exclusive", sample_cores, on_another_core, "on the core 1 together with task"},
	{"cpu-exclusive", sample_global, two_on_core_1, "on the core 1 together with task"},
	{"cpu-priority", sample_cores, core_idle, "but the core 1 is idle", PROMISED},
	{"cpu-priority", sample_cores, lower_goes_on, "of rank 0, but task 'low' of rank 1 has the core 0",
		PROMISED},
	{"cpu-priority", sample_global, idle_beside_d, "but the core 0 is idle", PROMISED},
	{"cpu-priority", sample_global, lower_goes_on_anywhere,
		"of rank 0, but task 'c' of rank 2 has the core 1", PROMISED},
	{"cpu-core", sample_global, other_way_round, "comes to core 1, though core 0 was idle for it",
		PROMISED},
	{"cpu-core", sample_global, moves, "goes on on core 0, though it could keep core 1", PROMISED},
};

TEST("every defect is found")
{
	assert_defects_found(defects, sizeof(defects) / sizeof(defects[0]));
}

static bool on_cores(const struct audit_result *law)
{
	return audit_is_of_cores(law->law);
}

TEST("every law is tested")
{
	assert_laws_tested(on_cores, defects, sizeof(defects) / sizeof(defects[0]));
}

TEST("what is right")
{
	struct audit_sample s = sample_cores();
	assert_clean(&s);
	s = sample_global();
	assert_clean(&s);
}
