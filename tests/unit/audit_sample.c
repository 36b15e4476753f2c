/* tests/unit/audit_sample.c - hand-made recordings of kernels without SMs of their own, and what the tests do
 * with a recording. Times are milliseconds. */
#include <sqlite3.h> /* included before N is a macro */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/reader_private.h"
#include "db/writer.h"
#include "sim/digest.h"
#include "tests/support/test.h"
#include "tests/unit/audit_making.h"

/* ---- The samples ---- */

#define FIFO_CKE "{\"order\":\"head\",\"priorities\":\"honour\"}"

/* t0 every 20: CPU [0,1), copy [1,3), three blocks of 1024 threads [3,6) on SMs 0, 1, 0, copy [6,7), CPU
 * [7,8); its second job is the same at 20. t1 once: CPU [1,3), four blocks of 1024 threads, CPU [10,11). The
 * first block fits beside t0's on SM 1, [3,7); the others run [6,10) on SMs 0, 0, 1. */
struct audit_sample sample_fifo(void)
{
	struct audit_sample s = sample_begin("fifo-cke", FIFO_CKE, 30);
	add_task(&s, "camera", 20, 20, 0);
	add_segment(&s, "cpu", 1);
	add_copy(&s, "to_gpu", 2);
	add_grid(&s, 3, 1024, 3, 500000);
	add_copy(&s, "to_cpu", 1);
	add_segment(&s, "cpu", 1);
	add_task(&s, "lidar", 40, 40, 0);
	add_segment(&s, "cpu", 2);
	add_grid(&s, 4, 1024, 4, 300000);
	add_segment(&s, "cpu", 1);

	for (uint32_t seq = 0; seq < 2; seq++) {
		int64_t at = 20 * seq;
		add_job(&s, 0, seq, at, at, at + 8);
		add_interval(&s, 0, seq, 0, ROW_CPU, at, at, at + 1);
		add_interval(&s, 0, seq, 1, ROW_COPY, at + 1, at + 1, at + 3);
		add_interval(&s, 0, seq, 2, ROW_GPU, at + 3, at + 3, at + 6);
		add_interval(&s, 0, seq, 3, ROW_COPY, at + 6, at + 6, at + 7);
		add_interval(&s, 0, seq, 4, ROW_CPU, at + 7, at + 7, at + 8);
		add_block(&s, 0, seq, 2, 0, 0, 0, 1024, at + 3, at + 6);
		add_block(&s, 0, seq, 2, 1, 1, 0, 1024, at + 3, at + 6);
		add_block(&s, 0, seq, 2, 2, 0, 1, 1024, at + 3, at + 6);
	}
	add_job(&s, 1, 0, 0, 1, 11);
	add_interval(&s, 1, 0, 0, ROW_CPU, 0, 1, 3);
	add_interval(&s, 1, 0, 1, ROW_GPU, 3, 3, 10);
	add_interval(&s, 1, 0, 2, ROW_CPU, 10, 10, 11);
	add_block(&s, 1, 0, 1, 0, 1, 1, 1024, 3, 7);
	add_block(&s, 1, 0, 1, 1, 0, 0, 1024, 6, 10);
	add_block(&s, 1, 0, 1, 2, 0, 1, 1024, 6, 10);
	add_block(&s, 1, 0, 1, 3, 1, 0, 1024, 6, 10);

	add_power(&s, 3, 1000000, 0);
	add_power(&s, 6, 1900000, 2); /* SM 0: 500 mW; SM 1: half and half, 400 mW */
	add_power(&s, 10, 1600000, 2);
	add_power(&s, 23, 1000000, 0);
	add_power(&s, 26, 2000000, 2);
	add_power(&s, 30, 1000000, 0);
	return sample_end(&s, 28);
}

/* fast preempts slow at 1. Its section [2,7) is copy, kernel on both SMs, copy. slow's section is ready at 4,
 * waits for it, and runs [7,12). The profile takes 3 on two SMs, at 4500001 uW: an odd share per SM. */
struct audit_sample sample_section(void)
{
	struct audit_sample s = sample_begin("rm", "{\"unit\":\"section\"}", 20);
	s.platform.engines = 2;
	s.profile[0] = (struct profile_row){0, "mmul", 1, 6 * MS, 6 * MS, 3000000};
	s.profile[1] = (struct profile_row){0, "mmul", 2, 3 * MS, 3 * MS, 4500001};
	s.set.profile_count = 2;
	add_task(&s, "fast", 20, 20, 1);
	add_segment(&s, "cpu", 1);
	add_copy(&s, "to_gpu", 1);
	add_profiled(&s, 0);
	add_copy(&s, "to_cpu", 1);
	add_task(&s, "slow", 40, 15, 0);
	add_segment(&s, "cpu", 3);
	add_profiled(&s, 0);
	add_copy(&s, "to_cpu", 2);
	add_segment(&s, "cpu", 1);

	add_job(&s, 0, 0, 1, 1, 7);
	add_interval(&s, 0, 0, 0, ROW_CPU, 1, 1, 2);
	add_interval(&s, 0, 0, 1, ROW_COPY, 2, 2, 3);
	add_interval(&s, 0, 0, 2, ROW_GPU, 3, 3, 6);
	add_interval(&s, 0, 0, 3, ROW_COPY, 6, 6, 7)->unit = 1;
	add_job(&s, 1, 0, 0, 0, 13);
	add_interval(&s, 1, 0, 0, ROW_CPU, 0, 0, 1)->code =
		segment_interval_code(ROW_CPU, ROW_RUN, ROW_SPAN_PREEMPTED);
	add_interval(&s, 1, 0, 0, ROW_CPU, 0, 2, 4)->part = 1;
	add_interval(&s, 1, 0, 1, ROW_GPU, 4, 7, 10);
	add_interval(&s, 1, 0, 2, ROW_COPY, 10, 10, 12)->unit = 1;
	add_interval(&s, 1, 0, 3, ROW_CPU, 12, 12, 13);
	for (uint32_t sm = 0; sm < 2; sm++) {
		add_block(&s, 0, 0, 2, sm, sm, 0, 2048, 3, 6);
		add_block(&s, 1, 0, 1, sm, sm, 0, 2048, 7, 10);
	}
	add_power(&s, 3, 1000000, 0);
	add_power(&s, 6, 4500001, 2);
	add_power(&s, 7, 1000000, 0);
	add_power(&s, 10, 4500001, 2);
	add_power(&s, 20, 1000000, 0);
	return sample_end(&s, 13);
}

/* Three kernels on 100 pooled threads. a [0,4) and b [4,6) share stream 5. c was issued to the NULL stream at
 * 1, after both, and runs [6,9), though its 30 threads were free all the time. */
struct audit_sample sample_streams(void)
{
	struct audit_sample s = sample_begin("fifo-cke", FIFO_CKE, 50);
	s.platform.pool = "gpu";
	s.platform.sms = 1;
	s.platform.threads_per_sm = 100;
	s.platform.blocks_per_sm = N;
	add_task(&s, "a", 100, 100, 0);
	add_grid(&s, 1, 40, 4, 200000)->stream = 5;
	add_task(&s, "b", 100, 100, 0);
	add_grid(&s, 1, 40, 2, 100000)->stream = 5;
	add_task(&s, "c", 100, 100, 1);
	add_grid(&s, 1, 30, 3, 50000)->stream = -2;
	static const int64_t from[] = {0, 4, 6}, to[] = {4, 6, 9}, release[] = {0, 0, 1},
			     threads[] = {40, 40, 30};
	for (uint32_t i = 0; i < 3; i++) {
		add_job(&s, i, 0, release[i], from[i], to[i]);
		add_interval(&s, i, 0, 0, ROW_GPU, release[i], from[i], to[i]);
		add_block(&s, i, 0, 0, 0, ROW_NONE, 0, (uint32_t)threads[i], from[i], to[i]);
	}
	add_power(&s, 4, 1200000, 1);
	add_power(&s, 6, 1100000, 1);
	add_power(&s, 9, 1050000, 1);
	add_power(&s, 50, 1000000, 0);
	return sample_end(&s, 9);
}

/* Copies only, by priority. low's [0,4) is not preempted; middle waits from 1 and high from 2: high runs
 * [4,5), middle [5,7). */
struct audit_sample sample_copies(void)
{
	struct audit_sample s = sample_begin("rm", "{\"unit\":\"kernel\"}", 20);
	static const char *const names[] = {"high", "middle", "low"};
	static const int64_t period[] = {20, 30, 40}, release[] = {2, 1, 0}, length[] = {1, 2, 4};
	static const int64_t from[] = {4, 5, 0}, to[] = {5, 7, 4};
	for (uint32_t i = 0; i < 3; i++) {
		add_task(&s, names[i], period[i], period[i], release[i]);
		add_copy(&s, i == 1 ? "to_gpu" : "to_cpu", length[i]);
		add_job(&s, i, 0, release[i], from[i], to[i]);
		add_interval(&s, i, 0, 0, ROW_COPY, release[i], from[i], to[i]);
	}
	add_power(&s, 20, 1000000, 0);
	return sample_end(&s, 7);
}

/* spinner: CPU [0,1), copy [1,3) while it spins, CPU [3,4). other is ready at 0 and runs [4,6). */
struct audit_sample sample_busy(void)
{
	struct audit_sample s = sample_begin("stgm", "{}", 10);
	add_task(&s, "spinner", 10, 10, 0);
	add_segment(&s, "cpu", 1);
	add_copy(&s, "to_gpu", 2);
	add_segment(&s, "cpu", 1);
	add_task(&s, "other", 20, 20, 0);
	add_segment(&s, "cpu", 2);
	add_job(&s, 0, 0, 0, 0, 4);
	add_interval(&s, 0, 0, 0, ROW_CPU, 0, 0, 1);
	add_interval(&s, 0, 0, 1, ROW_COPY, 1, 1, 3);
	add_interval(&s, 0, 0, 1, ROW_CPU, 1, 1, 3)->code =
		segment_interval_code(ROW_CPU, ROW_SPIN, ROW_SPAN_DONE);
	add_interval(&s, 0, 0, 2, ROW_CPU, 3, 3, 4);
	add_job(&s, 1, 0, 0, 4, 6);
	add_interval(&s, 1, 0, 0, ROW_CPU, 0, 4, 6);
	add_power(&s, 10, 1000000, 0);
	return sample_end(&s, 6);
}

/* long [0,6) has the higher priority; brief has not started by its deadline 5, and is dropped then. */
struct audit_sample sample_drop(void)
{
	struct audit_sample s = sample_begin("fifo-cke", FIFO_CKE, 8);
	s.run.on_miss = "drop";
	s.set.explicit_priorities = 1;
	add_task(&s, "long", 10, 8, 0);
	add_segment(&s, "cpu", 6);
	s.task[0].priority = 1;
	add_task(&s, "brief", 10, 5, 0);
	add_segment(&s, "cpu", 2);
	s.task[1].priority = 2;
	add_job(&s, 0, 0, 0, 0, 6);
	add_interval(&s, 0, 0, 0, ROW_CPU, 0, 0, 6);
	add_job(&s, 1, 0, 0, -1, 5)->outcome = job_outcome(ROW_JOB_DROPPED, true);
	add_power(&s, 8, 1000000, 0);
	return sample_end(&s, 6);
}

/* The copy [0,4) goes on when its job is aborted at 3; the job ends with the copy, and its CPU segment never
 * runs. cut, also released at 0, is aborted in the middle of its segment at 2. */
struct audit_sample sample_abort(void)
{
	struct audit_sample s = sample_begin("fifo-cke", FIFO_CKE, 10);
	s.run.on_miss = "abort";
	add_task(&s, "cut", 10, 2, 0);
	add_segment(&s, "cpu", 6);
	add_task(&s, "copier", 10, 3, 0);
	add_copy(&s, "to_gpu", 4);
	add_segment(&s, "cpu", 1);
	add_job(&s, 0, 0, 0, 0, 2)->outcome = job_outcome(ROW_JOB_ABORTED, true);
	add_interval(&s, 0, 0, 0, ROW_CPU, 0, 0, 2)->code =
		segment_interval_code(ROW_CPU, ROW_RUN, ROW_SPAN_ABORTED);
	add_job(&s, 1, 0, 0, 0, 4)->outcome = job_outcome(ROW_JOB_ABORTED, true);
	add_interval(&s, 1, 0, 0, ROW_COPY, 0, 0, 4)->code =
		segment_interval_code(ROW_COPY, ROW_RUN, ROW_SPAN_ABORTED);
	add_power(&s, 10, 1000000, 0);
	return sample_end(&s, 4);
}

/* S = 5: long is stopped in the middle, brief never started; no deadline has passed. */
struct audit_sample sample_stopped(void)
{
	struct audit_sample s = sample_begin("fifo-cke", FIFO_CKE, 5);
	s.run.stop_rule = "horizon";
	add_task(&s, "long", 10, 8, 0);
	add_segment(&s, "cpu", 6);
	add_task(&s, "brief", 10, 9, 1);
	add_segment(&s, "cpu", 2);
	add_job(&s, 0, 0, 0, 0, -1)->outcome = job_outcome(ROW_JOB_UNFINISHED, false);
	add_interval(&s, 0, 0, 0, ROW_CPU, 0, 0, 5)->code =
		segment_interval_code(ROW_CPU, ROW_RUN, ROW_SPAN_STOPPED);
	add_job(&s, 1, 0, 1, -1, -1)->outcome = job_outcome(ROW_JOB_UNFINISHED, false);
	add_power(&s, 5, 1000000, 0);
	return sample_end(&s, 5);
}

/* work [8,10], GL 1, alpha 9/5 on 2 * 2 virtual SMs: best 2, worst (18 - 1) / 4 + 1 = 5.25; scaled by
 * 0.8: 4.2. Releases from a trace, which gives job 1's kernel 3 ms. */
struct audit_sample sample_work(void)
{
	struct audit_sample s = sample_begin("prio-streams", "{}", 20);
	s.platform.virtual_sms_per_sm = 2;
	s.run.execution = "scaled";
	s.run.scale_ppm = 800000;
	s.run.release_kind = "trace";
	s.trace_ns[0] = 0;
	s.trace_ns[1] = 10 * MS;
	s.traced = 2;
	s.duration[0] = (struct trace_duration_row){1, 0, 3 * MS};
	s.durations = 1;
	add_task(&s, "worker", 10, 10, 0);
	struct segment_row *kernel = add_segment(&s, "kernel", 10);
	kernel->best_ns = 8 * MS;
	kernel->form = "work";
	kernel->overhead_ns = 1 * MS;
	kernel->interleave = "{\"2\": [9, 5]}";
	kernel->dynamic_uw = 400000;
	for (uint32_t seq = 0; seq < 2; seq++) {
		int64_t at = 10 * MS * seq, until = at + (seq ? 3 * MS : 42 * MS / 10);
		add_job(&s, 0, seq, at / MS, at / MS, 0)->finish_ns = until;
		add_interval(&s, 0, seq, 0, ROW_GPU, at / MS, at / MS, 0)->end_ns = until;
		for (uint32_t b = 0; b < 4; b++)
			add_block(&s, 0, seq, 0, b, b % 2, b / 2, 1024, at / MS, 0)->end_ns = until;
	}
	add_power(&s, 0, 1800000, 2);
	s.power[0].end_ns = 42 * MS / 10;
	add_power(&s, 10, 1000000, 0);
	add_power(&s, 13, 1800000, 2);
	add_power(&s, 20, 1000000, 0);
	return sample_end(&s, 13);
}

/* ---- Writing and asking ---- */

static bool write_things(
	struct db_writer *w, const struct audit_sample *s, struct run_row *run, struct error *err)
{
	struct scenario_row scenario = {"scenario", "sample.yaml", "cegsim: 1\n", "0.1.0"};
	struct policy_row policy = {s->policy, s->params, s->policy_version};
	struct taskset_row set = s->set;
	set.tasks = s->task;
	set.segments = s->segment;
	set.profiles = s->profile;
	set.afters = s->after;
	set.after_count = s->afters;
	set.chains = s->chain;
	set.chain_count = s->chains;
	set.chain_tasks = s->stage;
	set.chain_task_count = s->stages;
	if (s->traced &&
		!writer_trace(w, s->trace_ns, s->traced, s->duration, s->durations, &run->trace_id, err))
		return false;
	return writer_scenario(w, &scenario, &run->scenario_id, err) &&
	       writer_platform(w, &s->platform, &run->platform_id, err) &&
	       writer_taskset(w, &set, &run->taskset_id, err) &&
	       writer_policy(w, &policy, &run->policy_id, err);
}

static bool write_rows(struct db_writer *w, const struct audit_sample *s, struct error *err)
{
	if (strcmp(s->run.status, "refused") == 0)
		return true;
	bool ok = writer_hist(w, s->hist, s->hists, err) &&
		  (s->chains == 0 || writer_chain_runs(w, s->chain_run, s->chains, err)) &&
		  (s->gpus == 0 || writer_run_gpus(w, s->gpu, s->gpus, err)) &&
		  writer_run_tasks(w, s->figures, s->set.task_count, err);
	if (strcmp(s->run.record, "summary") != 0)
		ok = ok && writer_jobs(w, s->job, s->jobs, err);
	if (strcmp(s->run.record, "segments") == 0 || strcmp(s->run.record, "blocks") == 0)
		ok = ok && writer_power_intervals(w, s->power, s->powers, err) &&
		     writer_segment_intervals(w, s->interval, s->intervals, err) &&
		     (s->contexts == 0 || writer_context_intervals(w, s->context, s->contexts, err)) &&
		     (s->decisions == 0 || writer_decisions(w, s->decision, s->decisions, err));
	if (strcmp(s->run.record, "blocks") == 0)
		ok = ok && writer_block_intervals(w, s->block, s->blocks, err);
	return ok;
}

/* The digest of the schedule that the rows describe, computed without events. */
static void digest_schedule(const struct audit_sample *s, char digest[17])
{
	uint64_t jobs = 0;
	for (size_t i = 0; i < s->jobs; i++) {
		const struct job_row *j = &s->job[i];
		const struct digested_job digested = {j->task, j->seq, j->release_ns, j->abs_deadline_ns,
			j->first_start_ns, j->finish_ns, j->outcome};
		jobs += digest_of_job(&digested);
	}
	snprintf(digest, 17, "%016llx", (unsigned long long)digest_of_schedule(0, jobs));
}

static bool write_file(const char *file, const struct audit_sample *s, struct error *err)
{
	struct run_row run = s->run;
	bool exists;
	char digest[17];
	digest_schedule(s, digest);
	run.digest = digest;
	run.events_digest = "0000000000000000";
	struct db_writer *w = writer_open(file, true, err);
	if (!w)
		return false;
	if (write_things(w, s, &run, err) && writer_begin_run(w, &run, &exists, err) &&
		write_rows(w, s, err) && writer_end_run(w, &run, err))
		return writer_finish(w, NULL, err);
	writer_abandon(w, false);
	return false;
}

/* Changes what was written. */
static void change(const char *file, const char *sql)
{
	sqlite3 *db;
	char *why = NULL;
	assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
	if (sqlite3_total_changes(db) == 0)
		fail_msg("%s: changes nothing", sql);
	sqlite3_close(db);
}

/* Writes it into a folder of its own. */
static void write_sample(const struct audit_sample *sample, char *folder, char file[64])
{
	struct error err;
	assert_non_null(mkdtemp(folder));
	snprintf(file, 64, "%s/sample.db", folder);
	if (!write_file(file, sample, &err))
		fail_msg("writing: %s", err.text);
	if (sample->sql)
		change(file, sample->sql);
}

void sample_audit(const struct audit_sample *sample, struct audit_report *report)
{
	struct error err;
	struct db_reader *reader = sample_read(sample);
	bool ok = audit_recording(reader, AUDIT_ALL_RUNS, report, &err);
	reader_close(reader);
	if (!ok)
		fail_msg("auditing: %s", err.text);
}

static void change_view(struct db_reader *reader, const char *sql)
{
	sqlite3_set_authorizer(reader->db, NULL, NULL);
	char *why = NULL;
	if (sqlite3_exec(reader->db, "PRAGMA query_only = OFF", NULL, NULL, NULL) != SQLITE_OK ||
		sqlite3_exec(reader->db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
}

struct db_reader *sample_read(const struct audit_sample *sample)
{
	char folder[] = "/tmp/cegsim-audit-XXXXXX", file[64];
	struct error err;
	write_sample(sample, folder, file);
	struct db_reader *reader = reader_open(file, &err);
	unlink(file);
	rmdir(folder);
	if (!reader)
		fail_msg("reading: %s", err.text);
	if (sample->view)
		change_view(reader, sample->view);
	return reader;
}

const struct audit_result *report_law(const struct audit_report *report, const char *law)
{
	for (size_t i = 0; i < report->count; i++) {
		if (strcmp(report->results[i].law, law) == 0)
			return &report->results[i];
	}
	fail_msg("there is no law '%s'", law);
	return NULL;
}

void assert_clean(const struct audit_sample *sample)
{
	struct audit_report report;
	sample_audit(sample, &report);
	for (size_t i = 0; i < report.count; i++) {
		if (report.results[i].findings)
			fail_msg("%s: %s", report.results[i].law, report.results[i].first);
	}
	assert_int_equal(report.findings, 0);
	audit_report_finish(&report);
}

bool breaks(const struct audit_sample *sample, const char *law, const char *words)
{
	struct audit_report report;
	sample_audit(sample, &report);
	const struct audit_result *result = report_law(&report, law);
	bool told = result->findings > 0 && strstr(result->first, words);
	if (!told)
		print_error(
			"%s says: %s\nwithout: %s\n", law, result->first ? result->first : "nothing", words);
	audit_report_finish(&report);
	return told;
}
