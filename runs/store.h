/* runs/store.h - writes task sets, platforms, policies and setups as rows of a recording. */
#ifndef CEGSIM_RUNS_STORE_H
#define CEGSIM_RUNS_STORE_H

#include "base/text.h"
#include "db/writer.h"
#include "models/params.h"
#include "models/policy.h"
#include "models/setup.h"
#include "models/taskset.h"

/* The origin of a generated set; NULL recipe: it was written by hand. */
struct set_origin {
	const char *recipe;             /* JSON */
	int64_t index;                  /* DB_NULL: none */
	int64_t target_utilisation_ppm; /* DB_NULL: none */
};

/* The row that would be stored. It refers to texts of the platform, and to these, to be finished after it.
 * Whether there was memory for them is known from text_ok(&texts->gpus). */
#define STORE_DIVISIONS_MAX (PLATFORM_MAX_DIVISIONS * 21 + 2)
struct platform_texts {
	char divisions[STORE_DIVISIONS_MAX];
	struct text gpus;
};
struct platform_row store_platform_row(const struct platform *platform, struct platform_texts *texts);
void platform_texts_finish(struct platform_texts *texts);

struct stored_set {
	struct taskset_row row;
	struct set_rows *rows; /* the data to which it refers */
};
/* Release traces are not included: trace_id is DB_NULL. False: out of memory; call stored_set_finish() either
 * way. */
MUST_CHECK bool store_set_rows(const struct taskset *set, const struct set_origin *origin,
	struct stored_set *out, struct error *err);
void stored_set_finish(struct stored_set *stored);

MUST_CHECK bool store_platform(
	struct db_writer *w, const struct platform *platform, int64_t *id, struct error *err);
MUST_CHECK bool store_policy(struct db_writer *w, const struct policy *policy, const struct params *params,
	int64_t *id, struct error *err);
/* origin may be NULL. */
MUST_CHECK bool store_taskset(struct db_writer *w, const struct taskset *set, const struct set_origin *origin,
	int64_t *id, struct error *err);

/* The release traces of the set's tasks, and of the setup. The set and its runs, which are stored later,
 * refer to them. */
MUST_CHECK bool store_traces(
	struct db_writer *w, const struct run_setup *setup, const struct taskset *set, struct error *err);

/* The first half of a run's row, without the ids: all that the setup says. Without a writer trace_id is
 * DB_NULL. */
MUST_CHECK bool store_setup(
	struct db_writer *w, const struct run_setup *setup, struct run_row *row, struct error *err);
/* All figures of the second half are those of a run that was not simulated: NULL. */
void store_no_figures(struct run_row *row);

#endif
