/* tests/oracle/flights_plain.h - a second simulator of jobs with operations in flight (docs/model.md), tick
 * by tick and without a queue that is kept sorted. It shares no code with models/. For fifo-cke on one core
 * and without overheads; lengths are the worst cases; blocks of grids need threads alone. */
#ifndef CEGSIM_TESTS_ORACLE_FLIGHTS_PLAIN_H
#define CEGSIM_TESTS_ORACLE_FLIGHTS_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "models/platform.h"
#include "models/setup.h"
#include "models/taskset.h"

#define PLAIN_TASKS 4
#define PLAIN_SEGMENTS 12
#define PLAIN_JOBS 16

enum plain_end { PLAIN_FINISHED, PLAIN_DROPPED, PLAIN_ABORTED, PLAIN_UNFINISHED };

/* Of a job: -1 where it never was. */
struct plain_job {
	int64_t finish;
	enum plain_end how;
	int64_t start[PLAIN_SEGMENTS], end[PLAIN_SEGMENTS]; /* of copies and kernels */
};

struct plain_result {
	uint32_t jobs[PLAIN_TASKS];
	struct plain_job job[PLAIN_TASKS][PLAIN_JOBS];
};

void flights_plain(const struct platform *platform, const struct taskset *set, const struct run_setup *setup,
	struct plain_result *result);

#endif
