/* scenarios/workload/simplex.h - random vectors with a given sum: utilisations, and shares of a length.
 *
 * Everything goes in and comes out in whole units (ppm, ns), and the sum is exact. In between, the methods
 * that need roots compute in floating point and round at once. A libm that differs in the last bit can change
 * a value only if that value is within this bit of the middle between two units: for ppm about once in 10^9
 * values. Methods that need no libm say so.
 *
 *   uunifast      uniform without bounds: Bini and Buttazzo, "Measuring the performance of schedulability
 *                 tests", Real-Time Systems 30, 2005
 *   discard       UUniFast, drawn again until every value is within its bounds: Davis and Burns, "Priority
 *                 assignment for global fixed priority pre-emptive scheduling", RTSS 2009
 *   randfixedsum  uniform with one pair of bounds for all values: R. Stafford's method, in Emberson,
 *                 Stafford, Davis, "Techniques for the synthesis of multiprocessor tasksets", WATERS 2010
 *   bounded       uniform with bounds of their own for all values: shifted by the lower bounds, then as
 *                 discard; by randfixedsum where all bounds are the same
 *   drs           Dirichlet-Rescale, bounds of their own: Griffin, Bate, Davis, "Generating utilization
 *                 vectors for the systematic evaluation of schedulability tests", RTSS 2020. Its authors have
 *                 deprecated it, because it is not uniform; it is here to repeat work that used it. Prefer
 *                 bounded. */
#ifndef CEGSIM_SCENARIOS_WORKLOAD_SIMPLEX_H
#define CEGSIM_SCENARIOS_WORKLOAD_SIMPLEX_H

#include "base/error.h"
#include "scenarios/workload/draws.h"

#define SIMPLEX_MAX 1000u /* values of a vector */

/* n values, low[i] <= x[i] <= high[i], that add up to sum. */
struct simplex {
	uint32_t n;                /* 1 .. SIMPLEX_MAX */
	int64_t sum;               /* 0 .. 2^52 */
	const int64_t *low, *high; /* [n]; NULL: 0, and sum */
};

/* The type of all five methods; the result is in out[n]. Tries begin at d->attempt, which is then the one
 * that succeeded; at most `tries` are made, at least 1. False, STATUS_INPUT: the bounds leave no room, or no
 * try succeeded; STATUS_IO: out of memory. */
typedef bool simplex_method(
	struct draws *d, const struct simplex *s, uint32_t tries, int64_t *out, struct error *err);
simplex_method simplex_uunifast; /* bounds do not count */
simplex_method simplex_discard;
simplex_method simplex_randfixedsum; /* refuses bounds that differ */
simplex_method simplex_bounded;
simplex_method simplex_drs;

/* UUniFast's step for n - 1 given uniform variables: n parts of sum, uniform over all ways to cut it. */
void simplex_split(const double *unit, uint32_t n, int64_t sum, int64_t *parts);

/* Parts of sum in proportion to weights (>= 0, not all 0, below 2^53), each at least `least`; n * least <=
 * sum. Largest remainders, in integers. For weights drawn uniformly that is the "uniform, then normalised" of
 * the literature, which is not uniform over the vectors with that sum. */
void simplex_normalise(const int64_t *weights, uint32_t n, int64_t sum, int64_t least, int64_t *parts);

#endif
