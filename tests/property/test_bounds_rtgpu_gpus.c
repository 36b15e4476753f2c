/* tests/property/test_bounds_rtgpu_gpus.c [SETS] - the analysis and the policy `rtgpu` on several GPUs
 * (RTGPU, section 5.6): bounds against a second implementation and against runs, allocations against all that
 * there are. */
#include "analysis/rtgpu.h"
#include "tests/oracle/bounds_plain_gpus.h"
#include "tests/support/bounds.h"

TEST_NUMBER(sets, TEST_CASES(1000));

struct sample {
	struct random_key key;
	struct maker k;
	struct platform others[PLAIN_GPUS - 1];
	struct interleave alpha[PLAIN_GPUS_TASKS][PLAIN_GPUS_SEGMENTS];
	struct plain_gpus_task task[PLAIN_GPUS_TASKS]; /* by index */
	struct plain_gpus_set plain;
	uint32_t index[PLAIN_GPUS_TASKS]; /* of the task at that place of priority */
};

static void make_platform(struct sample *s, uint32_t tasks)
{
	struct platform *p = &s->k.platform;
	p->sms = (uint32_t)drawn(&s->key, 1, 3);
	p->engines = (uint32_t)drawn(&s->key, 0, 2);
	p->virtual_sms_per_sm = (uint32_t)drawn(&s->key, 1, 2);
	s->plain.gpus = (int)drawn(&s->key, 2, PLAIN_GPUS);
	s->plain.virtual_sms = (int)p->virtual_sms_per_sm;
	for (int g = 0; g < s->plain.gpus; g++) {
		struct platform *q = g ? &s->others[g - 1] : p;
		if (g > 0)
			*q = *p;
		q->gpu = (uint32_t)g;
		q->sms = (uint32_t)drawn(&s->key, 1, tasks);
		q->engines = (uint32_t)(happens(&s->key, 10) ? 0 : drawn(&s->key, 1, 2));
		q->pin_overhead_ns = s->plain.pin[g] = happens(&s->key, 30) ? drawn(&s->key, 1, 3) : 0;
		s->plain.sms[g] = (int)q->sms;
		s->plain.engines[g] = (int)q->engines;
	}
	p->gpu_count = (uint32_t)s->plain.gpus;
	p->others = s->others;
}

static void add_kernel(struct sample *s, uint32_t task, uint32_t place, struct plain_gpus_segment *g)
{
	struct interleave *alpha = &s->alpha[task][place];
	g->kind = PLAIN_WORKS;
	if (happens(&s->key, 50)) {
		g->blocks = (int)drawn(&s->key, 1, 4);
		maker_grid(&s->k, (uint32_t)g->blocks, 1, g->hi)->best_ns = g->lo;
		return;
	}
	*alpha = (struct interleave){2, drawn(&s->key, 10, 18), 10};
	g->hi += 2;
	g->lo += 2;
	g->overhead = drawn(&s->key, 0, 2);
	g->numerator = alpha->numerator;
	g->denominator = alpha->denominator;
	struct segment *kernel = maker_work(&s->k, g->lo, g->hi, g->overhead);
	kernel->interleave = alpha;
	kernel->interleaves = 1;
}

/* A task's kernels are on one GPU; its copies mostly, too. */
static void add_segment(struct sample *s, uint32_t task, int home)
{
	struct plain_gpus_task *t = &s->task[task];
	uint32_t place = (uint32_t)t->count++;
	struct plain_gpus_segment *g = &t->segment[place];
	g->hi = drawn(&s->key, 1, 6);
	g->lo = happens(&s->key, 40) ? g->hi : drawn(&s->key, 0, g->hi);
	g->gpu = home;
	if (happens(&s->key, 40)) {
		g->kind = PLAIN_ON_CORE;
		g->gpu = 0;
		maker_cpu(&s->k, g->lo, g->hi);
	} else if (happens(&s->key, 60)) {
		enum copy_direction direction = (enum copy_direction)drawn(&s->key, 0, 2);
		g->kind = PLAIN_COPIES;
		g->back = direction == COPY_TO_CPU;
		g->gpu = happens(&s->key, 25) ? (int)drawn(&s->key, 0, s->plain.gpus - 1) : home;
		maker_copy(&s->k, direction, g->hi)->best_ns = g->lo;
	} else {
		add_kernel(s, task, place, g);
	}
	s->k.set.tasks[task].segments[place].gpu = (uint32_t)g->gpu;
}

static void add_task(struct sample *s, uint32_t index, uint32_t count)
{
	char name[16];
	int64_t sum = 0;
	int home = (int)drawn(&s->key, 0, s->plain.gpus - 1);
	snprintf(name, sizeof(name), "t%u", index);
	maker_task(&s->k, name, 1, 1, 0);
	for (int64_t n = drawn(&s->key, 1, 6); n > 0; n--) {
		add_segment(s, index, home);
		sum += 2 * s->task[index].segment[s->task[index].count - 1].hi;
	}
	struct task *t = &s->k.set.tasks[index];
	t->deadline_ns = sum + 1 + sum * drawn(&s->key, 0, 6 * (index + 1) * count) / 20;
	t->period_ns = t->deadline_ns + (happens(&s->key, 50) ? 0 : drawn(&s->key, 0, sum));
	s->task[index].period = t->period_ns;
	s->task[index].deadline = t->deadline_ns;
}

static void make(struct sample *s, uint32_t number)
{
	memset(s, 0, sizeof(*s));
	s->key = (struct random_key){.seed = 56, .set = number, .purpose = RANDOM_TEST};
	uint32_t rank[PLAIN_GPUS_TASKS], count = (uint32_t)drawn(&s->key, 2, PLAIN_GPUS_TASKS);
	maker_init(&s->k, 1000);
	make_platform(s, count);
	for (uint32_t i = 0; i < count; i++)
		add_task(s, i, count);
	draw_cores(&s->k, number);
	taskset_ranks(&s->k.set, false, rank);
	s->plain.count = (int)count;
	for (uint32_t i = 0; i < count; i++) {
		s->task[i].core = s->k.platform.cores > 1 ? s->k.set.tasks[i].core : 0;
		s->plain.task[rank[i]] = s->task[i];
		s->index[rank[i]] = i;
	}
}

static const struct {
	const char *options;
	struct plain_gpus_way plain;
} ways[] = {
	{"form=published gaps=deadline", {false, false}},
	{"form=published gaps=response", {false, true}},
	{"form=start-time gaps=deadline", {true, false}},
	{"form=start-time gaps=response", {true, true}},
};
#define WAYS (sizeof(ways) / sizeof(*ways))

/* Of the tasks up to the first that fails. */
static void compare(const struct sample *s, const struct bounds *b, const struct plain_gpus_way *way)
{
	int v[PLAIN_GPUS_TASKS];
	int64_t response[PLAIN_GPUS_TASKS];
	for (int k = 0; k < s->plain.count; k++)
		v[k] = (int)b->plan.grants[s->index[k]].virtual_sms;
	int accepted = plain_gpus_bounds(&s->plain, way, v, response);
	for (int k = 0; k < s->plain.count && k <= accepted; k++) {
		int64_t bound = b->result.task[s->index[k]].response_ns;
		if (response[k] == PLAIN_GPUS_NONE ? bound < 20000 : bound != response[k])
			fail_msg("set %u, task %u: %" PRId64 ", and plainly %" PRId64, s->key.set,
				s->index[k], bound, response[k]);
	}
}

static bool bound(struct sample *s, struct promises promises[WAYS])
{
	struct bounds b = {0};
	bounds_plan(&b, &s->k, "rtgpu", "admit=any");
	bool holds = !b.plan.refused;
	for (size_t w = 0; w < WAYS && holds; w++) {
		bounds_analyse(&b, "rtgpu", ways[w].options);
		assert_false(b.result.refused);
		compare(s, &b, &ways[w].plain);
		promises[w].count = 0;
		promises_add(&promises[w], &b);
	}
	bounds_finish(&b);
	return holds;
}

TEST("bounds agree, and no response exceeds its bound")
{
	static struct promises promises[WAYS];
	static struct sample s;
	struct tally sound[WAYS] = {{0}}, assuming[WAYS] = {{0}};
	uint32_t run = 0;
	for (uint32_t i = 0; i < sets; i++) {
		make(&s, i);
		bool holds = bound(&s, promises);
		run += holds;
		for (size_t w = 0; w < WAYS && holds; w++)
			tally_promises(
				&sound[w], &assuming[w], &s.k, &s.key, "rtgpu", "admit=any", &promises[w], 6);
		maker_finish(&s.k);
	}
	print_message("# %u of %u sets fit\n", run, (uint32_t)sets);
	assert_true(run > sets / 2);
	for (size_t w = 0; w < WAYS; w++) {
		tally_check(&sound[w], ways[w].options, 20);
		tally_check(&assuming[w], "  where others keep their deadlines", 0);
	}
}

static bool allocates(struct sample *s, const char *search, const char *options)
{
	struct bounds b = {0};
	char all[96];
	snprintf(all, sizeof(all), "search=%s %s", search, options);
	bounds_plan(&b, &s->k, "rtgpu", all);
	bool found = !b.plan.refused;
	for (uint32_t i = 0; found && i < s->k.set.task_count; i++)
		assert_true((b.plan.grants[i].count > 0) == (plain_gpus_of(&s->task[i]) >= 0));
	bounds_finish(&b);
	return found;
}

/* ---- A GPU for each task ---- */

static bool uses_gpu(const struct plain_gpus_task *t)
{
	for (int j = 0; j < t->count; j++)
		if (t->segment[j].kind != PLAIN_ON_CORE)
			return true;
	return false;
}

static void put_plain(struct plain_gpus_task *t, int gpu)
{
	for (int j = 0; j < t->count; j++)
		if (t->segment[j].kind != PLAIN_ON_CORE)
			t->segment[j].gpu = gpu;
}

/* Every assignment of tasks to GPUs, with every allocation. */
static bool plainly_possible(struct sample *s, int from)
{
	if (from >= s->plain.count || from >= PLAIN_GPUS_TASKS)
		return plain_gpus_possible(&s->plain, &ways[0].plain);
	for (int g = 0; g < s->plain.gpus; g++) {
		if (g > 0 && !uses_gpu(&s->plain.task[from]))
			break;
		put_plain(&s->plain.task[from], g);
		if (plainly_possible(s, from + 1))
			return true;
	}
	return false;
}

static bool choose(struct sample *s)
{
	bool may_have[PLAIN_GPUS_TASKS * PLATFORM_MAX_GPUS], accepted;
	const struct rtgpu_wants wants = {may_have};
	struct error err;
	for (size_t i = 0; i < sizeof(may_have); i++)
		may_have[i] = i % PLATFORM_MAX_GPUS < platform_gpus(&s->k.platform);
	if (!rtgpu_choose_gpus(&s->k.platform, &s->k.set, &wants, &accepted, &err))
		fail_msg("%s", err.text);
	return accepted;
}

TEST("GPUs are found if there are some, and bounds with them hold")
{
	static struct promises promises;
	static struct sample s;
	struct tally sound = {0}, assuming = {0};
	uint32_t found = 0, named = 0;
	for (uint32_t i = 0; i < sets / 2; i++) {
		struct bounds b = {0};
		make(&s, i);
		named += plain_gpus_possible(&s.plain, &ways[0].plain);
		bool accepted = choose(&s);
		if (accepted != plainly_possible(&s, 0))
			fail_msg("set %u: %s", i, accepted ? "chosen" : "not found");
		found += accepted;
		for (uint32_t t = 0; t < s.k.set.task_count; t++)
			for (uint32_t j = 1; j < s.k.set.tasks[t].segment_count; j++)
				if (s.k.set.tasks[t].segments[j].kind != SEGMENT_CPU &&
					s.k.set.tasks[t].segments[j - 1].kind != SEGMENT_CPU)
					assert_int_equal(s.k.set.tasks[t].segments[j].gpu,
						s.k.set.tasks[t].segments[j - 1].gpu);
		bounds_plan(&b, &s.k, "rtgpu", NULL);
		assert_int_equal(b.plan.refused, !accepted);
		promises.count = 0;
		if (accepted) {
			bounds_analyse(&b, "rtgpu", NULL);
			assert_true(b.result.verdict.accepted);
			promises_add(&promises, &b);
			tally_promises(&sound, &assuming, &s.k, &s.key, "rtgpu", NULL, &promises, 6);
		}
		bounds_finish(&b);
		maker_finish(&s.k);
	}
	print_message("# %u of %" PRIu64 " accepted; with the GPUs named %u\n", found, sets / 2, named);
	assert_true(found > named);
	tally_check(&sound, "with GPUs chosen", 20);
}

/* ---- Allocations ---- */

TEST("an allocation is found if there is one")
{
	static struct sample s;
	uint32_t possible = 0, lost = 0, cases = 0;
	for (uint32_t i = 0; i < sets / 2; i++) {
		make(&s, i);
		for (size_t w = 0; w < WAYS; w++, cases++) {
			bool there = plain_gpus_possible(&s.plain, &ways[w].plain);
			bool greedy = allocates(&s, "greedy", ways[w].options);
			if (allocates(&s, "grid", ways[w].options) != there)
				fail_msg("set %u, %s", i, ways[w].options);
			if (greedy != there && !(there && ways[w].plain.response_gaps))
				fail_msg("set %u, greedy, %s", i, ways[w].options);
			possible += there;
			lost += there && !greedy;
		}
		maker_finish(&s.k);
	}
	print_message("# %u of %u have an allocation; greedy lost %u\n", possible, cases, lost);
	assert_in_range(possible, cases / 10, cases - cases / 10);
}
