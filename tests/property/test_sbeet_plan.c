/* tests/property/test_sbeet_plan.c - `sbeet` with `offline: true` on random periodic sets. If only the SMs
 * are contended and everything takes its worst case, the schedule made beforehand equals the one decided at
 * run time. Otherwise the plan is followed: units run on their planned SMs, none before its planned instant,
 * none is forgotten, and none overtakes a unit that was planned earlier on one of its SMs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "models/simulation.h"
#include "policies/policies.h"
#include "policies/sbeet/sbeet.h"
#include "tests/support/harness.h"
#include "tests/support/test.h"

TEST_NUMBER(cases, TEST_CASES(400));

struct dice {
	struct random_key key;
};

static int64_t roll(struct dice *d, int64_t least, int64_t most)
{
	d->key.job++;
	return least + random_upto(&d->key, most - least);
}

/* ---- sets ---- */

#define PROFILES 3
#define SMS 6

/* Times that do not depend on the number of SMs: what follows a kernel may come earlier than the timetable
 * says. */
static void add_profiles(struct maker *k, struct dice *d)
{
	static struct profile profiles[PROFILES];
	static int64_t time[PROFILES][SMS];
	static char name[] = "any";
	for (int i = 0; i < PROFILES; i++) {
		for (int m = 0; m < SMS; m++)
			time[i][m] = roll(d, 1, 20);
		profiles[i] =
			(struct profile){.name = name, .count = SMS, .best_ns = time[i], .worst_ns = time[i]};
	}
	k->set.profiles = profiles;
	k->set.profile_count = PROFILES;
}

static void add_section(struct maker *k, struct dice *d, bool varies)
{
	if (roll(d, 0, 1))
		maker_copy(k, COPY_TO_GPU, roll(d, 1, 6));
	for (int64_t kernels = roll(d, 1, 2); kernels > 0; kernels--) {
		int64_t worst = roll(d, 4, 40);
		struct segment *s = maker_work(k, varies ? roll(d, 0, worst) : worst, worst, roll(d, 0, 3));
		s->power_uw = roll(d, 0, 50);
		if (roll(d, 0, 3) == 0) {
			s->form = KERNEL_PROFILE;
			s->profile = (int32_t)roll(d, 0, PROFILES - 1);
		}
		if (kernels > 1 && roll(d, 0, 1))
			maker_copy(k, COPY_BOTH, roll(d, 1, 4));
	}
	if (roll(d, 0, 1))
		maker_copy(k, COPY_TO_CPU, roll(d, 1, 6));
}

/* `contended`: copies and CPU segments compete, too, and lengths vary. */
static void make(struct maker *k, struct dice *d, bool contended)
{
	static const int64_t periods[] = {24, 30, 40, 60, 120};
	maker_init(k, 1);
	k->platform.sms = (uint32_t)roll(d, 1, SMS);
	add_profiles(k, d);
	k->platform.engines = contended ? (uint32_t)roll(d, 1, 2) : ENGINES_UNLIMITED;
	k->platform.static_uw = roll(d, 0, 20);
	k->platform.idle_per_sm_uw = roll(d, 0, 10);
	int64_t latest = 0;
	for (int64_t tasks = roll(d, 1, 6); tasks > 0; tasks--) {
		int64_t period = periods[roll(d, 0, 4)] * roll(d, 1, 2);
		int64_t offset = roll(d, 0, 1) ? 0 : roll(d, 0, period);
		latest = offset > latest ? offset : latest;
		maker_task(k, "t", period, roll(d, period / 2, period), offset);
		if (contended && roll(d, 0, 1))
			maker_cpu(k, 0, roll(d, 1, 9));
		for (int64_t sections = roll(d, 1, 2); sections > 0; sections--) {
			add_section(k, d, contended);
			if (sections > 1)
				maker_cpu(k, 0, contended ? roll(d, 0, 5) : 0);
		}
	}
	int64_t hyperperiod;
	assert_true(taskset_hyperperiod(&k->set, &hyperperiod));
	k->setup.horizon_ns = latest + (contended ? 4 : 2) * hyperperiod;
	k->setup.limit_ns = 1000 * k->setup.horizon_ns;
	k->setup.seed = (uint64_t)roll(d, 0, 1000);
	if (contended) {
		k->setup.execution = roll(d, 0, 1) ? EXECUTION_UNIFORM : EXECUTION_WORST;
		k->setup.on_miss = (enum on_miss)roll(d, 0, 2);
	}
}

/* ---- runs ---- */

struct run {
	struct trace_record *records;
	size_t count, capacity;
	struct simulation_outcome outcome;
};

static bool keep(void *self, const struct trace_record *records, size_t count)
{
	struct run *r = self;
	for (size_t i = 0; i < count; i++) {
		if (records[i].kind == TRACE_DECISION)
			continue;
		if (r->count == r->capacity) {
			r->capacity = 2 * r->capacity + 64;
			r->records = realloc(r->records, r->capacity * sizeof(*r->records));
			assert_non_null(r->records);
		}
		r->records[r->count++] = records[i];
	}
	return true;
}

static void set_params(struct params *params, const struct sbeet_options *o, bool offline)
{
	static const char *const queue[] = {"deadline", "fcfs", "priority"};
	char workers[16];
	struct error err;
	params_default(params, policy_sbeet.options);
	snprintf(workers, sizeof(workers), "%u", o->workers);
	assert_true(params_set(params, "workers", workers, &err));
	assert_true(params_set(params, "queue", queue[o->queue], &err));
	assert_true(params_set(params, "energy", o->common ? "common" : "own", &err));
	assert_true(params_set(params, "infeasible", o->fastest ? "fastest" : "energy", &err));
	assert_true(params_set(params, "after_start", o->stops ? "stop" : "continue", &err));
	assert_true(params_set(params, "offline", offline ? "true" : "false", &err));
}

static struct run run(struct maker *k, const struct sbeet_options *o, bool offline)
{
	struct run r = {0};
	struct params params;
	struct simulation *s;
	struct error err;
	set_params(&params, o, offline);
	if (!simulation_create(&k->platform, &k->set, &k->setup, &policy_sbeet, &params, &s, &err))
		fail_msg("%s", err.text);
	if (simulation_plan(s)->refused)
		fail_msg("%s", simulation_plan(s)->reason);
	trace_observe(simulation_trace(s), UINT32_MAX, keep, &r);
	enum simulation_state state;
	while ((state = simulation_step(s, 1000)) == SIMULATION_RUNNING)
		;
	if (state == SIMULATION_FAILED)
		fail_msg("%s", simulation_error(s)->text);
	r.outcome = simulation_outcome(s);
	simulation_destroy(s);
	return r;
}

static struct sbeet_options random_options(struct dice *d)
{
	return (struct sbeet_options){
		.workers = (uint32_t)roll(d, 1, 4),
		.queue = (enum sbeet_queue)roll(d, 0, 2),
		.common = roll(d, 0, 1),
		.fastest = roll(d, 0, 1),
		.stops = roll(d, 0, 1),
	};
}

/* ---- nothing is contended ---- */

TEST("as at run time")
{
	for (uint64_t i = 0; i < cases; i++) {
		struct dice d = {.key = {.seed = 31, .set = (uint32_t)i, .purpose = RANDOM_TEST}};
		struct maker k;
		make(&k, &d, false);
		const struct sbeet_options options = random_options(&d);
		struct run online = run(&k, &options, false), offline = run(&k, &options, true);
		if (online.count != offline.count)
			fail_msg("case %d: %zu and %zu records", (int)i, online.count, offline.count);
		for (size_t n = 0; n < online.count; n++)
			if (memcmp(&online.records[n], &offline.records[n], sizeof(*online.records)) != 0)
				fail_msg("case %d: record %zu, at %lld and %lld", (int)i, n,
					(long long)online.records[n].time,
					(long long)offline.records[n].time);
		free(online.records);
		free(offline.records);
		maker_finish(&k);
	}
}

/* ---- everything is ---- */

/* The plan of the set, as the policy makes it. */
struct made {
	struct arena arena;
	struct plan plan;
	struct sbeet b;
	struct sbeet_plan ahead;
	uint32_t rank[8];
};

static void make_plan(struct made *p, struct maker *k, const struct sbeet_options *options)
{
	struct error err;
	*p = (struct made){0};
	p->plan = (struct plan){
		.platform = &k->platform,
		.set = &k->set,
		.setup = &k->setup,
		.arena = &p->arena,
		.rank = p->rank,
		.virtual_sms = 1,
	};
	taskset_ranks(&k->set, false, p->rank);
	assert_true(sbeet_model_build(&p->plan, &p->b.model, &err));
	assert_true(sbeet_init(&p->b, &p->plan, options, &err));
	assert_true(sbeet_plan_make(&p->ahead, &p->b, &p->plan, &err));
	assert_false(p->plan.refused);
}

/* When each unit was planned, and when it ran. */
struct got {
	struct sbeet_planned planned;
	uint32_t task;
	bool vanishes; /* it may not come; as long as it is not there, nothing waits for it */
	int64_t front; /* when the unit before it in its task started */
	int64_t start; /* of its first kernel; -1: none ran */
	uint64_t sm;
};

static int in_order(const void *a, const void *b)
{
	const struct got *x = a, *y = b;
	if (x->planned.at != y->planned.at)
		return x->planned.at < y->planned.at ? -1 : 1;
	return x->task < y->task ? -1 : x->task > y->task;
}

static void note(struct got *g, const struct trace_record *r)
{
	g->sm |= UINT64_C(1) << r->index;
	if (g->start < 0)
		g->start = r->time;
}

/* Did b run before a, although a was planned earlier and was the next unit of its task when b was due? */
static bool overtakes(const struct got *a, const struct got *b)
{
	return !a->vanishes && a->start >= 0 && b->start >= 0 && b->start < a->start && a->task != b->task &&
	       a->front <= b->planned.at && (a->planned.sm[0] & b->planned.sm[0]);
}

static void check_followed(const struct made *p, const struct maker *k, const struct run *r, uint64_t index)
{
	uint32_t first[8], count = 0;
	struct got *got = calloc(100000, sizeof(*got));
	assert_non_null(got);
	for (uint32_t t = 0; t < k->set.task_count; t++) {
		uint32_t sections = sbeet_sections_of(&p->b.model, t);
		first[t] = count;
		for (uint32_t job = 0; sbeet_release(&p->b.model, t, job) < k->setup.horizon_ns; job++)
			for (uint32_t s = 0; s < sections; s++, count++)
				got[count] = (struct got){
					.planned = sbeet_plan_unit(&p->ahead, t, job, s),
					.task = t,
					.vanishes = sbeet_section(&p->b.model, t, s)->vanishes,
					.start = -1,
				};
	}
	for (size_t n = 0; n < r->count; n++) {
		const struct trace_record *b = &r->records[n];
		if (b->kind != TRACE_BLOCKS_START)
			continue;
		const struct sbeet_section *s = sbeet_section_at(&p->b.model, b->task, b->segment);
		note(&got[first[b->task] + b->job * sbeet_sections_of(&p->b.model, b->task) + s->index], b);
	}
	for (uint32_t i = 0; i < count; i++) {
		if (got[i].start < 0)
			continue;
		if (got[i].start < got[i].planned.at)
			fail_msg("case %d: task %u starts early", (int)index, got[i].task);
		if (got[i].sm != got[i].planned.sm[0])
			fail_msg("case %d: task %u runs on other SMs", (int)index, got[i].task);
	}
	for (uint32_t i = 1; i < count; i++)
		if (got[i].task == got[i - 1].task)
			got[i].front = got[i - 1].start < 0 ? INT64_MAX : got[i - 1].start;
	/* Drop and abort remove units; the others may then overtake units that were planned earlier. */
	if (k->setup.on_miss == MISS_CONTINUE) {
		qsort(got, count, sizeof(*got), in_order);
		for (uint32_t i = 0; i < count; i++)
			for (uint32_t j = i + 1; j < count && j < i + 200; j++)
				if (overtakes(&got[i], &got[j]))
					fail_msg("case %d: task %u overtakes", (int)index, got[j].task);
	}
	free(got);
}

/* At every instant, kernels of at most `workers` tasks run. */
static void check_workers(const struct run *r, uint32_t workers, uint64_t index)
{
	uint32_t blocks[8] = {0}, running = 0;
	for (size_t n = 0; n < r->count; n++) {
		const struct trace_record *b = &r->records[n];
		if (b->kind == TRACE_BLOCKS_START) {
			running += blocks[b->task] == 0;
			blocks[b->task] += b->count;
		} else if (b->kind == TRACE_BLOCKS_END) {
			blocks[b->task] -= b->count;
			running -= blocks[b->task] == 0;
		}
		if (running > workers)
			fail_msg("case %d: kernels of %u tasks run, with %u workers", (int)index, running,
				workers);
	}
}

TEST("is followed")
{
	for (uint64_t i = 0; i < cases; i++) {
		struct dice d = {.key = {.seed = 32, .set = (uint32_t)i, .purpose = RANDOM_TEST}};
		struct maker k;
		struct made p;
		make(&k, &d, true);
		const struct sbeet_options options = random_options(&d);
		struct run r = run(&k, &options, true);
		if (r.outcome.truncated)
			fail_msg("case %d: jobs are left behind", (int)i);
		make_plan(&p, &k, &options);
		check_followed(&p, &k, &r, i);
		check_workers(&r, options.workers, i);
		free(r.records);
		arena_finish(&p.arena);
		maker_finish(&k);
	}
}

/* ---- corners ---- */

/* A kernel that turns out to have length zero never waits at the gate: nothing waits for it. */
TEST("nobody waits for what vanishes")
{
	const struct sbeet_options options = {.workers = 2};
	struct maker k;
	maker_init(&k, 200);
	k.platform.sms = 1;
	k.setup.execution = EXECUTION_BEST;
	maker_task(&k, "vanishes", 100, 100, 0);
	maker_work(&k, 0, 8, 0);
	maker_task(&k, "stays", 100, 100, 1);
	maker_work(&k, 4, 4, 0);
	struct run r = run(&k, &options, true);
	assert_false(r.outcome.truncated);
	uint32_t jobs = 0;
	for (size_t n = 0; n < r.count; n++) {
		if (r.records[n].kind != TRACE_BLOCKS_START)
			continue;
		assert_int_equal(r.records[n].task, 1);
		assert_int_equal(r.records[n].time, 100 * jobs++ + 8); /* as planned */
	}
	assert_int_equal(jobs, 2);
	free(r.records);
	maker_finish(&k);
}

/* Other units wait for a job that is dropped before it arrives at the gate, but only until its deadline. */
TEST("nobody waits for what is dropped")
{
	const struct sbeet_options options = {.workers = 2};
	struct maker k;
	maker_init(&k, 100);
	k.platform.sms = 1;
	k.setup.on_miss = MISS_DROP;
	maker_task(&k, "holds the core", 100, 1 + 1, 0);
	maker_cpu(&k, 50, 50);
	maker_task(&k, "dropped", 100, 30, 0);
	maker_cpu(&k, 1, 1);
	maker_work(&k, 8, 8, 0);
	maker_task(&k, "waits", 100, 90, 2);
	maker_work(&k, 4, 4, 0);
	struct run r = run(&k, &options, true);
	const struct trace_record *start = NULL;
	for (size_t n = 0; n < r.count; n++)
		if (r.records[n].kind == TRACE_BLOCKS_START) {
			assert_null(start);
			start = &r.records[n];
		}
	assert_non_null(start);
	assert_int_equal(start->task, 2);
	assert_int_equal(start->time, 30);
	free(r.records);
	maker_finish(&k);
}

static void constant_kernel(
	struct maker *k, const char *name, int64_t deadline, int64_t offset, int64_t *time)
{
	static char any[] = "any";
	struct profile *p = &k->set.profiles[k->set.profile_count];
	*p = (struct profile){.name = any, .count = 3, .best_ns = time, .worst_ns = time};
	maker_task(k, name, 1000, deadline, offset);
	if (name[0] == 'e')
		maker_cpu(k, 1, 1);
	struct segment *s = maker_grid(k, 0, 0, 0);
	s->form = KERNEL_PROFILE;
	s->profile = (int32_t)k->set.profile_count++;
	s->power_uw = 10;
}

/* Three units on SMs of their own, two workers: e is late, and waits for a worker though its SM is free. */
TEST("late units wait for a worker")
{
	static int64_t x[] = {100, 10, 10}, e[] = {30, 30, 30}, y[] = {50, 50, 50}, z[] = {20, 20, 20};
	static const int64_t starts[] = {0, 51, 10, 31}; /* planned: e at 1, on SM 2 */
	static const uint32_t sm[] = {0, 2, 0, 1};
	static struct profile profiles[4];
	const struct sbeet_options options = {.workers = 2};
	struct maker k;
	uint32_t found = 0;
	maker_init(&k, 100);
	k.platform.sms = 3;
	k.platform.static_uw = k.platform.idle_per_sm_uw = 1;
	k.set.profiles = profiles;
	constant_kernel(&k, "x", 900, 0, x);
	constant_kernel(&k, "e", 910, 0, e);
	constant_kernel(&k, "y", 920, 5, y);
	constant_kernel(&k, "z", 930, 6, z);
	maker_task(&k, "holds the core", 1000, 40, 0);
	maker_cpu(&k, 35, 35);
	struct run r = run(&k, &options, true);
	for (size_t n = 0; n < r.count; n++) {
		const struct trace_record *b = &r.records[n];
		if (b->kind != TRACE_BLOCKS_START || b->block != 0)
			continue;
		assert_int_equal(b->time, starts[b->task]);
		assert_int_equal(b->index, sm[b->task]);
		found++;
	}
	assert_int_equal(found, 4);
	free(r.records);
	maker_finish(&k);
}
