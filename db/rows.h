/* db/rows.h - the rows of a recording as plain C, one struct per table; db/columns_asked.h and
 * db/columns_ran.h list the members and what they mean (docs/recording.md).
 *
 * In small tables every number is an int64_t, which is DB_NULL if the column is NULL; every text is a string
 * or NULL; words must be those of db/words.h. Bulk tables have packed structs, and their rows are handed over
 * as arrays. `task` is always the task's index within its set; the writer turns it into the task_id of the
 * recording. */
#ifndef CEGSIM_DB_ROWS_H
#define CEGSIM_DB_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"
#include "base/words.h"
#include "db/columns.h"

#define DB_NULL INT64_MIN

/* The levels of recording: words_level (db/words.h). */
#define RECORD_WORDS(WORD)                                                                                   \
	WORD(RECORD_SUMMARY, "summary")                                                                      \
	WORD(RECORD_JOBS, "jobs")                                                                            \
	WORD(RECORD_SEGMENTS, "segments") WORD(RECORD_BLOCKS, "blocks") WORD(RECORD_ISSUES, "issues")
enum record_level { RECORD_WORDS(WORD_VALUE) };
WORDS(record_level, RECORD_WORDS)

struct scenario_row {
	ROW_MEMBERS(SCENARIO_COLUMNS)
};

struct platform_row {
	ROW_MEMBERS(PLATFORM_COLUMNS)
};

struct policy_row {
	ROW_MEMBERS(POLICY_COLUMNS)
};

struct task_row {
	ROW_MEMBERS(TASK_COLUMNS)
};

struct segment_row {
	ROW_MEMBERS(SEGMENT_COLUMNS)
};

/* The segments of a task of a campaign, packed (db/packed.h). */
struct task_segments_row {
	ROW_MEMBERS(TASK_SEGMENTS_COLUMNS)
};

/* The time of block `block` of a kernel whose blocks differ: a share of the draw, or a draw of its own. The
 * unused columns are DB_NULL. */
struct segment_sample_row {
	ROW_MEMBERS(SEGMENT_SAMPLE_COLUMNS)
};

struct segment_block_row {
	ROW_MEMBERS(SEGMENT_BLOCK_COLUMNS)
};

struct profile_row {
	ROW_MEMBERS(PROFILE_COLUMNS)
};

/* Kernels that are programs of warps (models/warps/warp_set.h): how SMs are made, with one row for every
 * unit, kernel (task) and step of a program. */
struct warp_machine_row {
	ROW_MEMBERS(WARP_MACHINE_COLUMNS)
};

struct warp_unit_row {
	ROW_MEMBERS(WARP_UNIT_COLUMNS)
};

struct warp_kernel_row {
	ROW_MEMBERS(WARP_KERNEL_COLUMNS)
};

struct warp_step_row {
	ROW_MEMBERS(WARP_STEP_COLUMNS)
};

/* Who releases whom; chains of tasks (models/taskset.h). */
struct task_after_row {
	ROW_MEMBERS(TASK_AFTER_COLUMNS)
};

struct chain_row {
	ROW_MEMBERS(CHAIN_COLUMNS)
};

struct chain_task_row {
	ROW_MEMBERS(CHAIN_TASK_COLUMNS)
};

/* A task set with all that belongs to it. */
struct taskset_row {
	ROW_MEMBERS(TASKSET_COLUMNS)
	const struct task_row *tasks;       /* [task_count]: task 0, 1, ... */
	const struct segment_row *segments; /* by task; segment_idx 0, 1, ... */
	size_t segment_count;
	const struct profile_row *profiles;
	size_t profile_count;
	const struct warp_machine_row *machine; /* NULL: no warps, and none of the following */
	const struct warp_unit_row *units;
	size_t unit_count;
	const struct warp_kernel_row *kernels;
	size_t kernel_count;
	const struct warp_step_row *steps;
	size_t step_count;
	const struct segment_block_row *blocks; /* by task, segment, block */
	size_t block_count;
	const struct segment_sample_row *samples; /* by task, segment, sample */
	size_t sample_count;
	const struct task_after_row *afters; /* by task, place */
	size_t after_count;
	const struct chain_row *chains; /* by chain_idx */
	size_t chain_count;
	const struct chain_task_row *chain_tasks; /* by chain_idx, stage */
	size_t chain_task_count;
};

struct trace_duration_row {
	ROW_MEMBERS(TRACE_DURATION_COLUMNS)
};

/* A run: first its setup, then its results. A result is DB_NULL if there is none (refused, error). The words
 * are static strings. failing_task is an index within the set. energy_split() makes energies. A digest has 16
 * hexadecimal digits. identity_digest is set by the writer. */
struct run_row {
	ROW_MEMBERS(RUN_COLUMNS)
};

/* Whether energy_split() can say it. */
static inline bool energy_fits(int128 energy_uwns)
{
	int128 most = (int128)INT64_MAX * 1000000000;
	return -most <= energy_uwns && energy_uwns <= most;
}

/* Energy is uj * 10^9 + rest in uW*ns, 0 <= rest < 10^9; of either sign. A part of an energy that fits need
 * not fit, as there are negative ones, too: then it is cut. */
static inline void energy_split(int128 energy_uwns, int64_t *uj, int64_t *rest_uwns)
{
	if (!energy_fits(energy_uwns))
		energy_uwns = (energy_uwns < 0 ? -1 : 1) * (int128)INT64_MAX * 1000000000;
	int64_t rest = (int64_t)(energy_uwns % 1000000000);
	*rest_uwns = rest < 0 ? rest + 1000000000 : rest;
	*uj = (int64_t)((energy_uwns - *rest_uwns) / 1000000000);
}

struct run_task_row {
	ROW_MEMBERS(RUN_TASK_COLUMNS)
};

struct run_gpu_row {
	ROW_MEMBERS(RUN_GPU_COLUMNS)
};

struct chain_run_row {
	ROW_MEMBERS(CHAIN_RUN_COLUMNS)
};

/* A kernel of warps in a run (models/warps/records.h). */
struct run_warp_kernel_row {
	ROW_MEMBERS(RUN_WARP_KERNEL_COLUMNS)
};

/* The result of an analysis of a set under a policy. identity_digest is set by the writer. */
struct analysis_row {
	ROW_MEMBERS(ANALYSIS_RUN_COLUMNS)
};

/* What was asked about every set of a campaign; analysis NULL: runs, and then params and safety, too. */
struct question_row {
	ROW_MEMBERS(QUESTION_COLUMNS)
};

struct grid_point_row {
	ROW_MEMBERS(GRID_POINT_COLUMNS)
};

struct verdict_row {
	ROW_MEMBERS(VERDICT_COLUMNS)
};

struct bound_row {
	ROW_MEMBERS(BOUND_COLUMNS)
};

struct bound_part_row {
	ROW_MEMBERS(BOUND_PART_COLUMNS)
};

struct chain_bound_row {
	ROW_MEMBERS(CHAIN_BOUND_COLUMNS)
};

/* ---- Bulk rows ---- */

#define ROW_NONE UINT32_MAX /* a uint32_t that is NULL */

/* Numbered as in sim/trace.h. */
enum row_state { ROW_JOB_FINISHED, ROW_JOB_DROPPED, ROW_JOB_ABORTED, ROW_JOB_UNFINISHED };
enum row_resource { ROW_CPU, ROW_COPY, ROW_GPU };
enum row_kind { ROW_RUN, ROW_SPIN, ROW_BOOST, ROW_LAUNCH, ROW_SWITCH, ROW_RELEASE, ROW_CALL, ROW_DECISION };
enum row_ended { ROW_SPAN_DONE, ROW_SPAN_PREEMPTED, ROW_SPAN_ABORTED, ROW_SPAN_STOPPED, ROW_SPAN_RESET };

struct job_row {
	ROW_MEMBERS_WIDEST_FIRST(JOB_COLUMNS)
};
static inline uint8_t job_outcome(enum row_state state, bool missed)
{
	return (uint8_t)((unsigned)state | (missed ? 4u : 0u));
}

struct segment_interval_row {
	ROW_MEMBERS_WIDEST_FIRST(SEGMENT_INTERVAL_COLUMNS)
};
static inline uint8_t segment_interval_code(
	enum row_resource resource, enum row_kind kind, enum row_ended ended)
{
	/* Two bits for the kinds that recordings have always had; the rest share the fourth value of them.
	 * Two for the ends; a reset, of what runs only, takes the bit behind them. There was no more room for
	 * decisions, which are beside boosted jobs. */
	bool decision = kind == ROW_DECISION;
	unsigned first = decision ? ROW_BOOST : kind < ROW_LAUNCH ? kind : ROW_LAUNCH;
	unsigned rest = decision ? 2 : kind - first;
	return (uint8_t)((unsigned)resource | first << 2 | (unsigned)ended << 4 | rest << 6);
}

struct block_interval_row {
	ROW_MEMBERS_WIDEST_FIRST(BLOCK_INTERVAL_COLUMNS)
};

struct context_interval_row {
	ROW_MEMBERS_WIDEST_FIRST(CONTEXT_INTERVAL_COLUMNS)
};

struct power_interval_row {
	ROW_MEMBERS_WIDEST_FIRST(POWER_INTERVAL_COLUMNS)
};

struct decision_row {
	ROW_MEMBERS_WIDEST_FIRST(DECISION_COLUMNS)
};

/* A segment of a job on a real machine. */
struct measured_row {
	ROW_MEMBERS(MEASURED_COLUMNS)
};

/* Numbered as in models/warps/records.h. */
enum row_slot {
	ROW_SLOT_ISSUED,
	ROW_SLOT_EMPTY,
	ROW_SLOT_QUOTA,
	ROW_SLOT_UNIT,
	ROW_SLOT_SCHEDULER,
	ROW_SLOT_MEMORY,
	ROW_SLOT_DEPENDENCE,
	ROW_SLOT_BARRIER,
	ROW_SLOT_SWAP,
	ROW_SLOT_ENDING,
	ROW_SLOTS
};

struct run_sub_core_row {
	ROW_MEMBERS_AND_CYCLES(RUN_SUB_CORE_COLUMNS)
};

struct epoch_row {
	ROW_MEMBERS(EPOCH_COLUMNS)
};

struct epoch_sm_row {
	ROW_MEMBERS_AND_CYCLES(EPOCH_SM_COLUMNS)
};

struct epoch_quota_row {
	ROW_MEMBERS(EPOCH_QUOTA_COLUMNS)
};

/* Numbered as in models/warps/records.h. */
enum row_level { ROW_LEVEL_NONE, ROW_LEVEL_SHARED, ROW_LEVEL_L1, ROW_LEVEL_L2, ROW_LEVEL_DRAM };

struct warp_issue_row {
	ROW_MEMBERS_WIDEST_FIRST(WARP_ISSUE_COLUMNS)
};
/* sm < 8192, sub_core < 8; threads <= 32. */
static inline uint16_t warp_place(uint32_t sm, uint32_t sub_core)
{
	return (uint16_t)(sm << 3 | sub_core);
}
static inline uint16_t warp_issue_code(uint32_t threads, enum row_level level)
{
	return (uint16_t)(threads | (uint32_t)level << 6);
}

struct hist_row {
	ROW_MEMBERS_WIDEST_FIRST(RUN_TASK_HIST_COLUMNS)
};

/* Log-linear bucket of a response >= 0: 16 to every power of two, exact below 32 ns. */
static inline uint32_t response_bucket(int64_t response_ns)
{
	if (response_ns < 16)
		return (uint32_t)response_ns;
	unsigned exponent = 59u - (unsigned)__builtin_clzll((unsigned long long)response_ns);
	return exponent * 16u + (uint32_t)(response_ns >> exponent);
}

#endif
