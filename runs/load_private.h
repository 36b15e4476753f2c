/* runs/load_private.h - shared by the files that read a recorded run. */
#ifndef CEGSIM_RUNS_LOAD_PRIVATE_H
#define CEGSIM_RUNS_LOAD_PRIVATE_H

#include "models/warps/warp_set.h"
#include "runs/load.h"

/* What is being read, for the functions that handle one row each. */
struct loading {
	struct db_reader *reader;
	struct loaded_run *run;
	int64_t taskset_id;
	struct error *err;
	struct task *task; /* the task whose segments are read */
	struct segment *segment;
	struct release_rule *rule;
	struct platform *gpus;      /* the others of the platform */
	struct warp_kernel *kernel; /* the kernel whose steps are read */
	struct warp_machine inside; /* of kernels of tasks that are programs: their SMs, */
	int inside_scheduler;       /* enum warp_scheduler_kind */
};

typedef bool row_fn(struct loading *l, struct db_cursor *c);

/* Calls fn for every row of a query with one or two integer parameters. Returns the number of rows; -1:
 * failed. */
int64_t load_each(struct loading *l, const char *sql, int64_t first, int64_t second, row_fn *fn);
bool load_no_memory(struct loading *l);                 /* always false */
bool load_damaged(struct loading *l, const char *what); /* the same */
struct arena *load_arena(struct loading *l);
/* The value of the column's word; 0 if it is NULL. `named`: a function made by WORDS (base/words.h). */
int load_word(struct db_cursor *c, int column, int (*named)(const char *word));

/* Lists in JSON are counted as json_each() counts them, which gives their values. json_array_length() is 0
 * for an object, which may stand there in a file that others have changed. */

/* The segment named by columns 0 and 1, task and segment; NULL, with the error: it is not of this set. */
struct segment *load_segment_of(struct loading *l, struct db_cursor *c);

/* Reads the overheads; how cores are shared; the divisions of the memory of SMs, and what kernels want of
 * them. */
MUST_CHECK bool load_overheads(struct loading *l, int64_t platform_id);
MUST_CHECK bool load_scheduling(struct loading *l, int64_t platform_id);
/* And of each task its core. */
MUST_CHECK bool load_cores(struct loading *l, int64_t taskset_id);
MUST_CHECK bool load_divisions(struct loading *l, int64_t platform_id);
MUST_CHECK bool load_carveouts(struct loading *l, int64_t taskset_id);
/* What policies with contexts ask for, of the platform and of the set. */
MUST_CHECK bool load_context_times(struct loading *l, int64_t platform_id);
MUST_CHECK bool load_contexts(struct loading *l, int64_t taskset_id);

/* What a row says of a GPU in columns 0 and 2 .. 17: name; engines to idle_per_sm, in the order of the table
 * platform. The name is not NULL, nor is the pool (column 5). */
MUST_CHECK bool load_gpu(struct loading *l, struct db_cursor *c, struct platform *p);
/* The GPUs behind the first; and on which GPU each segment is. */
MUST_CHECK bool load_gpus(struct loading *l, int64_t platform_id);
MUST_CHECK bool load_gpu_segments(struct loading *l, int64_t taskset_id);
/* How many kernels the GPU holds, and the SMs to which kernels are confined. */
MUST_CHECK bool load_resident_kernels(struct loading *l, int64_t platform_id);
MUST_CHECK bool load_preemption_delay(struct loading *l, int64_t platform_id);
MUST_CHECK bool load_masks(struct loading *l, int64_t taskset_id);

/* Reads who releases whom, and the chains. */
MUST_CHECK bool load_chains(struct loading *l, int64_t taskset_id);

/* Asynchronous segments, and what others wait for. */
MUST_CHECK bool load_flights(struct loading *l, int64_t taskset_id);
/* Kernels of tasks that are programs of warps. */
MUST_CHECK bool load_programs(struct loading *l, int64_t taskset_id);
/* Reads set->warps, if the set has programs of warps. */
MUST_CHECK bool load_warps(struct loading *l, int64_t taskset_id);

#endif
