/* scenarios/calibration/spread.h - a summary of many measurements of one quantity: least, greatest, mean. */
#ifndef CEGSIM_SCENARIOS_CALIBRATION_SPREAD_H
#define CEGSIM_SCENARIOS_CALIBRATION_SPREAD_H

#include <stdint.h>

#include "base/int128.h"

/* A zeroed struct is empty; then only `count` is valid. */
struct spread {
	int64_t least, greatest;
	int128 sum;
	int64_t count;
};

static inline void spread_join(struct spread *s, const struct spread *more)
{
	if (more->count == 0)
		return;
	if (s->count == 0 || more->least < s->least)
		s->least = more->least;
	if (s->count == 0 || more->greatest > s->greatest)
		s->greatest = more->greatest;
	s->sum += more->sum;
	s->count += more->count;
}

static inline void spread_add(struct spread *s, int64_t value)
{
	const struct spread one = {.least = value, .greatest = value, .sum = value, .count = 1};
	spread_join(s, &one);
}

/* There must be at least one measurement. */
static inline double spread_mean(const struct spread *s)
{
	return (double)s->sum / (double)s->count;
}

#endif
