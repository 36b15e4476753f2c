/* runs/search/sets.h - searches in every set of a recording: how near the methods come to bounds, and where
 * one is exceeded. A piece of work is one set under one policy. */
#ifndef CEGSIM_RUNS_SEARCH_SETS_H
#define CEGSIM_RUNS_SEARCH_SETS_H

#include "db/reader.h"
#include "db/subjects.h"
#include "runs/bounds/bounding.h"
#include "runs/load.h"
#include "runs/search/hunt.h"

#define SETS_ANALYSES 24u
#define SETS_METHODS METHOD_EXHAUSTIVE /* the methods before this one */

/* A set of the recording on one of its platforms; policy NULL: the recorded one with policy_id. */
struct sets_subject {
	int64_t taskset_id, platform_id, policy_id;
	const struct policy *policy;
	const struct params *params;
};

struct sets_search {
	const char *file;
	const struct sets_subject *subjects;
	uint32_t subject_count;
	const struct analysis_use *analyses;
	uint32_t analysis_count;    /* at most SETS_ANALYSES */
	bool methods[SETS_METHODS]; /* the methods to use */
	uint64_t budget, seed;      /* METHOD_HUNT: the budget of a set */
	uint32_t patience, most_jobs;
	bool periodic;
	struct db_reader *reader; /* a worker's own; NULL before */
};

/* One method compared with one analysis, task by task. Only sets that the analysis finds schedulable
 * count. Of a hunt, the worst of the sets near this one counts, as one task. */
struct sets_cell {
	uint32_t counted[BOUND_CHECKS];
	uint32_t ratios; /* observed / bound in conclusive schedules: number, sum, greatest */
	double sum, most;
};

/* A response that exceeds a bound: the largest of its set relative to the bound. */
struct sets_excess {
	uint32_t task, analysis;
	enum search_method method;
	int64_t observed_ns, bound_ns;
	bool any;
};

struct sets_result {
	bool complete;
	bool planned;     /* the policy accepts the set */
	char policy[256]; /* with the options that differ from their defaults */
	uint64_t evaluations[SETS_METHODS];
	double seconds[SETS_METHODS];
	bool schedulable[SETS_ANALYSES], asked[SETS_ANALYSES];
	bool erred[SETS_ANALYSES]; /* an analysis of the user's gave no answer: */
	char reason[SETS_ANALYSES][256];
	struct sets_cell cells[SETS_ANALYSES][SETS_METHODS];
	struct sets_excess sound, unsafe;
};

/* For struct pieces_spec: `self` is a sets_search, a result a struct sets_result. */
bool sets_make(void *self, uint32_t piece, void *result, struct pieces_shared *shared, struct error *err);

/* A subject with all data for a search. */
struct sets_case {
	struct subject recorded; /* policy_id 0: it is not the recorded one */
	struct loaded_run run;
	struct bounding bounding;
	struct genome_space space;
	struct search_case what;
	bool planned; /* false: there is no space */
};

/* False: *err; sets_close() is not needed then. */
MUST_CHECK bool sets_open(const struct sets_search *s, struct db_reader *reader, uint32_t subject,
	struct sets_case *c, struct error *err);
void sets_close(struct sets_case *c);

/* The hunt from the set, for an excess over the bounds of one analysis. It refers to *spec, which is filled
 * in.
 */
struct hunt sets_hunt(const struct sets_search *s, const struct sets_case *c, uint32_t subject,
	const struct analysis_use *use, struct search_spec *spec);

/* The search for one task by one method: *target is filled in, and the search refers to it. In the draws the
 * set's number is `subject`. */
struct search_spec sets_task_search(const struct sets_search *s, const struct sets_case *c, uint32_t subject,
	enum search_method method, uint32_t task, struct search_target *target);

#endif
