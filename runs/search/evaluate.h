/* runs/search/evaluate.h - evaluates a genome: one simulation, and the longest responses in it. */
#ifndef CEGSIM_RUNS_SEARCH_EVALUATE_H
#define CEGSIM_RUNS_SEARCH_EVALUATE_H

#include <stdatomic.h>

#include "db/bound_check.h"
#include "runs/search/genome.h"
#include "sim/trace.h"

/* Whose response is searched for: that of a job of the task, from its release; or that of one segment of it,
 * from when it is ready. */
#define WHOLE_JOB UINT32_MAX
struct search_target {
	uint32_t task, segment;
};

/* An instance of a segment that ran. */
struct seen_segment {
	uint32_t task, job, segment;
	int64_t ready, end;
};

#define EVALUATOR_TIES (TIES_LOWER_FIRST + 1)

struct simulation;

/* Evaluates genomes one after the other, in the same memory. */
struct evaluator {
	struct search_case what;
	const struct genome_space *space;
	struct arena arena;
	struct taskset set; /* the set of the case, with our own releases */
	struct run_setup setup;
	struct release_rule *rules;              /* [tasks] */
	struct simulation *kept[EVALUATOR_TIES]; /* by run_setup.ties; NULL: no genome had that rule yet */
	_Atomic uint64_t *counter; /* counts evaluations; NULL: no count. Set after evaluator_init() */

	/* Results of the last genome. */
	int64_t *longest;      /* [tasks] longest responses of jobs; for unfinished ones a lower bound */
	uint32_t *longest_job; /* [tasks] the first job with that response */
	struct bound_seen *seen_jobs; /* [tasks] what bounds are compared with */
	uint64_t digest;

	/* Results for segments: of one target, or of all segments. */
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

/* Runs the genome and returns the target's longest response, ns (0: it has no job). -1: *err, such as a
 * policy that did something forbidden. */
int64_t evaluate(
	struct evaluator *e, const struct genome *g, const struct search_target *target, struct error *err);
/* The same; e->seen[] then has all segments that ran. */
int64_t evaluate_and_see(
	struct evaluator *e, const struct genome *g, const struct search_target *target, struct error *err);

/* Counts an evaluation of a genome whose response is known. */
void evaluate_known(struct evaluator *e);

/* What bounds on the target's response are compared with; segments have no bounds. */
struct bound_seen evaluated_seen(const struct evaluator *e, const struct search_target *target);

/* The target's job with that response. */
uint32_t evaluated_job(const struct evaluator *e, const struct search_target *target);

/* Fills in a setup and the rule of every task as in the genome's run, in the evaluator's memory: valid until
 * the next genome. */
void evaluator_load(struct evaluator *e, const struct genome *g);

#endif
