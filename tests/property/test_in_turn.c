/* tests/property/test_in_turn.c - sets with operations in flight that come one after the other all the same
 * (analysis/in_turn.h): each has the schedule of the set with the waits left out, and the same bounds; and no
 * run exceeds one. */
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "models/plan.h"
#include "policies/registry.h"
#include "tests/oracle/dice.h"
#include "tests/support/harness.h"
#include "tests/support/test.h"

#define TASKS 3
#define MOST_SEGMENTS 32

TEST_NUMBER(cases, 1000);

/* A section: all on the task's own stream, or on stream 10 + task. `waits`: nothing is in flight. */
static void add_section(struct maker *k, struct dice *d, uint32_t task, bool waits)
{
	int32_t stream = once_in(d, 2) ? STREAM_OWN : (int32_t)(10 + task);
	uint32_t operations = small(d, 1, 4);
	for (uint32_t i = 0; i < operations; i++) {
		int64_t least = between(d, 1, 3), most = least + between(d, 0, 3);
		bool async = roll(d) % 4 > 0, copy = once_in(d, 2);
		uint32_t grid = small(d, 1, 4), block = 256u << small(d, 0, 2);
		struct segment *s = copy ? maker_copy(k, once_in(d, 2) ? COPY_TO_GPU : COPY_TO_CPU, most)
					 : maker_grid(k, grid, block, most);
		s->best_ns = least;
		s->stream = stream;
		s->async = async && !waits;
	}
	bool named = once_in(d, 2);
	if (waits)
		return;
	struct segment *last = &k->set.tasks[task].segments[k->set.tasks[task].segment_count - 1];
	struct segment *wait = maker_cpu(k, 0, 0);
	wait->kind = SEGMENT_WAIT;
	if (!named || !last->async)
		return;
	static char name[TASKS][MOST_SEGMENTS][8];
	static char *names[TASKS][MOST_SEGMENTS];
	uint32_t at = k->set.tasks[task].segment_count - 1;
	snprintf(name[task][at], sizeof(name[task][at]), "s%u", at);
	last->name = names[task][at] = name[task][at];
	wait->awaits = &names[task][at];
	wait->await_count = 1;
}

static void make(struct maker *k, uint64_t number, bool waits)
{
	struct dice d = {number};
	maker_init(k, 400);
	k->platform.sms = 2;
	k->platform.threads_per_sm = 1024;
	k->platform.engines = small(&d, 1, 2);
	k->setup.execution = once_in(&d, 2) ? EXECUTION_WORST : EXECUTION_UNIFORM;
	k->setup.ties = once_in(&d, 2) ? TIES_LOWER_FIRST : TIES_TASK_ORDER;
	k->setup.limit_ns = 4000;
	uint32_t tasks = small(&d, 1, TASKS);
	for (uint32_t i = 0; i < tasks; i++) {
		int64_t period = between(&d, 20, 120);
		maker_task(k, "t", period, period, between(&d, 0, 9));
		for (uint32_t sections = small(&d, 1, 2); sections > 0; sections--) {
			maker_cpu(k, 1, between(&d, 1, 4));
			add_section(k, &d, i, waits);
		}
		if (once_in(&d, 2))
			maker_cpu(k, 1, 2);
	}
}

/* Draws are keyed by segment, and the other set has fewer: only the worst case has the same lengths. */
static void compare_jobs(const struct observed *a, const struct observed *b, uint64_t number)
{
	for (uint32_t task = 0; task < TASKS; task++)
		for (uint32_t n = 0;; n++) {
			const struct trace_record *x = observed_find(a, TRACE_JOB_END, task, n),
						  *y = observed_find(b, TRACE_JOB_END, task, n);
			if (!x && !y)
				break;
			if (!x || !y || x->time != y->time || x->how != y->how || x->ready != y->ready)
				fail_msg("set %u: job %u of task %u ends otherwise", (unsigned)number, n,
					task);
		}
}

static void bound(
	struct maker *k, const struct analysis *analysis, struct arena *arena, struct analysis_result *result)
{
	struct error err;
	struct plan plan;
	struct params of_policy, of_analysis;
	const struct policy *policy = policy_find("fifo-cke");
	params_default(&of_policy, policy->options);
	params_default(&of_analysis, analysis->options);
	assert_true(plan_create(&k->platform, &k->set, &k->setup, policy, &of_policy, arena, &plan, &err));
	assert_true(analysis_bound(analysis, &plan, &of_analysis, arena, result, &err));
}

static void check_bounds(
	struct maker *flying, struct maker *waiting, const struct observed *o, uint64_t number)
{
	for (const struct analysis *const *a = analysis_all(); *a; a++) {
		struct arena arena = {0};
		struct analysis_result f, w;
		bound(flying, *a, &arena, &f);
		bound(waiting, *a, &arena, &w);
		assert_int_equal(f.refused, w.refused);
		for (uint32_t i = 0; !f.refused && i < flying->set.task_count; i++) {
			assert_int_equal(f.task[i].analysed, w.task[i].analysed);
			assert_int_equal(f.task[i].response_ns, w.task[i].response_ns);
			bool holds = f.task[i].analysed && f.verdict.accepted && f.task[i].assumes == 0;
			for (uint32_t j = 0; holds && observed_find(o, TRACE_JOB_END, i, j); j++)
				if (observed_response(o, i, j) > f.task[i].response_ns)
					fail_msg("set %u: %s is exceeded by task %u", (unsigned)number,
						(*a)->name, i);
		}
		arena_finish(&arena);
	}
}

TEST("one stream a section is as if it waited")
{
	for (uint64_t number = 0; number < TEST_CASES(cases); number++) {
		struct maker flying, waiting;
		make(&flying, number, false);
		make(&waiting, number, true);
		struct observed f = observe(&flying, "fifo-cke", NULL),
				w = observe(&waiting, "fifo-cke", NULL);
		if (flying.setup.execution == EXECUTION_WORST)
			compare_jobs(&f, &w, number);
		check_bounds(&flying, &waiting, &f, number);
		observed_finish(&f);
		observed_finish(&w);
		maker_finish(&flying);
		maker_finish(&waiting);
	}
}

/* For its operations in flight, by all. */
static bool is_refused(struct maker *k)
{
	struct arena arena = {0};
	struct analysis_result r;
	for (const struct analysis *const *a = analysis_all(); *a; a++) {
		bound(k, *a, &arena, &r);
		if (!r.refused || !strstr(r.verdict.reason, "in flight")) {
			arena_finish(&arena);
			return false;
		}
	}
	arena_finish(&arena);
	return true;
}

/* cpu, kernel in flight, kernel in flight, wait; bounded, and each of the changes alone is refused. */
TEST("what may overlap is refused")
{
	enum change { NONE, ANOTHER_STREAM, NO_WAIT, SHARED, NULL_STREAM, OVERHEADS, CHANGES };
	for (int change = NONE; change < CHANGES; change++) {
		struct maker k;
		maker_init(&k, 400);
		k.platform.sms = 2;
		k.platform.threads_per_sm = 1024;
		maker_task(&k, "t", 100, 100, 0);
		maker_cpu(&k, 1, 1);
		maker_grid(&k, 1, 256, 3)->async = true;
		struct segment *second = maker_grid(&k, 1, 256, 3);
		second->async = true;
		second->stream = change == ANOTHER_STREAM ? 5 : STREAM_OWN;
		if (change != NO_WAIT)
			maker_cpu(&k, 0, 0)->kind = SEGMENT_WAIT;
		maker_cpu(&k, 1, 1);
		maker_task(&k, "u", 100, 100, 0);
		maker_cpu(&k, 1, 1);
		maker_grid(&k, 1, 256, 3)->stream = change == SHARED        ? 0
						    : change == NULL_STREAM ? STREAM_NULL
									    : STREAM_OWN;
		if (change == OVERHEADS)
			k.platform.overheads.latency_ns = 1;
		assert_int_equal(is_refused(&k), change != NONE);
		maker_finish(&k);
	}
}
