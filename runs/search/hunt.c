/* runs/search/hunt.c - see runs/search/hunt.h. */
#include "runs/search/hunt.h"

#include "runs/search/mutate.h"

#define SALT_CLIMBS UINT32_MAX
#define SALT_SETS (UINT32_MAX - 1)
#define FIRST_CLIMB 300u /* evaluations: from nothing, */
#define CLIMB 15u
#define PATIENCE 80u /* sets without a larger observed / bound; then the hunt begins anew */
#define ANEW 20u     /* so many of them: a climb from nothing */
#define NEAR 0.9
#define DELAY 0.1
#define WALK_MOST 3 /* random changes before a new beginning */

struct hunter {
	const struct hunt *h;
	struct hunted *r;
	struct dice dice;
	uint32_t climbs;
	uint32_t starts;
	struct variant *now;
	struct error *err;
};

double hunted_ratio(const struct variant *v)
{
	return (double)v->witness->found.response_ns / (double)v->bound_ns;
}

/* What the hunt climbs: where the bound holds, the share of the allowed delay that was seen, and how much of
 * the bound is delay: a task that nothing delays reaches its bound, and leads nowhere. */
static double score(const struct variant *v)
{
	double seen = (double)v->witness->found.response_ns, bound = (double)v->bound_ns, own = 0;
	const struct genome_space *s = &v->space;
	for (uint32_t k = s->first_segment[v->target.task]; k < s->first_segment[v->target.task + 1]; k++)
		own += (double)s->worst[k];
	if (seen > bound)
		return 1 + seen / bound;
	return own < bound && own <= seen ? (seen - own) / (bound - own) + DELAY * (bound - own) / bound : 0;
}

static bool over(const struct hunter *k)
{
	return k->r->evaluations >= k->h->frame.spec->budget || (k->h->stop && atomic_load(k->h->stop));
}

/* Replaces the variant's behaviour by the worst that a climb finds; `from` a behaviour, or nothing. */
static bool climb_in(struct hunter *k, struct variant *v, const struct genome *from, uint32_t budget)
{
	const struct search_spec *spec = k->h->frame.spec;
	const struct climb c = {
		.method = METHOD_CLIMB,
		.target = v->target,
		.from = from,
		.budget = budget,
		.patience = spec->patience,
		.dice = dice_make(spec->seed, spec->set, SALT_CLIMBS, k->climbs++),
		.stop = k->h->stop,
	};
	struct arena arena = {0};
	struct genome best;
	struct found found;
	struct evaluator e;
	if (!evaluator_init(&e, &v->spec.what, &v->space, k->err))
		return false;
	e.counter = k->h->counter;
	bool ok = genome_new(&v->space, &arena, &best) || error_memory(k->err, "a hunt");
	ok = ok && climb(&c, &v->bounding.plan, &e, &best, &found, k->err);
	k->r->evaluations += ok ? found.evaluations : 0;
	if (ok && found.response_ns > v->witness->found.response_ns) {
		v->witness->found = found;
		genome_copy(&v->space, &v->witness->genome, &best);
	}
	evaluator_finish(&e);
	arena_finish(&arena);
	return ok;
}

/* Tries the behaviour carried over, and climbs from there if it comes near enough. */
static bool follow(struct hunter *k, struct variant *v)
{
	struct found *f = &v->witness->found;
	double least = NEAR * score(k->now);
	variant_carry(k->now, v, VARIANT_ALL, VARIANT_ALL);
	struct evaluator e;
	if (!evaluator_init(&e, &v->spec.what, &v->space, k->err))
		return false;
	e.counter = k->h->counter;
	f->response_ns = evaluate(&e, &v->witness->genome, &v->target, k->err);
	f->seen = evaluated_seen(&e, &v->target);
	f->origin = FROM_CARRIED;
	k->r->evaluations++;
	evaluator_finish(&e);
	if (f->response_ns < 0)
		return false;
	return score(v) < least || climb_in(k, v, &v->witness->genome, CLIMB);
}

static void keep_best(struct hunter *k, struct variant *v)
{
	struct variant *old = k->r->best;
	if (old && score(v) <= score(old)) {
		variant_destroy(v);
		return;
	}
	k->r->best = v;
	variant_destroy(old);
}

/* Makes a set from the present one (`walk` changes of it); *next is NULL if it has no bound. */
static bool make(
	struct hunter *k, const struct taskset *set, int64_t walk, uint32_t target, struct variant **next)
{
	bool fits = false;
	struct variant *v = variant_create(set);
	*next = NULL;
	if (!v)
		return error_memory(k->err, "a hunt");
	v->target.task = target;
	while (walk-- > 0)
		mutate(&v->set, k->h->frame.spec->what.set, &k->dice);
	bool ok = variant_settle(&k->h->frame, v, &fits, k->err);
	k->r->sets += fits;
	k->r->evaluations += !fits; /* so that it ends */
	if (ok && fits)
		*next = v;
	else
		variant_destroy(v);
	return ok;
}

/* One step in the space of sets. *better: observed / bound has grown. */
static bool step(struct hunter *k, bool *better)
{
	struct variant *next;
	*better = false;
	if (!make(k, &k->now->set, 1, k->now->target.task, &next))
		return false;
	if (!next)
		return true;
	if (!follow(k, next)) {
		variant_destroy(next);
		return false;
	}
	double before = score(k->now), after = score(next);
	struct variant *out = after >= before ? k->now : next;
	if (after >= before)
		k->now = next;
	variant_destroy(out);
	*better = after > before;
	return true;
}

static bool steps(struct hunter *k)
{
	bool better;
	for (uint32_t waited = 0; waited < PATIENCE && !over(k); waited = better ? 0 : waited + 1) {
		if (!step(k, &better))
			return false;
		if (!better && waited % ANEW == ANEW - 1) {
			double before = score(k->now);
			if (!climb_in(k, k->now, NULL, FIRST_CLIMB))
				return false;
			better = score(k->now) > before;
		}
	}
	return true;
}

/* The first starts are from the set as it is, for each task in turn; later ones from others nearby. */
static bool start(struct hunter *k)
{
	const struct taskset *set = k->h->frame.spec->what.set;
	uint32_t tasks = set->task_count, target = k->starts % tasks;
	int64_t walk = k->starts < tasks ? 0 : 1 + dice_upto(&k->dice, WALK_MOST - 1);
	k->starts++;
	if (!make(k, set, walk, tasks - 1 - target, &k->now))
		return false;
	if (!k->now)
		return true;
	bool ok = climb_in(k, k->now, NULL, FIRST_CLIMB) && steps(k);
	keep_best(k, k->now);
	k->now = NULL;
	return ok;
}

bool hunt(const struct hunt *h, struct hunted *result, struct error *err)
{
	const struct search_spec *spec = h->frame.spec;
	struct hunter k = {
		.h = h,
		.r = result,
		.dice = dice_make(spec->seed, spec->set, SALT_SETS, 0),
		.err = err,
	};
	bool ok = true;
	*result = (struct hunted){.best = NULL};
	while (ok && !over(&k))
		ok = start(&k);
	if (!ok) {
		variant_destroy(result->best);
		result->best = NULL;
	}
	return ok;
}
