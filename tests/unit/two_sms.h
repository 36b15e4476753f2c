/* tests/unit/two_sms.h - fixture for tests of kernels and their blocks: an empty set for two SMs of 128
 * threads, and checks of what happens to it under fifo-cke. */
#ifndef CEGSIM_TESTS_UNIT_TWO_SMS_H
#define CEGSIM_TESTS_UNIT_TWO_SMS_H

#include "tests/support/test.h"
#include "tests/unit/timeline.h"

static struct maker k;

static inline int begin(void **state)
{
	maker_init(&k, 100);
	k.platform.sms = 2;
	k.platform.threads_per_sm = 128;
	return 0;
}

static inline int end(void **state)
{
	maker_finish(&k);
	return 0;
}

/* Adds a task of its own with one kernel. */
static inline struct segment *kernel(int64_t offset, uint32_t grid, uint32_t block, int64_t time)
{
	maker_task(&k, "t", 200, 200, offset);
	return maker_grid(&k, grid, block, time);
}

/* The blocks of a run must be these. */
static inline void places(const char *what)
{
	struct observed o = observe(&k, "fifo-cke", NULL);
	assert_string_equal(blocks(&o), what);
	observed_finish(&o);
}

/* The spans of the run must be these. option: see observe(). */
static inline void runs(const char *option, const char *what)
{
	struct observed o = observe(&k, "fifo-cke", option);
	assert_string_equal(spans(&o), what);
	observed_finish(&o);
}

#endif
