/* tests/property/test_chains.c [CASES] - ages and reactions of random chains in random runs: against their
 * definition (tests/oracle/chains_plain.h), and against each other. Triggered releases against the ends that
 * release them. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "models/plan.h"
#include "models/simulation.h"
#include "policies/registry.h"
#include "runs/chains.h"
#include "tests/oracle/chains_plain.h"
#include "tests/oracle/dice.h"
#include "tests/oracle/engine_side.h"
#include "tests/oracle/random_sets.h"
#include "tests/support/test.h"

TEST_NUMBER(cases, TEST_CASES(10000));

struct seen {
	struct plain_job *jobs;
	size_t count;
};

static bool see(void *self, const struct trace_record *records, size_t count)
{
	struct seen *s = self;
	for (size_t i = 0; i < count; i++) {
		const struct trace_record *r = &records[i];
		if (r->kind != TRACE_JOB_END)
			continue;
		s->jobs = oracle_grow(s->jobs, s->count, sizeof(*s->jobs));
		s->jobs[s->count++] = (struct plain_job){
			r->task, r->job, r->start, r->value, r->ready, r->time, r->how == JOB_FINISHED};
	}
	return true;
}

/* ---- a run ---- */

/* Policies that have no test of their own. */
static const struct policy *any_policy(struct dice *d)
{
	static const char *const names[] = {
		"fifo-cke", "prio-streams", "fcfs", "rm", "edf", "mpcp", "self-suspension"};
	return policy_find(names[roll(d) % (sizeof(names) / sizeof(*names))]);
}

struct outcome {
	struct seen seen;
	struct chain_result *results;
	struct simulation_outcome run;
	struct arena arena;
};

static bool run_case(struct random_case *c, const struct policy *policy, struct outcome *o)
{
	struct simulation *s;
	struct chains *chains;
	struct error err;
	enum simulation_state state;
	*o = (struct outcome){0};
	if (!simulation_create(&c->platform, &c->set, &c->setup, policy, NULL, &s, &err))
		return false;
	assert_true(chains_create(&c->set, &o->arena, &chains));
	trace_observe(simulation_trace(s), TRACE_BIT(TRACE_JOB_END), see, &o->seen);
	trace_observe(simulation_trace(s), chains_want(chains), chains_observe, chains);
	while ((state = simulation_step(s, 1000)) == SIMULATION_RUNNING)
		;
	assert_int_equal(state, SIMULATION_ENDED);
	assert_true(chains_end(chains));
	o->run = simulation_outcome(s);
	o->results = arena_new(&o->arena, struct chain_result, c->set.chain_count);
	assert_non_null(o->results);
	memcpy(o->results, chains_results(chains), c->set.chain_count * sizeof(*o->results));
	simulation_destroy(s);
	return true;
}

static void finish(struct outcome *o)
{
	free(o->seen.jobs);
	arena_finish(&o->arena);
}

static bool make_case(uint64_t number, struct random_case *c)
{
	char text[512];
	random_case_make(11, number, c);
	random_case_loosen(c, number);
	random_case_burden(c, number);
	return engine_check(&c->set, &c->platform, text, sizeof(text));
}

static void assert_figure(
	uint64_t number, const char *what, const struct chain_figure *f, const struct plain_figure *plain)
{
	bool same = f->count == plain->count && f->min_ns == plain->min && f->max_ns == plain->max &&
		    f->sum_ns == plain->sum && f->first_job == plain->first_job &&
		    f->last_job == plain->last_job;
	if (!same)
		fail_msg("case %llu: %s: %llu, %lld .. %lld (%u, %u); by definition %llu, %lld .. %lld "
			 "(%u, %u)",
			(unsigned long long)number, what, (unsigned long long)f->count, (long long)f->min_ns,
			(long long)f->max_ns, f->first_job, f->last_job, (unsigned long long)plain->count,
			(long long)plain->min, (long long)plain->max, plain->first_job, plain->last_job);
}

TEST("ages and reactions are what their definition says")
{
	uint64_t ran = 0, with = 0, removed = 0;
	for (uint64_t i = 0; i < cases; i++) {
		struct random_case c;
		struct outcome o;
		struct dice d = {i ^ 0xc4a175};
		if (!make_case(i, &c)) {
			random_case_finish(&c);
			continue;
		}
		random_case_chains(&c, i);
		if (once_in(&d, 2))
			random_case_triggers(&c, i);
		if (!run_case(&c, any_policy(&d), &o)) {
			random_case_finish(&c);
			continue;
		}
		ran++;
		removed += c.setup.on_miss != MISS_CONTINUE && o.run.misses > 0;
		for (uint32_t k = 0; k < c.set.chain_count; k++) {
			struct plain_chain plain;
			plain_chain_of(&c.set.chains[k], o.seen.jobs, o.seen.count, &plain);
			assert_figure(i, "age", &o.results[k].age, &plain.age);
			assert_figure(i, "reaction", &o.results[k].reaction, &plain.reaction);
			/* Guenzel et al., ECRTS 2023, for runs that begin and end. */
			assert_int_equal(plain.age_of_changes, plain.reaction_behind_first);
			with += o.results[k].reaction.count > 0;
		}
		finish(&o);
		random_case_finish(&c);
	}
	print_message("# %llu runs, %llu with jobs removed, %llu chains with reactions\n",
		(unsigned long long)ran, (unsigned long long)removed, (unsigned long long)with);
	assert_true(ran >= cases * 9 / 10);
	assert_true(with >= cases / 2 && removed >= cases / 20);
}

/* ---- the greatest of both, where the schedule repeats ---- */

/* Periods of which each divides the next, no offsets, the worst case: the hyperperiod is the longest. */
static void make_repeating(struct dice *d, struct random_case *c)
{
	int64_t period = between(d, 4, 12), longest = period;
	*c = (struct random_case){.platform = {.name = "core", .cores = 1, .engines = 1, .work_queues = 32}};
	taskset_init(&c->set);
	c->set.task_count = small(d, 1, 6);
	c->set.tasks = random_case_room(c, c->set.task_count, sizeof(*c->set.tasks));
	c->set.priorities = true;
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		struct task *t = &c->set.tasks[i];
		int64_t cost = between(d, 1, 1 + period / (int64_t)c->set.task_count / 2);
		static char name[] = "t";
		*t = (struct task){.name = name, .period_ns = period, .deadline_ns = period};
		t->priority = between(d, 0, 5);
		t->segments = random_case_room(c, 1, sizeof(*t->segments));
		t->segment_count = 1;
		t->segments[0] = (struct segment){.kind = SEGMENT_CPU, .best_ns = cost, .worst_ns = cost};
		longest = period;
		period *= between(d, 1, 3);
	}
	c->setup = (struct run_setup){.horizon_ns = 16 * longest, .limit_ns = 160 * longest};
}

TEST("the greatest reaction is the greatest age where the schedule repeats")
{
	uint64_t equal = 0, longer = 0;
	for (uint64_t i = 0; i < cases; i++) {
		struct random_case c;
		struct outcome o;
		struct dice d = {i ^ 0xe9a1};
		make_repeating(&d, &c);
		random_case_chains(&c, i);
		assert_true(run_case(&c, policy_find("fifo-cke"), &o));
		for (uint32_t k = 0; k < c.set.chain_count && o.run.misses == 0; k++, equal++) {
			if (o.results[k].age.max_ns != o.results[k].reaction.max_ns)
				fail_msg("case %llu, chain %u: age %lld, reaction %lld",
					(unsigned long long)i, k, (long long)o.results[k].age.max_ns,
					(long long)o.results[k].reaction.max_ns);
			longer += c.set.chains[k].task_count > 2;
		}
		finish(&o);
		random_case_finish(&c);
	}
	print_message("# %llu chains, %llu of three tasks and more\n", (unsigned long long)equal,
		(unsigned long long)longer);
	assert_true(equal >= cases && longer >= cases / 4);
}

/* ---- triggers ---- */

/* The end of the k-th finished job of a task; INT64_MAX: there is none. */
static int64_t finished(const struct seen *s, uint32_t task, uint32_t k)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->jobs[i].task == task && s->jobs[i].finished && k-- == 0)
			return s->jobs[i].finish;
	return INT64_MAX;
}

static const struct plain_job *job_of(const struct seen *s, uint32_t task, uint32_t seq)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->jobs[i].task == task && s->jobs[i].seq == seq)
			return &s->jobs[i];
	return NULL;
}

static uint64_t check_task(uint64_t number, const struct random_case *c, const struct seen *s, uint32_t task)
{
	const struct release_rule *rule = c->set.tasks[task].release;
	uint32_t k = 0;
	for (;; k++) {
		int64_t expected = 0;
		for (uint32_t i = 0; i < rule->after_count; i++) {
			int64_t end = finished(s, rule->after[i], k);
			expected = end > expected ? end : expected;
		}
		const struct plain_job *job = job_of(s, task, k);
		bool released = expected < c->setup.horizon_ns;
		if (released != (job != NULL) || (job && job->release != expected))
			fail_msg("case %llu: job %u of task %u is released at %lld, not %lld",
				(unsigned long long)number, k, task, job ? (long long)job->release : -1,
				(long long)expected);
		if (!job)
			return k;
		assert_int_equal(job->deadline, expected + c->set.tasks[task].deadline_ns);
	}
}

TEST("triggered jobs are released when those before them have finished")
{
	uint64_t jobs = 0;
	for (uint64_t i = 0; i < cases / 4; i++) {
		struct random_case c;
		struct outcome o;
		struct dice d = {i ^ 0x7219e3};
		bool sound = make_case(i, &c);
		random_case_chains(&c, i);
		random_case_triggers(&c, i);
		if (sound && run_case(&c, any_policy(&d), &o)) {
			for (uint32_t t = 0; t < c.set.task_count; t++)
				if (c.set.tasks[t].release && c.set.tasks[t].release->kind == RELEASE_AFTER)
					jobs += check_task(i, &c, &o.seen, t);
			finish(&o);
		}
		random_case_finish(&c);
	}
	print_message("# %llu triggered jobs\n", (unsigned long long)jobs);
	assert_true(jobs >= cases / 4);
}

/* ---- bounds ---- */

/* The bounds of all chains by a method; NULL: it refuses. */
static const int64_t *bounds_of(struct random_case *c, const struct policy *policy, const char *method,
	struct plan *plan, struct arena *arena, int64_t *response)
{
	const struct analysis *analysis = analysis_find("chain");
	static struct params params, none;
	struct analysis_result result;
	struct error err;
	params_default(&none, policy->options);
	params_default(&params, analysis->options);
	assert_true(params_set(&params, "method", method, &err));
	assert_true(plan_create(&c->platform, &c->set, &c->setup, policy, &none, arena, plan, &err));
	assert_true(analysis_bound(analysis, plan, &params, arena, &result, &err));
	for (uint32_t i = 0; response && !result.refused && i < c->set.task_count; i++)
		response[i] = result.task[i].response_ns;
	return result.refused ? NULL : result.chain_ns;
}

/* Whether a job of a has ended when one of b begins: a has the higher priority on one core, where all of it
 * runs, and b begins. */
static bool is_above(const struct random_case *c, const struct plan *plan, uint32_t a, uint32_t b)
{
	const struct task *first = &c->set.tasks[a], *next = &c->set.tasks[b];
	bool on_core = next->segments[0].kind == SEGMENT_CPU && next->segments[0].best_ns > 0;
	for (uint32_t i = 0; i < first->segment_count; i++)
		on_core &= first->segments[i].kind == SEGMENT_CPU;
	return on_core && plan->rank[a] < plan->rank[b] &&
	       (c->platform.cores == 1 || first->core == next->core);
}

/* By the definition of each method, tick by tick for `periodic`; for tasks whose responses are bounded by an
 * analysis, `response`. */
static int64_t plain_bound(const struct random_case *c, const struct effect_chain *chain, const char *method,
	const struct plan *plan, const int64_t *response)
{
	bool let = chain->communication == CHAIN_LET;
	int64_t sum = 0, longest = 0;
	if (strcmp(method, "periodic") != 0) {
		int64_t offset = c->set.tasks[chain->tasks[0]].offset_ns;
		for (uint32_t k = 0; k < chain->task_count; k++) {
			const struct task *t = &c->set.tasks[chain->tasks[k]];
			bool last = k + 1 == chain->task_count;
			sum += t->period_ns;
			if (k > 0 && sum < t->offset_ns - offset)
				sum = t->offset_ns - offset;
			bool above = !last && is_above(c, plan, chain->tasks[k], chain->tasks[k + 1]);
			if (let || last || !above || strcmp(method, "davare") == 0)
				sum += let ? t->deadline_ns : response[chain->tasks[k]];
		}
		return sum;
	}
	for (int64_t job = 1; job < 400; job++) {
		const struct task *first = &c->set.tasks[chain->tasks[0]];
		int64_t begin = first->offset_ns + (job - 1) * first->period_ns,
			at = begin + first->period_ns;
		for (uint32_t k = 0; k < chain->task_count; k++) {
			const struct task *t = &c->set.tasks[chain->tasks[k]];
			while (at < t->offset_ns || (at - t->offset_ns) % t->period_ns != 0)
				at++;
			bool last = k + 1 == chain->task_count;
			bool above = !last && is_above(c, plan, chain->tasks[k], chain->tasks[k + 1]);
			if (let || last || !above)
				at += let ? t->deadline_ns : response[chain->tasks[k]];
		}
		longest = at - begin > longest ? at - begin : longest;
	}
	return longest;
}

/* Periods as before, with offsets and times that vary. */
static void make_bounded(struct dice *d, struct random_case *c)
{
	make_repeating(d, c);
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		struct task *t = &c->set.tasks[i];
		if (once_in(d, 2))
			t->offset_ns = between(d, 0, once_in(d, 4) ? 4 * t->period_ns : t->period_ns);
		if (once_in(d, 2))
			t->segments[0].best_ns = between(d, 1, t->segments[0].worst_ns);
	}
	c->setup.execution = EXECUTION_UNIFORM;
	c->setup.seed = roll(d);
}

static void respond(struct random_case *c, int64_t *response)
{
	struct arena arena = {0};
	struct plan plan;
	const struct analysis *fp = analysis_find("fp");
	struct params params, none;
	struct analysis_result result;
	struct error err;
	params_default(&params, fp->options);
	params_default(&none, policy_find("fifo-cke")->options);
	assert_true(plan_create(
		&c->platform, &c->set, &c->setup, policy_find("fifo-cke"), &none, &arena, &plan, &err));
	assert_true(analysis_bound(fp, &plan, &params, &arena, &result, &err));
	for (uint32_t i = 0; i < c->set.task_count; i++)
		response[i] = result.task[i].response_ns;
	arena_finish(&arena);
}

/* What the bounds of one case are compared with: runs, and now and then their definitions. */
struct compared {
	uint64_t bounds, met, plain;
};

static void compare(uint64_t number, struct random_case *c, const struct policy *policy, const int64_t *known,
	struct compared *sum)
{
	static const char *const methods[] = {"davare", "duerr", "periodic"};
	struct outcome o;
	assert_true(run_case(c, policy, &o));
	for (size_t m = 0; m < 3; m++) {
		struct arena arena = {0};
		struct plan plan;
		int64_t response[16];
		const int64_t *bounds = bounds_of(c, policy, methods[m], &plan, &arena, response);
		for (uint32_t k = 0; bounds && k < c->set.chain_count; k++) {
			int64_t age = o.results[k].age.max_ns, reaction = o.results[k].reaction.max_ns;
			int64_t most = age > reaction ? age : reaction;
			if (bounds[k] == NO_BOUND)
				continue;
			sum->bounds++;
			sum->met += most == bounds[k];
			if (most > bounds[k])
				fail_msg("case %llu, chain %u: %lld, %s %lld", (unsigned long long)number, k,
					(long long)most, methods[m], (long long)bounds[k]);
			if (number % 50 != 0)
				continue;
			sum->plain++;
			int64_t again = plain_bound(
				c, &c->set.chains[k], methods[m], &plan, known ? known : response);
			if (m < 2 ? bounds[k] != again : bounds[k] < again)
				fail_msg("case %llu, chain %u: %s %lld, plain %lld",
					(unsigned long long)number, k, methods[m], (long long)bounds[k],
					(long long)again);
		}
		arena_finish(&arena);
	}
	finish(&o);
}

TEST("no run exceeds the bounds, which are those of a plain second implementation")
{
	struct compared sum = {0};
	for (uint64_t i = 0; i < cases; i++) {
		struct random_case c;
		struct dice d = {i ^ 0xb0a7d};
		int64_t response[16];
		make_bounded(&d, &c);
		random_case_chains(&c, i);
		respond(&c, response);
		compare(i, &c, policy_find("fifo-cke"), response, &sum);
		random_case_finish(&c);
	}
	print_message("# %llu bounds, %llu of them met; %llu compared with plain ones\n",
		(unsigned long long)sum.bounds, (unsigned long long)sum.met, (unsigned long long)sum.plain);
	assert_true(sum.bounds >= 4 * cases && sum.met >= cases / 10 && sum.plain > 0);
}

/* Two or three cores, and GPU sections in some of the tasks. */
static void spread(struct dice *d, struct random_case *c)
{
	c->platform.cores = (uint32_t)between(d, 2, 3);
	c->platform.sms = 1;
	c->platform.threads_per_sm = 64;
	c->set.cores = true;
	for (uint32_t i = 0; i < c->set.task_count; i++) {
		struct task *t = &c->set.tasks[i];
		int64_t cost = between(d, 1, 2), cpu = t->segments[0].worst_ns;
		t->core = (int32_t)between(d, 0, c->platform.cores - 1);
		if (!once_in(d, 3))
			continue;
		struct segment *s = random_case_room(c, 3, sizeof(*s));
		bool copy = once_in(d, 2), first = once_in(d, 4);
		s[first ? 1 : 0] = t->segments[0];
		s[first ? 0 : 1] = (struct segment){
			.kind = copy ? SEGMENT_COPY : SEGMENT_KERNEL,
			.best_ns = between(d, 1, cost),
			.worst_ns = cost,
			.bytes = -1,
			.stream = STREAM_OWN,
			.form = KERNEL_GRID,
			.grid = 1,
			.block = 64,
		};
		s[2] = (struct segment){.kind = SEGMENT_CPU, .best_ns = 1, .worst_ns = cpu};
		t->segments = s;
		t->segment_count = once_in(d, 2) ? 3 : 2;
	}
}

TEST("nor on several cores, and with sections on the GPU")
{
	static const char *const policies[] = {"mpcp", "self-suspension", "fifo-cke"};
	struct compared sum = {0};
	for (uint64_t i = 0; i < cases; i++) {
		struct random_case c;
		struct dice d = {i ^ 0xc0de5};
		make_bounded(&d, &c);
		spread(&d, &c);
		random_case_chains(&c, i);
		compare(i, &c, policy_find(policies[roll(&d) % 3]), NULL, &sum);
		random_case_finish(&c);
	}
	print_message("# %llu bounds, %llu of them met; %llu compared with plain ones\n",
		(unsigned long long)sum.bounds, (unsigned long long)sum.met, (unsigned long long)sum.plain);
	assert_true(sum.bounds >= 2 * cases && sum.met >= cases / 20 && sum.plain > 0);
}
