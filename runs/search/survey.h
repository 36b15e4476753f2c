/* runs/search/survey.h - a search in every set of a recording: how near bounds the methods come, and where
 * one is exceeded. A piece of work is one set under one policy. */
#ifndef CEGSIM_RUNS_SEARCH_SURVEY_H
#define CEGSIM_RUNS_SEARCH_SURVEY_H

#include "db/reader.h"
#include "runs/bounds/bounding.h"
#include "runs/load.h"
#include "runs/search/hunt.h"

#define SURVEY_ANALYSES 24u
#define SURVEY_METHODS METHOD_EXHAUSTIVE /* those in front of it */

/* A set of the recording on one of its platforms; policy NULL: the one recorded with policy_id. */
struct survey_subject {
	int64_t taskset_id, platform_id, policy_id;
	const struct policy *policy;
	const struct params *params;
};

struct survey {
	const char *file;
	const struct survey_subject *subjects;
	uint32_t subject_count;
	const struct analysis_use *analyses;
	uint32_t analysis_count;      /* at most SURVEY_ANALYSES */
	bool methods[SURVEY_METHODS]; /* which are used */
	uint64_t budget, seed;
	uint32_t patience, most_jobs;
	bool periodic;
	struct db_reader *reader; /* a worker's own; NULL before */
};

/* One method against one analysis, task by task. Only sets that the analysis finds schedulable count. */
struct survey_cell {
	uint32_t counted[BOUND_CHECKS];
	uint32_t ratios; /* observed / bound where a schedule tells: how many, the sum, the greatest */
	double sum, most;
};

/* A response beyond a bound, the largest of its set in relation to that. */
struct survey_excess {
	uint32_t task, analysis;
	enum search_method method;
	int64_t observed_ns, bound_ns;
	bool any;
};

struct survey_result {
	bool complete;
	bool planned;     /* the policy takes the set */
	char policy[256]; /* with the options that are not as by default */
	uint64_t evaluations[SURVEY_METHODS];
	double seconds[SURVEY_METHODS];
	bool schedulable[SURVEY_ANALYSES], asked[SURVEY_ANALYSES];
	struct survey_cell cells[SURVEY_ANALYSES][SURVEY_METHODS];
	struct survey_excess sound, unsafe;
};

/* For struct pieces_spec: `self` is a survey, a result a struct survey_result. */
bool survey_make(void *self, uint32_t piece, void *result, struct pieces_shared *shared, struct error *err);

/* A subject with all that a search needs. */
struct survey_case {
	struct loaded_run run;
	struct bounding bounding;
	struct genome_space space;
	struct search_case what;
	bool planned; /* else there is no space */
};

/* False: *err; survey_close() is not needed then. */
MUST_CHECK bool survey_open(const struct survey *s, struct db_reader *reader, uint32_t subject,
	struct survey_case *c, struct error *err);
void survey_close(struct survey_case *c);

/* The search of one task in it by one method: *target is filled in, and the hunt refers to it. The set's
 * number in the draws is `subject`. */
struct hunt survey_hunt(const struct survey *s, const struct survey_case *c, uint32_t subject,
	enum search_method method, uint32_t task, struct search_target *target);

#endif
