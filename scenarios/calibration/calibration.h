/* scenarios/calibration/calibration.h - block level meets warp level: the times of all kernels of a set,
 * measured inside of SMs (docs/calibration.md).
 *
 *     calibration_create(...)
 *     while ((state = calibration_step(c, events, &err)) == CALIBRATION_GOES_ON) ...
 *     calibration_kernel(c, k), calibration_pair(c, a, b, point); calibration_destroy(c)
 *
 * The result is a function of the inputs. */
#ifndef CEGSIM_SCENARIOS_CALIBRATION_CALIBRATION_H
#define CEGSIM_SCENARIOS_CALIBRATION_CALIBRATION_H

#include "scenarios/calibration/measurement.h"

#define CALIBRATION_DRAWS_MAX 1000u

struct calibration_spec {
	const struct platform *platform;
	const struct taskset *set;          /* with warps; launches and goals do not matter */
	const struct warp_options *options; /* no manager, even blocks */
	uint64_t seed;                      /* of the first draw; the next ones count on */
	uint32_t draws;                     /* 1 .. CALIBRATION_DRAWS_MAX */
	const uint32_t *sms;                /* [points] numbers of SMs, ascending, the first is 1 */
	uint32_t points;
	bool beside;
};

/* A kernel on so many SMs. */
struct calibrated_point {
	struct spread alone;        /* a launch, ns */
	struct spread alone_blocks; /* blocks of `alone`, ns */
	struct spread half;         /* a launch in its half of the SMs, ns; beside only */
	/* Of two launches alone to one in the half, in millionths, rounded up; beside only. 2 / (the gain in
	 * throughput of a kernel that gets the other half, too), as in RTGPU's Table 2. */
	struct spread split;
};

/* Kernel a on so many SMs, beside b. */
struct calibrated_pair {
	struct spread time;   /* a launch, ns; count 0: not measured */
	struct spread ratio;  /* of it to the same launch in its half alone, in millionths, rounded up */
	struct spread blocks; /* ns */
};

struct calibration;

/* Everything is kept by reference until calibration_destroy(). */
MUST_CHECK bool calibration_create(
	const struct calibration_spec *spec, struct calibration **calibration, struct error *err);
void calibration_destroy(struct calibration *c); /* accepts NULL */

enum calibration_state { CALIBRATION_GOES_ON, CALIBRATION_OVER, CALIBRATION_FAILED };
enum calibration_state calibration_step(struct calibration *c, uint64_t events, struct error *err);

/* Launches measured, and to be measured; warp instructions issued. */
uint64_t calibration_done(const struct calibration *c);
uint64_t calibration_count(const struct calibration *c);
uint64_t calibration_events(const struct calibration *c);

/* After OVER. */
const struct calibration_spec *calibration_spec(const struct calibration *c);
const struct calibrated_point *calibration_point(
	const struct calibration *c, uint32_t kernel, uint32_t point);
const struct calibrated_pair *calibration_pair(
	const struct calibration *c, uint32_t kernel, uint32_t beside, uint32_t point);
/* Has the kernel a half: does one of its blocks fit half of each resource? */
bool calibration_has_half(const struct calibration *c, uint32_t kernel);

#endif
