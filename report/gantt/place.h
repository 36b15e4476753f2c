/* report/gantt/place.h - where the intervals of a lane stand in its height, so that none covers another. */
#ifndef CEGSIM_REPORT_GANTT_PLACE_H
#define CEGSIM_REPORT_GANTT_PLACE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum gantt_kind { GANTT_RUN, GANTT_SPIN, GANTT_BOOST };
enum gantt_direction { GANTT_NOWHERE, GANTT_TO_GPU, GANTT_TO_CPU, GANTT_BOTH_WAYS };

#define GANTT_NO_JOB (-1)

/* An interval: a block, a kernel, a copy, a segment on the CPU, or a job. Before it is placed, high - low is
 * its weight (threads, or 1); behind, it stands from low to high. */
struct gantt_bar {
	int64_t start, end, low, high; /* ns; start < end */
	int64_t seq;                   /* GANTT_NO_JOB: what a level of detail adds up */
	size_t lane, task;
	int64_t block;
	uint16_t segment;
	uint8_t kind, direction;
};

/* A list. A zeroed one is empty. */
struct gantt_bars {
	struct gantt_bar *bar;
	size_t count;
};

MUST_CHECK bool gantt_bars_add(struct gantt_bars *bars, const struct gantt_bar *bar, struct error *err);
void gantt_bars_finish(struct gantt_bars *bars);
/* Two blocks of a kernel at the same time, b upon a. */
bool gantt_same_kernel(const struct gantt_bar *a, const struct gantt_bar *b);

/* Puts every bar in order of its start (then task, job, segment, block) at the lowest place in which it fits
 * below the lane's `ceiling`, while it runs; where what is free lies apart, in pieces, each a bar of its own;
 * where too little is free, on top of the others. If that takes pieces, other ways are tried, and that with
 * the fewest is taken, the first among equals: every second task from the ceiling down; and, of few bars, the
 * heaviest first. Bars come out ordered by lane, start and low. tops[lane] grows to the greatest `high` of
 * the lane. */
MUST_CHECK bool gantt_place(
	struct gantt_bars *bars, const int64_t *ceilings, int64_t *tops, struct error *err);

#endif
