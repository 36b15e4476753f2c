/* models/warps/memory.c - see models/warps/memory.h. */
#include "models/warps/memory.h"

#include "base/random.h"
#include "models/warps/requests.h"
#include "models/warps/window.h"

/* First come, first served. Returns the cycle in which the last byte is through. */
static int64_t pass(struct server *s, int64_t bytes, int64_t cycle)
{
	int64_t start = cycle * s->bandwidth;
	if (s->free > start)
		start = s->free;
	s->free = start + bytes * 1000;
	return (s->free + s->bandwidth - 1) / s->bandwidth;
}

static enum warp_level draw(const struct warp_simulation *w, const struct warp *v, const struct decoded *step)
{
	const struct random_key key = {
		.seed = w->seed,
		.set = v->block->job,
		.task = v->block->number,
		.job = v->accesses,
		.segment = (uint16_t)(2048u * w->kernels[v->block->kernel].at + 256u * v->block->kernel +
				      v->index),
		.purpose = RANDOM_HIT,
	};
	uint64_t bits = random_bits(&key, 0);
	if ((bits & UINT32_MAX) * 1000000 >> 32 < step->l1_ppm)
		return LEVEL_L1;
	return (bits >> 32) * 1000000 >> 32 < step->l2_ppm ? LEVEL_L2 : LEVEL_DRAM;
}

/* Bytes in whole sectors: the sectors that the threads' words fill, or one sector for each thread with an
 * address of its own. */
static int64_t sector_bytes(const struct decoded *step, uint32_t threads)
{
	int64_t dense = ((int64_t)threads * step->bytes + 31) / 32;
	int64_t apart = ((int64_t)threads * (1000000 - step->coalescing_ppm) + 999999) / 1000000;
	int64_t sectors = dense > apart ? dense : apart;
	return 32 * (sectors > 0 ? sectors : 1);
}

/* Lines of L1 that an access fills. */
static uint64_t lines(const struct decoded *step, uint32_t threads)
{
	int64_t dense = ((int64_t)threads * step->bytes + WARP_LINE_BYTES - 1) / WARP_LINE_BYTES;
	int64_t apart = ((int64_t)threads * (1000000 - step->coalescing_ppm) + 999999) / 1000000;
	int64_t most = dense > apart ? dense : apart;
	return (uint64_t)(most > 0 ? most : 1);
}

/* Is a line still there that was the last one then, in a cache that has been filled so far since? */
static bool kept(uint64_t filled, uint64_t then, int64_t cache_bytes)
{
	return filled - then <= (uint64_t)(cache_bytes / WARP_LINE_BYTES);
}

/* Where what a load reuses is still found; else the level that was drawn. */
static enum warp_level find(const struct warp_simulation *w, const struct warp *v, const struct decoded *step,
	enum warp_level drawn)
{
	const struct loads *own = &v->block->loads[v->index];
	if (own->count < step->reuse)
		return drawn;
	uint32_t then = (own->count - step->reuse) % WARP_REUSE_MAX;
	if (kept(w->sms[v->block->sm].filled, own->filled[then], w->machine->l1_bytes))
		return LEVEL_L1;
	if (w->machine->l2_bytes && kept(w->l2_filled, own->l2_filled[then], w->machine->l2_bytes))
		return LEVEL_L2;
	return drawn;
}

/* Caches in a simulation in which something is reused: an access fills lines, and a load remembers. */
static void fill(struct warp_simulation *w, const struct warp *v, const struct decoded *step,
	uint32_t threads, enum warp_level level)
{
	struct engine_sm *sm = &w->sms[v->block->sm];
	struct loads *own = v->block->loads ? &v->block->loads[v->index] : NULL;
	if (level == LEVEL_DRAM)
		w->l2_filled += lines(step, threads);
	if (step->kind != STEP_LOAD)
		return;
	if (level != LEVEL_L1)
		sm->filled += lines(step, threads);
	if (!own)
		return;
	own->filled[own->count % WARP_REUSE_MAX] = sm->filled;
	own->l2_filled[own->count++ % WARP_REUSE_MAX] = w->l2_filled;
}

static void take_bytes(const struct warp_simulation *w, struct engine_kernel *k, int64_t bytes)
{
	k->result.dram_bytes += bytes;
	k->result.energy_fj += bytes * w->machine->dram_byte_fj;
}

int64_t memory_serve(struct warp_simulation *w, int64_t bytes, int64_t cycle)
{
	return pass(&w->server, bytes, cycle) + w->machine->dram_latency;
}

enum warp_level memory_access(struct warp_simulation *w, struct engine_kernel *k, struct warp *v,
	const struct decoded *step, uint32_t threads, int64_t cycle, int64_t *there)
{
	const struct warp_machine *m = w->machine;
	enum warp_level level = step->drawn ? draw(w, v, step) : (enum warp_level)step->level;
	if (step->reuse)
		level = find(w, v, step, level);
	if (w->reuse)
		fill(w, v, step, threads, level);
	v->accesses++;
	k->result.accesses++;
	if (level == LEVEL_L1) {
		k->result.l1_hits++;
		*there = cycle + m->l1_latency;
	} else if (level == LEVEL_L2) {
		k->result.l2_hits++;
		*there = cycle + m->l2_latency;
	} else {
		int64_t bytes = sector_bytes(step, threads);
		take_bytes(w, k, bytes);
		*there = NEVER;
		if (w->ahead.on)
			window_request(w, v, bytes, step->kind == STEP_LOAD);
		else
			*there = memory_serve(w, bytes, cycle);
	}
	if (m->requests && step->kind == STEP_LOAD && level != LEVEL_L1)
		requests_add(w, &w->sms[v->block->sm], level, *there, (uint32_t)lines(step, threads));
	return level;
}

int64_t memory_context(struct warp_simulation *w, struct engine_kernel *k, int64_t cycle)
{
	if (w->options.free_swaps || k->part.footprint.context_bytes == 0)
		return cycle;
	take_bytes(w, k, k->part.footprint.context_bytes);
	return pass(&w->server, k->part.footprint.context_bytes, cycle);
}
