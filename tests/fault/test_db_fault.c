/* tests/fault/test_db_fault.c - faults while a recording is written: every allocation and every write fails
 * once, the disk is full, the process is killed. The caller must learn of it, nothing may leak, and no
 * unfinished file may get the final name. Linked with --wrap for malloc, calloc, realloc and strdup. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "db/reader.h"
#include "tests/support/test.h"
#include "tests/unit/db_sample_warps.h"

static struct error err;
static char file[512], part[520], kept[520], whole[540];

/* ---- the failing call ---- */

/* Number of calls until the one that fails; below 0: none fails. `broken`: all later calls fail, too. */
static volatile long countdown = -1;
static volatile bool failed, stays_broken;

static bool fails_now(void)
{
	if (!failed || !stays_broken) {
		if (countdown < 0)
			return false;
		countdown = countdown - 1;
		if (countdown >= 0)
			return false;
	}
	failed = true;
	errno = ENOMEM; /* as malloc() says it */
	return true;
}

static void fail_at(long n, bool broken)
{
	failed = false;
	stays_broken = broken;
	countdown = n;
}

static bool stop_failing(void)
{
	bool did = failed;
	countdown = -1;
	failed = stays_broken = false;
	return did;
}

/* ---- memory: ours and SQLite's ---- */

static bool memory_fails; /* countdown counts allocations */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
char *__wrap_strdup(const char *text);

void *__wrap_malloc(size_t size)
{
	return memory_fails && fails_now() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return memory_fails && fails_now() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
	return memory_fails && fails_now() ? NULL : __real_realloc(memory, size);
}

char *__wrap_strdup(const char *text)
{
	return memory_fails && fails_now() ? NULL : __real_strdup(text);
}

static sqlite3_mem_methods real_memory;

static void *sqlite_malloc(int size)
{
	return memory_fails && fails_now() ? NULL : real_memory.xMalloc(size);
}

static void *sqlite_realloc(void *memory, int size)
{
	return memory_fails && fails_now() ? NULL : real_memory.xRealloc(memory, size);
}

/* ---- files ---- */

static bool writes_fail; /* countdown counts writes, truncations and syncs */
static int write_code;   /* the error they fail with */

/* A file of the real VFS, wrapped. */
struct shim_file {
	sqlite3_file base;
	sqlite3_file *real;
};

static sqlite3_file *real_file(sqlite3_file *f)
{
	return ((struct shim_file *)f)->real;
}

static int failure(void)
{
	return writes_fail && fails_now() ? write_code : SQLITE_OK;
}

static int shim_close(sqlite3_file *f)
{
	return real_file(f)->pMethods->xClose(real_file(f));
}

static int shim_read(sqlite3_file *f, void *to, int size, sqlite3_int64 at)
{
	return real_file(f)->pMethods->xRead(real_file(f), to, size, at);
}

static int shim_write(sqlite3_file *f, const void *from, int size, sqlite3_int64 at)
{
	int code = failure();
	return code ? code : real_file(f)->pMethods->xWrite(real_file(f), from, size, at);
}

static int shim_truncate(sqlite3_file *f, sqlite3_int64 size)
{
	int code = failure();
	return code ? code : real_file(f)->pMethods->xTruncate(real_file(f), size);
}

static int shim_sync(sqlite3_file *f, int flags)
{
	int code = failure();
	return code ? code : real_file(f)->pMethods->xSync(real_file(f), flags);
}

static int shim_size(sqlite3_file *f, sqlite3_int64 *size)
{
	return real_file(f)->pMethods->xFileSize(real_file(f), size);
}

static int shim_lock(sqlite3_file *f, int level)
{
	return real_file(f)->pMethods->xLock(real_file(f), level);
}

static int shim_unlock(sqlite3_file *f, int level)
{
	return real_file(f)->pMethods->xUnlock(real_file(f), level);
}

static int shim_check(sqlite3_file *f, int *reserved)
{
	return real_file(f)->pMethods->xCheckReservedLock(real_file(f), reserved);
}

static int shim_control(sqlite3_file *f, int what, void *argument)
{
	return real_file(f)->pMethods->xFileControl(real_file(f), what, argument);
}

static int shim_sector(sqlite3_file *f)
{
	return real_file(f)->pMethods->xSectorSize(real_file(f));
}

static int shim_device(sqlite3_file *f)
{
	return real_file(f)->pMethods->xDeviceCharacteristics(real_file(f));
}

/* Version 1 has no shared memory. An exclusive lock does not need it. */
static const sqlite3_io_methods shim_methods = {1, shim_close, shim_read, shim_write, shim_truncate,
	shim_sync, shim_size, shim_lock, shim_unlock, shim_check, shim_control, shim_sector, shim_device,
	NULL, NULL, NULL, NULL, NULL, NULL};

static sqlite3_vfs *real_vfs, shim_vfs;

static int shim_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *flags_out)
{
	(void)vfs;
	struct shim_file *shim = (struct shim_file *)f;
	shim->real = (sqlite3_file *)(shim + 1);
	shim->base.pMethods = NULL;
	int code = real_vfs->xOpen(real_vfs, name, shim->real, flags, flags_out);
	if (shim->real->pMethods)
		shim->base.pMethods = &shim_methods;
	return code;
}

/* Both remain for the whole process. SQLite wants them set before anything else is called. */
static int install(void **state)
{
	if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real_memory) != SQLITE_OK)
		return -1;
	sqlite3_mem_methods methods = real_memory;
	methods.xMalloc = sqlite_malloc;
	methods.xRealloc = sqlite_realloc;
	if (sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) != SQLITE_OK || sqlite3_initialize() != SQLITE_OK)
		return -1;
	real_vfs = sqlite3_vfs_find(NULL);
	shim_vfs = *real_vfs;
	shim_vfs.zName = "shim";
	shim_vfs.szOsFile = (int)sizeof(struct shim_file) + real_vfs->szOsFile;
	shim_vfs.xOpen = shim_open;
	snprintf(file, sizeof(file), "%s", sample_path("fault.db"));
	snprintf(part, sizeof(part), "%s.part", file);
	snprintf(kept, sizeof(kept), "%s.kept", file);
	return sqlite3_vfs_register(&shim_vfs, 1) == SQLITE_OK ? 0 : -1;
}

static int clean(void **state)
{
	sample_clean();
	return 0;
}

ALL_TESTS(install, clean);

/* ---- what must hold ---- */

static bool keeps; /* did the last write_all() fail between opening and finishing? */

/* Writes a whole recording. On failure it keeps the .part, as a worker of a campaign does. */
static bool write_all(void)
{
	struct sample ids;
	struct db_writer *w = writer_open(file, true, &err);
	keeps = w &&
		!(sample_things(w, &ids, &err) && sample_runs(w, &ids, &err) && sample_warps(w, &ids, &err) &&
			sample_analyses(w, &ids, &err) && writer_commit(w, &err));
	if (w && !keeps)
		return writer_finish(w, NULL, &err);
	writer_abandon(w, true);
	return false;
}

/* Replaces the first of the sample's two analyses. */
static bool amend(void)
{
	static const struct bound_row bounds[] = {{0, 0, 5 * MS, NULL}, {1, 1, DB_NULL, NULL}};
	struct sample ids;
	bool there;
	struct db_writer *w = writer_amend(file, &err);
	if (!w)
		return false;
	if (sample_things(w, &ids, &err)) {
		const struct analysis_row row = {
			.analysis = "rta",
			.params = "{\"jitter\":true}",
			.safety = "sound",
			.version = 2,
			.taskset_id = ids.taskset_id,
			.platform_id = ids.platform_id,
			.policy_id = ids.rm_id,
			.verdict = "unschedulable",
			.failing_task = 1,
			.wall_us = 1,
		};
		const struct analysis_rows rows = {.bounds = bounds, .bound_count = 2};
		if (writer_analysis(w, &row, &rows, &there, &err))
			return writer_amended(w, &err);
	}
	writer_abandon(w, false); /* does not remove a finished file */
	return false;
}

static bool exists(const char *name)
{
	return access(name, F_OK) == 0;
}

static void assert_complete(void)
{
	assert_int_equal(sample_integer(file, "SELECT count(*) FROM run"), 4);
	assert_string_equal(sample_rows(file, "PRAGMA integrity_check"), "ok");
	assert_int_equal(sample_integer(file, "SELECT count(*) FROM meta WHERE value = 'complete'"), 1);
}

/* Writes one recording with one failure. False: it had fewer calls than `n`. */
static bool one_failure(long n, bool broken)
{
	unlink(file);
	unlink(part);
	err = (struct error){0};
	fail_at(n, broken);
	bool ok = write_all();
	if (!stop_failing()) {
		assert_true(ok);
		assert_complete();
		return false;
	}
	if (ok) { /* SQLite did without the failed call */
		assert_complete();
		return true;
	}
	assert_int_equal(err.status, STATUS_IO);
	assert_true(err.text[0] != '\0');
	if (exists(file))
		assert_complete(); /* only a call after the renaming failed */
	return true;
}

/* Lets all calls up to `dense` fail in turn, then every `stride`-th. Returns the number of recordings. */
static long all_failures(bool broken, long dense, long stride)
{
	long n = 0, lives = 0;
	while (one_failure(n, broken)) {
		n += n < dense ? 1 : stride;
		lives++;
	}
	memory_fails = writes_fail = false;
	assert_true(write_all()); /* over the file that the last failure left */
	assert_complete();
	return lives;
}

TEST_NUMBER(apart, 16); /* one in so many of 10,000 allocations fails; in a long run, all */

TEST("every allocation fails once")
{
	memory_fails = true;
	assert_true(all_failures(false, 0, (long)apart) > 5000 / (long)apart);
}

TEST("memory runs out for good")
{
	memory_fails = true;
	assert_true(all_failures(true, 20, 31 * SPARSE) > 200 / SPARSE);
}

TEST("every write fails once")
{
	writes_fail = true;
	write_code = SQLITE_IOERR_WRITE;
	assert_true(all_failures(false, 0, SPARSE) > 30 / SPARSE);
}

TEST("the disk is full from some write on")
{
	write_code = SQLITE_FULL;
	for (long n = 0; n < 100; n += SPARSE) {
		writes_fail = true;
		if (!one_failure(n, true))
			break;
		writes_fail = false;
		assert_false(exists(file));
		if (!strstr(err.text, "no space left on the disk") || !strstr(err.text, part))
			fail_msg("write %ld: %s", n, err.text);
		assert_int_equal(exists(part), keeps);
	}
	writes_fail = false;
	assert_true(write_all());
	assert_complete();
}

TEST("reading without memory")
{
	assert_true(write_all());
	bool row, more = true;
	for (long n = 0; more; n += n < 60 ? 1 : 5 * (long)apart) {
		memory_fails = true;
		fail_at(n, false);
		struct db_reader *r = reader_open(file, &err);
		struct db_cursor *c =
			r ? cursor_open(r, "SELECT * FROM v_job JOIN v_run USING (run_id)", &err) : NULL;
		bool ok = c && cursor_next(c, &row, &err);
		more = stop_failing();
		memory_fails = false;
		assert_true(ok || (more && err.status == STATUS_IO));
		cursor_close(c);
		reader_close(r);
	}
}

/* ---- the real thing ---- */

static struct job_row jobs[100000];

/* Rows for more pages than wait in memory. */
static bool write_large(void)
{
	struct sample ids;
	bool there;
	struct db_writer *w = writer_open(file, true, &err);
	if (!w || !sample_things(w, &ids, &err))
		return false;
	struct run_row run = sample_run(&ids, ids.fcfs_id, 1);
	return writer_begin_run(w, &run, &there, &err) && writer_jobs(w, jobs, 100000, &err) &&
	       writer_end_run(w, &run, &err) && writer_finish(w, NULL, &err);
}

static int write_beyond_the_limit(void)
{
	struct sample ids;
	bool there, ok = true;
	struct rlimit limit = {4 << 20, 4 << 20}; /* twice an empty recording */
	signal(SIGXFSZ, SIG_IGN);
	if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
		return 1;
	struct db_writer *w = writer_open(file, true, &err);
	if (!w || !sample_things(w, &ids, &err))
		return 2;
	struct run_row run = sample_run(&ids, ids.fcfs_id, 1);
	if (!writer_begin_run(w, &run, &there, &err))
		return 3;
	for (int i = 0; i < 20 && ok; i++)
		ok = writer_jobs(w, jobs, 100000, &err) && writer_commit(w, &err);
	if (ok || err.status != STATUS_IO || !strstr(err.text, part) || !strstr(err.text, "File too large"))
		return 4;
	writer_abandon(w, true);
	return exists(part) && !exists(file) ? 0 : 5;
}

/* The reader also undoes what a dead writer left half done: all rows are old, or all are new. */
static void assert_amended(bool must, bool may)
{
	bool row;
	struct db_reader *r = reader_open(file, &err);
	if (!r)
		fail_msg("%s", err.text);
	struct db_cursor *c = cursor_open(r,
		"SELECT sum(version), (SELECT count(*) FROM bound_part), (SELECT bound_ns FROM bound WHERE"
		" analysis_run_id = 1 ORDER BY task_id LIMIT 1), (SELECT count(*) FROM meta WHERE key ="
		" 'analysed') FROM analysis_run",
		&err);
	assert_non_null(c);
	assert_true(cursor_next(c, &row, &err) && row);
	bool new = cursor_integer(c, 0) == 3;
	assert_true(new ? must || may : !must);
	assert_int_equal(cursor_integer(c, 0), new ? 3 : 2);
	assert_int_equal(cursor_integer(c, 1), new ? 0 : 6);
	assert_int_equal(cursor_integer(c, 2), new ? 5 * MS : 6 * MS);
	assert_int_equal(cursor_integer(c, 3), new ? 1 : 0);
	cursor_close(c);
	reader_close(r);
	assert_complete();
}

/* Writes the recording that is to be amended, of which restore() makes copies: that is faster. */
static void write_kept(void)
{
	assert_true(write_all());
	assert_int_equal(rename(file, kept), 0);
}

/* An older file's journal may lie there: its writer was killed. */
static void restore(void)
{
	static char bytes[1 << 16];
	char journal[540];
	ssize_t n;
	snprintf(journal, sizeof(journal), "%s-journal", file);
	unlink(journal);
	unlink(file);
	int from = open(kept, O_RDONLY), to = open(file, O_WRONLY | O_CREAT | O_EXCL, 0600);
	assert_true(from >= 0 && to >= 0);
	while ((n = read(from, bytes, sizeof(bytes))) > 0)
		assert_int_equal(write(to, bytes, (size_t)n), n);
	assert_int_equal(n, 0);
	close(from);
	close(to);
}

/* Lets every call that `what` counts fail in turn: only that call, or it and all later ones. */
static void amend_with_failures(bool *what, bool broken, long dense, long stride)
{
	long lives = 0;
	write_kept();
	for (long n = 0;; n += n < dense ? 1 : stride, lives++) {
		restore();
		err = (struct error){0};
		*what = true;
		fail_at(n, broken);
		bool ok = amend();
		bool did = stop_failing();
		*what = false;
		if (!ok) {
			assert_int_equal(err.status, STATUS_IO);
			assert_true(err.text[0] != '\0');
		}
		assert_amended(ok, false);
		if (!did)
			break;
	}
	assert_true(lives > 5);
}

TEST("amending without memory")
{
	amend_with_failures(&memory_fails, false, 20, 13 * (long)apart);
	amend_with_failures(&memory_fails, true, 10, 19 * (long)apart);
}

TEST("amending without a disk")
{
	write_code = SQLITE_FULL;
	amend_with_failures(&writes_fail, false, LONG_MAX, 1);
	amend_with_failures(&writes_fail, true, LONG_MAX, 1);
}

static void amend_for_ever(void)
{
	while (amend())
		;
	_exit(1);
}

TEST("amending killed at any moment")
{
	int status;
	write_kept();
	for (long i = 0; i < 60; i++) {
		struct timespec moment = {0, 500000 + i * 333333};
		restore();
		fflush(NULL);
		pid_t child = fork();
		if (child == 0)
			amend_for_ever();
		nanosleep(&moment, NULL);
		assert_int_equal(kill(child, SIGKILL), 0);
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFSIGNALED(status));
		assert_amended(false, true);
	}
	assert_true(amend());
	assert_amended(true, true);
}

TEST("a file that may not grow")
{
	int status;
	unlink(file);
	unlink(part);
	fflush(NULL);
	pid_t child = fork();
	if (child == 0)
		_exit(write_beyond_the_limit());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_true(write_all());
}

static void assert_large(void)
{
	assert_string_equal(sample_rows(file, "PRAGMA integrity_check"), "ok");
	assert_int_equal(
		sample_integer(file, "SELECT count(*) FROM job, meta WHERE value = 'complete'"), 100000);
}

/* A process that writes the file again and again is killed; the dead writer's file is not in the way. */
static void kill_writers(bool (*write)(void), void (*check)(void))
{
	int status;
	snprintf(whole, sizeof(whole), "%s-pages", part);
	for (long i = 0; i < 60; i++) {
		struct timespec moment = {0, 1000000 + i * 777777};
		unlink(file);
		fflush(NULL);
		pid_t child = fork();
		while (child == 0)
			if (!write())
				_exit(1);
		nanosleep(&moment, NULL);
		assert_int_equal(kill(child, SIGKILL), 0);
		assert_true(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
		if (exists(file))
			check();
	}
	assert_true(write());
	check();
	assert_true(!exists(part) && !exists(whole));
}

TEST("killed at any moment")
{
	kill_writers(write_all, assert_complete);
}

TEST("killed at any moment, with rows beside the file")
{
	kill_writers(write_large, assert_large);
}
