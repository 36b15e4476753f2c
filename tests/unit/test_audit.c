/* tests/unit/test_audit.c - the laws on runs, jobs, segments, the core and the copy engines. Each law accepts
 * a correct recording, and finds something when one row of it is wrong. */
#include <string.h>

#include "tests/support/test.h"
#include "tests/unit/audit_defects.h"

static void longer_window(struct audit_sample *s)
{
	s->run.window_ns += MS;
}

static void stop_behind_limit(struct audit_sample *s)
{
	s->run.limit_ns = 27 * MS;
}

static void truncated_before_limit(struct audit_sample *s)
{
	s->run.status = "truncated";
}

static void stop_off_horizon(struct audit_sample *s)
{
	s->run.stop_ns -= 1;
}

static void one_job_more(struct audit_sample *s)
{
	s->run.jobs++;
}

static void one_miss_more(struct audit_sample *s)
{
	s->run.misses++;
}

static void unfit_mean(struct audit_sample *s)
{
	s->figures[0].mean_response_ns = 9 * MS;
}

static void short_histogram(struct audit_sample *s)
{
	s->hist[0].jobs--;
}

static void same_ranks(struct audit_sample *s)
{
	s->figures[1].rank = 0;
}

static void swapped_ranks(struct audit_sample *s)
{
	s->figures[0].rank = 1;
	s->figures[1].rank = 0;
}

static void late_release(struct audit_sample *s)
{
	job(s, 0, 1)->release_ns += 1;
}

static void skipped_number(struct audit_sample *s)
{
	job(s, 0, 1)->seq = 2;
}

static void release_at_horizon(struct audit_sample *s)
{
	s->run.horizon_ns = 20 * MS;
}

static void missing_last_job(struct audit_sample *s)
{
	s->run.horizon_ns = 40 * MS + 1;
}

static void off_trace(struct audit_sample *s)
{
	s->trace_ns[1] -= 1;
}

static void trace_goes_on(struct audit_sample *s)
{
	s->trace_ns[s->traced++] = 19 * MS;
}

static void other_draw(struct audit_sample *s)
{
	s->run.release_kind = "sporadic";
	s->run.max_delay_ppm = 100000;
}

static void other_deadline(struct audit_sample *s)
{
	job(s, 1, 0)->abs_deadline_ns -= 1;
}

static void early_start(struct audit_sample *s)
{
	job(s, 0, 1)->first_start_ns = 19 * MS;
}

static void overlapping_jobs(struct audit_sample *s)
{
	job(s, 0, 0)->finish_ns = 21 * MS;
}

static void finish_behind_stop(struct audit_sample *s)
{
	s->run.stop_ns = 27 * MS;
}

static void unmarked_miss(struct audit_sample *s)
{
	s->task[1].deadline_ns = 10 * MS;
	job(s, 1, 0)->abs_deadline_ns = 10 * MS;
}

static void marked_hit(struct audit_sample *s)
{
	job(s, 0, 0)->outcome = job_outcome(ROW_JOB_FINISHED, true);
}

static void drop_without_rule(struct audit_sample *s)
{
	s->run.on_miss = "continue";
}

static void late_drop(struct audit_sample *s)
{
	job(s, 1, 0)->finish_ns = 6 * MS;
}

static void drop_after_start(struct audit_sample *s)
{
	job(s, 1, 0)->first_start_ns = 4 * MS;
}

static void early_abort(struct audit_sample *s)
{
	job(s, 1, 0)->finish_ns = 2 * MS;
}

static void finished_under_abort(struct audit_sample *s)
{
	job(s, 1, 0)->outcome = job_outcome(ROW_JOB_FINISHED, true);
}

static void unfinished_in_drained(struct audit_sample *s)
{
	s->run.stop_rule = "drained";
	s->run.limit_ns = 9 * MS;
}

static void unfinished_marked(struct audit_sample *s)
{
	job(s, 0, 0)->outcome = job_outcome(ROW_JOB_UNFINISHED, true);
}

static void short_response(struct audit_sample *s)
{
	job(s, 0, 0)->finish_ns = 8 * MS - 1;
}

static void later_stop(struct audit_sample *s)
{
	s->run.stop_ns += 1;
}

static void nothing_truncated(struct audit_sample *s)
{
	s->run.status = "truncated";
	s->run.horizon_ns = s->run.limit_ns = 28 * MS;
}

static void other_mean(struct audit_sample *s)
{
	s->figures[1].mean_response_ns--;
	s->figures[1].min_response_ns--;
}

static void other_jobs(struct audit_sample *s)
{
	s->figures[0].jobs++;
}

static void other_bound(struct audit_sample *s)
{
	s->figures[1].worst_lower_bound_ns++;
}

static void lost_bucket(struct audit_sample *s)
{
	s->hists--;
}

static void other_bucket(struct audit_sample *s)
{
	s->hist[0].bucket++;
}

static void other_ready(struct audit_sample *s)
{
	interval(s, 0, 0, 3)->ready_ns = 5 * MS;
}

static void before_predecessor(struct audit_sample *s)
{
	interval(s, 0, 0, 3)->ready_ns = 5 * MS;
	interval(s, 0, 0, 3)->start_ns = 5 * MS;
}

static void missing_segment(struct audit_sample *s)
{
	interval(s, 0, 1, 4)->seq = 7;
}

static void behind_the_end(struct audit_sample *s)
{
	struct segment_interval_row *r = interval(s, 0, 1, 4);
	s->interval[s->intervals++] = *r;
	s->interval[s->intervals - 1].seq = 0;
}

static void other_finish(struct audit_sample *s)
{
	job(s, 0, 0)->finish_ns = 9 * MS;
}

static void preempted_copy(struct audit_sample *s)
{
	interval(s, 0, 0, 1)->code = segment_interval_code(ROW_COPY, ROW_RUN, ROW_SPAN_PREEMPTED);
}

static void never_went_on(struct audit_sample *s)
{
	interval(s, 0, 0, 0)->code = segment_interval_code(ROW_CPU, ROW_RUN, ROW_SPAN_PREEMPTED);
}

static void done_twice(struct audit_sample *s)
{
	interval(s, 1, 0, 0)->code = segment_interval_code(ROW_CPU, ROW_RUN, ROW_SPAN_DONE);
}

static void copy_on_core(struct audit_sample *s)
{
	interval(s, 0, 0, 1)->code = segment_interval_code(ROW_GPU, ROW_RUN, ROW_SPAN_DONE);
}

static void second_core(struct audit_sample *s)
{
	interval(s, 0, 0, 0)->unit = 1;
}

static void stopped_early(struct audit_sample *s)
{
	interval(s, 0, 0, 0)->end_ns = 4 * MS;
}

static void cut_late(struct audit_sample *s)
{
	interval(s, 0, 0, 0)->end_ns = 3 * MS;
}

static void longer_cpu(struct audit_sample *s)
{
	interval(s, 0, 1, 4)->end_ns += 1;
}

static void shorter_copy(struct audit_sample *s)
{
	interval(s, 0, 0, 3)->end_ns -= 1;
}

static void shorter_parts(struct audit_sample *s)
{
	s->interval[5].end_ns -= 1;
}

static void shorter_kernel(struct audit_sample *s)
{
	interval(s, 0, 0, 2)->end_ns -= 1;
}

static void other_start(struct audit_sample *s)
{
	job(s, 1, 0)->first_start_ns = 2 * MS;
}

static void shared_core(struct audit_sample *s)
{
	interval(s, 1, 0, 0)->start_ns = MS / 2;
}

static void spinner_shares(struct audit_sample *s)
{
	interval(s, 1, 0, 0)->start_ns = 2 * MS;
}

static void lower_first_on_core(struct audit_sample *s)
{
	interval(s, 0, 0, 0)->start_ns = 2 * MS;
	interval(s, 0, 0, 0)->end_ns = 3 * MS;
	interval(s, 1, 0, 0)->start_ns = 0;
	interval(s, 1, 0, 0)->end_ns = 2 * MS;
}

static void idle_core(struct audit_sample *s)
{
	interval(s, 1, 0, 0)->start_ns = 3 * MS / 2;
}

static void no_spin(struct audit_sample *s)
{
	interval(s, 0, 0, 2)->start_ns = 4 * MS;
}

static void spin_is_missing(struct audit_sample *s)
{
	s->interval[2] = s->interval[--s->intervals];
}

static void two_sections(struct audit_sample *s)
{
	shift(-1 * MS, &interval(s, 1, 0, 1)->start_ns, &interval(s, 1, 0, 1)->end_ns);
}

static void two_kernels_admitted(struct audit_sample *s)
{
	s->policy = "fcfs";
	s->params = "{\"unit\":\"kernel\"}";
}

static void stream_order(struct audit_sample *s)
{
	shift(-4 * MS, &interval(s, 1, 0, 0)->start_ns, &interval(s, 1, 0, 0)->end_ns);
}

static void null_does_not_wait(struct audit_sample *s)
{
	shift(-5 * MS, &interval(s, 2, 0, 0)->start_ns, &interval(s, 2, 0, 0)->end_ns);
}

static void other_engine(struct audit_sample *s)
{
	interval(s, 0, 0, 3)->unit = 0;
}

static void engine_taken(struct audit_sample *s)
{
	interval(s, 0, 0, 0)->start_ns = 3 * MS;
}

static void copies_swapped(struct audit_sample *s)
{
	interval(s, 1, 0, 0)->start_ns = 4 * MS;
	interval(s, 1, 0, 0)->end_ns = 6 * MS;
	interval(s, 0, 0, 0)->start_ns = 6 * MS;
	interval(s, 0, 0, 0)->end_ns = 7 * MS;
}

static void copies_in_arrival_order(struct audit_sample *s)
{
	s->policy = "fcfs";
}

static void idle_engine(struct audit_sample *s)
{
	interval(s, 0, 0, 1)->start_ns += 1;
}

static const struct defect defects[] = {
	{"window", sample_fifo, longer_window, "31ms, expected max(horizon, S) = 30ms"},
	{"window", sample_fifo, stop_behind_limit, "S is 28ms, behind the limit 27ms"},
	{"window", sample_fifo, truncated_before_limit, "said to be truncated"},
	{"window", sample_stopped, stop_off_horizon, "expected the horizon 5ms"},
	{"figures", sample_fifo, one_job_more, "4 jobs and 0 misses"},
	{"figures", sample_fifo, one_miss_more, "3 jobs and 1 misses"},
	{"figures", sample_fifo, unfit_mean, "task 'camera': 2 jobs, 0 misses"},
	{"figures", sample_fifo, short_histogram, "the histogram holds 1 jobs, expected 2"},
	{"ranks", sample_fifo, same_ranks, "task 'lidar': its rank 0 is not one"},
	{"ranks", sample_fifo, swapped_ranks, "before task 'camera'", PROMISED},
	{"ranks", sample_drop, swapped_ranks, "task 'brief': it has rank 0", PROMISED},
	{"releases", sample_fifo, late_release,
		"task 'camera', job 1: released at 20.000001ms, expected 20ms"},
	{"releases", sample_fifo, skipped_number, "it is the job number 1"},
	{"releases", sample_fifo, release_at_horizon, "not before the horizon 20ms"},
	{"releases", sample_fifo, missing_last_job, "job 2 is missing: it was due at 40ms"},
	{"releases", sample_fifo, other_draw, "released at 20ms, expected 20.908604ms"},
	{"releases", sample_work, off_trace, "released at 10ms, expected 9.999999ms"},
	{"releases", sample_work, trace_goes_on, "job 2 is missing"},
	{"deadlines", sample_fifo, other_deadline, "expected 40ms"},
	{"job-order", sample_fifo, early_start, "before its release at 20ms"},
	{"job-order", sample_fifo, overlapping_jobs, "before an earlier job of its task ended at 21ms"},
	{"job-order", sample_fifo, finish_behind_stop, "behind S = 27ms"},
	{"job-state", sample_fifo, unmarked_miss, "not marked as missed"},
	{"job-state", sample_fifo, marked_hit, "is marked as missed"},
	{"job-state", sample_drop, drop_without_rule, "does not drop jobs"},
	{"job-state", sample_drop, late_drop, "not dropped at its deadline"},
	{"job-state", sample_drop, drop_after_start, "though it had started"},
	{"job-state", sample_abort, early_abort, "aborted before its deadline"},
	{"job-state", sample_abort, drop_without_rule, "does not abort jobs"},
	{"job-state", sample_abort, finished_under_abort, "should have been aborted"},
	{"job-state", sample_stopped, unfinished_in_drained, "said to have been drained"},
	{"job-state", sample_stopped, unfinished_marked, "lies behind S"},
	{"job-floor", sample_fifo, short_response, "take at least 8ms"},
	{"stop", sample_fifo, later_stop, "S is 28.000001ms, but its last job ended at 28ms"},
	{"stop", sample_fifo, nothing_truncated, "all its jobs ended, by 28ms"},
	{"task-figures", sample_fifo, other_mean, "task 'lidar': min_response_ns is 10.999999ms"},
	{"task-figures", sample_fifo, other_jobs, "jobs is 3, but its job rows give 2"},
	{"task-figures", sample_stopped, other_bound, "worst_lower_bound_ns is 4.000001ms"},
	{"task-figures", sample_fifo, lost_bucket, "is missing, but the job rows give 1 jobs"},
	{"task-figures", sample_fifo, other_bucket, "holds 2 jobs, but the job rows give 0"},
	{"precedence", sample_fifo, other_ready, "said to be ready at 5ms, but its predecessor ended at 6ms"},
	{"precedence", sample_fifo, before_predecessor, "starts before its predecessor has ended at 6ms"},
	{"precedence", sample_fifo, missing_segment, "its segment 4 had not ended"},
	{"precedence", sample_fifo, behind_the_end, "no such segment left to run"},
	{"precedence", sample_fifo, other_finish, "it ended at 9ms, but by its segments it ended at 8ms"},
	{"parts", sample_fifo, preempted_copy, "copies and kernels are not preempted"},
	{"parts", sample_fifo, never_went_on, "never went on"},
	{"parts", sample_section, done_twice, "goes on behind its end"},
	{"parts", sample_fifo, copy_on_core, "wrong kind of resource"},
	{"parts", sample_fifo, second_core, "on another core than its"},
	{"parts", sample_stopped, stopped_early, "stopped, but not at S"},
	{"parts", sample_abort, cut_late, "as the deadline of an aborted job demands"},
	{"lengths", sample_fifo, longer_cpu, "ran for 1.000001ms, expected 1ms"},
	{"lengths", sample_fifo, shorter_copy, "ran for 0.999999ms"},
	{"lengths", sample_section, shorter_parts, "ran for 2.999999ms, expected 3ms"},
	{"lengths", sample_fifo, shorter_kernel, "expected at least 3ms"},
	{"first-start", sample_fifo, other_start, "started at 2ms, but by its segments at 1ms"},
	{"waits", sample_fifo, short_response, "it is accounted for until 8ms, but it ended at 7.999999ms"},
	{"cpu-exclusive", sample_fifo, shared_core, "on the core together with"},
	{"cpu-exclusive", sample_busy, spinner_shares, "on the core together with"},
	{"cpu-priority", sample_fifo, lower_first_on_core,
		"task 'camera', job 0, segment 0: at 0s it is ready"},
	{"cpu-priority", sample_fifo, idle_core,
		"task 'lidar', job 0, segment 0: at 1ms it is ready (since 0ms), but the core is idle"},
	{"cpu-priority", sample_busy, no_spin, "but the core is idle"},
	{"cpu-priority", sample_busy, spin_is_missing, "task 'spinner'"},
	{"gate", sample_section, two_sections, "while task 'fast' was admitted"},
	{"gate", sample_fifo, two_kernels_admitted, "task 'lidar'"},
	{"streams", sample_streams, stream_order, "segment 0 of task 'a', issued earlier, had not ended"},
	{"streams", sample_streams, null_does_not_wait, "other streams had not ended"},
	{"copy-engine", sample_section, other_engine, "it is on engine 0, expected engine 1"},
	{"copy-engine", sample_copies, engine_taken, "another copy was on engine 0"},
	{"copy-order", sample_copies, copies_swapped, "the copy of task 'high', waiting since 2ms"},
	{"copy-order", sample_copies, copies_in_arrival_order, "the copy of task 'middle'"},
	{"copy-work", sample_fifo, idle_engine, "though engine 0 is idle"},
};

TEST("correct recordings are clean")
{
	for (size_t i = 0; i < sample_count; i++) {
		struct audit_sample s = samples[i]();
		assert_clean(&s);
	}
}

TEST("less recorded is less asked")
{
	static const char *const levels[] = {"summary", "jobs", "segments", "blocks"};
	uint64_t asked[4] = {0};
	for (size_t i = 0; i < 4; i++) {
		struct audit_sample s = sample_fifo();
		struct audit_report report;
		s.run.record = levels[i];
		sample_audit(&s, &report);
		assert_int_equal(report.findings, 0);
		for (size_t k = 0; k < report.count; k++) {
			const struct audit_result *law = &report.results[k];
			assert_int_equal(law->runs + law->runs_below_level + law->runs_elsewhere, 1);
			asked[i] += law->runs;
		}
		assert_true(i == 0 || asked[i] > asked[i - 1]);
		audit_report_finish(&report);
	}
}

/* What is correct under a known policy is correct under an unknown one. */
TEST("unknown policies are audited by general laws")
{
	struct audit_report report;
	for (size_t i = 0; i < sample_count; i++) {
		struct audit_sample s = samples[i]();
		s.policy = STRANGER;
		assert_clean(&s);
	}
	struct audit_sample s = sample_fifo();
	s.policy = STRANGER;
	sample_audit(&s, &report);
	assert_int_equal(report_law(&report, "cpu-priority")->runs_elsewhere, 1);
	assert_int_equal(report_law(&report, "sm-limits")->runs, 1);
	assert_true(report_law(&report, "sm-choice")->checked > 0);
	audit_report_finish(&report);
	early_start(&s);
	assert_true(breaks(&s, "job-order", "before its release"));
}

TEST("refused runs have no jobs")
{
	struct audit_sample s = sample_fifo();
	s.run.status = "refused";
	s.run.record = "summary";
	s.run.stop_ns = s.run.window_ns = s.run.jobs = s.run.misses = DB_NULL;
	s.run.energy_uj = s.run.energy_rest_uwns = DB_NULL;
	assert_clean(&s);
	s.run.jobs = 3;
	assert_true(breaks(&s, "window", "it was refused, and yet 3 jobs"));
}

TEST("what is no recording is refused")
{
	struct audit_report report;
	struct error err;
	assert_false(audit_file("/nonexistent/recording.db", AUDIT_ALL_RUNS, &report, &err));
	assert_int_equal(err.status, STATUS_IO);
	audit_report_finish(&report);
	assert_false(audit_file("/dev/null", AUDIT_ALL_RUNS, &report, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	audit_report_finish(&report);
}

TEST("every defect is found")
{
	assert_defects_found(defects, sizeof(defects) / sizeof(defects[0]));
}

static bool mine(const struct audit_result *law)
{
	bool power = strncmp(law->law, "power", 5) == 0 || strncmp(law->law, "energy", 6) == 0 ||
		     strcmp(law->law, "activity") == 0;
	return strcmp(law->level, "blocks") != 0 && !power && !audit_is_of_policies(law->law) &&
	       !audit_is_of_identity(law->law) && !audit_is_of_overheads(law->law) &&
	       !audit_is_of_cores(law->law) && !audit_is_of_contexts(law->law) &&
	       !audit_is_of_gpus(law->law) && !audit_is_of_chains(law->law) &&
	       strcmp(law->law, "verdicts") != 0 && strcmp(law->law, "tally") != 0 && /* cli_audit_verdicts */
	       strncmp(law->law, "flight", 6) != 0; /* test_audit_flights.c */
}

TEST("every law is tested")
{
	assert_laws_tested(mine, defects, sizeof(defects) / sizeof(defects[0]));
}
