/* report/detail.h - the levels of detail of a schedule: which part of each lane each task had, in bins of
 * equal length.
 *
 * A detail is filled once, with its finest bins. Then entries can be read for these bins, or for any multiple
 * of them: the sums are whole numbers (capacity times ns), and are rounded only in the result.
 *
 *   struct detail d;
 *   if (!detail_begin(&d, lanes, tasks, bins, bin_ns, err)) ...
 *   ... detail_add(&d, lane, task, start_ns, end_ns, threads, err), or detail_join()
 *   ... detail_entries(&d, lane, 4, capacity, &entries, err): bins of 4 * bin_ns
 *   detail_finish(&d);
 *
 * It needs 16 bytes for each (lane, bin, task) that is not empty, and up to four times as much while it is
 * filled. */
#ifndef CEGSIM_REPORT_DETAIL_H
#define CEGSIM_REPORT_DETAIL_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/int128.h"

#define DETAIL_FEW 20000      /* runs of at most this many intervals are drawn one by one */
#define DETAIL_FIRST_BINS 512 /* bins of level 0, at most */
#define DETAIL_BINS_MAX 32768 /* of any level */
#define DETAIL_PER_BIN 200    /* with more intervals per bin there is a finer level */
#define DETAIL_STEP 4         /* a bin of a level is divided into this many of the next level */
#define DETAIL_FULL 65535     /* the share of a lane that is full */
#define DETAIL_TASKS_MAX 65536

struct detail_plan {
	unsigned levels; /* 0: none */
	size_t bins;     /* of the finest level */
	int64_t bin_ns; /* of the finest level; a bin of level l is DETAIL_STEP^(levels - 1 - l) times as long
			 */
};

/* The levels for a run of this many intervals, the last of which ends at end_ns >= 0. */
struct detail_plan detail_plan(int64_t intervals, int64_t end_ns);
/* How many of the finest bins make one bin of `level`. */
size_t detail_factor(const struct detail_plan *plan, unsigned level);

struct detail_lane;

struct detail {
	size_t lanes, tasks, bins;
	int64_t bin_ns;
	struct detail_lane *lane;
	int64_t *reached; /* detail_join(): [lanes][tasks] the instant up to which time has been counted */
	uint128 *total;   /* detail_entries(): [tasks] scratch; zero between calls */
};

/* A detail of bins * bin_ns from instant 0; bin_ns and the counts are at least 1, bins at most
 * DETAIL_BINS_MAX, tasks at most DETAIL_TASKS_MAX. On failure *d is empty. */
MUST_CHECK bool detail_begin(
	struct detail *d, size_t lanes, size_t tasks, size_t bins, int64_t bin_ns, struct error *err);
void detail_finish(struct detail *d); /* accepts a zeroed one */

/* Adds: the task had `weight` (1, or threads) of the lane from start to end. What is outside of the bins is
 * ignored. STATUS_INPUT: a sum exceeds 64 bits (detail_entries() may be the one to notice). */
MUST_CHECK bool detail_add(struct detail *d, size_t lane, size_t task, int64_t start_ns, int64_t end_ns,
	int64_t weight, struct error *err);
/* The same with weight 1, but time that was added before counts only once. Calls for one lane and task must
 * be in order of start_ns, and not mixed with detail_add(). */
MUST_CHECK bool detail_join(
	struct detail *d, size_t lane, size_t task, int64_t start_ns, int64_t end_ns, struct error *err);

/* Ordered by bin, then task. Share: the task's part of capacity * time; DETAIL_FULL is all. Rounded to
 * nearest (halves up), 1 to DETAIL_FULL. Empty bins have no entry. */
struct detail_entries {
	uint16_t *bin, *task, *share;
	size_t count, capacity;
};

/* The entries of a lane in bins of factor * bin_ns. Replaces the content of *entries, which must be zeroed
 * before its first use. More may be added to the detail afterwards. */
MUST_CHECK bool detail_entries(struct detail *d, size_t lane, size_t factor, int64_t capacity,
	struct detail_entries *entries, struct error *err);
void detail_entries_finish(struct detail_entries *entries); /* accepts a zeroed one */

#endif
