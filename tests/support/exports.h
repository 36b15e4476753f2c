/* tests/support/exports.h - writes small exports of Nsight Systems: tables and columns are those of real
 * ones, of 2022 (EXPORT_OLD) and of 2024 (EXPORT_NEW), and a table is there only if something was put into
 * it.
 *
 *   struct export e;
 *   export_begin(&e, path, EXPORT_NEW);
 *   export_kernel(&e, &(struct exported){.pid = 7, .tid = 7, .stream = 13, .name = "k", .call_ns = 100,
 * ...}); export_row(&e, "NVTX_EVENTS", "start, end, eventType, text, globalTid", "1, 2, 59, %Q, %lld",
 * "frame", thread); export_end(&e);
 *
 * What goes wrong ends the program. */
#ifndef CEGSIM_TESTS_SUPPORT_EXPORTS_H
#define CEGSIM_TESTS_SUPPORT_EXPORTS_H

#include <sqlite3.h>
#include <stdint.h>

enum export_form { EXPORT_OLD, EXPORT_NEW };

struct export
{
	sqlite3 *db;
	enum export_form form;
	int64_t strings;     /* in StringIds */
	int64_t correlation; /* of the last call */
};

/* An operation and the call that issued it. Numbers that are 0 become usual ones where 0 makes no sense. */
struct exported {
	int64_t pid, tid, device, context, stream;
	const char *name;           /* of the kernel */
	const char *call;           /* NULL: the usual one; "": no call */
	int64_t correlation;        /* 0: the next */
	int64_t call_ns, return_ns; /* return_ns 0: 5 us after call_ns */
	int64_t start_ns, end_ns;
	int64_t grid, threads, registers, shared_memory, carve_out; /* carve_out 0: NULL */
	int64_t graph_node, green_context;                          /* 0: none */
	int64_t bytes, kind, from, to;                              /* copyKind, srcKind, dstKind */
};

/* The numbers of processes and threads in an export. */
int64_t export_process(int64_t pid);
int64_t export_thread(int64_t pid, int64_t tid);

/* A new file (what was there is lost) with one GPU of 10 SMs, whose id is 3 and cuDevice 0. */
void export_begin(struct export *e, const char *path, enum export_form form);
void export_end(struct export *e);

/* A row of a table; `columns` and `values` as in SQL, the values for sqlite3_mprintf(): %lld, %Q. */
void export_row(struct export *e, const char *table, const char *columns, const char *values, ...);
/* Any statement. */
void export_sql(struct export *e, const char *sql, ...);
int64_t export_string(struct export *e, const char *text);
/* Makes the table if it is not there. */
void export_table(struct export *e, const char *table);

/* Return the correlation number. */
int64_t export_call(
	struct export *e, const char *name, int64_t pid, int64_t tid, int64_t start_ns, int64_t end_ns);
int64_t export_kernel(struct export *e, const struct exported *o);
int64_t export_copy(struct export *e, const struct exported *o);
int64_t export_memset(struct export *e, const struct exported *o);

/* One of everything that a reader knows: two processes with equal correlation numbers, streams of all kinds,
 * priorities, graphs, a green context, events and waits, NVTX, threads on CPUs, context switches, warnings.
 */
void export_everything(struct export *e);
/* `jobs` jobs of a frame, each in an NVTX range, with a period of 10 ms: copy, two kernels, copy back, wait.
 */
void export_frames(struct export *e, int64_t jobs);
/* Two threads: "camera" makes `frames` frames, one every 10 ms, "planner" a plan every 25 ms, every other of
 * which has a kernel more. */
void export_tasks(struct export *e, int64_t frames);
/* `count` kernels with their calls, on `streams` streams in turn. */
void export_many(struct export *e, int64_t count, int64_t streams);
/* `count` operations in steps of 100, each with its call, on `streams` streams in turn: kernels of as many
 * names, copies and memsets, a wait and an NVTX range "step" for each step. A million takes some 120 MB. */
#define EXPORT_STEP_KERNELS 48
void export_steps(struct export *e, int64_t count, int64_t streams);

#endif
