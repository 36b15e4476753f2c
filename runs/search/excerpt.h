/* runs/search/excerpt.h - the part of a run that led to the longest response of a task, as a genome: where a
 * recorded schedule is made small. */
#ifndef CEGSIM_RUNS_SEARCH_EXCERPT_H
#define CEGSIM_RUNS_SEARCH_EXCERPT_H

#include "models/setup.h"
#include "runs/search/genome.h"

/* Repeats the run of the space's set under `setup`, and fills in *g with the jobs that were released since
 * the system was last idle, up to the end of the task's longest job, as far as the space has room: the last
 * ones. Their genes are legal; whether the response is the same, an evaluation shows. `what` is the case of
 * the space. False: *err; STATUS_INPUT: the run has no job of the task, or separations that the set forbids.
 */
MUST_CHECK bool excerpt(const struct search_case *what, const struct run_setup *setup, uint32_t task,
	const struct genome_space *space, struct genome *g, struct error *err);

#endif
