/* tests/unit/test_sbeet_releases.c - what sBEET expects of tasks that are not periodic (docs/policies.md,
 * "sbeet"): policies/sbeet/timetable.c with releases as a gate reports them. */
#include "tests/unit/sbeet_sets.h"

static struct sbeet_set set;

/* Releases of each task, ms, in ascending order; -1 ends them. */
static const int64_t *released[4];

static bool next_release(const void *self, uint32_t task, int64_t now, struct gate_release *r)
{
	(void)self;
	uint32_t jobs = 0;
	while (released[task][jobs] >= 0 && released[task][jobs] * MS <= now)
		jobs++;
	if (r->jobs >= jobs)
		return false;
	r->at = released[task][r->jobs++] * MS;
	return true;
}

static int finish(void **state)
{
	set_end(&set.s);
	return 0;
}

EACH_TEST(NULL, finish);

/* Adds a very long unit of a task that never arrives, so that predictions look far ahead. */
static void long_unit(void)
{
	static const int64_t never[] = {-1};
	released[set.s.set.task_count] = never;
	sbeet_task(&set, 100000, 100000, 100000, "G900,900,0,1/1");
}

static struct sbeet *ready(void)
{
	struct sbeet *b = sbeet_ready(&set, (struct sbeet_options){.workers = 2});
	b->timetable.releases = (struct sbeet_releases){.next = next_release};
	return b;
}

/* What is expected at `now` before `until`: "task.section@ready<deadline ..." in ms. */
static const char *expected(struct sbeet *b, int64_t now, int64_t until)
{
	static char text[512];
	size_t used = 0;
	sbeet_timetable_begin(&b->timetable, now * MS, NULL, 0);
	sbeet_timetable_reach(&b->timetable, until * MS);
	text[0] = '\0';
	for (uint32_t i = 0; i < b->timetable.count; i++) {
		const struct sbeet_unit *u = &b->timetable.unit[i];
		assert_int_equal(u->ready % MS, 0);
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%u.%u@%d<%d", i ? " " : "",
			u->section->task, u->section->index, (int)(u->ready / MS), (int)(u->deadline / MS));
	}
	return text;
}

/* The task's section of this job has arrived at the gate. */
static void stands(struct sbeet *b, uint32_t task, uint32_t job, uint32_t index)
{
	const struct sbeet_unit unit = sbeet_unit_of(b, task, index, job, 0, 0);
	sbeet_timetable_ready(&b->timetable, &unit);
}

/* Period 10, offset 5; released at 7 and 20, late by 2 and by 3. */
TEST("from the last release on")
{
	static const int64_t late[] = {7, 20, -1};
	sbeet_begin(&set, 2);
	sbeet_task(&set, 10, 9, 5, "G1,1,0,1/1");
	released[0] = late;
	long_unit();
	struct sbeet *b = ready();
	assert_string_equal(expected(b, 0, 26), "0.0@5<14 0.0@15<24 0.0@25<34");
	assert_string_equal(expected(b, 4, 6), "0.0@5<14");
	/* It did not come at 5: the next instant is 15. */
	assert_string_equal(expected(b, 5, 26), "0.0@15<24 0.0@25<34");
	assert_string_equal(expected(b, 6, 26), "0.0@15<24 0.0@25<34");
	assert_string_equal(expected(b, 7, 28), "0.0@17<26 0.0@27<36");
	stands(b, 0, 0, 0);
	assert_string_equal(expected(b, 16, 28), "0.0@17<26 0.0@27<36");
	assert_string_equal(expected(b, 17, 38), "0.0@27<36 0.0@37<46");
	assert_string_equal(expected(b, 19, 38), "0.0@27<36 0.0@37<46");
	/* A release at this instant counts, although its section arrives at the gate only now. */
	assert_string_equal(expected(b, 20, 41), "0.0@30<39 0.0@40<49");
	/* Late by more than three periods. */
	assert_string_equal(expected(b, 59, 71), "0.0@60<69 0.0@70<79");
	assert_string_equal(expected(b, 60, 71), "0.0@70<79");
}

/* Sections 3 and 12 after the release, period 20. A job that is not released yet is expected as long as one
 * of its sections is still ahead. A section of a released job is expected until it arrives at the gate. */
TEST("sections of released jobs")
{
	static const int64_t late[] = {0, 27, -1};
	sbeet_begin(&set, 1);
	sbeet_task(&set, 20, 20, 0, "C3,3 G1,1,0,1/1 C8,8 G1,1,0,1/1 C2,2");
	released[0] = late;
	long_unit();
	struct sbeet *b = ready();
	assert_string_equal(expected(b, 0, 33), "0.0@3<9 0.1@12<18 0.0@23<29 0.1@32<38");
	assert_string_equal(expected(b, 20, 64), "0.0@23<29 0.1@32<38 0.0@43<49 0.1@52<58 0.0@63<69");
	assert_string_equal(expected(b, 23, 53), "0.1@32<38 0.0@43<49 0.1@52<58");
	assert_string_equal(expected(b, 27, 52), "0.0@30<36 0.1@39<45 0.0@50<56");
	stands(b, 0, 1, 0);
	assert_string_equal(expected(b, 28, 60), "0.1@39<45 0.0@50<56 0.1@59<65");
	stands(b, 0, 1, 1); /* early: not again */
	assert_string_equal(expected(b, 29, 60), "0.0@50<56 0.1@59<65");
}

/* Jobs wait one after the other. The second section of each comes 25 after its release; the period is 10. */
TEST("jobs of a backlog")
{
	static const int64_t late[] = {0, 12, 22, 36, -1};
	sbeet_begin(&set, 1);
	sbeet_task(&set, 10, 10, 0, "G5,5,0,1/1 C20,20 G1,1,0,1/1");
	released[0] = late;
	long_unit();
	struct sbeet *b = ready();
	stands(b, 0, 0, 0);
	assert_string_equal(
		expected(b, 24, 58), "0.1@25<10 0.0@32<21 0.1@37<22 0.0@42<31 0.1@47<32 0.0@52<41 0.1@57<42");
	assert_string_equal(expected(b, 25, 48), "0.0@32<21 0.1@37<22 0.0@42<31 0.1@47<32");
	stands(b, 0, 0, 1);
	assert_string_equal(expected(b, 36, 62), "0.1@37<22 0.0@46<35 0.1@47<32 0.0@56<45 0.1@61<46");
	/* Jobs before one that has arrived at the gate have nothing left to come. */
	stands(b, 0, 2, 0);
	assert_string_equal(expected(b, 36, 62), "0.0@46<35 0.1@47<32 0.0@56<45 0.1@61<46");
}

/* Three tasks; the first one has nothing for the GPU. */
TEST("each task by its own")
{
	static const int64_t one[] = {0, -1}, two[] = {3, -1}, never[] = {-1};
	sbeet_begin(&set, 2);
	sbeet_task(&set, 7, 7, 0, "C1,1");
	sbeet_task(&set, 10, 10, 0, "G1,1,0,1/1");
	sbeet_task(&set, 10, 9, 4, "C1,1 G1,1,0,1/1");
	released[0] = one;
	released[1] = two;
	released[2] = never;
	long_unit();
	struct sbeet *b = ready();
	assert_string_equal(expected(b, 3, 24), "2.0@5<13 1.0@13<23 2.0@15<23 1.0@23<33");
	assert_string_equal(expected(b, 15, 34), "1.0@23<33 2.0@25<33 1.0@33<43");
}

/* Releases in a trace may be closer together than the period: there is room for all of them. */
TEST("nearer than the period")
{
	static const int64_t near[] = {0, 1, 1, 1, 2, 2, 3, 30, -1};
	static int64_t trace[8];
	static struct release_rule rule = {.kind = RELEASE_TRACE, .trace_ns = trace, .trace_count = 8};
	for (int i = 0; i < 8; i++)
		trace[i] = near[i] * MS;
	sbeet_begin(&set, 1);
	sbeet_task(&set, 1000, 50, 0, "C5,5 G4,4,0,1/1")->release = &rule;
	released[0] = near;
	struct sbeet *b = ready();
	/* One that waits, one after the last release, and seven in the 4 ms that the prediction looks
	 * ahead. */
	assert_int_equal(b->timetable.capacity, 1 + 1 + 7);
	assert_string_equal(expected(b, 3, 7), "0.0@5<50 0.0@6<51 0.0@6<51 0.0@6<51");
}

/* Even far ahead nothing overflows. */
TEST("at the end of time")
{
	static const int64_t once[] = {0, -1};
	sbeet_begin(&set, 1);
	sbeet_task(&set, 1000, 1000, 0, "C1,1 G1,1,0,1/1")->period_ns = INT64_MAX / 4;
	released[0] = once;
	struct sbeet *b = ready();
	sbeet_timetable_begin(&b->timetable, INT64_MAX - 5, NULL, 0);
	sbeet_timetable_reach(&b->timetable, INT64_MAX);
	assert_int_equal(b->timetable.count, 0);
}
