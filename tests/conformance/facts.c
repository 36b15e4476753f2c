/* tests/conformance/facts.c - segments on a platform under a plan, worked out from docs/model.md ("Time
 * of a kernel", "Blocks and limits", "Power and energy") without models/. Draws are the oracle's. */
#include <assert.h>

#include "tests/conformance/seen.h"
#include "tests/oracle/oracle_internal.h"

#define WARP 32

static int64_t up(int64_t a, int64_t b)
{
	return (a + b - 1) / b;
}

/* SMs that a kernel has for itself. */
struct own_sms {
	uint32_t sms;
	uint32_t slots; /* virtual SMs; 0: whole SMs */
};

static struct demand grid_need(const struct seen *s, const struct segment *k, const struct own_sms *own)
{
	int64_t warps = up(k->block, WARP);
	return (struct demand){
		.threads = s->platform->pool == POOL_GPU ? k->block : warps * WARP,
		.warps = warps,
		.blocks = 1,
		.registers = k->registers * warps * WARP,
		.shared_memory = k->shared_memory,
		.virtual_sms = own && own->slots,
	};
}

static struct demand persistent_need(const struct seen *s, bool whole_sm)
{
	int64_t threads = s->platform->threads_per_sm, slots = s->plan->virtual_sms;
	if (threads > 0 && !whole_sm) {
		threads /= slots;
		if (s->platform->pool == POOL_SM) {
			threads -= threads % WARP;
			threads = threads ? threads : WARP;
		}
	}
	return (struct demand){
		.threads = threads,
		.warps = up(threads, WARP),
		.blocks = 1,
		.virtual_sms = whole_sm ? slots : 1,
	};
}

/* RTGPU Lemma 5.1 on `slots` virtual SMs. */
static void work_ends(const struct seen *s, const struct segment *k, int64_t slots, struct fact *f)
{
	int64_t p = 1, q = 1; /* alpha = p / q */
	for (uint32_t i = 0; s->plan->virtual_sms > 1 && i < k->interleaves; i++)
		if (k->interleave[i].virtual_sms == s->plan->virtual_sms) {
			p = k->interleave[i].numerator;
			q = k->interleave[i].denominator;
		}
	int64_t overhead = k->overhead_ns + s->platform->pin_overhead_ns;
	int128 top = (int128)k->worst_ns * p + (int128)overhead * q * (slots - 1), bottom = (int128)q * slots;
	f->low_ns = up(k->best_ns, slots);
	f->high_ns = (int64_t)((top + bottom - 1) / bottom);
	if (f->high_ns < f->low_ns)
		f->high_ns = f->low_ns;
}

static int64_t whole_power(const struct seen *s, const struct segment *k, uint32_t m)
{
	const struct profile *profile = k->form == KERNEL_PROFILE ? &s->set->profiles[k->profile] : NULL;
	if (!profile || !profile->total_power_uw)
		return k->power_uw * m;
	return profile->total_power_uw[m - 1] - s->platform->static_uw -
	       s->platform->idle_per_sm_uw * (s->platform->sms - m);
}

/* own NULL: through the primary queue, on all SMs. */
static void kernel_fact(
	const struct seen *s, const struct segment *k, const struct own_sms *own, struct fact *f)
{
	uint32_t per_sm = s->plan->virtual_sms;
	bool parts = own && own->slots;
	f->sms = own ? own->sms : s->platform->sms;
	uint32_t slots = parts ? own->slots : f->sms * per_sm;
	f->whole_uw = whole_power(s, k, f->sms);
	switch (k->form) {
	case KERNEL_GRID:
		f->blocks = k->grid;
		f->need = grid_need(s, k, own);
		break;
	case KERNEL_WORK:
		f->blocks = slots;
		f->need = persistent_need(s, false);
		work_ends(s, k, slots, f);
		break;
	case KERNEL_WARPS:
		assert(false); /* subjects are sets of blocks */
		return;
	case KERNEL_PROFILE:
		f->blocks = parts ? slots : f->sms;
		f->need = persistent_need(s, !parts);
		f->low_ns = s->set->profiles[k->profile].best_ns[up(slots, per_sm) - 1];
		f->high_ns = s->set->profiles[k->profile].worst_ns[up(slots, per_sm) - 1];
		break;
	}
}

void facts_on(const struct seen *s, const struct op_seen *op, uint32_t sms, uint32_t slots, struct fact *f)
{
	const struct own_sms own = {.sms = sms, .slots = slots};
	*f = *op->fact;
	kernel_fact(s, &s->set->tasks[op->task].segments[op->segment], &own, f);
}

/* How many such blocks there is room for. */
static int64_t blocks_in(const struct demand *room, const struct demand *need)
{
	const int64_t rooms[] = {room->threads, room->warps, room->blocks, room->registers,
		room->shared_memory, room->virtual_sms};
	const int64_t needs[] = {need->threads, need->warps, need->blocks, need->registers,
		need->shared_memory, need->virtual_sms};
	int64_t most = INT64_MAX / 4;
	for (size_t i = 0; i < sizeof(rooms) / sizeof(*rooms); i++)
		if (needs[i] > 0 && rooms[i] / needs[i] < most)
			most = rooms[i] / needs[i];
	return most;
}

/* Blocks at their worst, each where it can start first. */
static int64_t one_after_the_other(const struct segment *g, const struct fact *f, int64_t resident)
{
	int64_t free_at[64] = {0}, latest = 0;
	assert(resident <= 64);
	for (uint32_t b = 0; b < f->blocks; b++) {
		const struct block_time *t = &g->times->block[b % g->times->count];
		int64_t *first = free_at;
		for (int64_t i = 1; i < resident; i++)
			first = free_at[i] < *first ? &free_at[i] : first;
		*first += g->times->own_draws ? t->worst_ns : up(t->share_ppm * f->high_ns, 1000000);
		latest = *first > latest ? *first : latest;
	}
	return latest;
}

/* Worst-case time of a segment, a kernel's alone on all SMs. */
static int64_t alone(const struct seen *s, const struct segment *g)
{
	struct fact f = {.low_ns = g->best_ns, .high_ns = g->worst_ns};
	struct demand room = facts_room(s);
	if (g->kind != SEGMENT_KERNEL)
		return g->worst_ns;
	kernel_fact(s, g, NULL, &f);
	int64_t resident = blocks_in(&room, &f.need);
	if (s->platform->pool == POOL_SM)
		resident *= s->platform->sms;
	if (g->times && resident < f.blocks)
		return one_after_the_other(g, &f, resident);
	return up(f.blocks, resident) * f.high_ns;
}

/* Is there a kernel of its GPU section from this segment on? */
static bool kernel_from(const struct task *t, uint32_t index)
{
	for (; index < t->segment_count && t->segments[index].kind != SEGMENT_CPU; index++)
		if (t->segments[index].kind == SEGMENT_KERNEL)
			return true;
	return false;
}

static bool gated(const struct seen *s, const struct task *t, uint32_t index)
{
	switch (s->plan->unit) {
	case GATE_OPEN:
		return false;
	case GATE_KERNEL:
		return t->segments[index].kind == SEGMENT_KERNEL;
	case GATE_SECTION:
		return true;
	case GATE_SECTION_KERNELS:
		return kernel_from(t, index);
	}
	return false;
}

/* What follows each GPU section in its job. */
static void behind_facts(const struct seen *s, uint32_t task)
{
	const struct task *t = &s->set->tasks[task];
	for (uint32_t i = 0; i < t->segment_count; i++) {
		uint32_t j = i;
		while (j < t->segment_count && t->segments[j].kind != SEGMENT_CPU)
			j++;
		for (; t->segments[i].kind != SEGMENT_CPU && j < t->segment_count; j++)
			s->facts[task][i].behind_ns += alone(s, &t->segments[j]);
	}
}

static void segment_fact(const struct seen *s, uint32_t task, uint32_t index, struct fact *f)
{
	const struct segment *g = &s->set->tasks[task].segments[index];
	const struct grant *fixed =
		s->plan->grants && s->plan->grants[task].count ? &s->plan->grants[task] : NULL;
	const struct own_sms own = {
		.sms = fixed ? fixed->count : 0, .slots = fixed && fixed->slots ? fixed->virtual_sms : 0};
	f->queue = g->stream == STREAM_NULL ? s->platform->work_queues
					    : (g->stream == STREAM_OWN ? task : (uint32_t)g->stream) %
						      s->platform->work_queues;
	f->engine = s->platform->engines == 2 && g->direction == COPY_TO_CPU;
	f->gated = gated(s, &s->set->tasks[task], index);
	if (g->kind == SEGMENT_KERNEL)
		kernel_fact(s, g, fixed ? &own : NULL, f);
}

void facts_make(struct seen *s)
{
	s->facts = seen_alloc(s, s->set->task_count, sizeof(*s->facts));
	for (uint32_t i = 0; i < s->set->task_count; i++) {
		const struct task *t = &s->set->tasks[i];
		uint32_t section = 0;
		s->facts[i] = seen_alloc(s, t->segment_count, sizeof(**s->facts));
		for (uint32_t j = 0; j < t->segment_count; j++) {
			const struct segment *g = &t->segments[j];
			struct fact *f = &s->facts[i][j];
			section += g->kind == SEGMENT_CPU;
			*f = (struct fact){
				.kind = g->kind,
				.section = section,
				.low_ns = g->best_ns,
				.high_ns = g->worst_ns,
				.stream_high = g->stream_high,
			};
			if (g->kind != SEGMENT_CPU)
				segment_fact(s, i, j, f);
		}
		behind_facts(s, i);
	}
}

/* The oracle draws a length from the ends of a plain segment: one is made of what is known here. */
int64_t facts_length(const struct seen *s, const struct op_seen *op, const struct fact *f)
{
	uint32_t task = op->task, segment = op->segment;
	struct segment plain[UINT8_MAX] = {0};
	struct task tasks[UINT8_MAX] = {0};
	assert(task < UINT8_MAX && segment < UINT8_MAX);
	plain[segment] = (struct segment){.kind = SEGMENT_CPU, .best_ns = f->low_ns, .worst_ns = f->high_ns};
	tasks[task] = s->set->tasks[task];
	tasks[task].segments = plain;
	struct taskset set = {.tasks = tasks, .task_count = s->set->task_count};
	struct oracle o = {.set = &set, .platform = s->platform, .setup = s->setup};
	return oracle_length_on(&o, task, op->job->number, segment, NULL);
}

int64_t facts_block_length(const struct seen *s, const struct op_seen *op, uint32_t block)
{
	const struct oracle o = {.set = s->set, .platform = s->platform, .setup = s->setup};
	return oracle_block_length(&o, op->task, op->job->number, op->segment, block, op->length);
}

bool facts_fit(const struct demand *need, const struct demand *room)
{
	return need->threads <= room->threads && need->warps <= room->warps && need->blocks <= room->blocks &&
	       need->registers <= room->registers && need->shared_memory <= room->shared_memory &&
	       need->virtual_sms <= room->virtual_sms;
}

static int64_t limit(int64_t given)
{
	return given ? given : INT64_MAX / 4;
}

struct demand facts_room(const struct seen *s)
{
	const struct platform *p = s->platform;
	if (p->pool == POOL_GPU)
		return (struct demand){
			.threads = (int64_t)p->sms * p->threads_per_sm,
			.warps = limit(0),
			.blocks = limit(0),
			.registers = limit(0),
			.shared_memory = limit(0),
			.virtual_sms = limit(0),
		};
	return (struct demand){
		.threads = limit(p->threads_per_sm),
		.warps = limit(p->warps_per_sm),
		.blocks = limit(p->blocks_per_sm),
		.registers = limit(p->registers_per_sm),
		.shared_memory = limit(p->shared_memory_per_sm),
		.virtual_sms = s->plan->virtual_sms,
	};
}
