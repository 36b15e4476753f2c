/* tests/property/test_bounds_mpcp.c [SETS] - compares the analysis `mpcp` with the plain second
 * implementation (tests/oracle/bounds_plain_mpcp.h), and with runs: no response exceeds its bound. */
#include "tests/oracle/bounds_plain_mpcp.h"
#include "tests/support/bounds.h"

TEST_NUMBER(sets, TEST_CASES(1000));

struct sample {
	struct random_key key;
	struct plain_mpcp_set plain;
	struct maker maker;
};

static void add(struct sample *s, struct plain_mpcp_task *t, bool cpu, int64_t most)
{
	int64_t hi = drawn(&s->key, happens(&s->key, 5) ? 0 : 1, most);
	int64_t lo = happens(&s->key, 50) ? hi : drawn(&s->key, 0, hi);
	t->segment[t->count++] = (struct plain_mpcp_segment){cpu, lo, hi};
}

/* Draws CPU segments and sections in turn. Sometimes one is left out: then sections follow each other, or are
 * first or last. */
static void draw_task(struct sample *s, struct plain_mpcp_task *t, bool odd)
{
	int sections = (int)drawn(&s->key, 0, 2);
	*t = (struct plain_mpcp_task){0};
	for (int j = 0; j < sections; j++) {
		if (!odd || !happens(&s->key, 25))
			add(s, t, true, 5);
		if (!odd && t->segment[t->count - 1].lo == 0)
			t->segment[t->count - 1].lo = t->segment[t->count - 1].hi = 1;
		for (int64_t parts = drawn(&s->key, 1, 2); parts > 0; parts--)
			add(s, t, false, 5);
	}
	if (t->count == 0 || !odd || !happens(&s->key, 40))
		add(s, t, true, 5);
	int64_t total = 1;
	for (int j = 0; j < t->count; j++)
		total += t->segment[j].hi;
	t->period = total + total * drawn(&s->key, 0, 30 * s->plain.count) / 10;
	t->deadline = happens(&s->key, 60) ? t->period : drawn(&s->key, (t->period + 1) / 2, t->period);
}

static int by_deadline(const void *a, const void *b)
{
	const struct plain_mpcp_task *x = a, *y = b;
	return (x->deadline > y->deadline) - (x->deadline < y->deadline);
}

static void add_segments(struct sample *s, const struct plain_mpcp_task *t)
{
	for (int j = 0; j < t->count; j++) {
		const struct plain_mpcp_segment *g = &t->segment[j];
		if (g->cpu) {
			maker_cpu(&s->maker, g->lo, g->hi);
		} else if (g->lo == g->hi && happens(&s->key, 50)) {
			maker_copy(&s->maker, happens(&s->key, 50) ? COPY_TO_GPU : COPY_TO_CPU, g->hi);
		} else {
			maker_grid(&s->maker, (uint32_t)drawn(&s->key, 1, 4), 1, g->hi)->best_ns = g->lo;
		}
	}
}

static void make(struct sample *s, uint32_t number, bool odd)
{
	memset(s, 0, sizeof(*s));
	s->key = (struct random_key){.seed = 5, .set = number, .purpose = RANDOM_TEST};
	s->plain.count = (int)drawn(&s->key, 1, PLAIN_MPCP_TASKS);
	for (int i = 0; i < s->plain.count; i++)
		draw_task(s, &s->plain.task[i], odd);
	qsort(s->plain.task, (size_t)s->plain.count, sizeof(s->plain.task[0]), by_deadline);
	maker_init(&s->maker, 1);
	s->maker.platform.sms = 2;
	s->maker.platform.engines = (uint32_t)drawn(&s->key, 1, 2);
	for (int i = 0; i < s->plain.count; i++) {
		char name[16];
		snprintf(name, sizeof(name), "t%d", i);
		maker_task(&s->maker, name, s->plain.task[i].period, s->plain.task[i].deadline, 0);
		add_segments(s, &s->plain.task[i]);
	}
	draw_cores(&s->maker, number);
	draw_gpus(&s->maker, number);
	s->plain.gpus = (int)platform_gpus(&s->maker.platform);
	for (int i = 0; i < s->plain.count; i++) {
		const struct task *t = &s->maker.set.tasks[i];
		s->plain.task[i].core = t->core;
		for (uint32_t j = 0; j < t->segment_count; j++)
			if (t->segments[j].kind != SEGMENT_CPU)
				s->plain.task[i].gpu = (int)t->segments[j].gpu;
	}
}

static const struct way {
	const char *options, *policy_options;
	struct plain_mpcp plain;
} ways[] = {
	{"method=hybrid", "wait=suspend", {PLAIN_MPCP_HYBRID, false}},
	{"method=request", "wait=suspend", {PLAIN_MPCP_REQUEST, false}},
	{"method=job", "wait=suspend", {PLAIN_MPCP_JOB, false}},
	{NULL, "wait=busy", {PLAIN_MPCP_BUSY, false}},
	{"method=job jitter=paper", "wait=suspend", {PLAIN_MPCP_JOB, true}},
	{"jitter=paper", "wait=suspend", {PLAIN_MPCP_HYBRID, true}},
	{"method=request jitter=paper", "wait=suspend", {PLAIN_MPCP_REQUEST, true}},
};
#define WAYS (sizeof(ways) / sizeof(*ways))
#define SAFE_WAYS 5

static bool same_bounds(struct sample *s, const struct way *way)
{
	struct bounds b = {0};
	struct plain_mpcp_bound plain[PLAIN_MPCP_TASKS];
	int accepted = plain_mpcp(&s->plain, way->plain, plain);
	bounds_make(&b, &s->maker, "mpcp", way->policy_options, "mpcp", way->options);
	assert_int_equal(b.result.refused, accepted < 0);
	assert_int_equal(b.result.verdict.accepted, accepted == s->plain.count);
	for (int i = 0; accepted >= 0 && i < s->plain.count; i++) {
		const struct task_bound *t = &b.result.task[i];
		assert_int_equal(t->analysed, plain[i].reached);
		if (!t->analysed)
			break;
		if (plain[i].response == PLAIN_MPCP_NONE ? t->response_ns <= s->plain.task[i].period + 1000
							 : t->response_ns != plain[i].response)
			fail_msg("set %u, %s, task %d: plain %lld, bound %lld", s->key.set,
				way->options ? way->options : way->policy_options, i,
				(long long)plain[i].response, (long long)t->response_ns);
		if (t->response_ns != NO_BOUND)
			assert_int_equal(bounds_rests_on(&b, (uint32_t)i), plain[i].rests_on);
	}
	if (accepted >= 0 && accepted < s->plain.count)
		assert_int_equal(b.result.verdict.failing_task, accepted);
	bounds_finish(&b);
	return accepted == s->plain.count;
}

TEST("implementations agree")
{
	uint32_t accepted[WAYS] = {0};
	static struct sample s;
	for (uint32_t i = 0; i < sets; i++) {
		make(&s, i, i % 2);
		for (size_t w = 0; w < WAYS; w++)
			accepted[w] += same_bounds(&s, &ways[w]);
		maker_finish(&s.maker);
	}
	for (size_t w = 0; w < WAYS; w++) {
		print_message("# %s: %u of %" PRIu64 " accepted\n",
			ways[w].options ? ways[w].options : ways[w].policy_options, accepted[w], sets);
		assert_in_range(accepted[w], sets / 10, sets - sets / 10);
	}
}

/* ---- Runs ---- */

/* Compares the bounds of one set, computed in one way, with some runs. */
static void check_runs(struct sample *s, const struct way *way, const char *policy, struct tally *sound,
	struct tally *assuming)
{
	struct bounds b = {0};
	static struct promises promises;
	const char *policy_options = strcmp(policy, "mpcp") == 0 ? way->policy_options : NULL;
	promises.count = 0;
	bounds_make(&b, &s->maker, policy, policy_options, "mpcp", way->options);
	promises_add(&promises, &b);
	if (!b.result.refused)
		tally_promises(sound, assuming, &s->maker, &s->key, policy, policy_options, &promises, 8);
	bounds_finish(&b);
}

TEST("no response exceeds its bound")
{
	struct tally sound[SAFE_WAYS] = {{0}}, assuming[SAFE_WAYS] = {{0}};
	static struct sample s;
	for (uint32_t i = 0; i < sets; i++) {
		make(&s, i, i % 2);
		for (size_t w = 0; w < SAFE_WAYS; w++)
			check_runs(&s, &ways[w], w < 3 && i % 5 == 0 ? "self-suspension" : "mpcp", &sound[w],
				&assuming[w]);
		maker_finish(&s.maker);
	}
	for (size_t w = 0; w < SAFE_WAYS; w++) {
		tally_check(&sound[w], ways[w].options ? ways[w].options : ways[w].policy_options, 20);
		assert_int_equal(assuming[w].bounds > 0, ways[w].plain.method != PLAIN_MPCP_BUSY);
		if (assuming[w].bounds > 0)
			tally_check(&assuming[w], "  where others keep their deadlines", 0);
	}
}
