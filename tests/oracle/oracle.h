/* tests/oracle/oracle.h - a second simulator, slow and plain, which checks the first one.
 *
 * It follows docs/model.md tick by tick: one tick is one nanosecond of the scenario, and the task sets given
 * to it use small integers. It has no queues: in each tick it looks at every operation and works out which
 * one is the head of its stream, which ones wait for an engine, which one is first. It shares no code with
 * sim/ and models/, only the plain data types of a scenario. */
#ifndef CEGSIM_TESTS_ORACLE_ORACLE_H
#define CEGSIM_TESTS_ORACLE_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"
#include "models/platform.h"
#include "models/setup.h"
#include "models/taskset.h"

#define ORACLE_SMS 64 /* at most so many SMs and tasks, where SMs are granted */
#define ORACLE_TASKS 16

/* The order in which waiting operations are taken. */
enum oracle_order {
	ORACLE_BY_ARRIVAL,  /* first come first served, by the instant of entering */
	ORACLE_BY_PRIORITY, /* the task's rank */
	ORACLE_BY_RELEASE,  /* the job's release, then task */
	ORACLE_BY_STREAM,   /* high streams first, by arrival within */
	ORACLE_BY_DEADLINE, /* the job's absolute deadline */
	ORACLE_BY_SECTION,  /* the deadline of the GPU section */
};

/* What a policy with a gate admits. */
enum oracle_unit {
	ORACLE_OPEN,
	ORACLE_KERNELS,
	ORACLE_SECTIONS,
	ORACLE_SECTION_KERNELS, /* all kernels of a section as one */
};

/* How it admits. */
enum oracle_gate {
	ORACLE_ONE_AT_A_TIME,
	ORACLE_ALL,
	ORACLE_RESERVING,  /* each unit whose task's SMs are free; a unit that waits reserves them (stgm) */
	ORACLE_PREDICTING, /* sbeet */
	ORACLE_AS_PLANNED, /* sbeet, offline: what ORACLE_PREDICTING admitted in a run made beforehand */
	ORACLE_CHOOSING,   /* sbeet-mg: the GPU, too */
};

/* Where tasks live, and where their sections start, under ORACLE_CHOOSING. */
enum oracle_assign { ORACLE_BY_ENERGY, ORACLE_FIRST_FIT, ORACLE_BEST_FIT, ORACLE_WORST_FIT, ORACLE_GIVEN };
enum oracle_choice {
	ORACLE_MIGRATES,
	ORACLE_STAYS,
	ORACLE_GOES_HOME,
	ORACLE_SMALLEST,
	ORACLE_LARGEST,
	ORACLE_EMPTIEST
};

/* What a job does with the core in a GPU section. */
enum oracle_wait { ORACLE_SUSPENDS, ORACLE_SPINS, ORACLE_BOOSTS };

/* What a context has for itself, under policies with contexts. */
enum oracle_contexts { ORACLE_ONE_CONTEXT, ORACLE_OWN_GPUS, ORACLE_OWN_SMS };

/* Who gets the GPU: processes in turn (tsg-rr); or the process of the highest task, at any instant, or when
 * no change is going on; or that of the task that owns it by its calls (gcaps). */
enum oracle_takes { ORACLE_IN_TURN, ORACLE_TAKES_AT_ONCE, ORACLE_TAKES_TIME, ORACLE_BY_CALLS };
/* How, in the latter cases; ANYHOW: another of these at each instant. */
enum oracle_how { ORACLE_SAVE, ORACLE_DRAIN, ORACLE_RESET, ORACLE_ANYHOW };

struct oracle_option {
	const char *name, *value;
};

/* A policy as one row of choices. */
struct oracle_policy {
	const char *label;            /* for messages: "fifo-cke order=release" */
	const char *name;             /* as users type it: "fifo-cke" */
	const char *option, *value;   /* an option that differs from the default, or NULL */
	struct oracle_option more[3]; /* more such options */
	enum oracle_order primary;    /* order of the primary queue */
	enum oracle_order copies;     /* order of the copy engines' queues */
	enum oracle_unit unit;
	enum oracle_order gate; /* order of the gate, if there is one */
	enum oracle_gate admits;
	enum oracle_wait wait;
	bool rate;             /* rate monotonic, not deadline monotonic */
	bool core_by_deadline; /* the core by the job's absolute deadline */
	bool grants;           /* tasks have static SMs, given in struct oracle_allocation */
	const char *without;   /* the row that is in force if it granted no SMs; NULL: this one */
	bool allocation;       /* option `allocation` is given, made for the set */
	/* For ORACLE_PREDICTING and ORACLE_CHOOSING. */
	uint32_t workers;
	enum oracle_assign assign;
	enum oracle_choice choice;
	bool common_window, fastest; /* energy: common, infeasible: fastest */
	bool one_start;              /* after_start: stop */
	int64_t decision_base, decision_per_job;
	bool decision_by_server;
	bool streams_alike; /* priorities: ignore */
	enum oracle_contexts contexts;
	enum oracle_takes takes;
	enum oracle_how how;
	int64_t update,
		call;  /* ORACLE_BY_CALLS: what a call takes that changes the GPU's owner, or does not */
	bool by_units; /* the highest task of those that have admitted units, not active operations */
	bool of_tests; /* no user knows it (context_policies.c) */
};

/* SMs, or virtual SMs, of a kernel's own. */
struct oracle_grant {
	uint32_t count;             /* number of SMs; 0: none of its own */
	uint32_t sm[ORACLE_SMS];    /* ascending */
	uint32_t slots[ORACLE_SMS]; /* virtual SMs on each */
	uint32_t virtual_sms;       /* their sum; 0: whole SMs */
};

/* What a policy decided before the run. Like the task set, it is given to the oracle. */
struct oracle_allocation {
	uint32_t virtual_sms; /* V_SM in force */
	bool any;             /* there are grants */
	struct oracle_grant grants[ORACLE_TASKS];
};

/* Every policy the oracle knows; the list ends with a NULL label. */
extern const struct oracle_policy oracle_policies[];
/* NULL: no such label. */
const struct oracle_policy *oracle_policy_find(const char *label);

enum oracle_state { ORACLE_FINISHED, ORACLE_DROPPED, ORACLE_ABORTED, ORACLE_UNFINISHED };

struct oracle_job {
	uint32_t task, seq;
	int64_t release, deadline; /* absolute */
	int64_t first_start;       /* -1: never started */
	int64_t finish;            /* when it ended, in any way; -1: unfinished at S */
	enum oracle_state state;
	bool missed;
};

/* With contexts a block has as many of these as it has parts. */
struct oracle_block {
	uint32_t task, seq, segment, block;
	uint32_t gpu;
	int32_t sm;         /* -1 in pool gpu */
	int64_t start, end; /* cut at S */
};

enum oracle_activity {
	ORACLE_RUN,
	ORACLE_SPIN,
	ORACLE_BOOST,
	ORACLE_COPY,
	ORACLE_LAUNCH,
	ORACLE_SWITCH,
	ORACLE_CALL,
	ORACLE_INTERRUPT, /* of the job's release; segment 0 */
	ORACLE_DECISION,  /* the job was the first that waited for it; segment 0 */
};

/* A contiguous stretch on the CPU or on a copy engine. */
struct oracle_interval {
	uint32_t task, seq, segment;
	enum oracle_activity activity;
	uint32_t gpu;       /* of copies */
	int32_t engine;     /* of copies; -1 elsewhere and with unlimited engines */
	int32_t core;       /* of all but copies; -1 of those */
	int64_t ready;      /* when the segment became ready; of an interrupt: its start */
	int64_t start, end; /* cut at S */
};

/* A policy considered this number of SMs for a unit. */
struct oracle_decision {
	int64_t time, asked;
	uint32_t task, seq, segment, gpu, sms;
	int64_t kernel_end; /* predicted; ORACLE_CHOOSING: of the section */
	int64_t energy;     /* predicted, uW * ns from `time` to `kernel_end` */
	bool feasible, chosen;
};

/* A process had the GPU, or the GPU was switched to it. */
struct oracle_turn {
	uint32_t task; /* the first of the process */
	bool switches;
	int64_t start, end; /* cut at S */
};

/* Ages or reactions of a chain; the last two are the jobs of the first and the last task of the first with
 * the greatest. */
struct oracle_figure {
	uint64_t count;
	int64_t least, greatest; /* if count > 0 */
	int128 sum;
	uint32_t first_job, last_job;
};

struct oracle_chain {
	struct oracle_figure age, reaction;
};

struct oracle_result {
	struct oracle_job *jobs; /* by task, then seq */
	size_t job_count;
	struct oracle_block *blocks; /* in the order of placing */
	size_t block_count;
	struct oracle_interval *intervals; /* in the order of starting */
	size_t interval_count;
	struct oracle_decision *decisions; /* by instant */
	size_t decision_count;
	struct oracle_turn *turns; /* in their order */
	size_t turn_count;
	struct oracle_chain *chains; /* in the order of the set */
	size_t chain_count;
	int64_t end; /* S */
	size_t misses;
	bool truncated; /* a drained run stopped by its limit */
	int128 energy;  /* uW * ns over [0, max(horizon, S)) */
};

/* The set must be valid on the platform (models/taskset.h), with the lengths of copies filled in. allocation:
 * NULL if the policy grants nothing beforehand. Never returns NULL: without memory the test program ends. */
struct oracle_result *oracle_run(const struct taskset *set, const struct platform *platform,
	const struct run_setup *setup, const struct oracle_policy *policy,
	const struct oracle_allocation *allocation);
void oracle_result_free(struct oracle_result *result); /* accepts NULL */

/* Makes space for one more element after `count`; ends the program if there is no memory. */
void *oracle_grow(void *array, size_t count, size_t size);

#endif
