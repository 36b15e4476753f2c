/* runs/search/evaluate.h - what a genome does: one simulation, and of it the longest responses. */
#ifndef CEGSIM_RUNS_SEARCH_EVALUATE_H
#define CEGSIM_RUNS_SEARCH_EVALUATE_H

#include <stdatomic.h>

#include "db/bound_check.h"
#include "runs/search/genome.h"
#include "sim/trace.h"

/* Whose response is looked for: a job's of the task, from its release, or one segment's of it, from the
 * instant at which it is ready. */
#define WHOLE_JOB UINT32_MAX
struct search_target {
	uint32_t task, segment;
};

/* An instance of a segment that ran, as it was seen. */
struct seen_segment {
	uint32_t task, job, segment;
	int64_t ready, end;
};

/* Memory for one genome after the other. */
struct evaluator {
	struct search_case what;
	const struct genome_space *space;
	struct arena arena;
	struct taskset set; /* the case's, with releases of our own */
	struct run_setup setup;
	struct release_rule *rules; /* [tasks] */
	_Atomic uint64_t *counter;  /* counts evaluations; NULL: nobody does. Set after evaluator_init() */

	/* Of the last one. */
	int64_t *longest;      /* [tasks] responses of jobs; of unfinished ones what they took at least */
	uint32_t *longest_job; /* [tasks] the first with that response */
	struct bound_seen *seen_jobs; /* [tasks] what bounds are held against */
	uint64_t digest;

	/* Of segments: of one target, or all that is seen. */
	struct search_target target;
	int64_t longest_segment;
	uint32_t longest_segment_job;
	bool see;
	struct seen_segment *seen;
	size_t seen_count, seen_capacity;
	bool no_memory;
};

MUST_CHECK bool evaluator_init(struct evaluator *e, const struct search_case *what,
	const struct genome_space *space, struct error *err);
void evaluator_finish(struct evaluator *e); /* accepts a zeroed one */

/* Runs the genome and returns the target's longest response, ns (0: it has no job); -1: *err, e.g. the policy
 * did what it must not. */
int64_t evaluate(
	struct evaluator *e, const struct genome *g, const struct search_target *target, struct error *err);
/* The same, and e->seen[] is all that ran. */
int64_t evaluate_and_see(
	struct evaluator *e, const struct genome *g, const struct search_target *target, struct error *err);

/* What bounds on the target's response are held against; no bound is of a segment. */
struct bound_seen evaluated_seen(const struct evaluator *e, const struct search_target *target);

/* The job of the target with that response. */
uint32_t evaluated_job(const struct evaluator *e, const struct search_target *target);

/* Fills in a setup and the rule of every task, as the genome's run has them, on the evaluator's own memory:
 * valid until the next genome. */
void evaluator_load(struct evaluator *e, const struct genome *g);

#endif
