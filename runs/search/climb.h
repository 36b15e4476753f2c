/* runs/search/climb.h - searches for a target's longest response: by hill climbing, random genomes, or a
 * synchronous release.
 *
 * The budget is cut into pieces of at most CLIMB_PIECE evaluations, each with dice of its own, so that a
 * search gives the same result on any number of workers. */
#ifndef CEGSIM_RUNS_SEARCH_CLIMB_H
#define CEGSIM_RUNS_SEARCH_CLIMB_H

#include <stdatomic.h>

#include "runs/search/evaluate.h"

#define CLIMB_PIECE 1500u
#define CLIMB_PATIENCE 150u
#define CLIMB_STARTS 60u /* of which a climb from a random genome takes the best */

enum search_method {
	METHOD_CLIMB,
	METHOD_RANDOM,
	METHOD_SYNCHRONOUS,
	METHOD_HUNT, /* runs/search/hunt.h: of sets */
	METHOD_EXHAUSTIVE,
	SEARCH_METHODS
};
const char *search_method_name(enum search_method method);

/* Which start led to the response. */
enum search_origin {
	FROM_NOTHING,
	FROM_SYNCHRONOUS,
	FROM_GUIDED,
	FROM_GUIDED_RANDOMLY,
	FROM_RANDOM,
	FROM_ALL,
	FROM_CARRIED
};
const char *search_origin_name(enum search_origin origin);

struct climb {
	enum search_method method; /* one of the first three */
	struct search_target target;
	const struct genome *from; /* where the first climb begins; NULL: as `piece` says */
	uint32_t piece;            /* 0: the piece that begins with a synchronous release */
	uint64_t budget;           /* evaluations */
	uint32_t patience; /* after this many moves in a row without a longer response the climb starts again
			    */
	struct dice dice;
	const atomic_bool *stop; /* checked between evaluations; NULL: never stops */
};

struct found {
	int64_t response_ns;
	struct bound_seen seen; /* of that run */
	uint64_t evaluations;
	enum search_origin origin;
};

/* *best is the first genome found with the longest response. `plan` is that of the case. False: *err. */
MUST_CHECK bool climb(const struct climb *c, const struct plan *plan, struct evaluator *e,
	struct genome *best, struct found *found, struct error *err);

/* Number of pieces of a budget; evaluations in one piece. A synchronous release is one piece of two
 * evaluations: one for each rule for ties. */
uint32_t climb_pieces(enum search_method method, uint64_t budget);
uint64_t climb_piece_budget(enum search_method method, uint64_t budget, uint32_t piece);

#endif
