/* tests/unit/audit_sample.h - small recordings worked out by hand; a test spoils each in one place.
 *
 * A sample is all rows of one run. The test changes some of them and asks the audit what it finds. The
 * schedules are described in audit_sample.c, above the function that makes each. */
#ifndef CEGSIM_TESTS_AUDIT_SAMPLE_H
#define CEGSIM_TESTS_AUDIT_SAMPLE_H

#include <stdbool.h>

#include "db/audit/audit.h"
#include "db/reader.h"
#include "db/rows.h"

#define MS INT64_C(1000000)
#define ROWS_MAX 24

struct audit_sample {
	struct platform_row platform;
	const char *policy, *params;
	int64_t policy_version; /* of sample_begin(): later than any version that promised otherwise */
	struct taskset_row set;
	struct task_row task[4];
	struct segment_row segment[16];
	struct profile_row profile[12];
	struct run_row run;
	int64_t trace_ns[8];
	size_t traced; /* > 0: the run's releases are this trace */
	struct trace_duration_row duration[4];
	size_t durations;
	struct job_row job[ROWS_MAX];
	struct segment_interval_row interval[ROWS_MAX];
	struct block_interval_row block[ROWS_MAX];
	struct power_interval_row power[ROWS_MAX];
	struct decision_row decision[ROWS_MAX];
	struct context_interval_row context[ROWS_MAX];
	struct hist_row hist[ROWS_MAX];
	struct run_task_row figures[4];
	struct run_gpu_row gpu[2];
	size_t jobs, intervals, blocks, powers, decisions, contexts, hists, gpus;
	struct task_after_row after[4];
	struct chain_row chain[2];
	struct chain_task_row stage[4];
	struct chain_run_row chain_run[2];
	size_t afters, chains, stages;
	const char *sql; /* NULL, or an SQL statement run after everything is written */
	/* NULL, or the statement that makes a view in front of the reader's: of the file it would take no
	 * view that cegsim has not written. */
	const char *view;
};

/* fifo-cke on two SMs, one copy engine: CPU, copies, kernels in the primary queue. */
struct audit_sample sample_fifo(void);
/* rm, unit section: preemption, the gate, profiles, two engines. */
struct audit_sample sample_section(void);
struct audit_sample sample_streams(void); /* fifo-cke, pool gpu: a shared stream and the NULL stream */
struct audit_sample sample_copies(void);  /* rm: copies by priority on one engine */
struct audit_sample sample_busy(void);    /* stgm: a job that spins */
struct audit_sample sample_drop(void);    /* on_miss: drop */
struct audit_sample sample_abort(void);   /* on_miss: abort, with a copy that goes on */
struct audit_sample sample_stopped(void); /* stop: horizon in the middle of a segment */
struct audit_sample sample_work(void);    /* a `work` kernel on virtual SMs, scaled, in a trace */

/* audit_sample_overheads.c: fifo-cke on a platform with all overheads. */
struct audit_sample sample_overheads(void);

/* audit_sample_gpus.c: rm with two GPUs; with unlimited copy engines on one of them. */
struct audit_sample sample_gpus(void), sample_placed(void), sample_engines(void);

/* audit_sample_cores.c: fifo-cke on two cores, one for each task, or global. */
struct audit_sample sample_cores(void);
struct audit_sample sample_global(void);

/* audit_sample_masks.c: prio-streams, kernels on some SMs, a task table of one entry. */
struct audit_sample sample_masks(void);
/* The same file: prio-streams, a high kernel that takes SMs at a cost. */
struct audit_sample sample_taken(void);

/* audit_sample_contexts.c: two processes under tsg-rr. */
struct audit_sample sample_contexts(void);
/* The same file: three tasks under gcaps. */
struct audit_sample sample_calls(void);

/* audit_sample_chains.c: fifo-cke, a task that two others release, and chains through it. */
struct audit_sample sample_chained(void);

/* audit_sample_flights.c: fifo-cke, a job with operations in flight on two streams. */
struct audit_sample sample_flights(void);

/* audit_sample_sms.c: policies that give SMs, or that order by deadline. */
struct audit_sample sample_edf(void);         /* unit section: core and gate by absolute deadline */
struct audit_sample sample_boost(void);       /* mpcp, wait: busy */
struct audit_sample sample_apart(void);       /* stgm: each task has its own SMs, busy-waiting */
struct audit_sample sample_sets(void);        /* stgm, exclusive: false, wait: suspend: SMs shared in time */
struct audit_sample sample_lower_first(void); /* the same, ties: lower-first */
struct audit_sample sample_leaves(void);      /* the same, on_miss: abort, of a kernel that waits */
struct audit_sample sample_fallback(void);    /* stgm, test: utilization: runs as rm */
struct audit_sample sample_slots(void);       /* rtgpu: each task has its own virtual SMs */
struct audit_sample sample_chosen(void);      /* sbeet: SMs chosen when a section is admitted */
struct audit_sample sample_decided(void);     /* the same, and decisions take time of the core */
struct audit_sample sample_offline(void);     /* the same, made beforehand: no decisions are recorded */
struct audit_sample sample_unseen(void);      /* made beforehand: a copy waits for an unrecorded admission */

/* audit_sample_predicted.c: what sbeet considers, and what it predicts. */
struct audit_sample sample_example2(void); /* of its paper: SMs are left for jobs that are still to come */
struct audit_sample sample_weighed(void);  /* queue: priority; units that start together, one that waits */
struct audit_sample sample_expected(
	void); /* in a trace, later than the period: what is expected moves, too */
struct audit_sample sample_given_up(void); /* on_miss: drop: a unit leaves the gate */

/* Writes the sample as a recording and audits it. The caller must finish the report. */
void sample_audit(const struct audit_sample *sample, struct audit_report *report);
/* Writes it and opens it. The caller must close it; the file is gone by then. */
struct db_reader *sample_read(const struct audit_sample *sample);
const struct audit_result *report_law(const struct audit_report *report, const char *law);

/* Fails the test if anything is found. */
void assert_clean(const struct audit_sample *sample);
/* Does the law find something, with `words` in the text? If not, prints what it found. */
bool breaks(const struct audit_sample *sample, const char *law, const char *words);

#endif
