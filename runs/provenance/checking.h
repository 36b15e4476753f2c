/* runs/provenance/checking.h - shared by the files of runs/provenance/: the two results, findings, and the
 * comparison of rows with tables. */
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
	bool own; /* the recording was made by this version of the program */
	/* What earlier recordings lack: overrides by the command line (before version 3); tables; columns of
	 * those that they have. What is not there is not compared. */
	bool with_overrides, lacks_table[ROW_TYPES], lacks[ROW_TYPES][ROW_COLUMNS_MAX];
	char subject[200]; /* the subject of findings, such as "scenario 'a.yaml', " */
};

/* Reports one more wrong row, in words. False: out of memory. */
MUST_CHECK bool finding(struct checking *k, struct audit_result *result, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

/* The rows that a recording should have: `count` rows of a type, columns `columns`. They are compared, in
 * this order, with the rows that `where` (?1 = id) selects from "TABLE t", or from `from`. The first
 * difference is a finding of scenario-rows. *same tells whether all are equal; with `quiet` nothing is
 * reported. */
struct expected {
	enum row_type_id type;
	const void *rows;
	size_t count;
	struct row_range columns;
	const char *from, *where; /* from NULL: "TABLE t"; else t beside its task, o */
	int64_t id;
};
MUST_CHECK bool compare_rows(struct checking *k, const struct expected *e, bool quiet, bool *same);

/* The text of a scenario or campaign cannot be read: reports the first error of its reader. */
struct diagnostics;
MUST_CHECK bool unreadable(struct checking *k, const struct diagnostics *d);

/* Is the policy of this name and parameters one of these? A use without a policy is a plug-in that is not
 * loaded, so it may be any. */
struct policy_use;
bool is_used(const struct policy_use *uses, uint32_t count, const char *name, const char *json);
/* The policy of a run is none of them. */
MUST_CHECK bool not_asked_for(struct checking *k, int64_t run_id, const char *name, const char *json);

/* Compares with the version of the policy in this program, if this program made the recording. Versions grow,
 * so a lower one is from an earlier build. */
MUST_CHECK bool check_version(struct checking *k, int64_t run_id, const char *policy, int64_t version);
/* Do these parameters belong to a policy from a plug-in? */
bool is_plugin(const char *json);
/* The text of a column that is never NULL; of a stranger's recording, in which it is: "". */
const char *needed_text(const struct db_cursor *c, int column);

/* runs/provenance/scenario_text.c, campaign_text.c, verdict.c. */
MUST_CHECK bool check_scenario(
	struct checking *k, int64_t scenario_id, const char *name, const char *text, const char *overrides);
MUST_CHECK bool check_campaign(struct checking *k, int64_t scenario_id, const char *name, const char *text);
MUST_CHECK bool check_verdicts(struct checking *k);

/* Compares a recorded set on its platform (both have taskset_id) with what it should be. */
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
