/* tests/support/exports.c - see tests/support/exports.h. */
#include "tests/support/exports.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- SQL ---- */

static void run(struct export *e, const char *sql)
{
	char *trouble = NULL;
	if (!sql || sqlite3_exec(e->db, sql, NULL, NULL, &trouble) != SQLITE_OK) {
		fprintf(stderr, "exports.c: %s: %s\n", sql ? sql : "out of memory", trouble ? trouble : "");
		abort();
	}
}

void export_sql(struct export *e, const char *sql, ...)
{
	va_list args;
	va_start(args, sql);
	char *text = sqlite3_vmprintf(sql, args);
	va_end(args);
	run(e, text);
	sqlite3_free(text);
}

/* ---- tables ---- */

/* Columns of numbers; those behind '+' are new in 2024; those behind '$' are texts.
 */
static const struct {
	const char *name, *columns;
} tables[] = {
	{"CUPTI_ACTIVITY_KIND_KERNEL",
		"start end deviceId contextId +greenContextId streamId correlationId globalPid demangledName "
		"shortName mangledName launchType cacheConfig registersPerThread gridX gridY gridZ "
		"blockX blockY "
		"blockZ staticSharedMemory dynamicSharedMemory localMemoryPerThread localMemoryTotal gridId "
		"sharedMemoryExecuted graphNodeId sharedMemoryLimitConfig"},
	{"CUPTI_ACTIVITY_KIND_MEMCPY",
		"start end deviceId contextId +greenContextId streamId correlationId globalPid bytes "
		"copyKind "
		"deprecatedSrcId srcKind dstKind srcDeviceId srcContextId dstDeviceId dstContextId "
		"migrationCause "
		"graphNodeId virtualAddress"},
	{"CUPTI_ACTIVITY_KIND_MEMSET",
		"start end deviceId contextId +greenContextId streamId correlationId globalPid value bytes "
		"graphNodeId memKind"},
	{"CUPTI_ACTIVITY_KIND_RUNTIME",
		"start end eventClass globalTid correlationId nameId returnValue callchainId"},
	{"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
		"start end deviceId contextId +greenContextId streamId correlationId globalPid syncType "
		"eventId"},
	{"CUPTI_ACTIVITY_KIND_CUDA_EVENT", "deviceId contextId streamId correlationId globalPid eventId"},
	{"TARGET_INFO_GPU",
		"vmId id $name $busLocation isDiscrete l2CacheSize totalMemory memoryBandwidth "
		"clockRate smCount "
		"pwGpuId $uuid luid $chipName cuDevice $ctxswDevPath $ctrlDevPath revision nodeMask "
		"constantMemory maxIPC maxRegistersPerBlock maxShmemPerBlock maxShmemPerBlockOptin "
		"maxShmemPerSm "
		"maxRegistersPerSm threadsPerWarp asyncEngines maxWarpsPerSm maxBlocksPerSm "
		"maxThreadsPerBlock "
		"maxBlockDimX maxBlockDimY maxBlockDimZ maxGridDimX maxGridDimY maxGridDimZ computeMajor "
		"computeMinor smMajor smMinor"},
	{"TARGET_INFO_CUDA_STREAM", "streamId hwId vmId processId contextId priority flag"},
	{"TARGET_INFO_CUDA_NULL_STREAM", "streamId hwId vmId processId deviceId contextId"},
	{"TARGET_INFO_CUDA_CONTEXT_INFO",
		"nullStreamId hwId vmId processId deviceId contextId parentContextId isGreenContext"},
	{"TARGET_INFO_SYSTEM_ENV", "globalVid devStateName $name $nameEnum $value"},
	{"NVTX_EVENTS",
		"start end eventType rangeId category color $text globalTid endGlobalTid textId domainId "
		"uint64Value int64Value doubleValue uint32Value int32Value floatValue jsonTextId $jsonText"},
	{"SCHED_EVENTS", "start cpu isSchedIn globalTid +threadState +threadBlock"},
	{"GPU_CONTEXT_SWITCH_EVENTS", "tag vmId seqNo contextId timestamp globalPid gpuId"},
	{"PROFILER_OVERHEAD", "start end globalTid nameId returnValue"},
	{"DIAGNOSTIC_EVENT", "timestamp timestampType source severity $text globalPid"},
	{"PROCESSES", "globalPid pid $name"},
	{"ThreadNames", "nameId priority globalTid"},
	{"StringIds", "id $value"},
	{"META_DATA_EXPORT", "$name $value"},
	{"EXPORT_META_DATA", "$name $value"},
};

static const char *columns_of(const char *table)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		if (strcmp(tables[i].name, table) == 0)
			return tables[i].columns;
	fprintf(stderr, "exports.c: no export has the table '%s'\n", table);
	abort();
}

void export_table(struct export *e, const char *table)
{
	char *sql = sqlite3_mprintf("CREATE TABLE IF NOT EXISTS %s (", table);
	const char *separator = "";
	for (const char *at = columns_of(table); *at;) {
		bool newer = *at == '+';
		at += newer;
		bool text = *at == '$';
		at += text;
		int length = (int)strcspn(at, " ");
		if (!newer || e->form == EXPORT_NEW) {
			sql = sqlite3_mprintf(
				"%z%s%.*s %s", sql, separator, length, at, text ? "TEXT" : "INTEGER");
			separator = ", ";
		}
		at += length;
		at += strspn(at, " ");
	}
	sql = sqlite3_mprintf("%z)", sql);
	run(e, sql);
	sqlite3_free(sql);
}

void export_row(struct export *e, const char *table, const char *columns, const char *values, ...)
{
	va_list args;
	va_start(args, values);
	char *cells = sqlite3_vmprintf(values, args);
	va_end(args);
	export_table(e, table);
	char *sql = sqlite3_mprintf("INSERT INTO %s (%s) VALUES (%s)", table, columns, cells);
	run(e, sql);
	sqlite3_free(sql);
	sqlite3_free(cells);
}

int64_t export_string(struct export *e, const char *text)
{
	export_row(e, "StringIds", "id, value", "%lld, %Q", e->strings, text);
	return e->strings++;
}

/* ---- the file ---- */

/* The machine is part of the number. */
#define MACHINE (INT64_C(1) << 56)

int64_t export_process(int64_t pid)
{
	return MACHINE + (pid << 24);
}

int64_t export_thread(int64_t pid, int64_t tid)
{
	return export_process(pid) + tid;
}

void export_begin(struct export *e, const char *path, enum export_form form)
{
	*e = (struct export){.form = form};
	unlink(path);
	if (sqlite3_open(path, &e->db) != SQLITE_OK)
		abort();
	run(e, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
	const char *about = form == EXPORT_OLD ? "EXPORT_META_DATA" : "META_DATA_EXPORT";
	export_row(e, about, "name, value", "'EXPORT_PRODUCT_NAME', 'NVIDIA Nsight Systems'");
	export_row(e, about, "name, value", "'EXPORT_PRODUCT_VERSION', %Q",
		form == EXPORT_OLD ? "2022.2.1.31" : "2024.5.1.113");
	export_row(e, "TARGET_INFO_GPU",
		"id, cuDevice, name, smCount, maxWarpsPerSm, maxBlocksPerSm, maxRegistersPerSm, "
		"asyncEngines, "
		"maxShmemPerSm, maxShmemPerBlock, computeMajor, computeMinor, memoryBandwidth",
		"3, 0, 'Test GPU', 10, 64, 0, 65536, 2, 98304, 49152, 6, 1, 192000000000");
}

void export_end(struct export *e)
{
	run(e, "COMMIT");
	if (sqlite3_close(e->db) != SQLITE_OK)
		abort();
	e->db = NULL;
}

/* ---- work ---- */

static int64_t usual(int64_t value, int64_t otherwise)
{
	return value ? value : otherwise;
}

static void add_call(
	struct export *e, const char *name, int64_t thread, int64_t correlation, int64_t start, int64_t end)
{
	export_row(e, "CUPTI_ACTIVITY_KIND_RUNTIME",
		"start, end, eventClass, globalTid, correlationId, nameId, returnValue",
		"%lld, %lld, 0, %lld, %lld, %lld, 0", start, end, thread, correlation,
		export_string(e, name));
}

int64_t export_call(
	struct export *e, const char *name, int64_t pid, int64_t tid, int64_t start_ns, int64_t end_ns)
{
	add_call(e, name, export_thread(pid, tid), ++e->correlation, start_ns, end_ns);
	return e->correlation;
}

/* The call, and the correlation number. */
static int64_t issue(struct export *e, const struct exported *o, const char *call)
{
	int64_t correlation = o->correlation ? o->correlation : ++e->correlation;
	call = o->call ? o->call : call;
	if (*call)
		add_call(e, call, export_thread(o->pid, o->tid), correlation, o->call_ns,
			usual(o->return_ns, o->call_ns + 5000));
	return correlation;
}

#define COMMON "start, end, deviceId, contextId, streamId, correlationId, globalPid, graphNodeId"
#define COMMON_VALUES "%lld, %lld, %lld, %lld, %lld, %lld, %lld, nullif(%lld, 0)"
#define COMMON_OF(o, correlation)                                                                            \
	(o)->start_ns, (o)->end_ns, (o)->device, usual((o)->context, 1), usual((o)->stream, 7), correlation, \
		export_process((o)->pid), (o)->graph_node

int64_t export_kernel(struct export *e, const struct exported *o)
{
	int64_t correlation = issue(e, o, "cudaLaunchKernel_v7000");
	int64_t name = export_string(e, o->name ? o->name : "kernel");
	export_row(e, "CUPTI_ACTIVITY_KIND_KERNEL",
		COMMON ", demangledName, shortName, registersPerThread, gridX, gridY, gridZ, blockX, blockY, "
		       "blockZ, staticSharedMemory, dynamicSharedMemory, sharedMemoryExecuted",
		COMMON_VALUES ", %lld, %lld, %lld, %lld, 1, 1, %lld, 1, 1, %lld, 0, nullif(%lld, 0)",
		COMMON_OF(o, correlation), name, name, usual(o->registers, 32), usual(o->grid, 1),
		usual(o->threads, 256), o->shared_memory, o->carve_out);
	if (o->green_context)
		export_sql(e,
			"UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET greenContextId = %lld "
			"WHERE rowid = last_insert_rowid()",
			o->green_context);
	return correlation;
}

int64_t export_copy(struct export *e, const struct exported *o)
{
	int64_t correlation = issue(e, o, "cudaMemcpyAsync_v3020");
	export_row(e, "CUPTI_ACTIVITY_KIND_MEMCPY", COMMON ", bytes, copyKind, srcKind, dstKind",
		COMMON_VALUES ", %lld, %lld, %lld, %lld", COMMON_OF(o, correlation), o->bytes,
		usual(o->kind, 1), o->from, usual(o->to, 2));
	return correlation;
}

int64_t export_memset(struct export *e, const struct exported *o)
{
	int64_t correlation = issue(e, o, "cudaMemsetAsync_v3020");
	export_row(e, "CUPTI_ACTIVITY_KIND_MEMSET", COMMON ", value, bytes, memKind",
		COMMON_VALUES ", 0, %lld, %lld", COMMON_OF(o, correlation), o->bytes, usual(o->to, 2));
	return correlation;
}
