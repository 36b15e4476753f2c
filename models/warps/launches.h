/* models/warps/launches.h - launches of kernels: releases, streams, jobs. */
#ifndef CEGSIM_MODELS_WARPS_LAUNCHES_H
#define CEGSIM_MODELS_WARPS_LAUNCHES_H

#include "models/warps/engine.h"

void launches_init(struct warp_simulation *w);

/* Phase 2. True: a kernel that had no job has one now, so an epoch begins. */
bool launches_release(struct warp_simulation *w);

/* The part that the active job of the kernel is at has ended in this cycle, and with its last part the job.
 */
void launches_part_ended(struct warp_simulation *w, uint32_t kernel);

/* The active job is at another part, none of whose blocks has been placed. */
void launches_part_begins(struct warp_simulation *w, uint32_t kernel);

/* A block of the active job has been placed. */
void launches_block_placed(struct warp_simulation *w, uint32_t kernel);

/* Whether no job is active, waits, or will be released. */
bool launches_over(const struct warp_simulation *w);

/* The run ends: reports the jobs that have not ended as unfinished. */
void launches_stop(struct warp_simulation *w);

/* Cycle in which the active job was released. */
int64_t launches_release_cycle(const struct warp_simulation *w, uint32_t kernel);

#endif
