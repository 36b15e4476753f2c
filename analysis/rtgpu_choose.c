/* analysis/rtgpu_choose.c - a GPU for each task: RTGPU, section 5.6, has no task with SMs of different GPUs,
 * and leaves it to the search which GPU a task has. See analysis/rtgpu.h.
 *
 * A task's bound depends on the copies of lower tasks on its GPU, too. So an assignment is judged as a whole:
 * for each of them the greedy allocation is looked for, which with T - D gaps is found if there is one
 * (analysis/rtgpu_allocate.c). Assignments are tried in lexicographic order, the GPU of the task of the
 * highest priority changing last. Worst fit comes first, as it is mostly accepted where any is. */
#include "analysis/rtgpu.h"
#include "base/units.h"
#include "models/kernel.h"

struct rtgpu_choosing {
	const struct platform *platform;
	struct taskset *set;
	const bool *may_have;
	uint32_t *order; /* [count] tasks that want a GPU, the highest priority first */
	uint32_t *gpu;   /* [count] theirs */
	uint32_t count;
	uint32_t *rank;
};

static bool may_have(const struct rtgpu_choosing *c, uint32_t task, uint32_t gpu)
{
	return gpu < platform_gpus(c->platform) && c->may_have[task * PLATFORM_MAX_GPUS + gpu];
}

/* The first GPU from this one on that the task may have; platform_gpus(): none. */
static uint32_t next_gpu(const struct rtgpu_choosing *c, uint32_t task, uint32_t from)
{
	while (from < platform_gpus(c->platform) && !may_have(c, task, from))
		from++;
	return from;
}

static void put_on(const struct rtgpu_choosing *c, uint32_t task, uint32_t gpu)
{
	struct task *t = &c->set->tasks[task];
	for (uint32_t i = 0; i < t->segment_count; i++) {
		struct segment *s = &t->segments[i];
		struct copy_time time;
		if (s->kind == SEGMENT_CPU)
			continue;
		s->gpu = gpu;
		if (s->kind != SEGMENT_COPY || !taskset_copy_time(platform_gpu(c->platform, gpu), s, &time))
			continue;
		s->best_ns = time.best_ns;
		s->worst_ns = time.worst_ns;
	}
}

static void put_all(const struct rtgpu_choosing *c)
{
	for (uint32_t k = 0; k < c->count; k++)
		put_on(c, c->order[k], c->gpu[k]);
}

/* What the task's copies, and its kernels alone on all SMs, take of its period on the GPU that it is on. */
static int128 load_of(const struct rtgpu_choosing *c, uint32_t task)
{
	const struct task *t = &c->set->tasks[task];
	int128 sum = 0;
	for (uint32_t i = 0; i < t->segment_count; i++) {
		const struct segment *s = &t->segments[i];
		const struct platform *p = platform_gpu(c->platform, s->gpu);
		struct kernel_shape shape;
		struct error ignored;
		if (s->kind == SEGMENT_COPY)
			sum += s->worst_ns;
		else if (s->kind == SEGMENT_KERNEL &&
			 kernel_shape(p, c->set, s, platform_virtual_sms(p), NULL, &shape, &ignored))
			sum += kernel_time(p, platform_virtual_sms(p), &shape, NULL);
	}
	return sum * 1000000 / t->period_ns; /* ppm */
}

static int128 load_on(const struct rtgpu_choosing *c, uint32_t task, uint32_t gpu)
{
	put_on(c, task, gpu);
	return load_of(c, task);
}

static bool wants_gpu(const struct rtgpu_choosing *c, uint32_t task)
{
	return next_gpu(c, task, 0) < platform_gpus(c->platform);
}

/* By priority, each task on the GPU that is the least full with it; ties go to the lower index. */
static void fit_worst(struct rtgpu_choosing *c)
{
	int128 load[PLATFORM_MAX_GPUS] = {0};
	for (uint32_t i = 0; i < c->set->task_count; i++)
		if (!wants_gpu(c, i))
			load[task_gpu(&c->set->tasks[i], NULL)] += load_of(c, i);
	for (uint32_t k = 0; k < c->count; k++) {
		uint32_t task = c->order[k], best = next_gpu(c, task, 0);
		for (uint32_t g = best; g < platform_gpus(c->platform); g = next_gpu(c, task, g + 1))
			if (load[g] + load_on(c, task, g) < load[best] + load_on(c, task, best))
				best = g;
		c->gpu[k] = best;
		load[best] += load_on(c, task, best);
	}
}

/* The next assignment; false: that was the last one. */
static bool step(struct rtgpu_choosing *c)
{
	for (uint32_t k = c->count; k-- > 0;) {
		uint32_t task = c->order[k];
		c->gpu[k] = next_gpu(c, task, c->gpu[k] + 1);
		if (c->gpu[k] < platform_gpus(c->platform))
			return true;
		c->gpu[k] = next_gpu(c, task, 0);
	}
	return false;
}

static bool try(const struct rtgpu_choosing *c, bool *accepted, struct error *err)
{
	const struct rtgpu_request request = {.search = RTGPU_GREEDY};
	struct rtgpu_allocation allocation;
	struct arena arena = {0};
	put_all(c);
	bool ok = rtgpu_allocate(c->platform, c->set, c->rank, &request, &arena, &allocation, err);
	*accepted = ok && !allocation.refused && allocation.verdict.accepted;
	arena_finish(&arena);
	return ok;
}

static bool search(struct rtgpu_choosing *c, bool *accepted, struct error *err)
{
	fit_worst(c);
	if (!try(c, accepted, err))
		return false;
	for (uint32_t k = 0; k < c->count && !*accepted; k++)
		c->gpu[k] = next_gpu(c, c->order[k], 0);
	for (uint32_t tried = 0; !*accepted && tried < RTGPU_ASSIGNMENTS_MOST; tried++) {
		if (!try(c, accepted, err))
			return false;
		if (!*accepted && !step(c))
			break;
	}
	if (!*accepted) {
		fit_worst(c);
		put_all(c);
	}
	return true;
}

bool rtgpu_choose_gpus(const struct platform *platform, struct taskset *set, const struct rtgpu_wants *wants,
	bool *accepted, struct error *err)
{
	struct arena arena = {0};
	struct rtgpu_choosing c = {.platform = platform, .set = set, .may_have = wants->may_have};
	uint32_t *task_at = arena_new(&arena, uint32_t, set->task_count);
	c.order = arena_new(&arena, uint32_t, set->task_count);
	c.gpu = arena_new(&arena, uint32_t, set->task_count);
	c.rank = arena_new(&arena, uint32_t, set->task_count);
	bool ok = (task_at && c.order && c.gpu && c.rank) || error_memory(err, "choosing GPUs");
	if (ok) {
		taskset_ranks(set, false, c.rank);
		for (uint32_t i = 0; i < set->task_count; i++)
			task_at[c.rank[i]] = i;
		for (uint32_t k = 0; k < set->task_count; k++)
			if (wants_gpu(&c, task_at[k]))
				c.order[c.count++] = task_at[k];
		ok = search(&c, accepted, err);
	}
	arena_finish(&arena);
	return ok;
}
