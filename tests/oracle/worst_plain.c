/* tests/oracle/worst_plain.c - see tests/oracle/worst_plain.h.
 *
 * A state is what is known just after an instant's dispatch: for each task how long until it may release
 * again (of an active job, so also its age), its segment, how long that has executed; and who has the shared
 * resource. It is packed into a number, so that a set of states is a table of numbers. */
#include "tests/oracle/worst_plain.h"

#include <stdlib.h>

#define WAIT_BITS 10
#define SEGMENT_BITS 3
#define DONE_BITS 5
#define TASK_BITS (WAIT_BITS + SEGMENT_BITS + DONE_BITS)
#define NOBODY WORST_TASKS

struct place {
	uint32_t wait;    /* ticks until the next release is legal */
	uint32_t segment; /* from 1; 0: the task is idle */
	uint32_t done;    /* ticks that the segment has executed */
};

struct state {
	struct place task[WORST_TASKS];
	uint32_t holder; /* of the shared resource, or NOBODY */
};

struct explorer {
	const struct worst_set *set;
	int64_t *response;
	uint64_t *table, slots; /* packed states + 1; 0: free */
	uint64_t *stack, depth, capacity;
	uint64_t states, most;
	bool gave_up;
};

bool worst_fits(const struct worst_set *set)
{
	bool fits = set->count > 0 && set->count <= WORST_TASKS;
	for (uint32_t i = 0; fits && i < set->count; i++) {
		const struct worst_task *t = &set->task[i];
		fits = t->count > 0 && t->count <= WORST_SEGMENTS && t->period > 0 &&
		       t->period <= WORST_PERIOD;
		for (uint32_t k = 0; fits && k < t->count; k++) {
			const struct worst_segment *s = &t->segment[k];
			fits = s->best >= 1 && s->best <= s->worst && s->worst <= WORST_LONGEST;
		}
	}
	return fits;
}

/* ---- The set of states ---- */

static uint64_t pack(const struct state *s, uint32_t tasks)
{
	uint64_t packed = s->holder;
	for (uint32_t i = 0; i < tasks; i++) {
		const struct place *p = &s->task[i];
		packed = packed << TASK_BITS |
			 (((uint64_t)p->wait << SEGMENT_BITS | p->segment) << DONE_BITS | p->done);
	}
	return packed;
}

static void unpack(uint64_t packed, uint32_t tasks, struct state *s)
{
	for (uint32_t i = tasks; i-- > 0; packed >>= TASK_BITS) {
		struct place *p = &s->task[i];
		p->done = packed & ((1u << DONE_BITS) - 1);
		p->segment = packed >> DONE_BITS & ((1u << SEGMENT_BITS) - 1);
		p->wait = packed >> (DONE_BITS + SEGMENT_BITS) & ((1u << WAIT_BITS) - 1);
	}
	s->holder = (uint32_t)packed;
}

static uint64_t slot_of(const struct explorer *x, uint64_t packed)
{
	uint64_t at = packed * UINT64_C(0x9E3779B97F4A7C15);
	for (at = (at ^ at >> 29) & (x->slots - 1); x->table[at] != 0; at = (at + 1) & (x->slots - 1))
		if (x->table[at] == packed + 1)
			break;
	return at;
}

static bool grow_table(struct explorer *x)
{
	uint64_t *old = x->table, slots = x->slots;
	x->slots = slots ? 2 * slots : 1024;
	x->table = calloc(x->slots, sizeof(*x->table));
	for (uint64_t i = 0; x->table && i < slots; i++)
		if (old[i])
			x->table[slot_of(x, old[i] - 1)] = old[i];
	free(old);
	return x->table != NULL;
}

static bool grow_stack(struct explorer *x)
{
	uint64_t capacity = x->capacity ? 2 * x->capacity : 1024;
	uint64_t *stack = realloc(x->stack, capacity * sizeof(*stack));
	if (!stack)
		return false;
	x->stack = stack;
	x->capacity = capacity;
	return true;
}

static void reach(struct explorer *x, const struct state *s)
{
	x->gave_up = x->gave_up || (2 * x->states >= x->slots && !grow_table(x)) ||
		     (x->depth == x->capacity && !grow_stack(x));
	if (x->gave_up)
		return;
	uint64_t packed = pack(s, x->set->count), at = slot_of(x, packed);
	if (x->table[at] != 0)
		return;
	if (x->states == x->most) {
		x->gave_up = true;
		return;
	}
	x->table[at] = packed + 1;
	x->states++;
	x->stack[x->depth++] = packed;
}

/* ---- One instant ---- */

static const struct worst_segment *segment_of(const struct explorer *x, const struct state *s, uint32_t task)
{
	uint32_t segment = s->task[task].segment;
	return segment ? &x->set->task[task].segment[segment - 1] : NULL;
}

/* Gives the shared resource away. `came`: the tasks whose request is of this instant. */
static void dispatch(struct explorer *x, struct state *s, uint32_t came)
{
	for (uint32_t i = 0; i < x->set->count && s->holder == NOBODY; i++) {
		const struct worst_segment *g = segment_of(x, s, i);
		if (g && g->where == WORST_SHARED && !(x->set->lower_first && came >> i & 1))
			s->holder = i;
	}
	/* Turned around, those that came now are behind those that waited, the lowest first. */
	for (uint32_t i = x->set->count; i-- > 0 && s->holder == NOBODY;) {
		const struct worst_segment *g = segment_of(x, s, i);
		if (g && g->where == WORST_SHARED)
			s->holder = i;
	}
	reach(x, s);
}

/* Tasks from `task` on may release a job, or wait. */
static void release(struct explorer *x, const struct state *s, uint32_t task, uint32_t came)
{
	while (task < x->set->count && (s->task[task].segment != 0 || s->task[task].wait > 0))
		task++;
	if (task == x->set->count) {
		struct state copy = *s;
		dispatch(x, &copy, came);
		return;
	}
	release(x, s, task + 1, came);
	struct state released = *s;
	released.task[task] = (struct place){.wait = (uint32_t)x->set->task[task].period, .segment = 1};
	release(x, &released, task + 1, came | 1u << task);
}

static void note(struct explorer *x, uint32_t task, int64_t response)
{
	if (response > x->response[task])
		x->response[task] = response;
}

/* Ends the task's segment; the next one becomes ready. */
static void end(struct explorer *x, struct state *s, uint32_t task)
{
	const struct worst_task *t = &x->set->task[task];
	struct place *p = &s->task[task];
	if (s->holder == task)
		s->holder = NOBODY;
	p->done = 0;
	if (p->segment < t->count) {
		p->segment++;
		return;
	}
	p->segment = 0;
	note(x, task, t->period - p->wait);
}

/* Segments of the tasks in `running` have executed for a tick: from `task` on each ends, or goes on. */
static void complete(
	struct explorer *x, const struct state *s, uint32_t running, uint32_t task, uint32_t came)
{
	while (task < x->set->count &&
		!(running >> task & 1 && s->task[task].done >= segment_of(x, s, task)->best))
		task++;
	if (task == x->set->count) {
		/* A job that is as old as the period is late: nothing behind that is of interest. */
		for (uint32_t i = 0; i < x->set->count; i++)
			if (s->task[i].segment != 0 && s->task[i].wait == 0) {
				note(x, i, x->set->task[i].period + 1);
				return;
			}
		release(x, s, 0, came);
		return;
	}
	if (s->task[task].done < segment_of(x, s, task)->worst)
		complete(x, s, running, task + 1, came);
	struct state ended = *s;
	end(x, &ended, task);
	complete(x, &ended, running, task + 1, came | 1u << task);
}

static void tick(struct explorer *x, struct state *s)
{
	uint32_t running = 0;
	bool core = false;
	for (uint32_t i = 0; i < x->set->count; i++) {
		const struct worst_segment *g = segment_of(x, s, i);
		if (s->task[i].wait > 0)
			s->task[i].wait--;
		if (!g || (g->where == WORST_SHARED && s->holder != i) || (g->where == WORST_ON_CORE && core))
			continue;
		core |= g->where == WORST_ON_CORE;
		running |= 1u << i;
		s->task[i].done++;
	}
	complete(x, s, running, 0, 0);
}

uint64_t worst_responses(const struct worst_set *set, uint64_t most, int64_t *response)
{
	struct explorer x = {.set = set, .response = response, .most = most};
	struct state s = {.holder = NOBODY};
	for (uint32_t i = 0; i < set->count; i++)
		response[i] = 0;
	release(&x, &s, 0, 0);
	while (x.depth > 0 && !x.gave_up) {
		unpack(x.stack[--x.depth], set->count, &s);
		tick(&x, &s);
	}
	free(x.table);
	free(x.stack);
	return x.gave_up ? 0 : x.states;
}
