/* db/words.h - the words that columns may contain. CHECK is made from these lists, and code that reads a
 * column without knowing the models uses them. A list ends with NULL: words_level[2] is "segments". If the
 * models have an enumeration for the words, a test compares the two lists (tests/unit/test_words.c). */
#ifndef CEGSIM_DB_WORDS_H
#define CEGSIM_DB_WORDS_H

#define UNITS_THAT_COMPUTE "int", "fp", "fp64", "sfu", "tensor"
#define WORD_LISTS(LIST)                                                                                     \
	LIST(source, "scenario", "campaign")                                                                 \
	LIST(pool, "sm", "gpu")                                                                              \
	LIST(release, "periodic", "sporadic", "trace", "jitter", "after")                                    \
	LIST(scheduling, "partitioned", "global")                                                            \
	LIST(segment, "cpu", "copy", "kernel", "wait")                                                       \
	LIST(priority, "low", "high")                                                                        \
	LIST(direction, "to_gpu", "to_cpu", "both")                                                          \
	LIST(form, "grid", "work", "profile", "warps", "program")                                            \
	LIST(unit, UNITS_THAT_COMPUTE, "memory")                                                             \
	LIST(compute_unit, UNITS_THAT_COMPUTE)                                                               \
	LIST(step, "compute", "load", "store", "shared_load", "shared_store", "barrier", "loop")             \
	LIST(rounds, "warps", "blocks")                                                                      \
	LIST(goal, "ipc", "share", "time")                                                                   \
	LIST(stop, "drained", "horizon")                                                                     \
	LIST(execution, "worst", "best", "uniform", "scaled", "samples", "samples-together")                 \
	LIST(on_miss, "continue", "drop", "abort")                                                           \
	LIST(ties, "task-order", "lower-first")                                                              \
	LIST(status, "ok", "truncated", "refused", "error")                                                  \
	LIST(safety, "sound", "unsafe")                                                                      \
	LIST(communication, "implicit", "let")                                                               \
	LIST(sample, "start", "release")                                                                     \
	LIST(verdict, "schedulable", "unschedulable", "refused", "error")                                    \
	LIST(brief, "schedulable", "unschedulable", "refused", "truncated")                                  \
	LIST(part, "own", "blocking", "interference", "copy", "gpu")                                         \
	LIST(late_reason, "in_time", "stream", "no_room", "engine", "null_stream", "earlier_issue", "sync",  \
		"launch", "submission", "unexplained")

#define WORD_LIST_DECLARATION(name, ...) extern const char *const words_##name[];
WORD_LISTS(WORD_LIST_DECLARATION)
extern const char *const words_level[]; /* of enum record_level (db/rows.h) */

#endif
