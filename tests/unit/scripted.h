/* tests/unit/scripted.h - a policy for tests of the gate: each test says what it plans and what it does when
 * it is asked. The times at which it was asked are noted. */
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
	int64_t at; /* for the test's decide() */
	uint32_t number;
	char calls[SCRIPT_TEXT]; /* "3:2/1 ": asked at 3, when two units waited and one was admitted */
	char seen[SCRIPT_TEXT];  /* what the test's decide() noted */
} script;

extern const struct policy scripted;

/* The set to be made: four SMs of 128 threads, unlimited copy engines. The script admits section kernels, by
 * priority. */
extern struct maker k;
int scripted_begin(void **state);
int scripted_end(void **state);

/* One kernel that fills the GPU. */
void kernel_task(int64_t offset, int64_t deadline, int64_t time);
/* copy 2, kernel 3, copy 2, kernel 3, copy 2 */
void section_task(int64_t offset, int64_t deadline);

void note(char text[SCRIPT_TEXT], const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The spans of the run must be these. */
void runs(const char *what);

#endif
