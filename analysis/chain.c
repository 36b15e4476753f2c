/* analysis/chain.c - see analysis/chain.h. Task model: RTGPU, section 5.1. */
#include "analysis/chain.h"

static enum chain_resource resource_of(const struct platform *platform, const struct segment *s)
{
	if (s->kind == SEGMENT_CPU)
		return CHAIN_ON_CPU;
	uint32_t engines = platform_gpu(platform, s->gpu)->engines;
	if (s->kind == SEGMENT_KERNEL || engines == ENGINES_UNLIMITED)
		return CHAIN_ALONE;
	return chain_engine(s->gpu, engines == 2 && s->direction == COPY_TO_CPU);
}

/* Whether the kinds between two CPU segments are those of one of the two models; directions do not matter
 * here. */
static bool repeats(const struct chain *c, const enum segment_kind *pattern, uint32_t length)
{
	if (c->count % length != 1)
		return false;
	for (uint32_t i = 0; i < c->count; i++)
		if (c->segments[i].segment->kind != pattern[i % length])
			return false;
	return true;
}

static enum chain_shape shape_of(const struct chain *c)
{
	static const enum segment_kind two_copy[] = {SEGMENT_CPU, SEGMENT_COPY, SEGMENT_KERNEL, SEGMENT_COPY};
	static const enum segment_kind one_copy[] = {SEGMENT_CPU, SEGMENT_COPY, SEGMENT_KERNEL};
	if (c->count == 1 && c->segments[0].segment->kind == SEGMENT_CPU)
		return CHAIN_CPU;
	if (repeats(c, two_copy, 4))
		return CHAIN_TWO_COPY;
	return repeats(c, one_copy, 3) ? CHAIN_ONE_COPY : CHAIN_OTHER;
}

static bool build(
	const struct platform *platform, const struct task *task, struct arena *arena, struct chain *c)
{
	c->task = task;
	c->segments = arena_new(arena, struct chain_segment, task->segment_count);
	if (!c->segments)
		return false;
	for (uint32_t i = 0; i < task->segment_count; i++) {
		const struct segment *s = &task->segments[i];
		if (s->worst_ns == 0 && s->kind != SEGMENT_KERNEL)
			continue;
		c->segments[c->count++] = (struct chain_segment){s, i, resource_of(platform, s)};
		if (s->kind != SEGMENT_KERNEL)
			continue;
		c->gpu = c->kernels ? c->gpu : s->gpu;
		c->apart |= c->gpu != s->gpu;
		c->kernels++;
	}
	c->shape = shape_of(c);
	return true;
}

/* Finds two tasks that share a hardware queue of this GPU, or of which one uses its NULL stream
 * (docs/model.md, "Streams"). */
static bool find_sharing(
	const struct platform *platform, uint32_t gpu, struct arena *arena, struct chains *chains)
{
	uint32_t queues = platform_gpu(platform, gpu)->work_queues;
	uint32_t *user = arena_new(arena, uint32_t, (size_t)queues + 1);
	uint32_t null_user = 0, first = 0; /* index + 1; 0: nobody */
	if (!user)
		return false;
	for (uint32_t i = 0; i < chains->count; i++) {
		const struct chain *c = &chains->chain[i];
		for (uint32_t j = 0; j < c->count; j++) {
			const struct segment *s = c->segments[j].segment;
			if (s->kind == SEGMENT_CPU || s->gpu != gpu)
				continue;
			bool null = s->stream == STREAM_NULL;
			uint32_t stream = s->stream == STREAM_OWN ? i : (uint32_t)s->stream;
			uint32_t *queue = null ? &null_user : &user[stream % queues],
				 *other = null ? &first : &null_user;
			uint32_t found = *queue && *queue != i + 1   ? *queue
					 : *other && *other != i + 1 ? *other
								     : 0;
			if (found) {
				chains->sharing[0] = found - 1;
				chains->sharing[1] = i;
				return true;
			}
			*queue = i + 1;
			first = first ? first : i + 1;
		}
	}
	return true;
}

bool chains_build(const struct platform *platform, const struct taskset *set, const uint32_t *rank,
	struct arena *arena, struct chains *chains, struct error *err)
{
	uint32_t gpus = platform_gpus(platform);
	*chains = (struct chains){.count = set->task_count, .gpus = gpus, .resources = chain_engine(gpus, 0)};
	chains->chain = arena_new(arena, struct chain, set->task_count);
	chains->order = arena_new(arena, uint32_t, set->task_count);
	if (!chains->chain || !chains->order)
		return error_memory(err, "building the tasks' chains");
	for (uint32_t i = 0; i < set->task_count; i++) {
		chains->order[rank[i]] = i;
		if (!build(platform, &set->tasks[i], arena, &chains->chain[i]))
			return error_memory(err, "building the tasks' chains");
		chains->chain[i].core = taskset_core(set, platform, i);
		chains->with_kernels += chains->chain[i].kernels > 0;
	}
	for (uint32_t g = 0; g < gpus && chains->sharing[0] == chains->sharing[1]; g++)
		if (!find_sharing(platform, g, arena, chains))
			return error_memory(err, "building the tasks' chains");
	return true;
}

bool chains_apart(const struct chains *chains, struct verdict *v)
{
	const uint32_t *sharing = chains->sharing;
	return sharing[0] == sharing[1] ||
	       verdict_refuse(v, sharing[1], "task '%s' shares a stream or hardware queue with task '%s'",
		       chains->chain[sharing[1]].task->name, chains->chain[sharing[0]].task->name);
}

bool chains_check(const struct platform *platform, const struct chains *chains, struct verdict *v)
{
	for (uint32_t i = 0; i < chains->count; i++)
		if (chains->chain[i].kernels && platform_gpu(platform, chains->chain[i].gpu)->pool != POOL_SM)
			return verdict_refuse(
				v, NO_FAILING_TASK, "tasks cannot have SMs of their own with pool: gpu");
	if (!chains_apart(chains, v))
		return false;
	verdict_accept(v);
	return true;
}
