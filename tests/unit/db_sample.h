/* tests/unit/db_sample.h - a small recording by hand, for the tests of db/.
 *
 * Two tasks on a platform of two SMs: "camera" (cpu, copy, kernel, copy, cpu; period 10 ms) and "lidar" (one
 * kernel; period 20 ms). Run 1 (fcfs): camera's jobs take 4 and 6 ms, lidar's 25 ms (a miss). Run 2 (rm): no
 * miss. Run 3 (fcfs, another seed) is refused. An analysis bounds the runs under rm: camera by 6 ms of
 * 2 own, 1 of copies, 2 of kernels and 1 of blocking, lidar by 30 ms of 20 and camera's 10; one under
 * fcfs refuses. */
#ifndef CEGSIM_TESTS_DB_SAMPLE_H
#define CEGSIM_TESTS_DB_SAMPLE_H

#include "db/writer.h"
#include "tests/support/test.h"

#define MS INT64_C(1000000)

struct sample {
	int64_t scenario_id, platform_id, taskset_id, fcfs_id, rm_id;
};

/* The rows, which a test may vary. */
struct platform_row sample_platform(void);
extern const struct task_row sample_tasks[2];
extern const struct segment_row sample_segments[6];
extern const struct profile_row sample_profiles[2];
struct taskset_row sample_taskset(void);
struct run_row sample_run(const struct sample *ids, int64_t policy_id, int64_t seed);

bool sample_things(struct db_writer *w, struct sample *ids, struct error *err);
bool sample_runs(struct db_writer *w, const struct sample *ids, struct error *err);
bool sample_analyses(struct db_writer *w, const struct sample *ids, struct error *err);
/* Writes a finished recording with everything. */
bool sample_write(const char *file, struct error *err);

/* Opens a writer of a new file, whose path it writes to `file`, and writes the sample's things; NULL with the
 * error. */
struct db_writer *sample_open(char file[512], struct sample *ids, struct error *err);

/* What a call says that fails, in a file that has an `err`. */
#define assert_ok(call)                                                                                      \
	do {                                                                                                 \
		if (!(call))                                                                                 \
			fail_msg("%s: %s", #call, err.text);                                                 \
	} while (0)

/* The path of NAME in a folder of this process. sample_clean() removes the folder and all its files. The text
 * is valid until the next call. */
const char *sample_path(const char *name);
void sample_clean(void);

/* The single value that a query returns, over a separate SQLite connection; fails the test if there is
 * none. */
int64_t sample_integer(const char *file, const char *sql);
double sample_real(const char *file, const char *sql);
#define assert_near(is, should, error) assert_true((is) - (should) <= (error) && (should) - (is) <= (error))
/* Rows as text: columns separated by |, rows by a line feed, NULL as "-". Valid until the next call. */
const char *sample_rows(const char *file, const char *sql);

#endif
