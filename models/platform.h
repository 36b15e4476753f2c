/* models/platform.h - the machine: CPU cores, copy engines, a pool of SMs; or several GPUs. Plain data;
 * docs/model.md explains each number. */
#ifndef CEGSIM_MODELS_PLATFORM_H
#define CEGSIM_MODELS_PLATFORM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/limits.h"
#include "base/words.h"

#define WARP_THREADS 32u
#define PLATFORM_MAX_SMS 4096u
#define PLATFORM_MAX_CORES 1024u
#define ENGINES_UNLIMITED 0u
#define PLATFORM_MAX_GPUS GPUS_MOST

#define POOL_WORDS(WORD) WORD(POOL_SM, "sm") WORD(POOL_GPU, "gpu")
enum pool { POOL_WORDS(WORD_VALUE) };
WORDS(pool, POOL_WORDS)

/* How several cores are shared: each task has one; or any job runs on any (docs/model.md, "Cores"). */
#define CORE_SCHEDULING_WORDS(WORD) WORD(CORES_PARTITIONED, "partitioned") WORD(CORES_GLOBAL, "global")
enum core_scheduling { CORE_SCHEDULING_WORDS(WORD_VALUE) };
WORDS(core_scheduling, CORE_SCHEDULING_WORDS)

/* alpha of RTGPU Lemma 5.1 for a number of virtual SMs per SM, as an exact ratio. */
struct interleave {
	uint32_t virtual_sms; /* V_SM, >= 2 */
	int64_t numerator, denominator;
};

/* Divisions of an SM's memory between L1 cache and shared memory (Volta and later): the amounts of shared
 * memory that it can have, ascending. While blocks are on an SM, its division stays (docs/model.md,
 * "Carve-out"). */
#define PLATFORM_MAX_DIVISIONS 16
struct divisions {
	uint32_t count; /* 0: an SM always has all of its shared memory */
	int64_t bytes[PLATFORM_MAX_DIVISIONS];
};

/* What a real platform takes beside the work itself; 0: nothing (docs/model.md, "Overheads"). */
struct overheads {
	int64_t launch_ns;  /* CPU work before an operation is issued */
	int64_t latency_ns; /* from an operation's issue until it may be eligible */
	int64_t gap_ns;     /* from the end of an operation until the next of its hardware queue may be */
	int64_t sync_ns;    /* from the end of a GPU section until what follows is ready */
	int64_t switch_ns;  /* of a core, to another job */
	int64_t release_ns; /* of a core, at each release */
};

/* Contexts of processes that share the GPU (docs/model.md, "Contexts"). */
#define TIMESLICE_DEFAULT_NS 1024000 /* of NVIDIA's Tegra driver (GCAPS, section 2) */
struct context_times {
	int64_t timeslice_ns; /* 0: not given, and so the default */
	int64_t switch_ns;    /* for which nothing runs when another context is loaded */
	int64_t reset_ns;     /* for which nothing runs when what ran is lost */
};

static inline int64_t context_timeslice(const struct context_times *c)
{
	return c->timeslice_ns ? c->timeslice_ns : TIMESLICE_DEFAULT_NS;
}

struct platform {
	char name[64];
	uint32_t cores; /* 1 .. PLATFORM_MAX_CORES */
	enum core_scheduling scheduling;
	/* Copy engines. */
	uint32_t engines; /* 1, 2, or ENGINES_UNLIMITED */
	int64_t copy_latency_ns;
	int64_t copy_bandwidth; /* bytes per second; 0: not given */
	/* GPU. A limit of 0 was not given and does not apply. */
	enum pool pool;
	uint32_t sms;         /* 1 .. PLATFORM_MAX_SMS; 0: no GPU */
	uint32_t sms_per_tpc; /* 1, or 2: ties go to even SMs first */
	uint32_t threads_per_sm, blocks_per_sm, warps_per_sm;
	int64_t registers_per_sm, shared_memory_per_sm;
	uint32_t threads_per_block; /* of a grid: b_lim of Yang & Anderson. Checked only: no run depends on it
				     */
	struct divisions divisions; /* the last is shared_memory_per_sm */
	uint32_t virtual_sms_per_sm; /* V_SM; 0: not given */
	uint32_t work_queues;        /* hardware queues, default 32 */
	uint32_t resident_kernels;   /* entries of the task table; 0: as many as there are kernels */
	int64_t pin_overhead_ns;     /* of each block of `work`, besides Lemma 5.1 */
	int64_t preemption_delay_ns; /* of an SM that a high kernel takes from a low one; pool sm */
	struct context_times contexts;
	/* Power, integer microwatts (sBEET eq. 1-5). */
	int64_t static_uw, idle_per_sm_uw;
	struct overheads overheads;
	/* Several GPUs (docs/model.md, "Several GPUs"). What is said above of copy engines, SMs and power is
	 * that of GPU 0. Each of the others is a platform with that GPU in the place of GPU 0, and the same
	 * cores and overheads: what asks about one GPU is given platform_gpu(). */
	uint32_t gpu;                  /* the number of the GPU above: 0, but in `others` */
	uint32_t gpu_count;            /* 0 and 1: one */
	const struct platform *others; /* [gpu_count - 1]; NULL: one */
};

static inline uint32_t platform_gpus(const struct platform *p)
{
	return p->gpu_count > 1 ? p->gpu_count : 1;
}

/* The platform as GPU `gpu`, below platform_gpus(), sees it. */
static inline const struct platform *platform_gpu(const struct platform *p, uint32_t gpu)
{
	return gpu == 0 ? p : &p->others[gpu - 1];
}

/* V_SM where no policy chose one: the platform's, else 1. */
static inline uint32_t platform_virtual_sms(const struct platform *p)
{
	return p->virtual_sms_per_sm ? p->virtual_sms_per_sm : 1;
}

/* Whether several cores are shared by all jobs; with one core there is no difference. */
static inline bool platform_global(const struct platform *p)
{
	return p->cores > 1 && p->scheduling == CORES_GLOBAL;
}

static inline bool platform_overheads(const struct platform *p)
{
	const struct overheads *o = &p->overheads;
	return (o->launch_ns | o->latency_ns | o->gap_ns | o->sync_ns | o->switch_ns | o->release_ns) != 0;
}

/* A platform with every default: one core, one engine, no GPU, no power. */
struct platform platform_default(void);

#endif
