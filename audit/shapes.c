/* audit/shapes.c - owns what docs/model.md derives from a description: how long a segment may take,
 * how many blocks a kernel has, and what one of them needs of an SM ("Time of a kernel"; the
 * persistent blocks of `work` kernels follow RTGPU, Lemma 5.1). */
#include "audit/recording.h"

#include <assert.h>

#include "base/random.h"

#define MILLION 1000000
#define BILLION 1000000000

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* ceil(n / d) for n >= 0, d > 0; NOT_GIVEN if it is no 64-bit number. */
static int64_t quotient_up(int128 n, int128 d)
{
	int128 q = (n + d - 1) / d;
	return q > INT64_MAX ? NOT_GIVEN : (int64_t)q;
}

int64_t round_half_even(int128 n, int128 d)
{
	assert(d > 0);
	int128 q = n / d, rest = n % d;
	if (rest < 0) { /* towards minus infinity, so that one rule serves both signs */
		q--;
		rest += d;
	}
	if (2 * rest > d || (2 * rest == d && (q & 1)))
		q++;
	return (int64_t)q;
}

/* What the run's execution rule leaves of [best, worst]. */
static bool narrow(const struct recording *r, int64_t best, int64_t worst, int64_t *low, int64_t *high)
{
	int64_t scaled;
	switch (r->execution) {
	case EXECUTES_WORST:
		*low = *high = worst;
		return true;
	case EXECUTES_BEST:
		*low = *high = best;
		return true;
	case EXECUTES_UNIFORM:
		*low = best;
		*high = worst;
		return true;
	case EXECUTES_SCALED:
		scaled = quotient_up((int128)worst * r->scale_ppm, MILLION);
		*low = *high = scaled > best ? scaled : best;
		return scaled != NOT_GIVEN;
	}
	return false;
}

/* Time of each persistent block of `work` on V virtual SMs, v_sm of them per SM. */
static bool work_times(const struct recording *r, const struct part_of_task *s, uint32_t v, uint32_t v_sm,
	int64_t *best, int64_t *worst)
{
	int128 n = 1, d = 1, overhead = (int128)s->overhead_ns + r->machine.pin_overhead_ns;
	bool known = v_sm == 1;
	for (uint32_t i = 0; i < s->alphas && !known; i++) {
		if (s->alpha[i].virtual_sms != v_sm)
			continue;
		n = s->alpha[i].numerator;
		d = s->alpha[i].denominator;
		known = d > 0 && n > 0;
	}
	if (!known)
		return false;
	*best = quotient_up(s->best_ns, v);
	/* (work * n/d - GL) / V + GL, over the common denominator d * V */
	int128 over = s->worst_ns * n - overhead * d + overhead * d * v;
	*worst = quotient_up(over, d * v);
	if (*worst != NOT_GIVEN && *worst < *best)
		*worst = *best;
	return *best != NOT_GIVEN && *worst != NOT_GIVEN;
}

/* Threads of a persistent block that has 1 / share of an SM. */
static int64_t persistent_threads(const struct machine *m, uint32_t share)
{
	int64_t threads = m->threads_per_sm / share;
	if (m->pooled || threads == 0)
		return threads;
	return threads < WARP ? WARP : threads / WARP * WARP;
}

static void shape_grid(const struct machine *m, const struct part_of_task *s, struct shape *shape)
{
	int64_t warps = (s->threads + WARP - 1) / WARP;
	shape->blocks = (uint32_t)s->grid;
	shape->threads = m->pooled ? s->threads : warps * WARP;
	shape->warps = warps;
	shape->registers = s->registers * warps * WARP;
	shape->shared_memory = s->shared_memory;
}

static bool shape_work(
	const struct recording *r, const struct part_of_task *s, uint32_t v, struct shape *shape)
{
	const struct machine *m = &r->machine;
	int64_t best, worst;
	if (!work_times(r, s, v, m->virtual_sms, &best, &worst))
		return false;
	shape->blocks = v;
	shape->threads = persistent_threads(m, m->virtual_sms);
	shape->warps = (shape->threads + WARP - 1) / WARP;
	shape->virtual_sms = 1;
	return narrow(r, best, worst, &shape->low_ns, &shape->high_ns);
}

/* On m whole SMs, or as `pieces` blocks of a virtual SM each on as many SMs as they fill. */
static bool shape_profile(const struct recording *r, const struct part_of_task *s, uint32_t m,
	uint32_t pieces, struct shape *shape)
{
	const struct machine *machine = &r->machine;
	const struct profile *p = &r->profile[s->profile];
	if (m == 0 || m > p->count)
		return false;
	const struct profile_point *on = &p->on[m - 1];
	uint32_t share = pieces ? machine->virtual_sms : 1;
	shape->blocks = pieces ? pieces : m;
	shape->threads = pieces ? persistent_threads(machine, share) : machine->threads_per_sm;
	shape->warps = (shape->threads + WARP - 1) / WARP;
	shape->virtual_sms = pieces ? 1 : machine->virtual_sms;
	shape->spread = m;
	if (on->total_uw != NOT_GIVEN) {
		shape->all_uw = on->total_uw - machine->static_uw -
				machine->idle_uw * ((int64_t)machine->sms - (int64_t)m);
		shape->sm_uw = round_half_even(shape->all_uw, m);
	}
	return narrow(r, on->best_ns, on->worst_ns, &shape->low_ns, &shape->high_ns);
}

bool shape_granted(const struct recording *r, const struct part_of_task *s, uint32_t count, bool virtual_sms,
	struct shape *shape)
{
	uint32_t v_sm = r->machine.virtual_sms;
	if (count == 0)
		return false;
	uint32_t sms = virtual_sms ? (count + v_sm - 1) / v_sm : count;
	*shape = (struct shape){.sm_uw = s->dynamic_uw, .all_uw = NOT_GIVEN, .spread = sms};
	switch (s->form) {
	case FORM_GRID:
		shape_grid(&r->machine, s, shape);
		return narrow(r, s->best_ns, s->worst_ns, &shape->low_ns, &shape->high_ns);
	case FORM_WORK:
		return shape_work(r, s, virtual_sms ? count : count * v_sm, shape);
	case FORM_PROFILE:
		return shape_profile(r, s, sms, virtual_sms ? count : 0, shape);
	}
	return false;
}

static bool derive(struct recording *r, struct part_of_task *s, uint32_t task)
{
	const struct machine *m = &r->machine;
	if (s->kind == KIND_COPY && s->bytes != NOT_GIVEN) {
		if (m->copy_bandwidth <= 0)
			return false;
		int64_t transfer = quotient_up((int128)s->bytes * BILLION, m->copy_bandwidth);
		if (transfer == NOT_GIVEN ||
			__builtin_add_overflow(transfer, m->copy_latency_ns, &s->best_ns))
			return false;
		s->worst_ns = s->best_ns;
	}
	if (s->kind != KIND_KERNEL)
		return narrow(r, s->best_ns, s->worst_ns, &s->low_ns, &s->high_ns);
	/* A task with SMs of its own never runs without them. */
	const struct figures *f = &r->task[task].figures;
	bool by_slots = f->virtual_sms > 0, by_sms = !by_slots && f->sms > 0;
	uint32_t count = by_slots ? (uint32_t)f->virtual_sms : by_sms ? (uint32_t)f->sms : m->sms;
	if (!shape_granted(r, s, count, by_slots, &s->shape))
		return false;
	s->low_ns = s->shape.low_ns;
	s->high_ns = s->shape.high_ns;
	r->powered |= s->shape.sm_uw != 0 || s->shape.all_uw != NOT_GIVEN;
	return true;
}

/* How many blocks of a shape the whole GPU can hold at a time. */
static int64_t resident(const struct machine *m, const struct shape *s)
{
	int64_t fit = INT64_MAX;
	const struct {
		int64_t limit, need;
	} bound[] = {
		{m->threads, s->threads},
		{m->blocks, 1},
		{m->warps, s->warps},
		{m->registers, s->registers},
		{m->shared_memory, s->shared_memory},
	};
	if (m->pooled)
		return s->threads ? m->threads / s->threads : INT64_MAX;
	for (size_t i = 0; i < sizeof(bound) / sizeof(bound[0]); i++) {
		if (bound[i].limit != INT64_MAX && bound[i].need > 0)
			fit = least(fit, bound[i].limit / bound[i].need);
	}
	return fit > INT64_MAX / m->sms ? INT64_MAX : fit * m->sms;
}

static int64_t draw(const struct recording *r, enum random_purpose purpose, uint32_t task, int64_t seq,
	uint32_t segment, int64_t bound)
{
	struct random_key key = {.seed = r->seed,
		.set = r->set_number,
		.task = task,
		.job = (uint32_t)seq,
		.segment = (uint16_t)segment,
		.purpose = (uint8_t)purpose};
	return random_upto(&key, bound);
}

int64_t separation_draw(const struct recording *r, uint32_t task, int64_t seq, int64_t bound)
{
	return draw(r, RANDOM_SEPARATION, task, seq, 0, bound);
}

/* The length a trace gives; NOT_GIVEN: none. */
static int64_t traced_length(const struct release_rule *rule, int64_t seq, uint32_t segment)
{
	size_t from = 0, to = rule->length_count;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		const struct trace_length *l = &rule->lengths[middle];
		if (l->seq == seq && l->segment == segment)
			return l->length_ns;
		if (l->seq < seq || (l->seq == seq && l->segment < segment))
			from = middle + 1;
		else
			to = middle;
	}
	return NOT_GIVEN;
}

int64_t segment_length(
	const struct recording *r, uint32_t task, uint32_t segment, int64_t seq, const struct shape *shape)
{
	const struct part_of_task *s = &r->task[task].segment[segment];
	int64_t traced = traced_length(&r->task[task].releases, seq, segment);
	int64_t low = shape ? shape->low_ns : s->low_ns, high = shape ? shape->high_ns : s->high_ns;
	if (traced != NOT_GIVEN)
		return traced;
	return low == high ? low : low + draw(r, RANDOM_EXECUTION, task, seq, segment, high - low);
}

static int64_t sum_of_floors(const struct recording *r, uint32_t task, int64_t seq)
{
	int64_t sum = 0;
	for (uint32_t k = 0; k < r->task[task].segments; k++) {
		const struct part_of_task *s = &r->task[task].segment[k];
		int64_t waves = 1, low = traced_length(&r->task[task].releases, seq, k);
		if (low == NOT_GIVEN)
			low = s->low_ns;
		if (s->kind == KIND_KERNEL) {
			int64_t fit = resident(&r->machine, &s->shape);
			if (fit > 0 && fit < s->shape.blocks)
				waves = ((int64_t)s->shape.blocks + fit - 1) / fit;
		}
		if (__builtin_mul_overflow(waves, low, &low) || __builtin_add_overflow(sum, low, &sum))
			return INT64_MAX;
	}
	return sum;
}

int64_t job_floor(const struct recording *r, uint32_t task, int64_t seq)
{
	return r->task[task].releases.length_count ? sum_of_floors(r, task, seq) : r->task[task].floor_ns;
}

bool shapes_derive(struct recording *r, struct error *err)
{
	r->powered = r->machine.static_uw != 0 || r->machine.idle_uw != 0;
	for (uint32_t i = 0; i < r->tasks; i++) {
		for (uint32_t k = 0; k < r->task[i].segments; k++) {
			if (!derive(r, &r->task[i].segment[k], i))
				return error_set(err, STATUS_INPUT,
					"run %lld: segment %u of task '%s' has no length on its platform",
					(long long)r->run_id, k, r->task[i].name);
		}
		r->task[i].floor_ns = sum_of_floors(r, i, -1);
	}
	return true;
}
