/* tests/oracle/bounds_plain_chains.h - bounds of chains on an open GPU (`fifo-chains`) a second time, written
 * to be read: every sum from its definition in docs/analyses.md, every step of every claim. Shares no code
 * with analysis/ and models/.
 *
 * Small numbers: lengths below 2^8, limits below 2^10, periods below 2^16; blocks fit. */
#ifndef CEGSIM_TESTS_ORACLE_BOUNDS_PLAIN_CHAINS_H
#define CEGSIM_TESTS_ORACLE_BOUNDS_PLAIN_CHAINS_H

#include <stdbool.h>
#include <stdint.h>

#define PLAIN_CHAINS_TASKS 5
#define PLAIN_CHAINS_PARTS 9
#define PLAIN_CHAINS_BLOCKS 8
#define PLAIN_CHAINS_LIMITS 6 /* threads, blocks, warps, registers, shared memory, virtual SMs */

#define PLAIN_CHAINS_NONE INT64_MAX

enum plain_part_on { PLAIN_ENGINE_0, PLAIN_ENGINE_1, PLAIN_GPU, PLAIN_CPU, PLAIN_NOWHERE };

struct plain_part {
	enum plain_part_on on;
	bool high;
	int64_t best, worst; /* not of kernels */
	/* Kernels. */
	int64_t grid, need[PLAIN_CHAINS_LIMITS]; /* of a block, as it is taken */
	int64_t best_of[PLAIN_CHAINS_BLOCKS], worst_of[PLAIN_CHAINS_BLOCKS];
};

struct plain_chain {
	int core;
	int64_t period, deadline;
	int count;
	struct plain_part part[PLAIN_CHAINS_PARTS];
};

enum plain_count { PLAIN_BOTH, PLAIN_REQUESTS, PLAIN_WINDOWS };

struct plain_chains {
	int count; /* the highest priority first */
	struct plain_chain task[PLAIN_CHAINS_TASKS];
	int64_t pools, limit[PLAIN_CHAINS_LIMITS]; /* of a pool; 0: none */
	bool kernels_first_come, copies_by_stream;
	enum plain_count how;
};

struct plain_chain_bound {
	int64_t response;                  /* PLAIN_CHAINS_NONE: none */
	bool rests_on[PLAIN_CHAINS_TASKS]; /* tasks that must keep their deadlines */
};

void plain_chains(const struct plain_chains *set, struct plain_chain_bound *bound);

#endif
