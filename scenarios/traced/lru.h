/* scenarios/traced/lru.h - hits by stack distance: an access to a sector hits a cache of n sectors if fewer
 * than n others were accessed since its last one (Mattson, Gecsei, Slutz, Traiger, "Evaluation techniques for
 * storage hierarchies", IBM Systems Journal 9(2), 1970); only for use in scenarios/traced/.
 *
 * That is a fully associative cache which throws out what was used least recently, and it is kept as one. */
#ifndef CEGSIM_SCENARIOS_TRACED_LRU_H
#define CEGSIM_SCENARIOS_TRACED_LRU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct lru {
	struct lru_line *lines; /* [made]; a ring in the order of use */
	uint32_t *heads;        /* [made]: the first line of each chain; LRU_NONE */
	size_t made;            /* grows with the lines that are used */
	uint32_t used, most;
	uint32_t newest;
};

/* A cache of `most` sectors, at least 1 and at most 2^30. */
void lru_init(struct lru *c, uint32_t most);
void lru_finish(struct lru *c);
/* *hit: the sector is there. It is the newest afterwards. False: out of memory. */
MUST_CHECK bool lru_access(struct lru *c, uint64_t sector, bool *hit);

#endif
