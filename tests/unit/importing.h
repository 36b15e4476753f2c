/* tests/unit/importing.h - captures that a test makes, call by call, and what is imported of them. Times are
 * microseconds: the first call should be at 0, so that they are those of the import, too. */
#ifndef CEGSIM_TESTS_UNIT_IMPORTING_H
#define CEGSIM_TESTS_UNIT_IMPORTING_H

#include "captures/capture.h"
#include "scenarios/import/import.h"
#include "tests/support/exports.h"
#include "tests/support/test.h"

#define US INT64_C(1000)
#define PID INT64_C(70)

extern struct importing {
	struct export e;
	struct capture c;
	struct diagnostics d;
	struct import im;
	struct import_request request; /* all of it, cut where it is best */
	struct error err;
	bool read;
} t;

/* A new, empty export; for EACH_TEST(). */
int importing_begin(void **state);
int importing_end(void **state);

/* A kernel of 40 blocks of 256 threads in the stream 13 of a thread of the process PID; a copy of 4 KB. */
struct exported kernel(int64_t tid, const char *name, int64_t call, int64_t start, int64_t end);
void add_kernel(int64_t tid, const char *name, int64_t call, int64_t start, int64_t end);
void add_to_gpu(int64_t tid, int64_t call, int64_t start, int64_t end);
void add_to_cpu(int64_t tid, int64_t call, int64_t start, int64_t end);
/* Calls of a thread of the process PID, 2 us each: it waits for a stream (0: for all), or for an event; it
 * puts the event into a stream; a stream waits for the event. */
void add_sync(int64_t tid, int64_t stream, int64_t call, int64_t back);
void add_event_sync(int64_t tid, int64_t event, int64_t call, int64_t back);
void add_event(int64_t tid, int64_t event, int64_t stream, int64_t call);
void add_stream_wait(int64_t tid, int64_t event, int64_t stream, int64_t call);
void add_range(int64_t tid, const char *name, int64_t start, int64_t end);
void add_name(int64_t tid, const char *name);
/* A context of a process gets the GPU (tag 8, 9) or has given it back (7). */
void add_switch(int64_t tag, int64_t pid, int64_t at);

/* Ends the export and imports it. */
bool imported(void);
/* The same; it must succeed. */
void import_all(void);
/* It must fail, with this in its sentence. */
void refused(const char *text);

const struct import_task *task(const char *name);
/* What a segment took in a job, in ns. */
int64_t took(const char *name, uint32_t job, uint32_t segment);
/* Number of the first note with this in its subject and its text; fails if there is none. */
uint64_t noted(enum import_kind kind, const char *subject, const char *text);
bool is_noted(const char *text);

#endif
