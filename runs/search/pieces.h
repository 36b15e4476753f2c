/* runs/search/pieces.h - does numbered pieces of work on worker processes (runs/workers.h). Each piece has a
 * result of a fixed size. Shows progress.
 *
 * Which worker does which piece is decided at run time; the result of a piece must not depend on it. SIGINT
 * or SIGTERM sets `stop`; then every worker stores the result that it has. */
#ifndef CEGSIM_RUNS_SEARCH_PIECES_H
#define CEGSIM_RUNS_SEARCH_PIECES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "runs/workers.h"

/* Memory shared by the processes. */
struct pieces_shared {
	_Atomic uint32_t next; /* the next piece to be taken */
	_Atomic uint32_t done; /* number of pieces */
	_Atomic uint64_t evaluations;
	atomic_bool stop;
	atomic_bool failed; /* `err` has been written */
	atomic_flag failing;
	struct error err;
};

struct pieces_spec {
	uint32_t workers; /* 1 .. WORKERS_MAX */
	uint32_t pieces;
	size_t result_size;
	/* Called in a worker: does a piece. The result is zeroed, and no other process writes it. The
	 * function must check shared->stop, and count in shared->evaluations. False: *err; all workers
	 * stop. */
	bool (*make)(
		void *self, uint32_t piece, void *result, struct pieces_shared *shared, struct error *err);
	void *self;
	/* Total for the progress: evaluations; 0: pieces are counted. */
	uint64_t evaluations;
	bool quiet; /* show no progress */
};

struct pieces_results {
	void *results;  /* [pieces] of result_size */
	uint32_t begun; /* pieces from this one on have no result */
	size_t mapped;
	bool interrupted;
	uint64_t evaluations;
	double seconds;
};

/* False: *err. Otherwise call pieces_finish(). */
MUST_CHECK bool pieces_run(const struct pieces_spec *spec, struct pieces_results *r, struct error *err);
void pieces_finish(struct pieces_results *r); /* accepts a zeroed one */

static inline void *pieces_result(
	const struct pieces_spec *spec, const struct pieces_results *r, uint32_t piece)
{
	return (char *)r->results + (size_t)piece * spec->result_size;
}

#endif
