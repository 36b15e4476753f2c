/* runs/bounds/roster.h - the names in a recording that a user's table may use: sets, their tasks, platforms,
 * and policies as tables call them. */
#ifndef CEGSIM_RUNS_BOUNDS_ROSTER_H
#define CEGSIM_RUNS_BOUNDS_ROSTER_H

#include "base/arena.h"
#include "db/reader.h"

struct roster_set {
	int64_t taskset_id;
	const char *name;
	const char **tasks; /* [task_count] by task_idx */
	uint32_t task_count;
	uint32_t first_task; /* number of its tasks in the sets before it */
};

/* Everything lives in the arena. */
struct roster {
	struct arena arena;
	struct roster_set *sets;           /* [set_count] by taskset_id */
	const struct roster_set **by_name; /* [set_count] */
	const char **policies;             /* [policy_count] labels */
	const char **platforms;            /* [platform_count] */
	uint32_t set_count, policy_count, platform_count;
	uint32_t task_count; /* of all sets */
};

/* `more` are labels of policies that are not in the recording yet. False: *err; call roster_finish() either
 * way. */
MUST_CHECK bool roster_read(struct roster *r, struct db_reader *reader, const char *const *more,
	uint32_t more_count, struct error *err);
/* Sorts the names of a roster that was filled in by hand; roster_read() does it itself. */
MUST_CHECK bool roster_sort(struct roster *r, struct error *err);
void roster_finish(struct roster *r); /* accepts a zeroed one */

/* The sets of that name; NULL: none. */
const struct roster_set *const *roster_named(const struct roster *r, const char *name, uint32_t *count);
const struct roster_set *roster_numbered(const struct roster *r, int64_t taskset_id);

#endif
