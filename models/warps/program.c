/* models/warps/program.c - see models/warps/program.h. */
#include "models/warps/program.h"

/* Unit, latency and energy by kind of step. */
static void decode_class(struct decoded *d, const struct warp_step *s, const struct warp_machine *m)
{
	switch (s->kind) {
	case STEP_COMPUTE:
		d->unit = (uint8_t)s->unit;
		d->latency = s->latency ? s->latency : m->latency[s->unit];
		d->energy_fj = m->unit_fj[s->unit];
		return;
	case STEP_SHARED_LOAD:
	case STEP_SHARED_STORE:
		d->unit = WARP_MEMORY;
		d->latency = m->shared_latency;
		d->energy_fj = m->shared_fj;
		d->level = LEVEL_SHARED;
		return;
	case STEP_LOAD:
	case STEP_STORE:
		d->unit = WARP_MEMORY;
		d->energy_fj = m->global_fj;
		return;
	default:
		d->unit = WARP_UNITS;
		return;
	}
}

/* The level at which accesses are served, if it is known without a draw. */
static void decode_level(struct decoded *d, const struct warp_step *s)
{
	bool sure_l1 = s->l1_hit_ppm == 0 || s->l1_hit_ppm == 1000000;
	bool sure_l2 = s->l2_hit_ppm == 0 || s->l2_hit_ppm == 1000000;
	if (s->kind != STEP_LOAD && s->kind != STEP_STORE)
		return;
	d->l1_ppm = (uint32_t)s->l1_hit_ppm;
	d->l2_ppm = (uint32_t)s->l2_hit_ppm;
	d->coalescing_ppm = (uint32_t)s->coalescing_ppm;
	d->bytes = s->bytes;
	d->reuse = s->reuse;
	d->drawn = !sure_l1 || (s->l1_hit_ppm == 0 && !sure_l2);
	d->level = (uint8_t)(s->l1_hit_ppm ? LEVEL_L1 : s->l2_hit_ppm ? LEVEL_L2 : LEVEL_DRAM);
}

/* Decodes the steps [from, to) inside of `depth` loops; the innermost loop is step `loop` (NO_STEP: none). */
static void decode_steps(struct engine_kernel *k, const struct warp_machine *m, uint32_t from, uint32_t to,
	uint8_t depth, uint16_t loop)
{
	for (uint32_t i = from; i < to; i = k->program[i].end) {
		const struct warp_step *s = &k->spec->steps[i];
		struct decoded *d = &k->program[i];
		*d = (struct decoded){
			.kind = (uint8_t)s->kind,
			.threads = (uint8_t)s->threads,
			.distance = (uint8_t)s->distance,
			.first = (uint8_t)s->first,
			.depth = depth,
			.count = s->count,
			.back = NO_STEP,
		};
		d->end = (uint16_t)(i + 1 + (s->kind == STEP_LOOP ? s->body : 0));
		if (d->end == to)
			d->back = loop;
		decode_class(d, s, m);
		decode_level(d, s);
		if (s->kind == STEP_LOOP)
			decode_steps(k, m, i + 1, d->end, (uint8_t)(depth + 1), (uint16_t)i);
	}
}

/* What a warp issues in the steps [from, to), once through. */
static uint64_t instructions_of(const struct engine_kernel *k, uint32_t from, uint32_t to)
{
	uint64_t sum = 0;
	for (uint32_t i = from; i < to; i = k->program[i].end) {
		const struct decoded *d = &k->program[i];
		uint64_t once = d->kind == STEP_LOOP ? instructions_of(k, i + 1, d->end) : 1;
		sum += once * d->count;
	}
	return sum;
}

/* Finds the loop whose rounds are shared. Each warp, or block, has its first round; the others are the pool.
 */
static void decode_pool(struct engine_kernel *k)
{
	struct round_pool *pool = &k->pool;
	*pool = (struct round_pool){.loop = NO_STEP};
	for (uint32_t i = 0; i < k->steps; i = k->program[i].end) {
		const struct warp_step *s = &k->spec->steps[i];
		if (s->kind != STEP_LOOP || s->rounds == ROUNDS_OWN)
			continue;
		uint32_t takers = s->rounds == ROUNDS_WARPS ? warp_block_warps(k->spec) : 1;
		pool->rounds = s->rounds;
		pool->loop = (uint16_t)i;
		pool->body = (uint32_t)instructions_of(k, i + 1, k->program[i].end);
		pool->around = k->instructions - pool->body * s->count;
		pool->size = (int64_t)(s->count - 1) * takers * k->spec->blocks;
	}
}

uint32_t program_left(const struct engine_kernel *kernel, const struct warp *v)
{
	const struct round_pool *pool = &kernel->pool;
	if (pool->rounds == ROUNDS_OWN)
		return kernel->instructions - v->number;
	uint32_t rounds = pool->rounds == ROUNDS_BLOCKS ? v->block->rounds : v->rounds;
	return pool->around + pool->body * rounds - v->number;
}

bool program_meets(const struct engine_kernel *kernel)
{
	for (uint32_t i = 0; i < kernel->steps; i++)
		if (kernel->program[i].kind == STEP_BARRIER)
			return kernel->spec->block_threads > WARP_THREADS;
	return false;
}

bool program_decode(struct engine_kernel *kernel, const struct warp_machine *machine, struct arena *arena)
{
	kernel->steps = kernel->spec->step_count;
	kernel->program = arena_new(arena, struct decoded, kernel->steps);
	if (!kernel->program)
		return false;
	decode_steps(kernel, machine, 0, kernel->steps, 0, NO_STEP);
	/* 32 bits: warp_set_check() */
	kernel->instructions = (uint32_t)instructions_of(kernel, 0, kernel->steps);
	decode_pool(kernel);
	for (uint32_t i = 0; i < kernel->steps; i++)
		kernel->reuses |= kernel->program[i].reuse > 0;
	return true;
}

/* Goes to `step`, and into the loops that begin there. */
static void begin_step(const struct engine_kernel *kernel, struct warp *v, uint32_t step)
{
	while (kernel->program[step].kind == STEP_LOOP) {
		v->round[kernel->program[step].depth] = kernel->program[step].count;
		step++;
	}
	v->step = (uint16_t)step;
	v->left = kernel->program[step].count;
	v->begun = false;
}

void program_enter(const struct engine_kernel *kernel, struct warp *v)
{
	v->rounds = 1;
	begin_step(kernel, v, 0);
}

/* The warp has done its rounds: it goes on with one that its block has been granted, or takes one of those
 * that the launch has left. False: there is none, nor will there be. */
static bool take_round(struct engine_kernel *k, struct warp *v)
{
	uint32_t *granted = k->pool.rounds == ROUNDS_BLOCKS ? &v->block->rounds : &v->rounds;
	if (k->pool.rounds == ROUNDS_WARPS || v->rounds == *granted) {
		if (k->pool.left == 0)
			return false;
		k->pool.left--;
		++*granted;
	}
	if (k->pool.rounds == ROUNDS_BLOCKS)
		v->rounds++;
	return true;
}

bool program_next_step(struct engine_kernel *kernel, struct warp *v)
{
	uint32_t done = v->step;
	for (;;) {
		const struct decoded *d = &kernel->program[done];
		if (d->back == NO_STEP) {
			if (d->end == kernel->steps)
				return false;
			begin_step(kernel, v, d->end);
			return true;
		}
		bool again = d->back == kernel->pool.loop ? take_round(kernel, v)
							  : --v->round[kernel->program[d->back].depth] > 0;
		if (again) {
			begin_step(kernel, v, d->back + 1u);
			return true;
		}
		done = d->back;
	}
}
