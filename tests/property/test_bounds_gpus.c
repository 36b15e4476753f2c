/* tests/property/test_bounds_gpus.c [SETS] - bounds of tasks on several GPUs that are not alike
 * (docs/analyses.md, "Several GPUs"; `rtgpu` has test_bounds_rtgpu_gpus.c): no response exceeds its bound;
 * and where tasks of different GPUs share no core either, the bounds are those of each GPU with its tasks
 * alone. */
#include "tests/support/bounds.h"

TEST_NUMBER(sets, TEST_CASES(500));

#define MOST_GPUS 3u
#define MOST_TASKS 6u
#define MOST_PARTS 6u

enum part_kind { CPU, TO_GPU, TO_CPU, KERNEL };

struct part {
	enum part_kind kind;
	int64_t lo, hi;
	uint32_t grid, block;
};

struct drawn_task {
	uint32_t gpu, core, count;
	int64_t period, deadline;
	struct part part[MOST_PARTS];
};

struct sample {
	struct random_key key;
	struct platform gpu[MOST_GPUS];
	uint32_t gpus, cores, tasks;
	bool kernels; /* each task is one kernel */
	struct drawn_task task[MOST_TASKS];
};

static const struct way {
	bool kernels;   /* for such sets, or for those that are not */
	bool by_itself; /* the plan for a GPU does not depend on the others */
	const char *policy, *policy_options, *analysis, *options;
} ways[] = {
	{false, true, "fifo-cke", NULL, "fifo-chains", NULL},
	{false, true, "prio-streams", NULL, "fifo-chains", NULL},
	{false, true, "mpcp", NULL, "mpcp", "method=hybrid"},
	{false, true, "mpcp", NULL, "mpcp", "method=request"},
	{false, true, "self-suspension", NULL, "mpcp", "method=job"},
	{false, true, "mpcp", "wait=busy", "mpcp", NULL},
	{false, true, "rm", NULL, "mpcp", NULL},
	{false, true, "self-suspension", NULL, "self-suspension", NULL},
	{false, true, "mpcp", NULL, "self-suspension", "form=start-time gaps=response"},
	{false, false, "rtgpu", "admit=any", "self-suspension", "method=bletsas"},
	{false, false, "rtgpu", "admit=any", "self-suspension", "method=segmented"},
	{true, true, "fifo-cke", "order=head", "fifo-e1", NULL},
	{true, true, "fifo-cke", "order=release", "fifo-e2", NULL},
	{true, true, "fifo-cke", NULL, "fifo-chains", NULL},
	{true, true, "mpcp", NULL, "fp", "method=nonpreemptive"},
	{true, true, "mpcp", NULL, "mpcp", NULL},
};
#define WAYS (sizeof(ways) / sizeof(*ways))

/* ---- Sets ---- */

static struct part draw_part(struct sample *s, enum part_kind kind)
{
	struct part p = {.kind = kind, .hi = drawn(&s->key, 1, 6)};
	p.lo = happens(&s->key, 50) ? p.hi : drawn(&s->key, 0, p.hi);
	p.grid = (uint32_t)drawn(&s->key, 1, 5);
	p.block = 32 * (uint32_t)drawn(&s->key, 1, 2);
	return p;
}

static void draw_task(struct sample *s, struct drawn_task *t)
{
	int64_t sum = 1;
	*t = (struct drawn_task){.gpu = (uint32_t)drawn(&s->key, 0, s->gpus - 1)};
	t->core = (uint32_t)drawn(&s->key, 0, s->cores - 1);
	if (s->kernels)
		t->part[t->count++] = draw_part(s, KERNEL);
	for (int64_t n = s->kernels ? 0 : drawn(&s->key, 1, MOST_PARTS); n > 0; n--) {
		enum part_kind kind = happens(&s->key, 45) || t->count == 0
					      ? CPU
					      : (enum part_kind)drawn(&s->key, TO_GPU, KERNEL);
		t->part[t->count++] = draw_part(s, kind);
	}
	for (uint32_t i = 0; i < t->count; i++)
		sum += t->part[i].hi * (t->part[i].kind == KERNEL ? 2 : 1);
	t->deadline = sum + sum * drawn(&s->key, 0, 20 * s->tasks) / 10;
	t->period = t->deadline + (happens(&s->key, 50) ? 0 : drawn(&s->key, 0, sum));
}

static void draw_sample(struct sample *s, uint32_t number, bool apart)
{
	*s = (struct sample){.key = {.seed = 60, .set = number, .purpose = RANDOM_TEST}};
	s->kernels = number % 4 == 3;
	s->gpus = (uint32_t)drawn(&s->key, 2, MOST_GPUS);
	s->cores = apart ? s->gpus : (uint32_t)(happens(&s->key, 40) ? 1 : drawn(&s->key, 2, 3));
	s->tasks = (uint32_t)drawn(&s->key, 2, MOST_TASKS);
	bool unlimited = happens(&s->key, 20);
	for (uint32_t g = 0; g < s->gpus; g++) {
		s->gpu[g] = platform_default();
		s->gpu[g].gpu = g;
		s->gpu[g].cores = s->cores;
		s->gpu[g].sms = (uint32_t)drawn(&s->key, 1, 4);
		s->gpu[g].threads_per_sm = 64 * (uint32_t)drawn(&s->key, 1, 2);
		s->gpu[g].engines = unlimited ? ENGINES_UNLIMITED : (uint32_t)drawn(&s->key, 1, 2);
		s->gpu[g].virtual_sms_per_sm = 1;
	}
	for (uint32_t i = 0; i < s->tasks; i++) {
		draw_task(s, &s->task[i]);
		s->task[i].core = apart ? s->task[i].gpu : s->task[i].core;
	}
}

static void add_part(struct maker *k, const struct part *p, uint32_t gpu)
{
	struct segment *g = NULL;
	if (p->kind == CPU)
		maker_cpu(k, p->lo, p->hi);
	else if (p->kind == KERNEL)
		g = maker_grid(k, p->grid, p->block, p->hi);
	else
		g = maker_copy(k, p->kind == TO_GPU ? COPY_TO_GPU : COPY_TO_CPU, p->hi);
	if (!g)
		return;
	g->best_ns = p->lo;
	g->gpu = gpu;
}

#define ALL_GPUS UINT32_MAX

/* The set; or one GPU with its tasks, whose indices are `of`. */
static void make(struct sample *s, uint32_t only, struct maker *k, uint32_t *of)
{
	bool all = only == ALL_GPUS;
	maker_init(k, 1);
	k->platform = s->gpu[all ? 0 : only];
	k->platform.gpu = 0;
	k->platform.cores = all ? s->cores : 1;
	k->platform.gpu_count = all ? s->gpus : 0;
	k->platform.others = all ? &s->gpu[1] : NULL;
	k->set.cores = k->platform.cores > 1;
	for (uint32_t i = 0; i < s->tasks; i++) {
		const struct drawn_task *t = &s->task[i];
		char name[16];
		if (!all && t->gpu != only)
			continue;
		snprintf(name, sizeof(name), "t%u", i);
		of[k->set.task_count] = i;
		maker_task(k, name, t->period, t->deadline, 0);
		k->set.tasks[k->set.task_count - 1].core = all ? (int32_t)t->core : 0;
		for (uint32_t j = 0; j < t->count; j++)
			add_part(k, &t->part[j], all ? t->gpu : 0);
	}
}

/* ---- Against runs ---- */

static bool hold(struct sample *s, const struct way *way, struct tally *sound, struct tally *assuming)
{
	static struct promises promises;
	struct maker k;
	struct bounds b = {0};
	uint32_t of[MOST_TASKS];
	make(s, ALL_GPUS, &k, of);
	bounds_plan(&b, &k, way->policy, way->policy_options);
	bool bounded = !b.plan.refused;
	if (bounded)
		bounds_analyse(&b, way->analysis, way->options);
	bounded = bounded && !b.result.refused;
	promises.count = 0;
	if (bounded) {
		promises_add(&promises, &b);
		tally_promises(sound, assuming, &k, &s->key, way->policy, way->policy_options, &promises, 6);
	}
	bounds_finish(&b);
	maker_finish(&k);
	return bounded;
}

TEST("no response exceeds its bound")
{
	static struct sample s;
	struct tally sound[WAYS] = {{0}}, assuming[WAYS] = {{0}};
	uint32_t bounded[WAYS] = {0};
	for (uint32_t i = 0; i < sets; i++)
		for (size_t w = 0; w < WAYS; w++) {
			draw_sample(&s, i, false);
			if (s.kernels == ways[w].kernels)
				bounded[w] += hold(&s, &ways[w], &sound[w], &assuming[w]);
		}
	for (size_t w = 0; w < WAYS; w++) {
		char what[80];
		snprintf(what, sizeof(what), "%s, %s:%s", ways[w].policy, ways[w].analysis,
			ways[w].options ? ways[w].options : "");
		assert_true(bounded[w] > 0);
		tally_check(&sound[w], what, strcmp(ways[w].analysis, "fifo-e2") == 0 ? 0 : 40);
		tally_check(&assuming[w], "  where others keep their deadlines", 0);
	}
}

/* ---- Each GPU by itself ---- */

/* What a bound rests on: tasks by their place in the whole set. */
static uint64_t rests_on(const struct bounds *alone, uint32_t task, const uint32_t *of)
{
	uint64_t rests = bounds_rests_on(alone, task), tasks = 0;
	for (uint32_t i = 0; i < alone->plan.set->task_count; i++)
		tasks |= rests >> i & 1 ? UINT64_C(1) << of[i] : 0;
	return tasks;
}

static void compare(const struct sample *s, const struct way *way, const struct bounds *all,
	const struct bounds *alone, const uint32_t *of, uint32_t tasks)
{
	/* `mpcp` counts on deadlines of lower tasks only where the whole set keeps them. */
	bool more = strcmp(way->analysis, "mpcp") == 0 && !all->result.verdict.accepted;
	for (uint32_t i = 0; i < tasks; i++) {
		const struct task_bound *x = &all->result.task[of[i]], *y = &alone->result.task[i];
		if (!y->analysed || !x->analysed)
			continue;
		if (!more && bounds_rests_on(all, of[i]) != rests_on(alone, i, of))
			fail_msg("set %u, %s under %s: task %u rests on %" PRIx64 ", and alone on %" PRIx64,
				s->key.set, way->analysis, way->policy, of[i], bounds_rests_on(all, of[i]),
				rests_on(alone, i, of));
		if (y->assumes > 0)
			continue;
		if (more ? x->response_ns < y->response_ns : x->response_ns != y->response_ns)
			fail_msg("set %u, %s under %s: task %u has %" PRId64 ", and alone %" PRId64,
				s->key.set, way->analysis, way->policy, of[i], x->response_ns,
				y->response_ns);
	}
}

/* Whether each GPU alone is accepted; *refused: one of them is refused. */
static bool all_alone(struct sample *s, const struct way *way, const struct bounds *all, bool *refused)
{
	bool accepted = true;
	*refused = false;
	for (uint32_t g = 0; g < s->gpus; g++) {
		struct maker k;
		struct bounds b = {0};
		uint32_t of[MOST_TASKS];
		make(s, g, &k, of);
		if (k.set.task_count > 0) {
			bounds_make(&b, &k, way->policy, way->policy_options, way->analysis, way->options);
			*refused |= b.result.refused;
			accepted = accepted && b.result.verdict.accepted;
			if (!b.result.refused && !all->result.refused)
				compare(s, way, all, &b, of, k.set.task_count);
		}
		bounds_finish(&b);
		maker_finish(&k);
	}
	return accepted;
}

TEST("bounds are those of each GPU alone")
{
	static struct sample s;
	uint32_t accepted = 0, cases = 0;
	for (uint32_t i = 0; i < sets; i++)
		for (size_t w = 0; w < WAYS; w++) {
			struct maker k;
			struct bounds b = {0};
			uint32_t of[MOST_TASKS];
			bool refused;
			draw_sample(&s, i, true);
			if (s.kernels != ways[w].kernels || !ways[w].by_itself)
				continue;
			make(&s, ALL_GPUS, &k, of);
			bounds_make(&b, &k, ways[w].policy, ways[w].policy_options, ways[w].analysis,
				ways[w].options);
			bool alone = all_alone(&s, &ways[w], &b, &refused);
			bool boosted = ways[w].policy_options && strstr(ways[w].policy_options, "busy");
			if (!boosted && (refused != b.result.refused || alone != b.result.verdict.accepted))
				fail_msg("set %u, %s under %s: %s", i, ways[w].analysis, ways[w].policy,
					b.result.verdict.reason);
			accepted += alone;
			cases++;
			bounds_finish(&b);
			maker_finish(&k);
		}
	print_message("# %u of %u accepted\n", accepted, cases);
	assert_in_range(accepted, cases / 10, cases - cases / 10);
}
