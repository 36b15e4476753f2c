/* db/audit/shapes.c - derives what docs/model.md says from a description: how long a segment may take, how
 * many blocks a kernel has, and what a block needs of an SM ("Time of a kernel"; the persistent blocks of
 * `work` kernels follow RTGPU, Lemma 5.1). */
#include <assert.h>

#include "base/random.h"
#include "db/audit/recording.h"

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
	if (rest < 0) { /* towards minus infinity, so that one rule is right for both signs */
		q--;
		rest += d;
	}
	if (2 * rest > d || (2 * rest == d && (q & 1)))
		q++;
	return (int64_t)q;
}

bool narrow(const struct recording *r, int64_t best, int64_t worst, int64_t *low, int64_t *high)
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
	case EXECUTES_SAMPLES:
	case EXECUTES_TOGETHER:
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

/* The time of each persistent block of `work` on V virtual SMs, with v_sm of them per SM: pinned, then at
 * work. */
static bool work_times(const struct recording *r, const struct part_of_task *s, uint32_t v, uint32_t v_sm,
	int64_t *best, int64_t *worst)
{
	int128 n = 1, d = 1, overhead = s->overhead_ns;
	int64_t pin = r->machine.pin_overhead_ns;
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
	return *best != NOT_GIVEN && *worst != NOT_GIVEN && !__builtin_add_overflow(*best, pin, best) &&
	       !__builtin_add_overflow(*worst, pin, worst);
}

/* Threads of a persistent block that has the part 1 / share of an SM. */
static int64_t persistent_threads(const struct audit_machine *m, uint32_t share)
{
	int64_t threads = m->threads_per_sm / share;
	if (m->pooled || threads == 0)
		return threads;
	return threads < WARP ? WARP : threads / WARP * WARP;
}

static void shape_grid(const struct audit_machine *m, const struct part_of_task *s, struct audit_shape *shape)
{
	int64_t warps = (s->threads + WARP - 1) / WARP;
	shape->blocks = (uint32_t)s->grid;
	shape->threads = m->pooled ? s->threads : warps * WARP;
	shape->warps = warps;
	shape->registers = s->registers * warps * WARP;
	shape->shared_memory = s->shared_memory;
	shape->low_ns = s->best_ns;
	shape->high_ns = s->worst_ns;
}

static bool shape_work(
	const struct recording *r, const struct part_of_task *s, uint32_t v, struct audit_shape *shape)
{
	const struct audit_machine *m = &r->machine;
	shape->blocks = v;
	shape->threads = persistent_threads(m, m->virtual_sms);
	shape->warps = (shape->threads + WARP - 1) / WARP;
	shape->virtual_sms = 1;
	return work_times(r, s, v, m->virtual_sms, &shape->low_ns, &shape->high_ns);
}

/* On whole SMs; or as `pieces` blocks with a virtual SM each, as fast as on the SMs that these would fill. */
static bool shape_profile(
	const struct recording *r, const struct part_of_task *s, uint32_t pieces, struct audit_shape *shape)
{
	const struct audit_machine *machine = &r->machine;
	const struct audit_profile *p = &r->profile[s->profile];
	uint32_t share = pieces ? machine->virtual_sms : 1, m = shape->spread;
	uint32_t filled = pieces ? (pieces + share - 1) / share : m;
	if (m == 0 || m > p->count || filled > p->count)
		return false;
	shape->blocks = pieces ? pieces : m;
	shape->threads = pieces ? persistent_threads(machine, share) : machine->threads_per_sm;
	shape->warps = (shape->threads + WARP - 1) / WARP;
	shape->virtual_sms = pieces ? 1 : machine->virtual_sms;
	if (p->on[m - 1].total_uw != NOT_GIVEN) {
		shape->all_uw = p->on[m - 1].total_uw - machine->static_uw -
				machine->idle_uw * ((int64_t)machine->sms - (int64_t)m);
		shape->sm_uw = round_half_even(shape->all_uw, m);
	}
	shape->low_ns = p->on[filled - 1].best_ns;
	shape->high_ns = p->on[filled - 1].worst_ns;
	return true;
}

/* How many blocks of a shape so many SMs can hold at a time; pooled: how many the whole GPU can hold. */
static int64_t resident(const struct audit_machine *m, const struct audit_shape *s, uint32_t sms)
{
	int64_t fit = INT64_MAX;
	const struct {
		int64_t limit, need;
	} bound[] = {
		{m->threads, s->threads},
		{m->blocks, 1},
		{m->warps, s->warps},
		{m->registers, s->registers},
		{m->divisions ? s->division : m->shared_memory, s->shared_memory},
	};
	if (m->pooled)
		return s->threads ? m->threads / s->threads : INT64_MAX;
	for (size_t i = 0; i < sizeof(bound) / sizeof(bound[0]); i++) {
		if (bound[i].limit != INT64_MAX && bound[i].need > 0)
			fit = least(fit, bound[i].limit / bound[i].need);
	}
	return fit > INT64_MAX / sms ? INT64_MAX : fit * sms;
}

/* The division that the first of such blocks makes of an SM: the least one with what the kernel asks for, or
 * else with what all blocks need that an SM could hold otherwise; at least one block's. */
static int64_t division_for(const struct audit_machine *m, const struct part_of_task *s, bool slots,
	const struct audit_shape *shape)
{
	struct audit_machine unlimited = *m;
	int64_t blocks, wanted = s->carveout > shape->shared_memory ? s->carveout : shape->shared_memory;
	unlimited.shared_memory = INT64_MAX;
	unlimited.divisions = 0;
	if (m->divisions == 0 || m->pooled)
		return INT64_MAX;
	if (s->carveout == 0 && shape->shared_memory > 0) {
		int64_t of_each = slots || shape->virtual_sms ? (slots ? 1 : shape->virtual_sms) : 0;
		blocks = resident(&unlimited, shape, 1);
		if (of_each > 0)
			blocks = least(blocks, m->virtual_sms / of_each);
		wanted =
			blocks > INT64_MAX / shape->shared_memory ? INT64_MAX : blocks * shape->shared_memory;
	}
	for (uint32_t i = 0; i < m->divisions; i++)
		if (m->division[i] >= wanted)
			return m->division[i];
	return m->division[m->divisions - 1];
}

/* As many blocks at a time as fit; on granted virtual SMs one block on each. */
static void count_waves(
	const struct audit_machine *m, struct audit_given given, uint32_t sms, struct audit_shape *shape)
{
	int64_t fit = resident(m, shape, sms);
	if (shape->virtual_sms && !m->pooled)
		fit = least(fit, (int64_t)(m->virtual_sms / shape->virtual_sms) * sms);
	if (given.slots && !m->pooled) /* a pool of threads has no SMs */
		fit = least(fit, given.slots);
	shape->places = fit > 0 && fit < shape->blocks ? fit : shape->blocks;
	if (fit > 0 && fit < shape->blocks)
		shape->waves = (uint32_t)(((int64_t)shape->blocks + fit - 1) / fit);
}

/* The shape by the description, without the run's execution rule. */
static bool shape_described(const struct recording *r, const struct part_of_task *s, struct audit_given given,
	struct audit_shape *shape)
{
	uint32_t v_sm = r->machine.virtual_sms, sms = given.sms     ? given.sms
						      : s->mask_sms ? s->mask_sms
								    : r->machine.sms;
	if (sms == 0 || (int64_t)sms * v_sm > UINT32_MAX)
		return false;
	*shape = (struct audit_shape){
		.sm_uw = s->dynamic_uw,
		.all_uw = NOT_GIVEN,
		.spread = sms,
		.waves = 1,
		.mask = given.sms ? NULL : s->mask,
	};
	bool known = true, in_grid = s->form == FORM_GRID || s->form == FORM_PROGRAM;
	switch (s->form) {
	case FORM_GRID:
	case FORM_PROGRAM:
		shape_grid(&r->machine, s, shape);
		break;
	case FORM_WORK:
		known = shape_work(r, s, given.slots ? given.slots : sms * v_sm, shape);
		break;
	case FORM_PROFILE:
		known = shape_profile(r, s, given.slots, shape);
		break;
	case FORM_WARPS:
		return false;
	}
	shape->division = division_for(&r->machine, s, in_grid && given.slots > 0, shape);
	count_waves(&r->machine, given, sms, shape);
	return known;
}

bool shape_granted(const struct recording *r, const struct part_of_task *s, struct audit_given given,
	struct audit_shape *shape)
{
	return shape_described(r, s, given, shape) &&
	       (s->form == FORM_PROGRAM ||
		       narrow(r, shape->low_ns, shape->high_ns, &shape->low_ns, &shape->high_ns));
}

struct audit_given given_to(const struct recording *r, uint32_t task, int64_t granted)
{
	const struct figures *f = &r->task[task].figures;
	int64_t most = (int64_t)r->machine.sms * r->machine.virtual_sms;
	uint32_t count = granted > 0 && granted <= most && granted <= UINT32_MAX ? (uint32_t)granted : 0;
	if (f->virtual_sms > 0 && f->sms > 0)
		return (struct audit_given){(uint32_t)f->sms, count};
	return (struct audit_given){count, 0};
}

/* The least time of the whole kernel there, if that is less. */
static int64_t floor_there(
	const struct recording *r, const struct part_of_task *s, struct audit_given given, int64_t floor)
{
	struct audit_shape on;
	return shape_granted(r, s, given, &on) ? least(floor, kernel_least(r, s, &on, NOT_GIVEN)) : floor;
}

/* The least time of a kernel for which its policy chooses the number of SMs. A policy that is not known may
 * also choose virtual SMs, on any number of SMs. */
static int64_t floor_anywhere(const struct recording *r, const struct part_of_task *s)
{
	int64_t floor = INT64_MAX;
	uint32_t sms = r->machine.sms, v_sm = r->machine.virtual_sms;
	for (uint32_t m = 1; m <= sms; m++)
		floor = floor_there(r, s, (struct audit_given){m, 0}, floor);
	for (uint32_t v = 1; !r->promise && v <= sms * v_sm; v++) {
		floor = floor_there(r, s, (struct audit_given){v < sms ? v : sms, v}, floor);
		floor = floor_there(r, s, (struct audit_given){(v + v_sm - 1) / v_sm, v}, floor);
	}
	return floor;
}

static bool derive_kernel(struct recording *r, struct part_of_task *s, uint32_t task)
{
	/* A task with SMs of its own never runs without them */
	const struct figures *f = &r->task[task].figures;
	bool anywhere = f->sms <= 0 && (!r->promise || r->promise->grants == GRANTS_CHOSEN);
	struct audit_shape alone;
	if (!shape_granted(r, s, given_to(r, task, f->virtual_sms > 0 ? f->virtual_sms : f->sms), &s->shape))
		return false;
	s->low_ns = s->shape.low_ns;
	s->high_ns = s->shape.high_ns;
	s->floor_ns = anywhere ? floor_anywhere(r, s) : kernel_least(r, s, &s->shape, NOT_GIVEN);
	s->alone_ns = INT64_MAX;
	if (shape_described(r, s, (struct audit_given){0}, &alone))
		s->alone_ns = kernel_most(s, &alone);
	r->powered |= s->shape.sm_uw != 0 || s->shape.all_uw != NOT_GIVEN;
	return true;
}

static bool derive(struct recording *r, struct part_of_task *s, uint32_t task)
{
	const struct audit_machine *m = &r->machine;
	if (s->kind == KIND_KERNEL)
		return derive_kernel(r, s, task);
	if (s->kind == KIND_COPY && s->bytes != NOT_GIVEN) {
		if (m->copy_bandwidth <= 0)
			return false;
		int64_t transfer = quotient_up((int128)s->bytes * BILLION, m->copy_bandwidth);
		if (transfer == NOT_GIVEN ||
			__builtin_add_overflow(transfer, m->copy_latency_ns, &s->best_ns))
			return false;
		s->worst_ns = s->best_ns;
	}
	s->alone_ns = s->worst_ns;
	if (!narrow(r, s->best_ns, s->worst_ns, &s->low_ns, &s->high_ns))
		return false;
	s->floor_ns = s->low_ns;
	return true;
}

static int64_t draw(const struct recording *r, enum random_purpose purpose, uint32_t task, int64_t seq,
	uint32_t segment, int64_t bound)
{
	struct random_key key = {
		.seed = r->seed,
		.set = r->set_number,
		.task = task,
		.job = (uint32_t)seq,
		.segment = (uint16_t)segment,
		.purpose = (uint8_t)purpose,
	};
	return random_upto(&key, bound);
}

int64_t separation_draw(const struct recording *r, uint32_t task, int64_t seq, int64_t bound)
{
	return draw(r, RANDOM_SEPARATION, task, seq, 0, bound);
}

int64_t jitter_draw(const struct recording *r, uint32_t task, int64_t seq, int64_t bound)
{
	return draw(r, RANDOM_JITTER, task, seq, 0, bound);
}

int64_t traced_length(const struct audit_release_rule *rule, int64_t seq, uint32_t segment)
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

int64_t segment_length(const struct recording *r, uint32_t task, uint32_t segment, int64_t seq,
	const struct audit_shape *shape)
{
	const struct part_of_task *s = &r->task[task].segment[segment];
	int64_t traced = traced_length(&r->task[task].releases, seq, segment);
	int64_t low = shape ? shape->low_ns : s->low_ns, high = shape ? shape->high_ns : s->high_ns;
	if (traced != NOT_GIVEN)
		return traced;
	if (low != high && s->sample &&
		(r->execution == EXECUTES_SAMPLES || r->execution == EXECUTES_TOGETHER))
		return s->sample[draw(r, RANDOM_SAMPLE, task, seq,
			r->execution == EXECUTES_TOGETHER ? 0 : segment, s->samples - 1)];
	return low == high ? low : low + draw(r, RANDOM_EXECUTION, task, seq, segment, high - low);
}

static int64_t sum_of_floors(const struct recording *r, uint32_t task, int64_t seq)
{
	int64_t sum = 0;
	bool waves_known = r->promise && r->promise->grants != GRANTS_CHOSEN;
	for (uint32_t k = 0; k < r->task[task].segments; k++) {
		const struct part_of_task *s = &r->task[task].segment[k];
		int64_t floor = traced_length(&r->task[task].releases, seq, k);
		struct audit_shape on = s->shape;
		if (!waves_known) {
			on.places = on.blocks;
			on.waves = 1;
		}
		if (floor == NOT_GIVEN)
			floor = s->floor_ns;
		else if (s->kind == KIND_KERNEL)
			floor = kernel_least(r, s, &on, floor);
		if (__builtin_add_overflow(sum, floor, &sum))
			return INT64_MAX;
	}
	return sum;
}

int64_t job_floor(const struct recording *r, uint32_t task, int64_t seq)
{
	return r->task[task].releases.length_count ? sum_of_floors(r, task, seq) : r->task[task].floor_ns;
}

/* Worst-case times of all that follows each GPU section of a job, for section deadlines. */
static void derive_behind(struct member *t)
{
	int64_t sum = 0, behind = 0;
	for (uint32_t k = t->segments; k-- > 0;) {
		bool last = k + 1 == t->segments || t->segment[k + 1].kind == KIND_CPU ||
			    t->segment[k + 1].named != t->segment[k].named;
		if (t->segment[k].kind != KIND_CPU && last)
			behind = sum;
		t->segment[k].behind_ns = behind;
		if (__builtin_add_overflow(sum, t->segment[k].alone_ns, &sum))
			sum = INT64_MAX;
	}
}

bool kernel_at_worst(const struct recording *r, const struct part_of_task *s, uint32_t m, int64_t *length,
	int128 *dynamic_uw)
{
	struct audit_shape on;
	if (!shape_described(r, s, (struct audit_given){m, 0}, &on))
		return false;
	*dynamic_uw = on.all_uw != NOT_GIVEN ? on.all_uw : (int128)on.sm_uw * m;
	*length = kernel_most(s, &on);
	return *length < INT64_MAX;
}

/* The energy that a kernel adds on m SMs at its worst case; false: it has no time there. */
static bool added_energy(const struct recording *r, const struct part_of_task *s, uint32_t m, int128 *energy)
{
	int64_t length;
	int128 power;
	if (!kernel_at_worst(r, s, m, &length, &power))
		return false;
	*energy += length * (power + r->machine.idle_uw * ((int64_t)r->machine.sms - m));
	return true;
}

/* m_opt of the section [from, to): ties to the larger m. */
static uint32_t best_sms(const struct recording *r, const struct member *t, uint32_t from, uint32_t to)
{
	uint32_t best = 0;
	int128 least_energy = 0;
	for (uint32_t m = r->machine.sms; m > 0; m--) {
		int128 energy = 0;
		for (uint32_t k = from; k < to; k++) {
			if (t->segment[k].kind == KIND_KERNEL && !added_energy(r, &t->segment[k], m, &energy))
				return 0;
		}
		if (best == 0 || energy < least_energy) {
			best = m;
			least_energy = energy;
		}
	}
	return best;
}

static void derive_sections(const struct recording *r, struct member *t)
{
	for (uint32_t from = 0, to; from < t->segments; from = to + 1) {
		for (to = from; to < t->segments && t->segment[to].kind != KIND_CPU; to++)
			;
		uint32_t best = to > from ? best_sms(r, t, from, to) : 0;
		for (uint32_t k = from; k < to; k++)
			t->segment[k].best_sms = best;
	}
}

/* The same for segments on each of the GPUs. */
static bool derive_placed(struct recording *r, uint32_t task)
{
	struct member *t = &r->task[task];
	bool ok = true;
	for (uint32_t g = 0; g < r->gpus; g++) {
		recording_show(r, g);
		for (uint32_t k = 0; k < t->segments && ok; k++)
			ok = derive(r, &t->on[(size_t)g * t->segments + k], task);
	}
	placed_floors(r, t);
	return ok;
}

bool shapes_derive(struct recording *r, struct error *err)
{
	for (uint32_t g = 0; g < r->gpus; g++) {
		recording_show(r, g);
		r->powered |= r->machine.static_uw != 0 || r->machine.idle_uw != 0;
	}
	recording_show(r, 0);
	if (r->warps) /* the times of their kernels follow from the programs */
		return true;
	for (uint32_t i = 0; i < r->tasks; i++) {
		for (uint32_t k = 0; k < r->task[i].segments; k++) {
			recording_show(r, r->task[i].segment[k].gpu);
			if (!derive(r, &r->task[i].segment[k], i))
				return error_set(err, STATUS_INPUT,
					"run %lld: segment %u of task '%s' has no length on its platform",
					(long long)r->run_id, k, r->task[i].name);
		}
		derive_behind(&r->task[i]);
		if (r->task[i].on && !derive_placed(r, i))
			return error_set(err, STATUS_INPUT,
				"run %lld: a segment of task '%s' has no length on one of its GPUs",
				(long long)r->run_id, r->task[i].name);
		r->task[i].floor_ns = sum_of_floors(r, i, -1);
		if (r->promise && r->promise->grants == GRANTS_CHOSEN)
			derive_sections(r, &r->task[i]);
	}
	recording_show(r, 0);
	return true;
}
