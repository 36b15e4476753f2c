/* tests/support/bounds.c - see tests/support/bounds.h. */
#include "tests/support/bounds.h"

#include "models/plan.h"
#include "policies/registry.h"

struct bounds_fixture bounds_fixture;

/* ---- Bounds ---- */

void bounds_params(struct params *params, const struct option *options, const char *text)
{
	char copy[256];
	struct error err;
	params_default(params, options);
	snprintf(copy, sizeof(copy), "%s", text ? text : "");
	for (char *rest = copy, *item; (item = strsep(&rest, " ")) != NULL;) {
		char *value = strchr(item, '=');
		if (!*item)
			continue;
		assert_non_null(value);
		*value++ = '\0';
		if (!params_set(params, item, value, &err))
			fail_msg("%s", err.text);
	}
}

static void fail_report(void *self, uint32_t task, uint32_t segment, const char *text)
{
	(void)self;
	fail_msg("task %u segment %u: %s", task, segment, text);
}

static const struct policy *policy_for(
	struct maker *k, const char *policy, const char *options, struct params *params)
{
	const struct policy *found = policy_find(policy);
	assert_non_null(found);
	assert_true(k->set.task_count <= BOUNDS_TASKS);
	bounds_params(params, found->options, options);
	taskset_check_beyond(&k->set, &k->platform, fail_report, NULL);
	return found;
}

void bounds_plan(struct bounds *b, struct maker *k, const char *policy, const char *policy_options)
{
	struct error err;
	bounds_finish(b);
	const struct policy *found = policy_for(k, policy, policy_options, &b->policy_params);
	if (!plan_create(
		    &k->platform, &k->set, &k->setup, found, &b->policy_params, &b->arena, &b->plan, &err))
		fail_msg("%s", err.text);
}

static void check_parts(const struct task_bound *t, uint32_t tasks)
{
	int64_t sum = 0;
	assert_true(t->part_count <= tasks + 4);
	for (uint32_t p = 0; p < t->part_count; p++) {
		assert_true(t->parts[p].amount_ns > 0);
		sum += t->parts[p].amount_ns;
	}
	assert_true(t->analysed || t->response_ns == NO_BOUND);
	assert_int_equal(sum, t->response_ns == NO_BOUND ? 0 : t->response_ns);
}

void bounds_analyse(struct bounds *b, const char *analysis, const char *options)
{
	struct error err;
	const struct analysis *a = analysis_find(analysis);
	assert_non_null(a);
	bounds_params(&b->params, a->options, options);
	if (!analysis_bound(a, &b->plan, &b->params, &b->arena, &b->result, &err))
		fail_msg("%s", err.text);
	assert_true(!b->result.verdict.accepted || b->result.verdict.reason[0] == '\0');
	for (uint32_t i = 0; !b->result.refused && i < b->plan.set->task_count; i++)
		check_parts(&b->result.task[i], b->plan.set->task_count);
}

void bounds_make(struct bounds *b, struct maker *k, const char *policy, const char *policy_options,
	const char *analysis, const char *options)
{
	bounds_plan(b, k, policy, policy_options);
	assert_false(b->plan.refused);
	bounds_analyse(b, analysis, options);
}

void bounds_finish(struct bounds *b)
{
	arena_finish(&b->arena);
}

int64_t bounds_part(const struct bounds *b, uint32_t task, enum bound_part_kind kind, uint32_t by)
{
	const struct task_bound *t = &b->result.task[task];
	int64_t sum = 0;
	for (uint32_t p = 0; p < t->part_count; p++)
		if (t->parts[p].kind == kind && t->parts[p].by == by)
			sum += t->parts[p].amount_ns;
	return sum;
}

uint64_t bounds_agree(
	const struct bounds *b, const int64_t *plain, int64_t none, int64_t limit, uint32_t set, size_t way)
{
	uint64_t bounded = 0;
	if (b->result.refused)
		fail_msg("set %u, way %zu: %s", set, way, b->result.verdict.reason);
	for (uint32_t t = 0; t < b->plan.set->task_count; t++) {
		int64_t response = b->result.task[t].response_ns;
		if (!b->result.task[t].analysed)
			continue;
		if (plain[t] == none ? response <= limit : response != plain[t])
			fail_msg("set %u, way %zu, task %u: plain %lld, bound %lld", set, way, t,
				(long long)plain[t], (long long)response);
		bounded += plain[t] != none;
	}
	return bounded;
}

uint64_t bounds_rests_on(const struct bounds *b, uint32_t task)
{
	uint64_t tasks = 0;
	for (uint32_t f = b->result.task[task].assumes_from; f < b->result.task[task].assumes; f++)
		tasks |= UINT64_C(1) << b->result.failed[f];
	return tasks;
}

void bounds_expect(const struct bounds *b, const int64_t *responses, uint32_t tasks)
{
	assert_false(b->result.refused);
	assert_int_equal(tasks, b->plan.set->task_count);
	for (uint32_t i = 0; i < tasks; i++) {
		assert_true(b->result.task[i].analysed);
		assert_int_equal(b->result.task[i].response_ns, responses[i]);
	}
}

void bounds_expect_refused(const struct bounds *b, const char *reason)
{
	assert_true(b->result.refused);
	assert_false(b->result.verdict.accepted);
	assert_string_equal(b->result.verdict.reason, reason);
}

int bounds_begin(void **state)
{
	maker_init(&bounds_fixture.k, 1000);
	bounds_fixture.k.platform.sms = 2;
	return 0;
}

int bounds_end(void **state)
{
	bounds_finish(&bounds_fixture.b);
	maker_finish(&bounds_fixture.k);
	return 0;
}

/* ---- Runs ---- */

static bool keep_longest(void *self, const struct trace_record *records, size_t count)
{
	struct longest *l = self;
	for (size_t i = 0; i < count; i++) {
		const struct trace_record *r = &records[i];
		if (r->kind != TRACE_JOB_END)
			continue;
		l->jobs++;
		if (r->time - r->start > l->of[r->task])
			l->of[r->task] = r->time - r->start;
	}
	return true;
}

struct longest longest_responses(struct maker *k, const char *policy, const char *options)
{
	struct longest l = {.jobs = 0};
	struct params params;
	struct simulation *s;
	struct error err;
	const struct policy *found = policy_for(k, policy, options, &params);
	if (!simulation_create(&k->platform, &k->set, &k->setup, found, &params, &s, &err))
		fail_msg("%s", err.text);
	assert_false(simulation_plan(s)->refused);
	trace_observe(simulation_trace(s), TRACE_BIT(TRACE_JOB_END), keep_longest, &l);
	while (simulation_step(s, 100000) == SIMULATION_RUNNING)
		;
	simulation_destroy(s);
	return l;
}

/* ---- Random sets and runs ---- */

int64_t drawn(struct random_key *key, int64_t low, int64_t high)
{
	key->job++;
	return low + random_upto(key, high - low);
}

bool happens(struct random_key *key, int percent)
{
	return drawn(key, 1, 100) <= percent;
}

void draw_cores(struct maker *k, uint32_t set)
{
	struct random_key key = {.seed = 77, .set = set, .purpose = RANDOM_TEST};
	if (happens(&key, 50))
		return;
	k->platform.cores = (uint32_t)drawn(&key, 2, 4);
	k->set.cores = true;
	int64_t used = happens(&key, 20) ? 1 : k->platform.cores;
	for (uint32_t i = 0; i < k->set.task_count; i++)
		k->set.tasks[i].core = (int32_t)drawn(&key, k->platform.cores - used, k->platform.cores - 1);
}

void draw_gpus(struct maker *k, uint32_t set)
{
	struct random_key key = {.seed = 78, .set = set, .purpose = RANDOM_TEST};
	if (!happens(&key, 33))
		return;
	uint32_t gpus = (uint32_t)drawn(&key, 2, 3);
	struct platform *others = arena_new(&k->set.arena, struct platform, gpus - 1);
	assert_non_null(others);
	for (uint32_t g = 1; g < gpus; g++) {
		others[g - 1] = k->platform;
		others[g - 1].gpu = g;
	}
	for (uint32_t i = 0; i < k->set.task_count; i++) {
		uint32_t gpu = (uint32_t)drawn(&key, 0, gpus - 1);
		for (uint32_t j = 0; j < k->set.tasks[i].segment_count; j++)
			if (k->set.tasks[i].segments[j].kind != SEGMENT_CPU)
				k->set.tasks[i].segments[j].gpu = gpu;
	}
	k->platform.gpu_count = gpus;
	k->platform.others = others;
}

void draw_run(struct maker *k, struct random_key *key)
{
	struct run_setup *r = &k->setup;
	int64_t longest = 0;
	bool together = happens(key, 30);
	for (uint32_t i = 0; i < k->set.task_count; i++) {
		struct task *t = &k->set.tasks[i];
		longest = t->period_ns > longest ? t->period_ns : longest;
		t->offset_ns = drawn(key, 0, together ? 2 : t->period_ns);
	}
	*r = (struct run_setup){.horizon_ns = 12 * longest, .limit_ns = 60 * longest};
	r->seed = (uint64_t)drawn(key, 1, 1 << 30);
	if (happens(key, 60)) {
		r->release.kind = RELEASE_SPORADIC;
		r->release.max_delay_ppm = drawn(key, 1, 500000);
	}
	r->execution = happens(key, 50)   ? EXECUTION_WORST
		       : happens(key, 80) ? EXECUTION_UNIFORM
					  : EXECUTION_BEST;
	r->ties = happens(key, 50) ? TIES_LOWER_FIRST : TIES_TASK_ORDER;
}

void tally_bound(struct tally *tally, uint32_t set, uint32_t task, int64_t bound, int64_t response)
{
	double ratio = (double)response / (double)bound;
	if (response > bound && tally->exceeded == 0)
		snprintf(tally->first, sizeof(tally->first),
			"set %u, task %u: a response of %lld, a bound of %lld", set, task,
			(long long)response, (long long)bound);
	tally->bounds++;
	tally->exceeded += response > bound;
	tally->reached += response == bound;
	tally->ratios += ratio;
	tally->worst = ratio > tally->worst ? ratio : tally->worst;
}

void tally_runs(struct tally *tally, struct maker *k, struct random_key *key, const char *policy,
	const char *options, const int64_t *bound, uint32_t runs)
{
	struct longest most = {.jobs = 0};
	for (uint32_t run = 0; run < runs; run++) {
		draw_run(k, key);
		struct longest l = longest_responses(k, policy, options);
		most.jobs += l.jobs;
		for (uint32_t i = 0; i < k->set.task_count; i++)
			most.of[i] = l.of[i] > most.of[i] ? l.of[i] : most.of[i];
	}
	tally->runs += runs;
	tally->jobs += most.jobs;
	for (uint32_t i = 0; i < k->set.task_count; i++) {
		if (bound[i] == 0)
			assert_int_equal(most.of[i], 0);
		else if (bound[i] != NO_BOUND)
			tally_bound(tally, key->set, i, bound[i], most.of[i]);
	}
}

void promises_add(struct promises *p, const struct bounds *b)
{
	for (uint32_t i = 0; !b->result.refused && i < b->plan.set->task_count; i++) {
		if (b->result.task[i].response_ns > b->plan.set->tasks[i].period_ns)
			continue;
		assert_true(p->count < PROMISES_MOST);
		p->at[p->count++] = (struct promise){i, b->result.task[i].response_ns, bounds_rests_on(b, i)};
	}
}

static uint64_t late_tasks(const struct taskset *set, const struct longest *l)
{
	uint64_t late = 0;
	for (uint32_t i = 0; i < set->task_count; i++)
		late |= l->of[i] > set->tasks[i].deadline_ns ? UINT64_C(1) << i : 0;
	return late;
}

void tally_promises(struct tally *sound, struct tally *assuming, struct maker *k, struct random_key *key,
	const char *policy, const char *options, const struct promises *p, uint32_t runs)
{
	int64_t most[PROMISES_MOST];
	for (size_t i = 0; i < p->count; i++)
		most[i] = -1;
	for (uint32_t run = 0; run < runs; run++) {
		draw_run(k, key);
		struct longest l = longest_responses(k, policy, options);
		uint64_t late = late_tasks(&k->set, &l);
		sound->jobs += l.jobs;
		for (size_t i = 0; i < p->count; i++)
			if (!(p->at[i].rests_on & late) && l.of[p->at[i].task] > most[i])
				most[i] = l.of[p->at[i].task];
	}
	sound->runs += runs;
	for (size_t i = 0; i < p->count; i++) {
		const struct promise *on = &p->at[i];
		if (on->bound == 0)
			assert_in_range(most[i] + 1, 0, 1);
		else if (most[i] >= 0)
			tally_bound(on->rests_on ? assuming : sound, key->set, on->task, on->bound, most[i]);
	}
}

void tally_print(const struct tally *t, const char *what)
{
	print_message("# %s: %llu runs, %llu jobs, %llu bounds, mean ratio %.3f, worst %.3f, %llu reached, "
		      "%llu exceeded%s%s\n",
		what, (unsigned long long)t->runs, (unsigned long long)t->jobs, (unsigned long long)t->bounds,
		t->ratios / (double)t->bounds, t->worst, (unsigned long long)t->reached,
		(unsigned long long)t->exceeded, *t->first ? "; first: " : "", t->first);
}

void tally_check(const struct tally *t, const char *what, uint64_t reached_of)
{
	tally_print(t, what);
	assert_int_equal(t->exceeded, 0);
	assert_true(reached_of == 0 || t->reached > t->bounds / reached_of);
}
