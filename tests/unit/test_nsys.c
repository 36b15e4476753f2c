/* tests/unit/test_nsys.c - exports of Nsight Systems, written by tests/support/exports.h and real ones: what
 * is read of them, and every trap that real exports hold. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "captures/capture.h"
#include "tests/support/exports.h"
#include "tests/support/recordings.h"
#include "tests/support/test.h"

static char path[] = "/tmp/cegsim-test-nsys-XXXXXX";
static struct export e;
static struct capture c;
static struct diagnostics d;
static struct error err;

static int make_path(void **state)
{
	int file = mkstemp(path);
	return file < 0 ? -1 : close(file);
}

static int remove_path(void **state)
{
	return unlink(path);
}

ALL_TESTS(make_path, remove_path);

static bool read_file(const char *file)
{
	err = (struct error){0};
	diagnostics_init(&d, file);
	return capture_read(&c, file, &d, &err);
}

static bool read_export(void)
{
	export_end(&e);
	return read_file(path);
}

static int finish(void **state)
{
	capture_finish(&c);
	diagnostics_finish(&d);
	return 0;
}

/* ---- looking at a capture ---- */

static const struct capture_operation *operation(const char *name, int64_t start_ns)
{
	for (uint32_t i = 0; i < c.operation_count; i++)
		if (strcmp(c.operations[i].name, name) == 0 && c.operations[i].start_ns == start_ns)
			return &c.operations[i];
	fail_msg("no operation '%s' starts at %lld", name, (long long)start_ns);
	return NULL;
}

static const struct capture_stream *stream(int64_t pid, int64_t number)
{
	for (uint32_t i = 0; i < c.stream_count; i++)
		if (c.streams[i].number == number && c.processes[c.streams[i].process].pid == pid)
			return &c.streams[i];
	fail_msg("process %lld has no stream %lld", (long long)pid, (long long)number);
	return NULL;
}

static bool noted(const char *text)
{
	for (uint32_t i = 0; i < c.note_count; i++)
		if (strstr(c.notes[i], text))
			return true;
	return false;
}

static uint32_t count(enum capture_operation_kind kind)
{
	uint32_t found = 0;
	for (uint32_t i = 0; i < c.operation_count; i++)
		found += c.operations[i].kind == kind;
	return found;
}

/* ---- one of everything ---- */

enum { US = 1000, ZERO = 5 * US /* the first range */ };

static int begin(enum export_form form)
{
	export_begin(&e, path, form);
	export_everything(&e);
	return read_export() ? 0 : -1;
}

static int begin_old(void **state)
{
	return begin(EXPORT_OLD);
}

static int begin_new(void **state)
{
	return begin(EXPORT_NEW);
}

static void machine(void **state)
{
	assert_int_equal(c.gpu_count, 1);
	const struct capture_gpu *gpu = &c.gpus[0];
	assert_string_equal(gpu->name, "Test GPU");
	assert_int_equal(gpu->device, 0); /* its id is 3 */
	assert_int_equal(gpu->sms, 10);
	assert_int_equal(gpu->warps_per_sm, 64);
	assert_int_equal(gpu->blocks_per_sm, 0); /* not known */
	assert_int_equal(gpu->registers_per_sm, 65536);
	assert_int_equal(gpu->copy_engines, 2);
	assert_int_equal(gpu->shared_memory_per_sm, 98304);
	assert_int_equal(gpu->shared_memory_per_block, 49152);
	assert_int_equal(gpu->compute_major * 10 + gpu->compute_minor, 61);
	assert_int_equal(gpu->memory_bandwidth, 192000000000);
	assert_int_equal(c.process_count, 2);
	assert_true(c.windows && c.has_slices);
	assert_int_equal(c.resolution_ns, 1);
	assert_int_equal(c.start_ns, ZERO);
}

TEST_RUNS(machine, "machine of an old export", .setup_func = begin_old, .teardown_func = finish);
TEST_RUNS(machine, "machine of a new export", .setup_func = begin_new, .teardown_func = finish);

TEST("versions and names", .setup_func = begin_old, .teardown_func = finish)
{
	assert_string_equal(c.made_by, "NVIDIA Nsight Systems 2022.2.1.31");
	assert_int_equal(count(CAPTURE_KERNEL), 4);
	const struct capture_operation *first = operation("first", 14 * US - ZERO);
	assert_string_equal(c.processes[c.streams[first->stream].process].name, "demo");
	assert_string_equal(c.threads[first->thread].name, "main");
	assert_int_equal(c.threads[first->thread].tid, 1001);
	finish(state);
	assert_int_equal(begin(EXPORT_NEW), 0);
	assert_string_equal(c.made_by, "NVIDIA Nsight Systems 2024.5.1.113");
	assert_int_equal(count(CAPTURE_KERNEL), 5);
}

static void streams(void **state)
{
	assert_int_equal(stream(1001, 13)->kind, CAPTURE_STREAM_BLOCKING);
	assert_int_equal(stream(1001, 14)->kind, CAPTURE_STREAM_NON_BLOCKING);
	assert_int_equal(stream(1001, 14)->priority, -5); /* written as 4294967291 */
	assert_true(stream(1001, 14)->priority_known);
	assert_int_equal(stream(2002, 13)->kind, CAPTURE_STREAM_NON_BLOCKING);
	assert_int_equal(stream(2002, 13)->priority, -1);
	assert_int_equal(stream(1001, 7)->kind, CAPTURE_STREAM_NULL);
	assert_false(stream(1001, 7)->priority_known);
}

TEST_RUNS(streams, "streams of an old export", .setup_func = begin_old, .teardown_func = finish);
TEST_RUNS(streams, "streams of a new export", .setup_func = begin_new, .teardown_func = finish);

TEST("kernels", .setup_func = begin_new, .teardown_func = finish)
{
	const struct capture_operation *o = operation("first", 14 * US - ZERO);
	assert_int_equal(o->call_ns, 10 * US - ZERO);
	assert_int_equal(o->return_ns, 15 * US - ZERO); /* behind the start */
	assert_int_equal(o->end_ns, 50 * US - ZERO);
	assert_int_equal(o->grid, 40);
	assert_int_equal(o->threads, 128);
	assert_int_equal(o->registers, 40);
	assert_int_equal(o->shared_memory, 2048);
	assert_int_equal(o->shared_memory_carve_out, 32768);
	assert_false(o->in_graph || o->blocks_caller);
	/* The same correlation number in another process. */
	const struct capture_operation *other = operation("of another process", 54 * US - ZERO);
	assert_int_equal(other->call_ns, 12 * US - ZERO);
	assert_int_equal(c.threads[other->thread].tid, 2002);
	assert_int_equal(other->correlation, o->correlation);
	/* Nodes of a graph have one call. */
	const struct capture_operation *node = operation("node", 70 * US - ZERO),
				       *next = operation("node", 80 * US - ZERO);
	assert_true(node->in_graph && next->in_graph);
	assert_int_equal(node->call_ns, next->call_ns);
	assert_int_equal(node->shared_memory_carve_out, CAPTURE_UNKNOWN);
	const struct capture_operation *green = operation("green", 101 * US - ZERO);
	assert_int_equal(c.threads[green->thread].tid, 1002);
	assert_int_equal(c.streams[green->stream].kind, CAPTURE_STREAM_UNKNOWN);
	assert_true(noted("1 kernels are of green contexts"));
}

static void copies(void **state)
{
	assert_int_equal(count(CAPTURE_COPY), 3);
	assert_int_equal(count(CAPTURE_MEMSET), 1);
	const struct capture_operation *to_gpu = operation("", 140 * US - ZERO);
	assert_int_equal(to_gpu->direction, CAPTURE_TO_GPU);
	assert_int_equal(to_gpu->from, CAPTURE_PAGEABLE);
	assert_int_equal(to_gpu->to, CAPTURE_DEVICE);
	assert_int_equal(to_gpu->bytes, 65536);
	assert_true(to_gpu->blocks_caller);
	assert_true(to_gpu->return_ns < to_gpu->end_ns);
	/* The old export has this call twice; the other one is no runtime call. */
	assert_int_equal(to_gpu->call_ns, 130 * US - ZERO);
	const struct capture_operation *to_cpu = operation("", 185 * US - ZERO);
	assert_int_equal(to_cpu->direction, CAPTURE_TO_CPU);
	assert_int_equal(to_cpu->to, CAPTURE_PINNED);
	assert_false(to_cpu->blocks_caller);
	assert_int_equal(operation("", 195 * US - ZERO)->direction, CAPTURE_ON_GPU);
	const struct capture_operation *memset = operation("", 200 * US - ZERO);
	assert_int_equal(memset->kind, CAPTURE_MEMSET);
	assert_int_equal(memset->bytes, 16777216);
	assert_int_equal(memset->end_ns - memset->start_ns, 600);
}

TEST_RUNS(copies, "copies of an old export", .setup_func = begin_old, .teardown_func = finish);
TEST_RUNS(copies, "copies of a new export", .setup_func = begin_new, .teardown_func = finish);

TEST("waits and events", .setup_func = begin_new, .teardown_func = finish)
{
	assert_int_equal(c.event_count, 2);
	assert_int_equal(c.events[1].call_ns, 222 * US - ZERO);
	assert_int_equal(c.events[1].number, 21);
	assert_ptr_equal(&c.streams[c.events[1].stream], stream(1001, 13));
	assert_int_equal(c.wait_count, 4);
	static const enum capture_wait_kind kinds[] = {
		CAPTURE_WAIT_STREAM, CAPTURE_STREAM_WAIT_EVENT, CAPTURE_WAIT_EVENT, CAPTURE_WAIT_DEVICE};
	for (uint32_t i = 0; i < 4; i++) {
		assert_int_equal(c.waits[i].kind, kinds[i]);
		assert_int_equal(c.waits[i].call_ns, (210 + 10 * (int)i) * US - ZERO);
		assert_int_equal(c.waits[i].return_ns, (215 + 10 * (int)i) * US - ZERO);
		assert_int_equal(c.threads[c.waits[i].thread].tid, 1001);
	}
	assert_ptr_equal(&c.streams[c.waits[0].stream], stream(1001, 13));
	assert_ptr_equal(&c.streams[c.waits[1].stream], stream(1001, 14));
	assert_int_equal(c.waits[2].stream, CAPTURE_NONE);
	assert_int_equal(c.waits[0].event_number, CAPTURE_UNKNOWN);
	assert_int_equal(c.waits[0].event, CAPTURE_NONE);
	assert_int_equal(c.waits[1].event, 0); /* the record before the call, not the last of all */
	assert_int_equal(c.waits[2].event, 1);
}

TEST("ranges", .setup_func = begin_new, .teardown_func = finish)
{
	assert_int_equal(c.range_count, 2);
	assert_string_equal(c.ranges[0].name, "frame");
	assert_int_equal(c.ranges[0].start_ns, 0);
	assert_int_equal(c.ranges[0].end_ns, 245 * US);
	assert_string_equal(c.ranges[1].name, "registered");
	assert_int_equal(c.threads[c.ranges[1].thread].tid, 1001);
	assert_true(noted("1 NVTX ranges were left out"));
}

TEST("threads on CPUs", .setup_func = begin_new, .teardown_func = finish)
{
	assert_int_equal(c.running_count, 2); /* thread 77 had nothing to do with the GPU */
	assert_int_equal(c.running[0].start_ns, 2 * US - ZERO);
	assert_int_equal(c.running[0].end_ns, 30 * US - ZERO);
	assert_int_equal(c.running[0].cpu, 1);
	assert_true(c.running[0].preempted);
	assert_int_equal(c.running[1].cpu, 2);
	assert_false(c.running[1].preempted);
	assert_false(noted("does not say why"));
	finish(state);
	assert_int_equal(begin(EXPORT_OLD), 0); /* which has no state */
	assert_false(c.running[0].preempted);
	assert_true(noted("2 times a thread left its CPU and the export does not say why"));
}

TEST("contexts on the GPU", .setup_func = begin_new, .teardown_func = finish)
{
	assert_int_equal(c.slice_count, 2);
	assert_int_equal(c.slices[0].start_ns, 12 * US - ZERO); /* the context began behind its restoring */
	assert_int_equal(c.slices[0].end_ns, 52 * US - ZERO);
	assert_int_equal(c.processes[c.slices[1].process].pid, 2002);
	assert_int_equal(c.slices[1].start_ns, 52 * US - ZERO);
}

TEST("notes", .setup_func = begin_new, .teardown_func = finish)
{
	assert_true(noted("the profiler took 2.000 ms of the application's threads, 1 times"));
	assert_true(noted("Nsight Systems: warning 1") && noted("Nsight Systems: warning 5"));
	assert_false(noted("warning 0") || noted("warning 3")); /* information */
}

/* ---- traps ---- */

static const struct exported kernel = {.pid = 1, .tid = 2, .call_ns = 1000, .start_ns = 5000, .end_ns = 9000};

static int begin_empty(void **state)
{
	export_begin(&e, path, EXPORT_NEW);
	return 0;
}

TEST("nothing but kernels", .setup_func = begin_empty, .teardown_func = finish)
{
	export_kernel(&e, &kernel);
	export_sql(&e,
		"DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME; DROP TABLE StringIds; DROP TABLE TARGET_INFO_GPU; "
		"DROP TABLE META_DATA_EXPORT; ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN "
		"graphNodeId");
	assert_true(read_export());
	assert_int_equal(c.operation_count, 1);
	const struct capture_operation *o = &c.operations[0];
	assert_int_equal(o->call_ns, CAPTURE_UNKNOWN);
	assert_int_equal(o->thread, CAPTURE_NONE);
	assert_int_equal(o->start_ns, 0); /* all that is known */
	assert_string_equal(o->name, "");
	assert_int_equal(c.gpus[0].sms, 0);
	assert_int_equal(c.streams[0].kind, CAPTURE_STREAM_UNKNOWN);
	assert_string_equal(c.made_by, "");
}

/* What a stranger's export computes may take any time: such tables and columns are not there. */
TEST("views, virtual tables, computed columns", .setup_func = begin_empty, .teardown_func = finish)
{
	export_kernel(&e, &kernel);
	export_sql(&e, "DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME; CREATE VIEW CUPTI_ACTIVITY_KIND_RUNTIME AS "
		       "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
		       "SELECT i AS start, i AS end, 1 AS correlationId FROM n; "
		       "DROP TABLE StringIds; CREATE VIRTUAL TABLE StringIds USING fts5(id, value); "
		       "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN gridX; "
		       "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN gridX AS"
		       " (length(hex(zeroblob(500000000))))");
	assert_true(read_export());
	assert_int_equal(c.operations[0].call_ns, CAPTURE_UNKNOWN);
	assert_string_equal(c.operations[0].name, "");
	assert_int_equal(c.operations[0].grid, 1);
}

TEST("nodes of graphs, and texts without a number", .setup_func = begin_empty, .teardown_func = finish)
{
	struct exported o = kernel;
	o.graph_node = 3;
	o.name = "right"; /* number 0 */
	o.call = "";
	export_kernel(&e, &o);
	for (int i = 0; i < 9; i++)
		export_row(&e, "StringIds", "id, value", "NULL, 'wrong'");
	assert_true(read_export());
	assert_true(c.operations[0].in_graph); /* no call says so */
	assert_string_equal(c.operations[0].name, "right");
}

TEST("calls by the driver, and calls within calls", .setup_func = begin_empty, .teardown_func = finish)
{
	struct exported o = kernel;
	o.call = "cudaLaunchKernel_v7000";
	o.return_ns = 3000;
	int64_t correlation = export_kernel(&e, &o);
	export_row(&e, "CUPTI_ACTIVITY_KIND_RUNTIME",
		"start, end, eventClass, globalTid, correlationId, nameId", "1500, 2500, 1, %lld, %lld, %lld",
		export_thread(1, 2), correlation, export_string(&e, "cuLaunchKernel"));
	o.call = "";
	o.start_ns = 20000;
	o.end_ns = 21000;
	correlation = export_kernel(&e, &o);
	export_row(&e, "CUPTI_ACTIVITY_KIND_RUNTIME",
		"start, end, eventClass, globalTid, correlationId, nameId",
		"15000, 16000, 1, %lld, %lld, %lld", export_thread(1, 3), correlation,
		export_string(&e, "cuMemcpyHtoD_v2"));
	assert_true(read_export());
	assert_int_equal(c.operation_count, 2);
	assert_int_equal(c.operations[0].call_ns, 0);
	assert_int_equal(c.operations[0].return_ns, 2000); /* of the outer one */
	assert_int_equal(c.operations[1].call_ns, 14000);
	assert_true(c.operations[1].blocks_caller);
	assert_int_equal(c.threads[c.operations[1].thread].tid, 3);
}

TEST("waits by their calls alone", .setup_func = begin_empty, .teardown_func = finish)
{
	export_kernel(&e, &kernel);
	export_call(&e, "cudaStreamSynchronize_v3020", 1, 2, 10000, 11000);
	export_call(&e, "cudaFree_v3020", 1, 2, 12000, 13000);
	export_call(&e, "cuCtxSynchronize", 1, 2, 14000, 15000);
	assert_true(read_export());
	assert_int_equal(c.wait_count, 2);
	assert_int_equal(c.waits[0].kind, CAPTURE_WAIT_STREAM);
	assert_int_equal(c.waits[0].stream, CAPTURE_NONE); /* who waited, but not for which */
	assert_int_equal(c.waits[1].kind, CAPTURE_WAIT_DEVICE);
	assert_int_equal(c.waits[1].return_ns, 14000);
}

TEST("impossible rows are left out, and said", .setup_func = begin_empty, .teardown_func = finish)
{
	static const char *const changes[] = {"end = start - 1", "start = NULL", "end = NULL", "gridX = 0",
		"gridX = 9223372036854775807, gridY = 9223372036854775807", "blockX = 1048577", "blockZ = -1",
		"start = -9223372036854775807", "end = 9223372036854775807"};
	enum { CHANGES = sizeof(changes) / sizeof(*changes) };
	for (int i = 0; i < CHANGES; i++) {
		export_kernel(&e, &kernel);
		export_sql(&e, "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET %s WHERE rowid = last_insert_rowid()",
			changes[i]);
	}
	export_copy(&e, &(struct exported){
				.pid = 1, .tid = 2, .call_ns = 1, .start_ns = 2, .end_ns = 3, .bytes = -1});
	export_memset(&e, &(struct exported){
				  .pid = 1, .tid = 2, .call_ns = 1, .start_ns = 2, .end_ns = 3, .bytes = -1});
	export_kernel(&e, &kernel);
	assert_true(read_export());
	assert_int_equal(c.operation_count, 1);
	assert_true(noted("11 rows of kernels, copies or memsets were left out"));
}

TEST("numbers beyond their kind are not believed", .setup_func = begin_empty, .teardown_func = finish)
{
	export_kernel(&e, &kernel);
	export_sql(&e, "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET registersPerThread = 4294967296 + 32, "
		       "staticSharedMemory = 9223372036854775807, dynamicSharedMemory = 100; "
		       "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET end = 0; "
		       "UPDATE TARGET_INFO_GPU SET maxWarpsPerSm = -1, maxBlocksPerSm = 'x'");
	assert_true(read_export());
	assert_int_equal(c.operations[0].registers, 0);
	assert_int_equal(c.operations[0].shared_memory, 100);
	assert_int_equal(c.operations[0].return_ns, c.operations[0].call_ns);
	assert_int_equal(c.gpus[0].warps_per_sm, 0);
	assert_int_equal(c.gpus[0].blocks_per_sm, 0);
}

TEST("GPUs of two machines", .setup_func = begin_empty, .teardown_func = finish)
{
	export_row(&e, "TARGET_INFO_GPU", "id, cuDevice, name, smCount", "0, 1, 'second', 80");
	export_row(&e, "TARGET_INFO_GPU", "id, cuDevice, name, smCount", "0, 0, 'of another machine', 99");
	export_row(&e, "TARGET_INFO_GPU", "id, name", "7, 'no CUDA device'");
	struct exported o = kernel;
	o.device = 1;
	export_kernel(&e, &o);
	assert_true(read_export());
	assert_int_equal(c.gpu_count, 2);
	assert_int_equal(c.gpus[0].sms, 10);
	assert_string_equal(c.gpus[c.streams[0].gpu].name, "second");
}

TEST("many streams and threads are told apart", .setup_func = begin_empty, .teardown_func = finish)
{
	enum { STREAMS = 3000 };
	export_many(&e, STREAMS * 2, STREAMS);
	assert_true(read_export());
	assert_int_equal(c.stream_count, STREAMS);
	for (uint32_t i = 0; i < c.operation_count; i++)
		assert_int_equal(c.streams[c.operations[i].stream].number, 13 + (i + 1) % STREAMS);
	for (uint32_t i = 0; i < STREAMS; i++)
		assert_int_equal(c.streams[i].kind, CAPTURE_STREAM_NON_BLOCKING);
}

TEST("streams of many contexts are told apart", .setup_func = begin_empty, .teardown_func = finish)
{
	enum { CONTEXTS = 300 };
	struct exported o = kernel;
	for (int i = 0; i < CONTEXTS; i++) {
		o.context = i + 1;
		export_kernel(&e, &o);
	}
	assert_true(read_export());
	assert_int_equal(c.stream_count, CONTEXTS);
	for (int i = 0; i < CONTEXTS; i++)
		assert_int_equal(c.streams[i].context, i + 1);
}

/* ---- real exports ---- */

TEST("cloverleaf on an A100")
{
	char file[RECORDINGS_PATH];
	if (!recordings_capture(file, "nsys/cloverleaf-a100.sqlite"))
		return;
	assert_true(read_file(file));
	assert_int_equal(count(CAPTURE_KERNEL), 1312);
	assert_int_equal(count(CAPTURE_COPY), 279);
	assert_int_equal(c.stream_count, 1);
	assert_int_equal(c.streams[0].kind, CAPTURE_STREAM_NULL);
	assert_int_equal(c.gpus[c.streams[0].gpu].sms, 108);
	assert_false(c.windows);
	for (uint32_t i = 0; i < c.operation_count; i++) {
		const struct capture_operation *o = &c.operations[i];
		assert_true(o->call_ns != CAPTURE_UNKNOWN && o->thread != CAPTURE_NONE &&
			    o->call_ns <= o->start_ns);
		assert_true(o->kind != CAPTURE_KERNEL || o->name[0]);
	}
	finish(state);
}

TEST("ten streams on a GTX 1060 under Windows")
{
	static const char *const names[] = {
		"nsys/concurrent-gtx1060-s1.sqlite", "nsys/concurrent-gtx1060-s4.sqlite"};
	for (int i = 0; i < 2; i++) {
		char file[RECORDINGS_PATH];
		if (!recordings_capture(file, names[i]))
			return;
		assert_true(read_file(file));
		assert_int_equal(count(CAPTURE_KERNEL), 12);
		assert_int_equal(count(CAPTURE_COPY), 30);
		assert_int_equal(count(CAPTURE_MEMSET), 17);
		assert_true(c.windows);
		assert_int_equal(c.gpus[c.streams[0].gpu].sms, 10);
		finish(state);
	}
}
