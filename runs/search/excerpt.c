/* runs/search/excerpt.c - see runs/search/excerpt.h. */
#include "runs/search/excerpt.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "models/execution.h"
#include "models/simulation.h"

#define SLICE_EVENTS 1000000u

struct released {
	uint32_t task, job;
	int64_t at;
};

struct releases {
	struct released *items; /* [count], in the order of their instants */
	size_t count, capacity;
};

struct listener {
	uint32_t task;
	uint64_t pending;
	struct releases busy; /* since the system was last idle */
	struct releases kept; /* when the longest job ended */
	int64_t longest;
	bool no_memory;
};

static bool copy(struct releases *to, const struct releases *from)
{
	if (!list_reserve(&to->items, &to->capacity, from->count, sizeof(*to->items)))
		return false;
	memcpy(to->items, from->items, from->count * sizeof(*from->items));
	to->count = from->count;
	return true;
}

static bool note_release(struct listener *l, const struct trace_record *r)
{
	struct releases *b = &l->busy;
	if (l->pending++ == 0)
		b->count = 0;
	if (!list_reserve(&b->items, &b->capacity, b->count + 1, sizeof(*b->items)))
		return false;
	b->items[b->count++] = (struct released){r->task, r->job, r->time};
	return true;
}

static bool note_end(struct listener *l, const struct trace_record *r)
{
	l->pending--;
	if (r->task != l->task || r->time - r->start <= l->longest)
		return true;
	l->longest = r->time - r->start;
	return copy(&l->kept, &l->busy);
}

static bool note(void *self, const struct trace_record *records, size_t count)
{
	struct listener *l = self;
	for (size_t i = 0; i < count && !l->no_memory; i++) {
		const struct trace_record *r = &records[i];
		if (r->kind == TRACE_JOB_RELEASE)
			l->no_memory = !note_release(l, r);
		else if (r->kind == TRACE_JOB_END)
			l->no_memory = !note_end(l, r);
	}
	return !l->no_memory;
}

static bool listen(
	const struct search_case *what, const struct run_setup *setup, struct listener *l, struct error *err)
{
	struct simulation *s;
	enum simulation_state state = SIMULATION_RUNNING;
	if (!simulation_create(what->platform, what->set, setup, what->policy, what->params, &s, err))
		return false;
	trace_observe(simulation_trace(s), TRACE_BIT(TRACE_JOB_RELEASE) | TRACE_BIT(TRACE_JOB_END), note, l);
	while (state == SIMULATION_RUNNING)
		state = simulation_step(s, SLICE_EVENTS);
	bool ok = state == SIMULATION_ENDED;
	if (!ok && simulation_error(s))
		*err = *simulation_error(s);
	else if (!ok)
		error_memory(err, "repeating a run");
	simulation_destroy(s);
	return ok;
}

static int64_t clamped(int64_t value, int64_t least, int64_t most)
{
	return value < least ? least : value > most ? most : value;
}

/* One job behind the task's last one. False: it comes too early. */
static bool add_job(const struct search_case *what, const struct run_setup *setup,
	const struct genome_space *space, const struct released *r, int64_t begin, struct genome *g)
{
	const struct task *t = &what->set->tasks[r->task];
	uint32_t n = (uint32_t)g->jobs[r->task]++;
	int64_t before = n ? genome_release(space, g, r->task, n - 1) + t->period_ns : 0;
	int64_t at = r->at - begin;
	if (n == 0)
		g->offset[r->task] = at;
	else
		g->extra[space->first_job[r->task] + n] = at - before;
	for (uint32_t k = 0; k < t->segment_count; k++) {
		uint32_t index = space->first_segment[r->task] + k;
		int64_t best = space->best[index], worst = space->worst[index];
		int64_t length = execution_length(setup, t->release ? t->release : &setup->release,
			&t->segments[k], r->task, r->job, k, best, worst);
		*genome_length(space, g, r->task, n, k) = clamped(length, best, worst);
	}
	return n == 0 || at >= before;
}

/* Of each task the last jobs for which there is room. */
static bool fill(const struct search_case *what, const struct run_setup *setup,
	const struct genome_space *space, const struct releases *kept, struct genome *g)
{
	memset(g->ties, 0, space->size * sizeof(*g->ties));
	*g->ties = setup->ties;
	for (uint32_t task = 0; task < space->tasks; task++) {
		uint32_t all = 0, skipped = 0;
		for (size_t i = 0; i < kept->count; i++)
			all += kept->items[i].task == task;
		for (size_t i = 0; i < kept->count; i++) {
			const struct released *r = &kept->items[i];
			if (r->task != task ||
				(all > space->jobs[task] && skipped++ < all - space->jobs[task]))
				continue;
			if (!add_job(what, setup, space, r, kept->items[0].at, g))
				return false;
		}
	}
	return true;
}

bool excerpt(const struct search_case *what, const struct run_setup *setup, uint32_t task,
	const struct genome_space *space, struct genome *g, struct error *err)
{
	struct listener l = {.task = task, .longest = -1};
	bool ok = listen(what, setup, &l, err);
	if (ok && l.longest < 0)
		ok = error_set(
			err, STATUS_INPUT, "the run has no job of task '%s'", what->set->tasks[task].name);
	if (ok && !fill(what, setup, space, &l.kept, g))
		ok = error_set(err, STATUS_INPUT, "the run releases jobs earlier than their tasks say");
	free(l.busy.items);
	free(l.kept.items);
	return ok;
}
