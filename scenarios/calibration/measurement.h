/* scenarios/calibration/measurement.h - times one launch of a kernel inside of SMs: alone, in its half of the
 * SMs, or in its half beside another kernel that is launched again and again (docs/calibration.md). */
#ifndef CEGSIM_SCENARIOS_CALIBRATION_MEASUREMENT_H
#define CEGSIM_SCENARIOS_CALIBRATION_MEASUREMENT_H

#include "models/platform.h"
#include "models/taskset.h"
#include "models/warps/options.h"
#include "models/warps/warp_set.h"
#include "scenarios/calibration/spread.h"

enum company {
	COMPANY_NONE,   /* the kernel has the SMs to itself */
	COMPANY_EMPTY,  /* it has half of each resource of every SM; the other half stays empty */
	COMPANY_BESIDE, /* `partner` is in the other half */
};

struct measurement_spec {
	const struct platform *platform;
	const struct taskset *set;          /* with warps */
	const struct warp_options *options; /* options of the whole set; no manager, even blocks */
	uint64_t seed;
	uint32_t sms; /* the first so many; 1 .. the platform's */
	uint32_t kernel;
	enum company company;
	uint32_t partner; /* may be the kernel itself: a second copy of it */
	int64_t delay;    /* cycles from the partner's first launch to the measured one */
};

struct measured {
	int64_t time_ns;      /* from the launch to the end */
	struct spread blocks; /* times of its blocks, ns */
};

struct measurement;

/* What the spec points to is kept by reference until measurement_destroy(). */
MUST_CHECK bool measurement_create(
	const struct measurement_spec *spec, struct measurement **measurement, struct error *err);
void measurement_destroy(struct measurement *m); /* accepts NULL */

enum measurement_state { MEASUREMENT_GOES_ON, MEASUREMENT_OVER, MEASUREMENT_FAILED };

/* Issues about `events` warp instructions. FAILED: the launch does not end within the longest possible
 * run. */
enum measurement_state measurement_step(struct measurement *m, uint64_t events, struct error *err);

/* After OVER. */
const struct measured *measurement_result(const struct measurement *m);
uint64_t measurement_events(const struct measurement *m);

/* Blocks of the kernel that fit half of each resource of an SM; 0: it has no half. */
uint32_t measurement_half_blocks(const struct platform *platform, const struct warp_kernel *kernel);

/* Whether the times of the kernel depend on the seed. */
bool measurement_is_random(const struct warp_kernel *kernel);

#endif
