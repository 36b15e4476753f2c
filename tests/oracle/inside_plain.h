/* tests/oracle/inside_plain.h - docs/model.md, "Programs of warps", a second time: tasks of one kernel each
 * under fifo-cke, nanosecond by nanosecond and cycle by cycle. What is inside of the SMs is the plain
 * simulation of warps (tests/oracle/warp_plain.h). It shares no code with models/. */
#ifndef CEGSIM_TESTS_ORACLE_INSIDE_PLAIN_H
#define CEGSIM_TESTS_ORACLE_INSIDE_PLAIN_H

#include "tests/oracle/warp_plain.h"

#define INSIDE_TASKS 8

struct inside_task {
	int64_t period_ns, offset_ns;
	int program; /* kernel of the set; -1: blocks of a given time */
	uint32_t blocks, threads;
	int64_t time_ns;
};

struct inside_input {
	struct plain_input warps; /* platform, set, setup (horizon, seed), options; launches nothing */
	struct inside_task task[INSIDE_TASKS];
	uint32_t tasks;
};

struct inside_stay {
	uint32_t task, job, block, sm;
	int64_t start, end; /* ns */
};

struct inside_result {
	PLAIN_LIST(struct inside_stay, stays); /* in no order */
	bool over;             /* all jobs ended; else it was given up, and stays are missing */
	uint64_t ends_between; /* blocks that ended in a cycle that begins between two nanoseconds */
	uint64_t beside;       /* blocks of programs placed where blocks of another program were */
};

/* Gives up after so many cycles. */
struct inside_result *inside_run(const struct inside_input *input, int64_t most_cycles);
void inside_result_free(struct inside_result *r);

#endif
