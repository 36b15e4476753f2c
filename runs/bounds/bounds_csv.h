/* runs/bounds/bounds_csv.h - bounds of a user's own in a CSV file (docs/own-bounds.md): a row for each task
 * of a set. The first line names the columns: set, task and bound_ns; and, if the user wants, policy,
 * platform and analysis. */
#ifndef CEGSIM_RUNS_BOUNDS_BOUNDS_CSV_H
#define CEGSIM_RUNS_BOUNDS_BOUNDS_CSV_H

#include "base/diagnostics.h"
#include "runs/bounds/known.h"
#include "runs/bounds/roster.h"

/* What a file says nothing about. */
struct bounds_missing {
	uint32_t sets, tasks; /* sets without a row; tasks without a row, of the other sets */
	uint32_t tasks_of;    /* the number of tasks of these other sets */
};

struct bounds_csv {
	const char *path, *name; /* the file, and what it is called in sentences: its name without folders */
	bool unsafe;             /* its user says that its bounds do not hold */
	struct bounds_missing missing;
};

/* Cuts "safety=unsafe:mine.csv"; no file is read. */
struct bounds_csv bounds_csv_of(const char *text);
/* Reads the text of the file, which is written into, and adds its analyses to the list: csv:mine.csv, or csv:
 * and what the column `analysis` says. Their bounds refer to the roster. False: the diagnostics say why, if
 * *err has the status STATUS_INPUT. */
MUST_CHECK bool bounds_csv_read(struct bounds_csv *csv, char *text, size_t length,
	const struct roster *roster, struct known_list *list, struct diagnostics *d, struct error *err);

#endif
