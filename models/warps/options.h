/* models/warps/options.h - how warps are scheduled: the options of a warp scheduler and of its manager, read
 * from the parameters of a policy (docs/warps.md). */
#ifndef CEGSIM_MODELS_WARPS_OPTIONS_H
#define CEGSIM_MODELS_WARPS_OPTIONS_H

#include "models/params.h"
#include "models/warps/warp_set.h"

#define SCHEDULER_WORDS(WORD)                                                                                \
	WORD(SCHEDULE_LRR, "lrr")                                                                            \
	WORD(SCHEDULE_GTO, "gto")                                                                            \
	WORD(SCHEDULE_OLDEST, "oldest")                                                                      \
	WORD(SCHEDULE_TWO_LEVEL, "two-level") WORD(SCHEDULE_QAWS, "qaws")
enum warp_scheduler_kind { SCHEDULER_WORDS(WORD_VALUE) WARP_SCHEDULERS };
WORDS(warp_scheduler_kind, SCHEDULER_WORDS)

#define MANAGER_WORDS(WORD)                                                                                  \
	WORD(MANAGER_SMK, "smk")                                                                             \
	WORD(MANAGER_NAIVE, "naive")                                                                         \
	WORD(MANAGER_HISTORY, "history")                                                                     \
	WORD(MANAGER_ELASTIC, "elastic")                                                                     \
	WORD(MANAGER_ROLLOVER, "rollover")                                                                   \
	WORD(MANAGER_ROLLOVER_TIME, "rollover-time") WORD(MANAGER_SPART, "spart")
enum warp_manager { MANAGER_WORDS(WORD_VALUE) WARP_MANAGERS };
WORDS(warp_manager, MANAGER_WORDS)

/* The choices of option `manager`: "smk|naive|..." */
#define WARP_MANAGER_CHOICE(value, word) "|" word
#define WARP_MANAGER_CHOICES &(MANAGER_WORDS(WARP_MANAGER_CHOICE))[1]

enum warp_block_targets { BLOCKS_EVEN, BLOCKS_FILL };

struct warp_options {
	enum warp_scheduler_kind scheduler;
	bool rotate_cycle;                /* lrr: after every cycle */
	uint32_t active;                  /* two-level: warps in the active set */
	bool inner_gto;                   /* two-level: greedy, then the oldest, among these */
	int64_t budget[WARP_KERNELS_MAX]; /* qaws: >= 1 */
	enum warp_manager manager;
	enum warp_block_targets blocks;
	int64_t epoch;         /* cycles */
	int64_t epoch_cost;    /* cycles for which nobody issues when one begins: < epoch */
	uint32_t samples;      /* of idle warps in an epoch */
	int64_t adjust_margin; /* ppm of the goal, by which a kernel must be below it to get a block */
	bool history, adjust, free_swaps;
};

/* Options that every warp scheduler has, for the option tables in policies/warp_schedulers.c. */
#define WARP_OPTIONS_COMMON                                                                                  \
	{"manager", OPTION_CHOICE, WARP_MANAGER_CHOICES, 0, 0, "smk", "what keeps kernels to their goals"},  \
		{"blocks", OPTION_CHOICE, "even|fill", 0, 0, "even",                                         \
			"how many blocks of a kernel an SM may have"},                                       \
		{"epoch", OPTION_INTEGER, NULL, 1, WARP_EPOCH_MAX, "10000",                                  \
			"cycles between two looks of the manager"},                                          \
		{"epoch_cost", OPTION_INTEGER, NULL, 0, WARP_EPOCH_MAX, "0",                                 \
			"cycles for which SMs wait for new quotas"},                                         \
		{"samples", OPTION_INTEGER, NULL, 1, 1000000, "100",                                         \
			"of the number of idle warps in an epoch"},                                          \
		{"history", OPTION_BOOL, NULL, 0, 0, "true", "quotas make up for what was missed (alpha)"},  \
		{"adjust", OPTION_BOOL, NULL, 0, 0, "true",                                                  \
			"kernels below their goal get blocks of others"},                                    \
		{"adjust_margin", OPTION_RATIO, NULL, 0, 999999, "0%",                                       \
			"how far below, of the goal, a kernel must be for that"},                            \
	{                                                                                                    \
		"swap", OPTION_CHOICE, "memory|free", 0, 0, "memory",                                        \
			"what saving and loading a block's context costs"                                    \
	}

/* Reads parameters that have the options above, and the scheduler's own. False, STATUS_INPUT: they do not fit
 * the set (a manager and no goal, spart and too few SMs, more budgets than kernels). */
MUST_CHECK bool warp_options_read(enum warp_scheduler_kind scheduler, const struct params *params,
	const struct warp_set *set, const struct platform *platform, struct warp_options *options,
	struct error *err);

#endif
