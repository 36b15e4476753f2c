/* runs/search/variant.c - see runs/search/variant.h. */
#include "runs/search/variant.h"

#include <stdlib.h>
#include <string.h>

#include "db/rows.h"

static bool copy_set(const struct taskset *from, struct variant *to)
{
	to->set = *from;
	to->set.arena = (struct arena){0};
	to->set.chains = NULL; /* they name tasks, which may be dropped */
	to->set.chain_count = 0;
	to->set.tasks = arena_new(&to->arena, struct task, from->task_count);
	for (uint32_t i = 0; to->set.tasks && i < from->task_count; i++) {
		const struct task *t = &from->tasks[i];
		to->set.tasks[i] = *t;
		to->set.tasks[i].segments = arena_new(&to->arena, struct segment, t->segment_count);
		if (!to->set.tasks[i].segments)
			return false;
		memcpy(to->set.tasks[i].segments, t->segments, t->segment_count * sizeof(*t->segments));
	}
	return to->set.tasks != NULL;
}

struct variant *variant_create(const struct taskset *set)
{
	struct variant *v = calloc(1, sizeof(*v));
	if (v && copy_set(set, v)) {
		v->target = (struct search_target){0, WHOLE_JOB};
		return v;
	}
	variant_destroy(v);
	return NULL;
}

void variant_destroy(struct variant *v)
{
	if (!v)
		return;
	genome_space_finish(&v->space);
	bounding_finish(&v->bounding);
	arena_finish(&v->arena);
	free(v);
}

bool variant_has_length(const struct segment *s)
{
	return (s->kind != SEGMENT_COPY || s->bytes < 0) &&
	       (s->kind != SEGMENT_KERNEL || s->form == KERNEL_GRID || s->form == KERNEL_WORK);
}

/* ---- behaviours ---- */

/* A time keeps its place in its range: at the worst case, at the best, or within. */
static int64_t placed(int64_t length, const struct genome_space *from, uint32_t a,
	const struct genome_space *to, uint32_t b)
{
	if (length == from->worst[a])
		return to->worst[b];
	if (length == from->best[a] || length < to->best[b])
		return to->best[b];
	return length > to->worst[b] ? to->worst[b] : length;
}

static void carry_task(
	const struct variant *from, uint32_t i, const struct variant *to, uint32_t k, uint32_t dropped)
{
	const struct genome_space *a = &from->space, *b = &to->space;
	const struct genome *g = &from->witness->genome;
	struct genome *h = &to->witness->genome;
	uint32_t jobs = a->jobs[i] < b->jobs[k] ? a->jobs[i] : b->jobs[k];
	h->offset[k] = g->offset[i];
	h->jobs[k] = g->jobs[i] < jobs ? g->jobs[i] : jobs;
	for (uint32_t j = 0; j < jobs; j++) {
		h->extra[b->first_job[k] + j] = g->extra[a->first_job[i] + j];
		for (uint32_t s = 0, d = 0; s < a->segments[i]; s++)
			if (s != dropped) {
				*genome_length(b, h, k, j, d) = placed(*genome_length(a, g, i, j, s), a,
					a->first_segment[i] + s, b, b->first_segment[k] + d);
				d++;
			}
	}
}

void variant_carry(const struct variant *from, const struct variant *to, uint32_t task, uint32_t segment)
{
	*to->witness->genome.ties = *from->witness->genome.ties;
	for (uint32_t i = 0, k = 0; i < from->space.tasks; i++)
		if (i != task)
			carry_task(from, i, to, k++, VARIANT_ALL);
		else if (segment != VARIANT_ALL)
			carry_task(from, i, to, k++, segment);
}

/* ---- plan and bound ---- */

static void ignore(void *self, uint32_t task, uint32_t segment, const char *text)
{
	(void)self;
	(void)task;
	(void)segment;
	(void)text;
}

static bool settle_space(const struct variant_frame *frame, struct variant *v, bool *fits, struct error *err)
{
	if (!genome_space_init(&v->space, &v->bounding.plan, frame->most_jobs, frame->periodic, err))
		return err->status == STATUS_INPUT;
	v->spec = *frame->spec;
	v->spec.what.set = &v->set;
	v->spec.plan = &v->bounding.plan;
	v->spec.space = &v->space;
	v->spec.targets = &v->target;
	v->spec.target_count = 1;
	v->spec.method = METHOD_CLIMB;
	*fits = true;
	return witnesses_new(&v->spec, &v->arena, &v->witness, err);
}

bool variant_settle(const struct variant_frame *frame, struct variant *v, bool *fits, struct error *err)
{
	struct bounds b;
	const struct search_case *what = &frame->spec->what;
	const struct bounding_spec spec = {what->platform, &v->set, frame->setup, what->policy, what->params};
	*fits = false;
	if (taskset_check(&v->set, what->platform, ignore, NULL) > 0)
		return true;
	if (!bounding_begin(&v->bounding, &spec, err))
		return false;
	if (v->bounding.refusal[0])
		return true;
	if (!bounding_compute(&v->bounding, frame->use, &b, err))
		return err->status == STATUS_INTERRUPTED; /* it is not known whether it fits */
	v->bound_ns = b.task ? bounding_bound_always(&b.task[v->target.task]) : DB_NULL;
	if (v->bound_ns == DB_NULL || v->bound_ns <= 0 ||
		v->bound_ns > v->set.tasks[v->target.task].period_ns)
		return true;
	return settle_space(frame, v, fits, err);
}
