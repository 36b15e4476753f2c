/* tests/support/export_tasks.c - an export of two tasks, for `cegsim import` and its guide. */
#include "tests/support/exports.h"

enum { PID = 4711 };
#define MS INT64_C(1000000)
#define US INT64_C(1000)

static void add_range(struct export *e, int64_t tid, const char *name, int64_t start, int64_t end)
{
	export_row(e, "NVTX_EVENTS", "start, end, eventType, text, globalTid", "%lld, %lld, 59, %Q, %lld",
		start, end, name, export_thread(PID, tid));
}

/* A frame: 300 us of the CPU, a copy, a kernel that is at times longer, a copy back, 200 us of the CPU. */
static void add_frame(struct export *e, int64_t i, int64_t at)
{
	struct exported o = {
		.pid = PID, .tid = PID, .stream = 13, .bytes = 1 << 20, .kind = 1, .from = 1, .to = 2};
	o.call_ns = at + 290 * US;
	o.start_ns = at + 300 * US;
	o.end_ns = o.start_ns + 90 * US;
	export_copy(e, &o);
	o.name = "detect";
	o.grid = 40;
	o.threads = 256;
	o.call_ns = o.end_ns + 5 * US;
	o.start_ns = o.end_ns + 10 * US;
	o.end_ns = o.start_ns + 2 * MS + i % 4 * 100 * US;
	export_kernel(e, &o);
	o.kind = 2;
	o.from = 2;
	o.to = 1;
	o.call_ns = o.end_ns + 5 * US;
	o.start_ns = o.end_ns + 10 * US;
	o.end_ns = o.start_ns + 90 * US;
	export_copy(e, &o);
	add_range(e, PID, "frame", at, o.end_ns + 200 * US);
}

/* A plan: 1 ms of the CPU, a long kernel; every other one has a second, small kernel. */
static void add_plan(struct export *e, int64_t i, int64_t at)
{
	struct exported o = {
		.pid = PID, .tid = PID + 1, .stream = 14, .name = "search", .grid = 20, .threads = 512};
	o.call_ns = at + 990 * US;
	o.start_ns = at + 1 * MS;
	o.end_ns = o.start_ns + 6 * MS + i % 3 * 250 * US;
	export_kernel(e, &o);
	if (i % 2) {
		o.name = "score";
		o.grid = 10;
		o.call_ns = o.end_ns + 5 * US;
		o.start_ns = o.end_ns + 10 * US;
		o.end_ns = o.start_ns + 1 * MS;
		export_kernel(e, &o);
	}
	add_range(e, PID + 1, "plan", at, o.end_ns + 100 * US);
}

void export_tasks(struct export *e, int64_t frames)
{
	export_row(e, "PROCESSES", "globalPid, pid, name", "%lld, %d, '/opt/drive/drive'",
		export_process(PID), PID);
	export_row(e, "ThreadNames", "nameId, globalTid", "%lld, %lld", export_string(e, "camera"),
		export_thread(PID, PID));
	export_row(e, "ThreadNames", "nameId, globalTid", "%lld, %lld", export_string(e, "planner"),
		export_thread(PID, PID + 1));
	for (int64_t stream = 13; stream <= 14; stream++)
		export_row(e, "TARGET_INFO_CUDA_STREAM",
			"streamId, hwId, vmId, processId, contextId, priority, flag",
			"%lld, 0, 0, %d, 1, 0, 1", stream, PID);
	for (int64_t i = 0; i < frames; i++)
		add_frame(e, i, i * 10 * MS + 1 * MS);
	for (int64_t i = 0; i * 25 < frames * 10; i++)
		add_plan(e, i, i * 25 * MS + 4 * MS);
}
