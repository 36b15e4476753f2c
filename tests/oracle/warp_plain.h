/* tests/oracle/warp_plain.h - docs/warps.md implemented a second time: every cycle, every phase, every SM,
 * every sub-core, every warp, one after the other, nothing skipped. It is slow on purpose. It shares no code
 * with models/warps/ except plain data, and with the rest only base/random.h. Without memory it calls
 * abort(): it is for tests. */
#ifndef CEGSIM_TESTS_ORACLE_WARP_PLAIN_H
#define CEGSIM_TESTS_ORACLE_WARP_PLAIN_H

#include "base/int128.h"
#include "models/setup.h"
#include "models/warps/options.h"
#include "models/warps/records.h"

#define PLAIN_ALL UINT32_MAX

struct plain_input {
	const struct platform *platform;
	const struct warp_set *set;
	const struct run_setup *setup;
	const struct warp_options *options;
	const int64_t *alone; /* IPC of each kernel alone, millionths; NULL: no goal is a share of it */
	uint32_t only;        /* the kernel that is launched alone, without a manager; or PLAIN_ALL */
};

struct plain_job_end {
	uint32_t kernel, job;
	int64_t release, end; /* cycles; end: of the run, if the job did not finish */
	int64_t first;        /* start of the first block; -1: none was placed */
	bool finished;
};

/* A part of a job, from its first block's start on. */
struct plain_span {
	uint32_t kernel, job, part;
	int64_t ready, start, end, done; /* cycles; number of blocks that ended */
	bool finished;
};

enum plain_how { PLAIN_DONE, PLAIN_SWAPPED, PLAIN_STOPPED };

/* The stay of a block on an SM. */
struct plain_stay {
	uint32_t kernel, job, part, block, sm;
	int64_t start, end; /* when it was placed; when its SM was free of it */
	enum plain_how how;
};

/* How often each kind of event happened. A test of random cases wants to have seen every kind. */
struct plain_counts {
	uint64_t held;  /* cycles of a sub-core in which only the manager prevented an issue */
	uint64_t added; /* quota that was added between two epochs */
	uint64_t raised, raised_by_victim, victims[3]; /* targets; victims by the kind of reason */
	uint64_t swapped_out, swapped_in, moved;       /* moved: came back on another SM */
	uint64_t transfers;                            /* contexts that took time */
	uint64_t exchanges_short, exchanges_spare, climbing_stopped, climbing_again;
	uint64_t level[LEVEL_DRAM + 1];
	uint64_t queued;       /* accesses to DRAM that had to wait for the server */
	uint64_t early_epochs; /* begun by a launch */
	uint64_t barriers_waited, unit_busy, scheduler_idle;
	uint64_t stream_waited;                /* jobs released before their stream was free */
	uint64_t groups_changed;               /* qaws: times that another group became the preferred one */
	uint64_t rounds_taken, rounds_refused; /* out of pools */
	uint64_t reused, pushed_out;           /* by loads with `reuse` */
	uint64_t reused_in_l2, pushed_out_of_l2;
	uint64_t loads_refused;     /* cycles of a sub-core that waited for a unit while the SM took none */
	uint64_t parts, parts_anew; /* begun behind another; of blocks that take something else */
	uint64_t targets_anew;      /* that such a part changed */
};

#define PLAIN_LIST(type, name)                                                                               \
	struct {                                                                                             \
		type *row;                                                                                   \
		size_t count, room;                                                                          \
	} name

struct plain_result {
	PLAIN_LIST(struct warp_issue, issues);
	PLAIN_LIST(struct plain_job_end, jobs);
	PLAIN_LIST(struct plain_stay, stays);
	PLAIN_LIST(struct plain_span, spans);
	PLAIN_LIST(struct warp_epoch, epochs);
	PLAIN_LIST(struct warp_epoch_sm, sms);
	PLAIN_LIST(struct warp_epoch_quota, quotas);
	int64_t cycles; /* S */
	bool truncated;
	struct warp_kernel_result kernel[WARP_KERNELS_MAX];
	int64_t *slots; /* [(sm * sub_cores + sub_core) * WARP_SLOTS + slot] */
	int128 energy_fj;
	struct plain_counts counts;
	uint64_t digest; /* of instructions and jobs; the engine's only */
};

/* floor(cycle * 10^9 / clock) and floor(ns * clock / 10^9). */
int64_t plain_ns(const struct warp_machine *m, int64_t cycle);
int64_t plain_cycles(const struct warp_machine *m, int64_t ns);

struct plain_result *plain_run(const struct plain_input *input);
void plain_result_free(struct plain_result *r); /* accepts NULL */

/* IPC of one kernel alone, millionths. */
int64_t plain_ipc_alone(const struct plain_input *input, uint32_t kernel);

#endif
