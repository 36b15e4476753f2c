/* runs/search/sets.c - see runs/search/sets.h. */
#include "runs/search/sets.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "policies/pipe/pipe.h"

bool sets_open(const struct sets_search *s, struct db_reader *reader, uint32_t subject, struct sets_case *c,
	struct error *err)
{
	const struct sets_subject *u = &s->subjects[subject];
	*c = (struct sets_case){.recorded = {u->taskset_id, u->platform_id, u->policy ? 0 : u->policy_id}};
	if (!load_subject(reader, u->taskset_id, u->platform_id, u->policy ? 0 : u->policy_id, &c->run, err))
		return false;
	c->what = (struct search_case){&c->run.platform, &c->run.set, u->policy ? u->policy : c->run.policy,
		u->policy ? u->params : &c->run.params};
	const struct bounding_spec spec = {
		.platform = c->what.platform,
		.set = c->what.set,
		.setup = &c->run.setup,
		.policy = c->what.policy,
		.params = c->what.params,
		.recorded = &c->recorded,
	};
	bool ok = bounding_begin(&c->bounding, &spec, err);
	c->planned = ok && !c->bounding.refusal[0];
	if (c->planned)
		ok = genome_space_init(&c->space, &c->bounding.plan, s->most_jobs, s->periodic, err);
	if (!ok)
		sets_close(c);
	return ok;
}

void sets_close(struct sets_case *c)
{
	genome_space_finish(&c->space);
	bounding_finish(&c->bounding);
	loaded_run_finish(&c->run);
}

struct search_spec sets_task_search(const struct sets_search *s, const struct sets_case *c, uint32_t subject,
	enum search_method method, uint32_t task, struct search_target *target)
{
	*target = (struct search_target){task, WHOLE_JOB};
	return (struct search_spec){
		.what = c->what,
		.plan = &c->bounding.plan,
		.space = &c->space,
		.method = method,
		.budget = s->budget,
		.patience = s->patience,
		.seed = s->seed,
		.set = subject,
		.targets = target,
		.target_count = 1,
	};
}

struct hunt sets_hunt(const struct sets_search *s, const struct sets_case *c, uint32_t subject,
	const struct analysis_use *use, struct search_spec *spec)
{
	struct search_target none;
	*spec = sets_task_search(s, c, subject, METHOD_HUNT, 0, &none);
	spec->targets = NULL;
	spec->target_count = 0;
	return (struct hunt){.frame = {spec, &c->run.setup, use, s->most_jobs, s->periodic}};
}

/* ---- one set ---- */

struct set_search {
	const struct sets_search *s;
	struct sets_case c;
	struct evaluator e;
	struct arena arena;
	uint32_t subject;
	const struct task_bound *bounds[SETS_ANALYSES]; /* [tasks] each; NULL: not schedulable by it */
	struct sets_result *r;
	const atomic_bool *stop;
};

static bool bound_all(struct set_search *v, struct error *err)
{
	for (uint32_t a = 0; a < v->s->analysis_count; a++) {
		const struct analysis_use *use = &v->s->analyses[a];
		struct bounds b;
		if (!analysis_for_policy(use->analysis, v->c.what.policy->name, &v->c.bounding.plan))
			continue;
		if (!bounding_compute(&v->c.bounding, use, &b, err))
			return false;
		v->r->asked[a] = true;
		v->r->erred[a] = b.verdict == BOUNDS_ERROR;
		snprintf(v->r->reason[a], sizeof(v->r->reason[a]), "%.255s", b.reason);
		v->r->schedulable[a] = b.verdict == BOUNDS_SCHEDULABLE;
		v->bounds[a] = b.verdict == BOUNDS_SCHEDULABLE ? b.task : NULL;
	}
	return true;
}

static void note_excess(struct sets_excess *worst, uint32_t task, uint32_t analysis,
	enum search_method method, int64_t observed, int64_t bound)
{
	bool more = !worst->any ||
		    (double)observed * (double)worst->bound_ns > (double)worst->observed_ns * (double)bound;
	if (more)
		*worst = (struct sets_excess){task, analysis, method, observed, bound, true};
}

static void count(struct set_search *v, uint32_t task, uint32_t a, enum search_method method,
	const struct found *found, int64_t period, int64_t bound)
{
	enum bound_check check = bound_check(&found->seen, period, bound);
	struct sets_cell *cell = &v->r->cells[a][method];
	cell->counted[check]++;
	if (check != CHECK_HOLDS && check != CHECK_EXCEEDED)
		return;
	if (check == CHECK_EXCEEDED)
		note_excess(analysis_use_unsafe(&v->s->analyses[a]) ? &v->r->unsafe : &v->r->sound, task, a,
			method, found->response_ns, bound);
	if (bound == 0)
		return;
	double ratio = (double)found->response_ns / (double)bound;
	cell->ratios++;
	cell->sum += ratio;
	cell->most = ratio > cell->most ? ratio : cell->most;
}

static void compare(struct set_search *v, uint32_t task, enum search_method method, const struct found *found)
{
	int64_t period = v->c.what.set->tasks[task].period_ns;
	for (uint32_t a = 0; a < v->s->analysis_count; a++)
		if (v->bounds[a])
			count(v, task, a, method, found, period, bounding_bound_always(&v->bounds[a][task]));
}

/* Hunts each analysis by itself, whether it finds the set schedulable or not. */
static bool hunt_all(struct set_search *v, _Atomic uint64_t *counter, struct error *err)
{
	double begun = clock_seconds();
	for (uint32_t a = 0; a < v->s->analysis_count; a++) {
		struct search_spec spec;
		struct hunted found;
		if (!v->r->asked[a])
			continue;
		struct hunt h = sets_hunt(v->s, &v->c, v->subject, &v->s->analyses[a], &spec);
		h.stop = v->stop;
		h.counter = counter;
		if (!hunt(&h, &found, err))
			return false;
		const struct variant *best = found.best;
		v->r->evaluations[METHOD_HUNT] += found.evaluations;
		if (best && !atomic_load(v->stop))
			count(v, best->target.task, a, METHOD_HUNT, &best->witness->found,
				best->set.tasks[best->target.task].period_ns, best->bound_ns);
		variant_destroy(found.best);
	}
	v->r->seconds[METHOD_HUNT] = clock_seconds() - begun;
	v->r->complete = !atomic_load(v->stop);
	return true;
}

static bool search_all(struct set_search *v, struct error *err)
{
	for (uint32_t m = 0; m < SETS_METHODS; m++) {
		double begun = clock_seconds();
		for (uint32_t task = 0; task < v->c.space.tasks && v->s->methods[m]; task++) {
			struct search_target target;
			struct search_spec h = sets_task_search(
				v->s, &v->c, v->subject, (enum search_method)m, task, &target);
			struct witness *q;
			if (!witnesses_new(&h, &v->arena, &q, err) ||
				!search_here(&h, &v->e, 0, v->stop, q, err))
				return false;
			if (atomic_load(v->stop))
				return true;
			v->r->evaluations[m] += q->found.evaluations;
			compare(v, task, h.method, &q->found);
		}
		v->r->seconds[m] = clock_seconds() - begun;
	}
	v->r->complete = true;
	return true;
}

static bool search_set(struct set_search *v, struct pieces_shared *shared, struct error *err)
{
	bool any = false;
	char label[PARAMS_LABEL_MAX];
	params_label(v->c.what.policy->name, v->c.what.params, label);
	snprintf(v->r->policy, sizeof(v->r->policy), "%.255s", label);
	v->r->planned = v->c.planned;
	v->r->complete = !v->c.planned;
	if (!v->c.planned)
		return true;
	if (!bound_all(v, err))
		return err->status == STATUS_INTERRUPTED; /* it stays incomplete */
	if (v->s->methods[METHOD_HUNT])
		return hunt_all(v, &shared->evaluations, err);
	for (uint32_t a = 0; a < v->s->analysis_count; a++)
		any |= v->bounds[a] != NULL;
	if (!any) {
		v->r->complete = true;
		return true;
	}
	if (!evaluator_init(&v->e, &v->c.what, &v->c.space, err))
		return false;
	v->e.counter = &shared->evaluations;
	bool ok = search_all(v, err);
	evaluator_finish(&v->e);
	return ok;
}

/* Whether the search is to end. */
static bool over(void *stop)
{
	return atomic_load((const atomic_bool *)stop);
}

bool sets_make(void *self, uint32_t piece, void *result, struct pieces_shared *shared, struct error *err)
{
	struct sets_search *s = self;
	struct set_search v = {.s = s, .subject = piece, .r = result, .stop = &shared->stop};
	pipe_interruptible(over, &shared->stop);
	if (!s->reader)
		s->reader = reader_open(s->file, err);
	if (!s->reader || !sets_open(s, s->reader, piece, &v.c, err))
		return false;
	bool ok = search_set(&v, shared, err);
	arena_finish(&v.arena);
	sets_close(&v.c);
	return ok;
}
