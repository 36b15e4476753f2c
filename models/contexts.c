/* models/contexts.c - processes that have the GPU in turns (docs/model.md, "Contexts"): who holds it, and how
 * it goes from one to the other. What this follows is GCAPS (Wang et al., ECRTS 2024), section 2, for saving;
 * for draining EffiSha and FLEP; for resetting REEF (Han et al., OSDI 2022).
 *
 * What a context has for itself of the platform is a struct gpu and, if the copy engines belong to it, a
 * struct copies. Those of the holder are where they always are, in the machine: so the files that own them
 * need not know of contexts, and a machine without contexts pays nothing. The others are in `saved`. While
 * nobody has the GPU, one that stays empty is in the machine. */
#include <assert.h>

#include "models/machine.h"

/* Tasks by process, in their own order. */
static void sort_by_process(struct machine *m)
{
	struct contexts *c = &m->contexts;
	for (uint32_t i = 0; i < m->task_count; i++)
		c->saved[c->process[i]].tasks++;
	for (uint32_t p = 1; p < c->count; p++)
		c->saved[p].from = c->saved[p - 1].from + c->saved[p - 1].tasks;
	for (uint32_t p = 0; p < c->count; p++)
		c->saved[p].tasks = 0;
	for (uint32_t i = 0; i < m->task_count; i++) {
		struct context *own = &c->saved[c->process[i]];
		c->at[i] = own->from + own->tasks++;
		c->task_at[c->at[i]] = i;
	}
}

bool contexts_init(struct machine *m, struct error *err)
{
	struct contexts *c = &m->contexts;
	if (m->plan.contexts == CONTEXTS_NONE)
		return true;
	c->process = arena_new(&m->arena, uint32_t, m->task_count);
	c->at = arena_new(&m->arena, uint32_t, m->task_count);
	c->task_at = arena_new(&m->arena, uint32_t, m->task_count);
	if (!c->process || !c->at || !c->task_at)
		return error_memory(err, "the contexts");
	c->count = taskset_processes(m->set, c->process);
	c->copies = m->plan.contexts == CONTEXTS_GPU;
	c->saved = arena_new(&m->arena, struct context, (size_t)c->count + 1);
	if (!c->saved || !ranks_init(&c->active, &m->arena, c->count) ||
		!ranks_init(&c->entered, &m->arena, m->task_count))
		return error_memory(err, "the contexts");
	sort_by_process(m);
	c->holder = c->count;
	c->loaded = c->count;
	return true;
}

bool contexts_share(struct machine *m, struct error *err)
{
	struct contexts *c = &m->contexts;
	for (uint32_t p = 0; p < c->count; p++) {
		struct context *own = &c->saved[p];
		if (m->platform->sms > 0 && !gpu_init_part(m, &own->gpu, own->tasks))
			return error_memory(err, "the contexts");
		if (c->copies && !copies_init_part(m, &own->copies, own->tasks))
			return error_memory(err, "the contexts");
	}
	return true;
}

struct gpu *contexts_gpu(struct machine *m, uint32_t task)
{
	struct contexts *c = &m->contexts;
	uint32_t process = c->process[task];
	return process == c->holder ? &m->gpu : &c->saved[process].gpu;
}

struct copies *contexts_copies(struct machine *m, uint32_t task)
{
	struct contexts *c = &m->contexts;
	uint32_t process = c->process[task];
	return !c->copies || process == c->holder ? &m->copies : &c->saved[process].copies;
}

/* ---- who is active ---- */

static bool counts(const struct machine *m, uint32_t task)
{
	return m->contexts.copies || m->tasks[task].step->kind == SEGMENT_KERNEL;
}

void contexts_enter(struct machine *m, uint32_t task)
{
	struct contexts *c = &m->contexts;
	if (counts(m, task)) {
		if (c->saved[c->process[task]].operations++ == 0)
			ranks_add(&c->active, c->process[task]);
		ranks_add(&c->entered, c->at[task]);
		m->gate.changed = true;
	}
	streams_enter(m, task);
}

void contexts_leave(struct machine *m, uint32_t task)
{
	const struct task_run *t = &m->tasks[task];
	if ((t->place != PLACE_QUEUED && t->place != PLACE_RUNNING) || !counts(m, task))
		return;
	struct contexts *c = &m->contexts;
	struct context *context = &c->saved[c->process[task]];
	assert(context->operations > 0);
	if (--context->operations == 0)
		ranks_remove(&c->active, c->process[task]);
	ranks_remove(&c->entered, c->at[task]);
	m->gate.changed = true;
}

static uint32_t first_task(const struct contexts *c, uint32_t process)
{
	return c->task_at[c->saved[process].from];
}

uint32_t contexts_next(const struct machine *m, uint32_t task)
{
	const struct contexts *c = &m->contexts;
	if (c->holder == c->count)
		return NO_TASK;
	const struct context *holder = &c->saved[c->holder];
	uint32_t at = holder->from;
	if (task != NO_TASK || !ranks_has(&c->entered, at))
		at = ranks_after(&c->entered, task != NO_TASK ? c->at[task] : at);
	return at != RANKS_NONE && at - holder->from < holder->tasks ? c->task_at[at] : NO_TASK;
}

/* ---- changes of the holder ---- */

static void emit(struct machine *m, uint32_t process, enum span_kind kind)
{
	const struct contexts *c = &m->contexts;
	if (process >= c->count || c->since == m->sim.now || !trace_wants(&m->trace, TRACE_CONTEXT))
		return;
	struct trace_record *r = trace_emit(&m->trace);
	r->kind = TRACE_CONTEXT;
	r->time = m->sim.now;
	r->start = c->since;
	r->task = first_task(c, process);
	r->span = (uint8_t)kind;
}

/* Puts what `process` has into the machine, in place of what the holder has. */
static void show(struct machine *m, uint32_t process)
{
	struct contexts *c = &m->contexts;
	c->saved[c->holder].gpu = m->gpu;
	m->gpu = c->saved[process].gpu;
	m->gpu.changed = m->platform->sms > 0;
	if (c->copies) {
		c->saved[c->holder].copies = m->copies;
		m->copies = c->saved[process].copies;
	}
	c->holder = process;
}

/* The holder loses the GPU. What runs is frozen, or lost. */
static void unload(struct machine *m, bool lost)
{
	struct contexts *c = &m->contexts;
	if (c->holder == c->count)
		return;
	if (m->platform->sms > 0)
		gpu_freeze(m, lost);
	if (c->copies)
		copies_freeze(m, lost);
	c->saved[c->holder].frozen = m->sim.now;
	emit(m, c->holder, SPAN_RUN);
	show(m, c->count);
}

/* The process has the GPU from now on, and what was frozen of it goes on. */
static void load(struct machine *m, uint32_t process)
{
	struct contexts *c = &m->contexts;
	c->change = CHANGE_NONE;
	c->since = m->sim.now;
	c->loaded = process;
	show(m, process);
	int64_t frozen_for = m->sim.now - c->saved[process].frozen;
	if (m->platform->sms > 0)
		gpu_thaw(m, frozen_for);
	if (c->copies)
		copies_thaw(m);
}

static int64_t cost(const struct machine *m, uint32_t process, enum gate_how how, int64_t price)
{
	const struct contexts *c = &m->contexts;
	bool free =
		how == GATE_DRAIN || (how == GATE_SAVE && (c->loaded == process || c->loaded == c->count));
	return free ? 0 : price;
}

/* Nobody has the GPU. What a call begins is over when the call is. */
static void begin(struct machine *m, uint32_t process, enum gate_how how)
{
	struct contexts *c = &m->contexts;
	int64_t takes = process < c->count ? cost(m, process, how, c->price) : 0;
	c->change = CHANGE_NONE;
	c->by_call = c->in_call;
	if (process == c->count)
		return;
	if (takes == 0 && !c->by_call) {
		load(m, process);
		return;
	}
	c->change = CHANGE_SWITCH;
	c->target = process;
	c->since = m->sim.now;
	c->loaded = UINT32_MAX; /* neither the old one nor the new one */
	if (!c->by_call)
		sim_arm(&m->sim, m->slot_context, m->sim.now + takes);
}

static bool nothing_runs(const struct machine *m)
{
	return (m->platform->sms == 0 || queue_empty(&m->gpu.running)) &&
	       (!m->contexts.copies || copies_idle(m));
}

/* Does what the policy asked for. */
static void obey(struct machine *m)
{
	struct contexts *c = &m->contexts;
	uint32_t process = c->asked;
	if (c->change == CHANGE_NONE && process == c->holder && !c->in_call)
		return;
	if (c->change == CHANGE_ARRIVED) {
		c->loaded = c->target;
		begin(m, process, process == c->target ? GATE_SAVE : c->how);
		return;
	}
	if (c->change == CHANGE_SWITCH) {
		if (process == c->target && !c->in_call)
			return;
		emit(m, c->target, SPAN_SWITCH);
		sim_disarm(&m->sim, m->slot_context);
		begin(m, process, c->how);
		return;
	}
	if (c->change == CHANGE_DRAIN && process == c->holder && !c->in_call) {
		c->change = CHANGE_NONE;
		m->gpu.changed = m->platform->sms > 0;
		return;
	}
	if (c->how == GATE_DRAIN && !nothing_runs(m)) {
		c->change = CHANGE_DRAIN;
		c->target = process;
		return;
	}
	unload(m, c->how == GATE_RESET);
	begin(m, process, c->how);
}

/* A process whose switch is over has the GPU, but nothing of it goes on before the policy has said that it is
 * to keep it. */
void contexts_arrive(struct machine *m)
{
	struct contexts *c = &m->contexts;
	if (c->change != CHANGE_DRAIN || !nothing_runs(m))
		return;
	unload(m, false);
	c->change = c->target < c->count ? CHANGE_ARRIVED : CHANGE_NONE;
	m->gate.changed = true;
}

void contexts_change(struct machine *m)
{
	struct contexts *c = &m->contexts;
	bool jobs = machine_jobs_left(m);
	if (c->is_asked && jobs)
		obey(m);
	c->is_asked = false;
	if (c->change == CHANGE_ARRIVED && jobs) {
		load(m, c->target);
	} else if (!jobs) {
		c->loaded = c->change == CHANGE_ARRIVED ? c->target : c->loaded;
		c->change = c->change == CHANGE_SWITCH ? CHANGE_SWITCH : CHANGE_NONE;
		unload(m, false);
	}
}

void contexts_switched(struct machine *m)
{
	struct contexts *c = &m->contexts;
	assert(c->change == CHANGE_SWITCH);
	sim_disarm(&m->sim, m->slot_context);
	sim_mix(&m->sim, c->target);
	emit(m, c->target, SPAN_SWITCH);
	c->change = CHANGE_ARRIVED;
	c->since = m->last_end = m->sim.now;
	m->gate.changed = true;
}

void contexts_called(struct machine *m)
{
	if (m->contexts.is_asked)
		obey(m);
	m->contexts.is_asked = false;
}

void contexts_call_over(struct machine *m)
{
	if (m->contexts.change == CHANGE_SWITCH && m->contexts.by_call)
		contexts_switched(m);
}

void contexts_stop(struct machine *m)
{
	const struct contexts *c = &m->contexts;
	if (c->count == 0)
		return;
	if (c->change == CHANGE_SWITCH)
		emit(m, c->target, SPAN_SWITCH);
	else if (c->change != CHANGE_ARRIVED)
		emit(m, c->holder, SPAN_RUN);
}

/* ---- for policies (models/gate.h) ---- */

static uint32_t or_nobody(const struct contexts *c, uint32_t process)
{
	return process < c->count ? process : GATE_NOBODY;
}

uint32_t gate_processes(const struct gate *g)
{
	return g->machine->contexts.count;
}

uint32_t gate_process(const struct gate *g, uint32_t task)
{
	const struct machine *m = g->machine;
	return m->contexts.count > 0 && task < m->task_count ? m->contexts.process[task] : GATE_NOBODY;
}

uint32_t gate_context(const struct gate *g)
{
	const struct contexts *c = &g->machine->contexts;
	return or_nobody(c, c->change == CHANGE_ARRIVED ? c->target : c->holder);
}

uint32_t gate_switching(const struct gate *g)
{
	const struct contexts *c = &g->machine->contexts;
	bool changes = c->change == CHANGE_DRAIN || c->change == CHANGE_SWITCH;
	return changes ? or_nobody(c, c->target) : GATE_NOBODY;
}

bool gate_is_active(const struct gate *g, uint32_t process)
{
	const struct contexts *c = &g->machine->contexts;
	return process < c->count && ranks_has(&c->active, process);
}

uint32_t gate_next_active(const struct gate *g, uint32_t process)
{
	const struct contexts *c = &g->machine->contexts;
	if (c->count == 0 || ranks_empty(&c->active))
		return GATE_NOBODY;
	uint32_t next = process < c->count ? ranks_after(&c->active, process) : RANKS_NONE;
	return next != RANKS_NONE ? next : ranks_first(&c->active);
}

/* Whether a reset may take what the task runs. Jobs that were aborted are frozen by it. */
static bool may_lose(const struct machine *m, uint32_t task)
{
	const struct task_run *t = &m->tasks[task];
	return t->place != PLACE_RUNNING || t->aborted || t->task->segments[t->segment].idempotent;
}

/* The first task whose operation a reset may not take; NO_TASK: there is none. */
static uint32_t not_idempotent(const struct machine *m)
{
	uint32_t task = contexts_next(m, NO_TASK);
	while (task != NO_TASK && may_lose(m, task))
		task = contexts_next(m, task);
	return task;
}

bool gate_may_reset(const struct gate *g)
{
	return g->machine->contexts.count > 0 && not_idempotent(g->machine) == NO_TASK;
}

int64_t gate_switch(struct gate *g, uint32_t process, enum gate_how how)
{
	const struct context_times *times = &g->machine->platform->contexts;
	return gate_switch_for(g, process, how, how == GATE_RESET ? times->reset_ns : times->switch_ns);
}

uint32_t gate_calling(const struct gate *g)
{
	const struct calls *c = &g->machine->calls;
	return c->of && c->begun ? c->owner : GATE_NOBODY;
}

int64_t gate_switch_for(struct gate *g, uint32_t process, enum gate_how how, int64_t price_ns)
{
	struct machine *m = g->machine;
	struct contexts *c = &m->contexts;
	uint32_t to = process == GATE_NOBODY ? c->count : process;
	if (c->count == 0)
		machine_fault(m, "gives a process the GPU, but its plan does not say contexts");
	else if (process != GATE_NOBODY && process >= c->count)
		machine_fault(m, "gives the GPU to process %u of %u", process, c->count);
	else if (how != GATE_SAVE && how != GATE_DRAIN && how != GATE_RESET)
		machine_fault(m, "takes the GPU in no way that there is: %d", (int)how);
	else if (price_ns < 0 || price_ns > LONGEST_SEGMENT)
		machine_fault(m, "gives the GPU away at a price of %lld ns", (long long)price_ns);
	else if (m->calls.asking && m->plan.calls_free)
		machine_fault(m, "gives the GPU away in a call that is over at once");
	else if (how == GATE_DRAIN && m->calls.asking)
		machine_fault(m, "drains the GPU in a call, which would be over before");
	else if (how == GATE_RESET && to != c->holder && !gate_may_reset(g))
		machine_fault(m, "resets while task '%s' runs a segment that is not idempotent",
			m->set->tasks[not_idempotent(m)].name);
	if (m->fault.status != STATUS_OK)
		return SIM_NEVER;
	c->is_asked = true;
	c->asked = to;
	c->how = how;
	c->price = price_ns;
	c->in_call = m->calls.asking;
	bool here = to == c->count || process == gate_context(g);
	if (c->change == CHANGE_SWITCH && to == c->target)
		return sim_armed_at(&m->sim, m->slot_context);
	if (c->in_call || (how == GATE_DRAIN && !here && !nothing_runs(m)))
		return SIM_NEVER;
	return here ? m->sim.now : m->sim.now + cost(m, to, how, price_ns);
}
