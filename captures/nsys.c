/* captures/nsys.c - reads an export of Nsight Systems (nsys export --type sqlite): what is on the machine,
 * and in which order the tables are read.
 *
 * Tables and columns are those of exports of 2021 to 2025; the schema is documented in each export itself
 * (its CREATE statements have comments). */
#include "captures/nsys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/sql.h"

/* ---- processes and threads ---- */

static bool name_processes(struct nsys *n)
{
	struct nsys_rows rows = nsys_rows(&n->db, "PROCESSES", "globalPid name", NULL);
	while (nsys_next(&rows)) {
		uint32_t process = build_find_process(n->c, nsys_integer(&rows, 0, 0) / NSYS_THREADS);
		if (process == CAPTURE_NONE)
			continue;
		n->c->processes[process].name = build_text(n->c, nsys_text(&rows, 1), n->err);
		rows.ok = n->c->processes[process].name != NULL;
	}
	return nsys_end(&rows);
}

static bool name_threads(struct nsys *n)
{
	struct nsys_rows rows = nsys_rows(&n->db, "ThreadNames", "globalTid nameId", NULL);
	while (nsys_next(&rows)) {
		uint32_t thread = nsys_find_thread(n, nsys_integer(&rows, 0, 0));
		if (thread != CAPTURE_NONE)
			n->c->threads[thread].name = nsys_string(n, nsys_integer(&rows, 1, -1));
	}
	return nsys_end(&rows);
}

/* ---- GPUs and streams ---- */

/* A row's `id` is not the number that operations have; that is cuDevice. GPUs without SMs are no CUDA
 * devices. */
static bool read_gpu(struct nsys *n, const struct nsys_rows *rows)
{
	uint32_t sms = nsys_count(rows, 3);
	if (sms == 0)
		return true;
	int64_t device = nsys_integer(rows, 1, nsys_integer(rows, 0, 0));
	uint32_t index = build_device(n->c, device, n->err);
	if (index == CAPTURE_NONE)
		return false;
	struct capture_gpu *gpu = &n->c->gpus[index];
	if (gpu->sms > 0)
		return true; /* of another machine: operations name the first */
	*gpu = (struct capture_gpu){
		.name = build_text(n->c, nsys_text(rows, 2), n->err),
		.device = device,
		.sms = sms,
		.warps_per_sm = nsys_count(rows, 4),
		.blocks_per_sm = nsys_count(rows, 5),
		.registers_per_sm = nsys_count(rows, 6),
		.copy_engines = nsys_count(rows, 7),
		.shared_memory_per_sm = nsys_count(rows, 8),
		.shared_memory_per_block = nsys_count(rows, 9),
		.compute_major = (int32_t)(nsys_count(rows, 10) & INT32_MAX),
		.compute_minor = (int32_t)(nsys_count(rows, 11) & INT32_MAX),
		.memory_bandwidth = nsys_integer(rows, 12, 0),
	};
	return gpu->name != NULL;
}

static bool read_gpus(struct nsys *n)
{
	struct nsys_rows rows = nsys_rows(&n->db, "TARGET_INFO_GPU",
		"id cuDevice name smCount maxWarpsPerSm maxBlocksPerSm maxRegistersPerSm asyncEngines "
		"maxShmemPerSm "
		"maxShmemPerBlock computeMajor computeMinor memoryBandwidth",
		NULL);
	while (nsys_next(&rows))
		rows.ok = read_gpu(n, &rows);
	return nsys_end(&rows);
}

/* Calls `use` for the streams that a row is about, which names its process by the PID alone; the first three
 * columns are PID, context and number. */
static void for_streams(struct nsys *n, const struct nsys_rows *rows,
	void (*use)(struct capture_stream *, const struct nsys_rows *))
{
	struct capture *c = n->c;
	for (uint32_t i = 0; i < c->process_count; i++) {
		if (c->processes[i].pid % NSYS_THREADS != nsys_integer(rows, 0, -1))
			continue;
		uint32_t stream =
			build_find_stream(c, i, nsys_integer(rows, 1, -1), nsys_integer(rows, 2, -1));
		if (stream != CAPTURE_NONE)
			use(&c->streams[stream], rows);
	}
}

/* Priorities were written as unsigned numbers of 32 bits: 4294967291 is -5. */
static void describe(struct capture_stream *s, const struct nsys_rows *rows)
{
	int64_t flag = nsys_integer(rows, 3, 0);
	if (flag >= CAPTURE_STREAM_UNKNOWN && flag <= CAPTURE_STREAM_NULL)
		s->kind = (enum capture_stream_kind)flag;
	s->priority_known = !nsys_null(rows, 4);
	s->priority = (int32_t)(uint32_t)nsys_integer(rows, 4, 0);
}

static bool describe_streams(struct nsys *n)
{
	struct nsys_rows rows = nsys_rows(
		&n->db, "TARGET_INFO_CUDA_STREAM", "processId contextId streamId flag priority", NULL);
	while (nsys_next(&rows))
		for_streams(n, &rows, describe);
	return nsys_end(&rows);
}

static void mark_null(struct capture_stream *s, const struct nsys_rows *rows)
{
	(void)rows;
	s->kind = CAPTURE_STREAM_NULL;
}

static bool mark_null_streams(struct nsys *n, const char *table, const char *columns)
{
	struct nsys_rows rows = nsys_rows(&n->db, table, columns, NULL);
	while (nsys_next(&rows))
		for_streams(n, &rows, mark_null);
	return nsys_end(&rows);
}

/* ---- the file ---- */

/* Tables that every export has, under the names of different versions; or one of the tables of work. */
static bool is_export(struct nsys *n)
{
	static const char *const tables[] = {"META_DATA_EXPORT", "EXPORT_META_DATA",
		"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_RUNTIME"};
	int64_t application = 0;
	bool has = false;
	for (size_t i = 0; !has && i < sizeof(tables) / sizeof(*tables); i++)
		if (!nsys_has(&n->db, tables[i], &has))
			return false;
	if (has)
		return true;
	if (!sql_query_integer(n->db.db, "PRAGMA application_id", &application, n->db.file, n->err))
		return false;
	return error_set(n->err, STATUS_INPUT,
		application == RECORDING_APPLICATION_ID
			? "%s: this is a recording of cegsim, not an export of Nsight Systems"
			: "%s: this SQLite file is not an export of Nsight Systems (nsys export --type "
			  "sqlite)",
		n->db.file);
}

static bool read_maker(struct nsys *n, const char *table)
{
	char maker[160] = "", version[80] = "";
	struct nsys_rows rows = nsys_rows(&n->db, table, "name value", NULL);
	while (nsys_next(&rows)) {
		const char *name = nsys_text(&rows, 0), *value = nsys_text(&rows, 1);
		if (name && value && strcmp(name, "EXPORT_PRODUCT_NAME") == 0)
			snprintf(maker, sizeof(maker), "%s", value);
		if (name && value && strcmp(name, "EXPORT_PRODUCT_VERSION") == 0)
			snprintf(version, sizeof(version), "%s", value);
	}
	if (!nsys_end(&rows))
		return false;
	size_t length = strlen(maker);
	if (length + 1 < sizeof(maker) && version[0])
		snprintf(maker + length, sizeof(maker) - length, " %s", version);
	if (maker[0])
		n->c->made_by = build_text(n->c, maker, n->err);
	return n->c->made_by != NULL;
}

static bool read_system(struct nsys *n)
{
	struct nsys_rows rows = nsys_rows(&n->db, "TARGET_INFO_SYSTEM_ENV", "name value", NULL);
	while (nsys_next(&rows)) {
		const char *name = nsys_text(&rows, 0), *value = nsys_text(&rows, 1);
		if (name && value && strcmp(name, "SoftwarePlatform") == 0)
			n->c->windows = strstr(value, "Windows") != NULL;
	}
	return nsys_end(&rows);
}

static bool has_work(struct nsys *n)
{
	return n->c->operation_count > 0 ||
	       error_set(n->err, STATUS_INPUT,
		       "%s: the export holds no work of a GPU: no kernels, copies or memsets (nsys profile "
		       "--trace=cuda records them)",
		       n->db.file);
}

static bool read_all(struct nsys *n)
{
	return is_export(n) && read_maker(n, "META_DATA_EXPORT") && read_maker(n, "EXPORT_META_DATA") &&
	       read_system(n) && nsys_read_strings(n) && read_gpus(n) && nsys_read_calls(n) &&
	       nsys_read_work(n) && has_work(n) && nsys_read_waits(n) && nsys_read_host(n) &&
	       describe_streams(n) &&
	       mark_null_streams(n, "TARGET_INFO_CUDA_CONTEXT_INFO", "processId contextId nullStreamId") &&
	       mark_null_streams(n, "TARGET_INFO_CUDA_NULL_STREAM", "processId contextId streamId") &&
	       name_processes(n) && name_threads(n);
}

bool nsys_read(struct capture *c, const char *path, struct error *err)
{
	struct nsys n = {.c = c, .err = err};
	c->made_by = "";
	c->resolution_ns = 1;
	bool ok = nsys_open(&n.db, path, err) && read_all(&n) && build_finish(c, err);
	nsys_close(&n.db);
	for (uint32_t i = 0; i < c->process_count; i++)
		c->processes[i].pid %= NSYS_THREADS;
	free(n.string_ids);
	free(n.strings);
	free(n.calls);
	return ok;
}
