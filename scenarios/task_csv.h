/* scenarios/task_csv.h - shared by the readers of CSV files that say something about tasks (release traces,
 * samples of execution times): cells that name a task, its segment, a time; errors at their places in the
 * file.
 *
 *   task_csv_open(&r, ...), task_csv_next(&r), task_csv_task(&r, ...), ..., task_csv_close(&r) */
#ifndef CEGSIM_SCENARIOS_TASK_CSV_H
#define CEGSIM_SCENARIOS_TASK_CSV_H

#include "base/csv.h"
#include "scenarios/binder.h"
#include "scenarios/tables.h"

#define TASK_CSV_ROWS_MAX 4000000u
#define TASK_CSV_ERRORS_MAX 20u

struct task_csv {
	struct binder *binder;
	const struct node *at; /* the place where the scenario names the file */
	const char *path;
	const struct description *description;
	const char *wants; /* what a line has: "task, seq, release" */
	bool ok;           /* no error yet */
	unsigned errors;
	struct csv csv;
	char *text;
};

/* Opens the file; the members up to `wants` are set. False: errors were reported. Close it either way. */
MUST_CHECK bool task_csv_open(struct task_csv *r, const char *const *columns, uint32_t count);
void task_csv_close(struct task_csv *r);

/* The next line behind the header, with as many cells as columns or `fewer`; lines that have not are errors
 * and passed over. False: no more lines, or too many errors. */
bool task_csv_next(struct task_csv *r, uint32_t fewer);

/* Reports an error in the file. Always returns false. */
bool task_csv_wrong(struct task_csv *r, unsigned line, unsigned column, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

/* Cells of this line. False: an error was reported. */
MUST_CHECK bool task_csv_task(struct task_csv *r, uint32_t cell, uint32_t *task);
/* A number from 0 to `max`. */
MUST_CHECK bool task_csv_index(
	struct task_csv *r, uint32_t cell, const char *what, int64_t max, int64_t *value);
/* The index of a segment of the task; of any task if `task_known` is false. */
MUST_CHECK bool task_csv_segment(
	struct task_csv *r, uint32_t cell, bool task_known, uint32_t task, int64_t *segment);
MUST_CHECK bool task_csv_time(struct task_csv *r, uint32_t cell, const char *what, int64_t *value);

/* Room for one more row in a list of `count`; NULL: an error was reported. */
void *task_csv_room(struct task_csv *r, void *rows, uint32_t count, size_t size);

#endif
