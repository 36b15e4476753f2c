/* cli/subjects.h - which sets of a recording are to be bounded, under which policies, by which analyses:
 * shared by `cegsim analyze` and `cegsim validate`. */
#ifndef CEGSIM_CLI_SUBJECTS_H
#define CEGSIM_CLI_SUBJECTS_H

#include "db/reader.h"
#include "policies/use.h"
#include "runs/load.h"

/* A set on a platform under a policy; policy_id 0: under none. */
struct subject {
	int64_t taskset_id, platform_id, policy_id;
};

struct subjects {
	struct subject *items;
	size_t count;
};

/* Sets with the policies under which they were run or analysed; sets without any (and with `bare` all sets)
 * have policy_id 0. */
MUST_CHECK bool subjects_list(struct db_reader *reader, bool bare, struct subjects *all, struct error *err);
/* Those of runs that came to an end or were truncated. */
MUST_CHECK bool subjects_of_runs(struct db_reader *reader, struct subjects *all, struct error *err);
void subjects_finish(struct subjects *all);

/* -a texts; without any, all analyses with their defaults. *uses is to be freed, also after a failure. */
MUST_CHECK bool analyses_read(
	const char **texts, uint32_t given, struct analysis_use **uses, uint32_t *count, struct error *err);
/* The policies that analyses are made for, each once; returns their number, at most `count`. */
uint32_t policies_for(const struct analysis_use *uses, uint32_t count, struct policy_use *policies);
#endif
