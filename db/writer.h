/* db/writer.h - writes a recording (docs/recording.md).
 *
 * A recording grows in FILE.part, under an exclusive lock. It gets its final name when it is complete: so a
 * file with that name is always a finished recording, and nothing protects one that is not. Runs are written
 * one after the other: begin, rows, end. A run that was begun and not ended leaves nothing in a finished
 * file.
 *
 * A function that returns false has set *err. Its status is STATUS_IO if the disk, the memory or another
 * process is the reason, and STATUS_INPUT if an existing file is in the way. After a failure the writer can
 * only be abandoned, unless a function says otherwise. Not for use by several threads. */
#ifndef CEGSIM_DB_WRITER_H
#define CEGSIM_DB_WRITER_H

#include "base/error.h"
#include "db/rows.h"

struct db_writer;

/* Begins FILE.part. Refuses if FILE exists, or FILE.part is left over from a writer that did not end, unless
 * `overwrite`; refuses always if another process is writing it. FILE itself is replaced only by
 * writer_finish(). NULL: *err. */
MUST_CHECK struct db_writer *writer_open(const char *file, bool overwrite, struct error *err);

enum writer_kind {
	WRITER_PAGES, /* writes bulk tables without SQLite (db/paged.h) */
	/* SQLite writes all tables: slower, and the reference for the other. */
	WRITER_SQLITE,
	/* A part of a campaign (db/merge.h): never finished, and without indexes and views. Whatever becomes
	 * of this process, part_read() finds in it what was committed. */
	WRITER_PART,
};
/* writer_open() is WRITER_PAGES. */
MUST_CHECK struct db_writer *writer_open_as(
	enum writer_kind kind, const char *file, bool overwrite, struct error *err);

/* The inputs of runs ("things"). Each function returns the id of the thing in the recording. A thing is
 * written only if its content is not in the recording yet (by digest; two things may have the same name). */
MUST_CHECK bool writer_scenario(
	struct db_writer *w, const struct scenario_row *row, int64_t *scenario_id, struct error *err);
MUST_CHECK bool writer_platform(
	struct db_writer *w, const struct platform_row *row, int64_t *platform_id, struct error *err);
MUST_CHECK bool writer_policy(
	struct db_writer *w, const struct policy_row *row, int64_t *policy_id, struct error *err);
/* release_ns: of job 0, 1, ... */
MUST_CHECK bool writer_trace(struct db_writer *w, const int64_t *release_ns, size_t release_count,
	const struct trace_duration_row *durations, size_t duration_count, int64_t *trace_id,
	struct error *err);
MUST_CHECK bool writer_taskset(
	struct db_writer *w, const struct taskset_row *row, int64_t *taskset_id, struct error *err);

/* The bounds of an analysis. All may be empty: then it is only a verdict. */
struct analysis_rows {
	const struct bound_row *bounds;
	size_t bound_count;
	const struct bound_part_row *parts;
	size_t part_count;
	const struct chain_bound_row *chains;
	size_t chain_count;
};

/* The result of an analysis of a set under a policy, outside of a run. *exists: the recording already has
 * this analysis of this set (same platform, policy and parameters), and nothing was written. */
MUST_CHECK bool writer_analysis(struct db_writer *w, const struct analysis_row *row,
	const struct analysis_rows *rows, bool *exists, struct error *err);

/* Begins a run, with the first half of *run. *exists: the recording already has this run (same set, platform,
 * policy, replication and setup), and nothing was begun. */
MUST_CHECK bool writer_begin_run(
	struct db_writer *w, const struct run_row *run, bool *exists, struct error *err);
/* Rows of the run, in any number of calls; some hundred rows or more per call are fastest. */
MUST_CHECK bool writer_jobs(struct db_writer *w, const struct job_row *rows, size_t count, struct error *err);
MUST_CHECK bool writer_segment_intervals(
	struct db_writer *w, const struct segment_interval_row *rows, size_t count, struct error *err);
MUST_CHECK bool writer_block_intervals(
	struct db_writer *w, const struct block_interval_row *rows, size_t count, struct error *err);
MUST_CHECK bool writer_context_intervals(
	struct db_writer *w, const struct context_interval_row *rows, size_t count, struct error *err);
MUST_CHECK bool writer_power_intervals(
	struct db_writer *w, const struct power_interval_row *rows, size_t count, struct error *err);
MUST_CHECK bool writer_decisions(
	struct db_writer *w, const struct decision_row *rows, size_t count, struct error *err);
MUST_CHECK bool writer_hist(
	struct db_writer *w, const struct hist_row *rows, size_t count, struct error *err);
MUST_CHECK bool writer_run_tasks(
	struct db_writer *w, const struct run_task_row *rows, size_t count, struct error *err);
MUST_CHECK bool writer_run_gpus(
	struct db_writer *w, const struct run_gpu_row *rows, size_t count, struct error *err);
MUST_CHECK bool writer_chain_runs(
	struct db_writer *w, const struct chain_run_row *rows, size_t count, struct error *err);
/* Of runs of warps. */
MUST_CHECK bool writer_run_warp_kernels(
	struct db_writer *w, const struct run_warp_kernel_row *rows, size_t count, struct error *err);
MUST_CHECK bool writer_run_sub_cores(
	struct db_writer *w, const struct run_sub_core_row *rows, size_t count, struct error *err);
MUST_CHECK bool writer_epochs(
	struct db_writer *w, const struct epoch_row *rows, size_t count, struct error *err);
MUST_CHECK bool writer_epoch_sms(
	struct db_writer *w, const struct epoch_sm_row *rows, size_t count, struct error *err);
MUST_CHECK bool writer_epoch_quotas(
	struct db_writer *w, const struct epoch_quota_row *rows, size_t count, struct error *err);
MUST_CHECK bool writer_warp_issues(
	struct db_writer *w, const struct warp_issue_row *rows, size_t count, struct error *err);
/* Ends the run. *run is as in writer_begin_run(), with its second half filled in. */
MUST_CHECK bool writer_end_run(struct db_writer *w, const struct run_row *run, struct error *err);
/* Or takes it back, with all its rows. */
MUST_CHECK bool writer_discard_run(struct db_writer *w, struct error *err);

/* What a real machine did with segments of jobs of a run that has ended: at most one row for each, in one
 * call. Rows that a finished recording has of the run are replaced. There is no such run: STATUS_INPUT. */
MUST_CHECK bool writer_measured(struct db_writer *w, int64_t run_id, const struct measured_row *rows,
	size_t count, struct error *err);

/* Makes everything written so far safe if this process dies: in a part of a campaign. Call it now and then
 * (such as every second); the writer also does it by itself after very many rows. Of other recordings nobody
 * reads what is not finished: it does nothing. */
MUST_CHECK bool writer_commit(struct db_writer *w, struct error *err);

/* Adds statistics and views, then renames FILE.part to FILE. `interrupted`: NULL, or why the recording does
 * not contain all that was asked for (stored in meta, shown by the reader). A run that was begun is taken
 * back. Frees the writer, also on failure: then nothing is left, unless all was well but the name: FILE.part
 * is complete, too, and stays. */
MUST_CHECK bool writer_finish(struct db_writer *w, const char *interrupted, struct error *err);
/* Gives up and frees the writer; accepts NULL. FILE.part stays if `keep`: of a part of a campaign, which
 * another process reads. Otherwise nothing is left; nor is it if a signal ends the program
 * (base/interrupt.h). */
void writer_abandon(struct db_writer *w, bool keep);

/* Opens a finished recording again, to add analyses, or what was measured. This is one transaction, which
 * writer_amended() ends. Until then others see the old recording, and writer_abandon() (with keep) leaves it
 * unchanged. Runs cannot be added: of the functions above only those for things, writer_analysis() and
 * writer_measured() may be called. An analysis that exists already is replaced. Readers in the same process
 * must be closed before writer_amended(). NULL: *err. */
MUST_CHECK struct db_writer *writer_amend(const char *file, struct error *err);
/* Commits and frees the writer, also on failure (the recording is then as it was). */
MUST_CHECK bool writer_amended(struct db_writer *w, struct error *err);

#endif
