/* tests/support/harness.h - small task sets made in code, run to the end, with every record kept. */
#ifndef CEGSIM_TESTS_SUPPORT_HARNESS_H
#define CEGSIM_TESTS_SUPPORT_HARNESS_H

#include "base/int128.h"
#include "models/simulation.h"
#include "models/taskset.h"

#define MS INT64_C(1000000)

/* A set that is being made; segments are added to the task added last. */
struct maker {
	struct taskset set;
	struct platform platform;
	struct run_setup setup;
};

/* One copy engine, worst-case execution, periodic, drained; the horizon is in the caller's unit. */
void maker_init(struct maker *k, int64_t horizon);
void maker_finish(struct maker *k);
struct task *maker_task(struct maker *k, const char *name, int64_t period, int64_t deadline, int64_t offset);
struct segment *maker_cpu(struct maker *k, int64_t best, int64_t worst);
struct segment *maker_copy(struct maker *k, enum copy_direction direction, int64_t time);
struct segment *maker_grid(struct maker *k, uint32_t grid, uint32_t block, int64_t block_time);
struct segment *maker_work(struct maker *k, int64_t best, int64_t worst, int64_t overhead);
/* Releases of the task added last, from an array that outlives the set. */
void maker_trace(struct maker *k, int64_t *releases, uint32_t count);

struct observed {
	struct trace_record *records;
	size_t count, capacity;
	struct simulation_outcome outcome;
	int128 energy_uwns;
	bool refused;
};

/* Runs to the end, or fails the test. option: "order=release", "update=1ms,call=1ms" or NULL. */
struct observed observe(struct maker *k, const char *policy, const char *option);
/* The same under a policy that the test defines, with its default options. */
struct observed observe_under(struct maker *k, const struct policy *policy);
void observed_finish(struct observed *o);

/* The n-th record (from 0) of a kind for a task, or NULL. */
const struct trace_record *observed_find(
	const struct observed *o, enum trace_kind kind, uint32_t task, uint32_t n);
/* Response of a job; -1 if it did not finish. */
int64_t observed_response(const struct observed *o, uint32_t task, uint32_t job);
int64_t observed_finish_time(const struct observed *o, uint32_t task, uint32_t job);

#endif
