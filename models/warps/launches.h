/* models/warps/launches.h - launches of kernels: releases, streams, jobs. */
#ifndef CEGSIM_MODELS_WARPS_LAUNCHES_H
#define CEGSIM_MODELS_WARPS_LAUNCHES_H

#include "models/warps/engine.h"

void launches_init(struct warp_simulation *w);

/* Phase 2. True: a kernel that had no job has one now, so an epoch begins. */
bool launches_release(struct warp_simulation *w);

/* The active job of the kernel has ended in this cycle. */
void launches_job_ended(struct warp_simulation *w, uint32_t kernel);

/* The first block of the active job has been placed. */
void launches_job_started(struct warp_simulation *w, uint32_t kernel);

/* Whether no job is active, waits, or will be released. */
bool launches_over(const struct warp_simulation *w);

/* The run ends: reports the jobs that have not ended as unfinished. */
void launches_stop(struct warp_simulation *w);

/* Cycle in which the active job was released. */
int64_t launches_release_cycle(const struct warp_simulation *w, uint32_t kernel);

#endif
