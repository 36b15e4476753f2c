/* runs/search/workers.h - numbered pieces of work on several processes, with a result of a fixed size each.
 *
 * Who does which piece is settled as they go; a piece must not depend on that. SIGINT or SIGTERM sets
 * `stop`, and every worker leaves what it has; a second one kills them. Workers die with this process,
 * whatever ends it. */
#ifndef CEGSIM_RUNS_SEARCH_WORKERS_H
#define CEGSIM_RUNS_SEARCH_WORKERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define WORKERS_MAX 1024u

/* What processes share. */
struct workers_shared {
	_Atomic uint32_t next; /* piece to be taken */
	_Atomic uint32_t done; /* pieces */
	_Atomic uint64_t evaluations;
	atomic_bool stop;
	atomic_bool failed; /* `err` is complete */
	atomic_flag failing;
	struct error err;
};

struct workers_spec {
	uint32_t workers; /* 1 .. WORKERS_MAX */
	uint32_t pieces;
	size_t result_size;
	/* In a worker: does a piece. The result is zeroed, and nobody else writes it. To look at
	 * shared->stop, and to count in shared->evaluations, is its business. False: *err; all
	 * workers stop. */
	bool (*make)(
		void *self, uint32_t piece, void *result, struct workers_shared *shared, struct error *err);
	void *self;
	/* Here, about ten times a second; NULL: no. */
	void (*tick)(void *self, double now, uint64_t evaluations, uint32_t pieces_done);
	void *tick_self;
};

struct workers_results {
	void *results; /* [pieces] of result_size */
	size_t mapped;
	bool interrupted;
	uint64_t evaluations;
	double seconds;
};

/* False: *err. Otherwise workers_finish() is needed. */
MUST_CHECK bool workers_run(const struct workers_spec *spec, struct workers_results *r, struct error *err);
void workers_finish(struct workers_results *r); /* accepts a zeroed one */

static inline void *workers_result(
	const struct workers_spec *spec, const struct workers_results *r, uint32_t piece)
{
	return (char *)r->results + (size_t)piece * spec->result_size;
}

#endif
