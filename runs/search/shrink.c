/* runs/search/shrink.c - see runs/search/shrink.h. Large steps come first: tasks, then segments, then
 * intervals, then numbers. Ends when a round changes nothing. */
#include "runs/search/shrink.h"

#include <string.h>

#define DIGITS_MOST 3

/* One change of a set. */
struct edit {
	enum {
		DROP_TASK,
		DROP_SEGMENT,
		FIX,
		ROUND_PERIOD,
		ROUND_DEADLINE,
		ROUND_WORST,
		ROUND_BEST,
		ROUND_ALL
	} how;
	uint32_t task, segment;
	int digits; /* ROUND_...: significant ones */
};

struct shrinker {
	const struct search_spec *spec;
	const struct shrink_goal *goal;
	struct variant_frame frame;
	double least; /* observed / bound */
	struct variant *now;
	bool changed;
	struct error *err;
};

int64_t shrunk_enough(int64_t response_ns, int64_t bound_ns)
{
	if (response_ns > bound_ns)
		return response_ns - (response_ns - bound_ns) / 10;
	return response_ns - response_ns / 100;
}

/* ---- sets ---- */

static int64_t rounded(int64_t value, int digits)
{
	int64_t step = 1, limit = 1;
	for (int i = 0; i < digits; i++)
		limit *= 10;
	while (value / step >= limit)
		step *= 10;
	return (value + step / 2) / step * step;
}

static bool round_number(int64_t *value, int digits)
{
	int64_t before = *value;
	*value = rounded(*value, digits);
	return *value != before;
}

static bool round_worst(struct segment *s, int digits)
{
	if (!variant_has_length(s) || s->times)
		return false;
	bool fixed = s->best_ns == s->worst_ns, any = round_number(&s->worst_ns, digits);
	if (fixed || s->best_ns > s->worst_ns)
		s->best_ns = s->worst_ns;
	return any;
}

static bool round_best(struct segment *s, int digits)
{
	return variant_has_length(s) && !s->times && s->best_ns < s->worst_ns &&
	       round_number(&s->best_ns, digits);
}

static bool round_period(struct task *t, int digits)
{
	bool implicit = t->deadline_ns == t->period_ns, any = round_number(&t->period_ns, digits);
	if (implicit || t->deadline_ns > t->period_ns)
		t->deadline_ns = t->period_ns;
	return any;
}

static bool round_all(struct taskset *set, int digits)
{
	bool any = false;
	for (uint32_t i = 0; i < set->task_count; i++) {
		struct task *t = &set->tasks[i];
		any |= round_period(t, digits);
		any |= t->deadline_ns < t->period_ns && round_number(&t->deadline_ns, digits);
		for (uint32_t k = 0; k < t->segment_count; k++) {
			any |= round_worst(&t->segments[k], digits);
			any |= round_best(&t->segments[k], digits);
		}
	}
	return any;
}

static void drop_task(struct taskset *set, uint32_t task)
{
	set->task_count--;
	memmove(&set->tasks[task], &set->tasks[task + 1], (set->task_count - task) * sizeof(*set->tasks));
}

static void drop_segment(struct task *t, uint32_t segment)
{
	t->segment_count--;
	memmove(&t->segments[segment], &t->segments[segment + 1],
		(t->segment_count - segment) * sizeof(*t->segments));
}

/* False: there is nothing to change. */
static bool apply(const struct edit *x, struct taskset *set)
{
	struct task *t = &set->tasks[x->task];
	struct segment *s = &t->segments[x->segment];
	switch (x->how) {
	case DROP_TASK:
		drop_task(set, x->task);
		return true;
	case DROP_SEGMENT:
		drop_segment(t, x->segment); /* of several */
		return true;
	case FIX:
		if (!variant_has_length(s) || s->times || s->best_ns == s->worst_ns)
			return false;
		s->best_ns = s->worst_ns;
		return true;
	case ROUND_PERIOD:
		return round_period(t, x->digits);
	case ROUND_DEADLINE:
		return t->deadline_ns < t->period_ns && round_number(&t->deadline_ns, x->digits);
	case ROUND_WORST:
		return round_worst(s, x->digits);
	case ROUND_BEST:
		return round_best(s, x->digits);
	case ROUND_ALL:
		return round_all(set, x->digits);
	}
	return false;
}

/* ---- one set ---- */

static bool shows(const struct shrinker *m, const struct variant *s)
{
	const struct found *f = &s->witness->found;
	enum bound_check said = bound_check(&f->seen, s->set.tasks[s->target.task].period_ns, s->bound_ns);
	bool exceeded = m->goal->from->found.response_ns > m->goal->bound_ns;
	return said == (exceeded ? CHECK_EXCEEDED : CHECK_HOLDS) &&
	       (double)f->response_ns >= m->least * (double)s->bound_ns;
}

/* Runs the behaviour carried over; if that is not enough, searches. */
static bool judge(const struct shrinker *m, struct variant *s, bool *ok)
{
	struct evaluator e;
	if (!evaluator_init(&e, &s->spec.what, &s->space, m->err))
		return false;
	struct found *f = &s->witness->found;
	*f = (struct found){.response_ns = evaluate(&e, &s->witness->genome, &s->target, m->err)};
	bool fine = f->response_ns >= 0;
	f->seen = evaluated_seen(&e, &s->target);
	*ok = fine && shows(m, s);
	if (fine && !*ok) {
		fine = search_here(&s->spec, &e, 0, m->goal->stop, s->witness, m->err);
		*ok = fine && shows(m, s);
	}
	evaluator_finish(&e);
	return fine;
}

static bool over(const struct shrinker *m)
{
	return m->goal->stop && atomic_load(m->goal->stop);
}

/* Makes the change, if it leaves what was found. False: *err. */
static bool try(struct shrinker *m, const struct edit *x, bool *done)
{
	bool fits = false;
	*done = false;
	if (over(m))
		return true;
	struct variant *next = variant_create(&m->now->set);
	if (!next)
		return error_memory(m->err, "a smaller set");
	next->target = m->now->target;
	if (x->how == DROP_TASK && x->task < next->target.task)
		next->target.task--;
	bool ok = !apply(x, &next->set) || variant_settle(&m->frame, next, &fits, m->err);
	if (ok && fits) {
		variant_carry(m->now, next,
			x->how == DROP_TASK || x->how == DROP_SEGMENT ? x->task : VARIANT_ALL,
			x->how == DROP_SEGMENT ? x->segment : VARIANT_ALL);
		ok = judge(m, next, done);
	}
	struct variant *old = *done ? m->now : next;
	if (*done) {
		m->now = next;
		m->changed = true;
	}
	variant_destroy(old);
	return ok;
}

/* ---- rounds ---- */

static bool drop_all(struct shrinker *m)
{
	bool done;
	for (uint32_t i = m->now->set.task_count; i-- > 0;)
		if (i != m->now->target.task && !try(m, &(struct edit){.how = DROP_TASK, .task = i}, &done))
			return false;
	for (uint32_t i = 0; i < m->now->set.task_count; i++)
		for (uint32_t k = m->now->set.tasks[i].segment_count; k-- > 0;)
			if (m->now->set.tasks[i].segment_count > 1 &&
				!try(m, &(struct edit){.how = DROP_SEGMENT, .task = i, .segment = k}, &done))
				return false;
	for (uint32_t i = 0; i < m->now->set.task_count; i++)
		for (uint32_t k = 0; k < m->now->set.tasks[i].segment_count; k++)
			if (!try(m, &(struct edit){.how = FIX, .task = i, .segment = k}, &done))
				return false;
	return true;
}

/* The fewest digits that do. */
static bool round_one(struct shrinker *m, struct edit x)
{
	bool done = false;
	for (x.digits = 1; x.digits <= DIGITS_MOST && !done; x.digits++)
		if (!try(m, &x, &done))
			return false;
	return true;
}

static bool round_task(struct shrinker *m, uint32_t i)
{
	if (!round_one(m, (struct edit){.how = ROUND_PERIOD, .task = i}) ||
		!round_one(m, (struct edit){.how = ROUND_DEADLINE, .task = i}))
		return false;
	for (uint32_t k = 0; k < m->now->set.tasks[i].segment_count; k++)
		if (!round_one(m, (struct edit){.how = ROUND_WORST, .task = i, .segment = k}) ||
			!round_one(m, (struct edit){.how = ROUND_BEST, .task = i, .segment = k}))
			return false;
	return true;
}

static bool shrink_all(struct shrinker *m)
{
	do {
		m->changed = false;
		if (!drop_all(m))
			return false;
	} while (m->changed);
	if (!round_one(m, (struct edit){.how = ROUND_ALL}))
		return false;
	for (uint32_t i = 0; i < m->now->set.task_count; i++)
		if (!round_task(m, i))
			return false;
	return true;
}

/* The set as it was found: where all changes begin. */
static bool begin(struct shrinker *m)
{
	bool fits = false;
	m->now = variant_create(m->spec->what.set);
	if (!m->now)
		return error_memory(m->err, "a smaller set");
	m->now->target = m->goal->target;
	if (!variant_settle(&m->frame, m->now, &fits, m->err))
		return false;
	if (!fits && over(m))
		return error_set(m->err, STATUS_INTERRUPTED, "interrupted");
	if (!fits)
		return error_set(m->err, STATUS_INPUT, "the bound is not one that a set can be shrunk by");
	genome_copy(&m->now->space, &m->now->witness->genome, &m->goal->from->genome);
	m->now->witness->found = m->goal->from->found;
	return true;
}

bool shrink(const struct search_spec *spec, const struct shrink_goal *goal, struct variant **result,
	struct error *err)
{
	double ratio = (double)goal->from->found.response_ns / (double)goal->bound_ns;
	struct shrinker m = {
		.spec = spec,
		.goal = goal,
		.frame = {spec, goal->setup, goal->use, goal->most_jobs, spec->space->periodic},
		.least = ratio > 1 ? 1 + (ratio - 1) / 2 : ratio * 0.99,
		.err = err,
	};
	*result = NULL;
	bool ok = begin(&m) && shrink_all(&m);
	if (ok)
		*result = m.now;
	else
		variant_destroy(m.now);
	return ok;
}
