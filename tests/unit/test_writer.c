/* tests/unit/test_writer.c - the life of the file that is written: which name it has when, which process may
 * write it, and what is left when a process ends early. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db/digest.h"
#include "db/reader.h"
#include "db/sql.h"
#include "db/writer_private.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample.h"

static struct error err;
static char file[512], part[520];

static int new_name(void **state)
{
	static int number;
	char name[32];
	snprintf(name, sizeof(name), "writer%d.db", number++);
	snprintf(file, sizeof(file), "%s", sample_path(name));
	snprintf(part, sizeof(part), "%s.part", file);
	return 0;
}

static int clean(void **state)
{
	sample_clean();
	return 0;
}

ALL_TESTS(NULL, clean);
EACH_TEST(new_name, NULL);

static struct db_writer *open_writer(bool overwrite)
{
	struct db_writer *w = writer_open(file, overwrite, &err);
	if (!w)
		fail_msg("%s", err.text);
	return w;
}

static bool exists(const char *name)
{
	return access(name, F_OK) == 0;
}

static void assert_no_companions(void)
{
	static const char *const suffixes[] = {
		".part", ".part-wal", ".part-shm", ".part-journal", "-wal", "-journal"};
	char name[600];
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		snprintf(name, sizeof(name), "%s%s", file, suffixes[i]);
		if (exists(name))
			fail_msg("%s is left", name);
	}
}

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

/* ---- names ---- */

TEST("the name is given at the end")
{
	struct sample ids;
	struct db_writer *w = open_writer(false);
	assert_true(exists(part));
	assert_false(exists(file));
	assert_ok(sample_things(w, &ids, &err));
	assert_ok(sample_runs(w, &ids, &err));
	assert_false(exists(file));
	assert_ok(writer_finish(w, NULL, &err));
	assert_true(exists(file));
	assert_no_companions();
	assert_int_equal(sample_integer(file, "SELECT count(*) FROM run"), 3);
}

TEST("an existing file is refused")
{
	write_file(file, "precious");
	assert_null(writer_open(file, false, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_non_null(strstr(err.text, "exists already"));
	assert_non_null(strstr(err.text, file));
	assert_false(exists(part));
}

TEST("an existing file is replaced only at the end")
{
	struct stat st;
	write_file(file, "old");
	struct db_writer *w = open_writer(true);
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_size, 3);
	assert_ok(writer_finish(w, NULL, &err));
	assert_int_equal(sample_integer(file, "SELECT count(*) FROM run"), 0);
	assert_no_companions();
}

/* The file appears while another is being written: it is not overwritten, and the .part stays. */
TEST("a file that appears meanwhile is kept")
{
	struct stat st;
	struct db_writer *w = open_writer(false);
	write_file(file, "new");
	assert_false(writer_finish(w, NULL, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_non_null(strstr(err.text, "exists already"));
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_size, 3);
	assert_true(exists(part));
}

TEST("a part that was moved away is noticed")
{
	char other[540];
	snprintf(other, sizeof(other), "%s.moved", part);
	struct db_writer *w = open_writer(false);
	assert_int_equal(rename(part, other), 0);
	assert_false(writer_finish(w, NULL, &err));
	assert_int_equal(err.status, STATUS_IO);
	assert_non_null(strstr(err.text, "moved or removed"));
	assert_false(exists(file));
}

/* ---- leftovers ---- */

static void leave_part(void)
{
	struct sample ids;
	struct db_writer *w = open_writer(false);
	assert_ok(sample_things(w, &ids, &err));
	assert_ok(sample_runs(w, &ids, &err));
	assert_ok(writer_commit(w, &err));
	writer_abandon(w, true);
	assert_true(exists(part));
	assert_false(exists(file));
}

TEST("a leftover is overwritten")
{
	leave_part();
	struct db_writer *w = open_writer(false);
	assert_ok(writer_finish(w, NULL, &err));
	assert_int_equal(sample_integer(file, "SELECT count(*) FROM run"), 0);
	assert_no_companions();
}

TEST("a leftover that is no database")
{
	write_file(part,
		"this is a text of somebody's that happens to have the name of our file, and is long enough"
		" to be taken for the head of a database, which is a hundred bytes");
	assert_null(writer_open(file, false, &err));
	assert_int_equal(err.status, STATUS_INPUT);
	assert_true(exists(part));
	struct db_writer *w = open_writer(true);
	assert_ok(writer_finish(w, NULL, &err));
	assert_true(exists(file));
}
/* A killed writer leaves its file cut at any place, with or without its log. Because of a bug, some of these
 * could never be overwritten, so that a sweep could not be resumed. */
TEST("a leftover that is cut short")
{
	static const long lengths[] = {
		1, 99, 100, 512, 4095, 4096, 16383, 16384, 16385, 32768, 49152, 100000};
	char log[600];
	snprintf(log, sizeof(log), "%s-wal", part);
	for (size_t i = 0; i < 2 * sizeof(lengths) / sizeof(*lengths); i++) {
		leave_part();
		assert_int_equal(truncate(part, lengths[i / 2]), 0);
		if (i % 2)
			unlink(log);
		struct db_writer *w = open_writer(true);
		assert_ok(writer_finish(w, NULL, &err));
		assert_int_equal(sample_integer(file, "SELECT count(*) FROM run"), 0);
		assert_no_companions();
		unlink(file);
	}
}

/* Its file may be gone, and SQLite would read the log into the new one. */
TEST("a leftover log without its file")
{
	struct sample ids;
	char log[600], journal[600], kept[600];
	struct stat st;
	snprintf(log, sizeof(log), "%s-wal", part);
	snprintf(journal, sizeof(journal), "%s-journal", part);
	snprintf(kept, sizeof(kept), "%s-kept", part);
	struct db_writer *w = writer_open_as(WRITER_PART, file, false, &err);
	assert_ok(w && sample_things(w, &ids, &err) && writer_commit(w, &err));
	assert_int_equal(link(log, kept), 0);
	writer_abandon(w, false);
	assert_true(stat(kept, &st) == 0 && st.st_size > 0);
	assert_int_equal(rename(kept, log), 0);
	write_file(journal, "of another version");
	w = open_writer(false);
	assert_false(exists(log) || exists(journal));
	assert_ok(writer_finish(w, NULL, &err));
	assert_string_equal(sample_rows(file, "PRAGMA integrity_check"), "ok");
	assert_int_equal(sample_integer(file, "SELECT count(*) FROM task"), 0);
	assert_no_companions();
}

/* What each recording would pay for: a log that is copied, and SQL that is read again and again. */
TEST("a recording is one transaction without a log, and its views come last")
{
	struct sample ids;
	char log[600];
	int64_t views;
	struct db_writer *w = open_writer(false);
	assert_ok(sample_things(w, &ids, &err) && sample_runs(w, &ids, &err) && writer_commit(w, &err));
	assert_int_equal(sqlite3_get_autocommit(w->db), 0);
	for (int i = 0; i < 2; i++) {
		snprintf(log, sizeof(log), "%s%s", part, i ? "-wal" : "-journal");
		assert_false(exists(log));
	}
	assert_ok(sql_query_integer(
		w->db, "SELECT count(*) FROM sqlite_master WHERE type = 'view'", &views, part, &err));
	assert_int_equal(views, 0);
	assert_ok(writer_finish(w, NULL, &err));
	assert_true(sample_integer(file, "SELECT count(*) FROM sqlite_master WHERE type = 'view'") > 20);
	assert_int_equal(sample_integer(file, "SELECT count(*) FROM v_run"), 3);
}

TEST("abandoning can remove the part")
{
	struct sample ids;
	struct db_writer *w = open_writer(false);
	assert_ok(sample_things(w, &ids, &err));
	writer_abandon(w, false);
	assert_false(exists(file));
	assert_no_companions();
	writer_abandon(NULL, false);
}

/* Indexes are made by the merge. */
TEST("a part of a campaign holds what was committed")
{
	struct sample ids;
	char name[600];
	struct db_writer *w = writer_open_as(WRITER_PART, file, false, &err);
	if (!w)
		fail_msg("%s", err.text);
	assert_ok(sample_things(w, &ids, &err));
	assert_ok(sample_runs(w, &ids, &err));
	assert_ok(writer_commit(w, &err));
	writer_abandon(w, true);
	assert_int_equal(sample_integer(part, "SELECT count(*) FROM run"), 3);
	assert_int_equal(sample_integer(part, "SELECT count(*) FROM job"), 6);
	assert_int_equal(sample_integer(part, "SELECT count(*) FROM sqlite_master WHERE type = 'view' OR"
					      " (type = 'index' AND sql IS NOT NULL)"),
		0);
	snprintf(name, sizeof(name), "%s-journal", part);
	assert_false(exists(name));
}

/* ---- others ---- */

/* Runs `check` in a child process, since locks are between processes; returns its exit status. */
static int in_child(int (*check)(void))
{
	int status;
	fflush(NULL);
	pid_t child = fork();
	if (child == 0)
		_exit(check());
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static int second_writer_is_refused(void)
{
	for (int overwrite = 0; overwrite < 2; overwrite++) {
		struct db_writer *w = writer_open(file, overwrite, &err);
		if (w || err.status != STATUS_IO || !strstr(err.text, "another process"))
			return 1 + overwrite;
	}
	return 0;
}

TEST("two writers on one file")
{
	struct sample ids;
	struct db_writer *w = open_writer(false);
	assert_int_equal(in_child(second_writer_is_refused), 0);
	assert_ok(sample_things(w, &ids, &err));
	assert_ok(writer_commit(w, &err));
	assert_int_equal(in_child(second_writer_is_refused), 0);
	assert_ok(sample_runs(w, &ids, &err));
	assert_ok(writer_finish(w, NULL, &err));
	assert_int_equal(sample_integer(file, "SELECT count(*) FROM run"), 3);
}

static int reader_is_refused(void)
{
	struct db_reader *r = reader_open(part, &err);
	return r || err.status != STATUS_IO || !strstr(err.text, "another process");
}

TEST("a part that is being written cannot be read")
{
	struct db_writer *w = open_writer(false);
	assert_int_equal(in_child(reader_is_refused), 0);
	writer_abandon(w, false);
}

static int folder_cannot_be_written(void)
{
	if (geteuid() == 0 && setuid(65534) != 0)
		return 1;
	if (writer_open(file, false, &err))
		return 2;
	return err.status == STATUS_IO && strstr(err.text, "Permission denied") && strstr(err.text, part) ? 0
													  : 3;
}

TEST("a folder that cannot be written")
{
	assert_int_equal(chmod(sample_path("."), 0555), 0);
	int result = in_child(folder_cannot_be_written);
	assert_int_equal(chmod(sample_path("."), 0700), 0);
	assert_int_equal(result, 0);
}

TEST("a folder that does not exist")
{
	assert_null(writer_open("/nowhere/at/all.db", false, &err));
	assert_int_equal(err.status, STATUS_IO);
	assert_string_equal(err.text, "cannot create /nowhere/at/all.db.part: No such file or directory");
}

/* ---- runs ---- */

TEST("a run can be taken back")
{
	bool there;
	struct sample ids;
	struct job_row job = {.abs_deadline_ns = 10 * MS, .finish_ns = 4 * MS};
	struct hist_row hist = {1, 0, 1};
	struct run_task_row task = {.task = 0, .sm_set = NULL};
	struct db_writer *w = open_writer(false);
	assert_ok(sample_things(w, &ids, &err));
	assert_ok(sample_runs(w, &ids, &err));
	struct run_row run = sample_run(&ids, ids.rm_id, 77);
	for (int commit = 0; commit < 2; commit++) {
		assert_ok(writer_begin_run(w, &run, &there, &err));
		assert_false(there);
		assert_ok(writer_jobs(w, &job, 1, &err));
		if (commit)
			assert_ok(writer_commit(w, &err));
		assert_ok(writer_hist(w, &hist, 1, &err));
		assert_ok(writer_run_tasks(w, &task, 1, &err));
		assert_ok(writer_discard_run(w, &err));
	}
	assert_ok(writer_begin_run(w, &run, &there, &err));
	assert_ok(writer_jobs(w, &job, 1, &err));
	assert_ok(writer_end_run(w, &run, &err));
	assert_ok(writer_finish(w, NULL, &err));
	assert_string_equal(
		sample_rows(file, "SELECT run_id, count(*) FROM job GROUP BY 1"), "1|3\n2|3\n4|1");
	assert_string_equal(
		sample_rows(file, "SELECT run_id, count(*) FROM run_task GROUP BY 1"), "1|2\n2|2");
	assert_int_equal(sample_integer(file, "SELECT count(*) FROM run_task_hist WHERE run_id > 2"), 0);
}

TEST("finishing within a run takes it back")
{
	bool there;
	struct sample ids;
	struct job_row job = {.abs_deadline_ns = 10 * MS, .finish_ns = 4 * MS};
	struct db_writer *w = open_writer(false);
	assert_ok(sample_things(w, &ids, &err));
	assert_ok(sample_runs(w, &ids, &err));
	struct run_row run = sample_run(&ids, ids.rm_id, 77);
	assert_ok(writer_begin_run(w, &run, &there, &err));
	assert_ok(writer_jobs(w, &job, 1, &err));
	assert_ok(writer_finish(w, "interrupted by a signal", &err));
	assert_int_equal(sample_integer(file, "SELECT count(*) FROM run"), 3);
	assert_int_equal(
		sample_integer(file, "SELECT count(*) FROM job WHERE run_id NOT IN (SELECT run_id FROM run)"),
		0);
	assert_string_equal(
		sample_rows(
			file, "SELECT value FROM meta WHERE key IN ('status', 'interrupted') ORDER BY key"),
		"interrupted by a signal\ninterrupted");
}

TEST("a run is recorded once")
{
	bool there;
	struct sample ids;
	struct db_writer *w = open_writer(false);
	assert_ok(sample_things(w, &ids, &err));
	assert_ok(sample_runs(w, &ids, &err));
	struct run_row run = sample_run(&ids, ids.rm_id, 1);
	run.record = "summary"; /* the record level does not make it another run */
	assert_ok(writer_begin_run(w, &run, &there, &err));
	assert_true(there);
	run.on_miss = "drop";
	assert_ok(writer_begin_run(w, &run, &there, &err));
	assert_false(there);
	assert_ok(writer_end_run(w, &run, &err));
	run.replication = 1;
	assert_ok(writer_begin_run(w, &run, &there, &err));
	assert_false(there);
	assert_ok(writer_end_run(w, &run, &err));
	assert_ok(writer_finish(w, NULL, &err));
	assert_int_equal(sample_integer(file, "SELECT count(*) FROM run"), 5);
}

/* ---- digests ---- */

TEST("equal content is written once")
{
	struct sample ids, again;
	struct platform_row platform = sample_platform();
	struct taskset_row set = sample_taskset();
	struct task_row tasks[2] = {sample_tasks[0], sample_tasks[1]};
	int64_t id;
	struct db_writer *w = open_writer(false);
	assert_ok(sample_things(w, &ids, &err));
	assert_ok(sample_things(w, &again, &err));
	assert_memory_equal(&ids, &again, sizeof(ids));

	platform.static_uw++; /* the same name, another platform */
	assert_ok(writer_platform(w, &platform, &id, &err));
	assert_int_not_equal(id, ids.platform_id);
	tasks[1].deadline_ns--;
	set.tasks = tasks;
	assert_ok(writer_taskset(w, &set, &id, &err));
	assert_int_not_equal(id, ids.taskset_id);
	assert_ok(writer_finish(w, NULL, &err));
	assert_int_equal(sample_integer(file, "SELECT count(*) FROM platform"), 2);
	assert_int_equal(sample_integer(file, "SELECT count(*) FROM taskset"), 2);
	assert_int_equal(sample_integer(file, "SELECT count(*) FROM task"), 4);
	assert_int_equal(sample_integer(file, "SELECT count(*) FROM segment"), 12);
	assert_int_equal(sample_integer(file, "SELECT count(DISTINCT task_id) FROM task"), 4);
}

/* Digests match up recordings of different machines: they must not change within a schema version. */
TEST("digests are what they were")
{
	char text[DIGEST_TEXT];
	struct digest d;
	digest_init(&d);
	assert_string_equal(digest_text(&d, text), "e220a8397b1dcdaf");
	digest_integer(&d, -1);
	digest_string(&d, "a text longer than eight bytes");
	digest_string(&d, "");
	digest_string(&d, NULL);
	assert_string_equal(digest_text(&d, text), "bca1dd6369fb9ea1");
	assert_ok(sample_write(file, &err));
	assert_string_equal(
		sample_rows(file, "SELECT digest FROM taskset UNION ALL SELECT digest FROM platform"
				  " UNION ALL SELECT setup_digest FROM run WHERE run_id = 1"),
		"65cdc804c8e20172\nb35b0e016055e7f4\n643f182d95637746");
}

TEST("digests tell fields apart")
{
	char a[DIGEST_TEXT], b[DIGEST_TEXT];
	struct digest d;
	digest_init(&d);
	digest_string(&d, "ab");
	digest_string(&d, "c");
	digest_text(&d, a);
	digest_init(&d);
	digest_string(&d, "a");
	digest_string(&d, "bc");
	assert_string_not_equal(digest_text(&d, b), a);
	digest_init(&d);
	digest_string(&d, NULL);
	digest_text(&d, a);
	digest_init(&d);
	digest_string(&d, "");
	assert_string_not_equal(digest_text(&d, b), a);
}
