/* models/power.c - see models/power.h. P = P_s + sum P_d,i(m_i) + P_idle (M - m) while an SM is
 * active, P_s otherwise (sBEET, section III.D, eq. 1-5).
 *
 * A record of blocks changes at once which kernels are on an SM. The power is computed only when time goes
 * on, once for each SM that changed. */
#include "models/power.h"

#include "base/checked.h"
#include "models/kernel.h"

#define NOBODY UINT32_MAX

static bool kernel_takes_power(
	const struct platform *platform, const struct taskset *set, const struct segment *s)
{
	for (uint32_t m = 1; m <= platform->sms; m++)
		if (kernel_dynamic_power(platform, set, s, m))
			return true;
	return false;
}

static bool given_on(const struct platform *platform, const struct taskset *set)
{
	if (platform->sms == 0)
		return platform->static_uw != 0;
	if (platform->static_uw || platform->idle_per_sm_uw)
		return true;
	for (uint32_t i = 0; i < set->task_count; i++)
		for (uint32_t j = 0; j < set->tasks[i].segment_count; j++) {
			const struct segment *s = &set->tasks[i].segments[j];
			if (s->kind == SEGMENT_KERNEL && kernel_takes_power(platform, set, s))
				return true;
		}
	return false;
}

bool power_given(const struct platform *platform, const struct taskset *set)
{
	bool given = false;
	for (uint32_t g = 0; g < platform_gpus(platform); g++)
		given = given || given_on(platform_gpu(platform, g), set);
	return given;
}

/* The largest number of SMs on which the kernel's dynamic power is negative; 0: none. */
static uint32_t below_idle(
	const struct platform *platform, const struct taskset *set, const struct segment *s)
{
	uint32_t most = s->kind == SEGMENT_KERNEL && s->form == KERNEL_PROFILE ? platform->sms : 0;
	while (most > 0 && kernel_dynamic_power(platform, set, s, most) >= 0)
		most--;
	return most;
}

bool power_below_idle(const struct platform *platform, const struct taskset *set, uint32_t *task,
	uint32_t *segment, uint32_t *most)
{
	*most = 0;
	for (uint32_t i = 0; i < set->task_count; i++)
		for (uint32_t j = 0; j < set->tasks[i].segment_count; j++) {
			const struct segment *s = &set->tasks[i].segments[j];
			uint32_t sms = below_idle(platform_gpu(platform, s->gpu), set, s);
			if (sms <= *most)
				continue;
			*task = i;
			*segment = j;
			*most = sms;
		}
	return *most > 0;
}

/* Numbers the kernels that may be on the GPU at a time by task, then segment. */
static bool count_kernels(struct power *p, struct arena *arena)
{
	bool alone = true;
	p->kernel_count = p->set->task_count;
	p->first = arena_new(arena, uint32_t, (size_t)p->set->task_count + 1);
	if (!p->first)
		return false;
	for (uint32_t i = 0; i < p->set->task_count; i++) {
		const struct task *t = &p->set->tasks[i];
		p->first[i] = i + p->kernel_count - p->set->task_count;
		for (uint32_t j = 0; j < t->segment_count; j++)
			p->kernel_count += t->segments[j].async && t->segments[j].kind == SEGMENT_KERNEL;
		alone = alone && p->kernel_count == p->set->task_count;
	}
	p->first[p->set->task_count] = p->kernel_count;
	p->first = alone ? NULL : p->first;
	return true;
}

static uint32_t kernel_of(const struct power *p, const struct trace_record *r)
{
	if (!p->first)
		return r->task;
	const struct task *t = &p->set->tasks[r->task];
	uint32_t at = p->first[r->task];
	if (!t->segments[r->segment].async)
		return p->first[r->task + 1] - 1;
	for (uint32_t j = 0; j < r->segment; j++)
		at += t->segments[j].async && t->segments[j].kind == SEGMENT_KERNEL;
	return at;
}

bool power_init(struct power *p, struct arena *arena, const struct platform *platform,
	const struct taskset *set, power_interval_fn *interval, void *self)
{
	uint32_t sms = platform->pool == POOL_GPU || platform->sms == 0 ? 1 : platform->sms;
	*p = (struct power){
		.platform = platform,
		.set = set,
		.interval = interval,
		.self = self,
		.power_uw = platform->static_uw,
	};
	if (!count_kernels(p, arena))
		return false;
	p->kernels = arena_new(arena, struct power_kernel, p->kernel_count);
	p->sms = arena_new(arena, struct power_sm, sms);
	p->shares = arena_new(arena, struct power_share, (size_t)p->kernel_count * sms);
	p->changed_sms = arena_new(arena, uint32_t, sms);
	if (!p->kernels || !p->sms || !p->shares || !p->changed_sms)
		return false;
	for (uint32_t i = 0; i < sms; i++)
		p->sms[i].first = NOBODY;
	return true;
}

/* From the instant of the last records on, the task's kernel takes `uw` more. */
static void charge(struct power *p, struct power_kernel *k, int64_t uw)
{
	k->energy_uwns += (int128)k->dynamic_uw * (p->changed - k->since);
	k->since = p->changed;
	k->dynamic_uw += uw;
	p->dynamic_uw += uw;
}

/* ---- who is on an SM ---- */

static bool alone_on_all(const struct power_kernel *k)
{
	return k->active == k->sms && k->shared == 0;
}

/* A kernel that is alone on all its SMs takes P_d(m), not m times the rounded share of one SM (pool sm). */
static void kernel_changes(struct power *p, uint32_t task, int active, int shared)
{
	struct power_kernel *k = &p->kernels[task];
	bool before = alone_on_all(k);
	k->active = (uint32_t)((int)k->active + active);
	k->shared = (uint32_t)((int)k->shared + shared);
	if (k->correction_uw && alone_on_all(k) != before)
		charge(p, k, before ? -k->correction_uw : k->correction_uw);
}

/* The position of the task in the ascending list of tasks on an SM, or where it would be inserted. */
static uint32_t *place_on(struct power_sm *sm, struct power_share *shares, uint32_t task)
{
	uint32_t *at = &sm->first;
	while (*at < task)
		at = &shares[*at].next;
	return at;
}

static void first_block(struct power *p, struct power_sm *sm, struct power_share *shares, uint32_t task)
{
	if (sm->kernels == 1)
		kernel_changes(p, sm->first, 0, 1);
	uint32_t *at = place_on(sm, shares, task);
	shares[task].next = *at;
	*at = task;
	p->active_sms += sm->kernels++ == 0;
	kernel_changes(p, task, 1, sm->kernels > 1);
}

static void last_block(struct power *p, struct power_sm *sm, struct power_share *shares, uint32_t task)
{
	charge(p, &p->kernels[task], -shares[task].dynamic_uw);
	shares[task].dynamic_uw = 0;
	*place_on(sm, shares, task) = shares[task].next;
	kernel_changes(p, task, -1, sm->kernels > 1 ? -1 : 0);
	p->active_sms -= --sm->kernels == 0;
	if (sm->kernels == 1)
		kernel_changes(p, sm->first, 0, -1);
}

/* If only one kernel is on the SM, its power does not depend on the number of blocks. */
static void note_change(struct power *p, struct power_sm *sm, bool first_or_last)
{
	if (sm->changed || (!first_or_last && sm->kernels == 1 && p->platform->pool == POOL_SM))
		return;
	sm->changed = true;
	p->changed_sms[p->changed_count++] = (uint32_t)(sm - p->sms);
}

static void count_blocks(struct power *p, const struct trace_record *r, bool start)
{
	uint32_t at = p->platform->pool == POOL_GPU ? 0 : r->index;
	struct power_sm *sm = &p->sms[at];
	struct power_share *shares = &p->shares[(size_t)at * p->kernel_count];
	uint32_t kernel = kernel_of(p, r);
	struct power_share *here = &shares[kernel];
	int64_t blocks = start ? r->count : -(int64_t)r->count;
	bool first = here->blocks == 0;

	here->blocks = (uint32_t)(here->blocks + blocks);
	here->threads = (uint64_t)((int64_t)here->threads + blocks * r->threads);
	sm->blocks = (uint32_t)(sm->blocks + blocks);
	sm->threads = (uint64_t)((int64_t)sm->threads + blocks * r->threads);
	if (first)
		first_block(p, sm, shares, kernel);
	else if (here->blocks == 0)
		last_block(p, sm, shares, kernel);
	note_change(p, sm, first || here->blocks == 0);
}

static void kernel_starts(struct power *p, const struct trace_record *r)
{
	struct power_kernel *k = &p->kernels[kernel_of(p, r)];
	const struct segment *s = &p->set->tasks[r->task].segments[r->segment];
	if (r->block != 0)
		return;
	int64_t whole = kernel_dynamic_power(p->platform, p->set, s, r->m);
	k->sms = r->m;
	k->per_sm_uw = div_half_even(whole, r->m);
	k->correction_uw = p->platform->pool == POOL_GPU ? 0 : whole - k->per_sm_uw * r->m;
}

/* ---- what it takes ---- */

/* The power of an SM is the rounded mean of its kernels' per-SM powers, weighted by threads, or by blocks if
 * there are no threads. `each`: the number of SMs that it stands for (pool gpu: the active ones; their blocks
 * are kept as those of one SM). To divide it: the part of a task is the mean up to and including this task,
 * rounded, less the same up to the task before. These parts add up to the rounded mean, and each is within 1
 * uW of its exact value. */
static void divide(struct power *p, const struct power_sm *sm, int64_t each)
{
	struct power_share *shares = &p->shares[(size_t)(sm - p->sms) * p->kernel_count];
	int128 sum = 0, weights = sm->threads ? (int128)sm->threads : sm->blocks;
	int64_t before = 0;
	for (uint32_t task = sm->first; task != NOBODY; task = shares[task].next) {
		struct power_share *share = &shares[task];
		struct power_kernel *k = &p->kernels[task];
		sum += k->per_sm_uw * (int128)(sm->threads ? share->threads : share->blocks);
		int64_t with = sm->kernels == 1 ? k->per_sm_uw : div_half_even(sum, weights);
		int64_t dynamic = (with - before) * each;
		before = with;
		charge(p, k, dynamic - share->dynamic_uw);
		share->dynamic_uw = dynamic;
	}
}

static void divide_changed(struct power *p)
{
	bool pooled = p->platform->pool == POOL_GPU;
	if (pooled && p->changed_count) /* where pool sm counts the sms[] with kernels */
		p->active_sms = (uint32_t)ceil_div((int64_t)p->sms[0].threads, p->platform->threads_per_sm);
	for (uint32_t i = 0; i < p->changed_count; i++) {
		struct power_sm *sm = &p->sms[p->changed_sms[i]];
		sm->changed = false;
		divide(p, sm, pooled ? p->active_sms : 1);
	}
	p->changed_count = 0;
}

/* ---- over time ---- */

static int64_t power_now(const struct power *p)
{
	if (p->active_sms == 0)
		return p->platform->static_uw;
	return p->platform->static_uw + p->dynamic_uw +
	       p->platform->idle_per_sm_uw * (p->platform->sms - p->active_sms);
}

/* Ends the interval [since, changed), the one before the records of instant `changed`. */
static bool end_interval(struct power *p)
{
	if (p->changed == p->since)
		return true;
	int64_t start = p->since, length = p->changed - start;
	p->energy_uwns += (int128)p->power_uw * length;
	p->active_ns += p->shown_active ? length : 0;
	p->sm_active_ns += (int128)p->shown_active * length;
	p->since = p->changed;
	return !p->interval || p->interval(p->self, start, p->changed, p->power_uw, p->shown_active,
				       p->platform->sms - p->shown_active);
}

/* Time goes on to `now`. The power that follows from all records of one instant holds from that instant on.
 * Instants that do not change the power do not cut an interval. */
static bool advance(struct power *p, int64_t now)
{
	if (now == p->changed)
		return true;
	divide_changed(p);
	int64_t due = power_now(p);
	if (due != p->power_uw || p->active_sms != p->shown_active) {
		if (!end_interval(p))
			return false;
		p->power_uw = due;
		p->shown_active = p->active_sms;
	}
	p->changed = now;
	return true;
}

bool power_observe(void *power, const struct trace_record *records, size_t count)
{
	struct power *p = power;
	for (size_t i = 0; i < count; i++) {
		const struct trace_record *r = &records[i];
		if ((r->kind != TRACE_BLOCKS_START && r->kind != TRACE_BLOCKS_END) ||
			r->gpu != p->platform->gpu)
			continue;
		if (!advance(p, r->time))
			return false;
		if (r->kind == TRACE_BLOCKS_START)
			kernel_starts(p, r);
		count_blocks(p, r, r->kind == TRACE_BLOCKS_START);
	}
	return true;
}

bool power_end(struct power *p, int64_t end_ns)
{
	if (!advance(p, end_ns) || !end_interval(p))
		return false;
	for (uint32_t i = 0; i < p->kernel_count; i++)
		charge(p, &p->kernels[i], 0);
	return true;
}

int128 power_task_energy(const struct power *p, uint32_t task)
{
	uint32_t from = p->first ? p->first[task] : task, to = p->first ? p->first[task + 1] : task + 1;
	int128 sum = 0;
	for (uint32_t i = from; i < to; i++)
		sum += p->kernels[i].energy_uwns;
	return sum;
}
