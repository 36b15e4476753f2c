/* tests/property/test_bounds_tsg_rr.c [SETS] - compares the analysis `tsg-rr` with the plain second
 * implementation (tests/oracle/bounds_plain_tsg.h), and with runs: no response exceeds its bound, but the
 * paper's is exceeded. */
#include "tests/oracle/bounds_plain_tsg.h"
#include "tests/support/bounds.h"

TEST_NUMBER(sets, TEST_CASES(240));

struct sample {
	struct random_key key;
	struct plain_tsg_set plain;
	struct maker maker;
};

/* In front of each section and behind the last one is time on the core; sometimes a section has several
 * operations. */
static void add_segments(struct sample *s, struct plain_tsg_task *t)
{
	for (int j = 0; j < PLAIN_TSG_SECTIONS; j++) {
		int64_t cpu = drawn(&s->key, 1, 4), left = happens(&s->key, 45) ? drawn(&s->key, 1, 12) : 0;
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

static void make(struct sample *s, uint32_t number)
{
	memset(s, 0, sizeof(*s));
	s->key = (struct random_key){.seed = 18, .set = number, .purpose = RANDOM_TEST};
	maker_init(&s->maker, 1);
	s->maker.platform.sms = 2;
	s->maker.platform.threads_per_sm = 64;
	s->maker.platform.engines = (uint32_t)drawn(&s->key, 0, 2);
	s->plain.count = (int)drawn(&s->key, 2, PLAIN_TSG_TASKS);
	s->plain.slice = drawn(&s->key, 1, 6);
	s->plain.change = drawn(&s->key, 0, 2);
	s->maker.platform.contexts =
		(struct context_times){.timeslice_ns = s->plain.slice, .switch_ns = s->plain.change};
	if (happens(&s->key, 50)) {
		s->maker.platform.cores = (uint32_t)drawn(&s->key, 2, 3);
		s->maker.set.cores = true;
	}
	int64_t period = drawn(&s->key, 40, 200);
	for (int i = 0; i < s->plain.count; i++) {
		struct plain_tsg_task *t = &s->plain.task[i];
		period += drawn(&s->key, 1, 200); /* so that priorities are in this order */
		struct task *task = maker_task(&s->maker, "t", period, period, 0);
		if (s->maker.set.cores)
			task->core = t->core = (int32_t)drawn(&s->key, 0, s->maker.platform.cores - 1);
		add_segments(s, t);
		t->period = t->deadline = period;
	}
}

static const struct way {
	const char *options, *policy_options;
	bool paper, busy;
} ways[] = {
	{NULL, "wait=suspend", false, false},
	{NULL, "wait=busy", false, true},
	{"variant=paper", "wait=suspend", true, false},
	{"variant=paper", "wait=busy", true, true},
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
			int64_t plain[PLAIN_TSG_TASKS];
			s.plain.paper = ways[w].paper;
			s.plain.busy = ways[w].busy;
			plain_tsg(&s.plain, plain);
			bounds_make(
				&b, &s.maker, "tsg-rr", ways[w].policy_options, "tsg-rr", ways[w].options);
			bounded += bounds_agree(&b, plain, PLAIN_TSG_NONE, PLAIN_TSG_LIMIT, i, w);
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
			promises.count = 0;
			bounds_make(
				&b, &s.maker, "tsg-rr", ways[w].policy_options, "tsg-rr", ways[w].options);
			promises_add(&promises, &b);
			tally_promises(&sound[w], &assuming[w], &s.maker, &s.key, "tsg-rr",
				ways[w].policy_options, &promises, 8);
			bounds_finish(&b);
		}
		maker_finish(&s.maker);
	}
	for (size_t w = 0; w < WAYS; w++) {
		char what[60];
		snprintf(what, sizeof(what), "%s %s", ways[w].paper ? "paper" : "safe",
			ways[w].policy_options);
		if (!ways[w].paper) {
			tally_check(&sound[w], what, 0);
			if (assuming[w].bounds > 0)
				tally_check(&assuming[w], "  where others keep their deadlines", 0);
			continue;
		}
		tally_print(&sound[w], what);
		if (!ways[w].busy)
			assert_true(sound[w].exceeded > 0);
	}
}
