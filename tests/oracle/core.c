/* tests/oracle/core.c - the oracle's cores (docs/model.md, "CPU", "Cores", "Overheads"). */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/oracle/oracle_internal.h"

void oracle_make_cores(struct oracle *o)
{
	o->cores = calloc(o->platform->cores, sizeof(*o->cores));
	if (!o->cores) {
		fputs("oracle: out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	for (uint32_t core = 0; core < o->platform->cores; core++)
		o->cores[core].running = -1;
}

static bool shares_cores(const struct oracle *o)
{
	return o->platform->cores > 1 && o->platform->scheduling == CORES_GLOBAL;
}

/* The core that the task's releases interrupt, and the only one for its jobs unless all jobs share them. */
static uint32_t core_of(const struct oracle *o, uint32_t task)
{
	int32_t core = o->set->tasks[task].core;
	return o->set->cores && core != CORE_NOT_SAID && !shares_cores(o) ? (uint32_t)core : 0;
}

/* Does the job need a core for work? */
static bool computes(const struct oracle *o, uint32_t task)
{
	enum place place = oracle_at(o, task)->place;
	return place == ON_CPU || place == LAUNCHING || (place == CALLING && !oracle_waits_for_lock(o, task));
}

static void add_interval(struct oracle *o, struct oracle_interval interval)
{
	struct oracle_result *r = o->result;
	r->intervals = oracle_grow(r->intervals, r->interval_count, sizeof(*r->intervals));
	r->intervals[r->interval_count++] = interval;
}

void oracle_record_deciding(struct oracle *o, uint32_t task, int64_t until)
{
	const struct task_state *t = &o->tasks[task];
	add_interval(o, (struct oracle_interval){
				.task = task,
				.seq = t->jobs[t->current].seq,
				.activity = ORACLE_DECISION,
				.engine = -1,
				.core = 0,
				.ready = o->now,
				.start = o->now,
				.end = until,
			});
}

void oracle_record_copy(struct oracle *o, struct operation_state *op)
{
	const struct task_state *t = &o->tasks[op->task];
	op->record = o->result->interval_count;
	add_interval(
		o, (struct oracle_interval){
			   .task = op->task,
			   .seq = t->jobs[t->current].seq,
			   .segment = op->segment,
			   .activity = ORACLE_COPY,
			   .gpu = oracle_gpu(o, op),
			   .engine = oracle_device(o, oracle_gpu(o, op))->engines ? (int32_t)op->engine : -1,
			   .core = -1,
			   .ready = op->ready,
			   .start = o->now,
			   .end = op->copy_end,
		   });
}

/* ---- interrupts ---- */

static bool interrupt_waits(const struct oracle *o, uint32_t task, uint32_t core)
{
	return core_of(o, task) == core && o->tasks[task].interrupted < o->tasks[task].count;
}

static bool interrupts_wait_on(const struct oracle *o, uint32_t core)
{
	bool any = false;
	for (uint32_t task = 0; o->platform->overheads.release_ns > 0 && task < o->set->task_count; task++)
		any |= interrupt_waits(o, task, core);
	return any;
}

bool oracle_interrupts_wait(const struct oracle *o)
{
	bool any = false;
	for (uint32_t core = 0; core < o->platform->cores; core++)
		any |= interrupts_wait_on(o, core);
	return any;
}

static void begin_interrupt(struct oracle *o, uint32_t core)
{
	struct core *c = &o->cores[core];
	for (c->interrupt = 0; !interrupt_waits(o, c->interrupt, core);)
		c->interrupt++;
	c->interrupted = true;
	c->interrupt_left = o->platform->overheads.release_ns;
	add_interval(o, (struct oracle_interval){
				.task = c->interrupt,
				.seq = o->tasks[c->interrupt].interrupted,
				.activity = ORACLE_INTERRUPT,
				.engine = -1,
				.core = (int32_t)core,
				.ready = o->now,
				.start = o->now,
				.end = o->now + c->interrupt_left,
			});
}

/* One tick of an interrupt of the core. */
static void interrupt(struct oracle *o, uint32_t core)
{
	struct core *c = &o->cores[core];
	if (!c->interrupted)
		begin_interrupt(o, core);
	c->in_interrupt = true;
	c->running = -1;
	if (--c->interrupt_left == 0) {
		c->interrupted = false;
		o->tasks[c->interrupt].interrupted++;
	}
}

/* ---- jobs ---- */

static enum need_of_core need_of_core(const struct oracle *o, uint32_t task)
{
	const struct task_state *t = &o->tasks[task];
	enum place place = oracle_at(o, task)->place;
	if (oracle_waits_for_lock(o, task))
		return NEEDS_NONE;
	if (place == CALLING)
		return t->inside ? TO_CALL_BEHIND : TO_CALL;
	if (computes(o, task))
		return place == ON_CPU ? TO_RUN : TO_LAUNCH;
	return o->policy->wait != ORACLE_SUSPENDS && (place != NOWHERE || t->cut) ? TO_SPIN : NEEDS_NONE;
}

/* The segment that needs the core; of one who spins, that with which this began. */
static uint32_t segment_on_core(const struct oracle *o, uint32_t task)
{
	const struct task_state *t = &o->tasks[task];
	if (oracle_at(o, task)->place == CALLING)
		return t->last_over;
	return computes(o, task) ? t->at : t->waits_first;
}

/* Those who have no core yet in this tick. */
static bool wants_core(const struct oracle *o, uint32_t task, uint32_t core)
{
	return !o->tasks[task].has_core && need_of_core(o, task) != NEEDS_NONE &&
	       (shares_cores(o) || core_of(o, task) == core);
}

/* Does a go before b in the queue of a core? */
static bool goes_before(const struct oracle *o, uint32_t a, uint32_t b)
{
	const struct task_state *x = &o->tasks[a], *y = &o->tasks[b];
	int64_t due_x = x->jobs[x->current].deadline, due_y = y->jobs[y->current].deadline;
	if (o->policy->core_by_deadline && due_x != due_y)
		return due_x < due_y;
	return o->policy->core_by_deadline ? a < b : x->rank < y->rank;
}

/* The first in the queue for the core, or for all cores; -1: none. */
static int first_in_queue(const struct oracle *o, uint32_t core)
{
	if (oracle_has_calls(o) && o->lock != NOBODY && wants_core(o, (uint32_t)o->lock, core))
		return o->lock;
	for (uint32_t task = 0; o->policy->wait == ORACLE_BOOSTS && task < o->set->task_count; task++) {
		if (o->tasks[task].waits && wants_core(o, task, core))
			return (int)task;
	}
	int first = -1;
	for (uint32_t task = 0; task < o->set->task_count; task++) {
		if (wants_core(o, task, core) && (first < 0 || goes_before(o, task, (uint32_t)first)))
			first = (int)task;
	}
	return first;
}

/* Has the core what it had in the tick before: the same need of the same job? */
static bool goes_on(const struct oracle *o, const struct core *c, uint32_t task)
{
	const struct task_state *t = &o->tasks[task];
	return c->running == (int)task && c->job == t->jobs[t->current].seq &&
	       c->need == need_of_core(o, task) && c->segment == segment_on_core(o, task);
}

/* One tick of the switch to the job; false: it goes on. */
static bool switches(struct oracle *o, struct core *c, uint32_t task)
{
	uint32_t job = o->tasks[task].jobs[o->tasks[task].current].seq;
	if (!c->had || c->had_task != task || c->had_job != job)
		c->switching = o->platform->overheads.switch_ns;
	c->had = true;
	c->had_task = task;
	c->had_job = job;
	if (c->switching == 0)
		return false;
	c->switching--;
	return true;
}

/* While a schedule is planned, each task has its own core. */
static void run_all(struct oracle *o)
{
	for (uint32_t task = 0; task < o->set->task_count; task++)
		oracle_at(o, task)->remaining -= oracle_at(o, task)->place == ON_CPU;
}

/* Does one tick of what the job does with the core; says what this is. */
static enum oracle_activity work(struct oracle *o, struct core *c, uint32_t task)
{
	struct operation_state *op = oracle_at(o, task);
	if (computes(o, task))
		oracle_mark_started(o, task);
	if (switches(o, c, task))
		return ORACLE_SWITCH;
	if (!computes(o, task))
		return o->policy->wait == ORACLE_BOOSTS ? ORACLE_BOOST : ORACLE_SPIN;
	if (op->place == CALLING && !o->tasks[task].call_begun)
		oracle_begin_call(o, task);
	op->remaining--;
	return op->place == ON_CPU ? ORACLE_RUN : op->place == CALLING ? ORACLE_CALL : ORACLE_LAUNCH;
}

/* One tick of the job on the core. */
static void run_on(struct oracle *o, uint32_t core, uint32_t task)
{
	const struct task_state *t = &o->tasks[task];
	struct core *c = &o->cores[core];
	c->running = (int)task;
	c->job = t->jobs[t->current].seq;
	c->need = need_of_core(o, task);
	c->segment = segment_on_core(o, task);
	struct oracle_interval now = {
		.task = task,
		.seq = c->job,
		.segment = c->segment,
		.activity = work(o, c, task),
		.engine = -1,
		.core = (int32_t)core,
		.ready = c->need == TO_SPIN ? t->waits_ready : oracle_at(o, task)->ready,
		.start = o->now,
		.end = o->now + 1,
	};
	for (size_t i = o->result->interval_count; i-- > 0;) {
		struct oracle_interval *last = &o->result->intervals[i];
		if (last->task == task && last->seq == now.seq && last->activity == now.activity &&
			last->core == now.core && last->end == o->now && last->segment == now.segment) {
			last->end++;
			return;
		}
	}
	add_interval(o, now);
}

/* Partitioned: the first in the queue of each core. */
static void run_partitioned(struct oracle *o)
{
	for (uint32_t core = 0; core < o->platform->cores; core++) {
		int task = o->cores[core].in_interrupt ? -1 : first_in_queue(o, core);
		if (task >= 0)
			run_on(o, core, (uint32_t)task);
	}
}

/* The first in the queue for all cores, as many as there are cores without an interrupt. Returns how many. */
static uint32_t choose(struct oracle *o, uint32_t chosen[])
{
	uint32_t count = 0, most = 0;
	for (uint32_t core = 0; core < o->platform->cores; core++)
		most += !o->cores[core].in_interrupt;
	for (int task = first_in_queue(o, 0); task >= 0 && count < most; task = first_in_queue(o, 0)) {
		o->tasks[task].has_core = true;
		chosen[count++] = (uint32_t)task;
	}
	return count;
}

/* Global: those of the chosen who go on keep their cores; the others take the idle ones, in the order of the
 * queue. */
static void run_global(struct oracle *o)
{
	uint32_t chosen[ORACLE_TASKS], place[ORACLE_TASKS], none = o->platform->cores;
	assert(o->set->task_count <= ORACLE_TASKS);
	uint32_t count = choose(o, chosen);
	for (uint32_t i = 0; i < count; i++) {
		place[i] = none;
		for (uint32_t core = 0; core < o->platform->cores; core++)
			place[i] = goes_on(o, &o->cores[core], chosen[i]) ? core : place[i];
	}
	for (uint32_t core = 0; core < o->platform->cores; core++)
		o->cores[core].running = -1;
	for (uint32_t i = 0; i < count; i++) {
		if (place[i] < none)
			run_on(o, place[i], chosen[i]);
	}
	for (uint32_t i = 0, core = 0; i < count; i++) {
		if (place[i] < none)
			continue;
		while (o->cores[core].running >= 0 || o->cores[core].in_interrupt)
			core++;
		run_on(o, core, chosen[i]);
	}
}

/* Would the core first be switched to the job? */
static bool to_be_switched(const struct oracle *o, const struct core *c, uint32_t task)
{
	bool has = c->had && c->had_task == task &&
		   c->had_job == o->tasks[task].jobs[o->tasks[task].current].seq;
	return has ? c->switching > 0 : o->platform->overheads.switch_ns > 0;
}

/* Those who have a core for a call, as things are, and need not be switched to, ask for the lock. False:
 * there are none. (With cores that serve any task there are no switches: the policies refuse.) */
static bool request(struct oracle *o)
{
	uint32_t chosen[ORACLE_TASKS], count = 0;
	if (shares_cores(o)) {
		count = choose(o, chosen);
	} else {
		for (uint32_t core = 0; core < o->platform->cores; core++) {
			int task = o->cores[core].in_interrupt ? -1 : first_in_queue(o, core);
			if (task >= 0 && !to_be_switched(o, &o->cores[core], (uint32_t)task))
				chosen[count++] = (uint32_t)task;
		}
	}
	bool any = false;
	for (uint32_t i = 0; i < count; i++) {
		o->tasks[chosen[i]].has_core = false;
		if (oracle_at(o, chosen[i])->place == CALLING && !o->tasks[chosen[i]].requested) {
			oracle_request_lock(o, chosen[i]);
			any = true;
		}
	}
	return any;
}

/* The lock goes on before the cores do. Who asks for it, and does not get it, leaves its core to another. */
static void lock(struct oracle *o)
{
	for (bool any = true; any;) {
		any = request(o);
		oracle_give_lock(o);
	}
}

void oracle_run_cpu_tick(struct oracle *o)
{
	if (o->planning) {
		run_all(o);
		return;
	}
	for (uint32_t task = 0; task < o->set->task_count; task++)
		o->tasks[task].has_core = false;
	for (uint32_t core = 0; core < o->platform->cores; core++) {
		o->cores[core].in_interrupt = false;
		if (interrupts_wait_on(o, core))
			interrupt(o, core);
		if (core == 0 && oracle_is_deciding(o) && !o->policy->decision_by_server) {
			o->cores[core].in_interrupt = true;
			o->cores[core].running = -1;
		}
	}
	if (oracle_has_calls(o) && !oracle_calls_are_free(o))
		lock(o);
	if (shares_cores(o))
		run_global(o);
	else
		run_partitioned(o);
}
