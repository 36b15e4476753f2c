/* analysis/stgm.h - STGM: static sets of SMs per task, tasks that busy-wait (Saha, Xiang, Kim,
 * "STGM: Spatio-Temporal GPU Management for Real-Time Tasks", RTCSA 2019).
 *
 * A reconstruction from what STGM's abstract and the papers that compare with it say (Wang, Karimi, Xiang,
 * Kim, sBEET, RTSS 2021; Zou et al., RTGPU, TPDS 2023): first the least SMs with which each task alone meets
 * its deadline, then one SM more, again and again, for the task whose utilisation falls most, until the test
 * accepts. The response-time test is ours; analysis/stgm_test.c argues why it holds. Pure functions of (task
 * set, platform, priorities, options). */
#ifndef CEGSIM_ANALYSIS_STGM_H
#define CEGSIM_ANALYSIS_STGM_H

#include "analysis/chain.h"
#include "analysis/verdict.h"
#include "base/arena.h"
#include "models/policy.h"

enum stgm_test {
	STGM_RESPONSE_TIME, /* busy-waiting fixed priority on one core */
	STGM_UTILISATION,   /* sBEET's evaluation: sum G_i(s_i) / T_i <= 1, else all run under `rm` */
};

/* Two readings of sBEET's "total utilisation <= 1.0". Both first demand that the sum of the mean utilisations
 * over m = 1 .. M SMs is at most 1, also for a given allocation. Then FULL adds SMs until the sum of G_i(s_i)
 * / T_i <= 1, or demands that of the given ones; STGM_UTILISATION_MEAN_ONLY keeps the least SMs, or the given
 * ones. */
enum stgm_utilisation { STGM_UTILISATION_FULL, STGM_UTILISATION_MEAN_ONLY };

enum stgm_blocking {
	STGM_BLOCKING_SAFE,     /* a whole GPU section of every lower task */
	STGM_BLOCKING_TEXTBOOK, /* one copy of one lower task: UNSAFE, kept to show that it is */
	STGM_BLOCKING_NONE,     /* copies do not contend */
};

struct stgm_options {
	enum stgm_test test;
	enum stgm_utilisation utilisation;
	enum stgm_blocking blocking;
	bool exclusive; /* no SM belongs to two tasks */
};

/* ---- A policy's plan: one call ---- */

struct stgm_request {
	struct stgm_options options;
	const uint32_t *given; /* [tasks] numbers of SMs, 0 for tasks without kernels; NULL: search */
	bool admit_any;        /* allocate even if the test refuses the set */
};

struct stgm_allocation {
	struct verdict verdict; /* the test's verdict, with the first task that fails, if it is one task; also
				   set if the set runs in spite of it */
	bool refused;           /* there is no allocation below; the set is not to be run */
	bool fallback;          /* STGM_UTILISATION refuses: the set is to be run as `rm`, `unit: section`; no
				   allocation below */
	uint32_t virtual_sms;   /* V_SM: the platform's, else 1 */
	uint32_t *sms;          /* [tasks] physical SMs; 0: no kernels */
	struct grant *grants;   /* [tasks]: whole SMs, ascending; count 0 for tasks without kernels */
	uint32_t *group; /* [tasks]: tasks whose SM sets share SMs, directly or through other tasks, have the
			    same number, 0 .. groups - 1; UINT32_MAX for tasks without kernels */
	uint32_t groups;
};

/* rank[task]: 0 the highest (taskset_ranks; rate monotonic for STGM_UTILISATION). SM ids: exclusive, one
 * after the other by priority; else by priority the s_i SMs with the least utilisation G_j(s_j) / T_j so far,
 * ties to the lowest. With admit_any, a set that the test refuses keeps the given allocation, else the last
 * one tried (the least, if the mean utilisation fails). If exclusive sets cannot even hold the least, SMs are
 * given as by rtgpu_allocate. A task for which no number of SMs is enough gets all, or its share. Refused
 * even so: exclusive with fewer SMs than tasks, kernels without a time, `pool: gpu`. Without admit_any
 * STGM_UTILISATION falls back instead of refusing. False: out of memory, or `given` is not an allocation
 * (STATUS_INPUT). */
MUST_CHECK bool stgm_allocate(const struct platform *platform, const struct taskset *set,
	const uint32_t *rank, const struct stgm_request *request, struct arena *arena,
	struct stgm_allocation *allocation, struct error *err);

/* ---- Bounds for a given allocation ---- */

/* own + copy + gpu + blocking + the sum of interference = response. */
struct stgm_bound {
	bool analysed;
	bool assumed;     /* others rest on its keeping its deadline: it needs no core, has no bound within
			     its period, and blocks higher tasks with every job */
	int64_t response; /* least fixed point, also above the deadline, or NO_BOUND */
	int64_t own, copy, gpu; /* worst cases of the task's own segments */
	int64_t blocking;       /* copies, and kernels on shared SMs, of lower tasks */
	int64_t *interference;  /* [tasks] */
};

struct stgm_bounds {
	struct stgm_bound *task; /* [tasks] */
	struct verdict verdict;
};

/* The response-time test, whatever options->test says. sms[task] physical SMs; their ids follow from
 * options->exclusive as in stgm_allocate. Lower tasks without a CPU segment are assumed to end
 * within their periods; where that is not shown, `assumed` says so. False: out of memory. */
MUST_CHECK bool stgm_analyse(const struct platform *platform, const struct taskset *set, const uint32_t *rank,
	const struct stgm_options *options, const uint32_t *sms, struct arena *arena,
	struct stgm_bounds *bounds, struct error *err);

#endif
