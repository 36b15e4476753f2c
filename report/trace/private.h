/* report/trace/private.h - shared by the files of the trace: the run, its tracks, and packets. Only
 * the files of report/trace/ include it. */
#ifndef CEGSIM_REPORT_TRACE_PRIVATE_H
#define CEGSIM_REPORT_TRACE_PRIVATE_H

#include "base/limits.h"
#include "base/output.h"
#include "base/text.h"
#include "report/trace/protobuf.h"
#include "report/trace/trace.h"

/* Categories; the values are their interned numbers. */
enum trace_category {
	CATEGORY_CPU = 1,
	CATEGORY_SPIN,
	CATEGORY_BOOST,
	CATEGORY_LAUNCH,
	CATEGORY_SWITCH,
	CATEGORY_RELEASE,
	CATEGORY_COPY,
	CATEGORY_KERNEL,
	CATEGORY_BLOCK,
	CATEGORY_JOB,
	CATEGORY_WAIT,
	CATEGORY_MARK,
	CATEGORY_CONTEXT,
	CATEGORY_CALL,
	CATEGORY_DECISION,
};

/* Names of debug annotations; the values are their interned numbers. */
enum trace_annotation_name {
	ANNOTATION_JOB = 1,
	ANNOTATION_SEGMENT,
	ANNOTATION_PART,
	ANNOTATION_BLOCK,
	ANNOTATION_THREADS,
	ANNOTATION_SMS,
	ANNOTATION_ENDED,
	ANNOTATION_STATE,
	ANNOTATION_DEADLINE,
	ANNOTATION_NAME,
};

/* Names of events that belong to no job; the values are their interned numbers. Those of jobs follow. */
enum trace_event_name {
	NAME_RELEASE = 1,
	NAME_DEADLINE,
	NAME_MISS,
	NAME_AGE,
	NAME_REACTION,
	NAME_FIRST_FREE
};

/* The suffix of a job's name. */
enum trace_name_kind {
	NAME_PLAIN,
	NAME_SPIN,
	NAME_BOOST,
	NAME_LAUNCH,
	NAME_SWITCH,
	NAME_INTERRUPT,
	NAME_CALL,
	NAME_CONTEXT, /* of a process, not of a job */
	NAME_TO_CONTEXT,
	NAME_KINDS
};

/* A track whose slices follow each other. */
struct trace_lane {
	uint64_t uuid;      /* 0: it has no track yet */
	int64_t busy_until; /* end of its last slice */
};

/* The tracks of one thing, such as the slots of an SM. */
struct trace_lanes {
	struct trace_lane *lanes;
	size_t count;
};

#define TRACE_UNITS_MAX 65536 /* cores, copy engines or SMs: more than any platform has */
#define TRACE_NAME_MAX 64

/* What a GPU of the platform has. */
struct trace_gpu {
	int64_t engines, sms;
	int64_t first_sm; /* SMs, and one place for blocks on none, of the GPUs before it */
	bool pooled;      /* threads are pooled over the GPU, without SMs */
};

struct trace_task {
	int64_t id;
	char *name;
	uint64_t index; /* task_idx */
	struct {
		int64_t seq; /* < 0: none */
		uint64_t iid;
	} named[NAME_KINDS]; /* the job whose name was interned last */
	int64_t chain_seq;   /* the job whose segments are being connected; < 0: none */
	uint64_t chain_flow; /* the flow to its next segment */
	size_t chain_row;    /* row of its last segment, counted over all segments */
	struct trace_lanes kernels[GPUS_MOST];
};

struct trace_export {
	struct db_reader *reader;
	const char *recording;
	const struct trace_request *request;
	struct trace_summary *summary;
	int64_t run, from, to, stop_ns;
	int64_t cores;
	struct trace_gpu gpu[GPUS_MOST];
	size_t gpus;           /* at least 1 */
	bool blocks, segments; /* recorded */
	char *title;
	struct text name;         /* the name of a job, while it is made */
	struct trace_task *tasks; /* [task_count], by id */
	size_t task_count;
	uint64_t root; /* the track above all others */
	uint64_t last_uuid, last_name, last_flow;
	uint64_t next_rank;  /* rank of the next track below `root` */
	struct protobuf out; /* complete packets that have not been written to the file */
	struct output file;
};

/* ---- trace/packets.c ---- */

struct trace_track {
	uint64_t parent; /* 0: none */
	const char *name;
	uint64_t rank;         /* among its siblings */
	bool parent_of_ranked; /* its children are sorted by their ranks */
	const char *unit;      /* of a counter; NULL: slices and instants */
	bool counter;
};

struct trace_annotation {
	enum trace_annotation_name name;
	int64_t value;
	const char *text; /* in place of the value, unless NULL */
};

#define TRACE_ANNOTATIONS_MAX 6

struct trace_slice {
	uint64_t track;
	int64_t start, end;
	enum trace_category category;
	enum trace_name_kind kind;
	struct trace_task *task;
	int64_t seq;
	uint64_t flow_in, flow_out; /* 0: none */
	struct trace_annotation annotations[TRACE_ANNOTATIONS_MAX];
	size_t annotation_count;
};

/* Writes the first packet, with the names that never change, and the root of all tracks. */
void trace_begin(struct trace_export *t);
/* Makes a new track; returns its uuid. */
uint64_t trace_track(struct trace_export *t, const struct trace_track *track);
/* Writes beginning and end of a slice. Those of one track must come in order. */
void trace_slice(struct trace_export *t, const struct trace_slice *slice);
void trace_instant(struct trace_export *t, uint64_t track, int64_t at, enum trace_event_name name,
	struct trace_task *task, int64_t seq);
void trace_count(struct trace_export *t, uint64_t track, int64_t at, int64_t value);
void trace_measure(struct trace_export *t, uint64_t track, int64_t at, double value);
static inline void trace_annotate(struct trace_slice *s, enum trace_annotation_name name, int64_t value)
{
	s->annotations[s->annotation_count++] = (struct trace_annotation){name, value, NULL};
}
static inline void trace_annotate_text(
	struct trace_slice *s, enum trace_annotation_name name, const char *text)
{
	s->annotations[s->annotation_count++] = (struct trace_annotation){name, 0, text};
}

/* Writes the packets to the file if there are many, and checks whether to go on. Call it for every row;
 * trace_flush_out() writes in any case. */
#define TRACE_FLUSH_AT ((size_t)1 << 17)
MUST_CHECK bool trace_flush_out(struct trace_export *t, struct error *err);
MUST_CHECK static inline bool trace_flush(struct trace_export *t, struct error *err)
{
	return (t->out.length < TRACE_FLUSH_AT && !t->out.failed) || trace_flush_out(t, err);
}

/* Lane number `index`, at most their count; when this returns, it has a track below `parent`. NULL: *err. */
MUST_CHECK struct trace_lane *trace_lane(struct trace_export *t, struct trace_lanes *lanes, size_t index,
	const struct trace_track *like, struct error *err);
void trace_lanes_finish(struct trace_lanes *lanes);
/* Puts the slice on the lane, whose last slice must have ended; `what` names it in the message. */
MUST_CHECK bool trace_put(struct trace_export *t, struct trace_lane *lane, struct trace_slice *slice,
	const char *what, struct error *err);

/* ---- trace/run.c ---- */

/* Reads the data of the run. STATUS_INPUT: there is no such run, or it is damaged; STATUS_NO: there is
 * nothing to draw. */
MUST_CHECK bool trace_read_run(struct trace_export *t, struct error *err);
void trace_finish_run(struct trace_export *t); /* also for a run that could not be read */

/* Opens a statement; ?1 is the run, ?2 and ?3 are beginning and end of what is wanted. */
MUST_CHECK struct db_cursor *trace_query(struct trace_export *t, const char *sql, struct error *err);
/* SQL: whether some part of the interval is wanted. */
#define TRACE_TOUCHES(start, end) " " start " < ?3 AND (" end " > ?2 OR " start " >= ?2)"

/* NULL, and *err: the row belongs to no task of the run. */
MUST_CHECK struct trace_task *trace_find_task(struct trace_export *t, int64_t id, struct error *err);
/* The GPU of a row; GPUS_MOST, and *err: its platform has no such GPU. */
MUST_CHECK size_t trace_gpu_of(struct trace_export *t, int64_t gpu, struct error *err);
/* The name of a track of a GPU: of the only one `one`, of several "GPU 1 " and `of_gpu`. */
const char *trace_gpu_name(const struct trace_export *t, size_t gpu, const char *one, const char *of_gpu,
	char name[TRACE_NAME_MAX]);
/* How an interval ended, by its code in segment_interval and block_interval; NULL: it was completed. */
const char *trace_ended(int64_t code);

/* ---- trace/counters.c ---- */

/* A count that goes up and down; its changes must be in the order of time. */
struct trace_counter {
	uint64_t track;
	int64_t at, value; /* the value and since when it holds */
	int64_t said;      /* the last value written; < 0: none */
};
void trace_counter_begin(struct trace_counter *c, uint64_t track);
void trace_counter_add(struct trace_export *t, struct trace_counter *c, int64_t at, int64_t change);
void trace_counter_end(struct trace_export *t, struct trace_counter *c); /* writes the last change */

/* ---- the parts of a trace, in the order of their tracks ---- */

MUST_CHECK bool trace_segments(struct trace_export *t, struct error *err);  /* trace/segments.c */
MUST_CHECK bool trace_contexts(struct trace_export *t, struct error *err);  /* trace/contexts.c */
MUST_CHECK bool trace_blocks(struct trace_export *t, struct error *err);    /* trace/blocks.c */
MUST_CHECK bool trace_jobs(struct trace_export *t, struct error *err);      /* trace/jobs.c */
MUST_CHECK bool trace_queues(struct trace_export *t, struct error *err);    /* trace/jobs.c */
MUST_CHECK bool trace_power(struct trace_export *t, struct error *err);     /* trace/counters.c */
MUST_CHECK bool trace_occupancy(struct trace_export *t, struct error *err); /* trace/counters.c */

#endif
