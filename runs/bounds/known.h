/* runs/bounds/known.h - analyses whose bounds are known before anybody asks: those of a table that a user
 * brings (runs/bounds/bounds_csv.h), and those that a recording has under a name. They answer for task sets
 * of the recording that they were made for; they refuse all others. */
#ifndef CEGSIM_RUNS_BOUNDS_KNOWN_H
#define CEGSIM_RUNS_BOUNDS_KNOWN_H

#include "analysis/analysis.h"
#include "db/reader.h"
#include "db/subjects.h"

/* One bound, and what it is for. */
struct known_row {
	struct subject of;             /* platform_id, policy_id 0: any, unless a name says which */
	const char *platform, *policy; /* its name; the policy as tables call it. NULL: any */
	uint32_t task;
	int64_t bound_ns; /* NO_BOUND: none */
	unsigned line;    /* of a file, from 1; 0: there is none */
};

/* What was said of a set, which its bounds alone need not say. */
struct known_verdict {
	struct subject of;
	bool schedulable;
	uint32_t failing; /* task, or NO_FAILING_TASK */
	char *reason;
};

struct known {
	struct analysis analysis;
	char *name, *label, *json, *source;
	char *where; /* in sentences: "mine.csv has no bound for the set" */
	bool unsafe;
	bool plain; /* sets with jitter or deadlines above periods are refused, as for programs of users */
	struct known_row *rows; /* [row_count] by taskset_id */
	struct known_verdict
		*verdicts; /* [verdict_count] the same; a set without one is judged by its bounds */
	size_t row_count, verdict_count;
};

/* They stay where they are. */
struct known_list {
	struct known **items;
	uint32_t count;
};

/* The texts of a new one, which are copied. */
struct known_texts {
	const char *name, *label, *json, *summary, *source, *where;
	unsigned version;
	bool unsafe;
};
/* Adds one without bounds. NULL: out of memory. */
MUST_CHECK struct known *known_add(
	struct known_list *list, const struct known_texts *texts, struct error *err);
MUST_CHECK bool known_add_row(struct known *k, const struct known_row *row, struct error *err);
void known_finish(struct known_list *list); /* accepts a zeroed one */

/* Adds the analyses that the recording has under a name, or a label, that is not one of cegsim's own; each
 * with its parameters. None, if it has none. `file` is what the recording is called. */
MUST_CHECK bool known_stored(struct known_list *list, struct db_reader *reader, const char *file,
	const char *name, struct error *err);

/* NULL: the analysis is not one of these. */
const struct known *known_of(const struct analysis *analysis);
/* Takes the place of analysis_use_bound(). `recorded` NULL: the set is not one of the recording. */
MUST_CHECK bool known_bound(const struct known *k, const struct plan *plan, const struct subject *recorded,
	struct arena *arena, struct analysis_result *result, struct error *err);

#endif
