/* db/audit/report.h - the findings of an audit, law by law, with the first wrong row of each. */
#ifndef CEGSIM_DB_AUDIT_REPORT_H
#define CEGSIM_DB_AUDIT_REPORT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

#define AUDIT_ALL_RUNS (-1)

/* The result of one law over all audited runs. */
struct audit_result {
	const char *law, *summary; /* its name, and what it demands in one line */
	const char *level; /* the least level of recording that it needs: summary, jobs, segments, blocks,
			      issues */
	uint64_t checked;  /* rows (or instants) that were checked */
	uint64_t findings; /* those of them that break the law */
	uint64_t runs;     /* runs it was checked on; of a law on the whole file 1 */
	uint64_t runs_below_level; /* runs recorded at too low a level */
	uint64_t runs_elsewhere; /* runs to which it does not apply (another policy, no GPU, refused, ...) */
	bool of_file;            /* a law on the whole file, not on runs */
	char *first;             /* the first wrong row, in words; NULL: none. Owned */
};

struct audit_report {
	struct audit_result *results; /* [count], in the order of the laws */
	size_t count;
	uint64_t runs, rows; /* runs audited, rows read */
	uint64_t failed;     /* runs that ended with an error: they have no schedule */
	uint64_t findings;   /* sum over the laws */
};

void audit_report_finish(struct audit_report *report);

/* Adds a finding of a law, whose result in the report is `result`: counts it, and keeps the text of the first
 * one. This is `words`, which the function takes over, followed by the formatted text (cut at 1200 bytes).
 * False: out of memory. */
MUST_CHECK bool audit_finding(struct audit_report *report, struct audit_result *result, struct text *words,
	struct error *err, const char *fmt, va_list args) PRINTF_LIKE(5, 0);

#endif
