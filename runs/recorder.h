/* runs/recorder.h - turns trace records into the rows of a recording, at the level that was asked for. It is
 * an observer of the trace, the only one that depends on the level of recording. */
#ifndef CEGSIM_RUNS_RECORDER_H
#define CEGSIM_RUNS_RECORDER_H

#include "base/arena.h"
#include "db/writer.h"
#include "models/platform.h"
#include "sim/trace.h"

struct recorder;

/* Writes into the run that has been begun in `writer`. NULL: *err. */
MUST_CHECK struct recorder *recorder_create(enum record_level level, struct db_writer *writer,
	const struct platform *platform, uint32_t tasks, struct error *err);
void recorder_destroy(struct recorder *r); /* accepts NULL; rows not flushed are lost */

/* The kinds of records that it needs at its level. */
uint32_t recorder_wants(const struct recorder *r);
bool recorder_observe(void *recorder, const struct trace_record *records, size_t count);
/* The power of a GPU in an interval (a power_interval_fn, models/power.h); its `self` is recorder_gpu(). */
void *recorder_gpu(struct recorder *r, uint32_t gpu);
bool recorder_power(void *recorder_gpu, int64_t start_ns, int64_t end_ns, int64_t power_uw,
	uint32_t active_sms, uint32_t idle_sms);
/* Hands the gathered rows to the writer. False: *err, which is also the reason why an observer returned false
 * before. */
MUST_CHECK bool recorder_flush(struct recorder *r, struct error *err);

#endif
