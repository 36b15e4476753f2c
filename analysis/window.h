/* analysis/window.h - how much a task can execute on one resource in a window of time, and least fixed
 * points of sums of that.
 *
 * The workload functions of RTGPU (Lemmas 2.1, 5.2 and 5.4) have one shape: segments on the resource,
 * separated at least by the gaps in which the task is elsewhere. For a task whose jobs all end by their
 * deadlines they bound the execution in any window, wherever it begins. */
#ifndef CEGSIM_ANALYSIS_WINDOW_H
#define CEGSIM_ANALYSIS_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* The segments of a task on a resource. The sum of lengths and inner gaps is at most `period`, and so is a
 * length with the first wrap: true for a task with a response of at most D <= T. */
struct window {
	uint32_t count;        /* 0: it never uses the resource */
	const int64_t *length; /* [count] worst cases, >= 0 */
	const int64_t
		*inner; /* [count - 1] least time from the end of a segment to when the next one is ready */
	int64_t first_wrap; /* the same from the last segment of the first job to the next job's first */
	int64_t tail;       /* the same between later jobs: period - all lengths - all inner gaps */
	int64_t period;
};

/* S(j) for j = 0, 1, ..., continued over the jobs. */
CEGSIM_API int64_t window_gap(const struct window *w, uint64_t j);

/* W^h(t), 0 <= h < count, t >= 0: the most that it executes in a window of length t that begins with segment
 * h. It never falls when t grows, and never grows when a gap grows. Costs O(count), whatever t. */
CEGSIM_API int64_t window_work(const struct window *w, uint32_t h, int64_t t);

/* max over h of W^h(t); 0 if count is 0. Costs O(count), too. */
CEGSIM_API int64_t window_most(const struct window *w, int64_t t);

/* window_most() as a function of t is made of pieces on which it stays, or grows with t. One of them, for
 * from <= t <= until; a zeroed one is right for every window. */
struct window_piece {
	int64_t from, until, most; /* most: at `from` */
	bool rises;
};

/* A piece that begins at t. Costs O(count). */
CEGSIM_API void window_piece_find(const struct window *w, int64_t t, struct window_piece *piece);

/* window_most(), looked up in the piece, which is found anew where t is not in it. */
static inline int64_t window_piece_most(const struct window *w, int64_t t, struct window_piece *piece)
{
	if (t < piece->from || t > piece->until)
		window_piece_find(w, t, piece);
	return piece->most + (piece->rises ? t - piece->from : 0);
}

/* ---- Fixed points ----
 *
 * The least x >= 0 with constant + sum over the tasks of window_most(task, x + ahead) <= x. Returns NO_BOUND
 * (analysis/verdict.h) as soon as x exceeds `limit`; with `beyond` it goes on to the fixed point, and gives
 * up after WINDOW_PATIENCE further steps or beyond int64. */
#define WINDOW_PATIENCE 1000u

struct window_sum {
	const struct window *const *window; /* [count] */
	uint32_t count;
	int64_t constant; /* >= 0 */
	int64_t ahead;    /* 0; or 1 to bound starts instead of ends */
	int64_t limit;
	bool beyond;
	int64_t from; /* a lower bound of the fixed point: that of other sums which are nowhere more than
			 these, plus what this constant is more; or 0 */
	struct window_piece *piece; /* [count] of the windows, from one sum to the next; NULL: not kept */
};

CEGSIM_API int64_t window_fixed_point(const struct window_sum *sum);

#endif
