/* db/words.h - the words that columns hold, each list once: CHECK is made from it, and who reads the column
 * asks it. A list ends with NULL: words_level[2] is "segments". */
#ifndef CEGSIM_DB_WORDS_H
#define CEGSIM_DB_WORDS_H

#define COMPUTE_UNIT_WORDS "int", "fp", "fp64", "sfu", "tensor"
#define WORD_LISTS(LIST)                                                                                     \
	LIST(source, "scenario", "campaign")                                                                 \
	LIST(pool, "sm", "gpu")                                                                              \
	LIST(release, "periodic", "sporadic", "trace")                                                       \
	LIST(segment, "cpu", "copy", "kernel")                                                               \
	LIST(priority, "low", "high")                                                                        \
	LIST(direction, "to_gpu", "to_cpu", "both")                                                          \
	LIST(form, "grid", "work", "profile", "warps")                                                       \
	LIST(unit, COMPUTE_UNIT_WORDS, "memory")                                                             \
	LIST(compute_unit, COMPUTE_UNIT_WORDS)                                                               \
	LIST(step, "compute", "load", "store", "shared_load", "shared_store", "barrier", "loop")             \
	LIST(goal, "ipc", "share", "time")                                                                   \
	LIST(stop, "drained", "horizon")                                                                     \
	LIST(execution, "worst", "best", "uniform", "scaled")                                                \
	LIST(on_miss, "continue", "drop", "abort")                                                           \
	LIST(ties, "task-order", "lower-first")                                                              \
	LIST(level, "summary", "jobs", "segments", "blocks", "issues") /* enum record_level */               \
	LIST(status, "ok", "truncated", "refused", "error")                                                  \
	LIST(safety, "sound", "unsafe")                                                                      \
	LIST(verdict, "schedulable", "unschedulable", "refused", "error")                                    \
	LIST(part, "own", "blocking", "interference", "copy", "gpu")

#define WORD_LIST_DECLARATION(name, ...) extern const char *const words_##name[];
WORD_LISTS(WORD_LIST_DECLARATION)

#endif
