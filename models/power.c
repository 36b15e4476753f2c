/* models/power.c - see models/power.h. P = P_s + sum P_d,i(m_i) + P_idle (M - m) while an SM is
 * active, P_s otherwise (sBEET, section III.D, eq. 1-5). */
#include "base/checked.h"
#include "models/kernel.h"
#include "models/power.h"

bool power_given(const struct platform *platform, const struct taskset *set)
{
	if (platform->sms == 0)
		return platform->static_uw != 0;
	if (platform->static_uw || platform->idle_per_sm_uw)
		return true;
	for (uint32_t i = 0; i < set->task_count; i++)
		for (uint32_t j = 0; j < set->tasks[i].segment_count; j++) {
			const struct segment *s = &set->tasks[i].segments[j];
			if (s->kind == SEGMENT_KERNEL && kernel_dynamic_power(platform, set, s, platform->sms))
				return true;
		}
	return false;
}

bool power_init(struct power *p, struct arena *arena, const struct platform *platform, const struct taskset *set,
	power_interval_fn *interval, void *self)
{
	uint32_t sms = platform->pool == POOL_GPU || platform->sms == 0 ? 1 : platform->sms;
	*p = (struct power){ .platform = platform, .set = set, .interval = interval, .self = self,
		.power_uw = platform->static_uw };
	p->kernels = arena_new(arena, struct power_kernel, set->task_count);
	p->sms = arena_new(arena, struct power_sm, sms);
	p->on_sm = arena_new(arena, uint32_t, (size_t)set->task_count * sms);
	return p->kernels && p->sms && p->on_sm;
}

/* ---- pool sm ---- */

static int64_t mean_power(const struct power_sm *sm)
{
	if (sm->blocks == 0)
		return 0;
	return sm->threads ? div_half_even(sm->by_threads, (int128)sm->threads)
			   : div_half_even(sm->by_blocks, sm->blocks);
}

/* A kernel alone on all its SMs counts P_d(m), not m times the rounded share of one SM. */
static int64_t correction(const struct power_kernel *k)
{
	return k->active == k->sms && k->shared == 0 ? k->whole_uw - k->per_sm_uw * k->sms : 0;
}

static void kernel_changes(struct power *p, uint32_t task, int active, int shared)
{
	struct power_kernel *k = &p->kernels[task];
	p->dynamic_uw -= k->active ? correction(k) : 0;
	k->active = (uint32_t)((int)k->active + active);
	k->shared = (uint32_t)((int)k->shared + shared);
	p->dynamic_uw += k->active ? correction(k) : 0;
}

static void first_block(struct power *p, struct power_sm *sm, uint32_t task)
{
	if (sm->kernels == 1)
		kernel_changes(p, (uint32_t)sm->tasks, 0, 1);
	if (sm->kernels++ == 0)
		p->active_sms++;
	sm->tasks += task;
	kernel_changes(p, task, 1, sm->kernels > 1);
}

static void last_block(struct power *p, struct power_sm *sm, uint32_t task)
{
	kernel_changes(p, task, -1, sm->kernels > 1 ? -1 : 0);
	sm->tasks -= task;
	if (--sm->kernels == 0)
		p->active_sms--;
	if (sm->kernels == 1)
		kernel_changes(p, (uint32_t)sm->tasks, 0, -1);
}

static void blocks_on_sm(struct power *p, const struct trace_record *r, bool start)
{
	struct power_sm *sm = &p->sms[r->index];
	uint32_t *here = &p->on_sm[(size_t)r->task * p->platform->sms + r->index];
	int64_t per_sm = p->kernels[r->task].per_sm_uw;
	int64_t blocks = start ? r->count : -(int64_t)r->count;

	if (start && *here == 0)
		first_block(p, sm, r->task);
	*here = (uint32_t)(*here + blocks);
	sm->blocks = (uint32_t)(sm->blocks + blocks);
	sm->threads = (uint64_t)((int64_t)sm->threads + blocks * r->threads);
	sm->by_threads += (int128)per_sm * blocks * r->threads;
	sm->by_blocks += (int128)per_sm * blocks;
	if (!start && *here == 0)
		last_block(p, sm, r->task);
	p->dynamic_uw -= sm->dynamic_uw;
	sm->dynamic_uw = mean_power(sm);
	p->dynamic_uw += sm->dynamic_uw;
}

/* ---- pool gpu ---- */

static void blocks_on_gpu(struct power *p, const struct trace_record *r, bool start)
{
	struct power_sm *gpu = &p->sms[0];
	int64_t threads = (int64_t)r->count * r->threads;
	if (!start)
		threads = -threads;
	gpu->threads = (uint64_t)((int64_t)gpu->threads + threads);
	gpu->by_threads += (int128)p->kernels[r->task].per_sm_uw * threads;
	p->active_sms = (uint32_t)ceil_div((int64_t)gpu->threads, p->platform->threads_per_sm);
	p->dynamic_uw = gpu->threads == 0 ? 0
		: div_half_even(gpu->by_threads, (int128)gpu->threads) * p->active_sms;
}

/* ---- both ---- */

static void kernel_starts(struct power *p, const struct trace_record *r)
{
	struct power_kernel *k = &p->kernels[r->task];
	const struct segment *s = &p->set->tasks[r->task].segments[r->segment];
	if (r->block != 0)
		return;
	k->sms = r->m;
	k->whole_uw = kernel_dynamic_power(p->platform, p->set, s, r->m);
	k->per_sm_uw = div_half_even(k->whole_uw, r->m);
}

static int64_t power_now(const struct power *p)
{
	if (p->active_sms == 0)
		return p->platform->static_uw;
	return p->platform->static_uw + p->dynamic_uw +
		p->platform->idle_per_sm_uw * (p->platform->sms - p->active_sms);
}

/* Ends the interval [since, changed) that was going on before the records of `changed`. */
static bool end_interval(struct power *p)
{
	if (p->changed == p->since)
		return true;
	p->energy_uwns += (int128)p->power_uw * (p->changed - p->since);
	int64_t start = p->since;
	p->since = p->changed;
	return !p->interval || p->interval(p->self, start, p->changed, p->power_uw, p->shown_active,
		p->platform->sms - p->shown_active);
}

/* Time goes on to `now`: what the records of one instant made of the power holds from that instant
 * on. Instants that change nothing do not cut an interval. */
static bool advance(struct power *p, int64_t now)
{
	int64_t due = power_now(p);
	if (now == p->changed)
		return true;
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
		if (r->kind != TRACE_BLOCKS_START && r->kind != TRACE_BLOCKS_END)
			continue;
		if (!advance(p, r->time))
			return false;
		if (r->kind == TRACE_BLOCKS_START)
			kernel_starts(p, r);
		if (p->platform->pool == POOL_GPU)
			blocks_on_gpu(p, r, r->kind == TRACE_BLOCKS_START);
		else
			blocks_on_sm(p, r, r->kind == TRACE_BLOCKS_START);
	}
	return true;
}

bool power_end(struct power *p, int64_t end_ns)
{
	return advance(p, end_ns) && end_interval(p);
}
