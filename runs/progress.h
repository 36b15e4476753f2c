/* runs/progress.h - shows how far a long job has come, on standard error: on a terminal one line that is
 * redrawn, else a plain line now and then. It shows nothing in the first second. */
#ifndef CEGSIM_RUNS_PROGRESS_H
#define CEGSIM_RUNS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	const char *noun; /* what is counted, such as "runs" */
	bool rate;        /* show how many per second; set it after progress_init() */
	bool quiet, terminal, drawn;
	double started, last_drawn; /* in seconds of the caller's clock */
	uint64_t before;            /* how many were done before; set it after progress_init() */
};

void progress_init(struct progress *p, const char *noun, bool quiet, double now);
/* fraction: of the whole job, 0 .. 1; events: delivered so far, for the rate. */
void progress_update(
	struct progress *p, double now, uint64_t done, uint64_t total, double fraction, uint64_t events);
/* Clears the line, so that something else can be printed. */
void progress_clear(struct progress *p);

#endif
