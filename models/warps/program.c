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
static void decode_steps(struct engine_part *k, const struct warp_machine *m, uint32_t from, uint32_t to,
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
static uint64_t instructions_of(const struct engine_part *k, uint32_t from, uint32_t to)
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
static void decode_pool(struct engine_part *k)
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

uint32_t program_left(const struct engine_part *part, const struct warp *v)
{
	const struct round_pool *pool = &part->pool;
	if (pool->rounds == ROUNDS_OWN)
		return part->instructions - v->number;
	uint32_t rounds = pool->rounds == ROUNDS_BLOCKS ? v->block->rounds : v->rounds;
	return pool->around + pool->body * rounds - v->number;
}

bool program_meets(const struct engine_part *part)
{
	for (uint32_t i = 0; i < part->steps; i++)
		if (part->program[i].kind == STEP_BARRIER)
			return part->spec->block_threads > WARP_THREADS;
	return false;
}

bool program_decode(struct engine_part *part, const struct warp_machine *machine, struct arena *arena)
{
	part->steps = part->spec->step_count;
	part->program = arena_new(arena, struct decoded, part->steps);
	if (!part->program)
		return false;
	decode_steps(part, machine, 0, part->steps, 0, NO_STEP);
	/* 32 bits: warp_set_check() */
	part->instructions = (uint32_t)instructions_of(part, 0, part->steps);
	decode_pool(part);
	for (uint32_t i = 0; i < part->steps; i++)
		part->reuses |= part->program[i].reuse > 0;
	return true;
}

/* Goes to `step`, and into the loops that begin there. */
static void begin_step(const struct engine_part *part, struct warp *v, uint32_t step)
{
	while (part->program[step].kind == STEP_LOOP) {
		v->round[part->program[step].depth] = part->program[step].count;
		step++;
	}
	v->step = (uint16_t)step;
	v->left = part->program[step].count;
	v->begun = false;
}

void program_enter(const struct engine_part *part, struct warp *v)
{
	v->rounds = 1;
	begin_step(part, v, 0);
}

/* The warp has done its rounds: it goes on with one that its block has been granted, or takes one of those
 * that the launch has left. False: there is none, nor will there be. */
static bool take_round(struct engine_part *k, struct warp *v)
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

bool program_next_step(struct engine_part *part, struct warp *v)
{
	uint32_t done = v->step;
	for (;;) {
		const struct decoded *d = &part->program[done];
		if (d->back == NO_STEP) {
			if (d->end == part->steps)
				return false;
			begin_step(part, v, d->end);
			return true;
		}
		bool again = d->back == part->pool.loop ? take_round(part, v)
							: --v->round[part->program[d->back].depth] > 0;
		if (again) {
			begin_step(part, v, d->back + 1u);
			return true;
		}
		done = d->back;
	}
}
