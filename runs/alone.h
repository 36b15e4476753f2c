/* runs/alone.h - measures the IPC of a kernel of warps that runs alone. Every run with goals that are a share
 * of it needs it (docs/warps.md, "Goals"), so it is measured once per process for the same inputs. */
#ifndef CEGSIM_RUNS_ALONE_H
#define CEGSIM_RUNS_ALONE_H

#include "base/error.h"
#include "models/setup.h"
#include "models/warps/options.h"

struct warp_alone_cache;

/* NULL: out of memory. Not for use by several threads. */
struct warp_alone_cache *warp_alone_cache_create(void);
void warp_alone_cache_destroy(struct warp_alone_cache *cache); /* accepts NULL */
/* How many times an IPC was found without measuring, for tests and statistics. */
uint64_t warp_alone_cache_hits(const struct warp_alone_cache *cache);

struct warp_simulation;

/* The IPC of a kernel alone: from the cache, or measured (always, if cache is NULL). A measurement takes as
 * long as a run with only this kernel. So it is made in steps of about max_events warp instructions: call the
 * function again with the same arguments while *ipc is -1. *measuring is NULL at first, and then the
 * simulation in progress. It is destroyed at the end; a caller that gives up must destroy it. *events: the
 * measurement's warp instructions so far; 0 from the cache. */
MUST_CHECK bool warp_alone(struct warp_alone_cache *cache, const struct platform *platform,
	const struct taskset *set, const struct run_setup *setup, const struct warp_options *options,
	uint32_t kernel, struct warp_simulation **measuring, uint64_t max_events, int64_t *ipc,
	uint64_t *events, struct error *err);

#endif
