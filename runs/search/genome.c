/* runs/search/genome.c - see runs/search/genome.h. */
#include "runs/search/genome.h"

#include <string.h>

#include "analysis/verdict.h"
#include "base/checked.h"
#include "models/kernel.h"
#include "models/releases.h"

/* ---- the space ---- */

static bool allocate(struct genome_space *s, const struct taskset *set)
{
	size_t segments = 0;
	for (uint32_t i = 0; i < set->task_count; i++)
		segments += set->tasks[i].segment_count;
	s->jobs = arena_new(&s->arena, uint32_t, set->task_count);
	s->segments = arena_new(&s->arena, uint32_t, set->task_count);
	s->first_job = arena_new(&s->arena, uint32_t, (size_t)set->task_count + 1);
	s->first_length = arena_new(&s->arena, uint32_t, (size_t)set->task_count + 1);
	s->first_segment = arena_new(&s->arena, uint32_t, (size_t)set->task_count + 1);
	s->best = arena_new(&s->arena, int64_t, segments);
	s->worst = arena_new(&s->arena, int64_t, segments);
	s->last_offset = arena_new(&s->arena, int64_t, set->task_count);
	return s->jobs && s->segments && s->first_job && s->first_length && s->first_segment && s->best &&
	       s->worst && s->last_offset;
}

/* The range of a kernel's time on a GPU, and a time after which it has ended if it runs alone. */
static bool kernel_range(const struct plan *plan, uint32_t task, uint32_t index, uint32_t gpu, int64_t *best,
	int64_t *worst, int64_t *alone, struct error *err)
{
	const struct platform *platform = platform_gpu(plan->platform, gpu);
	const struct segment *segment = &plan->set->tasks[task].segments[index];
	const struct grant *grant = plan->grants && plan->grants[task].count ? &plan->grants[task] : NULL;
	struct kernel_shape shape;
	struct error reason;
	if (!kernel_shape(platform, plan->set, segment, plan->virtual_sms, grant, &shape, &reason))
		return error_set(err, reason.status, "task '%s', segment %u: the kernel %s",
			plan->set->tasks[task].name, index, reason.text);
	*alone = kernel_time(platform, plan->virtual_sms, &shape, grant);
	*best = plan->grants_at_run_time ? 0 : shape.best_ns;
	*worst = plan->grants_at_run_time ? 0 : shape.worst_ns;
	return !plan->grants_at_run_time || checked_mul(*alone, (int64_t)platform->sms * 2, alone) ||
	       error_set(err, STATUS_INPUT, "task '%s' is too long", plan->set->tasks[task].name);
}

/* The same of a segment under the plan. Where the policy chooses GPUs (GPUS_CHOSEN), `alone` is for any of
 * them. A copy that takes another time on each has no range: a length that is legal on one may not be on
 * another. */
static bool segment_range(const struct plan *plan, uint32_t task, uint32_t index, int64_t *best,
	int64_t *worst, int64_t *alone, struct error *err)
{
	const struct segment *segment = &plan->set->tasks[task].segments[index];
	bool chosen = plan->gpus == GPUS_CHOSEN;
	uint32_t first = chosen ? 0 : segment->gpu, end = chosen ? platform_gpus(plan->platform) : first + 1;
	*best = segment->best_ns;
	*worst = *alone = segment->worst_ns;
	for (uint32_t g = first; segment->kind == SEGMENT_KERNEL && g < end; g++) {
		int64_t there = 0;
		if (!kernel_range(plan, task, index, g, best, worst, &there, err))
			return false;
		*alone = g == first || there > *alone ? there : *alone;
	}
	for (uint32_t g = first; segment->kind == SEGMENT_COPY && chosen && g < end; g++) {
		struct copy_time time;
		if (!taskset_copy_time(platform_gpu(plan->platform, g), segment, &time))
			return error_set(err, STATUS_INPUT,
				"task '%s', segment %u: the copy has no time on GPU %u",
				plan->set->tasks[task].name, index, g);
		*alone = time.worst_ns > *alone ? time.worst_ns : *alone;
		if (time.best_ns != segment->best_ns || time.worst_ns != segment->worst_ns)
			*best = *worst = 0;
	}
	return true;
}

static bool task_range(struct genome_space *s, const struct plan *plan, uint32_t task, struct error *err)
{
	const struct task *t = &plan->set->tasks[task];
	uint32_t first = s->first_segment[task];
	int64_t sum = 0, most;
	s->unit = greatest_common_divisor(s->unit, t->period_ns);
	s->unit = greatest_common_divisor(s->unit, t->deadline_ns);
	for (uint32_t k = 0; k < t->segment_count; k++) {
		int64_t alone;
		if (!segment_range(plan, task, k, &s->best[first + k], &s->worst[first + k], &alone, err))
			return false;
		s->unit = greatest_common_divisor(s->unit, s->best[first + k]);
		s->unit = greatest_common_divisor(s->unit, s->worst[first + k]);
		s->lengths += s->best[first + k] < s->worst[first + k] ? s->jobs[task] : 0;
		if (!checked_add(sum, alone, &sum))
			return error_set(err, STATUS_INPUT, "task '%s' is too long", t->name);
	}
	if (!checked_mul(sum, (int64_t)s->jobs[task] * 2, &most) ||
		!checked_add(s->backlog, most, &s->backlog) ||
		!checked_mul(t->period_ns, (int64_t)s->jobs[task] * 2 + 1, &most) || most > INT64_MAX / 4 ||
		s->backlog > INT64_MAX / 4)
		return error_set(err, STATUS_INPUT, "task '%s' is too long to be searched", t->name);
	return true;
}

static void set_jobs(struct genome_space *s, uint32_t most_jobs)
{
	int64_t longest = 0, reach = INT64_MAX;
	for (uint32_t i = 0; i < s->tasks; i++)
		longest = s->set->tasks[i].period_ns > longest ? s->set->tasks[i].period_ns : longest;
	for (uint32_t i = 0; i < s->tasks; i++) {
		const struct task *t = &s->set->tasks[i];
		int64_t jobs = longest / t->period_ns + 2, span;
		s->jobs[i] = jobs < most_jobs ? (uint32_t)jobs : most_jobs;
		if (checked_mul(t->period_ns, (int64_t)s->jobs[i] - 1, &span) && span < reach)
			reach = span;
	}
	/* No task starts later than the last job of a faster task. */
	for (uint32_t i = 0; i < s->tasks; i++)
		s->last_offset[i] = s->set->tasks[i].period_ns < reach ? s->set->tasks[i].period_ns : reach;
}

bool genome_space_init(struct genome_space *space, const struct plan *plan, uint32_t most_jobs, bool periodic,
	struct error *err)
{
	struct verdict v = {.accepted = true};
	*space =
		(struct genome_space){.set = plan->set, .tasks = plan->set->task_count, .periodic = periodic};
	if (!verdict_plain(&v, plan->set, "a search is for"))
		return error_set(err, STATUS_INPUT, "%s", v.reason);
	if (!allocate(space, plan->set)) {
		genome_space_finish(space);
		return error_memory(err, "a search");
	}
	set_jobs(space, most_jobs);
	uint64_t size = 1 + 2 * (uint64_t)space->tasks;
	for (uint32_t i = 0; i < space->tasks; i++) {
		uint32_t segments = plan->set->tasks[i].segment_count;
		space->segments[i] = segments;
		space->first_segment[i + 1] = space->first_segment[i] + segments;
		space->first_job[i + 1] = space->first_job[i] + space->jobs[i];
		space->first_length[i + 1] = space->first_length[i] + space->jobs[i] * segments;
		size += space->jobs[i] * (1 + (uint64_t)segments);
	}
	bool ok = size <= UINT32_MAX / sizeof(int64_t) ||
		  error_set(err, STATUS_INPUT, "so many jobs of so many segments cannot be searched");
	space->size = (uint32_t)size;
	for (uint32_t i = 0; ok && i < space->tasks; i++)
		ok = task_range(space, plan, i, err);
	if (!ok)
		genome_space_finish(space);
	return ok;
}

void genome_space_finish(struct genome_space *space)
{
	arena_finish(&space->arena);
}

/* ---- genomes ---- */

void genome_attach(const struct genome_space *space, int64_t *block, struct genome *g)
{
	g->ties = block;
	g->jobs = g->ties + 1;
	g->offset = g->jobs + space->tasks;
	g->extra = g->offset + space->tasks;
	g->length = g->extra + space->first_job[space->tasks];
}

bool genome_new(const struct genome_space *space, struct arena *arena, struct genome *g)
{
	int64_t *block = arena_new(arena, int64_t, space->size);
	if (!block)
		return false;
	genome_attach(space, block, g);
	genome_synchronous(space, g);
	return true;
}

void genome_copy(const struct genome_space *space, struct genome *to, const struct genome *from)
{
	memcpy(to->ties, from->ties, space->size * sizeof(*to->ties));
}

bool genome_same(const struct genome_space *space, const struct genome *a, const struct genome *b)
{
	return memcmp(a->ties, b->ties, space->size * sizeof(*a->ties)) == 0;
}

void genome_synchronous(const struct genome_space *space, struct genome *g)
{
	memset(g->ties, 0, space->size * sizeof(*g->ties));
	for (uint32_t i = 0; i < space->tasks; i++) {
		g->jobs[i] = space->jobs[i];
		for (uint32_t j = 0; j < space->jobs[i]; j++)
			memcpy(genome_length(space, g, i, j, 0), &space->worst[space->first_segment[i]],
				space->segments[i] * sizeof(*g->length));
	}
}

int64_t genome_release(const struct genome_space *space, const struct genome *g, uint32_t task, uint32_t job)
{
	const int64_t *extra = &g->extra[space->first_job[task]];
	int64_t release = g->offset[task] + (int64_t)job * space->set->tasks[task].period_ns;
	for (uint32_t j = 1; j <= job; j++)
		release += extra[j];
	return release;
}

/* ---- dice ---- */

struct dice dice_make(uint64_t seed, uint32_t set, uint32_t target, uint32_t piece)
{
	struct random_key key = {
		.seed = seed, .set = set, .task = target, .job = piece, .purpose = RANDOM_SEARCH};
	return (struct dice){.key = {.seed = random_bits(&key, 0), .set = set, .purpose = RANDOM_SEARCH}};
}

int64_t dice_upto(struct dice *d, int64_t bound)
{
	if (++d->key.job == 0)
		d->key.task++;
	return random_upto(&d->key, bound);
}

static int64_t random_length(
	const struct genome_space *space, struct dice *dice, uint32_t task, uint32_t segment)
{
	uint32_t at = space->first_segment[task] + segment;
	int64_t best = space->best[at], worst = space->worst[at], how = dice_upto(dice, 3);
	if (how < 2)
		return worst;
	return how == 2 ? best : best + dice_upto(dice, worst - best);
}

static int64_t random_extra(const struct genome_space *space, struct dice *dice, uint32_t task)
{
	return space->periodic || dice_upto(dice, 1) == 0
		       ? 0
		       : dice_upto(dice, space->set->tasks[task].period_ns);
}

void genome_random(const struct genome_space *space, struct dice *dice, struct genome *g)
{
	genome_synchronous(space, g);
	*g->ties = dice_upto(dice, 1);
	for (uint32_t i = 0; i < space->tasks; i++) {
		const uint32_t segment = space->first_segment[i];
		g->offset[i] = dice_upto(dice, space->last_offset[i]);
		for (uint32_t j = 1; j < space->jobs[i]; j++)
			g->extra[space->first_job[i] + j] = random_extra(space, dice, i);
		for (uint32_t j = 0; j < space->jobs[i]; j++)
			for (uint32_t k = 0; k < space->segments[i]; k++)
				if (space->best[segment + k] < space->worst[segment + k])
					*genome_length(space, g, i, j, k) = random_length(space, dice, i, k);
	}
}
