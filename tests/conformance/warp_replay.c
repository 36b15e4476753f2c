/* tests/conformance/warp_replay.c - a run once more, cycle by cycle, as its rows say it went: which warps
 * were ready, what the counters stood at, where the cycles went. warp_choice.c says which warp the scheduler
 * must have issued. */
#include "tests/conformance/warp_replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the state of a warp ---- */

static const struct warp_instruction *next_of(const struct replay *r, const struct there *t)
{
	return &r->s->program[t->life->kernel][t->next];
}

static uint32_t unit_of(const struct warp_step *step)
{
	return step->kind == STEP_BARRIER   ? WARP_UNITS
	       : step->kind == STEP_COMPUTE ? step->unit
					    : WARP_MEMORY;
}

enum condition warp_condition(const struct replay *r, const struct there *t)
{
	uint32_t kernel = t->life->kernel;
	if (t->next >= r->s->length[kernel])
		return t->last_result <= r->now ? GONE : ENDING;
	if (t->stay->there > r->now)
		return AWAY;
	if (*t->barrier_until > r->now)
		return AT_BARRIER;
	const struct warp_instruction *i = next_of(r, t);
	size_t operand = i->distance > 0 && i->distance <= t->next ? t->next - i->distance : t->next;
	if (operand < t->next && t->life->rows[operand]->result > r->now)
		return r->s->program[kernel][operand].step->kind == STEP_LOAD ? ON_MEMORY : ON_RESULT;
	if (r->sms[t->stay->sm].held >> kernel & 1)
		return HELD;
	uint32_t unit = unit_of(i->step);
	return unit < WARP_UNITS && r->cores[t->core].unit_free[unit] > r->now ? NO_UNIT : READY;
}

/* ---- quotas ---- */

static bool used_up(const struct counters *q, uint32_t kernels)
{
	for (uint32_t k = 0; kernels >> k; k++)
		if (kernels >> k & 1 && q->c[k] > 0)
			return false;
	return true;
}

static void add_once(struct counters *q, uint32_t kernel)
{
	/* A quota below 1 is a breach of the law of quotas; here it only must not keep the rules busy for
	 * ever. */
	if (q->quota[kernel] < 1)
		q->quota[kernel] = INT32_MAX;
	q->c[kernel] += q->quota[kernel];
	q->added[kernel] += q->quota[kernel];
}

/* The rules in between, by the letter. */
static void settle(struct replay *r, struct counters *q)
{
	uint32_t kernels = r->s->scene->warps.kernel_count, goals = warp_seen_goals(r->s) & q->here;
	enum warp_manager manager = r->s->scene->options.manager;
	if (!warp_seen_has_quotas(r->s))
		return;
	if (manager == MANAGER_ELASTIC) {
		while (q->here && used_up(q, q->here))
			for (uint32_t k = 0; k < kernels; k++)
				if (q->here >> k & 1)
					add_once(q, k);
	} else if (used_up(q, goals)) {
		for (uint32_t k = 0; k < kernels; k++)
			while ((q->here & ~goals) >> k & 1 && q->c[k] <= 0)
				add_once(q, k);
	}
	q->held = 0;
	for (uint32_t k = 0; k < kernels; k++) {
		bool waits = manager == MANAGER_ROLLOVER_TIME && !(warp_seen_goals(r->s) >> k & 1) &&
			     !used_up(q, goals);
		q->held |= (q->c[k] <= 0 || waits ? UINT32_C(1) : 0) << k;
	}
}

static void look_who_is_here(struct replay *r)
{
	for (uint32_t sm = 0; sm < r->s->scene->platform.sms; sm++)
		r->sms[sm].here = 0;
	for (size_t i = 0; i < r->next_stay; i++) {
		const struct warp_stay *stay = &r->s->stays[i];
		if (stay->end > r->now && stay->leave > r->now)
			r->sms[stay->sm].here |= UINT32_C(1) << stay->kernel;
	}
}

/* An epoch ends: what the rows say of its counters and idle warps must be what has been counted. */
static void end_epoch(struct replay *r)
{
	for (uint32_t sm = 0; sm < r->s->scene->platform.sms; sm++) {
		for (uint32_t k = 0; k < r->s->scene->warps.kernel_count; k++) {
			const struct warp_epoch_quota *row = warp_seen_quota(r->s, r->epoch, sm, k);
			struct counters *q = &r->sms[sm];
			if (warp_seen_has_quotas(r->s) &&
				(row->counter_end != q->c[k] || row->added != q->added[k]))
				warp_broken(&r->verdict[FINDING_COUNTERS],
					"epoch %u, kernel %u on SM %u: C is %" PRId64 " with %" PRId64
					" added, not %" PRId64 " with %" PRId64,
					r->epoch, k, sm, row->counter_end, row->added, q->c[k], q->added[k]);
			if (row->idle_sum != q->idle[k])
				warp_broken(&r->verdict[FINDING_IDLE],
					"epoch %u, kernel %u on SM %u: %u idle warps, not %" PRId64, r->epoch,
					k, sm, row->idle_sum, q->idle[k]);
			q->idle[k] = 0;
		}
	}
}

static void begin_epoch(struct replay *r)
{
	enum warp_manager manager = r->s->scene->options.manager;
	bool rolls = manager == MANAGER_ROLLOVER || manager == MANAGER_ROLLOVER_TIME;
	for (uint32_t sm = 0; sm < r->s->scene->platform.sms && warp_seen_has_quotas(r->s); sm++) {
		for (uint32_t k = 0; k < r->s->scene->warps.kernel_count; k++) {
			const struct warp_epoch_quota *row = warp_seen_quota(r->s, r->epoch, sm, k);
			struct counters *q = &r->sms[sm];
			bool keeps = rolls && warp_seen_goals(r->s) >> k & 1 && q->c[k] > 0;
			q->quota[k] = row->quota;
			q->c[k] = (keeps ? q->c[k] : 0) + row->quota;
			q->added[k] = 0;
			if (row->counter_start != q->c[k])
				warp_broken(&r->verdict[FINDING_COUNTERS],
					"epoch %u, kernel %u on SM %u begins with C = %" PRId64
					", not %" PRId64,
					r->epoch, k, sm, row->counter_start, q->c[k]);
		}
	}
}

/* ---- blocks come and go ---- */

static void remove_gone(struct replay *r, uint32_t sm)
{
	size_t kept = 0;
	for (size_t i = 0; i < r->count[sm]; i++) {
		struct there *t = &r->warps[sm][i];
		bool gone = t->stay->end <= r->now || t->stay->leave < r->now || warp_condition(r, t) == GONE;
		if (!gone)
			r->warps[sm][kept++] = *t;
	}
	r->count[sm] = kept;
}

static void leave_now(struct replay *r, uint32_t sm)
{
	size_t kept = 0;
	for (size_t i = 0; i < r->count[sm]; i++)
		if (r->warps[sm][i].stay->leave != r->now)
			r->warps[sm][kept++] = r->warps[sm][i];
	r->count[sm] = kept;
}

static void come(struct replay *r, const struct warp_stay *stay)
{
	uint32_t cores = r->s->scene->warps.machine.sub_cores;
	for (uint32_t w = 0; w < r->s->warps[stay->kernel]; w++) {
		const struct warp_life *life = warp_seen_life(r->s, stay->kernel, stay->job, stay->block, w);
		size_t index = (size_t)(life - r->s->lives);
		struct there t = {
			.life = life,
			.stay = stay,
			.index = index,
			.progress = &r->progress[index],
			.barrier_until = &r->barrier_until[index],
			.block = &r->blocks[index - w],
			.next = r->progress[index],
			.age = stay->arrival + w,
			.core = (uint32_t)(stay->sm * cores + (stay->arrival + w) % cores),
		};
		t.ticket = r->cores[t.core].tickets++;
		if (!stay->again && w == 0)
			*t.block = (struct at_block){.issuing = r->s->warps[stay->kernel]};
		for (size_t n = 0; n < t.next; n++)
			t.last_result =
				life->rows[n]->result > t.last_result ? life->rows[n]->result : t.last_result;
		/* Whoever has issued everything stays away. */
		if (t.next < r->s->length[stay->kernel])
			r->warps[stay->sm][r->count[stay->sm]++] = t;
	}
}

/* ---- a cycle of a sub-core ---- */

static void open_barrier(struct replay *r, uint32_t sm, const struct at_block *block)
{
	for (size_t i = 0; i < r->count[sm]; i++)
		if (r->warps[sm][i].block == block && *r->warps[sm][i].barrier_until == WARP_NEVER)
			*r->warps[sm][i].barrier_until = r->now + 1;
}

static void apply(struct replay *r, uint32_t sm, struct there *t, const struct warp_issue *row)
{
	struct core *core = &r->cores[t->core];
	struct counters *q = &r->sms[sm];
	const struct warp_step *step = next_of(r, t)->step;
	uint32_t unit = unit_of(step);
	if (unit < WARP_UNITS)
		core->unit_free[unit] = r->now + r->s->scene->warps.machine.interval[unit];
	t->next = ++*t->progress;
	t->last_result = row->result > t->last_result ? row->result : t->last_result;
	t->last_result = t->last_result > r->now + 1 ? t->last_result : r->now + 1;
	if (warp_seen_is_last(r->s, row))
		t->block->issuing--;
	else if (step->kind == STEP_BARRIER) {
		*t->barrier_until = WARP_NEVER;
		if (++t->block->waiting == t->block->issuing) {
			t->block->waiting = 0;
			open_barrier(r, sm, t->block);
		}
	}
	core->last_age = t->age;
	core->last_cycle = r->now;
	core->last_group = r->s->scene->options.budget[row->kernel];
	q->c[row->kernel] -= row->threads;
	if (warp_seen_has_quotas(r->s) && q->c[row->kernel] < -31)
		warp_broken(&r->verdict[FINDING_COUNTERS],
			"kernel %u on SM %u at %" PRId64 ": C falls to %" PRId64, row->kernel, sm, r->now,
			q->c[row->kernel]);
	settle(r, q);
}

/* Where a cycle without an issue goes. */
static enum warp_slot slot_of(const struct replay *r, uint32_t sm, uint32_t index)
{
	static const enum warp_slot slots[] = {
		[READY] = SLOT_SCHEDULER,
		[HELD] = SLOT_QUOTA,
		[NO_UNIT] = SLOT_UNIT,
		[ON_MEMORY] = SLOT_MEMORY,
		[ON_RESULT] = SLOT_DEPENDENCE,
		[AT_BARRIER] = SLOT_BARRIER,
		[AWAY] = SLOT_SWAP,
		[ENDING] = SLOT_ENDING,
		[GONE] = SLOT_ENDING,
	};
	enum warp_slot first = SLOT_EMPTY;
	for (size_t i = 0; i < r->count[sm]; i++) {
		if (r->warps[sm][i].core != index)
			continue;
		enum warp_slot slot = slots[warp_condition(r, &r->warps[sm][i])];
		if (first == SLOT_EMPTY || slot < first)
			first = slot;
	}
	return first;
}

static struct there *warp_of(struct replay *r, uint32_t sm, uint32_t core, const struct warp_issue *row)
{
	for (size_t i = 0; i < r->count[sm]; i++) {
		struct there *t = &r->warps[sm][i];
		if (t->core == core && t->life->kernel == row->kernel && t->life->job == row->job &&
			t->life->block == row->block && t->life->warp == row->warp)
			return t;
	}
	return NULL;
}

static void issued(struct replay *r, uint32_t sm, uint32_t index, const struct there *must)
{
	static const char *const why[] = {
		[HELD] = "the manager does not let it",
		[NO_UNIT] = "its unit accepts nothing",
		[ON_MEMORY] = "its operand is not there",
		[ON_RESULT] = "its operand is not there",
		[AT_BARRIER] = "it is at a barrier",
		[AWAY] = "its context is not there",
		[ENDING] = "it has no more",
		[GONE] = "it has ended",
	};
	const struct warp_issue *row = r->row++;
	struct there *t = warp_of(r, sm, index, row);
	r->rows_left--;
	r->cores[index].slots[SLOT_ISSUED]++;
	enum condition c = t ? warp_condition(r, t) : GONE;
	if (c != READY)
		warp_broken(&r->verdict[FINDING_READINESS],
			"kernel %u block %u warp %u instruction %u at %" PRId64 ": %s", row->kernel,
			row->block, row->warp, row->number, row->cycle, why[c]);
	if (!t || c == ENDING || c == GONE)
		return;
	if (c == READY && must != t)
		warp_broken(&r->verdict[FINDING_CHOICE],
			"sub-core %u at %" PRId64
			": kernel %u block %u warp %u, not kernel %d block %d warp %d",
			index, r->now, row->kernel, row->block, row->warp,
			must ? (int)must->life->kernel : -1, must ? (int)must->life->block : -1,
			must ? (int)must->life->warp : -1);
	warp_count_turns(r, sm, index, t);
	apply(r, sm, t, row);
}

static void sub_core(struct replay *r, uint32_t sm, uint32_t core)
{
	uint32_t index = sm * r->s->scene->warps.machine.sub_cores + core;
	const struct there *must = warp_must_issue(r, sm, index);
	if (r->rows_left > 0 && r->row->cycle == r->now && r->row->sm == sm && r->row->sub_core == core) {
		issued(r, sm, index, must);
		return;
	}
	struct there *ready = warp_oldest_ready(r, sm, index, 0);
	bool conserves = r->s->scene->options.scheduler != SCHEDULE_TWO_LEVEL;
	if (ready && conserves)
		warp_broken(&r->verdict[FINDING_WORK],
			"sub-core %u at %" PRId64 ": kernel %u block %u warp %u is ready, and nothing issued",
			index, r->now, ready->life->kernel, ready->life->block, ready->life->warp);
	if (must)
		warp_broken(&r->verdict[FINDING_CHOICE],
			"sub-core %u at %" PRId64 ": nothing, not kernel %u block %u warp %u", index, r->now,
			must->life->kernel, must->life->block, must->life->warp);
	r->cores[index].slots[slot_of(r, sm, index)]++;
	warp_count_turns(r, sm, index, NULL);
}

/* ---- a cycle ---- */

static void sample(struct replay *r)
{
	int64_t since = r->now - r->s->epoch_starts[r->epoch], epoch = r->s->scene->options.epoch;
	int64_t samples = r->s->scene->options.samples, step = epoch / samples > 1 ? epoch / samples : 1;
	if (since % step != 0 || since / step >= samples)
		return;
	for (uint32_t sm = 0; sm < r->s->scene->platform.sms; sm++) {
		for (size_t i = 0; i < r->count[sm]; i++) {
			const struct there *t = &r->warps[sm][i];
			enum condition c = warp_condition(r, t);
			const struct core *core = &r->cores[t->core];
			bool was_issued = core->last_cycle == r->now && core->last_age == t->age;
			r->sms[sm].idle[t->life->kernel] += (c == READY || c == NO_UNIT) && !was_issued;
		}
	}
}

static void cycle(struct replay *r)
{
	const struct warp_seen *s = r->s;
	uint32_t sms = s->scene->platform.sms;
	for (uint32_t sm = 0; sm < sms; sm++)
		remove_gone(r, sm);
	for (; r->next_stay < s->stay_count && s->stays[r->next_stay].start <= r->now; r->next_stay++)
		come(r, &s->stays[r->next_stay]);
	for (uint32_t sm = 0; sm < sms; sm++)
		leave_now(r, sm);
	if (r->epoch + 1 < s->epochs && s->epoch_starts[r->epoch + 1] == r->now) {
		end_epoch(r);
		r->epoch++;
		begin_epoch(r);
	}
	look_who_is_here(r);
	for (uint32_t sm = 0; sm < sms; sm++)
		settle(r, &r->sms[sm]);
	for (uint32_t sm = 0; sm < sms; sm++)
		for (uint32_t c = 0; c < s->scene->warps.machine.sub_cores; c++)
			sub_core(r, sm, c);
	sample(r);
	/* A row that nobody has taken belongs to no sub-core. */
	for (; r->rows_left > 0 && r->row->cycle <= r->now; r->rows_left--, r->row++)
		warp_broken(&r->verdict[FINDING_READINESS], "a row at %" PRId64 " is of no sub-core",
			r->row->cycle);
}

static void check_slots(struct replay *r)
{
	uint32_t cores = r->s->scene->platform.sms * r->s->scene->warps.machine.sub_cores;
	for (uint32_t c = 0; c < cores; c++)
		for (size_t i = 0; i < WARP_SLOTS; i++)
			if (r->s->run->slots[c * WARP_SLOTS + i] != r->cores[c].slots[i])
				warp_broken(&r->verdict[FINDING_SLOTS],
					"sub-core %u: %" PRId64 " cycles in slot %zu, not %" PRId64, c,
					r->s->run->slots[c * WARP_SLOTS + i], i, r->cores[c].slots[i]);
}

static void *zeroed(size_t count, size_t size)
{
	void *memory = calloc(count + 1, size);
	if (!memory)
		abort();
	return memory;
}

static struct replay *make(const struct warp_seen *s)
{
	struct replay *r = zeroed(1, sizeof(*r));
	r->s = s;
	r->blocks = zeroed(s->life_count, sizeof(*r->blocks));
	r->progress = zeroed(s->life_count, sizeof(*r->progress));
	r->barrier_until = zeroed(s->life_count, sizeof(*r->barrier_until));
	for (uint32_t sm = 0; sm < s->scene->platform.sms; sm++)
		r->warps[sm] = zeroed(s->life_count + WARPS_PER_SM_MAX, sizeof(**r->warps));
	for (size_t i = 0; i < CORES_MAX; i++) {
		r->cores[i].last_age = r->cores[i].last_index = UINT64_MAX;
		r->cores[i].last_cycle = -1;
	}
	r->row = s->run->issues;
	r->rows_left = s->run->issues_count;
	return r;
}

/* ---- all of it ---- */

void warp_seen_replay(struct warp_seen *s)
{
	struct replay *r = make(s);
	uint32_t sms = s->scene->platform.sms;
	r->verdict = s->found;
	if (s->epochs > 0)
		begin_epoch(r);
	for (; r->now < s->run->cycles && r->now < s->cut; r->now++)
		cycle(r);
	if (s->cut >= s->run->cycles && s->epochs > 0) {
		end_epoch(r);
		check_slots(r);
	}
	for (uint32_t sm = 0; sm < sms; sm++)
		free(r->warps[sm]);
	free(r->blocks);
	free(r->progress);
	free(r->barrier_until);
	free(r);
}

#define FOUND(law, finding)                                                                                  \
	void law(const struct warp_seen *s, struct warp_breach *v)                                           \
	{                                                                                                    \
		*v = s->found[finding];                                                                      \
	}
FOUND(warp_readiness, FINDING_READINESS)
FOUND(warp_counters, FINDING_COUNTERS)
FOUND(warp_work_conserved, FINDING_WORK)
FOUND(warp_choice, FINDING_CHOICE)
FOUND(warp_slots, FINDING_SLOTS)
FOUND(warp_idle_warps, FINDING_IDLE)
FOUND(warp_turns, FINDING_TURNS)
