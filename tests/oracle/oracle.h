/* tests/oracle/oracle.h - a second simulator, slow and plain, to check the first one by.
 *
 * It follows docs/model.md tick by tick: one tick is one nanosecond of the scenario, and the
 * task sets given to it use small integers. Nothing is queued: each tick it looks at every
 * operation and asks who is the head of its stream, who waits for an engine, who is first.
 * It shares no code with sim/ and models/, only the plain data types of a scenario. */
#ifndef CEGSIM_TESTS_ORACLE_ORACLE_H
#define CEGSIM_TESTS_ORACLE_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/int128.h"
#include "models/platform.h"
#include "models/setup.h"
#include "models/taskset.h"

/* The order in which waiting operations are taken. */
enum oracle_order {
	ORACLE_BY_ARRIVAL,        /* first come first served, by the instant of entering */
	ORACLE_BY_PRIORITY,       /* the task's rank */
	ORACLE_BY_RELEASE,        /* the job's release, then task */
	ORACLE_BY_STREAM,         /* high streams first, by arrival within */
};

/* What a policy with a gate admits, one at a time. */
enum oracle_unit { ORACLE_OPEN, ORACLE_KERNELS, ORACLE_SECTIONS };

/* A policy as a row of choices. */
struct oracle_policy {
	const char *label;                 /* for messages: "fifo-cke order=release" */
	const char *name;                  /* as users type it: "fifo-cke" */
	const char *option, *value;        /* its one option that differs from the default, or NULL */
	enum oracle_order primary;         /* order of the primary queue */
	enum oracle_order copies;          /* order of the copy engines' queues */
	enum oracle_unit unit;
	enum oracle_order gate;            /* order of the gate, if there is one */
	bool rate;                         /* rate monotonic, not deadline monotonic */
	bool busy_wait;                    /* spins through GPU sections */
};

/* Every policy the oracle knows; the list ends with a NULL label. */
extern const struct oracle_policy oracle_policies[];
/* NULL: no such label. */
const struct oracle_policy *oracle_policy_find(const char *label);

enum oracle_state { ORACLE_FINISHED, ORACLE_DROPPED, ORACLE_ABORTED, ORACLE_UNFINISHED };

struct oracle_job {
	uint32_t task, seq;
	int64_t release, deadline;         /* absolute */
	int64_t first_start;               /* -1: never started */
	int64_t finish;                    /* when it ended, in whatever way; -1: unfinished at S */
	enum oracle_state state;
	bool missed;
};

struct oracle_block {
	uint32_t task, seq, segment, block;
	int32_t sm;                        /* -1 in pool gpu */
	int64_t start, end;                /* cut at S */
};

enum oracle_activity { ORACLE_RUN, ORACLE_SPIN, ORACLE_COPY };

/* A contiguous stretch on the CPU or on a copy engine. */
struct oracle_interval {
	uint32_t task, seq, segment;
	enum oracle_activity activity;
	int32_t engine;                    /* of copies; -1 elsewhere and with unlimited engines */
	int64_t ready;                     /* when the segment became ready */
	int64_t start, end;                /* cut at S */
};

struct oracle_result {
	struct oracle_job *jobs;           /* by task, then seq */
	size_t job_count;
	struct oracle_block *blocks;       /* in the order of placing */
	size_t block_count;
	struct oracle_interval *intervals; /* in the order of starting */
	size_t interval_count;
	int64_t end;                       /* S */
	size_t misses;
	bool truncated;                    /* a drained run stopped by its limit */
	int128 energy;                   /* uW * ns over [0, max(horizon, S)) */
};

/* The set must be valid on the platform (models/taskset.h), lengths of copies filled in.
 * Never NULL: without memory the test program ends. */
struct oracle_result *oracle_run(const struct taskset *set, const struct platform *platform,
	const struct run_setup *setup, const struct oracle_policy *policy);
void oracle_result_free(struct oracle_result *result);     /* accepts NULL */

/* Space for one more element behind `count`; ends the program without memory. */
void *oracle_grow(void *array, size_t count, size_t size);

#endif
