/* runs/provenance/checking.h - what the files of runs/provenance/ share: the two results, findings, and rows
 * against tables. */
#ifndef CEGSIM_RUNS_PROVENANCE_CHECKING_H
#define CEGSIM_RUNS_PROVENANCE_CHECKING_H

#include "db/audit/audit.h"
#include "db/reader.h"
#include "db/row_types.h"

struct checking {
	struct db_reader *reader;
	int64_t run_id; /* AUDIT_ALL_RUNS: all */
	struct audit_report *report;
	struct audit_result *scenario, *verdict;
	struct error *err;
	bool own; /* the scenario was read by this version of the program */
	/* What earlier recordings than those of version 3 lack: what the command line gave, and blocks that
	 * are not alike. */
	bool with_overrides, with_block_times;
	char subject[200]; /* what the findings are about: "scenario 'a.yaml', " */
};

/* One more row that is not as it should be, in plain words. False: out of memory. */
MUST_CHECK bool finding(struct checking *k, struct audit_result *result, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

/* What a row of the recording should be: `count` rows of a type, its columns `columns`, against
 * those that `where` (with ?1 = id) leaves of "TABLE t", or of `from`, in this order. Findings are of
 * scenario-rows, the first that differs; *same tells whether there is one, and `quiet` only tells. */
struct expected {
	enum row_type_id type;
	const void *rows;
	size_t count;
	struct row_range columns;
	const char *from, *where; /* from NULL: "TABLE t" */
	int64_t id;
};
MUST_CHECK bool compare_rows(struct checking *k, const struct expected *e, bool quiet, bool *same);

/* The text of a scenario or campaign is none: the first of all that its reader has against it. */
struct diagnostics;
MUST_CHECK bool unreadable(struct checking *k, const struct diagnostics *d);

/* Is the policy of this name and parameters one of those? A use without a policy is a plug-in that is not
 * loaded, which may be any. */
struct policy_use;
bool is_used(const struct policy_use *uses, uint32_t count, const char *name, const char *json);
/* A run's is none of them. */
MUST_CHECK bool not_asked_for(struct checking *k, int64_t run_id, const char *name, const char *json);

/* Against the version of the policy that this program has, if this program has recorded the run: versions
 * grow, so a lower one is that of an earlier build. */
MUST_CHECK bool check_version(struct checking *k, int64_t run_id, const char *policy, int64_t version);
/* Do these parameters say that the policy is from a plug-in? */
bool is_plugin(const char *json);

/* runs/provenance/scenario_text.c, campaign_text.c, verdict.c. */
MUST_CHECK bool check_scenario(
	struct checking *k, int64_t scenario_id, const char *name, const char *text, const char *overrides);
MUST_CHECK bool check_campaign(struct checking *k, int64_t scenario_id, const char *name, const char *text);
MUST_CHECK bool check_verdicts(struct checking *k);

/* A recorded set on its platform (taskset_id is both) against what it should be. */
struct set_origin;
struct taskset;
struct platform;
MUST_CHECK bool compare_set(struct checking *k, int64_t taskset_id, const struct taskset *set,
	const struct set_origin *origin, bool quiet, bool *same);
MUST_CHECK bool compare_platform(
	struct checking *k, int64_t platform_id, const struct platform *platform, bool quiet, bool *same);
struct run_setup;
MUST_CHECK bool compare_setup(struct checking *k, int64_t run_id, const struct run_setup *setup, bool *same);

#endif
