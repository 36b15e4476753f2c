/* models/power.h - power over time and its exact integral, from the trace alone (sBEET eq. 1-5;
 * docs/model.md, "Power and energy").
 *
 * An observer: it follows which blocks are on which SM. Power is integer microwatts, energy
 * integer microwatt-nanoseconds in 128 bits, so the integral is exact. */
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

struct power_kernel {
	int64_t per_sm_uw, whole_uw;       /* on one SM; on all m of them, exactly */
	uint32_t sms;             /* m */
	uint32_t active, shared;  /* SMs with blocks of it; those of them that others use, too */
	uint64_t threads;         /* pool gpu: in use */
};

struct power_sm {
	uint32_t kernels, blocks;
	uint64_t threads;
	uint64_t tasks;           /* sum of the tasks on it: the one task, if there is one */
	int128 by_threads, by_blocks;    /* per-SM powers, weighted */
	int64_t dynamic_uw;
};

struct power {
	const struct platform *platform;
	const struct taskset *set;
	struct power_kernel *kernels;      /* [tasks] */
	struct power_sm *sms;     /* [sms]; pool gpu: [1] */
	uint32_t *on_sm;          /* [tasks][sms] blocks */
	int64_t dynamic_uw;       /* of all SMs */
	uint32_t active_sms;
	int64_t since, power_uw;  /* the interval that is going on began then */
	int64_t changed;          /* the instant of the last records */
	uint32_t shown_active;
	int128 energy_uwns;     /* up to `since` */
	power_interval_fn *interval;       /* may be NULL */
	void *self;
};

/* True if any power of the platform or the set is not zero: otherwise there is nothing to follow. */
bool power_given(const struct platform *platform, const struct taskset *set);

#define POWER_WANTS (TRACE_BIT(TRACE_BLOCKS_START) | TRACE_BIT(TRACE_BLOCKS_END))

MUST_CHECK bool power_init(struct power *p, struct arena *arena, const struct platform *platform,
	const struct taskset *set, power_interval_fn *interval, void *self);
bool power_observe(void *power, const struct trace_record *records, size_t count);
/* Ends the last interval at end_ns. energy_uwns is then the energy over [0, end_ns). */
bool power_end(struct power *p, int64_t end_ns);

#endif
