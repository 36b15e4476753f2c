/* runs/store_warps.h - writes kernels that are programs of warps (models/warps/warp_set.h) as rows of a
 * recording. */
#ifndef CEGSIM_RUNS_STORE_WARPS_H
#define CEGSIM_RUNS_STORE_WARPS_H

#include "db/rows.h"
#include "models/warps/warp_set.h"

struct warp_rows {
	struct warp_machine_row machine;
	struct warp_unit_row units[WARP_UNITS];
	struct warp_kernel_row *kernels;
	struct warp_step_row *steps;
	size_t kernel_count, step_count;
};

/* False: out of memory; call warp_rows_free() either way. */
MUST_CHECK bool warp_rows_make(const struct warp_set *set, struct warp_rows *rows);
void warp_rows_free(struct warp_rows *rows); /* accepts zeroed ones */

#endif
