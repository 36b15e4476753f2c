/* tests/conformance/warp_subjects.h - what the laws of warps are checked on: every scheduler with every
 * manager, with their options, on small sets of kernels. The clock is 1 GHz: a cycle is a nanosecond. */
#ifndef CEGSIM_TESTS_CONFORMANCE_WARP_SUBJECTS_H
#define CEGSIM_TESTS_CONFORMANCE_WARP_SUBJECTS_H

#include "tests/support/warp_runs.h"

/* A scheduler and a manager with their options. */
struct warp_subject {
	char name[96];
	struct warp_options options;
};
#define WARP_SUBJECTS_MAX 160
size_t warp_subjects_all(struct warp_subject subjects[WARP_SUBJECTS_MAX]);

/* Sets of kernels: compute-, memory-, latency-bound, with barriers, ... */
extern const size_t warp_sets;
const char *warp_set_name(size_t index);
/* Makes the scene of a set under a subject; the caller must finish it. */
void warp_set_scene(size_t index, const struct warp_subject *subject, struct warp_scene *s);

#endif
