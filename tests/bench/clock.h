/* tests/bench/clock.h - processor time of this process, and the least of several tries. */
#ifndef CEGSIM_TESTS_BENCH_CLOCK_H
#define CEGSIM_TESTS_BENCH_CLOCK_H

#include <time.h>

static inline double cpu_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
