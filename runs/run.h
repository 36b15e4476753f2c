/* runs/run.h - one run from its inputs to its rows: simulates, keeps statistics and energy, and
 * writes what was asked for into a recording. Sets of warps (set->warps) want a warp scheduler as policy,
 * others any other; what does not go together is an error run.
 *
 *     run_begin(...)  ->  while (run_step(r, n, &err) == RUN_GOES_ON) ...  ->  run_finish(...)  ->
 * run_destroy(r)
 *
 * so that a caller with an event loop keeps its say between two steps. */
#ifndef CEGSIM_RUNS_RUN_H
#define CEGSIM_RUNS_RUN_H

#include "db/writer.h"
#include "models/simulation.h"
#include "runs/statistics.h"

struct warp_alone_cache;
struct warp_simulation;

/* Everything is kept by reference until run_destroy(). */
struct run_spec {
	const struct platform *platform;
	const struct taskset *set;
	const struct run_setup *setup;
	const struct policy *policy;
	const struct params *params;
	enum record_level record;
	int64_t replication;
	struct warp_alone_cache
		*alone; /* sets of warps: remembers IPCs alone (runs/alone.h); NULL: nobody does */
	/* Ids in the recording; not read without a writer. */
	int64_t scenario_id, taskset_id, platform_id;
};

#define RUN_STATUS_WORDS(WORD)                                                                               \
	WORD(RUN_OK, "ok")                                                                                   \
	WORD(RUN_TRUNCATED, "truncated") WORD(RUN_REFUSED, "refused") WORD(RUN_ERROR, "error")
enum run_status { RUN_STATUS_WORDS(WORD_VALUE) };
WORDS(run_status, RUN_STATUS_WORDS)

struct run_result {
	enum run_status status;
	char reason[512]; /* refused, truncated, error: why; and what the policy's test has against the set,
			   * if it runs all the same (models/policy.h); else "" */
	enum status failure;   /* error: STATUS_INPUT, or STATUS_IO for the memory; else STATUS_OK */
	uint32_t failing_task; /* the first task that fails that test; UINT32_MAX: none in particular */
	struct simulation_outcome outcome;
	int128 energy_uwns; /* over [0, outcome.energy_end_ns) */
	bool schedulable;   /* status ok and no miss */
	int64_t wall_us;
};

enum run_state { RUN_GOES_ON, RUN_OVER, RUN_FAILED };

struct run;

/* writer NULL: nothing is recorded. *exists: the recording holds this run already; *run is NULL then, and
 * true is returned. A run that cannot be made (the plan fails) is not a failure of this function: it ends at
 * once with status RUN_ERROR, which is recorded. So does one whose policy does at run time what it must not,
 * of which nothing else is recorded. */
MUST_CHECK bool run_begin(const struct run_spec *spec, struct db_writer *writer, struct run **run,
	bool *exists, struct error *err);
enum run_state run_step(struct run *r, uint64_t max_events, struct error *err);
double run_progress(const struct run *r); /* 0 .. 1 */
uint64_t run_events(const struct run *r);
const struct statistics *run_statistics(const struct run *r);
/* What is simulated (models/warps/simulation.h); NULL: a run without warps, or nothing is simulated (yet). */
const struct warp_simulation *run_warps(const struct run *r);

/* After RUN_OVER: writes the run's row and the rows per task. run_destroy() is still to be called; on failure
 * nothing of the run stays in the recording. */
MUST_CHECK bool run_finish(struct run *r, struct run_result *result, struct error *err);
/* Frees the run; accepts NULL. What was not finished is taken back out of the recording. */
void run_destroy(struct run *r);

#endif
