/* runs/search/pieces.h - numbered pieces of work on worker processes (runs/workers.h), with a result of a
 * fixed size each, and its progress.
 *
 * Who does which piece is settled as they go; a piece must not depend on that. SIGINT or SIGTERM sets `stop`,
 * and every worker leaves what it has. */
#ifndef CEGSIM_RUNS_SEARCH_PIECES_H
#define CEGSIM_RUNS_SEARCH_PIECES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "runs/workers.h"

/* What processes share. */
struct pieces_shared {
	_Atomic uint32_t next; /* piece to be taken */
	_Atomic uint32_t done; /* pieces */
	_Atomic uint64_t evaluations;
	atomic_bool stop;
	atomic_bool failed; /* `err` is complete */
	atomic_flag failing;
	struct error err;
};

struct pieces_spec {
	uint32_t workers; /* 1 .. WORKERS_MAX */
	uint32_t pieces;
	size_t result_size;
	/* In a worker: does a piece. The result is zeroed, and nobody else writes it. To look at
	 * shared->stop, and to count in shared->evaluations, is its business. False: *err; all
	 * workers stop. */
	bool (*make)(
		void *self, uint32_t piece, void *result, struct pieces_shared *shared, struct error *err);
	void *self;
	/* The progress: of so many evaluations; 0: of the pieces. */
	uint64_t evaluations;
	bool quiet; /* none is shown */
};

struct pieces_results {
	void *results; /* [pieces] of result_size */
	size_t mapped;
	bool interrupted;
	uint64_t evaluations;
	double seconds;
};

/* False: *err. Otherwise pieces_finish() is needed. */
MUST_CHECK bool pieces_run(const struct pieces_spec *spec, struct pieces_results *r, struct error *err);
void pieces_finish(struct pieces_results *r); /* accepts a zeroed one */

static inline void *pieces_result(
	const struct pieces_spec *spec, const struct pieces_results *r, uint32_t piece)
{
	return (char *)r->results + (size_t)piece * spec->result_size;
}

#endif
