/* runs/alone.h - the IPC of a kernel of warps alone, measured once per process for the same inputs: goals
 * that are a share of it need it in every run (docs/warps.md, "Goals"). */
#ifndef CEGSIM_RUNS_ALONE_H
#define CEGSIM_RUNS_ALONE_H

#include "base/error.h"
#include "models/setup.h"
#include "models/warps/options.h"

struct warp_alone_cache;

/* NULL: out of memory. Not for use by several threads. */
struct warp_alone_cache *warp_alone_cache_create(void);
void warp_alone_cache_destroy(struct warp_alone_cache *cache); /* accepts NULL */
/* Measurements it has answered without measuring, for tests and curious people. */
uint64_t warp_alone_cache_hits(const struct warp_alone_cache *cache);

struct warp_simulation;

/* The IPC alone of a kernel, from the cache if it is there; cache NULL: measured anew. A measurement takes as
 * long as a run with only this kernel, so it is done in steps of about max_events warp instructions: call
 * again with the same arguments while *ipc is -1. *measuring is NULL at first, and what is going on then;
 * destroyed at the end, and by the caller if he gives up. */
MUST_CHECK bool warp_alone(struct warp_alone_cache *cache, const struct platform *platform,
	const struct taskset *set, const struct run_setup *setup, const struct warp_options *options,
	uint32_t kernel, struct warp_simulation **measuring, uint64_t max_events, int64_t *ipc,
	struct error *err);

#endif
