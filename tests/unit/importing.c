/* tests/unit/importing.c - see tests/unit/importing.h. */
#include "tests/unit/importing.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct importing t;
static char path[] = "/tmp/cegsim-test-import-XXXXXX";

int importing_begin(void **state)
{
	memset(&t, 0, sizeof(t));
	strcpy(path + sizeof(path) - 7, "XXXXXX");
	int file = mkstemp(path);
	if (file < 0 || close(file) != 0)
		return -1;
	export_begin(&t.e, path, EXPORT_NEW);
	t.request = (struct import_request){.process = IMPORT_ANY,
		.thread = IMPORT_ANY,
		.device = IMPORT_ANY,
		.registers = IMPORT_ANY,
		.from_ns = INT64_MIN,
		.to_ns = INT64_MAX};
	return 0;
}

int importing_end(void **state)
{
	if (t.e.db)
		export_end(&t.e);
	import_finish(&t.im);
	if (t.read) {
		capture_finish(&t.c);
		diagnostics_finish(&t.d);
	}
	return unlink(path);
}

struct exported kernel(int64_t tid, const char *name, int64_t call, int64_t start, int64_t end)
{
	return (struct exported){.pid = PID,
		.tid = tid,
		.stream = 13,
		.name = name,
		.grid = 40,
		.call_ns = call * US,
		.start_ns = start * US,
		.end_ns = end * US};
}

void add_kernel(int64_t tid, const char *name, int64_t call, int64_t start, int64_t end)
{
	struct exported o = kernel(tid, name, call, start, end);
	export_kernel(&t.e, &o);
}

static void add_copy(int64_t tid, int64_t call, int64_t start, int64_t end, int64_t kind)
{
	struct exported o = kernel(tid, NULL, call, start, end);
	o.bytes = 4096;
	o.kind = kind;
	o.from = kind == 1 ? 1 : 2;
	o.to = kind == 1 ? 2 : 1;
	export_copy(&t.e, &o);
}

void add_to_gpu(int64_t tid, int64_t call, int64_t start, int64_t end)
{
	add_copy(tid, call, start, end, 1);
}

void add_to_cpu(int64_t tid, int64_t call, int64_t start, int64_t end)
{
	add_copy(tid, call, start, end, 2);
}

/* ENUM_CUPTI_SYNC_TYPE */
static void add_wait(int64_t tid, const char *name, int64_t type, int64_t stream, int64_t event, int64_t call,
	int64_t back)
{
	int64_t correlation = export_call(&t.e, name, PID, tid, call * US, back * US);
	export_row(&t.e, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
		"start, end, deviceId, contextId, streamId, correlationId, globalPid, syncType, eventId",
		"%lld, %lld, 0, 1, %lld, %lld, %lld, %lld, %lld", call * US, back * US, stream, correlation,
		export_process(PID), type, event);
}

void add_sync(int64_t tid, int64_t stream, int64_t call, int64_t back)
{
	add_wait(tid, stream ? "cudaStreamSynchronize_v3020" : "cudaDeviceSynchronize_v3020", stream ? 3 : 4,
		stream, 4294967295, call, back);
}

void add_event_sync(int64_t tid, int64_t event, int64_t call, int64_t back)
{
	add_wait(tid, "cudaEventSynchronize_v3020", 1, 0, event, call, back);
}

void add_event(int64_t tid, int64_t event, int64_t stream, int64_t call)
{
	int64_t correlation =
		export_call(&t.e, "cudaEventRecord_v3020", PID, tid, call * US, call * US + 2 * US);
	export_row(&t.e, "CUPTI_ACTIVITY_KIND_CUDA_EVENT",
		"deviceId, contextId, streamId, correlationId, globalPid, eventId",
		"0, 1, %lld, %lld, %lld, %lld", stream, correlation, export_process(PID), event);
}

void add_stream_wait(int64_t tid, int64_t event, int64_t stream, int64_t call)
{
	add_wait(tid, "cudaStreamWaitEvent_v3020", 2, stream, event, call, call + 2);
}

void add_range(int64_t tid, const char *name, int64_t start, int64_t end)
{
	export_row(&t.e, "NVTX_EVENTS", "start, end, eventType, text, globalTid", "%lld, %lld, 59, %Q, %lld",
		start * US, end * US, name, export_thread(PID, tid));
}

void add_name(int64_t tid, const char *name)
{
	export_row(&t.e, "ThreadNames", "nameId, globalTid", "%lld, %lld", export_string(&t.e, name),
		export_thread(PID, tid));
}

void add_switch(int64_t tag, int64_t pid, int64_t at)
{
	export_row(&t.e, "GPU_CONTEXT_SWITCH_EVENTS", "tag, contextId, timestamp, globalPid, gpuId",
		"%lld, 1, %lld, %lld, 0", tag, at * US, export_process(pid));
}

bool imported(void)
{
	export_end(&t.e);
	diagnostics_init(&t.d, path);
	t.read = true;
	return capture_read(&t.c, path, &t.d, &t.err) && import_make(&t.im, &t.c, &t.request, &t.err);
}

void import_all(void)
{
	if (!imported())
		fail_msg("%s", t.err.text);
}

void refused(const char *text)
{
	assert_false(imported());
	assert_int_equal(t.err.status, STATUS_INPUT);
	if (!strstr(t.err.text, text))
		fail_msg("'%s' is not in '%s'", text, t.err.text);
}

const struct import_task *task(const char *name)
{
	for (uint32_t i = 0; i < t.im.task_count; i++)
		if (strcmp(t.im.tasks[i].name, name) == 0)
			return &t.im.tasks[i];
	fail_msg("no task '%s'", name);
	return NULL;
}

int64_t took(const char *name, uint32_t job, uint32_t segment)
{
	const struct import_task *of = task(name);
	assert_in_range(job, 0, of->job_count - 1);
	assert_in_range(segment, 0, of->segment_count - 1);
	return of->jobs[job].values[segment];
}

static const struct import_note *note(enum import_kind kind, const char *subject, const char *text)
{
	for (uint32_t i = 0; i < t.im.note_count; i++)
		if (t.im.notes[i].kind == kind && strstr(t.im.notes[i].subject, subject) &&
			strstr(t.im.notes[i].text, text))
			return &t.im.notes[i];
	return NULL;
}

uint64_t noted(enum import_kind kind, const char *subject, const char *text)
{
	const struct import_note *n = note(kind, subject, text);
	if (!n)
		fail_msg("no note of '%s' says '%s'", subject, text);
	return n ? n->count : 0;
}

bool is_noted(const char *text)
{
	return note(IMPORT_FOUND, "", text) || note(IMPORT_ASSUMED, "", text) ||
	       note(IMPORT_LEFT_OUT, "", text);
}
