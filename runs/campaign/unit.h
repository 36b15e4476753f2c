/* runs/campaign/unit.h - one unit of a campaign: a task set with all its runs and analyses.
 *
 * Everything depends only on the campaign and the unit's number: unit u is set u mod sets of point u / sets,
 * and u is the number of the set in every draw, and its index in the recipe. A set is made for each platform
 * (a recipe may depend on the platform; if it does not, the recording contains one set). The runs of a unit
 * are its jobs; they are numbered platform by platform, policy by policy, replication by replication. The
 * analyses get the numbers after them, platform by platform. Replication 0 has the campaign's seed; each
 * replication r > 0 has one that is drawn from it.
 *
 * Of a scenario (scenarios/variants.h) unit u is replication u mod sets of point u / sets; its draws are
 * those of `cegsim run` with the same seed. Its set is recorded with the number u. The analyses do not depend
 * on draws: they belong to replication 0. */
#ifndef CEGSIM_RUNS_CAMPAIGN_UNIT_H
#define CEGSIM_RUNS_CAMPAIGN_UNIT_H

#include <stdatomic.h>

#include "base/text.h"
#include "db/units.h"
#include "runs/bounds/bounding.h"
#include "runs/campaign/troubles.h"
#include "scenarios/campaign_file.h"

#define UNIT_NONE UINT32_MAX

struct brief;
struct warp_alone_cache;

/* The current activity of a worker, in shared memory that the parent can read even after the worker's end. */
struct unit_view {
	_Atomic uint32_t unit;          /* UNIT_NONE: none */
	_Atomic uint32_t run;           /* number of the job; TROUBLE_UNIT: before or between jobs */
	_Atomic uint64_t beat;          /* grows with every job, and where a unit begins and ends */
	_Atomic uint64_t events, units; /* so far */
	_Atomic bool stop;              /* set by the parent: end after this unit */
};

struct unit_maker {
	const struct campaign *campaign;
	struct db_writer *writer;
	struct db_units *units;
	const struct troubles *troubles;
	struct unit_view *view;
	int64_t scenario_id;
	/* Of the last unit's point. */
	uint32_t point; /* UINT32_MAX: none yet */
	struct params params;
	struct scenario scenario; /* of a campaign that varies one */
	struct text origin;
	int64_t target_utilisation_ppm;
	struct campaign_analysis *analyses; /* [campaign->analysis_count], with their policies settled */
	struct warp_alone_cache *alone;     /* cache for kernels of warps; NULL: the recipe makes none */
	struct brief *brief;                /* of a campaign that records verdicts; else NULL */
};

uint32_t unit_jobs(const struct campaign *c);  /* runs of one unit */
uint32_t unit_count(const struct campaign *c); /* of the campaign */

/* Writes what all units share: the campaign's file, platforms and policies, always in the same order. `name`
 * is the name of the file. False: *err. Call unit_maker_finish() either way. */
MUST_CHECK bool unit_maker_init(struct unit_maker *m, const struct campaign *c, const char *name,
	struct db_writer *writer, struct db_units *units, const struct troubles *troubles,
	struct unit_view *view, struct error *err);
void unit_maker_finish(struct unit_maker *m);

/* Makes the unit's sets and runs its jobs. A set that cannot be made, or a job that was given up, is recorded
 * as such. False: out of memory, or the recording failed. */
MUST_CHECK bool unit_make(struct unit_maker *m, uint32_t unit, struct error *err);

/* The set of a unit on one of the campaign's platforms, as it is run, but without the seed of a replication.
 * Nothing is run or recorded. *m needs no recording: {.campaign, .point = UINT32_MAX}. Call
 * taskset_finish(&out->set) afterwards. False, STATUS_INPUT: the set cannot be made. */
struct unit_set {
	struct platform platform;
	struct taskset set;
	struct run_setup setup;
	const char *recipe;             /* valid until the next call */
	int64_t target_utilisation_ppm; /* DB_NULL: none */
};
MUST_CHECK bool unit_set_make(
	struct unit_maker *m, uint32_t unit, uint32_t platform, struct unit_set *out, struct error *err);
/* The seed of a run, by its number among those of the set; of a scenario: among those of the point. */
uint64_t unit_seed(const struct campaign *c, uint32_t replication);

#endif
