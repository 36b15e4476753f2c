/* db/audit/report.h - what an audit found: law by law, and the first offending row of each. */
#ifndef CEGSIM_DB_AUDIT_REPORT_H
#define CEGSIM_DB_AUDIT_REPORT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

#define AUDIT_ALL_RUNS (-1)

/* One law's result over all audited runs. */
struct audit_result {
	const char *law, *summary; /* its name, and what it demands in one line */
	const char *level; /* least recording level it needs: summary, jobs, segments, blocks, issues */
	uint64_t checked;  /* rows (or instants) held against it */
	uint64_t findings; /* of these, offending */
	uint64_t runs;     /* runs it was checked on */
	uint64_t runs_below_level; /* runs recorded at too low a level */
	uint64_t runs_elsewhere;   /* runs it does not apply to (another policy, no GPU, refused, ...) */
	char *first;               /* the first offending row in plain words; NULL: none. Owned */
};

struct audit_report {
	struct audit_result *results; /* [count], in the order of the laws */
	size_t count;
	uint64_t runs, rows; /* runs audited, rows read */
	uint64_t findings;   /* sum over the laws */
};

void audit_report_finish(struct audit_report *report);

/* One more finding of a law, `result` in the report: counts it, and keeps the first one's words: `words`,
 * which it takes over, and behind them what `fmt` says (cut at 1200 bytes). False: out of memory. */
MUST_CHECK bool audit_finding(struct audit_report *report, struct audit_result *result, struct text *words,
	struct error *err, const char *fmt, va_list args) PRINTF_LIKE(5, 0);

#endif
