/* runs/campaign/worker.h - what a worker process does: it takes batches of units from a pipe, makes them,
 * writes them into a recording of its own, and reports which units are safe on the disk.
 *
 * A transaction ends only between two units, at least every half second, and before the worker waits. A unit
 * is marked (db/units.h) before the transaction with its last row ends. So the recording contains a unit
 * completely or not at all, however the worker ends. */
#ifndef CEGSIM_RUNS_CAMPAIGN_WORKER_H
#define CEGSIM_RUNS_CAMPAIGN_WORKER_H

#include "db/units.h"
#include "runs/campaign/unit.h"

/* Units first .. first + count - 1, in this order. At the end of the pipe there are no more. */
struct worker_command {
	uint32_t first, count;
};

enum worker_report {
	WORKER_BEGUN,     /* it has begun a batch: the next one may be sent */
	WORKER_COMMITTED, /* units first .. first + count - 1 are on the disk */
	WORKER_FAILED,    /* the recording failed: `first` is the enum status; `count` bytes of text follow */
};

struct worker_message {
	uint32_t report, first, count;
};

struct worker_spec {
	const struct campaign *campaign;
	const char *campaign_name; /* the file's name, without folders */
	const char *recording;     /* the file that it writes is RECORDING.part, and stays unfinished */
	struct units_extent extent;
	int commands, reports; /* pipes */
	const struct troubles *troubles;
	struct unit_view *view;
};

/* Returns the exit status of the process. */
int worker_run(const struct worker_spec *spec);

#endif
