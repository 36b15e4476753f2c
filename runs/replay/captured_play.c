/* runs/replay/captured_play.c - the simulation of a unit, part by part.
 *
 * A task of the simulation has one job, so a profile of millions of operations would be as many tasks, most
 * of which are over or not yet released. Operations are in order of issue; a part of them is simulated as if
 * nothing came after it. Up to an operation before whose release all that were issued before had ended, that
 * is what the whole would have given: at such an instant nothing is on the GPU, in an engine or in a stream,
 * and nothing remembers what was. There the next part begins. A part without such an operation is simulated
 * again, with more behind it. */
#include <stdlib.h>

#include "runs/replay/captured_parts.h"
#include "runs/replay/simulate.h"

/* What an operation takes of memory, nearly: a task with its slots and queues. */
#define TASK_BYTES 1300

struct play {
	struct captured *c;
	const struct captured_unit *unit;
	struct captured_part part;
	int64_t base_ns;
	int64_t *least_ns; /* [unit->count + 1] the earliest release from an operation on */
	int64_t *over_ns;  /* [unit->count] when an operation holds nothing up any more */
};

static bool note_spans(void *self, const struct trace_record *records, size_t count)
{
	const struct play *p = self;
	for (size_t i = 0; i < count; i++) {
		if (records[i].kind != TRACE_SPAN)
			continue;
		uint32_t at = p->part.first + records[i].task;
		p->c->operations[p->unit->operations[at]].predicted_ns = records[i].start + p->base_ns;
		p->over_ns[at] = records[i].time + p->base_ns + p->unit->platform.overheads.gap_ns;
	}
	return true;
}

static bool simulate(struct play *p, struct error *err)
{
	struct captured_set s;
	bool ok = captured_set_make(&s, p->c, p->unit, &p->part, err);
	p->base_ns = s.base_ns;
	ok = ok &&
	     replay_simulate(&p->unit->platform, &s.set, &s.setup, TRACE_BIT(TRACE_SPAN), note_spans, p, err);
	captured_set_finish(&s);
	return ok;
}

/* As many operations as the memory is for, one at least. With launches on the one core the core is never
 * known to be as it was at the begin: then all is one part. */
static uint32_t part_of(const struct play *p, uint64_t bytes)
{
	uint64_t left = p->unit->count - p->part.first, count = bytes / TASK_BYTES + 1;
	return (uint32_t)(count < left && p->unit->platform.overheads.launch_ns == 0 ? count : left);
}

/* The last operation of the part, or the one behind it, before whose release all before it are over; the
 * part's first: there is none. */
static uint32_t last_cut(const struct play *p)
{
	uint32_t cut = p->part.first, end = p->part.first + p->part.count;
	int64_t over = INT64_MIN;
	if (end == p->unit->count)
		return end;
	for (uint32_t at = p->part.first; at < end; at++) {
		over = p->over_ns[at] > over ? p->over_ns[at] : over;
		if (over <= p->least_ns[at + 1])
			cut = at + 1;
	}
	return cut;
}

/* A part of which less than half was of use was too small for the file. */
static bool play_parts(struct play *p, uint64_t least_bytes, struct error *err)
{
	uint64_t bytes = least_bytes;
	while (p->part.first < p->unit->count) {
		p->part.count = part_of(p, bytes);
		if (!simulate(p, err))
			return false;
		p->c->parts++;
		uint32_t cut = last_cut(p);
		bytes = cut - p->part.first < p->part.count / 2 + 1 ? 2 * bytes : least_bytes;
		p->part.first = cut;
	}
	return true;
}

bool captured_play(struct captured *c, const struct captured_unit *unit, uint64_t bytes, struct error *err)
{
	struct play p = {
		.c = c,
		.unit = unit,
		.least_ns = malloc(((size_t)unit->count + 1) * sizeof(*p.least_ns)),
		.over_ns = malloc(((size_t)unit->count + 1) * sizeof(*p.over_ns)),
	};
	bool ok = p.least_ns && p.over_ns;
	if (ok) {
		p.least_ns[unit->count] = INT64_MAX;
		for (uint32_t i = unit->count; i-- > 0;) {
			int64_t release = c->operations[unit->operations[i]].release_ns;
			p.least_ns[i] = release < p.least_ns[i + 1] ? release : p.least_ns[i + 1];
		}
		ok = play_parts(&p, bytes, err);
	} else {
		error_memory(err, "replaying a profile");
	}
	free(p.least_ns);
	free(p.over_ns);
	return ok;
}
