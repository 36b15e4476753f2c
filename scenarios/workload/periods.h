/* scenarios/workload/periods.h - periods of generated tasks.
 *
 *   uniform      multiples of the granularity in [min, max], all equally likely
 *   log-uniform  floor(exp(uniform in [ln min, ln(max + granularity)]) / granularity) * granularity:
 *                Emberson, Stafford, Davis, WATERS 2010. The logarithm goes through libm and is rounded at
 *                once to the granularity
 *   list         one of the list, all equally likely
 *   divisors     divisors of a hyperperiod, multiples of the granularity, in [min, max], all equally likely
 *   matrix       a product of one number from every row of
 *                    1 2 4 8 16 | 1 1 3 3 9 | 1 1 5 5 25 | 1 1 1 7 7
 *                times the granularity, drawn again until it is in [min, max]: the way of Goossens and Macq,
 *                "Limitation of the hyper-period in real-time periodic task set generation", RTS 2001; the
 *                matrix is ours. The hyperperiod divides 25,200 granularities */
#ifndef CEGSIM_SCENARIOS_WORKLOAD_PERIODS_H
#define CEGSIM_SCENARIOS_WORKLOAD_PERIODS_H

#include <stddef.h>

#include "base/error.h"
#include "scenarios/workload/draws.h"

enum period_method {
	PERIODS_UNIFORM,
	PERIODS_LOG_UNIFORM,
	PERIODS_LIST,
	PERIODS_DIVISORS,
	PERIODS_MATRIX,
};

#define PERIOD_QUOTIENT_MAX INT64_C(1000000000000) /* hyperperiod / granularity */

struct period_rule {
	enum period_method method;
	int64_t min_ns, max_ns; /* 0 < min <= max; not for list */
	int64_t granularity_ns; /* > 0; not for list */
	int64_t hyperperiod_ns; /* divisors: a multiple of the granularity */
	const int64_t *list;    /* list: > 0 */
	size_t list_count;
};

/* Periods of n tasks, each > 0. `tries` limits the draws of one period (matrix). False, STATUS_INPUT: there
 * is no such period; STATUS_IO: no memory. */
MUST_CHECK bool periods_draw(const struct period_rule *rule, const struct draws *d, uint32_t n,
	uint32_t tries, int64_t *period_ns, struct error *err);

#endif
