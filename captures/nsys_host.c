/* captures/nsys_host.c - what an export of Nsight Systems says beside the work: ranges that the application
 * named, times in which threads had a CPU and contexts the GPU, and what the profiler says of itself. */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "captures/nsys.h"

/* ---- ranges ---- */

enum nvtx_event { NVTX_PUSH_POP = 59, NVTX_START_END = 60 };

static bool read_ranges(struct nsys *n)
{
	uint64_t open = 0;
	struct nsys_rows rows =
		nsys_rows(&n->db, "NVTX_EVENTS", "start end eventType text textId globalTid", NULL);
	while (nsys_next(&rows)) {
		int64_t type = nsys_integer(&rows, 2, NVTX_PUSH_POP), start, end;
		if (type != NVTX_PUSH_POP && type != NVTX_START_END)
			continue;
		if (!nsys_time(&rows, 0, &start) || !nsys_time(&rows, 1, &end) || end < start ||
			nsys_null(&rows, 5)) {
			open++;
			continue;
		}
		const char *name = nsys_null(&rows, 3) ? nsys_string(n, nsys_integer(&rows, 4, -1))
						       : build_text(n->c, nsys_text(&rows, 3), n->err);
		uint32_t thread = nsys_thread(n, nsys_integer(&rows, 5, 0));
		struct capture_range *range = build_range(n->c, n->err);
		rows.ok = name && thread != CAPTURE_NONE && range;
		if (!rows.ok)
			break;
		*range = (struct capture_range){name, thread, start, end};
	}
	if (!nsys_end(&rows))
		return false;
	return open == 0 || build_note(n->c, n->err, "%llu NVTX ranges were left out: they have no end",
				    (unsigned long long)open);
}

/* ---- threads on CPUs ---- */

/* What an export says when a thread was taken from its CPU: it could have gone on. */
#define STATE_RUNNING 1

static bool add_running(struct nsys *n, const struct capture_running *running)
{
	struct capture_running *r = build_running(n->c, n->err);
	if (r)
		*r = *running;
	return r != NULL;
}

/* Only threads that issued work, waited for it or named ranges; an export has all of the machine. */
static bool read_running(struct nsys *n)
{
	uint64_t unsaid = 0;
	struct capture_running *on = calloc((size_t)n->c->thread_count + 1, sizeof(*on));
	if (!on)
		return error_memory(n->err, "reading threads");
	for (uint32_t i = 0; i < n->c->thread_count; i++)
		on[i] = (struct capture_running){.thread = CAPTURE_NONE};
	struct nsys_rows rows =
		nsys_rows(&n->db, "SCHED_EVENTS", "start cpu isSchedIn globalTid threadState", "ORDER BY 1");
	while (nsys_next(&rows)) {
		uint32_t thread = nsys_find_thread(n, nsys_integer(&rows, 3, -1));
		int64_t time;
		if (thread == CAPTURE_NONE || !nsys_time(&rows, 0, &time))
			continue;
		if (nsys_integer(&rows, 2, 0) != 0) {
			on[thread] = (struct capture_running){.thread = thread,
				.cpu = (int32_t)(nsys_count(&rows, 1) & INT32_MAX),
				.start_ns = time};
		} else if (on[thread].thread != CAPTURE_NONE) {
			on[thread].end_ns = time;
			on[thread].preempted = nsys_integer(&rows, 4, 0) == STATE_RUNNING;
			unsaid += nsys_null(&rows, 4);
			rows.ok = add_running(n, &on[thread]);
			on[thread].thread = CAPTURE_NONE;
		}
	}
	free(on);
	if (!nsys_end(&rows))
		return false;
	return unsaid == 0 ||
	       build_note(n->c, n->err,
		       "%llu times a thread left its CPU and the export does not say why: taken as waiting, "
		       "not as preempted",
		       (unsigned long long)unsaid);
}

/* ---- contexts on the GPU ---- */

/* ENUM_GPU_CTX_SWITCH */
enum switch_tag { SAVE_END = 7, RESTORE_START = 8, CONTEXT_START = 9 };

/* The slice of that context that has begun and not ended; NULL: none. */
static struct capture_context_slice *open_slice(
	struct capture_context_slice *open, size_t count, const struct capture_context_slice *of)
{
	for (size_t i = 0; i < count; i++)
		if (open[i].process == of->process && open[i].gpu == of->gpu &&
			open[i].context == of->context)
			return &open[i];
	return NULL;
}

static bool end_slice(struct nsys *n, struct capture_context_slice *open, int64_t time)
{
	struct capture_context_slice *s = build_slice(n->c, n->err);
	if (!s)
		return false;
	*s = *open;
	s->end_ns = time;
	open->start_ns = CAPTURE_UNKNOWN;
	return true;
}

struct open_slices {
	struct capture_context_slice
		*slices; /* one for each context; start_ns unknown: it does not have the GPU */
	size_t count;
};

static bool switch_context(struct nsys *n, struct open_slices *open, const struct nsys_rows *rows)
{
	struct capture_context_slice of = {
		.process = nsys_process(n, nsys_integer(rows, 2, 0)),
		.gpu = build_device(n->c, nsys_integer(rows, 3, 0), n->err),
		.context = nsys_integer(rows, 1, 0),
		.start_ns = CAPTURE_UNKNOWN,
	};
	int64_t tag = nsys_integer(rows, 0, -1), time;
	if (!nsys_time(rows, 4, &time))
		return true;
	if (of.process == CAPTURE_NONE || of.gpu == CAPTURE_NONE)
		return false;
	struct capture_context_slice *s = open_slice(open->slices, open->count, &of);
	if (!s) {
		s = list_room(open->slices, open->count, sizeof(*s), "reading context switches", n->err);
		if (!s)
			return false;
		open->slices = s;
		s = &open->slices[open->count++];
		*s = of;
	}
	if (tag == CONTEXT_START || (tag == RESTORE_START && s->start_ns == CAPTURE_UNKNOWN))
		s->start_ns = time;
	return tag != SAVE_END || s->start_ns == CAPTURE_UNKNOWN || end_slice(n, s, time);
}

static bool read_slices(struct nsys *n)
{
	struct open_slices open = {0};
	struct nsys_rows rows = nsys_rows(
		&n->db, "GPU_CONTEXT_SWITCH_EVENTS", "tag contextId globalPid gpuId timestamp", "ORDER BY 5");
	while (nsys_next(&rows)) {
		n->c->has_slices = true;
		rows.ok = switch_context(n, &open, &rows);
	}
	free(open.slices);
	return nsys_end(&rows);
}

/* ---- what the profiler says of itself ---- */

static bool note_overhead(struct nsys *n)
{
	int64_t total = 0, count = 0;
	struct nsys_rows rows = nsys_rows(&n->db, "PROFILER_OVERHEAD", "start end", NULL);
	while (nsys_next(&rows)) {
		int64_t start, end;
		if (!nsys_time(&rows, 0, &start) || !nsys_time(&rows, 1, &end))
			continue;
		int64_t length = end - start;
		if (length < 0 || length > NSYS_TIME_MAX - total)
			continue;
		total += length;
		count++;
	}
	if (!nsys_end(&rows))
		return false;
	return count == 0 ||
	       build_note(n->c, n->err, "the profiler took %.3f ms of the application's threads, %lld times",
		       (double)total / 1e6, (long long)count);
}

/* ENUM_DIAGNOSTIC_SEVERITY_LEVEL */
enum severity { SEVERITY_WARNING = 2, SEVERITY_ERROR = 3 };
enum { MOST_WARNINGS = 5 };

static bool note_warnings(struct nsys *n)
{
	uint32_t count = 0;
	struct nsys_rows rows =
		nsys_rows(&n->db, "DIAGNOSTIC_EVENT", "severity text timestamp", "ORDER BY 3, 2");
	while (nsys_next(&rows)) {
		int64_t severity = nsys_integer(&rows, 0, 0);
		const char *text = nsys_text(&rows, 1);
		if ((severity != SEVERITY_WARNING && severity != SEVERITY_ERROR) || !text ||
			count++ >= MOST_WARNINGS)
			continue;
		rows.ok = build_note(n->c, n->err, "Nsight Systems: %.*s", (int)strcspn(text, "\r\n"), text);
	}
	if (!nsys_end(&rows))
		return false;
	return count <= MOST_WARNINGS ||
	       build_note(n->c, n->err, "Nsight Systems: and %u more warnings", count - MOST_WARNINGS);
}

bool nsys_read_host(struct nsys *n)
{
	return read_ranges(n) && read_running(n) && read_slices(n) && note_overhead(n) && note_warnings(n);
}
