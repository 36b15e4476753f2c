/* tests/support/export_samples.c - exports that several tests, the fuzzers and the guide use. */
#include "tests/support/exports.h"

enum { A = 1001, B = 2002 }; /* processes */
#define MS INT64_C(1000000)
#define US INT64_C(1000)

/* ---- one of everything ---- */

static void add_streams(struct export *e)
{
	static const struct {
		int64_t pid, stream, priority, flag;
	} streams[] = {{A, 13, 0, 1}, {A, 14, 4294967291, 2}, {A, 15, 0, 0}, {B, 13, 4294967295, 2}};
	for (int i = 0; i < 4; i++)
		export_row(e, "TARGET_INFO_CUDA_STREAM",
			"streamId, hwId, vmId, processId, contextId, priority, flag",
			"%lld, 0, 0, %lld, 1, %lld, %lld", streams[i].stream, streams[i].pid,
			streams[i].priority, streams[i].flag);
	for (int64_t pid = A; pid <= B; pid += B - A)
		if (e->form == EXPORT_OLD)
			export_row(e, "TARGET_INFO_CUDA_NULL_STREAM",
				"streamId, processId, deviceId, contextId", "7, %lld, 0, 1", pid);
		else
			export_row(e, "TARGET_INFO_CUDA_CONTEXT_INFO",
				"nullStreamId, processId, deviceId, contextId, isGreenContext",
				"7, %lld, 0, 1, 0", pid);
}

static void add_work(struct export *e)
{
	struct exported k = {.pid = A,
		.tid = A,
		.stream = 13,
		.name = "first",
		.correlation = 100,
		.call_ns = 10 * US,
		.start_ns = 14 * US,
		.end_ns = 50 * US,
		.grid = 40,
		.threads = 128,
		.registers = 40,
		.shared_memory = 2048,
		.carve_out = 32768};
	export_kernel(e, &k); /* it starts before its call returns */
	struct exported other = k;
	other.pid = other.tid = B; /* with the same correlation number */
	other.name = "of another process";
	other.call_ns += 2 * US;
	other.start_ns += 40 * US;
	other.end_ns += 60 * US;
	export_kernel(e, &other);
	/* Two nodes of one launch of a graph. */
	k = (struct exported){.pid = A,
		.tid = A,
		.stream = 14,
		.name = "node",
		.call = "cudaGraphLaunch_v10000",
		.correlation = 101,
		.call_ns = 60 * US,
		.start_ns = 70 * US,
		.end_ns = 80 * US,
		.graph_node = 5};
	export_kernel(e, &k);
	k.call = "";
	k.graph_node = 6;
	k.start_ns = 80 * US;
	k.end_ns = 90 * US;
	export_kernel(e, &k);
	if (e->form == EXPORT_NEW) {
		k = (struct exported){.pid = A,
			.tid = A + 1,
			.stream = 15,
			.name = "green",
			.correlation = 102,
			.call_ns = 95 * US,
			.start_ns = 101 * US,
			.end_ns = 120 * US,
			.green_context = 9};
		export_kernel(e, &k);
	}
	/* A pageable copy returns before it ends; a call that waits; the copies of the driver. */
	export_copy(e, &(struct exported){.pid = A,
			       .tid = A,
			       .call = "cudaMemcpy_v3020",
			       .correlation = 103,
			       .call_ns = 130 * US,
			       .return_ns = 150 * US,
			       .start_ns = 140 * US,
			       .end_ns = 176 * US,
			       .bytes = 65536,
			       .kind = 1,
			       .from = 0,
			       .to = 2});
	export_copy(e, &(struct exported){.pid = A,
			       .tid = A,
			       .stream = 13,
			       .correlation = 104,
			       .call_ns = 180 * US,
			       .start_ns = 185 * US,
			       .end_ns = 190 * US,
			       .bytes = 4096,
			       .kind = 2,
			       .from = 2,
			       .to = 1});
	export_copy(e, &(struct exported){.pid = A,
			       .tid = A,
			       .stream = 13,
			       .correlation = 105,
			       .call_ns = 181 * US,
			       .start_ns = 195 * US,
			       .end_ns = 199 * US,
			       .bytes = 1,
			       .kind = 8,
			       .from = 2,
			       .to = 2});
	export_memset(e, &(struct exported){.pid = A,
				 .tid = A,
				 .stream = 13,
				 .correlation = 106,
				 .call_ns = 190 * US,
				 .start_ns = 200 * US,
				 .end_ns = 200 * US + 600,
				 .bytes = 16777216});
}

static void add_waits(struct export *e)
{
	static const struct {
		const char *call;
		int64_t correlation, type, stream, event;
	} waits[] = {{"cudaStreamSynchronize_v3020", 201, 3, 13, 4294967295},
		{"cudaStreamWaitEvent_v3020", 202, 2, 14, 21}, {"cudaEventSynchronize_v3020", 203, 1, 0, 21},
		{"cudaDeviceSynchronize_v3020", 204, 4, 0, 4294967295}};
	for (int i = 0; i < 2; i++) { /* the event is recorded twice */
		e->correlation = 110 + i;
		export_call(e, "cudaEventRecord_v3020", A, A, 202 * US + i * 20 * US, 203 * US + i * 20 * US);
		export_row(e, "CUPTI_ACTIVITY_KIND_CUDA_EVENT",
			"deviceId, contextId, streamId, correlationId, globalPid, eventId",
			"0, 1, 13, %lld, %lld, 21", e->correlation, export_process(A));
	}
	for (int i = 0; i < 4; i++) {
		int64_t start = 210 * US + i * 10 * US;
		e->correlation = waits[i].correlation - 1;
		export_call(e, waits[i].call, A, A, start, start + 5 * US);
		export_row(e, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
			"start, end, deviceId, contextId, streamId, correlationId, globalPid, syncType, "
			"eventId",
			"%lld, %lld, 0, 1, %lld, %lld, %lld, %lld, %lld", start + US, start + 4 * US,
			waits[i].stream, e->correlation, export_process(A), waits[i].type, waits[i].event);
	}
}

static void add_host(struct export *e)
{
	int64_t thread = export_thread(A, A);
	export_row(e, "NVTX_EVENTS", "start, end, eventType, text, globalTid",
		"%lld, %lld, 59, 'frame', %lld", 5 * US, 250 * US, thread);
	export_row(e, "NVTX_EVENTS", "start, end, eventType, textId, globalTid", "%lld, %lld, 60, %lld, %lld",
		8 * US, 20 * US, export_string(e, "registered"), thread);
	export_row(e, "NVTX_EVENTS", "start, eventType, text, globalTid", "%lld, 59, 'open', %lld", 9 * US,
		thread);
	export_row(e, "NVTX_EVENTS", "start, eventType, text, globalTid", "%lld, 34, 'mark', %lld", 9 * US,
		thread);
	static const struct {
		int64_t start, cpu, in, tid, state;
	} events[] = {{2, 1, 1, A, 0}, {30, 1, 0, A, 1}, {40, 2, 1, A, 0}, {215, 2, 0, A, 2},
		{3, 0, 1, 77, 0}, {4, 0, 0, 77, 1}};
	for (int i = 0; i < 6; i++)
		export_row(e, "SCHED_EVENTS",
			e->form == EXPORT_NEW ? "start, cpu, isSchedIn, globalTid, threadState"
					      : "start, cpu, isSchedIn, globalTid",
			e->form == EXPORT_NEW ? "%lld, %lld, %lld, %lld, %lld" : "%lld, %lld, %lld, %lld",
			events[i].start * US, events[i].cpu, events[i].in, export_thread(A, events[i].tid),
			events[i].state);
	static const int64_t switches[][3] = {{8, A, 10}, {9, A, 12}, {7, A, 52}, {8, B, 52}, {7, B, 112}};
	for (int i = 0; i < 5; i++)
		export_row(e, "GPU_CONTEXT_SWITCH_EVENTS",
			"tag, seqNo, contextId, timestamp, globalPid, gpuId", "%lld, %d, 1, %lld, %lld, 0",
			switches[i][0], i, switches[i][2] * US, export_process(switches[i][1]));
	export_row(e, "PROCESSES", "globalPid, pid, name", "%lld, %d, 'demo'", export_process(A), A);
	export_row(e, "ThreadNames", "nameId, globalTid", "%lld, %lld", export_string(e, "main"), thread);
	export_row(e, "PROFILER_OVERHEAD", "start, end", "0, %lld", 2 * MS);
	for (int i = 0; i < 7; i++)
		export_row(e, "DIAGNOSTIC_EVENT", "timestamp, severity, text", "%d, %d, 'warning %d'", i,
			1 + i % 3, i);
	export_row(e, "TARGET_INFO_SYSTEM_ENV", "name, value", "'SoftwarePlatform', 'Windows'");
}

void export_everything(struct export *e)
{
	add_streams(e);
	add_work(e);
	/* Old exports have some calls twice, under two names and classes. */
	if (e->form == EXPORT_OLD)
		export_row(e, "CUPTI_ACTIVITY_KIND_RUNTIME",
			"start, end, eventClass, globalTid, correlationId, nameId",
			"%lld, %lld, 67, %lld, 103, %lld", 129 * US, 151 * US, export_thread(A, A),
			export_string(e, "cudaMemcpy"));
	add_waits(e);
	add_host(e);
}

/* ---- frames ---- */

void export_frames(struct export *e, int64_t jobs)
{
	for (int64_t i = 0; i < jobs; i++) {
		int64_t at = i * 10 * MS + 1 * MS;
		struct exported o = {.pid = A, .tid = A, .stream = 13, .bytes = 1 << 20, .from = 1};
		export_row(e, "NVTX_EVENTS", "start, end, eventType, text, globalTid",
			"%lld, %lld, 59, 'frame', %lld", at, at + 6 * MS, export_thread(A, A));
		o.call_ns = at + 100 * US;
		o.start_ns = o.call_ns + 6 * US;
		o.end_ns = o.start_ns + 90 * US;
		export_copy(e, &o);
		o.name = "detect";
		o.grid = 80;
		o.call_ns += 20 * US;
		o.start_ns = o.end_ns + 2 * US;
		o.end_ns = o.start_ns + 2 * MS + i % 3 * 50 * US;
		export_kernel(e, &o);
		o.name = "track";
		o.grid = 20;
		o.call_ns += 20 * US;
		o.start_ns = o.end_ns + 1 * US;
		o.end_ns = o.start_ns + 1 * MS;
		export_kernel(e, &o);
		o.kind = 2;
		o.from = 2;
		o.to = 1;
		o.call_ns += 20 * US;
		o.start_ns = o.end_ns + 2 * US;
		o.end_ns = o.start_ns + 90 * US;
		export_copy(e, &o);
		int64_t correlation = export_call(
			e, "cudaStreamSynchronize_v3020", A, A, o.call_ns + 30 * US, o.end_ns + 10 * US);
		export_row(e, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
			"start, end, deviceId, contextId, streamId, correlationId, globalPid, syncType, "
			"eventId",
			"%lld, %lld, 0, 1, 13, %lld, %lld, 3, 4294967295", o.call_ns + 31 * US,
			o.end_ns + 9 * US, correlation, export_process(A));
	}
}

/* ---- many ---- */

void export_many(struct export *e, int64_t count, int64_t streams)
{
	int64_t name = export_string(e, "kernel"), call = export_string(e, "cudaLaunchKernel_v7000");
	export_table(e, "CUPTI_ACTIVITY_KIND_KERNEL");
	export_table(e, "CUPTI_ACTIVITY_KIND_RUNTIME");
	export_table(e, "TARGET_INFO_CUDA_STREAM");
	export_sql(e,
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %lld) "
		"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, "
		"correlationId, "
		"globalPid, demangledName, shortName, registersPerThread, gridX, gridY, gridZ, blockX, "
		"blockY, blockZ, "
		"staticSharedMemory, dynamicSharedMemory) SELECT 1000000000 + i * 10000 + 6000, "
		"1000000000 + i * 10000 + 15000, 0, 1, 13 + i %% %lld, i, %lld, %lld, %lld, 32, 40, 1, "
		"1, 256, 1, 1, 0, "
		"0 FROM n",
		count, streams, export_process(A), name, name);
	export_sql(e,
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %lld) "
		"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, eventClass, globalTid, "
		"correlationId, nameId, "
		"returnValue) SELECT 1000000000 + i * 10000, 1000000000 + i * 10000 + 5000, 0, %lld, i, "
		"%lld, 0 FROM n",
		count, export_thread(A, A), call);
	export_sql(e,
		"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < %lld) "
		"INSERT INTO TARGET_INFO_CUDA_STREAM (streamId, processId, contextId, priority, flag) "
		"SELECT 13 + i, %d, 1, 0, 2 FROM n",
		streams, A);
}
