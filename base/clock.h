/* base/clock.h - real time, to measure how long something takes: seconds since some instant in the past. It
 * never goes back. */
#ifndef CEGSIM_BASE_CLOCK_H
#define CEGSIM_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t clock_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* Seconds, with the precision of nanoseconds. */
static inline double clock_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
