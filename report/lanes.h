/* report/lanes.h - the lanes of a run's schedule from top to bottom: CPU cores, copy engines, kernels on the
 * GPU, the streams of operations in flight, then every SM, or the pool of threads; last the process that has
 * the GPU, if processes share it. Of several GPUs first the copy engines of all, then the kernels on each,
 * then the streams, then the SMs. A copy or kernel in a stream that has a lane is in two lanes. */
#ifndef CEGSIM_REPORT_LANES_H
#define CEGSIM_REPORT_LANES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/limits.h"
#include "db/reader.h"

#define LANE_NONE SIZE_MAX
#define LANE_NAME 32
#define LANE_STREAM_SHIFT                                                                                    \
	32                /* lane.unit of streams: GPU << this, and the number, of the NULL stream -2, + 2 */
#define LANE_GPU_SHIFT 16 /* lane.unit of copy engines and SMs: GPU << this, and the number on it */

enum lane_kind { LANE_CPU, LANE_COPY, LANE_GPU, LANE_STREAM, LANE_SM, LANE_POOL, LANE_CONTEXT };

struct lane {
	enum lane_kind kind;
	int64_t unit;         /* core, copy engine or SM, from 0 (LANE_GPU_SHIFT); GPU: its number; else 0 */
	int64_t capacity;     /* SMs and the pool: threads, at least 1; the others 1 */
	char name[LANE_NAME]; /* its name in v_gantt */
};

/* Of copy engines and SMs. */
static inline size_t lane_gpu(const struct lane *lane)
{
	return (size_t)(lane->unit >> LANE_GPU_SHIFT);
}
static inline int64_t lane_number(const struct lane *lane)
{
	return lane->unit & (((int64_t)1 << LANE_GPU_SHIFT) - 1);
}

struct lanes {
	struct lane *lane;
	size_t count;
	size_t gpu, pool, context; /* LANE_NONE: there is none */
	size_t first_core, cores, first_copy, copies, first_stream, streams, first_sm, sms; /* of all GPUs */
	size_t gpus;                                                                        /* at least 1 */
	struct {
		size_t first_sm, sms, pool;
	} of_gpu[GPUS_MOST];
};

/* Lanes for what the platform has, as far as the run's level of recording can show them: none below level
 * segments, no SMs below level blocks. Runs of warps have no CPU and no copies. With unlimited copy engines:
 * the units that occur. If the platform does not limit the threads of an SM, the capacity is the greatest
 * number that was resident on one SM at a time. STATUS_INPUT: there is no such run. On failure *lanes is
 * empty. */
MUST_CHECK bool lanes_read(struct db_reader *r, int64_t run_id, struct lanes *lanes, struct error *err);
void lanes_finish(struct lanes *lanes); /* accepts a zeroed one */

/* The lane of an interval: by `gpu`, `code` and `unit` of segment_interval, or by `gpu` and `sm` of
 * block_interval (negative: it is NULL). LANE_NONE: it is in none of them. */
size_t lanes_of_segment(const struct lanes *lanes, int64_t gpu, int64_t code, int64_t unit);
/* The lane of a copy's or kernel's stream, by its number (of a task's own stream the place of the task in its
 * set). LANE_NONE: no operation in flight uses it. */
size_t lanes_of_stream(const struct lanes *lanes, int64_t gpu, int64_t stream);
size_t lanes_of_block(const struct lanes *lanes, int64_t gpu, int64_t sm);

/* "cpu", "copy", "gpu", "stream", "sm", "pool" or "context". */
const char *lane_kind_name(enum lane_kind kind);

#endif
