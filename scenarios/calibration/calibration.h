/* scenarios/calibration/calibration.h - measures the times of all kernels of a set at warp level, inside of
 * SMs, for use at block level (docs/calibration.md).
 *
 *     calibration_create(...)
 *     while ((state = calibration_step(c, events, &err)) == CALIBRATION_GOES_ON) ...
 *     calibration_point(...), calibration_pair(...); calibration_destroy(c)
 *
 * The result is a function of the inputs. */
#ifndef CEGSIM_SCENARIOS_CALIBRATION_CALIBRATION_H
#define CEGSIM_SCENARIOS_CALIBRATION_CALIBRATION_H

#include "scenarios/calibration/measurement.h"

#define CALIBRATION_DRAWS_MAX 1000u

struct calibration_spec {
	const struct platform *platform;
	const struct taskset *set;          /* with warps; launches and goals are ignored */
	const struct warp_options *options; /* no manager, even blocks */
	uint64_t seed;                      /* of the first draw; each further draw adds one */
	uint32_t draws;                     /* 1 .. CALIBRATION_DRAWS_MAX */
	const uint32_t *sms;                /* [points] numbers of SMs, ascending, the first is 1 */
	uint32_t points;
	bool beside;
};

/* A kernel on a number of SMs. */
struct calibrated_point {
	struct spread alone;        /* times of launches, ns */
	struct spread alone_blocks; /* times of the blocks of `alone`, ns */
	struct spread half;         /* times of launches in the kernel's half of the SMs, ns; beside only */
	/* Time of two launches alone over that of one in the half, in millionths, rounded up; beside only. It
	 * is 2 / (the gain in throughput if the kernel gets the other half, too), as in RTGPU's Table 2. */
	struct spread split;
};

/* Kernel a on a number of SMs, beside kernel b. */
struct calibrated_pair {
	struct spread time;   /* times of launches, ns; count 0: not measured */
	struct spread ratio;  /* time over that of the launch alone in its half; millionths, rounded up */
	struct spread blocks; /* ns */
};

struct calibration;

/* All arguments are kept by reference until calibration_destroy(). */
MUST_CHECK bool calibration_create(
	const struct calibration_spec *spec, struct calibration **calibration, struct error *err);
void calibration_destroy(struct calibration *c); /* accepts NULL */

enum calibration_state { CALIBRATION_GOES_ON, CALIBRATION_OVER, CALIBRATION_FAILED };
enum calibration_state calibration_step(struct calibration *c, uint64_t events, struct error *err);

/* Number of launches measured; number to be measured; warp instructions issued so far. */
uint64_t calibration_done(const struct calibration *c);
uint64_t calibration_count(const struct calibration *c);
uint64_t calibration_events(const struct calibration *c);

/* After OVER. */
const struct calibration_spec *calibration_spec(const struct calibration *c);
const struct calibrated_point *calibration_point(
	const struct calibration *c, uint32_t kernel, uint32_t point);
const struct calibrated_pair *calibration_pair(
	const struct calibration *c, uint32_t kernel, uint32_t beside, uint32_t point);
/* Whether one block of the kernel fits half of each resource of an SM; then the kernel has a half. */
bool calibration_has_half(const struct calibration *c, uint32_t kernel);

#endif
