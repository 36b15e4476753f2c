/* tests/unit/timeline.h - the records of a run (tests/support/harness.h) as short texts, so that a test can
 * say in one line what must happen. */
#ifndef CEGSIM_TESTS_TIMELINE_H
#define CEGSIM_TESTS_TIMELINE_H

#include "tests/support/harness.h"

/* The texts live until the next call of the same function; entries are separated by "; ".
 *
 * "t0.1.2 cpu 3-5" is segment 2 of job 1 of task 0 on the core in [3, 5). Instead of cpu: spin, boost,
 * copy0 (the engine), gpu. Behind it: p preempted, a aborted, s stopped by the end of the run, r reset. */
const char *spans(const struct observed *o);
/* "t0.0.1 b2 @3 4-9": block 2 on SM 3; "b2+4" four blocks at once (pool gpu, without @). Behind it p or r. */
const char *blocks(const struct observed *o);
/* "0 5-9; to 1 9-11": the process of task 0 had the GPU, which then was switched to that of task 1. */
const char *contexts(const struct observed *o);
/* "t0.0 finished 9", "dropped", "aborted", "unfinished". */
const char *ends(const struct observed *o);

#endif
