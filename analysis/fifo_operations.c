/* analysis/fifo_operations.c - a task set as the chains of operations of analysis/fifo_chains.h. */
#include <stdlib.h>

#include "analysis/chain.h"
#include "analysis/fifo_chains.h"
#include "analysis/gpu_load.h"
#include "models/blocks.h"

/* The GPUs' side: the kernels of all tasks, and what their blocks weigh. */
struct kernels {
	struct kernel_shape *shape;  /* [count] by task, then segment */
	struct block_demand *demand; /* [count] of one GPU: scratch */
	uint32_t count;
	uint32_t tasks[PLATFORM_MAX_GPUS]; /* how many have some on that GPU */
	struct gpu_load load[PLATFORM_MAX_GPUS];
};

static bool is_kernel(const struct segment *g)
{
	return g->kind == SEGMENT_KERNEL;
}

/* False: out of memory. */
static bool kernels_allocate(const struct plan *plan, struct arena *arena, struct kernels *k)
{
	size_t count = 0;
	for (uint32_t i = 0; i < plan->set->task_count; i++)
		for (uint32_t g = 0; g < plan->set->tasks[i].segment_count; g++)
			count += is_kernel(&plan->set->tasks[i].segments[g]);
	k->shape = arena_new(arena, struct kernel_shape, count);
	k->demand = arena_new(arena, struct block_demand, count);
	return k->shape && k->demand;
}

/* Units of weight, blocks and times: with less work than this in a kernel, products stay far below 2^120. */
#define LONGEST_WORK ((int128)1 << 58)

static bool shape_kernels(const struct plan *plan, uint32_t task, struct kernels *k, struct verdict *v)
{
	const struct task *t = &plan->set->tasks[task];
	uint32_t before = k->count, gpu = task_gpu(t, NULL);
	const struct platform *p = platform_gpu(plan->platform, gpu);
	for (uint32_t g = 0; g < t->segment_count; g++) {
		struct kernel_shape *shape = &k->shape[k->count];
		struct error reason;
		if (!is_kernel(&t->segments[g]))
			continue;
		if (!kernel_shape(p, plan->set, &t->segments[g], plan->virtual_sms, NULL, shape, &reason))
			return verdict_refuse(
				v, task, "task '%s': the kernel of segment %u %s", t->name, g, reason.text);
		if (kernel_resident(p, plan->virtual_sms, &shape->demand) == 0)
			return verdict_refuse(v, task,
				"task '%s': blocks of the kernel of segment %u do not fit an SM", t->name, g);
		if (blocks_most_work(shape) >= LONGEST_WORK)
			return verdict_refuse(v, task,
				"task '%s': the work of the kernel of segment %u is too large", t->name, g);
		k->count++;
	}
	k->tasks[gpu] += k->count > before;
	return true;
}

/* What the blocks of the GPU's kernels need, in k->demand; returns how many kernels these are. */
static uint32_t demands_on(const struct plan *plan, struct kernels *k, uint32_t gpu)
{
	uint32_t count = 0, kernel = 0;
	for (uint32_t i = 0; i < plan->set->task_count; i++) {
		const struct task *t = &plan->set->tasks[i];
		for (uint32_t g = 0; g < t->segment_count; g++) {
			if (!is_kernel(&t->segments[g]))
				continue;
			if (task_gpu(t, NULL) == gpu)
				k->demand[count++] = k->shape[kernel].demand;
			kernel++;
		}
	}
	return count;
}

static bool shape_all(const struct plan *plan, struct kernels *k, struct verdict *v)
{
	for (uint32_t i = 0; i < plan->set->task_count; i++)
		if (!shape_kernels(plan, i, k, v))
			return false;
	for (uint32_t g = 0; g < platform_gpus(plan->platform); g++) {
		k->load[g] = gpu_load_of(platform_gpu(plan->platform, g), plan->virtual_sms, k->demand,
			demands_on(plan, k, g));
		if (k->load[g].rate == 0)
			return verdict_refuse(
				v, NO_FAILING_TASK, "an SM's limits are too large to count with");
	}
	return true;
}

/* ---- Operations ---- */

static enum fifo_resource engine_of(const struct platform *p, const struct segment *g)
{
	if (p->engines == ENGINES_UNLIMITED)
		return FIFO_FREE;
	return p->engines == 2 && g->direction == COPY_TO_CPU ? FIFO_ENGINE_1 : FIFO_ENGINE_0;
}

static bool is_high(const struct plan *plan, const struct segment *g)
{
	return g->stream_high && !plan->streams_alike;
}

static struct fifo_operation plain_operation(const struct plan *plan, const struct segment *g)
{
	return (struct fifo_operation){
		.on = g->kind == SEGMENT_CPU ? FIFO_CPU : engine_of(platform_gpu(plan->platform, g->gpu), g),
		.high = is_high(plan, g),
		.best = g->best_ns,
		.worst = g->worst_ns,
		.work = g->worst_ns,
	};
}

/* A kernel. The bound to the end of a block of time l grows with l if the block weighs at most the rate, and
 * else falls. Where no other task has kernels, nothing but its own blocks delays any of them. */
static struct fifo_operation kernel_operation(const struct plan *plan, const struct kernels *k,
	const struct kernel_shape *shape, uint32_t gpu, bool high)
{
	const struct platform *p = platform_gpu(plan->platform, gpu);
	const struct gpu_load *load = &k->load[gpu];
	uint64_t places = kernel_resident(p, plan->virtual_sms, &shape->demand);
	int64_t weight = gpu_load_weight(load, &shape->demand);
	struct fifo_operation op = {
		.on = FIFO_GPU,
		.high = high,
		.worst = weight <= load->rate ? shape->worst_ns : blocks_shortest(shape),
		.work = weight * blocks_most_work(shape),
	};
	places *= p->pool == POOL_SM ? p->sms : 1;
	op.best = blocks_least_span(shape, places);
	op.rest = op.work - (int128)weight * op.worst;
	if (k->tasks[gpu] == 1) {
		op.worst = blocks_span(shape, places);
		op.rest = 0;
	}
	return op;
}

static void add_operation(struct fifo_chain *c, const struct fifo_operation *op)
{
	if (op->on == FIFO_CPU)
		c->own_ns += op->worst;
	else
		*(op->on == FIFO_GPU ? &c->gpu_ns : &c->copy_ns) += op->worst;
	if (op->on != FIFO_FREE) {
		c->low[op->on] |= !op->high;
		c->high[op->on] |= op->high;
	}
	c->operation[c->count++] = *op;
}

static bool build_operations(const struct plan *plan, const struct kernels *k, uint32_t *kernel,
	uint32_t task, struct fifo_chain *c, struct verdict *v)
{
	const struct task *t = &plan->set->tasks[task];
	int128 sum = 0;
	c->core = taskset_core(plan->set, plan->platform, task);
	c->gpu = task_gpu(t, NULL);
	for (uint32_t g = 0; g < t->segment_count; g++) {
		const struct segment *segment = &t->segments[g];
		const struct kernel_shape *shape = &k->shape[*kernel];
		bool kernels = is_kernel(segment);
		bool high = is_high(plan, segment);
		struct fifo_operation op = kernels ? kernel_operation(plan, k, shape, c->gpu, high)
						   : plain_operation(plan, segment);
		*kernel += kernels;
		sum += op.worst;
		if (sum >= FIFO_LONGEST)
			return verdict_refuse(
				v, task, "task '%s': its segments together are too long", t->name);
		if ((kernels ? shape->worst_ns : op.worst) > 0)
			add_operation(c, &op);
	}
	return true;
}

/* ---- What follows from the operations ---- */

static void measure(struct fifo_chain *c)
{
	int64_t before = 0, all = 0;
	for (uint32_t u = 0; u < c->count; u++)
		all += c->operation[u].best;
	for (uint32_t u = 0; u < c->count; u++) {
		struct fifo_operation *op = &c->operation[u];
		op->before = before;
		op->behind = all - before - op->best;
		before += op->best;
		if (op->on == FIFO_FREE)
			continue;
		if (c->uses[op->on]++ == 0)
			c->from[op->on] = op->before;
		c->until[op->on] = op->behind;
	}
}

static void sort_by_work(struct fifo_chain *c, enum fifo_resource on)
{
	uint32_t n = 0;
	for (uint32_t u = 0; u < c->count; u++) {
		if (c->operation[u].on != on)
			continue;
		uint32_t at = n++;
		for (; at > 0 && c->operation[c->most[on][at - 1]].work < c->operation[u].work; at--)
			c->most[on][at] = c->most[on][at - 1];
		c->most[on][at] = u;
	}
}

/* The window of the core: lengths, the least gaps between them, and from the last end to the next job's first
 * request. */
static void make_window(struct fifo_chain *c)
{
	int64_t gap = 0, repeated = 0;
	uint32_t n = 0;
	for (uint32_t u = 0; u < c->count; u++) {
		const struct fifo_operation *op = &c->operation[u];
		if (op->on != FIFO_CPU) {
			gap += op->best;
			continue;
		}
		if (n > 0) {
			c->inner[n - 1] = gap;
			repeated += gap;
		}
		c->length[n++] = op->worst;
		repeated += op->worst;
		gap = 0;
	}
	c->wraps = c->from[FIFO_CPU] + c->until[FIFO_CPU];
	c->window = (struct window){
		.count = n,
		.length = c->length,
		.inner = c->inner,
		.tail = c->task->period_ns - repeated,
		.period = c->task->period_ns,
	};
}

static bool allocate(struct fifo_chain *c, uint32_t tasks, uint32_t segments, struct arena *arena)
{
	c->operation = arena_new(arena, struct fifo_operation, segments);
	c->length = arena_new(arena, int64_t, segments);
	c->inner = arena_new(arena, int64_t, segments);
	c->alone = arena_new(arena, int64_t, segments);
	c->by = arena_new(arena, int64_t, tasks);
	for (uint32_t on = 0; on < FIFO_RESOURCES; on++)
		c->most[on] = arena_new(arena, uint32_t, segments);
	for (uint32_t on = 0; on < FIFO_RESOURCES; on++)
		if (!c->most[on])
			return false;
	return c->operation && c->length && c->inner && c->alone && c->by;
}

static bool build_chains(const struct plan *plan, const struct kernels *k, struct fifo_chains *s,
	struct arena *arena, bool *refused, struct verdict *v, struct error *err)
{
	uint32_t kernel = 0;
	for (uint32_t i = 0; i < s->count; i++) {
		struct fifo_chain *c = &s->chain[i];
		c->task = &plan->set->tasks[i];
		if (!allocate(c, s->count, c->task->segment_count, arena))
			return error_memory(err, "bounds of chains");
		*refused = !build_operations(plan, k, &kernel, i, c, v);
		if (*refused)
			return true;
		measure(c);
		for (uint32_t on = 0; on < FIFO_RESOURCES; on++)
			sort_by_work(c, (enum fifo_resource)on);
		make_window(c);
	}
	return true;
}

static void set_rules(const struct plan *plan, const struct kernels *k, struct fifo_chains *s)
{
	for (uint32_t on = 0; on < FIFO_WAITED; on++) {
		order_fn *order = on == FIFO_GPU ? plan->kernel_order : plan->copy_order;
		s->by_stream[on] = on == FIFO_GPU || order == order_by_stream_priority;
		s->one_each[on] = order == order_by_arrival || order == order_by_stream_priority;
		for (uint32_t g = 0; g < platform_gpus(plan->platform); g++)
			s->rate[g][on] = on == FIFO_GPU ? k->load[g].rate : 1;
	}
}

bool fifo_chains_build(const struct plan *plan, struct arena *arena, struct fifo_chains *s, bool *refused,
	struct verdict *v, struct error *err)
{
	uint32_t tasks = plan->set->task_count;
	struct kernels k = {0};
	struct chains chains;
	*s = (struct fifo_chains){
		.count = tasks,
		.rank = plan->rank,
		.chain = arena_new(arena, struct fifo_chain, tasks),
		.above = arena_new(arena, const struct window *, tasks),
		.failed = arena_new(arena, uint32_t, tasks),
	};
	if (!s->chain || !s->above || !s->failed || !kernels_allocate(plan, arena, &k))
		return error_memory(err, "bounds of chains");
	if (!chains_build(plan->platform, plan->set, plan->rank, arena, &chains, err))
		return false;
	s->order = chains.order;
	*refused = true;
	if (!chains_apart(&chains, v) || !verdict_gpus_apart(v, plan->set, "it holds for") ||
		!shape_all(plan, &k, v))
		return true;
	set_rules(plan, &k, s);
	return build_chains(plan, &k, s, arena, refused, v, err);
}
