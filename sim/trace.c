/* sim/trace.c - the ring of trace records and its observers; see sim/trace.h. */
#include "sim/trace.h"

#include <assert.h>
#include <stdlib.h>

bool trace_init(struct trace *t)
{
	*t = (struct trace){0};
	t->ring = malloc(TRACE_RING * sizeof(*t->ring));
	return t->ring != NULL;
}

void trace_restart(struct trace *t)
{
	*t = (struct trace){.ring = t->ring};
}

void trace_finish(struct trace *t)
{
	free(t->ring);
	*t = (struct trace){0};
}

void trace_observe(struct trace *t, uint32_t wanted, trace_observer_fn *fn, void *self)
{
	assert(t->observers < TRACE_OBSERVERS);
	t->observer[t->observers].fn = fn;
	t->observer[t->observers].self = self;
	t->observers++;
	t->wanted |= wanted;
}

void trace_flush(struct trace *t)
{
	for (uint32_t i = 0; i < t->observers && !t->failed; i++)
		if (!t->observer[i].fn(t->observer[i].self, t->ring, t->used))
			t->failed = true;
	t->used = 0;
}
