/* runs/campaign/brief.h - judges units of which verdicts alone are recorded (`record: verdicts`).
 *
 * A unit is made without recording anything; its verdicts are kept here. If something of it is worth a look
 * (enum campaign_keep), or went wrong, it is made again and recorded as every other campaign would. Else its
 * verdicts are its rows.
 *
 *     brief_create(); for each point of the grid: brief_point(); brief_ask_analyses(); then, of every unit,
 *     brief_begin_unit(); for each platform: brief_begin_set(), brief_run(), ..., brief_analysis(), ...;
 *     then brief_store(), unless brief_keeps() */
#ifndef CEGSIM_RUNS_CAMPAIGN_BRIEF_H
#define CEGSIM_RUNS_CAMPAIGN_BRIEF_H

#include "db/verdicts.h"
#include "runs/campaign/unit.h"
#include "runs/run.h"

/* The maker has its analyses. NULL: out of memory. */
MUST_CHECK struct brief *brief_create(const struct unit_maker *m, struct error *err);
void brief_destroy(struct brief *b); /* accepts NULL */

/* Writes the point at which the maker is, the points in their order, and what its runs are asked that those
 * before it were not: of a scenario, points may have policies with other options. */
MUST_CHECK bool brief_point(struct brief *b, struct unit_maker *m, struct error *err);
/* Writes what analyses are asked about every set: the questions that come last. */
MUST_CHECK bool brief_ask_analyses(struct brief *b, struct db_writer *w, struct error *err);

void brief_begin_unit(struct brief *b);

struct brief_set {
	uint32_t unit, point;
	int64_t platform_id;
	const struct policy_use *policies; /* of the point */
	const struct taskset *set;
	const struct run_setup *setup;
};
/* False: out of memory. */
MUST_CHECK bool brief_begin_set(struct brief *b, const struct brief_set *set, struct error *err);

/* A run under the policy of that index; runs come before analyses. False: out of memory. */
MUST_CHECK bool brief_run(struct brief *b, uint32_t policy, int64_t replication,
	const struct statistics *statistics, const struct run_result *result, struct error *err);
/* The result of the maker's analysis of that index. False: out of memory. Of a scenario, bounds are those of
 * the point: they are compared with the runs of each replication, and are verdicts of replication 0. */
MUST_CHECK bool brief_analysis(
	struct brief *b, uint32_t analysis, const struct bounds *bounds, struct error *err);
/* The same for all analyses at once, where nothing is left to compute: their results at this point of a
 * scenario's grid are remembered, or nobody asks for the comparison. False: they are to be computed. */
bool brief_compare_known(struct brief *b);

/* The unit is to be recorded with its runs and analyses. */
void brief_keep(struct brief *b);
bool brief_keeps(const struct brief *b);

/* Writes the unit's verdicts. */
MUST_CHECK bool brief_store(struct brief *b, struct db_writer *writer, struct error *err);

#endif
