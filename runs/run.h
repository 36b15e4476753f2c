/* runs/run.h - one run, from its inputs to its rows: simulates, keeps statistics and energy, and writes what
 * was asked for into a recording. Sets of warps (set->warps) need a warp scheduler as policy, other sets
 * another policy; a wrong combination becomes a run with status error.
 *
 *     run_begin(...), while (run_step(r, n, &err) == RUN_GOES_ON) ..., run_finish(...), run_destroy(r)
 *
 * So a caller with an event loop gets control between two steps. */
#ifndef CEGSIM_RUNS_RUN_H
#define CEGSIM_RUNS_RUN_H

#include "db/writer.h"
#include "models/simulation.h"
#include "runs/chains.h"
#include "runs/statistics.h"

struct warp_alone_cache;
struct warp_simulation;

/* All pointers are kept by reference until run_destroy(). */
struct run_spec {
	const struct platform *platform;
	const struct taskset *set;
	const struct run_setup *setup;
	const struct policy *policy;
	const struct params *params;
	enum record_level record;
	int64_t replication;
	/* Of a run that is repeated it is known how many events it had, and when its clock stopped. One with
	 * more events (of warps: instructions) than so many ends with status error; one of warps also if its
	 * clock goes on beyond this instant, as nothing may happen for long, and each kernel that is measured
	 * alone if it does both. 0: there is no limit. */
	uint64_t events_most;
	int64_t end_most_ns;
	struct warp_alone_cache
		*alone; /* for sets of warps: the cache of IPCs alone (runs/alone.h); NULL: no cache */
	/* Ids in the recording; unused without a writer. */
	int64_t scenario_id, taskset_id, platform_id;
};

#define RUN_STATUS_WORDS(WORD)                                                                               \
	WORD(RUN_OK, "ok")                                                                                   \
	WORD(RUN_TRUNCATED, "truncated") WORD(RUN_REFUSED, "refused") WORD(RUN_ERROR, "error")
enum run_status { RUN_STATUS_WORDS(WORD_VALUE) };
WORDS(run_status, RUN_STATUS_WORDS)

struct run_result {
	enum run_status status;
	char reason[512]; /* refused, truncated, error: the reason; if the set runs although the policy's test
			     fails: its reason (models/policy.h); else "" */
	enum status failure;   /* of an error: STATUS_INPUT, or STATUS_IO if memory ran out; else STATUS_OK */
	uint32_t failing_task; /* the first task that fails that test; UINT32_MAX: no particular one */
	struct simulation_outcome outcome;
	bool powered;       /* some power is given; else there is no energy */
	int128 energy_uwns; /* over [0, outcome.energy_end_ns) */
	bool schedulable;   /* status ok and no miss */
	int64_t wall_us;
};

enum run_state { RUN_GOES_ON, RUN_OVER, RUN_FAILED };

struct run;

/* writer NULL: nothing is recorded. *exists: the recording already has this run; then *run is NULL and true
 * is returned. If a run cannot be made (the plan fails), this is no failure of the function: the run ends at
 * once with status RUN_ERROR, which is recorded. A run whose policy does something forbidden at run time
 * becomes such a run, too; nothing else of it is recorded. */
MUST_CHECK bool run_begin(const struct run_spec *spec, struct db_writer *writer, struct run **run,
	bool *exists, struct error *err);
enum run_state run_step(struct run *r, uint64_t max_events, struct error *err);
double run_progress(const struct run *r); /* 0 .. 1 */
/* Those delivered so far; of warps also those of the kernels that are measured alone first. */
uint64_t run_events(const struct run *r);
const struct statistics *run_statistics(const struct run *r);
/* [chains of the set] After run_finish(). NULL: the set has none, or nothing was simulated. */
const struct chain_result *run_chains(const struct run *r);
/* The simulation (models/warps/simulation.h); NULL: it is a run without warps, or nothing is simulated
 * (yet). */
const struct warp_simulation *run_warps(const struct run *r);

/* Whether the result is one of the set. False: memory ran out for the run, as *err says. */
MUST_CHECK bool run_had_memory(const struct run *r, const struct run_result *result, struct error *err);

/* After RUN_OVER: writes the run's row and the rows per task. Call run_destroy() afterwards. On failure
 * nothing of the run stays in the recording. That memory ran out is a failure if there is a recording: none
 * says what the machine lacked. */
MUST_CHECK bool run_finish(struct run *r, struct run_result *result, struct error *err);
/* Frees the run; accepts NULL. A run that was not finished is taken back from the recording. */
void run_destroy(struct run *r);

#endif
