/* scenarios/import/import.h - a capture as a scenario: what a profiler recorded of an application becomes
 * tasks with jobs of segments.
 *
 * docs/from-nsight.md says what is made of what. In short: the operations that one thread issued, in order of
 * their calls, are cut into jobs. Jobs of the same operations are one task; if several shapes of jobs come in
 * turn, the whole turn is the job. A segment takes what it took in the capture: from the shortest to the
 * longest instance that ran alone. Where a thread waited for each operation, a job is a chain, and what the
 * GPU did not do between two operations is time of the CPU. Where it issued work ahead, jobs have operations
 * in flight (docs/model.md), and the CPU's times are those of the thread. */
#ifndef CEGSIM_SCENARIOS_IMPORT_IMPORT_H
#define CEGSIM_SCENARIOS_IMPORT_IMPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/int128.h"
#include "captures/capture.h"
#include "models/taskset.h"

#define IMPORT_ANY (-1)
#define IMPORT_TASKS_MAX 64u
#define IMPORT_NAME_MAX 64
#define IMPORT_GUESS_NS 5000
#define IMPORT_SPAN_MAX_NS (INT64_C(366) * 24 * 3600 * 1000000000) /* a longer capture is refused */

enum import_cut {
	IMPORT_FIND,  /* at the range or kernel that gives the most regular jobs; else the whole is one job */
	IMPORT_WHOLE, /* one job */
	IMPORT_RANGE, /* a job is a range of that name */
	IMPORT_KERNEL, /* a job begins with each kernel of that name */
	IMPORT_EVERY   /* a job is so many operations */
};

struct import_request {
	const struct platform *platform; /* of the scenario; NULL: the capture's GPU */
	int64_t process, thread, device; /* numbers as in the file; IMPORT_ANY */
	int64_t from_ns, to_ns;          /* operations issued in this window */
	enum import_cut cut;
	const char *name;  /* of a range or kernel; a * at the end fits all that follows */
	int64_t registers; /* of the kernel; IMPORT_ANY */
	uint32_t every;
	int64_t period_ns; /* of all tasks; 0: as found */
	bool first_half;   /* lengths come from the first half of each task's jobs, releases from the other */
	bool chain;        /* each operation is waited for, also where the thread did not */
	bool guess_events; /* what starts at most IMPORT_GUESS_NS after the end of another stream's operation
			    * comes after it */
};

struct import_span {
	int64_t start_ns, end_ns;
};

#define IMPORT_NO_OPERATION UINT32_MAX

struct import_job {
	int64_t release_ns, end_ns; /* in the time of the capture */
	int64_t *values;            /* [segment_count] of the task; of a kernel: the time of a block */
	struct import_span *spans;  /* [segment_count] when that was, in the time of the capture */
};

struct import_segment {
	struct segment segment;
	uint32_t operation; /* its place in the job; IMPORT_NO_OPERATION: of the CPU, or a wait */
	const char *what;   /* name of the kernel, "copy", ...; "" of CPU segments */
	uint32_t alone;     /* instances that ran alone; 0: its times are not its own */
	uint32_t waves;     /* of a kernel */
};

struct import_task {
	const char *name, *cut; /* and how its jobs were found */
	uint32_t thread;        /* of the capture */
	uint32_t core;
	struct import_segment *segments;
	uint32_t segment_count;
	struct import_job *jobs;
	uint32_t job_count, learned; /* lengths come from the first `learned` jobs */
	uint32_t replayed;           /* the first job whose release is in the trace */
	uint32_t steps;              /* jobs as they were cut that make one of these */
	int64_t period_ns, least_gap_ns, longest_ns;
	int128 gpu_ns, overlap_ns;     /* of all jobs: length of operations; what they overlapped */
	uint64_t operations, ahead;    /* of all jobs; of these issued before the one in front had ended */
	bool flies;                    /* operations are in flight; else each is waited for */
	uint32_t asynchronous;         /* of a job: such operations, */
	uint32_t waits, afters, nodes; /* waits, names in `after`, nodes of graphs */
	uint32_t queued; /* jobs that were released before the last one's operations had ended */
	uint64_t early; /* operations of all jobs that begin earlier than they did, as it is not known what */
	int64_t early_ns; /* they waited for; the most */
	bool saturated;   /* the next job begins when the last one has ended */
};

/* A kernel as it was launched, whatever its grid. */
struct import_kernel {
	const char *name;
	uint32_t threads, registers, resident; /* blocks per SM */
	int64_t shared_memory;
	uint64_t least_grid, most_grid;
	uint64_t launches, alone;
	int64_t least_ns, most_ns;
	int128 all_ns;
};

/* A sentence for the user. */
enum import_kind { IMPORT_FOUND, IMPORT_ASSUMED, IMPORT_LEFT_OUT };
struct import_note {
	enum import_kind kind;
	const char *subject;
	uint64_t count;
	const char *text;
};

struct import {
	struct arena arena;
	const struct capture *capture;
	struct platform platform; /* of the scenario */
	struct platform recorded; /* on which the kernels ran: it says in how many waves */
	struct import_task *tasks;
	struct import_kernel *kernels;
	struct import_note *notes;
	uint32_t task_count, kernel_count, note_count;
	int128 gaps_ns;   /* between operations in flight that stood behind one another in a stream; */
	uint64_t gaps;    /* so many */
	int64_t start_ns; /* instant of the capture that is 0 in the scenario */
};

/* A kernel's name without what its templates are made with: at::native::add of
 * void at::native::add<float>(int). */
const char *import_short_name(const char *name, char buffer[IMPORT_NAME_MAX]);

/* Makes the tasks. The capture must outlive the import. False: *err. Call import_finish() either way. */
MUST_CHECK bool import_make(struct import *im, const struct capture *capture,
	const struct import_request *request, struct error *err);
void import_finish(struct import *im);

/* How the files are made. */
struct import_files {
	const char *path;    /* FILE.yaml; FILE.csv and FILE.samples.csv are written beside it */
	const char *cpu;     /* was read beside the capture; neither is replaced. NULL: nothing */
	const char *command; /* that made it, for the first lines */
	bool periodic; /* releases are periodic and lengths drawn of the samples; else all is as recorded */
	bool replace;
};
MUST_CHECK bool import_write(const struct import *im, const struct import_request *request,
	const struct import_files *files, struct error *err);

#endif
