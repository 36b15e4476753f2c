/* scenarios/import/parts.h - what the files of an import share; only for use in scenarios/import/. */
#ifndef CEGSIM_SCENARIOS_IMPORT_PARTS_H
#define CEGSIM_SCENARIOS_IMPORT_PARTS_H

#include "scenarios/import/import.h"

struct part_links; /* scenarios/import/flights.h */

#define HANDED_OVER_NS 20000 /* what becomes free is taken within this time */

/* An operation that becomes a segment. */
struct part_operation {
	const struct capture_operation *op;
	int64_t call_ns; /* of its call; of its start where the call is not known */
	/* End of what another thread had issued and this one waited for, in its stream or for SMs or an
	 * engine; INT64_MIN: nothing. */
	int64_t waited_ns;
	/* Ends of what was in its way, of whatever thread: its predecessor in the stream, and what had the
	 * SMs or the engine until just before it began; INT64_MIN: nothing. */
	int64_t stream_ns, rival_ns;
	int64_t own_ns; /* from its start to its end, without what other processes had of the GPU */
	uint64_t hash;  /* part_hash() */
	bool alone;     /* nothing of its kind ran on the GPU while it did */
};

/* What one thread issued, in order of the calls. */
struct part_thread {
	uint32_t thread;
	struct part_operation *operations; /* [count] */
	uint32_t count;
	int64_t least_ns; /* from the call to the start, of any operation of the GPU: most of its kind may
			   * have waited for something */
};

/* A job as it is cut: operations of a thread. */
struct part_job {
	uint32_t first, count;
	int64_t release_ns, end_ns;
};

/* Jobs that are one task. Each has the same operations. */
struct part_task {
	struct part_job *jobs;
	uint32_t count;
	uint32_t steps; /* jobs as they were cut that make one of these */
	uint32_t turn;  /* jobs as they were cut from one of these to the next; 0: not always as many */
};

struct part_cut {
	enum import_cut cut;
	const char *name;
	int64_t registers;
	uint32_t every;
	bool of_user; /* a kernel may be called as it is printed, too: import_short_name() */
};

MUST_CHECK bool part_note(struct import *im, struct error *err, enum import_kind kind, const char *subject,
	uint64_t count, const char *fmt, ...) PRINTF_LIKE(6, 7);
/* A text that lives as long as the import. NULL: out of memory. */
const char *part_text(struct import *im, struct error *err, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* select.c: the GPU, its index in the capture, and the threads with their operations. */
MUST_CHECK bool part_select(struct import *im, const struct import_request *request, uint32_t *gpu,
	struct part_thread **threads, uint32_t *count, struct error *err);
/* A memset, or a copy within the GPU. */
bool part_on_gpu(const struct capture_operation *op);
/* platform.c */
MUST_CHECK bool part_platform(
	struct import *im, const struct import_request *request, uint32_t gpu, struct error *err);
/* Whether a task from `first` on has operations in flight. */
bool part_any_flies(const struct import *im, uint32_t first);
/* If any has: the core of each thread, and the gap between operations in a stream. */
MUST_CHECK bool part_in_parallel(struct import *im, struct error *err);
/* jobs.c: the jobs of a thread by one way to cut. Not an error: there are none. */
MUST_CHECK bool part_jobs(struct import *im, const struct part_thread *thread, const struct part_cut *cut,
	struct part_job **jobs, uint32_t *count, struct error *err);
/* The way that gives the most regular jobs. */
MUST_CHECK bool part_find_cut(
	struct import *im, const struct part_thread *thread, struct part_cut *cut, struct error *err);
/* shapes.c: whether two operations are the same segment of a job. */
bool part_same(const struct capture_operation *a, const struct capture_operation *b);
/* Equal for operations that are the same segment, and nearly never for others. */
uint64_t part_hash(const struct capture_operation *op);
/* Jobs by their shapes: one task, or one for each shape. `covered`: operations in the tasks' jobs, if the
 * shapes come regularly; 0: they do not. */
MUST_CHECK bool part_tasks(struct import *im, const struct part_thread *thread, struct part_job *jobs,
	uint32_t count, struct part_task **tasks, uint32_t *task_count, uint64_t *covered, struct error *err);
/* segments.c */
MUST_CHECK bool part_segments(struct import *im, const struct import_request *request,
	const struct part_thread *thread, const struct part_links *links, const struct part_task *from,
	struct import_task *to, struct error *err);
/* times.c: the period; 0: as found. */
void part_period(struct import_task *t, int64_t given_ns);
MUST_CHECK bool part_kernels(
	struct import *im, const struct part_thread *threads, uint32_t count, struct error *err);

#endif
