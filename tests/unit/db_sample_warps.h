/* tests/unit/db_sample_warps.h - a small recording of warps by hand, for the tests of db/.
 *
 * One SM of two sub-cores. Kernel "alpha" loads in a loop, is repeated and wants 90 % of its IPC alone;
 * "beta" computes, has a period of 100 cycles, a deadline of 80 ns and a goal of 12.5. One run (gto,
 * rollover) of 150 cycles in two epochs: alpha reaches its goal, beta does not and misses a deadline. */
#ifndef CEGSIM_TESTS_DB_SAMPLE_WARPS_H
#define CEGSIM_TESTS_DB_SAMPLE_WARPS_H

#include "tests/unit/db_sample.h"

extern const struct task_row sample_warp_tasks[2];
extern const struct segment_row sample_warp_segments[2];
extern const struct warp_machine_row sample_warp_machine;
extern const struct warp_unit_row sample_warp_units[6];
extern const struct warp_kernel_row sample_warp_kernels[2];
extern const struct warp_step_row sample_warp_steps[8];
struct taskset_row sample_warp_set(void);

/* Writes the set, the policy and the run. They need the rows of sample_things(). */
bool sample_warps(struct db_writer *w, const struct sample *ids, struct error *err);
/* Writes a finished recording with these rows only. */
bool sample_warps_write(const char *file, struct error *err);

#endif
