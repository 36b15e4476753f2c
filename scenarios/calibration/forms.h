/* scenarios/calibration/forms.h - what the block level is told about a measured kernel: a profile, blocks of
 * a grid, or divisible work (docs/model.md, "Time of a kernel"; RTGPU, Lemma 5.1). None of them is ever below
 * a measured time. */
#ifndef CEGSIM_SCENARIOS_CALIBRATION_FORMS_H
#define CEGSIM_SCENARIOS_CALIBRATION_FORMS_H

#include "scenarios/calibration/calibration.h"

/* For an array in which every number of SMs has an entry: the point with the most SMs that has
 * at most `sms`. */
uint32_t form_point(const struct calibration *c, uint32_t sms);

/* Times of blocks over all points; beside others, too, where that was measured. */
struct spread form_block_time(const struct calibration *c, uint32_t kernel);

/* A kernel that takes `least` to `greatest` on `virtual_sms` virtual SMs. */
struct work_point {
	uint32_t virtual_sms;
	bool interleaved; /* alpha applies: they are two to an SM */
	int64_t least_ns, greatest_ns;
};

struct work_form {
	int64_t best_ns, worst_ns, overhead_ns;
	int64_t alpha_ppm; /* for two virtual SMs per SM; >= 10^6, a multiple of 1000 */
};

/* The best case is the longest, the worst the least of those that hold at all points,
 *     ceil(best / V) <= least,  (worst * alpha - overhead) / V + overhead >= greatest
 * with the least `worst` that holds on one virtual SM, and then the least overhead. There must be a point
 * with one virtual SM. False: numbers beyond 64 bits. */
MUST_CHECK bool work_fit(const struct work_point *points, uint32_t count, int64_t alpha_ppm,
	struct work_form *form, struct error *err);

/* What the form says of a point, the upper end. */
int64_t work_time(const struct work_form *form, const struct work_point *point);

/* Who may be in the other half of a kernel's SMs: */
enum neighbours {
	NEIGHBOURS_SELF, /* the kernel itself, as RTGPU pins it (section 4.3) */
	NEIGHBOURS_ALL,  /* every kernel that was measured (section 4.2) */
};

/* By how much a form is above what it was made from, in millionths. */
struct work_excess {
	int64_t least_ppm, greatest_ppm;
};

/* work_fit() to measurements; alpha is the greatest ratio that was measured, rounded up to thousandths. */
MUST_CHECK bool form_work(const struct calibration *c, uint32_t kernel, enum neighbours neighbours,
	struct work_form *form, struct work_excess *excess, struct error *err);

/* The least of 1, 2, 5, 10, 20, 50, ... that is at least `ns`. */
int64_t form_round(int64_t ns);

#endif
