/* runs/replay/replay.c - the steps of a replay: processes, platform, simulation, comparison. */
#include "runs/replay/replay.h"

#include <string.h>

#include "runs/replay/compare.h"
#include "runs/replay/launches.h"
#include "runs/replay/simulate.h"
#include "scenarios/presets.h"

/* ---- Platform ---- */

static bool same_limits(const struct platform *a, const struct platform *b)
{
	return a->sms == b->sms && a->sms_per_tpc == b->sms_per_tpc &&
	       a->threads_per_sm == b->threads_per_sm && a->blocks_per_sm == b->blocks_per_sm &&
	       a->warps_per_sm == b->warps_per_sm && a->registers_per_sm == b->registers_per_sm &&
	       a->engines == b->engines && a->shared_memory_per_sm == b->shared_memory_per_sm &&
	       a->work_queues == b->work_queues;
}

/* Of several equal presets the last, which is the newest GPU: the recording tool is younger than the TX1. */
const struct platform *replay_platform(int64_t max_resident_threads)
{
	size_t count;
	const struct preset *presets = preset_all(&count);
	const struct platform *found = NULL;
	for (size_t i = 0; i < count; i++) {
		const struct platform *p = &presets[i].platform;
		if ((int64_t)p->sms * p->threads_per_sm != max_resident_threads)
			continue;
		if (found && !same_limits(found, p))
			return NULL;
		found = p;
	}
	return found;
}

/* ---- Kernels and processes ---- */

/* Numbers the processes of the logs; logs without kernels get no number. */
static void number_processes(
	struct replay *replay, const struct replay_request *request, uint32_t *process, int32_t *stream)
{
	replay->at_once = true;
	for (uint32_t i = 0; i < request->log_count; i++) {
		const struct log *log = &request->logs[i];
		uint32_t first = 0;
		stream[i] = 0;
		if (log->kernel_count == 0)
			continue;
		while (first < i && (request->logs[first].kernel_count == 0 ||
					    (!request->together && request->logs[first].pid != log->pid)))
			first++;
		process[i] = first < i ? process[first] : replay->processes++;
		replay->at_once &= !log->thread;
		for (uint32_t j = 0; j < i; j++) {
			if (request->logs[j].kernel_count == 0)
				continue;
			stream[i] += process[j] == process[i];
			replay->at_once &= strcmp(log->scenario, request->logs[j].scenario) == 0;
		}
	}
}

static bool fill_kernel(struct replay_kernel *k, struct arena *arena)
{
	k->start_ns = arena_new(arena, int64_t, k->kernel->blocks);
	k->error_ns = arena_new(arena, int64_t, k->kernel->blocks);
	k->sm = arena_new(arena, int32_t, k->kernel->blocks);
	return k->start_ns && k->error_ns && k->sm;
}

static bool list_kernels(struct replay *replay, struct arena *arena, const struct replay_request *request)
{
	size_t count = 0;
	for (uint32_t i = 0; i < request->log_count; i++)
		count += request->logs[i].kernel_count;
	uint32_t *process = arena_new(arena, uint32_t, request->log_count);
	int32_t *stream = arena_new(arena, int32_t, request->log_count);
	replay->kernels = arena_new(arena, struct replay_kernel, count);
	if (!process || !stream || !replay->kernels)
		return false;
	number_processes(replay, request, process, stream);
	for (uint32_t i = 0; i < request->log_count; i++) {
		const struct log *log = &request->logs[i];
		for (uint32_t j = 0; j < log->kernel_count; j++) {
			struct replay_kernel *k = &replay->kernels[replay->kernel_count++];
			*k = (struct replay_kernel){
				.log = log,
				.kernel = &log->kernels[j],
				.process = process[i],
				.stream = log->null_stream ? STREAM_NULL : stream[i],
			};
			if (!fill_kernel(k, arena))
				return false;
		}
	}
	return true;
}

/* ---- Simulation ---- */

struct watch {
	struct replay *replay;
	const struct launches *launches;
};

static bool note_starts(void *self, const struct trace_record *records, size_t count)
{
	const struct watch *w = self;
	for (size_t i = 0; i < count; i++) {
		const struct trace_record *r = &records[i];
		if (r->kind != TRACE_BLOCKS_START || w->launches->kernel_of[r->task] == NO_KERNEL)
			continue;
		struct replay_kernel *k = &w->replay->kernels[w->launches->kernel_of[r->task]];
		for (uint32_t b = r->block; b < r->block + r->count; b++) {
			k->start_ns[b] = r->time + w->launches->base_ns;
			k->sm[b] = r->resource == RESOURCE_SM ? (int32_t)r->index : LOG_NO_SM;
		}
	}
	return true;
}

static bool simulate(
	struct replay *replay, const struct launches *l, const struct platform *platform, struct error *err)
{
	struct watch watch = {replay, l};
	return replay_simulate(
		platform, &l->set, &l->setup, TRACE_BIT(TRACE_BLOCKS_START), note_starts, &watch, err);
}

static bool run_process(struct replay *replay, uint32_t process, const struct replay_request *request,
	struct diagnostics *diagnostics, struct error *err)
{
	struct launches l;
	bool ok = launches_make(&l, replay, process, request, diagnostics, err) &&
		  simulate(replay, &l, request->platform, err);
	launches_finish(&l);
	return ok;
}

bool replay_run(struct replay *replay, struct arena *arena, const struct replay_request *request,
	struct diagnostics *diagnostics, struct error *err)
{
	bool ok = true;
	*replay = (struct replay){0};
	if (!list_kernels(replay, arena, request))
		return error_memory(err, "replaying logs");
	if (replay->kernel_count == 0)
		return error_set(err, STATUS_INPUT, "the logs hold no kernels");
	for (uint32_t process = 0; process < replay->processes; process++)
		ok = run_process(replay, process, request, diagnostics, err) && ok;
	return ok && compare_starts(replay, err);
}
