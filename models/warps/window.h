/* models/warps/window.h - what is put down while SMs run ahead through a window of cycles (ahead.c): by
 * issue.c and memory.c, which know no more of it. */
#ifndef CEGSIM_MODELS_WARPS_WINDOW_H
#define CEGSIM_MODELS_WARPS_WINDOW_H

#include "models/warps/engine.h"

/* A sub-core of the SM that is simulated must be simulated in this cycle. */
static inline void window_enter(struct ahead *a, int64_t cycle, uint32_t core)
{
	if (cycle < a->next[core])
		a->next[core] = cycle;
}

/* An access to DRAM is put down. Its result is known at the end of the window. */
static inline void window_request(struct warp_simulation *w, struct warp *v, int64_t bytes, bool load)
{
	struct ahead *a = &w->ahead;
	uint32_t cycle = (uint32_t)(w->now - a->from), n = ++a->request_count;
	a->requests[n - 1] = (struct ahead_request){
		.warp = load ? v : NULL,
		.bytes = bytes,
		.core = v->block->sm * w->sub_cores + v->sub_core,
		.number = v->number,
	};
	v->unknown = (uint16_t)(v->unknown + load);
	if (a->first[cycle])
		a->requests[a->last[cycle] - 1].next = n;
	else
		a->first[cycle] = n;
	a->last[cycle] = n;
}

/* An instruction that was issued is put down. */
static inline void window_issued(struct ahead *a, int64_t cycle, uint32_t core, uint32_t position)
{
	uint64_t at = (uint64_t)(cycle - a->from);
	a->position[(uint64_t)core * a->most + at] = (uint8_t)position;
	a->issued[at * a->words + core / 64] |= bit(core % 64);
}

#endif
