/* models/warps/issue.h - simulates a cycle of a sub-core: its scheduler picks a warp, and the warp's next
 * instruction is issued. */
#ifndef CEGSIM_MODELS_WARPS_ISSUE_H
#define CEGSIM_MODELS_WARPS_ISSUE_H

#include "models/warps/engine.h"

/* Instructions are handed over in portions of this size: the room of w->issues. */
#define ISSUES_GATHERED 4096u

/* The digest of a run goes over its instructions in their order: by cycle, by sub-core. Each adds the cycle,
 * the sub-core and the key of its warp. */
static inline uint64_t issue_key(uint32_t kernel, uint32_t part, uint32_t job, uint32_t block, uint32_t warp)
{
	uint64_t who = (uint64_t)job << 40 ^ (uint64_t)block << 8 ^ warp;
	return who * UINT64_C(0x9e3779b97f4a7c15) ^ (kernel | part << 3);
}

static inline uint64_t issue_digest(uint64_t digest, int64_t cycle, uint32_t sub_core, uint64_t key)
{
	uint64_t what = (uint64_t)cycle << 20 ^ (uint64_t)sub_core << 8;
	digest = (digest ^ what ^ key) * UINT64_C(0xd6e8feb86659fd93);
	return digest ^ digest >> 32;
}

/* Phase 5 of the current cycle, for all sub-cores that are entered for it. */
void issue_cycle(struct warp_simulation *w);

/* A sub-core in the current cycle. Returns its next cycle; NEVER: whoever changes something enters it. */
int64_t issue_look(struct warp_simulation *w, struct engine_sm *sm, struct sub_core *sc);

/* Enters all sub-cores of an SM for the earliest cycle that is still possible: this one or, for those that
 * had their turn, the next one. */
void issue_wake(struct warp_simulation *w, const struct engine_sm *sm);

/* Hands the gathered instructions to the observer. */
void issue_flush(struct warp_simulation *w);

#endif
