/* db/rows.h - the rows of a recording as plain C, one struct per table (db/schema.sql, docs/recording.md).
 *
 * Small tables: every number is an int64_t that is DB_NULL where the column is NULL, every text a string or
 * NULL; words must be those the schema lists. Bulk tables: packed structs, their rows are handed over as
 * arrays. `task` is always the task's index within its set; the writer turns it into the task_id of the
 * recording. */
#ifndef CEGSIM_DB_ROWS_H
#define CEGSIM_DB_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/int128.h"

#define DB_NULL INT64_MIN

/* How finely a run is recorded: the words of run.record. */
enum record_level { RECORD_SUMMARY, RECORD_JOBS, RECORD_SEGMENTS, RECORD_BLOCKS, RECORD_ISSUES };

struct scenario_row {
	const char *kind; /* scenario | campaign */
	const char *name; /* the file's name, without folders */
	const char *text; /* all of it */
	const char *tool_version;
	const char *overrides; /* JSON: what was given in place of what the text says; NULL: nothing */
};

struct platform_row {
	const char *name;
	int64_t cores, engines;                  /* engines 0: unlimited */
	int64_t copy_latency_ns, copy_bandwidth; /* bytes per second, or DB_NULL */
	const char *pool;                        /* sm | gpu */
	int64_t sms, sms_per_tpc;
	int64_t threads_per_sm, blocks_per_sm, warps_per_sm, registers_per_sm, shared_memory_per_sm,
		virtual_sms_per_sm; /* DB_NULL: not given */
	int64_t work_queues, pin_overhead_ns, static_uw, idle_per_sm_uw;
};

struct policy_row {
	const char *name;
	const char *params; /* canonical JSON */
	int64_t version;
};

struct task_row {
	uint32_t task;
	const char *name;
	int64_t period_ns, deadline_ns; /* DB_NULL: none */
	int64_t offset_ns;
	int64_t priority;         /* DB_NULL: the set has none */
	const char *release_kind; /* periodic | sporadic | trace; NULL: the run's rule */
	int64_t max_delay_ppm;    /* sporadic, else DB_NULL */
	int64_t trace_id;         /* trace: from writer_trace(), else DB_NULL */
};

struct segment_row {
	uint32_t task;
	int64_t segment_idx;
	const char *kind; /* cpu | copy | kernel */
	int64_t best_ns, worst_ns;
	int64_t stream;              /* >= 0; -1: the task's own; -2: the NULL stream; DB_NULL: cpu */
	const char *stream_priority; /* low | high */
	const char *direction;       /* to_gpu | to_cpu | both */
	int64_t bytes;
	const char *form; /* grid | work | profile | warps */
	int64_t grid_blocks, block_threads, registers, shared_memory, overhead_ns;
	const char *interleave; /* JSON: {"V_SM": [numerator, denominator], ...} */
	int64_t profile_idx, dynamic_uw;
};

/* What block `block` takes of a kernel whose blocks are not alike: a share, or a draw of its own. The
 * other is DB_NULL. */
struct segment_block_row {
	uint32_t task;
	int64_t segment_idx, block, share_ppm, best_ns, worst_ns;
};

struct profile_row {
	int64_t profile_idx;
	const char *name;
	int64_t sms, best_ns, worst_ns, total_power_uw;
};

/* Kernels that are programs of warps (models/warps/warp_set.h): how the SMs are made, one row for every unit,
 * kernel (task) and step of a program. */
struct warp_machine_row {
	int64_t clock_hz, sub_cores;
	int64_t shared_latency_cycles, l1_latency_cycles, l2_latency_cycles, dram_latency_cycles;
	int64_t dram_bytes_per_1000_cycles;
	int64_t shared_fj, global_fj, dram_byte_fj;
};

struct warp_unit_row {
	const char *unit;                                        /* int | fp | fp64 | sfu | tensor | memory */
	int64_t latency_cycles, interval_cycles, instruction_fj; /* memory: only the interval */
};

struct warp_kernel_row {
	uint32_t task;
	int64_t blocks, block_threads, registers, shared_memory;
	int64_t stream;              /* >= 0; -1: the kernel's own */
	const char *stream_priority; /* low | high */
	int64_t launch_cycle;
	int64_t period_cycles;                              /* DB_NULL: none */
	int64_t repeat;                                     /* 0 or 1 */
	const char *goal_kind;                              /* ipc | share | time; NULL: none */
	int64_t goal_ipc_ppm, goal_share_ppm, goal_time_ns; /* the one that the kind names, else DB_NULL */
};

struct warp_step_row {
	uint32_t task;
	int64_t step_idx;
	const char *kind; /* compute | load | store | shared_load | shared_store | barrier | loop */
	const char *unit; /* compute */
	int64_t count;    /* instructions, or rounds of a loop */
	int64_t body;     /* loop: steps of its body */
	int64_t threads, distance, first_distance;             /* not of loops */
	int64_t latency_cycles;                                /* compute; DB_NULL: the unit's */
	int64_t l1_hit_ppm, l2_hit_ppm, coalescing_ppm, bytes; /* global accesses */
};

/* A task set with all that belongs to it. */
struct taskset_row {
	const char *name;
	int64_t explicit_priorities;    /* 0 or 1 */
	int64_t target_utilisation_ppm; /* DB_NULL: none */
	const char *recipe;             /* the generator's parameters as JSON; NULL: written by hand */
	int64_t recipe_index;           /* number of the set within the recipe, or DB_NULL */
	const struct task_row *tasks;   /* [task_count]: task 0, 1, ... */
	size_t task_count;
	const struct segment_row *segments;
	size_t segment_count;
	const struct profile_row *profiles;
	size_t profile_count;
	const struct warp_machine_row *machine; /* NULL: no warps, and nothing of the following */
	const struct warp_unit_row *units;
	size_t unit_count;
	const struct warp_kernel_row *kernels;
	size_t kernel_count;
	const struct warp_step_row *steps;
	size_t step_count;
	const struct segment_block_row *blocks; /* by task, segment, block */
	size_t block_count;
};

struct trace_duration_row {
	int64_t seq, segment_idx, duration_ns;
};

/* A run: first how it is set up, then what came of it. The words are static strings. */
struct run_row {
	int64_t scenario_id, taskset_id, platform_id, policy_id;
	int64_t replication;
	int64_t seed; /* the 64 bits of the seed, as a signed number */
	int64_t set_number, horizon_ns;
	const char *stop_rule; /* drained | horizon */
	int64_t limit_ns;
	const char *release_kind;        /* periodic | sporadic | trace */
	int64_t max_delay_ppm, trace_id; /* DB_NULL unless sporadic, trace */
	const char *execution;           /* worst | best | uniform | scaled */
	int64_t scale_ppm;               /* DB_NULL unless scaled */
	const char *on_miss;             /* continue | drop | abort */
	const char *ties;                /* task-order | lower-first */
	const char *record;              /* summary | jobs | segments | blocks | issues */
	/* What came of it; DB_NULL where there is nothing to say (refused, error). */
	const char *status; /* ok | truncated | refused | error */
	const char *reason;
	int64_t failing_task;       /* index within the set, or DB_NULL */
	int64_t virtual_sms_per_sm; /* V_SM in force */
	int64_t stop_ns, window_ns;
	int64_t cycles; /* of the SMs' clock; DB_NULL: a run without warps */
	int64_t events, jobs, misses;
	int64_t energy_uj, energy_rest_uwns; /* energy_split() */
	int64_t gpu_active_ns, sm_active_ns; /* DB_NULL: nobody followed which SMs are active */
	const char *digest;                  /* of the schedule: 16 hexadecimal digits */
	int64_t wall_us;
	const char *events_digest;   /* what of `digest` does not stand in rows; 16 digits, too */
	const char *identity_digest; /* the writer's: not to be filled in */
};

/* Energy is uj * 10^9 + rest in uW*ns, 0 <= rest < 10^9; of either sign, and less than 2^92. */
static inline void energy_split(int128 energy_uwns, int64_t *uj, int64_t *rest_uwns)
{
	int64_t rest = (int64_t)(energy_uwns % 1000000000);
	*rest_uwns = rest < 0 ? rest + 1000000000 : rest;
	*uj = (int64_t)((energy_uwns - *rest_uwns) / 1000000000);
}

struct run_task_row {
	uint32_t task;
	int64_t rank, sms, virtual_sms;
	const char *sm_set; /* SM indices as JSON; NULL: none of its own */
	int64_t jobs, misses, responses;
	int64_t min_response_ns, mean_response_ns, max_response_ns, worst_lower_bound_ns;
	int64_t energy_uj, energy_rest_uwns; /* energy_split() of its dynamic energy */
};

/* A kernel of warps in a run (models/warps/records.h). */
struct run_warp_kernel_row {
	uint32_t task;
	int64_t warp_instructions, thread_instructions, cycles, ipc_ppm;
	int64_t goal_ppm;  /* DB_NULL: none */
	int64_t alone_ppm; /* DB_NULL: not measured */
	int64_t reached;   /* 0 or 1; DB_NULL: no goal */
	int64_t accesses, l1_hits, l2_hits, dram_bytes, swaps, energy_fj;
};

/* What an analysis says of a set under a policy. */
struct analysis_row {
	const char *analysis;
	const char *params; /* canonical JSON */
	const char *safety; /* sound | unsafe */
	int64_t version;
	int64_t taskset_id, platform_id, policy_id;
	const char *allocation; /* JSON: [{"sms":[0,1]},null,{"sms":[2],"virtual_sms":1}]; NULL: none */
	const char *verdict;    /* schedulable | unschedulable | refused | error */
	const char *reason;     /* NULL: schedulable */
	int64_t failing_task;   /* index within the set, or DB_NULL */
	int64_t wall_us;
	const char *identity_digest; /* the writer's: not to be filled in */
};

struct bound_row {
	uint32_t task;
	int64_t rank, bound_ns; /* bound_ns DB_NULL: none was found */
};

struct bound_part_row {
	uint32_t task;
	const char *part; /* own | copy | gpu | blocking | interference */
	int64_t by_task;  /* index within the set, or DB_NULL */
	int64_t amount_ns;
};

/* ---- Bulk rows ---- */

#define ROW_NONE UINT32_MAX /* a uint32_t that is NULL */

/* Numbered as in sim/trace.h. */
enum row_state { ROW_JOB_FINISHED, ROW_JOB_DROPPED, ROW_JOB_ABORTED, ROW_JOB_UNFINISHED };
enum row_resource { ROW_CPU, ROW_COPY, ROW_GPU };
enum row_kind { ROW_RUN, ROW_SPIN, ROW_BOOST };
enum row_ended { ROW_SPAN_DONE, ROW_SPAN_PREEMPTED, ROW_SPAN_ABORTED, ROW_SPAN_STOPPED };

struct job_row {
	int64_t release_ns;
	int64_t abs_deadline_ns; /* DB_NULL: none */
	int64_t first_start_ns;  /* -1: never */
	int64_t finish_ns;       /* when it ended, however; -1: unfinished */
	uint32_t task, seq;
	uint8_t outcome; /* job_outcome() */
};
static inline uint8_t job_outcome(enum row_state state, bool missed)
{
	return (uint8_t)((unsigned)state | (missed ? 4u : 0u));
}

struct segment_interval_row {
	int64_t ready_ns, start_ns, end_ns;
	uint32_t task, seq;
	uint32_t part;    /* 0, 1, ... of one segment of one job */
	uint32_t granted; /* kernels: SMs or virtual SMs granted; 0 is stored as NULL */
	uint16_t segment_idx, unit;
	uint8_t code; /* segment_interval_code() */
};
static inline uint8_t segment_interval_code(
	enum row_resource resource, enum row_kind kind, enum row_ended ended)
{
	return (uint8_t)((unsigned)resource | (unsigned)kind << 2 | (unsigned)ended << 4);
}

struct block_interval_row {
	int64_t start_ns, end_ns;
	uint32_t task, seq, block;
	uint32_t sm; /* ROW_NONE in pool gpu */
	uint32_t slot, threads;
	uint16_t segment_idx;
	uint8_t ended; /* enum row_ended */
};

struct power_interval_row {
	int64_t start_ns, end_ns, power_uw;
	uint32_t active_sms, idle_sms;
};

struct decision_row {
	int64_t time_ns, kernel_end_ns, predicted_uwns;
	uint32_t task, seq, sms;
	uint16_t segment_idx;
	uint8_t feasible, chosen;
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
	uint32_t sm, sub_core;
	int64_t cycles[ROW_SLOTS];
};

struct epoch_row {
	uint32_t epoch, task;
	int64_t start_cycle, end_cycle, warp_instructions, thread_instructions;
	int64_t adjusted_goal_ppm, history_ipc_ppm; /* negative: none */
	uint32_t blocks, swaps;
};

struct epoch_sm_row {
	uint32_t epoch, sm;
	int64_t cycles[ROW_SLOTS];
};

struct epoch_quota_row {
	uint32_t epoch, sm, task;
	uint32_t blocks, target; /* target ROW_NONE: none */
	uint32_t idle_sum, samples;
	int64_t quota; /* negative: none */
	int64_t counter_start, counter_end, added, warp_instructions, thread_instructions;
};

/* Numbered as in models/warps/records.h. */
enum row_level { ROW_LEVEL_NONE, ROW_LEVEL_SHARED, ROW_LEVEL_L1, ROW_LEVEL_L2, ROW_LEVEL_DRAM };

struct warp_issue_row {
	int64_t cycle;
	int64_t latency_cycles; /* negative: no result */
	uint32_t task, seq, block, number;
	uint16_t step_idx;
	uint16_t place; /* warp_place() */
	uint16_t code;  /* warp_issue_code() */
	uint8_t warp;
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
	int64_t jobs;
	uint32_t task;
	uint32_t bucket; /* response_bucket() */
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
