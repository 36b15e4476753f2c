/* runs/campaign/drive.h - makes a list of runs, one after the other, under an event loop (libev): signals end
 * it cleanly (base/interrupt.h), it shows progress, and commits the recording now and then. */
#ifndef CEGSIM_RUNS_CAMPAIGN_DRIVE_H
#define CEGSIM_RUNS_CAMPAIGN_DRIVE_H

#include "db/writer.h"
#include "runs/run.h"

struct drive_calls {
	/* Fills in run number `index`. Called when it is this run's turn. */
	bool (*prepare)(void *self, uint32_t index, struct run_spec *spec, struct error *err);
	/* The run has ended. The run and its statistics are freed after this call. */
	void (*ended)(void *self, uint32_t index, const struct run_result *result, const struct run *run);
	/* The recording already has this run. May be NULL without a writer. */
	void (*existed)(void *self, uint32_t index);
	/* Whether a run can be dropped where this code is at work (base/interrupt.h); NULL: nowhere. */
	bool (*may_leave)(uintptr_t code);
};

/* Runs 0 .. count - 1. writer may be NULL. Returns true with *finished = count, or with *finished < count if
 * a signal ended it (the current run is then taken back). False: *err. With a writer it returns with
 * signals noted, without a limit of time: the recording can be finished, unless a second signal comes. Call
 * drive_finished() afterwards. */
MUST_CHECK bool drive_runs(uint32_t count, struct db_writer *writer, const struct drive_calls *calls,
	void *self, bool quiet, uint32_t *finished, struct error *err);

/* Signals end the program again. Returns whether one came since drive_runs() began; then they are still
 * noted. */
bool drive_finished(void);

#endif
