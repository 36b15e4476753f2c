/* runs/replay/captured_parts.h - what the files of the replay of profiles share; only for use there. */
#ifndef CEGSIM_RUNS_REPLAY_CAPTURED_PARTS_H
#define CEGSIM_RUNS_REPLAY_CAPTURED_PARTS_H

#include "models/kernel.h"
#include "models/setup.h"
#include "models/taskset.h"
#include "runs/replay/captured.h"

/* captured_play.c: when the operations of a unit start in the simulation: predicted_ns. `bytes`: of memory
 * for the part that is simulated at a time. */
MUST_CHECK bool captured_play(
	struct captured *c, const struct captured_unit *unit, uint64_t bytes, struct error *err);

/* A part of a unit's operations. */
struct captured_part {
	uint32_t first, count; /* in unit->operations */
};

/* captured_set.c: such a part as a task set; task i is operation unit->operations[first + i]. Names are those
 * of the capture. Call captured_set_finish() either way. */
struct captured_set {
	struct taskset set;
	struct run_setup setup;
	int64_t base_ns; /* instant of the capture that is 0 in the run */
};
MUST_CHECK bool captured_set_make(struct captured_set *s, const struct captured *c,
	const struct captured_unit *unit, const struct captured_part *part, struct error *err);
/* The instant of the capture that is 0 in the run of a part: its first release. */
int64_t captured_base(
	const struct captured *c, const struct captured_unit *unit, const struct captured_part *part);
void captured_set_finish(struct captured_set *s);

/* Blocks of the kernel that are resident at a time on an empty GPU, and how many rounds of them it has. */
struct captured_waves {
	uint64_t resident, waves;
	struct block_demand demand;
};
MUST_CHECK bool captured_waves(struct captured_waves *w, const struct platform *platform,
	const struct capture_operation *o, struct error *err);

/* captured_order.c: predecessors, marks of waits, the order of issue, releases. */
MUST_CHECK bool captured_order(struct captured *c, struct error *err);

/* captured_rooms.c: when kernels of a unit that started late had room on the SMs, by R1, R2 and the recorded
 * times of all others: room_ns, room_by. `bytes`: the same, for what is looked at at a time. */
MUST_CHECK bool captured_find_rooms(
	struct captured *c, const struct captured_unit *unit, uint64_t bytes, struct error *err);

/* captured_why.c: the reasons of late starts. */
MUST_CHECK bool captured_explain(struct captured *c, struct error *err);

/* captured_fit.c */
MUST_CHECK bool captured_fit_all(struct captured *c, struct error *err);

/* The stream of an operation. */
static inline const struct capture_stream *captured_stream(
	const struct captured *c, const struct captured_operation *o)
{
	return &c->capture->streams[o->op->stream];
}

/* Whether the NULL stream waits for the work of the stream, and that for it. */
static inline bool captured_is_ordered(const struct captured_unit *u, const struct capture_stream *s)
{
	return u->null_orders && s->kind != CAPTURE_STREAM_NULL;
}

#endif
