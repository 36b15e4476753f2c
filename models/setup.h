/* models/setup.h - all settings of a run beside platform, task set and policy: how long it is, its draws, its
 * rules for releases and misses. */
#ifndef CEGSIM_MODELS_SETUP_H
#define CEGSIM_MODELS_SETUP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/words.h"

#define RELEASE_WORDS(WORD)                                                                                  \
	WORD(RELEASE_PERIODIC, "periodic")                                                                   \
	WORD(RELEASE_SPORADIC, "sporadic")                                                                   \
	WORD(RELEASE_TRACE, "trace") WORD(RELEASE_JITTER, "jitter") WORD(RELEASE_AFTER, "after")
enum release_kind { RELEASE_WORDS(WORD_VALUE) };
WORDS(release_kind, RELEASE_WORDS)

#define EXECUTION_WORDS(WORD)                                                                                \
	WORD(EXECUTION_WORST, "worst")                                                                       \
	WORD(EXECUTION_BEST, "best")                                                                         \
	WORD(EXECUTION_UNIFORM, "uniform")                                                                   \
	WORD(EXECUTION_SCALED, "scaled")   /* by run_setup.scale_ppm */                                      \
	WORD(EXECUTION_SAMPLES, "samples") /* segment.samples, one drawn for each segment of each job */     \
	WORD(EXECUTION_TOGETHER, "samples-together") /* the same row of them for all segments of a job */
enum execution_kind { EXECUTION_WORDS(WORD_VALUE) };
WORDS(execution_kind, EXECUTION_WORDS)

#define MISS_WORDS(WORD) WORD(MISS_CONTINUE, "continue") WORD(MISS_DROP, "drop") WORD(MISS_ABORT, "abort")
enum on_miss { MISS_WORDS(WORD_VALUE) };
WORDS(on_miss, MISS_WORDS)

#define STOP_WORDS(WORD) WORD(STOP_DRAINED, "drained") WORD(STOP_HORIZON, "horizon")
enum stop_rule { STOP_WORDS(WORD_VALUE) };
WORDS(stop_rule, STOP_WORDS)

#define TIES_WORDS(WORD) WORD(TIES_TASK_ORDER, "task-order") WORD(TIES_LOWER_FIRST, "lower-first")
enum ties { TIES_WORDS(WORD_VALUE) };
WORDS(ties, TIES_WORDS)

/* The length that a trace file gives for one segment of one job. */
struct trace_duration {
	uint32_t job; /* sequence number */
	uint32_t segment;
	int64_t duration_ns;
};

struct release_rule {
	enum release_kind kind;
	int64_t max_delay_ppm; /* sporadic: gap = T + U{0 .. floor(max_delay * T)} */
	int64_t jitter_ns;     /* jitter: k * T + U{0 .. jitter}; a task's own rule, never the run's */
	int64_t *trace_ns;     /* trace: release of job 0, 1, ...; not decreasing */
	uint32_t trace_count;
	struct trace_duration *durations; /* sorted by job, segment */
	uint32_t duration_count;
	uint32_t *after;      /* after: the tasks whose k-th finished jobs release job k; */
	uint32_t after_count; /* a task's own rule, never the run's */
};

struct run_setup {
	int64_t horizon_ns; /* releases happen before it */
	enum stop_rule stop;
	int64_t limit_ns; /* drained: the clock stops here at the latest; before the horizon: always, and the
			     run is truncated */
	uint64_t seed;
	uint32_t set;                /* number of the task set, part of every draw's key */
	struct release_rule release; /* for tasks without a rule of their own */
	enum execution_kind execution;
	int64_t scale_ppm; /* scaled: ceil(s * worst), not below best */
	enum on_miss on_miss;
	enum ties ties;
};

#endif
