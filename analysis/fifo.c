/* analysis/fifo.c - see analysis/fifo.h; analysis/bounds_fifo.c derives the bounds from these numbers.
 *
 * mu. While a kernel is in the primary queue, the next block of the queue's head, of b threads, fits no pool:
 * each has fewer than b threads free. The number of free threads is a multiple of q, as is b, so at most b -
 * q <= b_max - q are free: pools * (threads - b_max + q) work. If a block does not fit, it must be for want
 * of threads, and of nothing else. This is checked for every other limit: if a kernel's demand per thread,
 * times all threads of the SM, is within the limit, then that limit is never reached first. */
#include "analysis/fifo.h"

#include "analysis/chain.h"
#include "analysis/ratio.h"
#include "base/checked.h"
#include "models/blocks.h"

/* ---- Kernels ---- */

/* A limit of an SM that can be reached before its threads are used up; NULL: none. */
static const char *binds_first(const struct platform *p, const struct block_demand *d)
{
	const struct {
		const char *name;
		int64_t limit, need;
	} limits[] = {
		{"blocks", p->blocks_per_sm, 1},
		{"warps", p->warps_per_sm, d->warps},
		{"registers", p->registers_per_sm, d->registers},
		{"shared memory", p->shared_memory_per_sm, d->shared_memory},
	};
	if (p->pool == POOL_GPU)
		return NULL;
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
		if (limits[i].limit &&
			(int128)limits[i].need * p->threads_per_sm > (int128)limits[i].limit * d->threads)
			return limits[i].name;
	return NULL;
}

static bool build_kernel(const struct plan *plan, uint32_t task, struct fifo_kernel *k, struct verdict *v)
{
	const struct task *t = &plan->set->tasks[task];
	const struct segment *s = &t->segments[0];
	struct kernel_shape shape;
	struct error reason;
	if (t->segment_count != 1 || s->kind != SEGMENT_KERNEL || s->form != KERNEL_GRID)
		return verdict_refuse(v, task,
			"task '%s': it holds for tasks of one kernel with a grid, and nothing else", t->name);
	if (!plan->streams_alike && s->stream_high != plan->set->tasks[0].segments[0].stream_high)
		return verdict_refuse(
			v, task, "task '%s': it holds for kernels of one stream priority", t->name);
	if (!kernel_shape(plan->platform, plan->set, s, plan->virtual_sms, NULL, &shape, &reason))
		return verdict_refuse(v, task, "task '%s': the kernel %s", t->name, reason.text);
	const char *limit = binds_first(plan->platform, &shape.demand);
	if (limit)
		return verdict_refuse(v, task,
			"task '%s': with its blocks an SM can run out of %s before it runs out of threads",
			t->name, limit);
	*k = (struct fifo_kernel){
		.period = t->period_ns,
		.deadline = t->deadline_ns,
		.block_ns = shape.worst_ns,
		.last_ns = blocks_shortest(&shape),
		.threads = shape.demand.threads,
	};
	/* Blocks times threads fit 64 bits. */
	int128 area = (int128)shape.blocks * shape.demand.threads;
	if (area > 0 && k->block_ns >= FIFO_MOST_WORK / area)
		return verdict_refuse(v, task, "task '%s': its kernel's work is too large", t->name);
	k->work = blocks_most_work(&shape) * shape.demand.threads;
	return true;
}

static bool build(const struct plan *plan, struct fifo_gpu *gpu, struct verdict *v)
{
	const struct platform *p = plan->platform;
	if (p->threads_per_sm == 0)
		return verdict_refuse(v, NO_FAILING_TASK, "it holds for SMs with a limit of threads");
	gpu->pools = p->pool == POOL_GPU ? 1 : p->sms;
	gpu->threads = p->pool == POOL_GPU ? (uint64_t)p->sms * p->threads_per_sm : p->threads_per_sm;
	gpu->step = gpu->threads;
	for (uint32_t i = 0; i < gpu->count; i++) {
		struct fifo_kernel *k = &gpu->kernel[i];
		if (!build_kernel(plan, i, k, v))
			return false;
		gpu->largest = k->threads > gpu->largest ? k->threads : gpu->largest;
		gpu->step = (uint64_t)greatest_common_divisor((int64_t)gpu->step, (int64_t)k->threads);
		gpu->work += k->work;
	}
	gpu->working = (int128)gpu->pools * (int128)(gpu->threads - gpu->largest + gpu->step);
	/* The bound that counts to the end of a block of time l grows with l if b <= mu, and else falls. */
	for (uint32_t i = 0; i < gpu->count; i++)
		if (gpu->kernel[i].threads <= gpu->working)
			gpu->kernel[i].last_ns = gpu->kernel[i].block_ns;
	return true;
}

bool fifo_build(const struct plan *plan, struct arena *arena, struct fifo_gpu *gpu, bool *refused,
	struct verdict *v, struct error *err)
{
	struct chains chains;
	*gpu = (struct fifo_gpu){.count = plan->set->task_count};
	gpu->kernel = arena_new(arena, struct fifo_kernel, gpu->count);
	if (!gpu->kernel)
		return error_memory(err, "bounds of concurrent kernels");
	if (!chains_build(plan->platform, plan->set, plan->rank, arena, &chains, err))
		return false;
	*refused = !chains_apart(&chains, v) || !build(plan, gpu, v);
	return true;
}

/* ---- Sums ---- */

/* With more sizes than this K is taken as all threads of the pool with the longest blocks, which is never
 * less. */
#define SIZES_MOST (UINT64_C(1) << 20)

bool fifo_carried(const struct fifo_gpu *gpu, struct arena *arena, int128 *carried, struct error *err)
{
	uint64_t sizes = gpu->threads / gpu->step;
	int64_t longest = 0;
	for (uint32_t i = 0; i < gpu->count; i++)
		longest = gpu->kernel[i].block_ns > longest ? gpu->kernel[i].block_ns : longest;
	*carried = (int128)gpu->pools * (int128)gpu->threads * longest;
	if (sizes > SIZES_MOST)
		return true;
	/* Unbounded knapsack: most[c] is the most work of blocks that fit c * q threads. */
	int128 *most = arena_new(arena, int128, sizes + 1);
	if (!most)
		return error_memory(err, "bounds of concurrent kernels");
	for (uint64_t c = 1; c <= sizes; c++) {
		most[c] = most[c - 1];
		for (uint32_t i = 0; i < gpu->count; i++) {
			const struct fifo_kernel *k = &gpu->kernel[i];
			uint64_t size = k->threads / gpu->step;
			int128 with = size <= c ? most[c - size] + (int128)k->threads * k->block_ns : 0;
			most[c] = with > most[c] ? with : most[c];
		}
	}
	*carried = gpu->pools * most[sizes];
	return true;
}

static int128 rounded_up(int128 work, int128 threads)
{
	return (work + threads - 1) / threads;
}

static int128 last_block(const struct fifo_kernel *k)
{
	return (int128)k->threads * k->last_ns;
}

int64_t fifo_bound(const struct fifo_gpu *gpu, uint32_t task, int128 carried)
{
	const struct fifo_kernel *k = &gpu->kernel[task];
	int128 bound = rounded_up(carried + gpu->work - last_block(k), gpu->working) + k->last_ns;
	return bound < NO_BOUND ? (int64_t)bound : NO_BOUND;
}

/* Each share is rounded up as part of a sum with those before it, so that the shares add up exactly. */
void fifo_share(const struct fifo_gpu *gpu, uint32_t task, int128 carried, struct fifo_shares *shares)
{
	int128 work = gpu->kernel[task].work - last_block(&gpu->kernel[task]);
	int128 before = rounded_up(work, gpu->working);
	shares->own = (int64_t)before;
	work += carried;
	shares->carried = (int64_t)(rounded_up(work, gpu->working) - before);
	before += shares->carried;
	for (uint32_t i = 0; i < gpu->count; i++) {
		work += i == task ? 0 : gpu->kernel[i].work;
		shares->other[i] = (int64_t)(rounded_up(work, gpu->working) - before);
		before += shares->other[i];
	}
}

bool fifo_utilisation_fits(
	const struct fifo_gpu *gpu, int128 threads, struct arena *arena, bool *fits, struct error *err)
{
	struct ratio *terms = arena_new(arena, struct ratio, gpu->count);
	if (!terms)
		return error_memory(err, "the utilisation of concurrent kernels");
	*fits = false;
	for (uint32_t i = 0; i < gpu->count; i++) {
		const struct fifo_kernel *k = &gpu->kernel[i];
		/* If one kernel alone is too much, the condition fails; else the sum below stays far from its
		 * limit. */
		if (k->work > threads * k->period)
			return true;
		terms[i] = (struct ratio){k->work, k->period};
	}
	*fits = ratio_sum_compare(terms, gpu->count, (int64_t)threads) <= 0;
	return true;
}
