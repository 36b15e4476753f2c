/* tests/unit/test_search_shrink.c - makes the set of a find small (runs/search/shrink.h), and takes a find
 * from a run (runs/search/excerpt.h). */
#include <string.h>

#include "analysis/analysis.h"
#include "db/rows.h"
#include "runs/search/excerpt.h"
#include "runs/search/minimise.h"
#include "runs/search/shrink.h"
#include "tests/unit/search_sets.h"

static struct error err;

/* Own lengths and nothing of the others: every response with interference exceeds it. `bound_calls` counts.
 */
static int bound_calls, stop_after;
static atomic_bool stop;

static bool alone(const struct plan *plan, const struct params *params, struct arena *arena,
	struct analysis_result *result, struct error *e)
{
	(void)params;
	if (!analysis_begin(result, plan->set->task_count, arena, e))
		return false;
	for (uint32_t i = 0; i < plan->set->task_count; i++) {
		struct bound_sums sums = {.response_ns = 0};
		for (uint32_t k = 0; k < plan->set->tasks[i].segment_count; k++)
			sums.response_ns += plan->set->tasks[i].segments[k].worst_ns;
		sums.own_ns = sums.response_ns;
		analysis_sums(result, i, &sums);
	}
	analysis_judge(result, plan);
	if (stop_after > 0 && ++bound_calls == stop_after)
		atomic_store(&stop, true);
	return true;
}

static const struct analysis alone_analysis = {
	.name = "alone",
	.version = 1,
	.policies = ANALYSIS_ANY_POLICY,
	.bound = alone,
};

/* Three tasks on the core. "t1" and "t3" do what matters; t2 hardly adds anything to t3's response. */
static void make_three(struct searched *p)
{
	*p = (struct searched){.params = {0}};
	maker_init(&p->maker, 1);
	maker_task(&p->maker, "t1", 1013 * MS, 1013 * MS, 0);
	maker_cpu(&p->maker, 317 * MS, 411 * MS);
	maker_cpu(&p->maker, 3 * MS, 7 * MS);
	maker_task(&p->maker, "t2", 2027 * MS, 2027 * MS, 0);
	maker_cpu(&p->maker, 1 * MS, 2 * MS);
	maker_task(&p->maker, "t3", 4099 * MS, 4099 * MS, 0);
	maker_cpu(&p->maker, 100 * MS, 123456789);
	searched_ready(p, "rm", NULL, 8, false);
}

/* A find: the synchronous release, and the goal made of it. */
struct find {
	struct analysis_use use;
	struct search_target target;
	struct witness *witness;
	struct search_spec spec;
	struct shrink_goal goal;
};

static void find(struct searched *p, uint32_t task, struct find *f)
{
	*f = (struct find){.use = analysis_use_of(&alone_analysis), .target = {task, WHOLE_JOB}};
	f->spec = (struct search_spec){
		.what = p->evaluator.what,
		.plan = &p->plan,
		.space = &p->space,
		.method = METHOD_CLIMB,
		.budget = 200,
		.patience = 50,
		.seed = 1,
		.targets = &f->target,
		.target_count = 1,
	};
	assert_true(witnesses_new(&f->spec, &p->arena, &f->witness, &err));
	f->witness->found.response_ns = evaluate(&p->evaluator, &f->witness->genome, &f->target, &err);
	f->witness->found.seen = evaluated_seen(&p->evaluator, &f->target);
	int64_t bound = 0;
	for (uint32_t k = 0; k < p->maker.set.tasks[task].segment_count; k++)
		bound += p->maker.set.tasks[task].segments[k].worst_ns;
	f->goal = (struct shrink_goal){
		.setup = &p->maker.setup,
		.use = &f->use,
		.from = f->witness,
		.target = f->target,
		.bound_ns = bound,
		.most_jobs = 8,
		.stop = &stop,
	};
}

static int begin(void **state)
{
	atomic_store(&stop, false);
	stop_after = bound_calls = 0;
	return 0;
}

EACH_TEST(begin, NULL);

static bool is_round(int64_t value, int64_t limit)
{
	while (value >= limit && value % 10 == 0)
		value /= 10;
	return value < limit;
}

TEST("what does not matter goes, and numbers get round")
{
	struct searched p;
	struct find f;
	struct variant *s;
	make_three(&p);
	find(&p, 2, &f);
	assert_true(f.witness->found.response_ns > f.goal.bound_ns);
	assert_true(shrink(&f.spec, &f.goal, &s, &err));
	assert_int_equal(s->set.task_count, 2);
	assert_string_equal(s->set.tasks[0].name, "t1");
	assert_string_equal(s->set.tasks[1].name, "t3");
	assert_int_equal(s->target.task, 1);
	for (uint32_t i = 0; i < 2; i++) {
		const struct segment *g = &s->set.tasks[i].segments[0];
		assert_int_equal(s->set.tasks[i].segment_count, 1);
		assert_int_equal(g->best_ns, g->worst_ns);
		assert_true(is_round(g->worst_ns, 1000) && is_round(s->set.tasks[i].period_ns, 1000));
	}
	/* It still shows it, and the set that was found is as it was. */
	struct evaluator e;
	assert_true(evaluator_init(&e, &s->spec.what, &s->space, &err));
	assert_int_equal(evaluate(&e, &s->witness->genome, &s->target, &err), s->witness->found.response_ns);
	evaluator_finish(&e);
	assert_int_equal(s->bound_ns, s->set.tasks[1].segments[0].worst_ns);
	assert_true(s->witness->found.response_ns > s->bound_ns);
	double excess = (double)f.witness->found.response_ns / (double)f.goal.bound_ns - 1;
	double left = (double)s->witness->found.response_ns / (double)s->bound_ns - 1;
	assert_true(left >= excess / 2);
	assert_int_equal(p.maker.set.task_count, 3);
	assert_int_equal(p.maker.set.tasks[2].segments[0].worst_ns, 123456789);
	variant_destroy(s);
	searched_finish(&p);
}

TEST("a bound that holds stays as near")
{
	struct searched p;
	struct find f;
	struct variant *s;
	make_three(&p);
	find(&p, 0, &f);
	assert_int_equal(f.witness->found.response_ns, f.goal.bound_ns);
	assert_true(shrink(&f.spec, &f.goal, &s, &err));
	assert_int_equal(s->set.task_count, 1);
	assert_int_equal(s->target.task, 0);
	assert_int_equal(s->set.tasks[0].segment_count, 1);
	assert_true((double)s->witness->found.response_ns >= 0.99 * (double)s->bound_ns);
	assert_true(s->witness->found.response_ns <= s->bound_ns);
	variant_destroy(s);
	searched_finish(&p);
}

/* Whenever it is stopped, what is left shows the excess. */
TEST("stopped, it has the smallest so far")
{
	struct searched p;
	struct find f;
	uint32_t fewest = UINT32_MAX;
	make_three(&p);
	find(&p, 2, &f);
	for (stop_after = 1; stop_after < 40; stop_after++) {
		struct variant *s;
		bound_calls = 0;
		atomic_store(&stop, false);
		assert_true(shrink(&f.spec, &f.goal, &s, &err));
		assert_true(s->witness->found.response_ns > s->bound_ns);
		uint32_t size = s->set.task_count;
		for (uint32_t i = 0; i < s->set.task_count; i++)
			size += s->set.tasks[i].segment_count;
		assert_true(size <= fewest);
		if (stop_after == 1)
			assert_int_equal(s->set.task_count, 3);
		fewest = size;
		variant_destroy(s);
	}
	assert_int_equal(fewest, 4);
	searched_finish(&p);
}

static bool no_answer(const struct analysis *self, const struct plan *plan, const struct params *params,
	struct arena *arena, struct analysis_result *result, struct error *e)
{
	(void)self;
	(void)plan;
	(void)params;
	(void)arena;
	(void)result;
	atomic_store(&stop, true);
	return error_set(e, STATUS_INTERRUPTED, "interrupted");
}

TEST("stopped before the first bound, it has nothing")
{
	static const struct analysis analysis = {
		.name = "none", .version = 1, .policies = ANALYSIS_ANY_POLICY, .ask = no_answer};
	struct searched p;
	struct find f;
	struct variant *s = NULL;
	make_three(&p);
	find(&p, 2, &f);
	f.use = analysis_use_of(&analysis);
	assert_false(shrink(&f.spec, &f.goal, &s, &err));
	assert_int_equal(err.status, STATUS_INTERRUPTED);
	assert_null(s);
	searched_finish(&p);
}

TEST("a little may be lost where numbers get round")
{
	assert_int_equal(shrunk_enough(120, 100), 118);
	assert_int_equal(shrunk_enough(101, 100), 101);
	assert_int_equal(shrunk_enough(100, 100), 99);
	assert_int_equal(shrunk_enough(50, 100), 50);
}

/* ---- from a run ---- */

/* Job 1 of t3 meets two jobs of t1, which draw their lengths; nothing before it matters. */
TEST("an excerpt gives the longest response again")
{
	for (uint64_t seed = 1; seed <= 50; seed++) {
		struct searched p;
		make_three(&p);
		struct run_setup setup = {
			.horizon_ns = 20000 * MS,
			.limit_ns = 40000 * MS,
			.seed = seed,
			.execution = EXECUTION_UNIFORM,
			.ties = seed % 2 ? TIES_LOWER_FIRST : TIES_TASK_ORDER,
		};
		p.maker.set.tasks[2].offset_ns = 77 * MS;
		p.maker.setup = setup;
		struct observed o = observe(&p.maker, "rm", NULL);
		for (uint32_t task = 0; task < 3; task++) {
			int64_t longest = -1;
			for (uint32_t j = 0; observed_find(&o, TRACE_JOB_END, task, j); j++) {
				int64_t response = observed_response(&o, task, j);
				longest = response > longest ? response : longest;
			}
			struct genome g = searched_genome(&p);
			assert_true(excerpt(&p.evaluator.what, &setup, task, &p.space, &g, &err));
			assert_int_equal(searched_response(&p, &g, task), longest);
			assert_int_equal(*g.ties, setup.ties);
			assert_true(genome_deviations(&p.space, &g).jobs <= 12);
		}
		observed_finish(&o);
		searched_finish(&p);
	}
}

TEST("a run without a job of the task has no excerpt")
{
	struct searched p;
	make_three(&p);
	struct run_setup setup = {.horizon_ns = 10, .limit_ns = 10000 * MS, .seed = 1};
	p.maker.set.tasks[2].offset_ns = 77 * MS;
	struct genome g = searched_genome(&p);
	assert_false(excerpt(&p.evaluator.what, &setup, 2, &p.space, &g, &err));
	assert_string_equal(err.text, "the run has no job of task 't3'");
	assert_int_equal(err.status, STATUS_INPUT);
	searched_finish(&p);
}
