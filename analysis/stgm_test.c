/* analysis/stgm_test.c - see analysis/stgm_test.h.
 *
 * The test: R_i = E_i + B_i + sum over higher tasks of ceil(R_i / T_h) E_h. Let t0 be the last instant, at or
 * before the job's release, at which no job of its priority or higher was active. From then on lower tasks do
 * not get the core, so each gets no further than the end of its current GPU section, before its next CPU
 * segment. At any later instant the highest active job computes, or its copy or kernel runs, or it waits for
 * a copy engine (or, where tasks share SMs, for an SM) on which an operation of another job runs. That job
 * has at least this priority, and the operation is part of its E; or the operation is in a lower task's
 * section, and is part of B. A spinning task holds its priority, so there is no jitter.
 *
 * An SM for which the highest active job waits is never idle, whatever sets of SMs the tasks have. The gate
 * (policies/stgm.c) refuses a kernel for one of two reasons. First: an admitted kernel holds an SM of its
 * set. That kernel runs, as no two tasks share a stream. Second: a refused kernel of higher rank reserves an
 * SM of its set. That kernel waits, so its job is active, and the refused kernel's job is not the highest.
 * The policy decides again whenever one of these reasons ends: when a kernel ends, and when a kernel leaves
 * the gate without being admitted. If a refused kernel reserved its SMs against higher ones as well, this
 * would not hold: the highest job could wait for an idle SM while a kernel runs on another SM, of a task with
 * which it shares nothing and which is not in B. As reservations hold against lower tasks only, the order in
 * which the gate looks at kernels does not matter. (`ties: lower-first` admits a lower kernel that became
 * ready together with a higher one. It belongs to the section in which its task was, which is in B.)
 *
 * So sets may overlap in any way; tasks need not form groups with the same SMs. A kernel of a lower task is
 * part of B if its set overlaps that of the task itself, or of a higher one (sm_sets.first), for which the
 * task then waits. A kernel whose set overlaps only those of lower tasks delays no job of this priority or
 * higher.
 *
 * All copies of a lower task's section that has started block, not only one: the textbook term, one copy of
 * one lower task, is not safe. CPU segments that may take no time do not end a section here. Lower tasks that
 * never need the core block with every job. */
#include "analysis/stgm_test.h"

#include "analysis/gpu_time.h"
#include "analysis/window.h"
#include "base/checked.h"
#include "base/int128.h"
#include "models/kernel.h"

static bool needs_core(const struct chain_segment *s)
{
	return s->segment->kind == SEGMENT_CPU && s->segment->best_ns > 0;
}

static bool init_task(struct stgm_task *t, const struct chain *c, struct arena *arena)
{
	t->chain = c;
	t->coreless = true;
	t->longest = arena_new(arena, int64_t, c->count);
	if (!t->longest)
		return false;
	for (uint32_t i = 0; i < c->count; i++) {
		const struct segment *s = c->segments[i].segment;
		t->coreless &= !needs_core(&c->segments[i]);
		if (s->kind == SEGMENT_KERNEL)
			continue;
		t->longest[i] = s->worst_ns;
		*(s->kind == SEGMENT_CPU ? &t->cpu : &t->copies) += s->worst_ns;
	}
	return true;
}

bool stgm_state_init(struct stgm_state *s, const struct platform *platform, const struct taskset *set,
	const uint32_t *rank, const struct stgm_options *options, struct arena *arena, struct error *err)
{
	uint32_t count = set->task_count;
	*s = (struct stgm_state){
		.platform = platform,
		.set = set,
		.options = *options,
		.virtual_sms = platform_virtual_sms(platform),
		.task = arena_new(arena, struct stgm_task, count),
		.sms = arena_new(arena, uint32_t, count),
		.section = arena_new(arena, int64_t, count),
		.period = arena_new(arena, int64_t, count),
	};
	if (!s->task || !s->sms || !s->section || !s->period ||
		!sm_sets_init(&s->sets, count, platform->sms, arena))
		return error_memory(err, "preparing STGM's test");
	if (!chains_build(platform, set, rank, arena, &s->chains, err))
		return false;
	for (uint32_t k = 0; k < count; k++)
		if (!init_task(&s->task[k], &s->chains.chain[s->chains.order[k]], arena))
			return error_memory(err, "preparing STGM's test");
	return true;
}

bool stgm_state_check(const struct stgm_state *s, struct verdict *v)
{
	struct grant one = {.count = 1};
	struct kernel_shape shape;
	struct error err;
	if (s->chains.with_kernels && s->platform->pool != POOL_SM)
		return chains_check(s->platform, &s->chains, v);
	for (uint32_t k = 0; k < s->chains.count; k++) {
		const struct chain *c = s->task[k].chain;
		for (uint32_t i = 0; i < c->count; i++) {
			const struct segment *kernel = c->segments[i].segment;
			if (kernel->kind == SEGMENT_KERNEL && !kernel_shape(s->platform, s->set, kernel,
								      s->virtual_sms, &one, &shape, &err))
				return verdict_refuse(v, s->chains.order[k],
					"task '%s': the kernel of segment %u %s", c->task->name,
					c->segments[i].index, err.text);
		}
	}
	return true;
}

int64_t stgm_kernels(const struct stgm_state *s, uint32_t k, uint32_t sms)
{
	const struct chain *c = s->task[k].chain;
	int128 sum = 0;
	for (uint32_t i = 0; i < c->count; i++)
		if (c->segments[i].segment->kind == SEGMENT_KERNEL)
			sum += gpu_sms_time(s->platform, s->set, c->segments[i].segment, s->virtual_sms, sms);
	return bound_saturated(sum);
}

void stgm_give(struct stgm_state *s, uint32_t k, uint32_t sms)
{
	struct stgm_task *t = &s->task[k];
	int128 sum = 0;
	s->sms[k] = sms;
	for (uint32_t i = 0; i < t->chain->count; i++) {
		const struct segment *kernel = t->chain->segments[i].segment;
		if (kernel->kind != SEGMENT_KERNEL)
			continue;
		t->longest[i] = gpu_sms_time(s->platform, s->set, kernel, s->virtual_sms, sms);
		sum += t->longest[i];
	}
	t->kernels = bound_saturated(sum);
}

int64_t stgm_sections(const struct stgm_state *s, uint32_t k, int64_t kernels)
{
	return bound_saturated((int128)s->task[k].copies + kernels);
}

int64_t stgm_whole(const struct stgm_state *s, uint32_t k, int64_t kernels)
{
	return bound_saturated((int128)s->task[k].cpu + s->task[k].copies + kernels);
}

void stgm_place(struct stgm_state *s)
{
	if (s->options.exclusive) {
		sm_sets_exclusive(&s->sets, s->sms);
		return;
	}
	for (uint32_t k = 0; k < s->chains.count; k++) {
		s->section[k] = stgm_sections(s, k, s->task[k].kernels);
		s->period[k] = s->task[k].chain->task->period_ns;
	}
	sm_sets_least_used(&s->sets, s->sms, s->section, s->period);
}

/* ---- Blocking ---- */

/* The time by which a segment of a lower task can block the task at place k, or a task above it. */
static int64_t weight(const struct stgm_state *s, uint32_t k, uint32_t lower, uint32_t i)
{
	const struct stgm_task *t = &s->task[lower];
	bool counts = false;
	if (t->chain->segments[i].segment->kind == SEGMENT_COPY)
		counts = s->options.blocking != STGM_BLOCKING_NONE && t->chain->segments[i].on != CHAIN_ALONE;
	else if (t->chain->segments[i].segment->kind == SEGMENT_KERNEL)
		counts = s->sets.first[lower] <= k;
	return counts ? t->longest[i] : 0;
}

/* The heaviest run of segments that do not need the core. Runs wrap around: the last section of a job can be
 * followed by the first section of the next job. */
static int128 heaviest_section(const struct stgm_state *s, uint32_t k, uint32_t lower)
{
	const struct chain *c = s->task[lower].chain;
	int128 most = 0, run = 0, first = -1;
	for (uint32_t i = 0; i < c->count; i++) {
		run += weight(s, k, lower, i);
		if (!needs_core(&c->segments[i]))
			continue;
		first = first < 0 ? run : first;
		most = run > most ? run : most;
		run = 0;
	}
	run += first < 0 ? 0 : first;
	return run > most ? run : most;
}

static int128 heaviest_segment(const struct stgm_state *s, uint32_t k, uint32_t lower)
{
	int64_t most = 0;
	for (uint32_t i = 0; i < s->task[lower].chain->count; i++)
		most = weight(s, k, lower, i) > most ? weight(s, k, lower, i) : most;
	return most;
}

/* Blocking by sections that have begun before the window. */
static int128 blocking_at_first(const struct stgm_state *s, uint32_t k)
{
	int128 sum = 0, most = 0;
	for (uint32_t l = k + 1; l < s->chains.count; l++) {
		int128 segment = heaviest_segment(s, k, l);
		sum += heaviest_section(s, k, l);
		most = segment > most ? segment : most;
	}
	return s->options.blocking == STGM_BLOCKING_TEXTBOOK ? most : sum;
}

/* Blocking by jobs that are released in a window of length x and never need the core. */
static int128 blocking_later(const struct stgm_state *s, uint32_t k, int64_t x)
{
	int128 sum = 0;
	if (s->options.blocking == STGM_BLOCKING_TEXTBOOK)
		return 0;
	for (uint32_t l = k + 1; l < s->chains.count; l++)
		if (s->task[l].coreless)
			sum += heaviest_section(s, k, l) * ceil_div(x, s->task[l].chain->task->period_ns);
	return sum;
}

static int128 interference_of(const struct stgm_state *s, uint32_t h, int64_t x)
{
	const struct stgm_task *t = &s->task[h];
	return (int128)stgm_whole(s, h, t->kernels) * ceil_div(x, t->chain->task->period_ns);
}

int64_t stgm_response(
	const struct stgm_state *s, uint32_t k, bool beyond, int64_t *blocking, int64_t *interference)
{
	const struct stgm_task *t = &s->task[k];
	int64_t own = stgm_whole(s, k, t->kernels), x = own;
	if (own == NO_BOUND)
		return NO_BOUND;
	int128 at_first = blocking_at_first(s, k);
	for (uint32_t steps = 0;;) {
		if (x > t->chain->task->deadline_ns && (!beyond || steps++ == WINDOW_PATIENCE))
			return NO_BOUND;
		int128 blocked = at_first + blocking_later(s, k, x), next = own + blocked;
		for (uint32_t h = 0; h < k; h++)
			next += interference_of(s, h, x);
		if (next >= NO_BOUND)
			return NO_BOUND;
		if (next <= x) {
			if (blocking)
				*blocking = (int64_t)blocked;
			for (uint32_t h = 0; interference && h < k; h++)
				interference[s->chains.order[h]] = (int64_t)interference_of(s, h, x);
			return x;
		}
		x = (int64_t)next;
	}
}
