/* tests/support/export_steps.c - exports of any size, of a loop whose steps are alike: as fast as SQLite
 * writes rows. */
#include "tests/support/exports.h"

enum { PID = 3003 };
#define NUMBERS "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < %lld) "

/* Operation i is number i % 100 of step i / 100, every 1.5 ms. A step is issued every 4 us; an operation
 * takes 10 us with the gap behind it. The first and the last of a step are copies, two others memsets.
 * Kernels are of EXPORT_STEP_KERNELS names, and fill the GPU. */
#define CALL_NS "(1000000000 + i / 100 * 1500000 + i %% 100 * 4000)"
#define START_NS "(1000006000 + i / 100 * 1500000 + i %% 100 * 10000)"
#define LENGTH_NS "(9000 + i %% 7 * 100 + i / 100 %% 5 * 20)"
#define KERNELS "i %% 100 NOT IN (0, 30, 60, 99)"
#define PLACE "0, 1, 13 + i %% %lld, i + 1, %lld" /* device, context, stream, correlation, process */

static void add_kernels(struct export *e, int64_t count, int64_t streams)
{
	int64_t first = e->strings;
	for (int k = 0; k < EXPORT_STEP_KERNELS; k++)
		export_row(e, "StringIds", "id, value",
			"%lld, 'void app::kernel_%d<float, 4>(float const *, float *)'", e->strings++, k);
	export_table(e, "CUPTI_ACTIVITY_KIND_KERNEL");
	export_sql(e,
		NUMBERS "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, "
			"correlationId, "
			"globalPid, demangledName, shortName, mangledName, launchType, cacheConfig, "
			"registersPerThread, gridX, "
			"gridY, gridZ, blockX, blockY, blockZ, staticSharedMemory, dynamicSharedMemory, "
			"localMemoryPerThread, "
			"localMemoryTotal, gridId, sharedMemoryExecuted) SELECT " START_NS ", " START_NS
			" + " LENGTH_NS ", " PLACE
			", %lld + i %% 100 %% %d, %lld + i %% 100 %% %d, %lld + i %% 100 %% %d, 1, 0, 32, "
			"80, 1, 1, 256, 1, 1, 0, 0, 0, 91750400, i + 1, 32768 FROM n WHERE " KERNELS,
		count, streams, export_process(PID), first, EXPORT_STEP_KERNELS, first, EXPORT_STEP_KERNELS,
		first, EXPORT_STEP_KERNELS);
}

static void add_copies(struct export *e, int64_t count, int64_t streams)
{
	export_table(e, "CUPTI_ACTIVITY_KIND_MEMCPY");
	export_table(e, "CUPTI_ACTIVITY_KIND_MEMSET");
	export_sql(e,
		NUMBERS "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, streamId, "
			"correlationId, "
			"globalPid, bytes, copyKind, srcKind, dstKind) SELECT " START_NS ", " START_NS
			" + 9000, " PLACE ", 98304, iif(i %% 100 = 0, 1, 2), iif(i %% 100 = 0, 1, 2), "
			"iif(i %% 100 = 0, 2, 1) FROM n WHERE i %% 100 IN (0, 99)",
		count, streams, export_process(PID));
	export_sql(e,
		NUMBERS "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET (start, end, deviceId, contextId, streamId, "
			"correlationId, "
			"globalPid, value, bytes, memKind) SELECT " START_NS ", " START_NS " + 2000, " PLACE
			", 0, 4096, 2 FROM n WHERE i %% 100 IN (30, 60)",
		count, streams, export_process(PID));
}

/* Each operation, and behind each step a call that waits for its stream. */
static void add_calls(struct export *e, int64_t count, int64_t streams)
{
	int64_t launch = export_string(e, "cudaLaunchKernel_v7000"),
		copy = export_string(e, "cudaMemcpyAsync_v3020"),
		memset = export_string(e, "cudaMemsetAsync_v3020"),
		wait = export_string(e, "cudaStreamSynchronize_v3020");
	export_table(e, "CUPTI_ACTIVITY_KIND_RUNTIME");
	export_table(e, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION");
	export_sql(e,
		NUMBERS "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, eventClass, globalTid, "
			"correlationId, nameId, "
			"returnValue) SELECT " CALL_NS ", " CALL_NS
			" + 3000, 0, %lld, i + 1, CASE WHEN " KERNELS
			" THEN %lld WHEN i %% 100 IN (0, 99) THEN %lld ELSE %lld END, 0 FROM n",
		count, export_thread(PID, PID), launch, copy, memset);
	export_sql(e,
		NUMBERS "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, eventClass, globalTid, "
			"correlationId, nameId, "
			"returnValue) SELECT " CALL_NS " + 4000, " START_NS
			" + 12000, 0, %lld, %lld + i, %lld, 0 FROM n "
			"WHERE i %% 100 = 99",
		count, export_thread(PID, PID), count, wait);
	export_sql(e,
		NUMBERS
		"INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start, end, deviceId, contextId, streamId, "
		"correlationId, globalPid, syncType, eventId) SELECT " CALL_NS " + 4500, " START_NS
		" + 11500, 0, 1, 13 + i %% %lld, %lld + i, %lld, 3, 4294967295 FROM n WHERE i %% 100 = 99",
		count, streams, count, export_process(PID));
}

void export_steps(struct export *e, int64_t count, int64_t streams)
{
	add_kernels(e, count, streams);
	add_copies(e, count, streams);
	add_calls(e, count, streams);
	export_table(e, "NVTX_EVENTS");
	export_sql(e,
		NUMBERS "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid) SELECT " CALL_NS
			" - 2000, " CALL_NS " + 1020000, 59, 'step', %lld FROM n WHERE i %% 100 = 0",
		count, export_thread(PID, PID));
	export_table(e, "TARGET_INFO_CUDA_STREAM");
	export_sql(e,
		NUMBERS
		"INSERT INTO TARGET_INFO_CUDA_STREAM (streamId, processId, contextId, priority, flag) "
		"SELECT 13 + i, %d, 1, 0, 2 FROM n",
		streams, PID);
}
