/* tests/oracle/bounds_plain_fifo.h - bounds of concurrent kernels a second time, written to be read: sums,
 * products, and every possibility tried. Shares no code with analysis/ and models/.
 *
 * Small numbers: lengths and threads below 2^10, periods below 2^16; blocks fit. */
#ifndef CEGSIM_TESTS_ORACLE_BOUNDS_PLAIN_FIFO_H
#define CEGSIM_TESTS_ORACLE_BOUNDS_PLAIN_FIFO_H

#include <stdbool.h>
#include <stdint.h>

#define PLAIN_FIFO_TASKS 5

#define PLAIN_FIFO_BLOCKS 12

struct plain_fifo_task {
	int64_t period, grid, block, time;
	int64_t of_block[PLAIN_FIFO_BLOCKS]; /* [grid]: the time of each block; `time` is the longest */
};

struct plain_fifo_set {
	int count;
	struct plain_fifo_task task[PLAIN_FIFO_TASKS];
	int64_t sms, threads; /* per SM */
	bool pooled;          /* pool: gpu, no rounding; else blocks stay on SMs, in warps of 32 */
};

struct plain_fifo {
	int64_t mu;
	int64_t x[PLAIN_FIFO_TASKS]; /* theorem E1, before the check x <= T */
	bool fits;                   /* U_sum <= mu */
	bool literal;                /* U_sum <= threads - b_max + 1 on each SM */
	int64_t carried;             /* K */
	int64_t r[PLAIN_FIFO_TASKS]; /* theorem E2, before any check */
};

struct plain_fifo plain_fifo(const struct plain_fifo_set *set);

#endif
