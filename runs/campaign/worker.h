/* runs/campaign/worker.h - the life of a worker process: takes batches of units from a pipe, makes them into
 * a recording of its own, and reports what is safe on the disk.
 *
 * A transaction ends between two units only, at least every half second and before the worker waits; a unit
 * is marked (db/units.h) before the transaction that holds its last row ends. So a unit is in the recording
 * wholly or not at all, however the worker ends. */
#ifndef CEGSIM_RUNS_CAMPAIGN_WORKER_H
#define CEGSIM_RUNS_CAMPAIGN_WORKER_H

#include "runs/campaign/unit.h"

/* Units first .. first + count - 1, in this order. The end of the pipe: no more. */
struct worker_command {
	uint32_t first, count;
};

enum worker_report {
	WORKER_BEGUN,     /* a batch: the next one may be sent */
	WORKER_COMMITTED, /* units first .. first + count - 1 are on the disk */
	WORKER_FAILED,    /* the recording failed: `first` is the enum status, then `count` bytes of text */
};

struct worker_message {
	uint32_t report, first, count;
};

struct worker_spec {
	const struct campaign *campaign;
	const char *campaign_name; /* the file's name, without folders */
	const char *recording;     /* the file to write is RECORDING.part: it is not finished */
	const char *shard;         /* "2/8"; NULL: not a share */
	int commands, reports;     /* pipes */
	const struct troubles *troubles;
	struct unit_view *view;
};

/* Returns the exit status of the process. */
int worker_run(const struct worker_spec *spec);

#endif
