/* runs/recorder.h - trace records into the rows of a recording, as finely as was asked for. An
 * observer of the trace; the only one that the level of recording concerns. */
#ifndef CEGSIM_RUNS_RECORDER_H
#define CEGSIM_RUNS_RECORDER_H

#include "base/arena.h"
#include "db/writer.h"
#include "models/platform.h"
#include "sim/trace.h"

struct recorder;

/* Writes into the run that is open in `writer`. NULL: *err. */
MUST_CHECK struct recorder *recorder_create(enum record_level level, struct db_writer *writer,
	const struct platform *platform, uint32_t tasks, struct error *err);
void recorder_destroy(struct recorder *r); /* accepts NULL; rows not flushed are lost */

/* Kinds of records it reads at its level. */
uint32_t recorder_wants(const struct recorder *r);
bool recorder_observe(void *recorder, const struct trace_record *records, size_t count);
/* The power between two instants (models/power.h). */
bool recorder_power(void *recorder, int64_t start_ns, int64_t end_ns, int64_t power_uw, uint32_t active_sms,
	uint32_t idle_sms);
/* Hands over what has gathered. False: *err; also tells why an observer said stop before. */
MUST_CHECK bool recorder_flush(struct recorder *r, struct error *err);

#endif
