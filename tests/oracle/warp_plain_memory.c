/* tests/oracle/warp_plain_memory.c - the memory server, the level that serves an access, and the transfer of
 * contexts (docs/warps.md, Memory, Swaps). The server's time F is kept as the integer F * bandwidth. */
#include "base/random.h"
#include "tests/oracle/warp_plain_internal.h"

#define SECTOR 32
#define LINE 128

/* F := max(F, c) + bytes / bandwidth. Returns the cycle in which the last byte is through. */
static int64_t serve(struct plain *p, int64_t bytes)
{
	int128 bandwidth = p->machine->bandwidth, now = p->c * bandwidth;
	if (p->server < now)
		p->server = now;
	p->server += (int128)1000 * bytes;
	return (int64_t)((p->server + bandwidth - 1) / bandwidth);
}

static void moved(struct plain *p, uint32_t kernel, int64_t bytes)
{
	struct warp_kernel_result *r = &p->out->kernel[kernel];
	r->dram_bytes += bytes;
	r->energy_fj += bytes * p->machine->dram_byte_fj;
}

int64_t plain_context_through(struct plain *p, uint32_t kernel)
{
	const struct plain_part *part = plain_part_now(p, kernel);
	const struct warp_kernel *k = part->described;
	int64_t bytes = 4 * k->registers * WARP_THREADS * part->warps + k->shared_memory;
	if (p->options->free_swaps || bytes == 0)
		return p->c;
	moved(p, kernel, bytes);
	p->out->counts.transfers++;
	return serve(p, bytes);
}

static enum warp_level draw(const struct plain *p, const struct plain_view *v, const struct warp_step *s)
{
	const struct plain_job *job = v->block->job;
	const uint32_t warp = (uint32_t)(v->warp - v->block->warps);
	const struct random_key key = {
		.seed = p->in->setup->seed,
		.set = job->number,
		.task = v->block->number,
		.job = v->warp->accesses,
		.segment = (uint16_t)(2048 * job->part + 256 * v->kernel + warp),
		.purpose = RANDOM_HIT,
	};
	const uint64_t bits = random_bits(&key, 0);
	const uint64_t low = bits & UINT32_MAX, high = bits >> 32;
	if ((int64_t)(low * MILLION >> 32) < s->l1_hit_ppm)
		return LEVEL_L1;
	return (int64_t)(high * MILLION >> 32) < s->l2_hit_ppm ? LEVEL_L2 : LEVEL_DRAM;
}

/* Bytes of an access to DRAM: whole sectors. */
static int64_t sectors(const struct warp_step *s, int64_t threads)
{
	int64_t by_size = (threads * s->bytes + SECTOR - 1) / SECTOR;
	int64_t by_spread = (threads * (MILLION - s->coalescing_ppm) + MILLION - 1) / MILLION;
	int64_t most = by_size > by_spread ? by_size : by_spread;
	return SECTOR * (most > 1 ? most : 1);
}

/* Is a line in a cache of this size that had been filled with so many lines then, and now with so many? */
static bool still_there(int64_t filled, int64_t remembered, int64_t bytes)
{
	return (filled - remembered) * LINE <= bytes;
}

/* Where what this load reuses is found. False: nowhere. */
static bool look(const struct plain *p, const struct plain_view *v, uint32_t reuse, enum warp_level *level)
{
	size_t loads = v->warp->remembered.count;
	if (reuse == 0 || loads < reuse)
		return false;
	const struct plain_memory *then = &v->warp->remembered.row[loads - reuse];
	struct plain_counts *n = &p->out->counts;
	if (still_there(p->sm[v->block->sm].filled, then->l1, p->machine->l1_bytes)) {
		n->reused++;
		*level = LEVEL_L1;
		return true;
	}
	n->pushed_out++;
	if (p->machine->l2_bytes == 0)
		return false;
	if (!still_there(p->l2_filled, then->l2, p->machine->l2_bytes)) {
		n->pushed_out_of_l2++;
		return false;
	}
	n->reused_in_l2++;
	*level = LEVEL_L2;
	return true;
}

static int64_t lines_of(const struct warp_step *s, int64_t threads)
{
	int64_t by_size = (threads * s->bytes + LINE - 1) / LINE;
	int64_t by_spread = (threads * (MILLION - s->coalescing_ppm) + MILLION - 1) / MILLION;
	int64_t most = by_size > by_spread ? by_size : by_spread;
	return most > 1 ? most : 1;
}

/* What goes to DRAM fills lines of L2; a load fills lines of L1, unless it hits, and remembers. */
static void fill(struct plain *p, const struct plain_view *v, const struct warp_step *s, int64_t threads,
	enum warp_level level)
{
	struct plain_sm *sm = &p->sm[v->block->sm];
	p->l2_filled += level == LEVEL_DRAM ? lines_of(s, threads) : 0;
	if (s->kind != STEP_LOAD)
		return;
	sm->filled += level == LEVEL_L1 ? 0 : lines_of(s, threads);
	PLAIN_ADD(v->warp->remembered, ((struct plain_memory){.l1 = sm->filled, .l2 = p->l2_filled}));
}

/* Are fewer lines than the limit on their way to loads of the SM? */
bool plain_takes_loads(const struct plain *p, uint32_t sm)
{
	int64_t lines = 0;
	for (size_t i = 0; i < p->sm[sm].requests.count; i++) {
		const struct plain_request *r = &p->sm[sm].requests.row[i];
		lines += r->until > p->c ? r->lines : 0;
	}
	return p->machine->requests == 0 || lines < p->machine->requests;
}

static void wait_for(struct plain_sm *sm, int64_t now, int64_t until, int64_t lines)
{
	size_t kept = 0;
	for (size_t i = 0; i < sm->requests.count; i++) {
		if (sm->requests.row[i].until > now)
			sm->requests.row[kept++] = sm->requests.row[i];
	}
	sm->requests.count = kept;
	PLAIN_ADD(sm->requests, (struct plain_request){until, lines});
}

static int64_t global(struct plain *p, const struct plain_view *v, const struct warp_step *s,
	uint32_t threads, enum warp_level *level)
{
	const struct warp_machine *m = p->machine;
	struct warp_kernel_result *r = &p->out->kernel[v->kernel];
	if (!look(p, v, s->reuse, level))
		*level = draw(p, v, s);
	fill(p, v, s, threads, *level);
	v->warp->accesses++;
	r->accesses++;
	r->l1_hits += *level == LEVEL_L1;
	r->l2_hits += *level == LEVEL_L2;
	if (*level == LEVEL_L1)
		return p->c + m->l1_latency;
	if (*level == LEVEL_L2)
		return p->c + m->l2_latency;
	int64_t bytes = sectors(s, threads);
	p->out->counts.queued += p->server > p->c * (int128)m->bandwidth;
	moved(p, v->kernel, bytes);
	return serve(p, bytes) + m->dram_latency;
}

int64_t plain_access(struct plain *p, const struct plain_view *v, const struct warp_step *s, uint32_t threads,
	enum warp_level *level)
{
	if (s->kind == STEP_LOAD || s->kind == STEP_STORE) {
		int64_t result = global(p, v, s, threads, level);
		if (s->kind == STEP_LOAD && *level != LEVEL_L1)
			wait_for(&p->sm[v->block->sm], p->c, result, lines_of(s, threads));
		return result;
	}
	*level = LEVEL_SHARED;
	return p->c + p->machine->shared_latency;
}
