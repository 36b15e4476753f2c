/* tests/oracle/bounds_plain_suspension.h - bounds for self-suspending tasks a second time, written to be
 * read, not to be fast: every fixed point is found by trying 0, 1, 2, ..., every window is walked through
 * segment by segment. Shares no code with analysis/ and models/.
 *
 * Small numbers: periods below 2^12. */
#ifndef CEGSIM_TESTS_ORACLE_BOUNDS_PLAIN_SUSPENSION_H
#define CEGSIM_TESTS_ORACLE_BOUNDS_PLAIN_SUSPENSION_H

#include <stdbool.h>
#include <stdint.h>

#define PLAIN_SUSPENSION_TASKS 6
#define PLAIN_SUSPENSION_OPS 10
#define PLAIN_SUSPENSION_NONE INT64_MAX

enum plain_op_kind { PLAIN_OP_CPU, PLAIN_OP_COPY, PLAIN_OP_GRID, PLAIN_OP_WORK };

#define PLAIN_OP_BLOCKS 6

struct plain_op {
	enum plain_op_kind kind;
	int64_t lo, hi;          /* grid: of a block; work: on one virtual SM */
	int64_t blocks, threads; /* grid: threads of a block */
	bool uneven;             /* its blocks are within [of_lo, of_hi], the longest within [lo, hi] */
	int64_t tenths[PLAIN_OP_BLOCKS], of_lo[PLAIN_OP_BLOCKS], of_hi[PLAIN_OP_BLOCKS];
	int64_t overhead, numerator, denominator; /* work: alpha, if there are several virtual SMs per SM */
};

struct plain_suspension_task {
	int64_t period, deadline;
	int core;
	int ops;
	struct plain_op op[PLAIN_SUSPENSION_OPS];
	int sms;    /* on which its kernels run, alone */
	bool slots; /* they were given to it as virtual SMs */
};

/* Tasks are in the order of priority. threads_per_sm 0: no limit. */
struct plain_suspension_set {
	int count;
	struct plain_suspension_task task[PLAIN_SUSPENSION_TASKS];
	int virtual_sms, threads_per_sm;
	int64_t pin; /* of each block of work, whatever else it takes */
};

enum plain_suspension_method {
	PLAIN_BASELINE,
	PLAIN_SEGMENTED,
	PLAIN_BLETSAS,
	PLAIN_OBLIVIOUS,
	PLAIN_BLOCKING,
	PLAIN_UNIFYING,
	PLAIN_JITTER,
};

struct plain_suspension {
	enum plain_suspension_method method;
	bool response; /* R of higher tasks instead of their D, in gaps and in jitters */
	bool start_time;
};

struct plain_suspension_bound {
	bool reached; /* false behind a task that takes longer than its deadline even alone (in any pattern:
		       * on the same core) */
	int64_t response;  /* NONE: some part of it has no value up to 1,000 beyond its period */
	uint32_t rests_on; /* bit h: it holds if task h keeps its deadline; in any pattern of the same core's
			    */
};

/* Bounds of the tasks, by priority; bound[PLAIN_SUSPENSION_TASKS]. Returns how many are accepted before one
 * fails. */
int plain_suspension(const struct plain_suspension_set *set, const struct plain_suspension *how,
	struct plain_suspension_bound *bound);

#endif
