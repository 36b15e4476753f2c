/* tests/unit/audit_making.h - builds a recording by hand, row by row. Times are milliseconds; tasks and rows
 * are numbered in the order in which they are added. */
#ifndef CEGSIM_TESTS_AUDIT_MAKING_H
#define CEGSIM_TESTS_AUDIT_MAKING_H

#include "tests/unit/audit_sample.h"

#define N DB_NULL

/* Two SMs of 2048 threads and 16 blocks, one copy engine; static power 1 W, 200 mW for an idle SM. */
struct audit_sample sample_begin(const char *policy, const char *params, int64_t horizon);
/* Fills in figures and totals to match the rows. `stop` is S. */
struct audit_sample sample_end(struct audit_sample *s, int64_t stop);

void add_task(struct audit_sample *s, const char *name, int64_t period, int64_t deadline, int64_t offset);
/* Adds to the task added last. */
struct segment_row *add_segment(struct audit_sample *s, const char *kind, int64_t length);
void add_copy(struct audit_sample *s, const char *direction, int64_t length);
struct segment_row *add_grid(struct audit_sample *s, int64_t grid, int64_t block, int64_t length, int64_t uw);
struct segment_row *add_profiled(struct audit_sample *s, int64_t profile);
/* What the policy gave to the task added last; SMs as JSON. */
void give_sms(struct audit_sample *s, int64_t sms, int64_t virtual_sms, const char *set);

/* start, finish < 0: never. A job with a finish has finished and met its deadline. */
struct job_row *add_job(
	struct audit_sample *s, uint32_t task, uint32_t seq, int64_t release, int64_t start, int64_t finish);
struct segment_interval_row *add_interval(struct audit_sample *s, uint32_t task, uint32_t seq,
	uint16_t segment, enum row_resource resource, int64_t ready, int64_t start, int64_t end);
struct block_interval_row *add_block(struct audit_sample *s, uint32_t task, uint32_t seq, uint16_t segment,
	uint32_t block, uint32_t sm, uint32_t slot, uint32_t threads, int64_t start, int64_t end);
/* From the end of the last power interval to `end`. */
void add_power(struct audit_sample *s, int64_t end, int64_t uw, uint32_t active);
/* For job 0 of a task and its first kernel. The predicted end is in nanoseconds, the predicted energy in
 * uW*ns. */
struct decision_row *add_decision(struct audit_sample *s, int64_t time, uint32_t task, uint32_t sms,
	int64_t end_ns, int64_t predicted, bool feasible, bool chosen);

#endif
