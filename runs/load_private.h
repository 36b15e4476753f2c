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
	bool bad;              /* *err is the first thing that is wrong */
	struct db_cursor *row; /* the row that is read, */
	const char *table;     /* its table; NULL: not said; */
	int keys;              /* and how many of its first columns say which it is */
	struct task *task;     /* the task whose segments are read */
	struct segment *segment;
	struct release_rule *rule;
	struct platform *gpus;      /* the others of the platform */
	struct warp_kernel *kernel; /* the kernel whose steps are read */
	struct warp_machine inside; /* of kernels of tasks that are programs: their SMs, */
	int inside_scheduler;       /* enum warp_scheduler_kind */
};

/* Handles the row of the cursor. False, or load_*() has found it bad: *err. */
typedef bool row_fn(struct loading *l, struct db_cursor *c);

/* Calls fn for every row of a query with one or two integer parameters. Returns the number of rows; -1:
 * failed. */
int64_t load_each(struct loading *l, const char *sql, int64_t first, int64_t second, row_fn *fn);

/* Says what the row is that the following read: a table, and how many of the first columns tell its rows
 * apart. */
void load_row(struct loading *l, struct db_cursor *c, const char *table, int keys);

/* The value of a column of that row. If it is of another type, or not in its range, the row is bad, and the
 * value one that may be used all the same until its function returns. */
int64_t load_number(struct loading *l, int column, int64_t least, int64_t most);
int64_t load_number_or(struct loading *l, int column, int64_t fallback, int64_t least, int64_t most);
const char *load_text(struct loading *l, int column);
char *load_name(struct loading *l, int column); /* a copy; NULL: no memory, which makes the row bad, too */
/* A word; `named`: a function made by WORDS (base/words.h). NULL is 0, or bad. */
int load_word(struct loading *l, int column, int (*named)(const char *word));
int load_needed_word(struct loading *l, int column, int (*named)(const char *word));
/* `count`, which is what the column must say: the number of the next of some things. */
uint32_t load_next(struct loading *l, int column, uint32_t count);

/* Numbers that only have to fit their place: the judge knows more of them. */
#define LOAD_ANY(l, column) load_number((l), (column), INT64_MIN, INT64_MAX)
#define LOAD_ANY_OR(l, column, if_null) load_number_or((l), (column), (if_null), INT64_MIN, INT64_MAX)
#define LOAD_COUNT(l, column) ((uint32_t)load_number((l), (column), 0, UINT32_MAX))
#define LOAD_COUNT_OR_0(l, column) ((uint32_t)load_number_or((l), (column), 0, 0, UINT32_MAX))

/* Room for one more of `count` things of the arena: the same place, or a larger one with their copies. NULL:
 * no memory, and the row is bad. Lists are read without being counted first: two queries need not agree on
 * them. */
void *load_room(struct loading *l, void *items, uint32_t count, size_t size);
#define LOAD_ROOM(l, items, count) ((items) = load_room((l), (items), (count), sizeof(*(items))))

/* All are false. What is wrong with the row, or, without one, with the recording; with a row that is named,
 * as the judge says it; why the run or set cannot be had; that a thing of it is missing. */
bool load_no_memory(struct loading *l);
bool load_damaged(struct loading *l, const char *what);
bool load_defect(struct loading *l, const char *row, const char *text);
bool load_refused(struct loading *l, const char *clause); /* "is under policy ..." */
bool load_missing(struct loading *l, const char *what);
struct arena *load_arena(struct loading *l);

/* The task, or the segment, that columns 0, or 0 and 1, name by their indexes; NULL: it is not of this set.
 */
struct task *load_task_of(struct loading *l);
struct segment *load_segment_of(struct loading *l);

/* A thing with one row: calls fn for it. */
MUST_CHECK bool load_one(struct loading *l, const char *what, const char *sql, int64_t id, row_fn *fn);
/* Columns kind, max_delay, trace of the row, from `column` on. */
MUST_CHECK bool load_rule(struct loading *l, int column, struct release_rule *rule);

/* Reads the task set; the platform. */
MUST_CHECK bool load_set(struct loading *l, int64_t taskset_id);
MUST_CHECK bool load_platform(struct loading *l, int64_t platform_id);

/* Of each task its core; what kernels want of divisions of the memory of SMs. */
MUST_CHECK bool load_cores(struct loading *l, int64_t taskset_id);
MUST_CHECK bool load_carveouts(struct loading *l, int64_t taskset_id);
/* What policies with contexts ask for. */
MUST_CHECK bool load_contexts(struct loading *l, int64_t taskset_id);

/* What a row says of a GPU in columns 0 and 2 .. 17: name; engines to idle_per_sm, in the order of the table
 * platform. */
void load_gpu(struct loading *l, struct platform *p);
/* The GPUs behind the first; and on which GPU each segment is. */
MUST_CHECK bool load_gpus(struct loading *l, int64_t platform_id);
MUST_CHECK bool load_gpu_segments(struct loading *l, int64_t taskset_id);
/* The SMs to which kernels are confined. */
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
