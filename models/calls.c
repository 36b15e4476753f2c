/* models/calls.c - calls of the driver around the GPU sections of jobs, and the one lock that they need
 * (docs/model.md, "Calls"). What this follows is GCAPS (Wang et al., ECRTS 2024), section 5.1: two macros
 * around each GPU segment, which update the runlist under a mutex of the driver.
 *
 * A call needs a core, so it stands in a CPU queue (cpu.c) until it has one; and the lock, for which it waits
 * here, without a core. Who has the lock goes in front of the CPU queue. A call begins when its job has both.
 * What it means is the policy's affair: plan.call(). */
#include "models/calls.h"

#include <assert.h>

#include "models/machine.h"

bool calls_init(struct machine *m)
{
	struct calls *c = &m->calls;
	c->owner = NO_TASK;
	if (!m->plan.call)
		return true;
	c->of = arena_new(&m->arena, struct call, m->task_count);
	c->callers = arena_new(&m->arena, uint32_t, m->task_count);
	c->leaving = arena_new(&m->arena, uint32_t, m->task_count);
	return c->of && c->callers && c->leaving && queue_init(&c->waiting, &m->arena, m->task_count);
}

/* ---- from section to call, and back ---- */

/* Tells the policy of a call. Returns how long it lasts. */
static int64_t tell(struct machine *m, uint32_t task, bool end)
{
	const struct gate_call call = {.task = task, .job = m->tasks[task].number, .end = end};
	m->calls.asking = true;
	int64_t length = m->plan.call(&m->gate, m->plan.state, &call);
	m->calls.asking = false;
	if (m->fault.status == STATUS_OK && m->plan.calls_free && length != 0)
		machine_fault(m, "makes a call of %lld ns, but its plan says calls_free", (long long)length);
	else if (m->fault.status == STATUS_OK && !m->plan.calls_free &&
		 (length < 1 || length > LONGEST_SEGMENT))
		machine_fault(m, "makes a call of %lld ns", (long long)length);
	m->gate.changed = true;
	return length;
}

static void need(struct machine *m, uint32_t task, enum call_stage stage, int64_t ready)
{
	struct call *call = &m->calls.of[task];
	call->stage = (uint8_t)stage;
	call->ready = ready;
}

bool calls_pass(struct machine *m, uint32_t task)
{
	struct call *call = &m->calls.of[task];
	if (call->stage == CALL_IN)
		return true;
	assert(call->stage == CALL_NONE);
	if (m->plan.calls_free) {
		call->stage = CALL_IN;
		tell(m, task, false);
		return true;
	}
	call->segment = m->tasks[task].segment;
	need(m, task, CALL_BEGIN, m->tasks[task].ready);
	cpu_enter(m, task);
	return false;
}

void calls_leave(struct machine *m, uint32_t task)
{
	if (!m->plan.calls_free) {
		need(m, task, CALL_END, m->sim.now);
		m->calls.leaving[m->calls.leaving_count++] = task; /* not before the phase for queues */
		return;
	}
	m->calls.of[task].stage = CALL_NONE;
	tell(m, task, true);
	jobs_proceed(m, task);
}

bool calls_need_core(const struct machine *m, uint32_t task)
{
	uint8_t stage = m->calls.of[task].stage;
	return stage == CALL_BEGIN || stage == CALL_END;
}

void calls_describe(const struct machine *m, uint32_t task, struct trace_record *r)
{
	const struct call *call = &m->calls.of[task];
	r->segment = (uint16_t)call->segment;
	r->ready = call->ready;
}

void calls_over(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	struct call *call = &m->calls.of[task];
	m->calls.owner = NO_TASK;
	m->calls.begun = false;
	m->gate.changed = true;
	contexts_call_over(m);
	if (call->stage == CALL_BEGIN && t->aborted) {
		calls_leave(m, task);
	} else if (call->stage == CALL_BEGIN) {
		call->stage = CALL_IN;
		t->place = PLACE_READY;
		list_add(&m->ready, task);
	} else {
		call->stage = CALL_NONE;
		t->place = PLACE_NONE;
		jobs_proceed(m, task);
	}
}

/* ---- jobs that are removed ---- */

void calls_withdraw(struct machine *m, uint32_t task)
{
	struct calls *c = &m->calls;
	if (c->of[task].stage == CALL_IN && m->plan.calls_free && !m->tasks[task].aborted) {
		c->of[task].stage = CALL_NONE; /* dropped: it has started nothing */
		tell(m, task, true);
	}
	if (c->of[task].stage != CALL_BEGIN)
		return;
	assert(c->owner != task || !c->begun);
	if (m->tasks[task].place == PLACE_LOCK)
		queue_remove(&c->waiting, task);
	if (c->owner == task)
		c->owner = NO_TASK;
	c->of[task].stage = CALL_NONE;
}

/* What has not started of a section is lost. Returns false if something of it goes on. */
static bool cut_section(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	if (t->place != PLACE_RUNNING) {
		jobs_withdraw(m, task);
		return true;
	}
	if (t->step->kind != SEGMENT_KERNEL || !gpu_cut(m, task))
		return false;
	m->calls.of[task].segment = t->segment;
	streams_leave(m, task);
	return true;
}

bool calls_abort(struct machine *m, uint32_t task)
{
	struct task_run *t = &m->tasks[task];
	enum call_stage stage = m->calls.of[task].stage;
	bool begun = m->calls.owner == task && m->calls.begun;
	if (stage == CALL_NONE || (stage == CALL_BEGIN && !begun))
		return false;
	bool cut = stage == CALL_IN && cut_section(m, task);
	if (stage == CALL_IN && !cut)
		return true;
	t->segment = t->step_count;
	t->step = t->steps + t->segment;
	if (cut)
		calls_leave(m, task);
	return true;
}

/* ---- the lock ---- */

static void ask(struct machine *m, uint32_t task)
{
	const uint32_t *rank = m->plan.call_rank ? m->plan.call_rank : m->plan.rank;
	queue_push(&m->calls.waiting, rank[task], (uint64_t)task << 32 | task, m->sim.now);
}

static void give_lock(struct machine *m)
{
	struct calls *c = &m->calls;
	bool lower_first = m->setup->ties == TIES_LOWER_FIRST;
	c->owner = lower_first ? queue_pop_lower_first(&c->waiting, m->sim.now) : queue_pop(&c->waiting);
	cpu_enter_in_front(m, c->owner);
}

static void begin(struct machine *m)
{
	struct calls *c = &m->calls;
	c->left = tell(m, c->owner, c->of[c->owner].stage == CALL_END);
	if (m->fault.status != STATUS_OK)
		return;
	c->begun = true;
	cpu_arm_call(m, c->owner);
	contexts_called(m);
}

/* All who have a core for a call ask for the lock; then it is given; then the others leave their cores, and
 * the next jobs there may ask. */
void calls_dispatch(struct machine *m)
{
	struct calls *c = &m->calls;
	for (uint32_t i = 0; i < c->leaving_count; i++)
		cpu_enter(m, c->leaving[i]);
	c->leaving_count = 0;
	for (;;) {
		uint32_t count = cpu_callers(m, c->callers);
		for (uint32_t i = 0; i < count; i++)
			ask(m, c->callers[i]);
		bool free = c->owner == NO_TASK && !queue_empty(&c->waiting);
		if (free)
			give_lock(m);
		else if (count == 0)
			break;
	}
	cpu_dispatch(m);
	if (c->owner != NO_TASK && !c->begun && cpu_calls(m, c->owner))
		begin(m);
}
