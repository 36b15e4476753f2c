/* models/again.c - see models/again.h.
 *
 * All that a run changes is in struct machine, its arena and its trace. So the arena is written back as it
 * was, at the same addresses, whatever the run and the policy did to it. What of a machine depends on the
 * setup and on release rules is few: the end, the lengths of steps, the first releases; rules for ties and
 * misses are in many places, and must not have changed. */
#include "models/again.h"

#include <assert.h>
#include <stdlib.h>

bool again_serves(const struct machine *m)
{
	return m->policy->plan_of_set && !m->devices.chosen && !m->programs.insides;
}

struct again *again_create(const struct machine *m)
{
	struct again *a = calloc(1, sizeof(*a));
	assert(m->sim.events == 0);
	if (!a || !arena_image_take(&a->memory, &m->arena)) {
		free(a);
		return NULL;
	}
	a->machine = *m;
	a->on_miss = m->setup->on_miss;
	a->ties = m->setup->ties;
	return a;
}

void again_destroy(struct again *a)
{
	if (!a)
		return;
	arena_image_finish(&a->memory);
	free(a);
}

bool again_begin(const struct again *a, struct machine *m, struct error *err)
{
	struct arena arena = m->arena;
	struct trace trace = m->trace;
	int64_t stop_at = m->stop_at;
	assert(a->on_miss == m->setup->on_miss && a->ties == m->setup->ties);
	arena_image_restore(&a->memory, &arena);
	*m = a->machine;
	m->arena = arena;
	m->trace = trace;
	m->stop_at = stop_at;
	if (m->plan.refused)
		return true;
	if (!sim_reaches(&m->sim, stop_at, err))
		return false;
	steps_set_lengths(m);
	return jobs_begin(m, err);
}
