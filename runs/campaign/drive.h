/* runs/campaign/drive.h - a list of runs, one after the other, under an event loop (libev): SIGINT and
 * SIGTERM end it cleanly, progress is shown, and the recording is committed now and then. */
#ifndef CEGSIM_RUNS_CAMPAIGN_DRIVE_H
#define CEGSIM_RUNS_CAMPAIGN_DRIVE_H

#include "db/writer.h"
#include "runs/run.h"

struct drive_calls {
	/* Fills in run number `index`. Called when its turn has come. */
	bool (*prepare)(void *self, uint32_t index, struct run_spec *spec, struct error *err);
	/* It ended; the run, with its statistics, is gone when this returns. */
	void (*ended)(void *self, uint32_t index, const struct run_result *result, const struct run *run);
	/* The recording held it already. May be NULL without a writer. */
	void (*existed)(void *self, uint32_t index);
};

/* Runs 0 .. count - 1. writer may be NULL. Returns true with *finished = count, or with
 * *finished < count when a signal ended it (the run that was going on is taken back); false: *err.
 * With a writer it returns with SIGINT and SIGTERM blocked: what has been recorded can be finished in peace,
 * however impatient the user is, until drive_finished(). */
MUST_CHECK bool drive_runs(uint32_t count, struct db_writer *writer, const struct drive_calls *calls,
	void *self, bool quiet, uint32_t *finished, struct error *err);

/* Lets SIGINT and SIGTERM through again, unless one of them came since drive_runs(): then it is true, and
 * they stay blocked. */
bool drive_finished(void);

#endif
