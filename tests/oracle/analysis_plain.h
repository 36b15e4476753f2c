/* tests/oracle/analysis_plain.h - the analyses of RTGPU and STGM a second time, from the papers' formulas by
 * index. It is written to be read, not to be fast. analysis/ is compared with it on random sets; it shares no
 * code with analysis/ and models/.
 *
 * Small numbers: lengths below 2^20, periods below 2^12, at most PLAIN_TASKS tasks. */
#ifndef CEGSIM_TESTS_ORACLE_ANALYSIS_PLAIN_H
#define CEGSIM_TESTS_ORACLE_ANALYSIS_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

#define PLAIN_TASKS 5
#define PLAIN_SUBTASKS 5 /* m, CPU segments */
#define PLAIN_SMS 16
#define PLAIN_NONE INT64_MAX

#define PLAIN_BLOCKS 9

/* blocks == 0: divisible work in [lo, hi]. Else the number of blocks, each within [lo, hi]. If uneven, each
 * block has its own limits, and [lo, hi] are those of the longest. */
struct plain_kernel {
	int64_t lo, hi, overhead, numerator, denominator;
	int64_t blocks;
	bool uneven;
	int64_t of_lo[PLAIN_BLOCKS], of_hi[PLAIN_BLOCKS];
};

/* m CPU segments, m - 1 kernels, 2m - 2 copies (two-copy: even to the GPU, odd back) or m - 1 (one-copy). A
 * length of 0 means that the segment does not exist. */
struct plain_task {
	int64_t period, deadline;
	int core;
	int m;
	bool one_copy;
	int64_t cl_lo[PLAIN_SUBTASKS], cl_hi[PLAIN_SUBTASKS];
	int64_t ml_lo[2 * PLAIN_SUBTASKS], ml_hi[2 * PLAIN_SUBTASKS];
	struct plain_kernel kernel[PLAIN_SUBTASKS];
};

/* Tasks by priority. */
struct plain_set {
	int count;
	struct plain_task task[PLAIN_TASKS];
	int sms, virtual_sms, engines; /* engines 0: unlimited */
	int64_t pin;                   /* of each block of divisible work, whatever else it takes */
};

/* RTGPU. `step` is the value of rtgpu_steps: virtual_sms; or 1, and then the worst ratio of all kernels
 * counts. */
struct plain_rtgpu {
	bool start_time, response_gaps, fifo;
	int step;
};

struct plain_bound {
	bool reached;      /* false behind a task that takes longer than its deadline even alone */
	int64_t response;  /* PLAIN_NONE: none up to 1,000 beyond its period */
	uint32_t rests_on; /* bit h: it holds if task h keeps its deadline */
};

/* Bounds of the tasks with virtual SMs v[]; bound[PLAIN_TASKS]. Returns how many tasks are accepted before
 * one fails. */
int plain_rtgpu(
	const struct plain_set *set, const struct plain_rtgpu *how, const int *v, struct plain_bound *bound);

/* Tries every allocation in multiples of the step, without pruning; the first coordinate changes slowest.
 * Takes the first one that is accepted. */
bool plain_rtgpu_grid(const struct plain_set *set, const struct plain_rtgpu *how, int *v);

/* STGM. CPU segments have lo > 0, unless hi = 0 and the task has other ones at its ends. */
enum plain_blocking { PLAIN_SAFE, PLAIN_TEXTBOOK, PLAIN_FREE };

struct plain_stgm {
	enum plain_blocking blocking;
	bool exclusive;
};

/* on[k][m]: SM m belongs to task k. */
void plain_sm_sets(const struct plain_set *set, bool exclusive, const int *sms, bool on[][PLAIN_SMS]);
int plain_stgm(const struct plain_set *set, const struct plain_stgm *how, const int *sms, int64_t *response);
/* The allocator with the response-time test, or with the test sum G/T <= 1. */
bool plain_stgm_allocate(
	const struct plain_set *set, const struct plain_stgm *how, bool utilisation, int *sms);
/* Is the sum of the tasks' mean utilisations over 1 .. sms SMs at most 1? */
bool plain_mean_utilisation_fits(const struct plain_set *set);

#endif
