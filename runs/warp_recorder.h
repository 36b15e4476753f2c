/* runs/warp_recorder.h - writes what a simulation of warps reports in addition to its trace
 * (models/warps/records.h) as rows of a recording: epochs from level jobs on, SMs and quotas from level
 * segments on, instructions at level issues. */
#ifndef CEGSIM_RUNS_WARP_RECORDER_H
#define CEGSIM_RUNS_WARP_RECORDER_H

#include "db/writer.h"
#include "models/warps/records.h"

struct warp_recorder;

/* Writes into the run that has been begun in `writer`. NULL: *err. */
MUST_CHECK struct warp_recorder *warp_recorder_create(
	enum record_level level, struct db_writer *writer, struct error *err);
void warp_recorder_destroy(struct warp_recorder *r); /* accepts NULL; rows not flushed are lost */

/* For the simulation; lives as long as the recorder. NULL: nothing is wanted at its level. */
const struct warp_observer *warp_recorder_observer(const struct warp_recorder *r);
/* Hands the gathered rows to the writer. False: *err, which is also the reason why the observer returned
 * false before. */
MUST_CHECK bool warp_recorder_flush(struct warp_recorder *r, struct error *err);

#endif
