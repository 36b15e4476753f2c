/* db/writer.h - writing a recording (docs/recording.md).
 *
 * A recording grows in FILE.part, in WAL mode and under an exclusive lock, and gets its name when it is
 * complete: a file under the final name is a finished recording, whatever happened to whom. Runs are written
 * one after the other: begin, rows, end; a run that was begun and not ended leaves nothing in a finished
 * file.
 *
 * Functions that return false have set *err; its status is STATUS_IO for what the disk, the memory or another
 * process did and STATUS_INPUT for a file that is in the way. After a failure the writer can only be
 * abandoned, except where a function says otherwise. Not for use by several threads. */
#ifndef CEGSIM_DB_WRITER_H
#define CEGSIM_DB_WRITER_H

#include "base/error.h"
#include "db/rows.h"

struct db_writer;

/* Begins FILE.part. Refuses if FILE exists, or FILE.part is left over from a writer that did not end, unless
 * `overwrite`; refuses always if another process is writing it. FILE itself is replaced only by
 * writer_finish(). NULL: *err. */
MUST_CHECK struct db_writer *writer_open(const char *file, bool overwrite, struct error *err);

/* What things are; each returns the id under which the recording knows the thing, and writes it only if its
 * content is not in the recording yet (by digest; two things may share a name). */
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

/* What an analysis says of a set under a policy, outside of a run. `tasks` and `parts` may be empty: a
 * verdict alone. *exists: the recording holds this analysis of this set already (same platform, policy and
 * parameters); nothing was written. */
MUST_CHECK bool writer_analysis(struct db_writer *w, const struct analysis_row *row,
	const struct bound_row *bounds, size_t bound_count, const struct bound_part_row *parts,
	size_t part_count, bool *exists, struct error *err);

/* Begins a run, with the first half of *run. *exists: the recording holds this run already (same set,
 * platform, policy, replication and setup); nothing was begun. */
MUST_CHECK bool writer_begin_run(
	struct db_writer *w, const struct run_row *run, bool *exists, struct error *err);
/* The run's rows, in any number of calls; some hundred rows or more at a time go fastest. */
MUST_CHECK bool writer_jobs(struct db_writer *w, const struct job_row *rows, size_t count, struct error *err);
MUST_CHECK bool writer_segment_intervals(
	struct db_writer *w, const struct segment_interval_row *rows, size_t count, struct error *err);
MUST_CHECK bool writer_block_intervals(
	struct db_writer *w, const struct block_interval_row *rows, size_t count, struct error *err);
MUST_CHECK bool writer_power_intervals(
	struct db_writer *w, const struct power_interval_row *rows, size_t count, struct error *err);
MUST_CHECK bool writer_decisions(
	struct db_writer *w, const struct decision_row *rows, size_t count, struct error *err);
MUST_CHECK bool writer_hist(
	struct db_writer *w, const struct hist_row *rows, size_t count, struct error *err);
MUST_CHECK bool writer_run_tasks(
	struct db_writer *w, const struct run_task_row *rows, size_t count, struct error *err);
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
/* Ends it: *run is what writer_begin_run() saw, its second half filled in. */
MUST_CHECK bool writer_end_run(struct db_writer *w, const struct run_row *run, struct error *err);
/* Or takes it back, with all its rows. */
MUST_CHECK bool writer_discard_run(struct db_writer *w, struct error *err);

/* Makes what was written so far safe against the death of this process. Call it now and then (every second,
 * say); the writer does so itself when very many rows have gathered. */
MUST_CHECK bool writer_commit(struct db_writer *w, struct error *err);

/* Indexes and statistics, then FILE.part becomes FILE. `interrupted` is NULL, or why not everything that was
 * asked for is inside (kept in meta, shown by the reader); a run that was begun is taken back. Frees the
 * writer, also on failure (FILE.part stays). */
MUST_CHECK bool writer_finish(struct db_writer *w, const char *interrupted, struct error *err);
/* Gives up and frees the writer; accepts NULL. FILE.part stays if `keep`. */
void writer_abandon(struct db_writer *w, bool keep);

/* A finished recording once more, for analyses to be added: one transaction, which writer_amended() ends;
 * until then others see the recording as it was, and writer_abandon() (with keep) leaves it so. Runs cannot
 * be added, and of the functions above only those that say what things are, and writer_analysis(), may be
 * called; one that was made before is replaced. Readers of the same process must be closed before
 * writer_amended(). NULL: *err. */
MUST_CHECK struct db_writer *writer_amend(const char *file, struct error *err);
/* Commits and frees the writer, also on failure (the recording is then as it was). */
MUST_CHECK bool writer_amended(struct db_writer *w, struct error *err);

#endif
