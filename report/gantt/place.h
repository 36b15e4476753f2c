/* report/gantt/place.h - places the intervals of a lane in its height, so that they do not overlap. */
#ifndef CEGSIM_REPORT_GANTT_PLACE_H
#define CEGSIM_REPORT_GANTT_PLACE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum gantt_kind { GANTT_RUN, GANTT_SPIN, GANTT_BOOST, GANTT_OVERHEAD };
enum gantt_direction { GANTT_NOWHERE, GANTT_TO_GPU, GANTT_TO_CPU, GANTT_BOTH_WAYS };

#define GANTT_NO_JOB (-1)

/* An interval: a block, a kernel, a copy, a segment on the CPU, or a job. Before it is placed, high - low is
 * its weight (threads, or 1); afterwards it has the range from low to high. */
struct gantt_bar {
	int64_t start, end, low, high; /* ns; start < end */
	int64_t seq;                   /* GANTT_NO_JOB: it is a sum of a level of detail */
	size_t lane, task;
	int64_t block;
	uint32_t segment;
	uint8_t kind, direction;
};

/* A list. A zeroed one is empty. */
struct gantt_bars {
	struct gantt_bar *bar;
	size_t count;
};

MUST_CHECK bool gantt_bars_add(struct gantt_bars *bars, const struct gantt_bar *bar, struct error *err);
void gantt_bars_finish(struct gantt_bars *bars);
/* Whether they are two blocks of a kernel at the same time, b directly on top of a. */
bool gantt_same_kernel(const struct gantt_bar *a, const struct gantt_bar *b);

/* Places every bar, in order of start (then task, job, segment, block), at the lowest place below the lane's
 * `ceiling` that is free while it runs. If the free height is in several pieces, the bar is cut into pieces,
 * each a bar of its own; if too little is free, it is put on top of the others. If bars were cut, other
 * methods are tried: every second task from the ceiling down; and, with few bars, the heaviest first. The
 * method with the fewest pieces is taken, the first of equal ones. Bars come out ordered by lane, start and
 * low. tops[lane] is raised to the greatest `high` of the lane. */
MUST_CHECK bool gantt_place(
	struct gantt_bars *bars, const int64_t *ceilings, int64_t *tops, struct error *err);

#endif
