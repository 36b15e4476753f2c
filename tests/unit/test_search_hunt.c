/* tests/unit/test_search_hunt.c - sets are changed within their reach (runs/search/mutate.h), and hunts
 * exceed a bound that is unsafe, not one that is sound, the same way each time (runs/search/hunt.h). */
#include "policies/use/use.h"
#include "runs/search/hunt.h"
#include "runs/search/mutate.h"
#include "tests/unit/search_sets.h"

/* Three tasks that copy there and back, each in SMs of its own. */
static void copies(struct searched *p, const char *policy, const char *option)
{
	*p = (struct searched){.params = {0}};
	maker_init(&p->maker, 1);
	p->maker.platform.sms = 3;
	maker_task(&p->maker, "tau1", 40000, 40000, 0);
	maker_cpu(&p->maker, 500, 1000);
	maker_copy(&p->maker, COPY_TO_GPU, 2000);
	maker_grid(&p->maker, 1, 32, 1000);
	maker_copy(&p->maker, COPY_TO_CPU, 3000);
	maker_cpu(&p->maker, 1000, 1000);
	maker_task(&p->maker, "tau2", 150000, 50000, 0);
	maker_cpu(&p->maker, 1000, 1000);
	maker_copy(&p->maker, COPY_TO_GPU, 4000);
	maker_grid(&p->maker, 1, 32, 8000);
	maker_copy(&p->maker, COPY_TO_CPU, 1000);
	maker_task(&p->maker, "tau3", 90000, 90000, 0);
	maker_cpu(&p->maker, 1000, 1000);
	maker_copy(&p->maker, COPY_TO_GPU, 1500);
	maker_grid(&p->maker, 1, 32, 3000);
	maker_copy(&p->maker, COPY_TO_CPU, 500);
	searched_ready(p, policy, option, 8, false);
}

static void check_reach(int64_t value, int64_t first, uint64_t *changed)
{
	assert_in_range(value, first / MUTATE_REACH, first * MUTATE_REACH);
	*changed += value != first;
}

TEST("changed sets stay near the first")
{
	struct searched p;
	copies(&p, "stgm", NULL);
	struct taskset first = p.maker.set;
	uint64_t periods = 0, worst = 0, refused = 0;
	struct dice dice = dice_make(1, 0, 0, 0);
	struct variant *v = variant_create(&first);
	assert_non_null(v);
	for (int i = 0; i < 3000; i++) {
		mutate(&v->set, &first, &dice);
		for (uint32_t t = 0; t < first.task_count; t++) {
			const struct task *task = &v->set.tasks[t];
			check_reach(task->period_ns, first.tasks[t].period_ns, &periods);
			assert_in_range(task->deadline_ns, 1, task->period_ns);
			for (uint32_t k = 0; k < task->segment_count; k++) {
				const struct segment *s = &task->segments[k];
				check_reach(s->worst_ns, first.tasks[t].segments[k].worst_ns, &worst);
				refused += s->best_ns < 0 || s->best_ns > s->worst_ns;
			}
		}
	}
	assert_true(periods > 5000 && worst > 20000);
	assert_int_equal(refused, 0);
	assert_int_equal(first.tasks[0].period_ns, 40000);
	variant_destroy(v);
	searched_finish(&p);
}

static struct hunted hunted(
	struct searched *p, const struct analysis_use *use, uint64_t budget, uint64_t seed)
{
	struct error err;
	struct hunted found;
	const struct search_spec spec = {
		.what = p->evaluator.what,
		.plan = &p->plan,
		.space = &p->space,
		.budget = budget,
		.patience = CLIMB_PATIENCE,
		.seed = seed,
	};
	const struct hunt h = {.frame = {&spec, &p->maker.setup, use, 8, false}};
	if (!hunt(&h, &found, &err))
		fail_msg("%s", err.text);
	return found;
}

static struct analysis_use parsed(const char *text)
{
	struct analysis_use use;
	struct error err;
	assert_true(analysis_use_parse(text, &use, &err));
	return use;
}

TEST("a hunt comes near a sound bound, the same way each time")
{
	struct searched p;
	copies(&p, "stgm", NULL);
	const struct analysis_use safe = parsed("stgm");
	struct hunted found = hunted(&p, &safe, 6000, 1), again = hunted(&p, &safe, 6000, 1);
	assert_non_null(found.best);
	assert_true(hunted_ratio(found.best) > 0.9 && hunted_ratio(found.best) <= 1);
	const struct found *f = &found.best->witness->found;
	assert_in_range(found.evaluations, 6000, 6400);
	assert_int_equal(again.best->witness->found.response_ns, f->response_ns);
	assert_int_equal(again.best->bound_ns, found.best->bound_ns);
	assert_int_equal(again.evaluations, found.evaluations);
	variant_destroy(found.best);
	variant_destroy(again.best);
	searched_finish(&p);
}

TEST("a hunt without a bound ends")
{
	struct searched p;
	copies(&p, "stgm", NULL);
	const struct analysis_use none = parsed("fp");
	struct hunted found = hunted(&p, &none, 500, 1);
	assert_null(found.best);
	assert_int_equal(found.sets, 0);
	assert_int_equal(found.evaluations, 500);
	searched_finish(&p);
}

TEST("a hunt that is stopped has what it found")
{
	struct searched p;
	copies(&p, "stgm", NULL);
	const struct analysis_use use = parsed("stgm");
	const atomic_bool stop = true;
	const struct search_spec spec = {
		.what = p.evaluator.what, .plan = &p.plan, .space = &p.space, .budget = 500, .patience = 10};
	const struct hunt h = {.frame = {&spec, &p.maker.setup, &use, 8, false}, .stop = &stop};
	struct hunted found;
	struct error err;
	assert_true(hunt(&h, &found, &err));
	assert_null(found.best);
	assert_int_equal(found.evaluations, 0);
	searched_finish(&p);
}
