/* tests/property/test_bounds_gcaps.c [SETS] - compares the analysis `gcaps` with the plain second
 * implementation (tests/oracle/bounds_plain_gcaps.h), and with runs: no response exceeds its bound, but the
 * paper's is exceeded. GPU priorities by Audsley's method against all orders. */
#include "analysis/gcaps.h"
#include "tests/oracle/bounds_plain_gcaps.h"
#include "tests/support/bounds.h"

TEST_NUMBER(sets, TEST_CASES(600));

struct sample {
	struct random_key key;
	struct plain_gcaps_set plain;
	struct maker maker;
	char policy_options[80];
};

/* In front of each section and behind the last one is time on the core, or none; sometimes a section has
 * several operations. */
static void add_segments(struct sample *s, struct plain_gcaps_task *t)
{
	bool uses_gpu = happens(&s->key, 70), heavy = !uses_gpu && happens(&s->key, 40);
	for (int j = 0; j < PLAIN_GCAPS_SECTIONS; j++) {
		int64_t cpu = drawn(&s->key, 1, heavy ? 15 : 4), left = 0;
		if (uses_gpu && (j == 0 || happens(&s->key, 30)))
			left = drawn(&s->key, 1, 12);
		t->cpu += cpu;
		maker_cpu(&s->maker, happens(&s->key, 50) ? cpu : drawn(&s->key, 0, cpu), cpu);
		t->section[j] = left;
		while (left > 0) {
			int64_t part = drawn(&s->key, 1, left);
			left -= part;
			if (happens(&s->key, 40))
				maker_copy(&s->maker, COPY_TO_GPU, part);
			else
				maker_grid(&s->maker, 2, 64, part);
		}
	}
}

/* Places at the GPU: the order of priorities, or another one that is the same on each core. */
static void place(struct sample *s)
{
	struct plain_gcaps_task *t = s->plain.task;
	bool separate = happens(&s->key, 50);
	for (int i = 0; i < s->plain.count; i++)
		t[i].place = i;
	for (int k = 0; separate && k < 12; k++) {
		int a = (int)drawn(&s->key, 0, s->plain.count - 1), b = a;
		for (int i = 0; i < s->plain.count; i++)
			b = t[i].place == t[a].place + 1 ? i : b;
		if (t[a].core == t[b].core)
			continue;
		t[a].place++;
		t[b].place--;
	}
	s->maker.set.gpu_priorities = separate;
	for (int i = 0; separate && i < s->plain.count; i++)
		s->maker.set.tasks[i].gpu_priority = t[i].place;
}

static void make(struct sample *s, uint32_t number)
{
	memset(s, 0, sizeof(*s));
	s->key = (struct random_key){.seed = 16, .set = number, .purpose = RANDOM_TEST};
	maker_init(&s->maker, 1);
	s->maker.platform.sms = 2;
	s->maker.platform.threads_per_sm = 64;
	s->maker.platform.engines = (uint32_t)drawn(&s->key, 0, 2);
	s->maker.platform.cores = (uint32_t)drawn(&s->key, 1, 3);
	s->maker.set.cores = s->maker.platform.cores > 1;
	s->plain.count = (int)drawn(&s->key, 2, PLAIN_GCAPS_TASKS - 1);
	if (!happens(&s->key, 15)) {
		s->plain.update = drawn(&s->key, 1, 4);
		s->plain.call = happens(&s->key, 60) ? s->plain.update : drawn(&s->key, 1, 5);
	}
	int64_t period = drawn(&s->key, 30, 150);
	for (int i = 0; i < s->plain.count; i++) {
		struct plain_gcaps_task *t = &s->plain.task[i];
		period += drawn(&s->key, 1, 150); /* so that priorities are in this order */
		struct task *task = maker_task(&s->maker, "t", period, period, 0);
		if (s->maker.set.cores)
			task->core = t->core = (int32_t)drawn(&s->key, 0, s->maker.platform.cores - 1);
		add_segments(s, t);
		t->period = t->deadline = period;
	}
	place(s);
}

/* ---- Places by Audsley's method ---- */

/* Whether all tasks with sections are in time at these places, which are the same on each core. */
static bool suits(const struct plain_gcaps_set *set)
{
	int64_t response[PLAIN_GCAPS_TASKS];
	for (int l = 0; l < set->count; l++)
		for (int h = 0; h < l; h++)
			if (set->task[h].section[0] > 0 && set->task[l].section[0] > 0 &&
				set->task[h].core == set->task[l].core &&
				set->task[h].place > set->task[l].place)
				return false;
	plain_gcaps(set, response);
	for (int i = 0; i < set->count; i++)
		if (set->task[i].section[0] > 0 && response[i] > set->task[i].deadline)
			return false;
	return true;
}

/* Tries all orders, from a place on. */
static bool some_order_suits(struct plain_gcaps_set *set, int place)
{
	bool suitable = place == set->count && suits(set);
	for (int i = 0; i < set->count && !suitable; i++) {
		if (set->task[i].place >= 0)
			continue;
		set->task[i].place = place;
		suitable = some_order_suits(set, place + 1);
		if (!suitable)
			set->task[i].place = -1;
	}
	return suitable;
}

/* The analysis' view of a set. */
static void fill_test(const struct plain_gcaps_set *set, struct gcaps_task *tasks, struct gcaps_test *test)
{
	*test = (struct gcaps_test){
		.variant = set->paper ? GCAPS_PAPER : GCAPS_SAFE,
		.busy = set->busy,
		.update_ns = set->update,
		.call_ns = set->call,
		.task = tasks,
		.count = (uint32_t)set->count,
	};
	for (int i = 0; i < set->count; i++) {
		const struct plain_gcaps_task *t = &set->task[i];
		tasks[i] = (struct gcaps_task){
			.cpu_ns = t->cpu,
			.period_ns = t->period,
			.deadline_ns = t->deadline,
			.core = (uint32_t)t->core,
			.gpu_rank = (uint32_t)t->place,
		};
		for (int j = 0; j < PLAIN_GCAPS_SECTIONS; j++) {
			tasks[i].gpu_ns += t->section[j];
			tasks[i].sections += t->section[j] > 0;
		}
	}
}

static const char *options_of(struct sample *s, bool busy)
{
	snprintf(s->policy_options, sizeof(s->policy_options),
		"update=%" PRId64 "ns call=%" PRId64 "ns wait=%s", s->plain.update, s->plain.call,
		busy ? "busy" : "suspend");
	return s->policy_options;
}

static const struct way {
	const char *options;
	bool paper, busy;
} ways[] = {
	{NULL, false, false},
	{NULL, false, true},
	{"variant=paper", true, false},
	{"variant=paper", true, true},
};
#define WAYS (sizeof(ways) / sizeof(*ways))

TEST("implementations agree")
{
	static struct sample s;
	uint64_t bounded = 0;
	for (uint32_t i = 0; i < sets; i++) {
		make(&s, i);
		for (size_t w = 0; w < WAYS; w++) {
			struct bounds b = {0};
			int64_t plain[PLAIN_GCAPS_TASKS];
			s.plain.paper = ways[w].paper;
			s.plain.busy = ways[w].busy;
			plain_gcaps(&s.plain, plain);
			bounds_make(&b, &s.maker, "gcaps", options_of(&s, ways[w].busy), "gcaps",
				ways[w].options);
			bounded += bounds_agree(&b, plain, PLAIN_GCAPS_NONE, PLAIN_GCAPS_LIMIT, i, w);
			bounds_finish(&b);
		}
		maker_finish(&s.maker);
	}
	assert_true(bounded > sets * 4);
}

TEST("no response exceeds its bound, but the paper's")
{
	struct tally sound[WAYS] = {{0}}, assuming[WAYS] = {{0}};
	static struct promises promises;
	static struct sample s;
	for (uint32_t i = 0; i < sets; i++) {
		make(&s, i);
		for (size_t w = 0; w < WAYS; w++) {
			struct bounds b = {0};
			const char *policy_options = options_of(&s, ways[w].busy);
			promises.count = 0;
			bounds_make(&b, &s.maker, "gcaps", policy_options, "gcaps", ways[w].options);
			promises_add(&promises, &b);
			tally_promises(&sound[w], &assuming[w], &s.maker, &s.key, "gcaps", policy_options,
				&promises, 12);
			bounds_finish(&b);
		}
		maker_finish(&s.maker);
	}
	for (size_t w = 0; w < WAYS; w++) {
		char what[60];
		snprintf(what, sizeof(what), "%s %s", ways[w].paper ? "paper" : "safe",
			ways[w].busy ? "busy" : "suspend");
		if (ways[w].paper) {
			tally_print(&sound[w], what);
			assert_true(sound[w].exceeded > 0);
			continue;
		}
		tally_check(&sound[w], what, 0);
		if (assuming[w].bounds > 0)
			tally_check(&assuming[w], "  where others keep their deadlines", 0);
	}
}

/* ---- Small sets, all offsets ---- */

#define SMALL_TASKS 3

/* Most use the GPU; sections may begin or end a job. */
static void make_small(struct sample *s, uint32_t number)
{
	memset(s, 0, sizeof(*s));
	s->key = (struct random_key){.seed = 17, .set = number, .purpose = RANDOM_TEST};
	maker_init(&s->maker, 1);
	s->maker.platform.sms = 1;
	s->maker.platform.threads_per_sm = 64;
	s->maker.platform.cores = (uint32_t)drawn(&s->key, 1, 3);
	s->maker.set.cores = s->maker.platform.cores > 1;
	s->plain.update = drawn(&s->key, 1, 2);
	s->plain.call = drawn(&s->key, 1, 2);
	int64_t period = drawn(&s->key, 14, 18);
	for (int i = 0; i < SMALL_TASKS; i++) {
		struct task *t = maker_task(&s->maker, "t", period, period, 0);
		bool gpu = happens(&s->key, 80);
		if (s->maker.set.cores)
			t->core = (int32_t)drawn(&s->key, 0, s->maker.platform.cores - 1);
		for (int64_t sections = gpu ? drawn(&s->key, 1, 4) / 4 + 1 : 0; sections > 0; sections--) {
			int64_t cpu = happens(&s->key, 70) ? drawn(&s->key, 1, 2) : 0;
			maker_cpu(&s->maker, cpu, cpu);
			maker_grid(&s->maker, 1, 1, drawn(&s->key, 1, 3));
		}
		if (!gpu || happens(&s->key, 70)) {
			int64_t cpu = drawn(&s->key, 1, 2);
			maker_cpu(&s->maker, cpu, cpu);
		}
		period += drawn(&s->key, 1, 4);
	}
}

/* The longest responses with these offsets and by either rule for ties. */
static void run_small(struct sample *s, const char *options, const int64_t *offset, int64_t *most)
{
	int64_t end = 0;
	for (int i = 0; i < SMALL_TASKS; i++) {
		struct task *t = &s->maker.set.tasks[i];
		t->offset_ns = offset[i];
		end = offset[i] > end ? offset[i] : end;
	}
	int64_t horizon = end + 2 * s->maker.set.tasks[SMALL_TASKS - 1].period_ns;
	for (int ties = 0; ties < 2; ties++) {
		s->maker.setup = (struct run_setup){.horizon_ns = horizon,
			.limit_ns = 10 * horizon,
			.execution = EXECUTION_WORST,
			.ties = ties ? TIES_LOWER_FIRST : TIES_TASK_ORDER};
		struct longest l = longest_responses(&s->maker, "gcaps", options);
		for (int i = 0; i < SMALL_TASKS; i++)
			most[i] = l.of[i] > most[i] ? l.of[i] : most[i];
	}
}

static void run_all_offsets(struct sample *s, const char *options, int64_t *most)
{
	const struct task *t = s->maker.set.tasks;
	int64_t offset[SMALL_TASKS];
	for (offset[0] = 0; offset[0] < t[0].period_ns; offset[0]++)
		for (offset[1] = 0; offset[1] < t[1].period_ns; offset[1]++)
			for (offset[2] = 0; offset[2] < t[2].period_ns; offset[2]++)
				run_small(s, options, offset, most);
}

static bool is_bound(const struct bounds *b, uint32_t task)
{
	const struct task_bound *t = &b->result.task[task];
	return !b->result.refused && t->analysed && t->assumes == 0 &&
	       t->response_ns <= b->plan.set->tasks[task].period_ns;
}

/* Of sets in which two tasks have bounds. */
TEST("no response of a small set exceeds its bound, whatever the offsets")
{
	static struct sample s;
	struct tally safe = {0};
	for (uint32_t i = 0, looked_at = 0; looked_at < 1 + sets / 60; i++) {
		struct bounds b = {0};
		int64_t most[SMALL_TASKS] = {0};
		make_small(&s, i);
		const char *options = options_of(&s, i % 2 == 1);
		bounds_make(&b, &s.maker, "gcaps", options, "gcaps", NULL);
		bool enough = is_bound(&b, 0) + is_bound(&b, 1) + is_bound(&b, 2) >= 2;
		if (enough)
			run_all_offsets(&s, options, most);
		looked_at += enough;
		for (uint32_t k = 0; enough && k < SMALL_TASKS; k++)
			if (is_bound(&b, k))
				tally_bound(&safe, i, k, b.result.task[k].response_ns, most[k]);
		bounds_finish(&b);
		maker_finish(&s.maker);
	}
	tally_check(&safe, "all offsets", 6);
}

/* Fewer tasks, with shorter deadlines, so that the order matters. */
TEST("Audsley's method finds an order where there is one")
{
	static struct sample s;
	uint32_t with = 0, without = 0, others = 0;
	for (uint32_t i = 0; i < sets / 2; i++) {
		make(&s, i);
		struct plain_gcaps_set set = s.plain;
		set.deadlines = true;
		set.paper = happens(&s.key, 50);
		set.busy = happens(&s.key, 50);
		set.count = set.count > 4 ? 4 : set.count;
		for (int t = 0; t < set.count; t++)
			set.task[t].deadline = drawn(&s.key, set.task[t].period / 3, set.task[t].period);
		struct gcaps_task tasks[PLAIN_GCAPS_TASKS];
		struct gcaps_test test;
		struct arena arena = {0};
		struct error err;
		bool found, given = suits(&set);
		fill_test(&set, tasks, &test);
		assert_true(gcaps_assign(&test, &found, &arena, &err));
		for (int t = 0; t < set.count; t++)
			set.task[t].place = found && tasks[t].sections > 0 ? (int)tasks[t].gpu_rank : -1;
		if (found)
			assert_true(suits(&set));
		else
			assert_false(some_order_suits(&set, 0));
		with += found;
		without += !found;
		others += found && !given;
		arena_finish(&arena);
		maker_finish(&s.maker);
	}
	print_message(
		"# %u sets with an order, %u of them not as given; %u without one\n", with, others, without);
	assert_true(with > sets / 20 && without > sets / 40 && (others > 0 || sets < 600));
}
