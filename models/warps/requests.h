/* models/warps/requests.h - the lines that loads of an SM wait for, where their number is limited
 * (docs/warps.md, "Memory": `requests`).
 *
 * L2 answers in the order in which it was asked, and so does DRAM: two queues, whose first entries are the
 * next answers. While SMs run ahead, DRAM's answers are not known before the end of the window. */
#ifndef CEGSIM_MODELS_WARPS_REQUESTS_H
#define CEGSIM_MODELS_WARPS_REQUESTS_H

#include "models/warps/engine.h"

/* Gives each SM its queues, if the machine has a limit. False: out of memory. */
MUST_CHECK bool requests_init(struct warp_simulation *w);

/* A load of the SM that missed L1 waits for so many lines until cycle `there` (NEVER: not known yet, from
 * DRAM). The SM may be full then. */
void requests_add(struct warp_simulation *w, struct engine_sm *sm, enum warp_level level, int64_t there,
	uint32_t lines);

/* DRAM's answer to the first load of the SM for which it was not known is there in this cycle. */
void requests_known(struct engine_sm *sm, int64_t there);

/* The warps of the sub-core whose next instruction is a load that the SM does not take in this cycle. */
uint64_t requests_held(struct warp_simulation *w, struct engine_sm *sm, const struct sub_core *sc);

/* The next answer; NEVER: none is known. */
int64_t requests_next(const struct engine_sm *sm);

#endif
