/* db/subjects.h - the task sets of a recording, with the platforms they are for and the policies under which
 * they were run or analysed. */
#ifndef CEGSIM_DB_SUBJECTS_H
#define CEGSIM_DB_SUBJECTS_H

#include "db/reader.h"

/* A set on a platform under a policy; policy_id 0: under none. */
struct subject {
	int64_t taskset_id, platform_id, policy_id;
};

struct subjects {
	struct subject *items;
	size_t count;
};

/* Lists the sets with the policies under which they were run or analysed. Sets without any (with `bare`, all
 * sets) have policy_id 0. */
MUST_CHECK bool subjects_list(struct db_reader *reader, bool bare, struct subjects *all, struct error *err);
/* The same, only from runs with status ok or truncated. */
MUST_CHECK bool subjects_of_runs(struct db_reader *reader, struct subjects *all, struct error *err);
void subjects_finish(struct subjects *all);

#endif
