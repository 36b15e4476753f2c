/* tests/unit/scripted.h - a policy for tests of the gate: what it plans and what it does when it is asked is
 * said by each test, and when it was asked is noted. */
#ifndef CEGSIM_TESTS_SCRIPTED_H
#define CEGSIM_TESTS_SCRIPTED_H

#include "models/gate.h"
#include "tests/unit/timeline.h"

#define SCRIPT_TEXT 512

extern struct script {
	enum gate_unit unit;
	order_fn *order;
	bool wakes, grants;        /* plan.wakes, plan.grants_at_run_time */
	const struct grant *fixed; /* plan.grants */
	decide_fn *decide;
	int64_t at; /* for the decide() of the test */
	uint32_t number;
	char calls[SCRIPT_TEXT]; /* "3:2/1 ": asked at 3, two waited, one was admitted */
	char seen[SCRIPT_TEXT];  /* what the decide() of the test noted */
} script;

extern const struct policy scripted;

/* A set to be made: four SMs of 128 threads, unlimited copy engines; the script admits section kernels, by
 * priority. */
extern struct maker k;
int scripted_begin(void **state);
int scripted_end(void **state);

/* One kernel that fills the GPU. */
void kernel_task(int64_t offset, int64_t deadline, int64_t time);
/* copy 2, kernel 3, copy 2, kernel 3, copy 2 */
void section_task(int64_t offset, int64_t deadline);

void note(char text[SCRIPT_TEXT], const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The spans of a run must be these. */
void runs(const char *what);

#endif
