/* tests/property/test_bounds_rtgpu.c [SETS] - compares the bounds of the analysis `rtgpu` with runs: no
 * response exceeds its bound, nor, in runs in which the tasks that it rests on keep their deadlines, a bound
 * behind a task that fails. test_analysis.c compares them with a second implementation. */
#include "tests/support/bounds.h"

TEST_NUMBER(sets, TEST_CASES(1000));

#define TASKS 5

struct sample {
	struct random_key key;
	struct maker k;
	const char *policy, *policy_options;
};

static void draw_length(struct sample *s, int high, int64_t *lo, int64_t *hi)
{
	*hi = drawn(&s->key, 1, high);
	*lo = happens(&s->key, 40) ? *hi : drawn(&s->key, 0, *hi);
}

/* Returns how long it takes at most, roughly. */
static int64_t add_segment(struct sample *s, bool kernels)
{
	int64_t lo, hi;
	draw_length(s, 6, &lo, &hi);
	if (happens(&s->key, 45)) {
		maker_cpu(&s->k, lo, hi);
		return hi;
	}
	if (!kernels || happens(&s->key, 60)) {
		maker_copy(&s->k, (enum copy_direction)drawn(&s->key, 0, 2), hi)->best_ns = lo;
		return hi;
	}
	maker_grid(&s->k, (uint32_t)drawn(&s->key, 1, 4), 1, hi)->best_ns = lo;
	return 2 * hi;
}

/* A deadline leaves some room for the tasks above, often too little: then its task fails, and the tasks below
 * may rest on it. */
static void add_task(struct sample *s, uint32_t index, uint32_t count, bool kernels)
{
	char name[16];
	int64_t sum = 0;
	snprintf(name, sizeof(name), "t%u", index);
	struct task *t = maker_task(&s->k, name, 1, 1, 0);
	for (int64_t n = drawn(&s->key, 1, 6); n > 0; n--)
		sum += add_segment(s, kernels);
	t = &s->k.set.tasks[index];
	t->deadline_ns = sum + 1 + sum * drawn(&s->key, 0, 8 * (index + 1) * count) / 20;
	t->period_ns = t->deadline_ns + (happens(&s->key, 50) ? 0 : drawn(&s->key, 0, sum));
}

static void make(struct sample *s, uint32_t number)
{
	memset(s, 0, sizeof(*s));
	s->key = (struct random_key){.seed = 6, .set = number, .purpose = RANDOM_TEST};
	uint32_t count = (uint32_t)drawn(&s->key, 2, TASKS);
	bool first_come = happens(&s->key, 30);
	maker_init(&s->k, 1000);
	s->k.platform.sms = count + (uint32_t)drawn(&s->key, 0, 2);
	s->k.platform.engines = (uint32_t)drawn(&s->key, 1, 2);
	s->k.platform.virtual_sms_per_sm = (uint32_t)drawn(&s->key, 1, 2);
	for (uint32_t i = 0; i < count; i++)
		add_task(s, i, count, !first_come);
	/* Without kernels and a gate, copies first come, first served. */
	s->policy = first_come ? "fifo-cke" : "rtgpu";
	s->policy_options = first_come ? NULL : "admit=any";
	draw_cores(&s->k, number);
}

static const char *const ways[] = {
	"form=published gaps=deadline",
	"form=published gaps=response",
	"form=start-time gaps=deadline",
	"form=start-time gaps=response",
};
#define WAYS (sizeof(ways) / sizeof(*ways))

/* Whether all four hold for the plan. */
static bool bound(struct sample *s, struct promises promises[WAYS])
{
	struct bounds b = {0};
	bounds_plan(&b, &s->k, s->policy, s->policy_options);
	bool holds = !b.plan.refused;
	for (size_t w = 0; w < WAYS && holds; w++) {
		bounds_analyse(&b, "rtgpu", ways[w]);
		holds = !b.result.refused;
		promises[w].count = 0;
		promises_add(&promises[w], &b);
	}
	bounds_finish(&b);
	return holds;
}

TEST("no response exceeds its bound")
{
	static struct promises promises[WAYS];
	static struct sample s;
	struct tally sound[WAYS] = {{0}}, assuming[WAYS] = {{0}};
	for (uint32_t i = 0; i < sets; i++) {
		make(&s, i);
		if (!bound(&s, promises))
			fail_msg("set %u is refused", i);
		for (size_t w = 0; w < WAYS; w++)
			tally_promises(&sound[w], &assuming[w], &s.k, &s.key, s.policy, s.policy_options,
				&promises[w], 6);
		maker_finish(&s.k);
	}
	for (size_t w = 0; w < WAYS; w++) {
		tally_check(&sound[w], ways[w], 20);
		tally_check(&assuming[w], "  where others keep their deadlines", 0);
		assert_true(assuming[w].bounds > sets / 20);
	}
}
