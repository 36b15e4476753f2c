/* runs/alone.c - see runs/alone.h. A measurement is identified by the digest of everything that it depends
 * on. */
#include "runs/alone.h"

#include <stdlib.h>

#include "db/digest.h"
#include "models/warps/simulation.h"

#define FIRST_CAPACITY 64u

struct alone_measurement {
	uint64_t key; /* 0: the entry is free */
	int64_t ipc;
};

struct warp_alone_cache {
	struct alone_measurement *entries; /* linear probing */
	size_t capacity, used;
	uint64_t hits;
};

struct warp_alone_cache *warp_alone_cache_create(void)
{
	return calloc(1, sizeof(struct warp_alone_cache));
}

void warp_alone_cache_destroy(struct warp_alone_cache *cache)
{
	if (!cache)
		return;
	free(cache->entries);
	free(cache);
}

uint64_t warp_alone_cache_hits(const struct warp_alone_cache *cache)
{
	return cache->hits;
}

/* ---- what a measurement depends on ---- */

static void add_all(struct digest *d, const int64_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		digest_integer(d, values[i]);
}

#define ADD(d, ...)                                                                                          \
	add_all(d, (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static void add_platform(struct digest *d, const struct platform *p)
{
	ADD(d, p->pool, p->sms, p->sms_per_tpc, p->threads_per_sm, p->blocks_per_sm, p->warps_per_sm,
		p->registers_per_sm, p->shared_memory_per_sm);
}

static void add_machine(struct digest *d, const struct warp_machine *m)
{
	ADD(d, m->clock_hz, m->sub_cores, m->shared_latency, m->l1_latency, m->l2_latency, m->dram_latency,
		m->bandwidth, m->l1_bytes, m->l2_bytes, m->requests);
	add_all(d, m->latency, WARP_UNITS);
	add_all(d, m->interval, WARP_UNITS);
}

static void add_part(struct digest *d, const struct warp_kernel *k)
{
	ADD(d, k->blocks, k->block_threads, k->registers, k->shared_memory, k->step_count);
	for (uint32_t i = 0; i < k->step_count; i++) {
		const struct warp_step *s = &k->steps[i];
		ADD(d, s->kind, s->unit, s->count, s->body, s->threads, s->distance, s->first, s->latency,
			s->l1_hit_ppm, s->l2_hit_ppm, s->coalescing_ppm, s->bytes, s->rounds, s->reuse);
	}
}

/* The number of the kernel is part of the keys of its draws, so it counts. */
static void add_kernel(struct digest *d, const struct warp_kernel *k, uint32_t number)
{
	ADD(d, number, k->stream_high, k->launch, k->period, k->repeat, warp_parts(k));
	for (uint32_t i = 0; i < warp_parts(k); i++)
		add_part(d, warp_part(k, i));
}

/* Options of the manager are left out: there is no manager. */
static void add_options(struct digest *d, const struct warp_options *o)
{
	ADD(d, o->scheduler, o->rotate_cycle, o->active, o->inner_gto, o->blocks);
	add_all(d, o->budget, WARP_KERNELS_MAX);
}

static uint64_t key_of(const struct platform *platform, const struct taskset *set,
	const struct run_setup *setup, const struct warp_options *options, uint32_t kernel)
{
	struct digest d;
	digest_init(&d);
	add_platform(&d, platform);
	add_machine(&d, &set->warps->machine);
	add_kernel(&d, &set->warps->kernels[kernel], kernel);
	add_options(&d, options);
	ADD(&d, setup->horizon_ns, setup->stop, setup->limit_ns, (int64_t)setup->seed);
	return d.state ? d.state : 1;
}

/* ---- the table ---- */

static struct alone_measurement *find(const struct warp_alone_cache *c, uint64_t key)
{
	size_t i = key & (c->capacity - 1);
	while (c->entries[i].key && c->entries[i].key != key)
		i = (i + 1) & (c->capacity - 1);
	return &c->entries[i];
}

/* Makes room for one more entry and keeps half of the table free. */
static bool reserve(struct warp_alone_cache *c, struct error *err)
{
	if (2 * (c->used + 1) <= c->capacity)
		return true;
	struct warp_alone_cache grown = *c;
	grown.capacity = c->capacity ? 2 * c->capacity : FIRST_CAPACITY;
	grown.entries = calloc(grown.capacity, sizeof(*grown.entries));
	if (!grown.entries)
		return error_memory(err, "remembering the IPC of kernels alone");
	for (size_t i = 0; i < c->capacity; i++)
		if (c->entries[i].key)
			*find(&grown, c->entries[i].key) = c->entries[i];
	free(c->entries);
	*c = grown;
	return true;
}

static bool keep(struct warp_alone_cache *cache, uint64_t key, int64_t ipc, struct error *err)
{
	if (!reserve(cache, err))
		return false;
	*find(cache, key) = (struct alone_measurement){key, ipc};
	cache->used++;
	return true;
}

static bool is_known(struct warp_alone_cache *cache, uint64_t key, int64_t *ipc)
{
	const struct alone_measurement *m = cache->capacity ? find(cache, key) : NULL;
	if (!m || !m->key)
		return false;
	cache->hits++;
	*ipc = m->ipc;
	return true;
}

bool warp_alone(struct warp_alone_cache *cache, const struct platform *platform, const struct taskset *set,
	const struct run_setup *setup, const struct warp_options *options, uint32_t kernel,
	struct warp_simulation **measuring, uint64_t max_events, int64_t *ipc, uint64_t *events,
	struct error *err)
{
	uint64_t key = cache ? key_of(platform, set, setup, options, kernel) : 0;
	*ipc = -1;
	*events = 0;
	if (!*measuring && cache && is_known(cache, key, ipc))
		return true;
	if (!*measuring &&
		!warp_simulation_create_alone(platform, set, setup, options, kernel, measuring, err))
		return false;
	enum simulation_state state = warp_simulation_step(*measuring, max_events);
	*events = warp_simulation_events(*measuring);
	if (state == SIMULATION_RUNNING)
		return true;
	*ipc = warp_simulation_kernel(*measuring, kernel)->ipc;
	warp_simulation_destroy(*measuring);
	*measuring = NULL;
	return !cache || keep(cache, key, *ipc, err);
}
