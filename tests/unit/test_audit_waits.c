/* tests/unit/test_audit_waits.c - the law `waits` against views that are wrong: v_wait of sample_fifo is
 * replaced by its rows, of which one is changed; for the reader, too, which takes no such view from a file.
 * t1 waits for the core behind t0 in [0, 1), runs in [1, 3), has its kernel in [3, 10), slowed by t0 in
 * [3, 6), and runs in [10, 11). */
#include <stdio.h>
#include <string.h>

#include "tests/support/test.h"
#include "tests/unit/audit_defects.h"

#define KEPT "CREATE TABLE rows_of_view AS SELECT * FROM v_wait; DROP VIEW v_wait; "
#define SHOWN "; CREATE VIEW v_wait AS SELECT * FROM rows_of_view"
static const char show[] = "DROP VIEW temp.v_wait; CREATE TEMP VIEW v_wait AS SELECT * FROM rows_of_view";
#define LIDAR " WHERE task = 'lidar' AND start_ns = "

static const struct {
	const char *sql, *words;
} changes[] = {
	{KEPT "DELETE FROM rows_of_view" LIDAR "1000000" SHOWN,
		"task 'lidar', job 0: the time from 1ms to 3ms is counted under nothing"},
	{KEPT "DELETE FROM rows_of_view" LIDAR "10000000" SHOWN,
		"task 'lidar', job 0: the time from 10ms to 11ms is counted under nothing"},
	{KEPT "DELETE FROM rows_of_view WHERE task = 'lidar'" SHOWN,
		"task 'lidar', job 0: the time from 0ms to 11ms is counted under nothing"},
	{KEPT "UPDATE rows_of_view SET end_ns = end_ns + 500000" LIDAR "1000000" SHOWN,
		"task 'lidar', job 0: the time from 3ms to 3.5ms is counted twice"},
	{KEPT "UPDATE rows_of_view SET end_ns = end_ns + 500000" LIDAR "10000000" SHOWN,
		"task 'lidar', job 0: it is accounted for until 11.5ms, but it ended at 11ms"},
	{KEPT "UPDATE rows_of_view SET by_seq = 5" LIDAR "0" SHOWN,
		"it waits (cpu) from 0ms to 1ms for job 5 of camera, which has nothing then"},
	{KEPT "UPDATE rows_of_view SET by_seq = 1" LIDAR "0" SHOWN,
		"it waits (cpu) from 0ms to 1ms for job 1 of camera, which has nothing then"},
	{KEPT "UPDATE rows_of_view SET resource = 'job', by_seq = 5" LIDAR "0" SHOWN,
		"from 0ms to 1ms it waits for job 5 of camera, which does not exist"},
	{KEPT "UPDATE rows_of_view SET resource = 'job', by_seq = 1" LIDAR "0" SHOWN,
		"from 0ms to 1ms it waits for job 1 of camera, which was not there then"},
	{"DELETE FROM job WHERE task_id = 1 AND seq = 0", "job 0 of camera, which does not exist"},
};

TEST("a view that leaves time out, counts it twice or names a wrong job is found")
{
	size_t missed = 0;
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		struct audit_sample s = sample_fifo();
		s.sql = changes[i].sql;
		s.view = strstr(s.sql, SHOWN) ? show : NULL;
		missed += !breaks(&s, "waits", changes[i].words);
	}
	assert_int_equal(missed, 0);
}

/* A view with another text is asked itself; of the program's own only some jobs are. */
static const char *const damages[] = {
	"UPDATE job SET finish_ns = finish_ns + 1000000",
	"UPDATE job SET finish_ns = NULL WHERE task_id = 1",
	"UPDATE job SET finish_ns = -5 WHERE task_id = 1",
	"UPDATE job SET release_ns = -release_ns - 1",
	"UPDATE job SET release_ns = 9000000000000000000 WHERE task_id = 2",
	"UPDATE job SET seq = 0",
	"UPDATE job SET seq = 7 - seq",
	"UPDATE job SET task_id = 3 - task_id",
	"UPDATE segment_interval SET end_ns = end_ns + 1500000",
	"UPDATE segment_interval SET end_ns = -end_ns WHERE segment_idx = 0",
	"UPDATE segment_interval SET start_ns = start_ns - 700000",
	"DELETE FROM segment_interval WHERE segment_idx = 1",
	"DELETE FROM segment_interval",
};

TEST("whoever divides the waits, the findings are the same")
{
	size_t found = 0;
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		char slow[512];
		struct audit_report report[2];
		snprintf(slow, sizeof(slow), "%s; " KEPT "SELECT 1" SHOWN, damages[i]);
		for (int own = 0; own < 2; own++) {
			struct audit_sample s = sample_fifo();
			s.sql = own ? damages[i] : slow;
			s.view = own ? NULL : show;
			sample_audit(&s, &report[own]);
		}
		const struct audit_result *a = report_law(&report[0], "waits"),
					  *b = report_law(&report[1], "waits");
		assert_int_equal(a->checked, b->checked);
		assert_int_equal(a->findings, b->findings);
		assert_true(a->findings == 0 || strcmp(a->first, b->first) == 0);
		found += a->findings > 0;
		audit_report_finish(&report[0]);
		audit_report_finish(&report[1]);
	}
	assert_true(found >= 6);
}

TEST("its rows alone are right")
{
	struct audit_sample s = sample_fifo();
	s.sql = KEPT "UPDATE rows_of_view SET by_seq = by_seq" SHOWN;
	s.view = show;
	assert_clean(&s);
}

TEST("below the level segments it is not asked")
{
	struct audit_sample s = sample_fifo();
	struct audit_report report;
	s.run.record = "jobs";
	sample_audit(&s, &report);
	assert_int_equal(report_law(&report, "waits")->runs, 0);
	assert_int_equal(report_law(&report, "waits")->runs_below_level, 1);
	audit_report_finish(&report);
}

TEST("without the indexes of v_wait it is not asked")
{
	struct audit_sample s = sample_fifo();
	struct audit_report report;
	s.sql = "DROP INDEX segment_interval_start; UPDATE meta SET value = value";
	sample_audit(&s, &report);
	assert_int_equal(report_law(&report, "waits")->runs, 0);
	assert_int_equal(report_law(&report, "waits")->runs_elsewhere, 1);
	audit_report_finish(&report);
}
