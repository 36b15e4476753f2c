/* tests/oracle/contexts.c - the oracle's contexts: which process has the GPU in a tick, and what is frozen of
 * the others (docs/model.md, "Contexts"). */
#include <assert.h>
#include <string.h>

#include "tests/oracle/oracle_internal.h"

static bool owns_copies(const struct oracle *o)
{
	return o->policy->contexts == ORACLE_OWN_GPUS;
}

/* ---- processes ---- */

static uint32_t process_by_name(const struct oracle *o, uint32_t task, uint32_t next)
{
	const char *name = o->set->tasks[task].process;
	for (uint32_t other = 0; name && other < task; other++) {
		const char *its = o->set->tasks[other].process;
		if (its && strcmp(its, name) == 0)
			return o->tasks[other].process;
	}
	return next;
}

void oracle_make_contexts(struct oracle *o)
{
	struct contexts *c = &o->contexts;
	*c = (struct contexts){
		.holder = NOBODY,
		.loaded = NOBODY,
		.turn = NOBODY,
		.owner = NOBODY,
		.next_owner = NOBODY,
		.owned = NOBODY,
	};
	o->lock = NOBODY;
	for (uint32_t task = 0; o->policy->contexts != ORACLE_ONE_CONTEXT && task < o->set->task_count;
		task++) {
		o->tasks[task].process = process_by_name(o, task, c->count);
		c->count += o->tasks[task].process == c->count;
	}
}

bool oracle_higher_on_gpu(const struct oracle *o, uint32_t a, uint32_t b)
{
	const struct task *x = &o->set->tasks[a], *y = &o->set->tasks[b];
	if (!o->set->gpu_priorities)
		return o->tasks[a].rank < o->tasks[b].rank;
	return x->gpu_priority < y->gpu_priority || (x->gpu_priority == y->gpu_priority && a < b);
}

/* ---- what goes on ---- */

bool oracle_runs(const struct oracle *o, uint32_t task)
{
	return o->contexts.count == 0 || o->contexts.holder == (int)o->tasks[task].process;
}

bool oracle_may_start(const struct oracle *o, const struct operation_state *op)
{
	bool copy = oracle_segment(o, op)->kind == SEGMENT_COPY;
	if (o->contexts.count == 0 || (copy && !owns_copies(o)))
		return true;
	return oracle_runs(o, op->task) && o->contexts.change == STAYS;
}

bool oracle_same_engines(const struct oracle *o, uint32_t a, uint32_t b)
{
	return !owns_copies(o) || o->tasks[a].process == o->tasks[b].process;
}

bool oracle_switches(const struct oracle *o)
{
	return o->contexts.change == SWITCHES && o->contexts.over_at > o->now;
}

/* Is the operation the affair of contexts, and eligible or running? */
static bool is_active(const struct oracle *o, const struct operation_state *op)
{
	return op->place == IN_STREAM && op->entered &&
	       (owns_copies(o) || oracle_segment(o, op)->kind == SEGMENT_KERNEL);
}

void oracle_ask_for_holder(struct oracle *o, const struct operation_state *op)
{
	o->contexts.asked |= is_active(o, op);
}

static bool is_of(const struct oracle *o, const struct operation_state *op, int process)
{
	return (int)o->tasks[op->task].process == process;
}

static bool process_active(const struct oracle *o, int process)
{
	for (uint32_t i = 0; i < o->op_count; i++) {
		if (is_of(o, &o->ops[i], process) && is_active(o, &o->ops[i]))
			return true;
	}
	return false;
}

static bool is_running(const struct oracle *o, const struct operation_state *op)
{
	return is_active(o, op) && (op->copying || op->in_flight > 0);
}

static bool anything_runs(const struct oracle *o, int process)
{
	for (uint32_t i = 0; !o->contexts.arrives && i < o->op_count; i++) {
		if (is_of(o, &o->ops[i], process) && is_running(o, &o->ops[i]))
			return true;
	}
	return false;
}

/* ---- changes of the holder ---- */

static void has_gpu(struct oracle *o, int process)
{
	struct contexts *c = &o->contexts;
	c->change = STAYS;
	c->holder = process;
	if (process == NOBODY)
		return;
	c->loaded = c->turn = process;
	c->slice_since = o->now;
}

/* Running blocks and copies of the process are lost, but for those of aborted jobs. */
static void lose(struct oracle *o, int process)
{
	size_t kept = 0;
	for (size_t i = 0; i < o->live_count; i++) {
		const struct live_block *l = &o->live[i];
		struct operation_state *op = l->op;
		if (!is_of(o, op, process) || o->tasks[op->task].cut) {
			o->live[kept++] = *l;
			continue;
		}
		assert(l->block < 64);
		op->in_flight--;
		op->lost |= UINT64_C(1) << l->block;
		o->result->blocks[l->record].end = o->now;
	}
	o->live_count = kept;
	for (uint32_t i = 0; owns_copies(o) && i < o->op_count; i++) {
		struct operation_state *op = &o->ops[i];
		if (!is_of(o, op, process) || !op->copying || o->tasks[op->task].cut)
			continue;
		op->copying = false;
		o->result->intervals[op->record].end = o->now;
	}
}

static void begin_switch(struct oracle *o, int process, int64_t length)
{
	struct contexts *c = &o->contexts;
	c->holder = NOBODY;
	c->loaded = UNKNOWN;
	c->change = SWITCHES;
	c->target = process;
	c->over_at = o->now + length;
}

static void begin_change(struct oracle *o, int process, enum oracle_how how)
{
	struct contexts *c = &o->contexts;
	const struct context_times *takes = &o->platform->contexts;
	if (process == NOBODY ||
		(how == ORACLE_DRAIN && (c->holder == NOBODY || !anything_runs(o, c->holder)))) {
		has_gpu(o, process);
	} else if (how == ORACLE_DRAIN) {
		c->change = DRAINS;
		c->target = process;
	} else if (how == ORACLE_RESET) {
		if (c->holder != NOBODY && !c->arrives)
			lose(o, c->holder);
		begin_switch(o, process, takes->reset_ns);
	} else if (c->loaded == NOBODY || c->loaded == process) {
		has_gpu(o, process);
	} else {
		begin_switch(o, process, takes->switch_ns);
	}
	if (c->change == SWITCHES && c->over_at == o->now)
		has_gpu(o, process);
}

/* The policy names a holder. */
static void name_holder(struct oracle *o, int process, enum oracle_how how)
{
	struct contexts *c = &o->contexts;
	if (c->change == STAYS && process == c->holder)
		return;
	if (c->change == SWITCHES && process == c->target)
		return;
	if (c->change == DRAINS && process == c->target && how == ORACLE_DRAIN)
		return;
	if (c->change == DRAINS && process == c->holder)
		c->change = STAYS;
	else
		begin_change(o, process, how);
}

/* ---- policies ---- */

static bool slice_over(const struct oracle *o)
{
	int64_t slice = o->platform->contexts.timeslice_ns, since = o->now - o->contexts.slice_since;
	return since > 0 && since % (slice ? slice : TIMESLICE_DEFAULT_NS) == 0;
}

int oracle_next_in_ring(const struct oracle *o)
{
	const struct contexts *c = &o->contexts;
	int last = c->change == SWITCHES && c->target != NOBODY ? c->target : c->turn;
	for (int k = 1; k <= (int)c->count; k++) {
		int next = (last + k) % (int)c->count;
		if (process_active(o, next))
			return next;
	}
	return NOBODY;
}

/* T2, T3: the holder, or the next active one in the ring. */
static int in_turn(const struct oracle *o)
{
	const struct contexts *c = &o->contexts;
	if (c->holder != NOBODY && process_active(o, c->holder) && !slice_over(o))
		return c->holder;
	return oracle_next_in_ring(o);
}

/* The process of the highest task, of those that are active, or have been admitted. */
static int highest(const struct oracle *o)
{
	int best = NOBODY;
	uint32_t of_best = 0;
	for (uint32_t task = 0; task < o->set->task_count; task++) {
		bool wants = o->policy->by_units ? o->tasks[task].unit == UNIT_ADMITTED
						 : process_active(o, (int)o->tasks[task].process);
		if (wants && (best == NOBODY || oracle_higher_on_gpu(o, task, of_best))) {
			best = (int)o->tasks[task].process;
			of_best = task;
		}
	}
	return best;
}

/* A kernel runs from its first block's start to its last block's end, also while none of them runs. */
static bool may_reset(const struct oracle *o)
{
	for (uint32_t i = 0; !o->contexts.arrives && i < o->op_count; i++) {
		const struct operation_state *op = &o->ops[i];
		bool begun = (op->copying || op->placed > 0) && !o->tasks[op->task].cut;
		if (begun && is_active(o, op) && oracle_runs(o, op->task) &&
			!oracle_segment(o, op)->idempotent)
			return false;
	}
	return true;
}

static void decide_in_turn(struct oracle *o)
{
	const struct contexts *c = &o->contexts;
	if (c->change == STAYS && (c->asked || slice_over(o)))
		name_holder(o, in_turn(o), ORACLE_SAVE);
}

/* What takes time is done as calls begin and end. */
static void decide_by_calls(struct oracle *o)
{
	struct contexts *c = &o->contexts;
	int owned = c->owner == NOBODY ? NOBODY : (int)o->tasks[c->owner].process;
	if (oracle_calls_are_free(o) && owned != c->owned) {
		int next = owned == NOBODY ? oracle_next_in_ring(o) : owned;
		c->owned = owned;
		if (c->change == STAYS || next != c->target)
			has_gpu(o, next);
	} else if (c->owner == NOBODY) {
		decide_in_turn(o);
	}
}

static void decide(struct oracle *o)
{
	const struct contexts *c = &o->contexts;
	if (o->policy->takes == ORACLE_IN_TURN) {
		decide_in_turn(o);
		return;
	}
	if (o->policy->takes == ORACLE_BY_CALLS) {
		decide_by_calls(o);
		return;
	}
	int best = highest(o);
	enum oracle_how how = o->policy->how;
	if (!c->asked || (c->change != STAYS && o->policy->takes == ORACLE_TAKES_TIME))
		return;
	if (how == ORACLE_ANYHOW)
		how = (enum oracle_how)(o->now % 3);
	if (how == ORACLE_RESET && !may_reset(o))
		how = ORACLE_SAVE;
	name_holder(o, best, how);
}

static bool any_job(const struct oracle *o)
{
	for (uint32_t task = 0; task < o->set->task_count; task++) {
		if (o->tasks[task].begun || o->tasks[task].current < o->tasks[task].count)
			return true;
	}
	return false;
}

static void arrive(struct oracle *o)
{
	has_gpu(o, o->contexts.target);
	o->contexts.arrives = o->contexts.asked = true;
}

void oracle_begin_change_by_call(struct oracle *o, int process)
{
	int loaded = o->contexts.loaded;
	begin_switch(o, process, INT64_MAX - o->now);
	if (process == NOBODY)
		o->contexts.loaded = loaded;
}

void oracle_end_change_by_call(struct oracle *o)
{
	arrive(o);
}

void oracle_change_holder(struct oracle *o)
{
	struct contexts *c = &o->contexts;
	if (c->count == 0)
		return;
	if ((c->change == SWITCHES && c->over_at == o->now) ||
		(c->change == DRAINS && !anything_runs(o, c->holder)))
		arrive(o);
	if (any_job(o))
		decide(o);
	else if (c->change != SWITCHES)
		has_gpu(o, NOBODY);
	if (!any_job(o))
		c->owned = NOBODY;
	c->arrives = c->asked = false;
}

/* ---- the tick ---- */

/* The process's first task stands for it. */
static uint32_t first_task(const struct oracle *o, int process)
{
	uint32_t task = 0;
	while ((int)o->tasks[task].process != process)
		task++;
	return task;
}

static void note_turn(struct oracle *o)
{
	const struct contexts *c = &o->contexts;
	struct oracle_result *r = o->result;
	int process = c->change == SWITCHES ? c->target : c->holder;
	if (process == NOBODY)
		return;
	struct oracle_turn now = {first_task(o, process), c->change == SWITCHES, o->now, o->now + 1};
	struct oracle_turn *last = r->turn_count ? &r->turns[r->turn_count - 1] : NULL;
	if (last && last->task == now.task && last->switches == now.switches && last->end == o->now) {
		last->end++;
		return;
	}
	r->turns = oracle_grow(r->turns, r->turn_count, sizeof(*r->turns));
	r->turns[r->turn_count++] = now;
}

static void pass_block(struct oracle *o, struct live_block *l)
{
	struct oracle_result *r = o->result;
	bool runs = oracle_runs(o, l->op->task);
	if (!runs && !l->frozen)
		r->blocks[l->record].end = o->now;
	if (runs && l->frozen) {
		struct oracle_block part = r->blocks[l->record];
		part.start = o->now;
		part.end = l->end;
		r->blocks = oracle_grow(r->blocks, r->block_count, sizeof(*r->blocks));
		l->record = r->block_count;
		r->blocks[r->block_count++] = part;
	}
	l->frozen = !runs;
	l->end += !runs;
}

static void pass_copy(struct oracle *o, struct operation_state *op)
{
	bool runs = oracle_runs(o, op->task);
	if (!runs && !op->frozen)
		o->result->intervals[op->record].end = o->now;
	if (runs && op->frozen)
		oracle_record_copy(o, op);
	op->frozen = !runs;
	op->copy_end += !runs;
}

void oracle_pass_contexts(struct oracle *o)
{
	if (o->contexts.count == 0)
		return;
	note_turn(o);
	for (size_t i = 0; i < o->live_count; i++)
		pass_block(o, &o->live[i]);
	for (uint32_t i = 0; owns_copies(o) && i < o->op_count; i++) {
		if (o->ops[i].copying)
			pass_copy(o, &o->ops[i]);
	}
}
