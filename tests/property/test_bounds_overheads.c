/* tests/property/test_bounds_overheads.c [SETS] - bounds on platforms with overheads (analysis/overheads.h),
 * on random sets: none is exceeded in runs, all are refused where the core is needed in the middle of an
 * admitted section, and without overheads the inflated set is the set. */
#include "models/taskset.h"
#include "tests/support/bounds.h"

TEST_NUMBER(sets, TEST_CASES(600));

enum { SETS_OF_CPU, SETS_OF_ONE_USER, SETS_OF_SINGLES, SETS_OF_SECTIONS, SET_KINDS };

struct sample {
	struct random_key key;
	struct maker k;
	int kind;
};

static void add_operation(struct sample *s)
{
	int64_t most = drawn(&s->key, happens(&s->key, 5) ? 0 : 1, 12);
	struct segment *g = happens(&s->key, 50)
				    ? maker_copy(&s->k, (enum copy_direction)drawn(&s->key, 0, 1), most)
				    : maker_grid(&s->k, 1, 1, most + 1);
	g->best_ns = happens(&s->key, 50) ? g->worst_ns : drawn(&s->key, 0, g->worst_ns);
}

static void add_cpu(struct sample *s)
{
	int64_t most = drawn(&s->key, happens(&s->key, 5) ? 0 : 1, 12);
	maker_cpu(&s->k, drawn(&s->key, 0, most), most);
}

static void add_task(struct sample *s, bool gpu, int64_t tasks)
{
	struct task *t = maker_task(&s->k, "t", 1, 1, 0);
	int64_t length = 0, sections = gpu ? drawn(&s->key, 1, 2) : 0;
	uint32_t index = s->k.set.task_count - 1;
	if (!happens(&s->key, 15) || sections == 0)
		add_cpu(s);
	for (int64_t i = 0; i < sections; i++) {
		int64_t operations = s->kind == SETS_OF_SINGLES ? 1 : drawn(&s->key, 1, 3);
		for (int64_t k = 0; k < operations; k++)
			add_operation(s);
		if (i + 1 < sections || !happens(&s->key, 15))
			add_cpu(s);
	}
	t = &s->k.set.tasks[index];
	for (uint32_t i = 0; i < t->segment_count; i++)
		length += t->segments[i].worst_ns + 8;
	t->period_ns = length + length * drawn(&s->key, 0, 40 * tasks) / 10;
	t->deadline_ns =
		happens(&s->key, 60) ? t->period_ns : drawn(&s->key, (t->period_ns + 1) / 2, t->period_ns);
}

static int64_t some(struct sample *s, int64_t most)
{
	return happens(&s->key, 35) ? 0 : drawn(&s->key, 1, most);
}

static void make(struct sample *s, uint32_t number, int kind)
{
	*s = (struct sample){.key = {.seed = 77, .set = number, .purpose = RANDOM_TEST}, .kind = kind};
	int64_t tasks = drawn(&s->key, 1, 5);
	maker_init(&s->k, 1);
	s->k.platform.sms = 1;
	s->k.platform.engines = (uint32_t)drawn(&s->key, 0, 2);
	s->k.platform.work_queues = happens(&s->key, 20) ? 2 : 32;
	for (int64_t i = 0; i < tasks; i++)
		add_task(s, kind == SETS_OF_ONE_USER ? i == tasks / 2 : kind != SETS_OF_CPU, tasks);
	draw_cores(&s->k, number);
	s->k.platform.overheads = (struct overheads){
		.launch_ns = kind == SETS_OF_SECTIONS ? 0 : some(s, 4),
		.latency_ns = some(s, 4),
		.gap_ns = some(s, 6),
		.sync_ns = some(s, 5),
		.switch_ns = some(s, 3),
		.release_ns = some(s, 3),
	};
}

static const struct way {
	const char *policy, *policy_options, *analysis, *options;
} ways[] = {
	{"self-suspension", NULL, "fp", NULL},
	{"self-suspension", NULL, "self-suspension", "method=baseline"},
	{"self-suspension", NULL, "self-suspension", "method=baseline form=start-time gaps=response"},
	{"self-suspension", NULL, "mpcp", "method=hybrid"},
	{"mpcp", "wait=suspend", "mpcp", "method=request"},
	{"mpcp", "wait=suspend", "mpcp", "method=job"},
	{"rm", "unit=section", "mpcp", NULL},
	{"fifo-cke", NULL, "fp", NULL},
	{"fifo-cke", NULL, "self-suspension", "method=segmented"},
	{"fifo-cke", NULL, "self-suspension", "method=bletsas"},
	{"prio-streams", NULL, "self-suspension", "method=oblivious"},
	{"fifo-cke", NULL, "self-suspension", "method=blocking"},
	{"fifo-cke", NULL, "self-suspension", "method=unifying"},
};
#define WAYS (sizeof(ways) / sizeof(*ways))

/* The bounds on which nothing else rests; above a period jobs wait for their predecessors. */
static bool bounded(struct sample *s, const struct way *way, int64_t *bound)
{
	struct bounds b = {0};
	bounds_make(&b, &s->k, way->policy, way->policy_options, way->analysis, way->options);
	bool some_bound = false;
	for (uint32_t i = 0; i < s->k.set.task_count; i++) {
		int64_t response =
			b.result.refused || !b.result.task[i].analysed || b.result.task[i].assumes > 0
				? NO_BOUND
				: b.result.task[i].response_ns;
		bound[i] = response <= s->k.set.tasks[i].period_ns ? response : NO_BOUND;
		some_bound |= bound[i] != NO_BOUND;
	}
	bounds_finish(&b);
	return some_bound;
}

TEST("no response exceeds its bound")
{
	static struct sample s;
	struct tally tally[WAYS] = {0};
	int64_t bound[BOUNDS_TASKS];
	for (uint32_t i = 0; i < sets; i++) {
		for (int kind = 0; kind < SET_KINDS; kind++) {
			make(&s, i, kind);
			for (size_t w = 0; w < WAYS; w++)
				if (bounded(&s, &ways[w], bound))
					tally_runs(&tally[w], &s.k, &s.key, ways[w].policy,
						ways[w].policy_options, bound, 4);
			maker_finish(&s.k);
		}
	}
	for (size_t w = 0; w < WAYS; w++) {
		char what[128];
		snprintf(what, sizeof(what), "%s under %s:%s",
			ways[w].options ? ways[w].options : ways[w].analysis, ways[w].policy,
			ways[w].analysis);
		tally_check(&tally[w], what, 0);
		assert_true(tally[w].bounds > sets / 4);
	}
}

/* ---- By hand ---- */

static struct bounds b;

static void two_tasks(struct maker *k, int operations)
{
	maker_init(k, 1000);
	k->platform.sms = 1;
	maker_task(k, "high", 100, 100, 0);
	maker_cpu(k, 10, 10);
	maker_task(k, "low", 200, 200, 0);
	maker_cpu(k, 5, 5);
	for (int i = 0; i < operations; i++)
		maker_grid(k, 1, 1, 20);
	maker_cpu(k, 5, 5);
}

TEST("by hand")
{
	struct maker k;
	two_tasks(&k, 1);
	k.platform.overheads = (struct overheads){.launch_ns = 3, .latency_ns = 2, .gap_ns = 1, .sync_ns = 4};
	bounds_make(&b, &k, "self-suspension", NULL, "mpcp", NULL);
	BOUNDS_EXPECT(&b, 10, 5 + 3 + (2 + 1 + 20 + 4) + 5 + 10);
	k.platform.overheads.release_ns = 7; /* two interrupts for either task */
	bounds_make(&b, &k, "self-suspension", NULL, "mpcp", NULL);
	BOUNDS_EXPECT(&b, 10 + 14, 40 + 10 + 14);
	assert_int_equal(bounds_part(&b, 1, BOUND_INTERFERENCE, 0), 10 + 7);
	assert_int_equal(bounds_part(&b, 1, BOUND_INTERFERENCE, 1), 7);
	k.platform.overheads.switch_ns =
		1; /* three segments of the core, the launch included, and that of high */
	bounds_make(&b, &k, "self-suspension", NULL, "mpcp", NULL);
	BOUNDS_EXPECT(&b, 10 + 14 + 2, 40 + 10 + 14 + 6 + 2);
	bounds_finish(&b);
	maker_finish(&k);
}

TEST("refused")
{
	struct maker k;
	two_tasks(&k, 2);
	k.platform.overheads.launch_ns = 3;
	bounds_make(&b, &k, "self-suspension", NULL, "mpcp", NULL);
	bounds_expect_refused(&b,
		"task 'low' needs the core to launch in the middle of a GPU section: under a gate it "
		"holds for sections of one copy or kernel, or without 'launch'");
	bounds_make(&b, &k, "fifo-cke", NULL, "self-suspension", "method=bletsas");
	BOUNDS_EXPECT(&b, 10, 5 + 3 + 20 + 3 + 20 + 5 + 10);
	k.platform.overheads = (struct overheads){.gap_ns = 1};
	bounds_make(&b, &k, "mpcp", "wait=busy", "mpcp", NULL);
	bounds_expect_refused(
		&b, "task 'low' spins in GPU sections: with overheads it holds for tasks that suspend");
	bounds_make(&b, &k, "fifo-cke", NULL, "fifo-e1", NULL);
	bounds_expect_refused(&b, "it holds for platforms without overheads");
	k.platform.overheads = (struct overheads){.release_ns = 101};
	bounds_make(&b, &k, "self-suspension", NULL, "mpcp", NULL);
	bounds_expect_refused(&b, "task 'high': the interrupts of releases take a period and more");
	bounds_finish(&b);
	maker_finish(&k);
}
