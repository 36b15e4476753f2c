/* scenarios/calibration/forms.h - describes a measured kernel for the block level: as a profile, as blocks of
 * a grid, or as divisible work (docs/model.md, "Time of a kernel"; RTGPU, Lemma 5.1). No form gives less than
 * a measured time. */
#ifndef CEGSIM_SCENARIOS_CALIBRATION_FORMS_H
#define CEGSIM_SCENARIOS_CALIBRATION_FORMS_H

#include "scenarios/calibration/calibration.h"

/* For arrays with an entry for every number of SMs: the measured point with the most SMs that is at most
 * `sms`. */
uint32_t form_point(const struct calibration *c, uint32_t sms);

/* The times of blocks over all points, also beside others where that was measured. */
struct spread form_block_time(const struct calibration *c, uint32_t kernel);

/* A measured point: a kernel that takes `least` to `greatest` on `virtual_sms` virtual SMs. */
struct work_point {
	uint32_t virtual_sms;
	bool interleaved; /* alpha applies: two of these virtual SMs share an SM */
	int64_t least_ns, greatest_ns;
};

struct work_form {
	int64_t best_ns, worst_ns, overhead_ns;
	int64_t alpha_ppm; /* for two virtual SMs per SM; >= 10^6, a multiple of 1000 */
};

/* Finds a form for which these hold at all points, with the greatest best case and the least worst case:
 *     ceil(best / V) <= least,  (worst * alpha - overhead) / V + overhead >= greatest
 * `worst` is the least that holds on one virtual SM; then overhead is the least. There must be a point with
 * one virtual SM. False: numbers beyond 64 bits. */
MUST_CHECK bool work_fit(const struct work_point *points, uint32_t count, int64_t alpha_ppm,
	struct work_form *form, struct error *err);

/* The worst-case time that the form gives for a point. */
int64_t work_time(const struct work_form *form, const struct work_point *point);

/* Which kernel may be in the other half of a kernel's SMs: */
enum neighbours {
	NEIGHBOURS_SELF, /* the kernel itself, as RTGPU pins it (section 4.3) */
	NEIGHBOURS_ALL,  /* every kernel that was measured (section 4.2) */
};

/* By how much a form exceeds the measurements it was made from, in millionths. */
struct work_excess {
	int64_t least_ppm, greatest_ppm;
};

/* work_fit() for the measurements; alpha is the greatest measured ratio, rounded up to thousandths. */
MUST_CHECK bool form_work(const struct calibration *c, uint32_t kernel, enum neighbours neighbours,
	struct work_form *form, struct work_excess *excess, struct error *err);

/* The least of 1, 2, 5, 10, 20, 50, ... that is at least `ns`. */
int64_t form_round(int64_t ns);

#endif
