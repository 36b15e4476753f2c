/* tests/oracle/core.c - the oracle's core (docs/model.md, "CPU", "Overheads"). */
#include "tests/oracle/oracle_internal.h"

/* Does the job need the core for work? */
static bool computes(const struct oracle *o, uint32_t task)
{
	enum place place = o->tasks[task].op.place;
	return place == ON_CPU || place == LAUNCHING;
}

static void add_interval(struct oracle *o, struct oracle_interval interval)
{
	struct oracle_result *r = o->result;
	r->intervals = oracle_grow(r->intervals, r->interval_count, sizeof(*r->intervals));
	r->intervals[r->interval_count++] = interval;
}

void oracle_record(
	struct oracle *o, uint32_t task, enum oracle_activity activity, int32_t engine, int64_t end)
{
	const struct task_state *t = &o->tasks[task];
	bool waits = activity != ORACLE_COPY && !computes(o, task);
	add_interval(o, (struct oracle_interval){
				.task = task,
				.seq = t->jobs[t->current].seq,
				.segment = waits ? t->waits_first : t->op.segment,
				.activity = activity,
				.engine = engine,
				.ready = waits ? t->waits_ready : t->op.ready,
				.start = o->now,
				.end = end,
			});
}

/* ---- interrupts ---- */

static bool interrupt_waits(const struct oracle *o, uint32_t task)
{
	return o->tasks[task].interrupted < o->tasks[task].count;
}

bool oracle_interrupts_wait(const struct oracle *o)
{
	bool any = false;
	for (uint32_t task = 0; o->platform->overheads.release_ns > 0 && task < o->set->task_count; task++)
		any |= interrupt_waits(o, task);
	return any;
}

static void begin_interrupt(struct oracle *o)
{
	for (o->interrupt = 0; !interrupt_waits(o, o->interrupt);)
		o->interrupt++;
	o->interrupted = true;
	o->interrupt_left = o->platform->overheads.release_ns;
	add_interval(o, (struct oracle_interval){
				.task = o->interrupt,
				.seq = o->tasks[o->interrupt].interrupted,
				.activity = ORACLE_INTERRUPT,
				.engine = -1,
				.ready = o->now,
				.start = o->now,
				.end = o->now + o->interrupt_left,
			});
}

/* One tick of an interrupt; false: there is none. */
static bool interrupt(struct oracle *o)
{
	if (!oracle_interrupts_wait(o))
		return false;
	if (!o->interrupted)
		begin_interrupt(o);
	if (--o->interrupt_left == 0) {
		o->interrupted = false;
		o->tasks[o->interrupt].interrupted++;
	}
	return true;
}

/* ---- jobs ---- */

static bool wants_core(const struct oracle *o, uint32_t task, uint32_t which)
{
	(void)which;
	return computes(o, task) ||
	       (o->policy->wait != ORACLE_SUSPENDS && o->tasks[task].op.place != NOWHERE);
}

static int64_t since_ready(const struct oracle *o, uint32_t task)
{
	return o->tasks[task].op.ready;
}

/* The task that has the core, if no interrupt has it; -1: none. */
static int core_goes_to(const struct oracle *o)
{
	for (uint32_t task = 0; o->policy->wait == ORACLE_BOOSTS && task < o->set->task_count; task++) {
		if (o->tasks[task].waits)
			return (int)task;
	}
	return oracle_first(o, wants_core, 0,
		o->policy->core_by_deadline ? ORACLE_BY_DEADLINE : ORACLE_BY_PRIORITY, since_ready, false);
}

/* One tick of the switch to the job; false: it goes on. */
static bool switches(struct oracle *o, uint32_t task)
{
	uint32_t job = o->tasks[task].jobs[o->tasks[task].current].seq;
	if (!o->had || o->had_task != task || o->had_job != job)
		o->switching = o->platform->overheads.switch_ns;
	o->had = true;
	o->had_task = task;
	o->had_job = job;
	if (o->switching == 0)
		return false;
	o->switching--;
	return true;
}

/* While a schedule is planned, each task has its own core. */
static void run_all(struct oracle *o)
{
	for (uint32_t task = 0; task < o->set->task_count; task++)
		o->tasks[task].op.remaining -= o->tasks[task].op.place == ON_CPU;
}

/* Does one tick of what the job does with the core; says what this is. */
static enum oracle_activity work(struct oracle *o, uint32_t task)
{
	struct operation_state *op = &o->tasks[task].op;
	if (computes(o, task))
		oracle_mark_started(o, task);
	if (switches(o, task))
		return ORACLE_SWITCH;
	if (!computes(o, task))
		return o->policy->wait == ORACLE_BOOSTS ? ORACLE_BOOST : ORACLE_SPIN;
	op->remaining--;
	return op->place == ON_CPU ? ORACLE_RUN : ORACLE_LAUNCH;
}

void oracle_run_cpu_tick(struct oracle *o)
{
	if (o->planning) {
		run_all(o);
		return;
	}
	int task = interrupt(o) ? -1 : core_goes_to(o);
	if (task < 0)
		return;
	enum oracle_activity activity = work(o, (uint32_t)task);
	const struct task_state *t = &o->tasks[task];
	for (size_t i = o->result->interval_count; i-- > 0;) {
		struct oracle_interval *last = &o->result->intervals[i];
		if (last->task == (uint32_t)task && last->seq == t->jobs[t->current].seq &&
			last->activity == activity && last->end == o->now &&
			last->segment == (computes(o, (uint32_t)task) ? t->op.segment : t->waits_first)) {
			last->end++;
			return;
		}
	}
	oracle_record(o, (uint32_t)task, activity, -1, o->now + 1);
}
