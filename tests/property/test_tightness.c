/* tests/property/test_tightness.c [SETS] - holds bounds and climbs against the true worst case of small sets
 * (tests/oracle/worst_plain.h): response found <= worst case <= bound. And a climb must stay as good as it
 * is: docs/search.md says how near it comes to bounds (tests/bench/bench_tightness.c measures it). */
#include <stdio.h>

#include "analysis/analysis.h"
#include "tests/support/test.h"
#include "tests/support/tightness.h"

TEST_NUMBER(sets, TEST_CASES(60));

#define MOST_STATES 20000000

/* ---- By hand ---- */

static void worst_are(struct worst_set *set, int64_t first, int64_t second)
{
	int64_t response[WORST_TASKS];
	assert_true(worst_fits(set));
	assert_true(worst_responses(set, MOST_STATES, response) > 0);
	assert_int_equal(response[0], first);
	assert_int_equal(response[1], second);
}

#define CORE(best, worst)                                                                                    \
	{                                                                                                    \
		WORST_ON_CORE, (best), (worst)                                                               \
	}
#define SHARED(best, worst)                                                                                  \
	{                                                                                                    \
		WORST_SHARED, (best), (worst)                                                                \
	}
#define ALONE(best, worst)                                                                                   \
	{                                                                                                    \
		WORST_ALONE, (best), (worst)                                                                 \
	}

TEST("the core goes by priority")
{
	struct worst_set set = {.count = 2};
	set.task[0] = (struct worst_task){{CORE(1, 2)}, 1, 5};
	set.task[1] = (struct worst_task){{CORE(4, 4)}, 1, 20};
	worst_are(&set, 2, 8); /* 4 + 2 jobs of 2 */
}

TEST("the shared resource is not preempted")
{
	struct worst_set set = {.count = 2};
	set.task[0] = (struct worst_task){{SHARED(1, 2)}, 1, 20};
	set.task[1] = (struct worst_task){{SHARED(5, 5)}, 1, 20};
	worst_are(&set, 6, 7); /* the lower task begins a tick earlier; the higher one at the same instant */
	set.lower_first = true;
	worst_are(&set, 7, 6);
}

/* Suspension is not jitter: with a jitter of 5 for the second task the third one would take at most 10 = 3 +
 * 2 * 2 + 3. With R - C in its place, as the errata of Bletsas et al. has it, it takes at most 15. */
TEST("a late job is followed by an early one")
{
	struct worst_set set = {.count = 3};
	int64_t response[WORST_TASKS];
	set.task[0] = (struct worst_task){{CORE(2, 2)}, 1, 5};
	set.task[1] = (struct worst_task){{CORE(1, 1), ALONE(1, 5), CORE(2, 2)}, 3, 15};
	set.task[2] = (struct worst_task){{CORE(3, 3)}, 1, 60};
	assert_true(worst_responses(&set, MOST_STATES, response) > 0);
	assert_int_equal(response[0], 2);
	assert_in_range(response[2], 11, 15);
	set.task[1].period = 6; /* shorter than its response: a job is late */
	assert_true(worst_responses(&set, MOST_STATES, response) > 0);
	assert_int_equal(response[1], 7);
}

TEST("too many states are not looked at")
{
	int64_t response[WORST_TASKS];
	struct worst_set set = {.count = 1};
	set.task[0] = (struct worst_task){{CORE(1, 2)}, 1, 5};
	uint64_t states = worst_responses(&set, 100, response);
	assert_in_range(states, 1, 99);
	assert_int_equal(worst_responses(&set, states, response), states);
	assert_int_equal(worst_responses(&set, states - 1, response), 0);
	set.task[0].segment[0].best = 0;
	assert_false(worst_fits(&set));
}

/* ---- Random sets ---- */

struct held {
	uint32_t tasks, reached; /* by the climb: the worst case */
	uint32_t exceeded;       /* bounds, by the worst case */
	double of_worst, ratio;
};

/* Holds the sets' bounds and climbs against the worst cases. */
static struct held hold(
	const struct tight_sets *s, const char *const *analyses, size_t count, uint64_t budget)
{
	struct held h = {0};
	for (uint32_t i = 0; i < sets; i++) {
		struct tight_case c;
		int64_t worst[WORST_TASKS];
		if (!tight_open(s, i, &c))
			continue;
		bool small = tight_worst(&c, MOST_STATES, worst);
		for (uint32_t task = 0; small && task < c.set.task_count; task++) {
			int64_t observed = budget ? tight_observed(&c, task, budget) : worst[task];
			assert_true(observed <= worst[task]);
			h.tasks++;
			h.reached += observed == worst[task];
			h.of_worst += (double)observed / (double)worst[task];
		}
		for (size_t a = 0; small && a < count; a++) {
			const struct task_bound *bound = tight_bounds(&c, analyses[a]);
			for (uint32_t task = 0; bound && task < c.set.task_count; task++)
				h.exceeded += worst[task] > bound[task].response_ns;
		}
		tight_close(&c);
	}
	h.of_worst /= h.tasks;
	printf("# %s under %s: %u tasks, %u reached, %.4f of the worst case; %u bounds exceeded\n",
		s->options, s->policy, h.tasks, h.reached, h.of_worst, h.exceeded);
	return h;
}

#define SMALL "lo_ratio=50% sections=1 cpu=2ns..5ns memory=2ns..2ns gpu=2ns..10ns utilisation=60%"

TEST("one section at a time: found <= worst case <= bound")
{
	static const char *const analyses[] = {"mpcp", "mpcp:method=request", "mpcp:method=job",
		"self-suspension", "self-suspension:form=start-time,gaps=response"};
	const struct tight_sets s = {"tasks=2 " SMALL, "mpcp"};
	struct held h = hold(&s, analyses, 5, CLIMB_PIECE);
	assert_int_equal(h.exceeded, 0);
	assert_true(h.of_worst > 0.995);
}

TEST("SMs of their own: found <= worst case <= bound")
{
	static const char *const analyses[] = {
		"rtgpu", "rtgpu:form=start-time", "rtgpu:form=start-time,gaps=response"};
	const struct tight_sets s = {"tasks=2 " SMALL, "rtgpu"};
	struct held h = hold(&s, analyses, 3, CLIMB_PIECE);
	assert_int_equal(h.exceeded, 0);
	assert_true(h.of_worst > 0.99);
}

TEST("kernels side by side: found <= worst case <= bound")
{
	static const char *const analyses[] = {"fifo-e1", "fifo-e2", "fifo-chains"};
	const struct tight_sets s = {"tasks=2 cpu=0s copies=none kernel=grid sms=2 grid=2,4,8 block=512,1024 "
				     "gpu=8ns..24ns lo_ratio=100% utilisation=60%",
		"fifo-cke"};
	struct held h = hold(&s, analyses, 3, CLIMB_PIECE);
	assert_int_equal(h.exceeded, 0);
	assert_true(h.of_worst > 0.995);
}

/* The mean of observed / bound over the tasks of some sets of docs/search.md's kinds. */
static double nearness(const struct tight_sets *s, const char *analysis)
{
	double sum = 0;
	uint32_t tasks = 0;
	for (uint32_t i = 0; i < 24; i++) {
		struct tight_case c;
		if (!tight_open(s, i, &c))
			continue;
		const struct task_bound *bound = tight_bounds(&c, analysis);
		for (uint32_t task = 0; bound && task < c.set.task_count; task++, tasks++) {
			int64_t observed = tight_observed(&c, task, CLIMB_PIECE / 3);
			assert_true(observed <= bound[task].response_ns);
			sum += (double)observed / (double)bound[task].response_ns;
		}
		tight_close(&c);
	}
	printf("# %s under %s: %.4f of the bounds of %u tasks\n", analysis, s->policy, sum / tasks, tasks);
	return sum / tasks;
}

/* The same on every machine: a climb that comes less near is a worse one. */
TEST("climbs come as near to bounds as they did")
{
	static const struct {
		struct tight_sets sets;
		const char *analysis;
		double least;
	} rows[] = {
		{{"tasks=3 lo_ratio=50% sections=1 utilisation=60%", "mpcp"}, "mpcp", 0.795},
		{{"tasks=3 lo_ratio=50% sections=1 utilisation=60%", "rtgpu"},
			"rtgpu:form=start-time,gaps=response", 0.775},
		{{"tasks=3 lo_ratio=50% sections=1 utilisation=60%", "stgm"}, "stgm", 0.898},
		{{"tasks=3 lo_ratio=50% sections=2 copies=none utilisation=90%", "rtgpu:admit=any"},
			"self-suspension:method=unifying", 0.933},
		{{"tasks=3 lo_ratio=50% cpu=0s copies=none kernel=grid sms=2 utilisation=60%", "fifo-cke"},
			"fifo-e1", 0.721},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_true(nearness(&rows[i].sets, rows[i].analysis) >= rows[i].least);
}
