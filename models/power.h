/* models/power.h - power over time, its exact integral, and each task's part of it, computed from the trace
 * alone (sBEET eq. 1-5; docs/model.md, "Power and energy").
 *
 * An observer of one GPU: it follows which blocks are on which SM. Power is integer microwatts, energy
 * integer microwatt-nanoseconds in 128 bits, so the integral is exact. The dynamic power of an SM is
 * divided among the kernels on it into integers, so that at the end, to the last digit,
 *
 *     energy = static power * window + idle power * (SMs * active_ns - sm_active_ns)
 *            + sum of power_task_energy() over the tasks. */
#ifndef CEGSIM_MODELS_POWER_H
#define CEGSIM_MODELS_POWER_H

#include "base/arena.h"
#include "base/int128.h"
#include "models/platform.h"
#include "models/taskset.h"
#include "sim/trace.h"

/* A maximal interval of equal power and equal numbers of SMs. False stops the run. */
typedef bool power_interval_fn(void *self, int64_t start_ns, int64_t end_ns, int64_t power_uw,
	uint32_t active_sms, uint32_t idle_sms);

struct power_kernel {      /* the kernel of a task: at most one is on the GPU at a time, but for asynchronous
			    * ones, which have entries of their own in front of their task's */
	int64_t per_sm_uw; /* on one SM */
	int64_t correction_uw; /* P_d(m) less m times the power on one SM; added while it is alone on all its
				  m SMs */
	uint32_t sms;          /* m */
	uint32_t active, shared;   /* SMs with blocks of it; those of them on which other kernels are, too */
	int64_t dynamic_uw, since; /* what it takes now, and since when */
	int128 energy_uwns;        /* of the task, up to `since` */
};

struct power_sm {
	uint32_t kernels, blocks;
	uint32_t first; /* the lowest kernel on it */
	bool changed;   /* listed in power.changed_sms */
	uint64_t threads;
};

/* A task on an SM. */
struct power_share {
	uint32_t blocks;
	uint32_t next; /* the next higher kernel on that SM */
	uint64_t threads;
	int64_t dynamic_uw;
};

struct power {
	const struct platform *platform;
	const struct taskset *set;
	struct power_kernel *kernels; /* [kernel_count] */
	uint32_t kernel_count;
	uint32_t *first;            /* [tasks + 1] the kernels of each task; NULL: one each */
	struct power_sm *sms;       /* [sms]; pool gpu: [1] */
	struct power_share *shares; /* [sms][kernel_count] */
	uint32_t *changed_sms;      /* [sms] those whose power must be computed again */
	uint32_t changed_count;
	int64_t dynamic_uw; /* of all SMs */
	uint32_t active_sms;
	int64_t since, power_uw; /* beginning and power of the current interval */
	int64_t changed;         /* the instant of the last records */
	uint32_t shown_active;
	int128 energy_uwns;          /* up to `since`, as the next two are */
	int64_t active_ns;           /* time with an active SM */
	int128 sm_active_ns;         /* number of active SMs, integrated over time */
	power_interval_fn *interval; /* may be NULL */
	void *self;
};

/* True if any power of the platform or the set is not zero; else there is no energy to follow. */
bool power_given(const struct platform *platform, const struct taskset *set);

/* Finds kernels whose profile gives them negative dynamic power on some number of SMs: there the measured
 * power of the GPU is below its static and idle power. Where such a kernel shares the GPU, energies come out
 * too low. *most: the largest such number of SMs of any kernel; *task and *segment: the first kernel with it.
 * False: there is none. */
bool power_below_idle(const struct platform *platform, const struct taskset *set, uint32_t *task,
	uint32_t *segment, uint32_t *most);

#define POWER_WANTS (TRACE_BIT(TRACE_BLOCKS_START) | TRACE_BIT(TRACE_BLOCKS_END))

/* Follows the GPU that the platform is of (platform_gpu()). */
MUST_CHECK bool power_init(struct power *p, struct arena *arena, const struct platform *platform,
	const struct taskset *set, power_interval_fn *interval, void *self);
bool power_observe(void *power, const struct trace_record *records, size_t count);
/* Ends the last interval at end_ns. energy_uwns is then the energy over [0, end_ns). */
bool power_end(struct power *p, int64_t end_ns);
/* After power_end(): the dynamic energy of a task's kernels. Negative only for odd profiles. */
int128 power_task_energy(const struct power *p, uint32_t task);

#endif
