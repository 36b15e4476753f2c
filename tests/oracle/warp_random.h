/* tests/oracle/warp_random.h - small random cases of kernels of warps. They are made so that the rare things
 * happen early: quotas run out, targets move, blocks are swapped, SMs pass from kernel to kernel. */
#ifndef CEGSIM_TESTS_ORACLE_WARP_RANDOM_H
#define CEGSIM_TESTS_ORACLE_WARP_RANDOM_H

#include <stdio.h>

#include "tests/oracle/warp_plain.h"

#define CASE_KERNELS 6
#define CASE_STEPS 24
#define CASE_THEN 3 /* parts of a kernel beside the first */

/* Points into itself: copy it with warp_case_copy(). */
struct warp_case {
	struct platform platform;
	struct warp_set set;
	struct warp_kernel kernel[CASE_KERNELS];
	struct warp_step step[CASE_KERNELS][CASE_STEPS];
	struct warp_kernel then[CASE_KERNELS][CASE_THEN];
	struct warp_step then_step[CASE_KERNELS][CASE_THEN][CASE_STEPS];
	struct run_setup setup;
	struct warp_options options;
	int64_t alone[CASE_KERNELS];
	struct plain_input input;
};

/* Case `index` of the sequence of `seed`. */
void warp_case_make(uint64_t seed, uint64_t index, struct warp_case *c);
/* Makes the case one in which SMs run ahead for long (models/warps/ahead.c): DRAM is far away, programs are
 * long, epochs and samples rare. */
void warp_case_lengthen(uint64_t seed, uint64_t index, struct warp_case *c);
void warp_case_copy(const struct warp_case *from, struct warp_case *to);
/* A goal is a share of the IPC alone: c->alone must be filled in, and c->input.alone point to it. */
bool warp_case_has_share(const struct warp_case *c);
bool warp_case_is_valid(const struct warp_case *c, char *text, size_t size);
void warp_case_print(const struct warp_case *c, FILE *out);

#endif
