/* tests/bench/bench_record.c - the cost of recording: events and jobs per second with rows written to SQLite;
 * rows per second of the writer, each beside SQLite alone in the same process; and the peak memory of runs of
 * three lengths.
 *
 * Times are processor time, the least of several tries. Files go to $TMPDIR and are removed. */
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "policies/registry.h"
#include "runs/run.h"
#include "runs/store.h"
#include "tests/bench/bare.h"
#include "tests/bench/clock.h"
#include "tests/bench/sets.h"

#define TRIES 3
#define SECOND INT64_C(1000000000)

static char folder[] = "cegsim-bench-XXXXXX";

static void die(const struct error *err)
{
	fprintf(stderr, "%s\n", err->text);
	rmdir(folder);
	exit(3);
}

/* ---- one run ---- */

struct measured {
	double run_s, finish_s; /* processor time: of the run; of making indexes and views */
	uint64_t events, jobs;
	int64_t rows[ROW_TYPES];
};

static struct db_writer *open_writer(const char *file, struct error *err)
{
	struct db_writer *w = writer_open(file, true, err);
	if (!w)
		die(err);
	return w;
}

static void store_set(struct db_writer *w, struct bench_set *b, struct run_spec *spec)
{
	struct error err;
	const struct scenario_row scenario = {
		.kind = "scenario", .name = "bench", .text = "", .tool_version = "bench"};
	if (!writer_scenario(w, &scenario, &spec->scenario_id, &err) ||
		!store_platform(w, &b->platform, &spec->platform_id, &err) ||
		!store_taskset(w, &b->set, NULL, &spec->taskset_id, &err))
		die(&err);
}

static void count_rows(const char *file, struct measured *m)
{
	sqlite3 *db = NULL;
	sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL);
	for (int id = BENCH_FIRST_BULK; id < ROW_TYPES; id++) {
		char sql[128];
		sqlite3_stmt *stmt = NULL;
		snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s", row_types[id].table);
		if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK &&
			sqlite3_step(stmt) == SQLITE_ROW)
			m->rows[id] = sqlite3_column_int64(stmt, 0);
		sqlite3_finalize(stmt);
	}
	sqlite3_close(db);
}

/* level < 0: no recording. */
static void run_once(struct bench_set *b, int level, struct measured *m)
{
	char file[sizeof(folder) + 16];
	struct error err;
	bool exists;
	struct run *run;
	struct run_result result;
	struct params params;
	struct run_spec spec = {
		.platform = &b->platform,
		.set = &b->set,
		.setup = &b->setup,
		.policy = policy_find("fifo-cke"),
		.params = &params,
		.record = level < 0 ? RECORD_SUMMARY : (enum record_level)level,
	};
	struct db_writer *w = NULL;

	params_default(&params, spec.policy->options);
	snprintf(file, sizeof(file), "%s/run.db", folder);
	if (level >= 0) {
		w = open_writer(file, &err);
		store_set(w, b, &spec);
	}
	double start = cpu_seconds();
	enum run_state state = RUN_GOES_ON;
	if (!run_begin(&spec, w, &run, &exists, &err))
		die(&err);
	while (state == RUN_GOES_ON)
		state = run_step(run, 1000000, &err);
	if (state == RUN_FAILED || !run_finish(run, &result, &err) || (w && !writer_commit(w, &err)))
		die(&err);
	m->run_s = cpu_seconds() - start;
	m->events = result.outcome.events;
	m->jobs = result.outcome.jobs;
	run_destroy(run);
	start = cpu_seconds();
	if (w && !writer_finish(w, NULL, &err))
		die(&err);
	m->finish_s = cpu_seconds() - start;
	if (w)
		count_rows(file, m);
	unlink(file);
}

typedef bool set_fn(struct bench_set *b, int64_t horizon_ns);

/* The best of several runs. */
static struct measured measure(set_fn *make, int64_t horizon_ns, int level)
{
	struct measured best = {.run_s = 1e9};
	for (int i = 0; i < TRIES; i++) {
		struct bench_set b;
		struct measured m = {0};
		if (!make(&b, horizon_ns))
			exit(3);
		run_once(&b, level, &m);
		bench_set_finish(&b);
		if (m.run_s < best.run_s)
			best = m;
	}
	return best;
}

/* Seconds for as many rows as the run wrote, with SQLite alone. */
static double bare_for(const struct measured *m, enum bare_way way)
{
	double best = 1e9;
	for (int i = 0; i < TRIES; i++) {
		double sum = 0;
		for (int id = BENCH_FIRST_BULK; id < ROW_TYPES; id++) {
			struct error err;
			double took = m->rows[id] ? bare_insert(folder, (enum row_type_id)id, way,
							    (size_t)m->rows[id], &err)
						  : 0;
			if (took < 0)
				die(&err);
			sum += took;
		}
		best = sum < best ? sum : best;
	}
	return best;
}

/* ---- the tables ---- */

static void events_table(void)
{
	static const char *const names[] = {
		"unlogged, with statistics", "summary", "jobs", "segments", "blocks"};
	printf("16 tasks CPU - copy - kernel - copy - CPU, fifo-cke, 100 s\n"
	       "%-28s %9s %9s %9s %11s %12s %12s\n",
		"recorded", "ns/event", "Mevents/s", "with end", "rows/event", "stream/run", "INSERTs/run");
	for (int level = -1; level <= RECORD_BLOCKS; level++) {
		struct measured m = measure(bench_pipeline, 100 * SECOND, level);
		int64_t rows = 0;
		for (int id = BENCH_FIRST_BULK; id < ROW_TYPES; id++)
			rows += m.rows[id];
		double per_event = m.run_s / (double)m.events;
		printf("%-28s %9.1f %9.2f %9.2f %11.3f", names[level + 1], per_event * 1e9, 1e-6 / per_event,
			1e-6 * (double)m.events / (m.run_s + m.finish_s), (double)rows / (double)m.events);
		if (rows > 0)
			printf(" %12.2f %12.2f", bare_for(&m, BARE_STREAM) / m.run_s,
				bare_for(&m, BARE_ROWS) / m.run_s);
		printf("\n");
	}
}

static void jobs_table(void)
{
	printf("10 periodic CPU tasks, periods 10 ms .. 1 s, U = 0.7, 1000 s\n%-28s %10s %9s %9s %9s %12s "
	       "%12s\n",
		"recorded", "jobs", "ns/job", "M jobs/s", "with end", "stream/run", "INSERTs/run");
	for (int level = -1; level <= RECORD_JOBS; level++) {
		static const char *const names[] = {"unlogged, with statistics", "summary", "jobs"};
		struct measured m = measure(bench_cpu_only, 1000 * SECOND, level);
		double per_job = m.run_s / (double)m.jobs;
		printf("%-28s %10" PRIu64 " %9.1f %9.2f %9.2f", names[level + 1], m.jobs, per_job * 1e9,
			1e-6 / per_job, 1e-6 * (double)m.jobs / (m.run_s + m.finish_s));
		if (m.rows[ROWS_JOB])
			printf(" %12.2f %12.2f", bare_for(&m, BARE_STREAM) / m.run_s,
				bare_for(&m, BARE_ROWS) / m.run_s);
		printf("\n");
	}
}

static bool write_rows(struct db_writer *w, enum row_type_id id, size_t count, struct error *err)
{
	switch (id) {
	case ROWS_HIST:
		return writer_hist(w, sample_rows(id), count, err);
	case ROWS_JOB:
		return writer_jobs(w, sample_rows(id), count, err);
	case ROWS_SEGMENT_INTERVAL:
		return writer_segment_intervals(w, sample_rows(id), count, err);
	case ROWS_BLOCK_INTERVAL:
		return writer_block_intervals(w, sample_rows(id), count, err);
	case ROWS_POWER_INTERVAL:
		return writer_power_intervals(w, sample_rows(id), count, err);
	default:
		return writer_decisions(w, sample_rows(id), count, err);
	}
}

/* Processor seconds that the writer takes for `count` rows of a table, commits included. */
static double writer_seconds(enum row_type_id id, size_t count)
{
	char file[sizeof(folder) + 16];
	struct error err;
	struct bench_set b;
	struct run_spec spec;
	struct params params;
	bool exists;
	if (!bench_pipeline(&b, SECOND))
		exit(3);
	snprintf(file, sizeof(file), "%s/rows.db", folder);
	struct db_writer *w = open_writer(file, &err);
	store_set(w, &b, &spec);
	params_default(&params, policy_find("fifo-cke")->options);
	struct run_row row = {
		.scenario_id = spec.scenario_id,
		.taskset_id = spec.taskset_id,
		.platform_id = spec.platform_id,
		.record = "blocks",
	};
	if (!store_policy(w, policy_find("fifo-cke"), &params, &row.policy_id, &err) ||
		!store_setup(w, &b.setup, &row, &err) || !writer_begin_run(w, &row, &exists, &err))
		die(&err);
	double start = cpu_seconds();
	for (size_t done = 0; done < count; done += SAMPLE_ROWS)
		if (!write_rows(w, id, SAMPLE_ROWS, &err))
			die(&err);
	if (!writer_commit(w, &err))
		die(&err);
	double took = cpu_seconds() - start;
	writer_abandon(w, false);
	bench_set_finish(&b);
	return took;
}

static void rows_table(void)
{
	const size_t count = 1000 * SAMPLE_ROWS;
	printf("rows of bulk tables, %zu each\n%-20s %11s %11s %11s %14s\n", count, "M rows/s of",
		"the writer", "the stream", "INSERTs", "writer/stream");
	for (int i = BENCH_FIRST_BULK; i < ROW_TYPES; i++) {
		enum row_type_id id = (enum row_type_id)i;
		struct error err;
		if (!sample_rows(id))
			continue;
		double best[3] = {1e9, 1e9, 1e9};
		for (int k = 0; k < TRIES; k++) {
			double took[3] = {writer_seconds(id, count),
				bare_insert(folder, id, BARE_STREAM, count, &err),
				bare_insert(folder, id, BARE_ROWS, count, &err)};
			for (int j = 0; j < 3; j++) {
				if (took[j] < 0)
					die(&err);
				best[j] = took[j] < best[j] ? took[j] : best[j];
			}
		}
		printf("%-20s %11.2f %11.2f %11.2f %12.2f x\n", row_types[id].table,
			1e-6 * (double)count / best[0], 1e-6 * (double)count / best[1],
			1e-6 * (double)count / best[2], best[0] / best[1]);
	}
}

/* Peak memory of a run, each in its own process. Called first, before anything else has used memory. */
static void memory_table(void)
{
	static const int64_t seconds[] = {100, 1000, 10000};
	printf("peak memory, KiB\n%-28s %9s %9s %9s\n", "horizon", "100 s", "1000 s", "10000 s");
	for (int level = -1; level <= RECORD_JOBS; level += 2) {
		printf("%-28s", level < 0 ? "unlogged" : "jobs");
		fflush(stdout);
		for (size_t i = 0; i < sizeof(seconds) / sizeof(*seconds); i++) {
			pid_t child = fork();
			if (child == 0) {
				struct bench_set b;
				struct measured m = {0};
				if (!bench_pipeline(&b, seconds[i] * SECOND))
					_exit(3);
				run_once(&b, level, &m);
				_exit(0);
			}
			struct rusage usage = {0};
			int status = 0;
			if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0) {
				fprintf(stderr, "a run failed\n");
				exit(3);
			}
			printf(" %9ld", usage.ru_maxrss);
			fflush(stdout);
		}
		printf("\n");
	}
}

/* bench_record [memory|events|jobs|rows]: one of the tables, or all. */
int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*print)(void);
	} tables[] = {
		{"memory", memory_table},
		{"events", events_table},
		{"jobs", jobs_table},
		{"rows", rows_table},
	};
	const char *temporary = getenv("TMPDIR");
	if (chdir(temporary ? temporary : "/tmp") != 0 || !mkdtemp(folder)) {
		perror("a temporary folder");
		return 3;
	}
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		if (argc > 1 && strcmp(argv[1], tables[i].name) != 0)
			continue;
		tables[i].print();
		printf("\n");
	}
	rmdir(folder);
	return 0;
}
