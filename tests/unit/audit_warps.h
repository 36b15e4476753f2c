/* tests/unit/audit_warps.h - real recordings of warps, which a test spoils by one SQL statement each. */
#ifndef CEGSIM_TESTS_AUDIT_WARPS_H
#define CEGSIM_TESTS_AUDIT_WARPS_H

#include <stddef.h>

#include "db/audit/audit.h"

/* Runs of the scenario; run i has the i-th policy. */
enum warp_run {
	RUN_GTO_ROLLOVER = 1, /* blocks are swapped */
	RUN_LRR,
	RUN_LRR_CYCLE,
	RUN_OLDEST_ELASTIC,
	RUN_TWO_LEVEL_NAIVE,
	RUN_QAWS,
	RUN_SPART,
	RUN_FILL_HISTORY,
	RUN_GTO_ROLLOVER_TIME,
	RUN_TWO_LEVEL_GREEDY,
	WARP_RUNS_END
};

struct warp_defect {
	const char *law;
	int run;
	const char *sql;   /* must change at least one row */
	const char *words; /* words that the finding must contain */
};

/* Simulates the scenario at this record level ("issues") and records it. The file exists until
 * warps_recordings_end(). */
const char *warps_recording(const char *level);
void warps_recordings_end(void);

/* Copies the recording, runs `sql` on the copy (unless NULL), and audits one run of it, or AUDIT_ALL_RUNS.
 * The caller must finish the report. */
void warps_audit(const char *recording, const char *sql, int64_t run, struct audit_report *report);
void assert_warp_defects_found(const char *level, const struct warp_defect *defects, size_t count);

#endif
