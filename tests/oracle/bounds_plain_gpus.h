/* tests/oracle/bounds_plain_gpus.h - RTGPU's test on several GPUs (section 5.6) a second time, for chains of
 * any shape: window by window, by the definitions. It shares no code with analysis/ and models/. */
#ifndef CEGSIM_TESTS_ORACLE_BOUNDS_PLAIN_GPUS_H
#define CEGSIM_TESTS_ORACLE_BOUNDS_PLAIN_GPUS_H

#include <stdbool.h>
#include <stdint.h>

#define PLAIN_GPUS 3
#define PLAIN_GPUS_TASKS 5
#define PLAIN_GPUS_SEGMENTS 8
#define PLAIN_GPUS_NONE INT64_MAX

enum plain_gpus_kind { PLAIN_ON_CORE, PLAIN_COPIES, PLAIN_WORKS };

/* Lengths of cores and copies; of a kernel blocks of [lo, hi] each, or without blocks divisible work. */
struct plain_gpus_segment {
	enum plain_gpus_kind kind;
	int64_t lo, hi; /* 1 <= hi */
	int gpu;
	bool back;  /* of a copy: to the CPU */
	int blocks; /* of a kernel; 0: work */
	int64_t overhead, numerator, denominator;
};

struct plain_gpus_task {
	int64_t period, deadline;
	int core, count;
	struct plain_gpus_segment segment[PLAIN_GPUS_SEGMENTS];
};

/* Tasks by priority. */
struct plain_gpus_set {
	int count, gpus, virtual_sms;
	int sms[PLAIN_GPUS], engines[PLAIN_GPUS]; /* engines 0: unlimited */
	int64_t pin[PLAIN_GPUS];                  /* of each block of work, whatever else it takes */
	struct plain_gpus_task task[PLAIN_GPUS_TASKS];
};

struct plain_gpus_way {
	bool start_time, response_gaps;
};

/* The GPU of a task's kernels; -1: it has none. */
int plain_gpus_of(const struct plain_gpus_task *t);
/* Virtual SMs that are given at a time on a GPU. */
int plain_gpus_step(const struct plain_gpus_set *set, int gpu);
/* Bounds with virtual SMs v[]; how many tasks are accepted before one fails, whose bound is the last one. */
int plain_gpus_bounds(
	const struct plain_gpus_set *set, const struct plain_gpus_way *how, const int *v, int64_t *response);
/* Whether some allocation is accepted: tries every one. */
bool plain_gpus_possible(const struct plain_gpus_set *set, const struct plain_gpus_way *how);

#endif
